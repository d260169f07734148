//! Measures what a run in a slot costs beyond starting the same program bare, and what other
//! sandboxes cost.
//!
//! `cargo run --release -p judge-sandbox --example overhead [RUNS] [LEVEL]`; it needs a C compiler.
//! `bwrap` and `isolate` are measured too where they are installed. Prints Markdown for
//! `ci/bench sandbox`.
//!
//! All contenders take turns in the same process, so that a busy machine affects them alike. A turn
//! is a short row of runs, whose first run does not count: the kernel is still cleaning up after
//! the contender before it. "Hot" means runs back to back. With pauses of 30 ms, as when a judge's
//! programs take that long, the kernel has gone to sleep in between and caches are cold.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for the terminal"
)]

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use judge_model::Termination;
use judge_sandbox::{
    Bind, CancelToken, Capture, Execution, Input, LinuxSandbox, RunLimits, Sandbox, Slot, SlotSpec,
    Work,
};

/// Runs of one kind in a row.
const ROW: usize = 20;
const ISOLATE_BOX: &str = "--box-id=9";

/// A program that does nothing at all: not even the start-up code of a C library.
const NOTHING: &str = r#"
__attribute__((noreturn)) void _start(void) {
#if defined(__x86_64__)
    __asm__ volatile("mov $60, %eax\n\txor %edi, %edi\n\tsyscall");
#elif defined(__aarch64__)
    __asm__ volatile("mov x8, #93\n\tmov x0, #0\n\tsvc #0");
#else
#error "unknown processor"
#endif
    __builtin_unreachable();
}
"#;

/// A small process that starts the program bare for each byte that it reads, and answers with the
/// nanoseconds that this took: vfork, exec, wait.
const FLOOR: &str = r#"
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
int main(int argc, char **argv) {
    char byte, *args[] = {argv[1], 0}, *env[] = {0};
    while (argc == 2 && read(0, &byte, 1) == 1) {
        int status = 0;
        uint64_t begun = now();
        pid_t pid = vfork();
        if (pid == 0) {
            execve(argv[1], args, env);
            _exit(127);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) return 1;
        uint64_t took = now() - begun;
        if (write(1, &took, sizeof took) != sizeof took) return 1;
    }
    return 0;
}
"#;

/// A program or sandbox whose runs are timed.
struct Contender<'a> {
    name: String,
    run: Box<dyn FnMut() -> Duration + 'a>,
    times: Vec<Duration>,
}

impl<'a> Contender<'a> {
    fn new(name: &str, run: impl FnMut() -> Duration + 'a) -> Self {
        Self {
            name: name.to_owned(),
            run: Box::new(run),
            times: Vec::new(),
        }
    }

    fn timed(name: &str, mut run: impl FnMut() + 'a) -> Self {
        Self::new(name, move || {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
    }

    fn command(name: &str, mut command: Command) -> Self {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self::timed(name, move || {
            assert!(command.status().unwrap().success(), "{command:?}");
        })
    }
}

fn main() -> ExitCode {
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    let mut args = std::env::args().skip(1);
    let runs: usize = args.next().map_or(500, |text| text.parse().unwrap());
    let demand = args.next().map(|text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let program = compile(
        directory.path(),
        "nothing",
        NOTHING,
        &["-nostdlib", "-ffreestanding"],
    );
    let mut floor = Floor::start(&compile(directory.path(), "floor", FLOOR, &[]), &program);

    let sandbox = LinuxSandbox::open(demand).unwrap();
    let level = sandbox.isolation().level;
    let begun = Instant::now();
    let spec = SlotSpec {
        depots: vec![directory.path().to_owned()],
        ..SlotSpec::default()
    };
    let mut slots: Vec<Box<dyn Slot>> = (0..3).map(|_| sandbox.slot(&spec).unwrap()).collect();
    let opened = begun.elapsed() / 3;
    let kinds = [
        ("read-only", Work::ReadOnly, false),
        (
            "work files",
            Work::Writable {
                bytes: 64 << 20,
                files: 4096,
            },
            false,
        ),
        (
            "work files, `/proc`",
            Work::Writable {
                bytes: 64 << 20,
                files: 4096,
            },
            true,
        ),
    ];
    let mut contenders = vec![Contender::new("bare vfork, exec, wait", || floor.run())];
    for (slot, (name, work, proc_mounted)) in slots.iter_mut().zip(kinds) {
        let (execution, mut capture) = (
            execution(directory.path(), work, proc_mounted),
            Capture::default(),
        );
        contenders.push(Contender::timed(
            &format!("judge `{level}`, {name}"),
            move || {
                let finished = slot.run(&execution, &mut capture).unwrap();
                assert_eq!(
                    finished.outcome.termination,
                    Termination::Exited { code: 0 }
                );
            },
        ));
    }
    let rivals = rivals(directory.path(), &program);
    contenders.extend(rivals);

    println!(
        "Isolation level `{level}`; opening a slot takes {} µs. A program that does nothing.\n",
        opened.as_micros()
    );
    for (pause, name, runs) in [
        (Duration::ZERO, "Hot", runs),
        (Duration::from_millis(30), "30 ms pauses", runs / 4),
    ] {
        measure(&mut contenders, runs.max(ROW), pause);
        report(name, &mut contenders);
    }
    drop(contenders);
    drop(slots);
    let _ = Command::new("isolate")
        .args([ISOLATE_BOX, "--cleanup"])
        .output();
    ExitCode::SUCCESS
}

fn compile(directory: &Path, name: &str, source: &str, flags: &[&str]) -> PathBuf {
    let (program, file) = (
        directory.join(name),
        directory.join(name).with_extension("c"),
    );
    std::fs::write(&file, source).unwrap();
    let compiled = Command::new("cc")
        .args(["-O2", "-static"])
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(&file)
        .status();
    assert!(
        compiled.is_ok_and(|status| status.success()),
        "a C compiler with a static C library is needed"
    );
    program
}

/// The process that measures the floor.
struct Floor(Child);

impl Floor {
    fn start(floor: &Path, program: &Path) -> Self {
        Self(
            Command::new(floor)
                .arg(program)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    }

    fn run(&mut self) -> Duration {
        let mut answer = [0; 8];
        self.0.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        self.0
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut answer)
            .unwrap();
        Duration::from_nanos(u64::from_ne_bytes(answer))
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn execution(directory: &Path, work: Work, proc_mounted: bool) -> Execution {
    Execution {
        program: "/program/nothing".into(),
        args: vec!["nothing".into()],
        env: Vec::new(),
        stdin: Input::Empty,
        limits: RunLimits {
            cpu_time: Duration::from_secs(2),
            wall_time: Duration::from_secs(5),
            memory_bytes: 256 << 20,
            stdout_bytes: 1 << 20,
            stderr_bytes: 1 << 16,
            processes: 16,
        },
        work,
        cwd: None,
        work_files: Vec::new(),
        binds: vec![Bind {
            source: directory.to_owned(),
            target: "/program".into(),
        }],
        proc_mounted,
        keep_work: false,
        warm: None,
        cancel: CancelToken::new().unwrap(),
    }
}

/// Other sandboxes that are installed and work here.
fn rivals(directory: &Path, program: &Path) -> Vec<Contender<'static>> {
    let whole = ["--unshare-all", "--ro-bind", "/", "/"];
    let fuller = "--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --ro-bind /usr /usr \
                  --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev \
                  --tmpfs /tmp --tmpfs /work --chdir /work";
    let mut plain = Command::new("bwrap");
    plain.args(whole).arg(program);
    let mut full = Command::new("bwrap");
    full.args(fuller.split_whitespace())
        .arg("--ro-bind")
        .arg(directory)
        .arg("/program")
        .arg("/program/nothing");
    let mut found = Vec::new();
    for (name, command) in [
        ("bwrap --unshare-all --ro-bind / /", plain),
        ("bwrap, private root", full),
    ] {
        found.extend(checked(name, command));
    }
    // The box has to be made first; only the run is timed.
    let mut isolate = Command::new("isolate");
    isolate.args([ISOLATE_BOX, "--silent", "--run", "--", "./nothing"]);
    if let Ok(opened) = Command::new("isolate")
        .args([ISOLATE_BOX, "--init"])
        .output()
    {
        let place =
            PathBuf::from(String::from_utf8_lossy(&opened.stdout).trim()).join("box/nothing");
        let _ = std::fs::copy(program, place);
    }
    found.extend(checked("isolate --run, without control groups", isolate));
    found
}

/// A contender, if its command works.
fn checked(name: &str, mut command: Command) -> Option<Contender<'static>> {
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => return Some(Contender::command(name, command)),
        Ok(output) => println!(
            "Not measured: {name}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ),
        Err(error) => println!("Not measured: {name}: {error}"),
    }
    println!();
    None
}

fn measure(contenders: &mut [Contender<'_>], runs: usize, pause: Duration) {
    for contender in &mut *contenders {
        contender.times.clear();
    }
    while contenders
        .iter()
        .any(|contender| contender.times.len() < runs)
    {
        for contender in &mut *contenders {
            for run in 0..=ROW {
                std::thread::sleep(pause);
                let took = (contender.run)();
                if run > 0 {
                    contender.times.push(took);
                }
            }
        }
    }
}

fn report(name: &str, contenders: &mut [Contender<'_>]) {
    println!("| {name} | p10 µs | median µs | p90 µs | median over bare µs |");
    println!("|---|---:|---:|---:|---:|");
    let mut floor = None;
    for contender in contenders {
        contender.times.sort_unstable();
        let times = &contender.times;
        let [low, median, high] =
            [10, 50, 90].map(|percent| times[(times.len() - 1) * percent / 100].as_micros());
        let floor = *floor.get_or_insert(median);
        let over = median.cast_signed() - floor.cast_signed();
        println!(
            "| {} | {low} | {median} | {high} | {over} |",
            contender.name
        );
    }
    println!();
}
