//! Interpreters that run several programs in turn: no program can pass data to the next one.

use std::time::Duration;

use judge_sandbox::{Capture, WarmRefused, WarmStart, Work};

use super::languages::interpreters;
use super::{RunResult, Warm};
use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("warm_interpreters_run_any_script", scripts),
    ("warm_interpreters_show_only_the_usual_modules", modules),
    ("warm_interpreters_run_text", text),
    ("warm_interpreters_cannot_be_stopped", stops),
    (
        "warm_directories_pass_no_data_to_other_programs",
        directories,
    ),
    (
        "warm_process_numbers_pass_no_data_to_other_programs",
        process_numbers,
    ),
];

const ARGS: [&str; 2] = ["python3", "-B"];

/// An interpreter that waits for scripts.
fn waiting(bench: &Bench, interpreter: &str) -> Warm {
    let mut warm = Warm::new(bench, "none");
    warm.execution.program = interpreter.into();
    warm.execution.work = Work::Writable {
        bytes: 1 << 20,
        files: 16,
    };
    // PyPy asks it for the size of the cache.
    warm.execution.proc_mounted = true;
    warm.execution.limits.memory_bytes = 512 << 20;
    warm.execution.limits.cpu_time = Duration::from_secs(5);
    warm.execution.limits.wall_time = Duration::from_secs(30);
    warm.execution.limits.processes = 8;
    warm.execution.args = ARGS.map(Into::into).into();
    warm.execution.warm = Some(WarmStart::SharedPython { script: 2 });
    warm.again();
    warm
}

/// Writes scripts, and returns their paths in the sandbox.
fn write<const COUNT: usize>(bench: &Bench, scripts: [(&str, &str); COUNT]) -> [String; COUNT] {
    scripts.map(|(name, text)| {
        let path = bench.depot.join("warm").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        format!("/program/{name}")
    })
}

impl Warm {
    fn run_script(&mut self, script: &[&str]) -> Result<RunResult, WarmRefused> {
        let args = ARGS.iter().chain(script).map(Into::into).collect();
        self.try_run(&[], |execution| execution.args = args)
    }
}

/// Each script sees neither the variables nor the modules of another.
fn scripts(bench: &mut Bench) {
    let text = |name: &str| {
        format!(
            "import math, sys\n\
             print('{name}', sys.argv[1:], hasattr(math, 'seen'), 'seen' in globals())\n\
             math.seen = seen = '{name}'\n\
             sys.path.append('{name}')\n\
             print(len(sys.path) - len(set(sys.path)), sys.path[0] != '{name}')\n"
        )
    };
    let (first, second) = (text("first"), text("second"));
    let scripts = write(bench, [("one/a.py", &first), ("two/b.py", &second)]);
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        for _ in 0..3 {
            for (script, name) in scripts.iter().zip(["first", "second"]) {
                warm.slot.expect_other_program();
                let ran = warm.run_script(&[script, "x"]).unwrap().exited();
                let expected = format!("{name} ['x'] False False\n0 True\n");
                assert_eq!(ran.stdout, expected, "{interpreter}");
            }
        }
    }
}

/// A script notices nothing of the modules that were imported for waiting.
fn modules(bench: &mut Bench) {
    let names = "import sys\nprint(sorted(sys.modules))\nimport collections\nprint(hasattr(collections, 'abc'))\n";
    let [script, own, _] = write(
        bench,
        [
            ("names/script.py", names),
            (
                "own/script.py",
                "import ctypes, struct\nprint(ctypes.own, struct.calcsize('i'))\n",
            ),
            ("own/ctypes.py", "own = 'own'\n"),
        ],
    );
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        let ran = warm.run_script(&[&script]).unwrap().exited();
        let mut usual = warm.execution.clone();
        usual.args.push(script.clone().into());
        let mut capture = Capture::default();
        warm.slot.run(&usual, &mut capture).unwrap();
        let expected = String::from_utf8_lossy(&capture.stdout).into_owned();
        assert!(expected.contains("'__main__'"), "{expected}");
        assert_eq!(ran.stdout, expected, "{interpreter}");
        warm.again();
        let ran = warm.run_script(&[&own]).unwrap().exited();
        assert_eq!(ran.stdout, "own 4\n", "{interpreter}");
    }
}

/// A script that is an argument (`-c`).
fn text(bench: &mut Bench) {
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        let ran = warm.run_script(&["-c", "import sys; print(__name__, sys.argv)", "x"]);
        assert_eq!(
            ran.unwrap().exited().stdout,
            "__main__ ['-c', 'x']\n",
            "{interpreter}"
        );
    }
}

/// A program can stop the process that waits, but not the next run.
fn stops(bench: &mut Bench) {
    let [script] = write(
        bench,
        [(
            "stops/script.py",
            "import os, signal, time\n\
             os.kill(-1, signal.SIGSTOP)\n\
             print('stopped')\n",
        )],
    );
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        for _ in 0..3 {
            let ran = warm.run_script(&[&script]).unwrap().exited();
            assert_eq!(ran.stdout, "stopped\n", "{interpreter}");
        }
    }
}

/// Everything that changes the working directory or its attributes ends the interpreter.
fn directories(bench: &mut Bench) {
    let [script] = write(
        bench,
        [(
            "changes/script.py",
            "import os, sys, time\n\
             before = os.stat('.')\n\
             exec(sys.argv[1])\n\
             os.utime('.', ns=(before.st_atime_ns, before.st_mtime_ns))\n\
             print(len(os.listdir('.')), os.stat('.').st_mtime_ns == before.st_mtime_ns)\n",
        )],
    );
    let [silent] = write(bench, [("silent/script.py", "print('silent')\n")]);
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        for change in [
            "os.utime('.', (5, 5))",
            "os.chmod('.', 0o700)",
            "open('file', 'w').close(); os.remove('file')",
            "os.mkdir('directory'); os.rmdir('directory')",
            "os.chmod('/tmp', 0o700)",
        ] {
            let ran = warm.run_script(&[&script, change]).unwrap().exited();
            assert_eq!(ran.stdout, "0 True\n", "{interpreter}: {change}");
            let next = warm.run_script(&[&silent]);
            assert_eq!(next.err(), Some(WarmRefused::NotWarm), "{change}");
            warm.again();
        }
    }
}

/// A program that has started threads cannot be followed by another one.
fn process_numbers(bench: &mut Bench) {
    let [threads, own] = write(
        bench,
        [
            (
                "threads/script.py",
                "import threading\n\
                 thread = threading.Thread(target=print, args=('thread',))\n\
                 thread.start()\n\
                 thread.join()\n",
            ),
            ("own/script.py", "import os\nprint(os.getpid())\n"),
        ],
    );
    for interpreter in interpreters() {
        let mut warm = waiting(bench, interpreter);
        for _ in 0..2 {
            let ran = warm.run_script(&[&threads]).unwrap().exited();
            assert_eq!(ran.stdout, "thread\n", "{interpreter}");
        }
        // Also if its last run has started none.
        warm.run_script(&[&own]).unwrap().exited();
        warm.slot.expect_other_program();
        assert_eq!(
            warm.run_script(&[&own]).err(),
            Some(WarmRefused::Strays),
            "{interpreter}"
        );
        warm.again();
        for _ in 0..2 {
            warm.slot.expect_other_program();
            warm.run_script(&[&own]).unwrap().exited();
        }
    }
}
