//! Measures the CPU time of one run, started as usual and warm, of the same small program in four languages.
//!
//! `cargo run --release -p judge-sandbox --example warm [RUNS]`; it needs root, the level `full`, and compilers. Prints
//! Markdown.
//!
//! What is counted is everything: the harness, its zygotes, inits and programs. Each row of runs is a process of its own
//! that waits for all of it, so that its parent is told by the kernel (`cutime` and `cstime` of proc_pid_stat(5)). Rows
//! are taken in turns, and a row without runs is taken off.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for the terminal")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use judge_model::{IsolationLevel, Termination};
use judge_sandbox::{
    Bind, CancelToken, Capture, Execution, Input, LINK_FLAGS, LinuxSandbox, RunLimits, SHIM, Sandbox as _, SlotSpec,
    WarmStart, Work,
};

const ROUNDS: usize = 5;
const SCRIPT: &str = "/program/sum.py";
const SOURCES: [(&str, &str); 4] = [
    (
        "sum.c",
        "#include <stdio.h>\nint main(void) { long a, b; if (scanf(\"%ld %ld\", &a, &b) != 2) return 1; printf(\"%ld\\n\", a + b); }",
    ),
    ("sum.cpp", "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }"),
    (
        "sum.rs",
        "fn main() { let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
         println!(\"{}\", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>()); }",
    ),
    ("sum.py", "import random, re, sys\nprint(sum(map(int, sys.stdin.read().split())))\n"),
];

fn main() -> ExitCode {
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [row, directory, name, kind, runs] = args.as_slice()
        && row == "row"
    {
        runs_in_a_row(Path::new(directory), name, kind == "warm", runs.parse().unwrap());
        return ExitCode::SUCCESS;
    }
    let runs: usize = args.first().map_or(1000, |text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let programs = compile(directory.path());
    println!("| program | started, µs of CPU | warm, µs of CPU | times less |\n|---|---:|---:|---:|");
    for name in programs {
        // Interpreters take long enough to be measured by fewer.
        let runs = if name.starts_with('/') { runs.div_ceil(10) } else { runs };
        let mut used = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (kind, used) in ["cold", "warm"].into_iter().zip(&mut used) {
                let row = |runs| row(directory.path(), &name, kind, runs);
                used.push(row(runs).saturating_sub(row(0)).as_secs_f64() * 1e6 / runs as f64);
            }
        }
        let [cold, warm] = used.map(|mut used| {
            used.sort_by(f64::total_cmp);
            used[ROUNDS / 2]
        });
        println!("| {name} | {cold:.0} | {warm:.0} | {:.1} |", cold / warm);
    }
    ExitCode::SUCCESS
}

fn compile(directory: &Path) -> Vec<String> {
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (shim, object) = (write("shim.c", SHIM), directory.join("shim.o"));
    let succeeds = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    assert!(succeeds(Command::new("cc").args(["-O2", "-c", "-o"]).arg(&object).arg(&shim)), "a C compiler is needed");
    let mut programs = Vec::new();
    for (name, text) in SOURCES {
        let (source, program) = (write(name, text), directory.join(name.replace('.', "-")));
        let compiler = match name {
            "sum.c" => "cc",
            "sum.cpp" => "g++",
            "sum.rs" => "rustc",
            _ => continue,
        };
        let mut command = Command::new(compiler);
        if compiler == "rustc" {
            command.args(["-O", "-C", "target-feature=+crt-static", "-C", &format!("link-arg={}", LINK_FLAGS[0])]);
            command.args(["-C", &format!("link-arg={}", object.display())]);
        } else {
            command.args(["-O2", "-static"]).args(LINK_FLAGS).arg(&object);
        }
        if succeeds(command.arg("-o").arg(&program).arg(&source)) {
            programs.push(name.replace('.', "-"));
        }
    }
    programs.extend(
        ["/usr/bin/python3", "/usr/bin/pypy3"].into_iter().filter(|path| Path::new(path).exists()).map(Into::into),
    );
    programs
}

/// The CPU time of all children that were waited for, in units of 10 ms.
fn of_children() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit_once(") ").unwrap().1.split(' ').skip(13).take(2);
    Duration::from_millis(10 * fields.map(|field| field.parse::<u64>().unwrap()).sum::<u64>())
}

fn row(directory: &Path, name: &str, kind: &str, runs: usize) -> Duration {
    let before = of_children();
    let done = Command::new("/proc/self/exe").arg("row").arg(directory).args([name, kind, &runs.to_string()]).status();
    assert!(done.unwrap().success(), "{name}, {kind}");
    of_children() - before
}

fn runs_in_a_row(directory: &Path, name: &str, warm: bool, runs: usize) {
    let sandbox = LinuxSandbox::open(Some(IsolationLevel::Full)).unwrap();
    let spec = SlotSpec { depots: vec![directory.to_owned()], ..SlotSpec::default() };
    let mut slot = sandbox.slot(&spec).unwrap();
    let interpreted = name.starts_with('/');
    let args = |args: &[&str]| args.iter().map(OsString::from).collect::<Vec<_>>();
    let execution = Execution {
        program: if interpreted { PathBuf::from(name) } else { Path::new("/program").join(name) },
        args: args(if interpreted { &["python3", "-B", SCRIPT] } else { &["sum"] }),
        env: Vec::new(),
        stdin: Input::Bytes(b"40 2\n".as_slice().into()),
        limits: RunLimits {
            cpu_time: Duration::from_secs(2),
            wall_time: Duration::from_secs(5),
            memory_bytes: 512 << 20,
            stdout_bytes: 1 << 20,
            stderr_bytes: 1 << 16,
            processes: 16,
        },
        work: Work::Writable { bytes: 64 << 20, files: 4096 },
        cwd: None,
        work_files: Vec::new(),
        binds: vec![Bind { source: directory.to_owned(), target: "/program".into() }],
        proc_mounted: interpreted,
        keep_work: false,
        warm: Some(if interpreted { WarmStart::Python { script: 2 } } else { WarmStart::Shim }),
        cancel: CancelToken::new().unwrap(),
    };
    if warm {
        slot.warm(&execution).unwrap();
    }
    let mut capture = Capture::default();
    for _ in 0..runs {
        let finished = if warm {
            slot.run_warm(&execution, &mut capture).unwrap()
        } else {
            slot.run(&execution, &mut capture).unwrap()
        };
        assert_eq!(finished.outcome.termination, Termination::Exited { code: 0 });
        assert_eq!(capture.stdout, b"42\n");
    }
}
