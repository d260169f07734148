//! Warm programs in C++, Rust and Python: the same as if they had been started as usual.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use judge_model::Termination;
use judge_sandbox::{Capture, Execution, Input, LINK_FLAGS, Sandbox as _, SlotSpec, WarmStart};

use super::{Warm, cc};
use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("warm_programs_in_other_languages", languages),
    ("warm_programs_in_python", python),
    (
        "warm_scripts_import_no_neighbouring_modules",
        neighbouring_modules,
    ),
];

const CPP: &str = r#"
#include <iostream>
#include <string>
#include <vector>
int main(int argc, char **argv) {
    long a, b;
    if (argc > 1 && std::string(argv[1]) == "throw") return std::vector<int>().at(1);
    std::cin >> a >> b;
    std::cout << a + b << " " << argc << std::endl;
}
"#;
const RUST: &str = r#"
use std::io::Read;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|arg| arg == "throw") { panic!("thrown"); }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    println!("{} {}", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>(), args.len());
}
"#;

fn languages(bench: &mut Bench) {
    let (directory, depot) = (bench.depot.parent().unwrap(), bench.depot.join("warm"));
    let [cpp, rust, shim] = ["sum.cpp", "sum.rs", "shim.o"].map(|name| directory.join(name));
    std::fs::write(&cpp, CPP).unwrap();
    std::fs::write(&rust, RUST).unwrap();
    let compiled = Command::new("cc")
        .args(["-O2", "-c", "-o"])
        .arg(&shim)
        .arg(directory.join("shim.c"))
        .status();
    assert!(compiled.unwrap().success());
    cc("g++", &[], &depot.join("cpp"), &[&cpp, &shim]).unwrap();
    let mut found = vec![("cpp", Termination::Signaled { signal: 6 })];
    let done = Command::new("rustc")
        .args([
            "-O",
            "-C",
            &format!("link-arg={}", LINK_FLAGS[0]),
            "-C",
            &format!("link-arg={}", shim.display()),
            "-o",
        ])
        .arg(depot.join("rust"))
        .arg(&rust)
        .status();
    match done {
        Ok(status) if status.success() => found.push(("rust", Termination::Exited { code: 101 })),
        other => println!("SKIPPED: Rust: `rustc`: {other:?}"),
    }
    for (program, thrown) in found {
        let mut warm = Warm::started(bench, program);
        for run in 0..20 {
            let input = Input::Bytes(format!("{run} 2\n").into_bytes().into());
            let args: &[&str] = if run % 2 == 0 { &["a", ""] } else { &[] };
            let ran = warm
                .try_run(args, |execution| execution.stdin = input)
                .unwrap()
                .exited();
            assert_eq!(
                ran.stdout,
                format!("{} {}\n", run + 2, args.len() + 1),
                "{program}"
            );
        }
        assert_eq!(warm.run(&["throw"]).termination(), thrown, "{program}");
    }
}

fn python(bench: &mut Bench) {
    for interpreter in interpreters() {
        for start in [
            WarmStart::Python { script: 2 },
            WarmStart::SharedPython { script: 2 },
        ] {
            python_by(bench, interpreter, start);
        }
    }
}

pub(super) fn interpreters() -> impl Iterator<Item = &'static str> {
    ["/usr/bin/python3", "/usr/bin/pypy3"]
        .into_iter()
        .filter(|interpreter| {
            let exists = Path::new(interpreter).exists();
            if !exists {
                println!("SKIPPED: missing `{interpreter}`");
            }
            exists
        })
}

/// The library's `random` imports `bisect`, which is the script's own here.
fn neighbouring_modules(bench: &mut Bench) {
    let directory = bench.depot.join("warm/modules");
    std::fs::create_dir_all(&directory).unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).unwrap();
    let module =
        "import os\nprocess = os.getpid()\nbisect = bisect_left = bisect_right = insort = None\n";
    write("bisect.py", module);
    write("own.py", module);
    write(
        "script.py",
        "import os, sys\nimport random, bisect, own\n\
         print(bisect.process == own.process == os.getpid(), len(sys.path) == len(set(sys.path)))\n",
    );
    for interpreter in interpreters() {
        let mut warm = Warm::new(bench, "none");
        warm.execution.program = interpreter.into();
        warm.execution.proc_mounted = true;
        warm.execution.limits.memory_bytes = 512 << 20;
        warm.execution.limits.cpu_time = Duration::from_secs(5);
        warm.execution.limits.wall_time = Duration::from_secs(30);
        warm.execution.args = ["python3", "-B", "/program/modules/script.py"]
            .map(Into::into)
            .into();
        warm.execution.warm = Some(WarmStart::Python { script: 2 });
        warm.again();
        for _ in 0..2 {
            let ran = warm.try_run(&[], |execution| {
                execution.args = ["python3", "-B", "/program/modules/script.py"]
                    .map(Into::into)
                    .into();
            });
            assert_eq!(ran.unwrap().exited().stdout, "True True\n", "{interpreter}");
        }
    }
}

/// The actions of a script, by its first argument.
const SCRIPT: &str = r#"
import random, sys, os
try:
    import nosuchmodule
except ImportError:
    pass
from math import gcd as divisor
def fail(depth):
    return 1 / 0 if depth == 0 else fail(depth - 1)
print(__name__, os.path.basename(__file__), sys.argv[1:], flush=True)
mode = sys.argv[1]
if mode == "sum":
    print(sum(map(int, sys.stdin.read().split())))
elif mode == "random":
    print(random.random())
elif mode == "raise":
    fail(2)
elif mode == "exit":
    sys.exit(int(sys.argv[2]))
elif mode == "text":
    sys.exit("a text")
elif mode == "full":
    print("x" * 100)
    os.close(1)
elif mode == "unflushed":
    sys.stdout.write("unflushed")
elif mode == "held":
    class Last:
        def __del__(self):
            print("deleted", mode)
    last, other = Last(), open(1, "w", closefd=False)
    last.itself = last
    other.write("held back\n")
elif mode == "atexit":
    import atexit, threading, time
    atexit.register(print, "at exit")
    threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
elif mode == "names":
    print(sorted(name for name in globals() if not name.startswith("__")))
    print(sys.modules["__main__"].__dict__ is globals())
elif mode == "input":
    for line in sys.stdin:
        print(input() + line, end="|")
        break
elif mode == "child":
    pid = os.fork()
    if pid == 0:
        os._exit(6)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), len({random.random(), random.random()}))
"#;

fn python_by(bench: &Bench, interpreter: &str, start: WarmStart) {
    std::fs::write(bench.depot.join("warm/script.py"), SCRIPT).unwrap();
    let script = "/program/script.py";
    let mut warm = Warm::new(bench, "none");
    warm.execution.program = interpreter.into();
    // PyPy asks it for the size of the cache, and reports an unknown size.
    warm.execution.proc_mounted = true;
    warm.execution.limits.memory_bytes = 512 << 20;
    warm.execution.limits.cpu_time = Duration::from_secs(5);
    warm.execution.limits.wall_time = Duration::from_secs(30);
    let mut cold = warm.execution.clone();
    warm.execution.args = ["python3", "-B", script].map(Into::into).into();
    warm.execution.warm = Some(start);
    warm.again();
    let mut slot = bench
        .sandbox
        .slot(&SlotSpec {
            depots: vec![bench.depot.clone()],
            ..SlotSpec::default()
        })
        .unwrap();
    for args in [
        ["sum", ""].as_slice(),
        &["raise"],
        &["exit", "0"],
        &["exit", "3"],
        &["text"],
        &["full"],
        &["unflushed"],
        &["names"],
        &["held"],
        &["atexit"],
        &["exit", "-1"],
        &["input"],
        &["child"],
        &["sum", "", "x", ""],
    ] {
        let input = Input::Bytes(b"12\n30\n".as_slice().into());
        let all = |execution: &mut Execution| {
            execution.args = ["python3", "-B", script]
                .iter()
                .chain(args)
                .map(Into::into)
                .collect();
            execution.stdin = input.clone();
        };
        let ran = warm.try_run(args, all);
        let ran = ran.unwrap();
        all(&mut cold);
        let mut capture = Capture::default();
        let expected = slot.run(&cold, &mut capture).unwrap();
        assert_eq!(
            ran.termination(),
            expected.outcome.termination,
            "{interpreter} {args:?}: {}",
            ran.stderr
        );
        assert_eq!(
            ran.stdout,
            String::from_utf8_lossy(&capture.stdout),
            "{interpreter} {args:?}: {}",
            ran.stderr
        );
        assert_eq!(
            ran.stderr,
            String::from_utf8_lossy(&capture.stderr),
            "{interpreter} {args:?}"
        );
    }
    // Its seed is new in each run, as in each start.
    let mut random = || {
        warm.try_run(&["random"], |execution| {
            execution.args = ["python3", "-B", script, "random"].map(Into::into).into();
        })
        .unwrap()
        .exited()
        .stdout
    };
    assert_ne!(random(), random(), "{interpreter}");
}
