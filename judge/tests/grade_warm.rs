//! `judge grade --warm-python`: the verdicts of ordinary runs, from fewer starts.

use judge_model::IsolationLevel;
use serde_json::{Value, json};

use crate::grade::{inline, lines, results};
use crate::workspace::{CommandOutput, Workspace, has, skipped, strongest_level};

/// Five test cases: two numbers, and their sum.
fn problem() -> Value {
    let tests: Vec<(String, String)> = (1..=5)
        .map(|a| (format!("{a} 2\n"), format!("{}\n", a + 2)))
        .collect();
    let tests: Vec<(&str, &str)> = tests
        .iter()
        .map(|(input, output)| (input.as_str(), output.as_str()))
        .collect();
    let mut problem = inline(&tests);
    problem["limits"] = json!({"time_limit": 2, "memory": 256});
    problem
}

/// Programs that read `a` and `b`: a description, the rest of the source, and the verdicts.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("right", "print(a + b)", &["AC"; 5]),
    ("buffered", "sys.stdout.write(f'{a + b}')", &["AC"; 5]),
    ("at the end", "atexit.register(print, a + b)", &["AC"; 5]),
    ("exits", "print(a + b, flush=True); os._exit(0)", &["AC"; 5]),
    (
        "wrong",
        "print(a + b + (a == 3))",
        &["AC", "AC", "WA", "AC", "AC"],
    ),
    (
        "raises",
        "print(a + b if a != 4 else 1 // 0)",
        &["AC", "AC", "AC", "RTE", "AC"],
    ),
    (
        "fails late",
        "print(a + b); sys.exit(a == 5)",
        &["AC", "AC", "AC", "AC", "RTE"],
    ),
    (
        "prints much",
        "print(a + b); print('x' * (9 << 20) if a == 2 else '')",
        &["AC", "OLE", "AC", "AC", "AC"],
    ),
    (
        "uses memory",
        "x = bytearray((300 << 20) if a == 4 else 1); print(a + b)",
        &["AC", "AC", "AC", "MLE", "AC"],
    ),
    (
        // The waiting process has imported the modules, and copies share their memory.
        "uses almost all memory",
        "import asyncio, http.server, unittest, xml.dom.minidom\nx = b'x' * ((242 << 20) if a == 3 else 1)\nprint(a + b)",
        &["AC", "AC", "MLE", "AC", "AC"],
    ),
    (
        "kills what it can",
        "try: os.kill(-1, 9) if a > 1 else None\nexcept OSError: pass\nprint(a + b)",
        &["AC"; 5],
    ),
    (
        "stops what it can",
        "import signal\ntry: os.kill(-1, signal.SIGSTOP) if a > 1 else None\nexcept OSError: pass\nprint(a + b)",
        &["AC"; 5],
    ),
    (
        // The next program cannot run in the same interpreter: see the numbers of its processes.
        "starts a thread",
        "import threading; t = threading.Thread(target=print, args=(a + b,)); t.start(); t.join()",
        &["AC"; 5],
    ),
    (
        "reads its source",
        "print(a + b + (open(__file__).read().count('__file__') - 2))",
        &["AC"; 5],
    ),
    ("does not compile", "print(a + b", &[]),
    (
        "counts its runs in the environment",
        "os.environ['RUNS'] = os.environ.get('RUNS', '') + 'x'; print(a + b + len(os.environ['RUNS']) - 1)",
        &["AC"; 5],
    ),
    (
        "counts its runs in a module",
        "math.runs = getattr(math, 'runs', 0) + 1; print(a + b + math.runs - 1)",
        &["AC"; 5],
    ),
];

fn requests() -> Vec<Value> {
    let request = |(name, text, _): &(&str, &str, _)| {
        json!({
            "id": name, "problem": problem(), "language": "python3", "stop": "never", "details": true,
            "source": format!("import atexit, math, os, random, sys\na, b = map(int, input().split())\n{text}\n"),
        })
    };
    PROGRAMS.iter().map(request).collect()
}

fn verdicts(result: &Value) -> Vec<&str> {
    let test_cases = result["test_cases"].as_array();
    test_cases
        .into_iter()
        .flatten()
        .filter_map(|test_case| test_case["verdict"].as_str())
        .collect()
}

/// The numbers of interpreters that were started, and of runs in their copies.
#[derive(Debug, PartialEq)]
struct WarmRuns {
    starts: usize,
    warm: usize,
}

/// The results, and which runs were warm.
fn grade_logged(
    workspace: &Workspace,
    requests: &[Value],
    args: &[&str],
) -> (Vec<Value>, WarmRuns) {
    workspace.write("requests.jsonl", lines(requests));
    let mut command = workspace.command(["grade", "requests.jsonl", "--ordered"]);
    // One cache for all commands of a test.
    let results_dir = workspace.path("results");
    command
        .args(args)
        .env("JUDGE_LOG", "sandbox")
        .env("JUDGE_RESULTS_DIR", results_dir);
    let output = CommandOutput::from_command(&mut command).exits(0);
    let count = |kind: &str| {
        let kind = format!("kind=\"{kind}\"");
        let lines = output.stderr.lines();
        lines
            .filter(|line| line.contains("sent helper=") && line.ends_with(&kind))
            .count()
    };
    let runs = WarmRuns {
        starts: count("warm"),
        warm: count("run warm"),
    };
    (results(&output), runs)
}

fn can_be_warm() -> bool {
    let full = strongest_level() == Some(IsolationLevel::Full);
    if !full {
        skipped(
            "warm programs",
            "they are run only at the isolation level `full`",
        );
    }
    full
}

#[test]
fn warm_programs_get_the_verdicts_of_ordinary_runs() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let (found, runs) = grade_logged(&workspace, &requests(), &["--warm-python"]);
    for (result, (name, _, expected)) in found.iter().zip(PROGRAMS) {
        assert_eq!(verdicts(result), *expected, "{name}: {result}");
        // The compiler's message is that of an ordinary run.
        assert_eq!(result["verdict"] == "CE", expected.is_empty(), "{result}");
        let message = result["compiler_message"].as_str().unwrap_or_default();
        assert_eq!(
            message.contains("'(' was never closed"),
            expected.is_empty(),
            "{result}"
        );
    }
    if can_be_warm() {
        assert!(runs.warm >= 3 * PROGRAMS.len(), "{runs:?}");
    }
}

/// Programs that print `a + b`, or something else, when the interpreter ends: a description, the rest
/// of the source, and the verdict.
const ENDINGS: &[(&str, &str, &str)] = &[
    (
        "replaces the stream with buffered output",
        "import io; print('junk'); sys.stdout = io.TextIOWrapper(io.FileIO(1, 'w', closefd=False)); print(a + b)",
        "WA",
    ),
    (
        "replaces the stream after writing bytes",
        "import io; sys.stdout.buffer.write(b'junk'); sys.stdout = io.StringIO(); os.write(1, b'%d' % (a + b))",
        "WA",
    ),
    (
        "prints by C",
        "import ctypes; print(a + b); ctypes.CDLL(None).printf(b'junk\\n')",
        "WA",
    ),
    (
        "aborts in an exit handler of C",
        "import ctypes; print(a + b, flush=True); c = ctypes.CDLL(None); c.__cxa_atexit(c.abort, None, None)",
        "RTE",
    ),
    (
        "imports in a finalizer",
        "class D:\n  def __del__(self):\n    import statistics\n    print(a + b)\nd = D()",
        "WA",
    ),
    (
        "prints in a finalizer",
        "class D:\n  def __del__(self): print(a + b)\nd = D()",
        "AC",
    ),
    (
        "a file of a daemon thread",
        "import threading, time\ndef write():\n  f = open(1, 'w', closefd=False)\n  f.write(f'{a + b}')\n  time.sleep(9)\n\
         threading.Thread(target=write, daemon=True).start()\ntime.sleep(0.1)",
        "WA",
    ),
    (
        "hides a file from the collector",
        "import gc; f = open(1, 'w', closefd=False); f.write(f'{a + b}'); gc.freeze()",
        "AC",
    ),
    (
        "a generator that has not ended",
        "def g():\n  try: yield\n  finally:\n    import statistics\n    print(a + b)\nx = g(); next(x)",
        "WA",
    ),
    (
        "a reference with a call",
        "import weakref\nclass A: pass\nx = A()\nr = weakref.ref(x, lambda _: os.write(1, b'junk'))\nprint(a + b, flush=True)",
        "AC",
    ),
    (
        "a number that is false",
        "class I(int):\n  def __bool__(self): return False\nprint(a + b); sys.exit(I(5))",
        "RTE",
    ),
    (
        "an exit code that changes",
        "class E(SystemExit): code = property(lambda self: codes.pop())\ncodes = [0, 0, 5]; print(a + b); raise E",
        "RTE",
    ),
    (
        "an error that ends the process",
        "class E(Exception):\n  def with_traceback(self, _): os._exit(0)\nprint(a + b, flush=True); raise E",
        "RTE",
    ),
    (
        "replaced functions",
        "import builtins; end = os._exit; os._exit = lambda _: end(0); builtins.isinstance = lambda *_: True\n\
         print(a + b, flush=True); raise ValueError",
        "RTE",
    ),
    (
        "an exit function that ends the process",
        "import atexit; atexit.register(lambda: (os.write(1, b'%d' % (a + b)), os._exit(0))); print('junk')",
        "WA",
    ),
    (
        "a thread that ends the process",
        "import threading; threading.Timer(0.1, lambda: (os.write(1, b'%d' % (a + b)), os._exit(0))).start(); print('junk')",
        "WA",
    ),
    (
        "a hook for errors that ends the process",
        "def hook(*_): os.write(1, b'%d' % (a + b)); os._exit(0)\nsys.excepthook = hook; print('junk'); 1 / 0",
        "WA",
    ),
    (
        "an exit function that looks for the error",
        "import atexit\n@atexit.register\ndef end():\n  if not hasattr(sys, 'last_value'): os._exit(0)\n\
         print(a + b, flush=True); 1 / 0",
        "RTE",
    ),
    (
        "a reference that calls a function of C",
        "import weakref; x = {1}; r = weakref.ref(x, print); print(a + b)",
        "WA",
    ),
    (
        "a proxy with a call",
        "import functools, weakref; x = {1}; r = weakref.proxy(x, functools.partial(print, 'junk')); print(a + b)",
        "WA",
    ),
    (
        "a call by the collector",
        "import gc; print(a + b); gc.callbacks.append(lambda *_: print('junk'))",
        "WA",
    ),
    (
        "an object whose end is replaced",
        "import io; x = io.StringIO(); x.close = lambda: os.write(1, b'junk'); print(a + b, flush=True)",
        "WA",
    ),
    (
        "a stream whose end is replaced",
        "print(a + b, flush=True); sys.stdout.flush = lambda: os.write(1, b'junk')",
        "WA",
    ),
    (
        "a class with functions of its own",
        "class M(type):\n  def __hash__(self): print('junk')\n  __mro__ = property(__hash__)\n\
         class A(metaclass=M): pass\nx = A(); print(a + b)",
        "AC",
    ),
    (
        "a replaced function to exit",
        "sys.exit = print; print(a + b); raise ValueError",
        "RTE",
    ),
    (
        "an exit code in a tuple",
        "print(a + b); sys.exit((0,))",
        "RTE",
    ),
    (
        "a stream that ends with its last reference",
        "from io import StringIO; x = StringIO(); print('junk'); sys.stdout = x; print(a + b)\n\
         os.write(1, x.getvalue().encode()); sys.exit(0)",
        "WA",
    ),
    (
        "the end of standard input",
        "sys.stdin.close = lambda write=os.write: write(1, b'junk'); print(a + b)",
        "WA",
    ),
    (
        "attributes of its module",
        "print(a + b if __loader__ is None else 'junk')",
        "WA",
    ),
    (
        "its own arguments",
        "print(a + b if sys.orig_argv[-1] == __file__ else 'junk')",
        "AC",
    ),
];

#[test]
fn copies_end_like_ordinary_runs() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let requests: Vec<Value> = ENDINGS
        .iter()
        .map(|(name, text, _)| {
            let source =
                format!("import os, sys\na, b = map(int, input().split())\n{text}\n");
            json!({
                "id": name, "problem": inline(&[("1 2\n", "3\n"), ("3 4\n", "7\n")]), "language": "python3",
                "source": source,
            })
        })
        .collect();
    for args in [&["--no-cache"][..], &["--no-cache", "--warm-python"]] {
        let (found, _) = grade_logged(&workspace, &requests, args);
        for (result, (name, _, expected)) in found.iter().zip(ENDINGS) {
            assert_eq!(result["verdict"], *expected, "{args:?} {name}: {result}");
        }
    }
}

/// A finalizer that a program adds to a class that was there before shows that objects are not
/// destroyed, which most of the saving comes from.
#[test]
fn copies_end_quickly_if_nothing_waits_for_the_end() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3") && can_be_warm()) else {
        return;
    };
    let source = "import os\nprint(sum(map(int, input().split())))\nos._Environ.__del__ = lambda _, end=os._exit: end(3)\n";
    let request = json!({"id": 1, "problem": problem(), "language": "python3", "source": source});
    let verdict = |args: &[&str]| {
        let (found, _) = grade_logged(&workspace, std::slice::from_ref(&request), args);
        found[0]["verdict"].clone()
    };
    assert_eq!(verdict(&["--no-cache"]), "RTE");
    assert_eq!(verdict(&["--no-cache", "--warm-python"]), "AC");
}

#[test]
fn one_interpreter_runs_many_programs() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let source = |number: usize| format!("print(sum(map(int, input().split())) + {number} * 0)\n");
    let requests: Vec<Value> = (0..12)
        .map(|number| {
            json!({"id": number, "problem": problem(), "language": "python3", "source": source(number)})
        })
        .collect();
    let args = ["--warm-python", "--no-cache", "--jobs", "1"];
    let (found, runs) = grade_logged(&workspace, &requests, &args);
    assert!(
        found.iter().all(|result| result["verdict"] == "AC"),
        "{found:?}"
    );
    if can_be_warm() {
        // One for the programs and one for checks of their syntax, which an earlier test may have
        // made. Three runs measure a start.
        assert!((1..=2).contains(&runs.starts), "{runs:?}");
        assert!(runs.warm >= 12 * 5 + 3, "{runs:?}");
    }
}

#[test]
fn times_do_not_depend_on_other_programs() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let source = |text: &str| format!("{text}\nprint(sum(map(int, input().split())))\n");
    let request = |id: &str, text: &str| json!({"id": id, "problem": problem(), "language": "python3", "details": true, "source": source(text)});
    // Programs that are quick in one way of running only, or whose objects take time to remove.
    let requests = [
        request("heavy", "x = [[i] for i in range(300000)]"),
        request(
            "modules",
            "import sys, time\nwhile 'decimal' not in sys.modules and time.process_time() < 0.2: pass",
        ),
        request("plain", ""),
    ];
    let times = |args: &[&str]| -> Vec<f64> {
        let (found, _) = grade_logged(&workspace, &requests, args);
        let plain = &found[2];
        assert_eq!(plain["verdict"], "AC", "{plain}");
        let test_cases = plain["test_cases"].as_array().unwrap();
        let mut times: Vec<f64> = test_cases
            .iter()
            .map(|each| each["time"].as_f64().unwrap())
            .collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let (ordinary, warm) = (
        times(&["--no-cache"]),
        times(&["--no-cache", "--warm-python"]),
    );
    // The fastest of five; a busy host makes single runs several times slower.
    assert!(
        warm[0] > ordinary[0] / 3.0 && warm[0] < ordinary[0] * 3.0,
        "{ordinary:?} {warm:?}"
    );
}

#[test]
fn warm_runs_are_opt_in_and_not_cached() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    workspace.write("mine/right.py", "print(sum(map(int, input().split())))\n");
    for number in 1..=5 {
        let file = format!("problems/sum/data/secret/more{number}");
        workspace.write(&format!("{file}.in"), format!("{number} 2\n"));
        workspace.write(&format!("{file}.ans"), format!("{}\n", number + 2));
    }
    let request = [json!({"id": 1, "problem": "sum", "path": "mine/right.py"})];
    let (found, runs) = grade_logged(&workspace, &request, &["--warm-python"]);
    assert_eq!(
        (&found[0]["verdict"], &found[0]["cached"]),
        (&json!("AC"), &json!(false))
    );
    if can_be_warm() {
        assert!(runs.warm > 0);
        // Nothing had an ordinary run, whose result is cached.
        let (again, runs) = grade_logged(&workspace, &request, &["--warm-python"]);
        assert_eq!(again[0]["cached"], json!(false));
        assert!(runs.warm > 0);
    }
    let (found, runs) = grade_logged(&workspace, &request, &[]);
    assert_eq!((&found[0]["cached"], runs.warm), (&json!(false), 0));
    let (found, runs) = grade_logged(&workspace, &request, &["--warm-python"]);
    assert_eq!(
        (&found[0]["cached"], runs.warm),
        (&json!(true), 0),
        "results of ordinary runs are used"
    );
}
