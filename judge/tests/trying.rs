//! `judge try`: a program on any input, on examples of other judges, and with an interactor.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/packages");

/// Runs a command with these bytes on standard input.
fn run_with_input(workspace: &Workspace, args: &[&str], input: &[u8]) -> CommandOutput {
    let mut command = workspace.command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    CommandOutput::from_child(child)
}

#[test]
fn the_output_is_unchanged_and_usage_is_reported() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("sum.c", SUM);
    let output = run_with_input(&workspace, &["try", "sum.c"], b"20 22\n").exits(0);
    assert_eq!(output.stdout, "42\n");
    output.stderr_has(&["exited normally", "of 10 s", "MiB", "3 bytes of output"]);
    workspace.write("in.txt", "1 1\n");
    assert_eq!(
        workspace
            .judge(["try", "sum.c", "--input", "in.txt"])
            .exits(0)
            .stdout,
        "2\n"
    );
    workspace
        .judge(["try", "sum.c", "--input", "absent.txt"])
        .exits(2)
        .stderr_has(&["no such file: `absent.txt`", "-p PROBLEM"]);
    // Control characters are printed unchanged without a terminal.
    workspace.write("red.c", "#include <stdio.h>\nint main(void) { fputs(\"\\033[31m\", stdout); fputs(\"\\033[31mno\\n\", stderr); return 3; }\n");
    let output = workspace.judge(["try", "red.c"]).exits(1);
    assert_eq!(output.stdout, "\u{1b}[31m");
    output.stderr_has(&["standard error", "no", "RTE: exit code 3"]);
    assert!(!output.stderr.contains('\u{1b}'), "{output:?}");
    workspace.write("broken.c", "int main(void) { return undeclared; }\n");
    let output = workspace.judge(["try", "broken.c"]).exits(1);
    output.stderr_has(&["CE: it does not compile", "undeclared"]);
    workspace.write(
        "spin.c",
        "int main(void) { for (volatile int i = 0;; i = i + 1) {} }\n",
    );
    let output = workspace
        .judge(["try", "spin.c", "--time-limit", "0.2"])
        .exits(1);
    output.stderr_has(&["TLE: killed for its CPU time", "of 0.2 s"]);
}

#[test]
fn program_messages_name_the_original_files() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    workspace.write("own/mine.rs", "fn main() {\n    panic!(\"here\");\n}\n");
    let output = workspace.judge(["try", "own/mine.rs"]).exits(1);
    output.stderr_has(&["own/mine.rs:2:5", "RTE: exit code 101"]);
    assert!(!output.stderr.contains("/program"), "{output:?}");
}

#[test]
fn a_problem_gives_limits_and_test_cases() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("mine.c", SUM_PLUS_ONE);
    let output = run_with_input(&workspace, &["try", "mine.c", "-p", "sum"], b"1 1\n").exits(0);
    assert_eq!(output.stdout, "3\n", "the output is not judged");
    output.stderr_has(&["of 4 s", "of 256 MiB"]);
    for word in ["secret/01", "sum/secret/01", "data/secret/01.in"] {
        let output = workspace
            .judge(["try", "mine.c", "-p", "sum", "--input", word])
            .exits(0);
        assert_eq!(output.stdout, "6\n", "{word}");
    }
    workspace
        .judge(["try", "mine.c", "-p", "sum", "-i", "secret"])
        .exits(2)
        .stderr_has(&["names 2 test cases; expected one"]);
    workspace
        .judge(["try", "mine.c", "-p", "sum", "-i", "secret/9"])
        .exits(5)
        .stderr_has(&["`secret/9` names no test case"]);
    workspace
        .judge(["try", "mine.c", "-p", "smu"])
        .exits(5)
        .stderr_has(&["did you mean `sum`?"]);
}

#[test]
fn a_problem_without_test_data_accepts_examples() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("mine.c", SUM_PLUS_ONE);
    fs::remove_file(workspace.path("problems/sum/data/secret/01.ans")).unwrap();
    let output = run_with_input(&workspace, &["try", "mine.c", "-p", "sum"], b"1 1\n").exits(0);
    assert_eq!(output.stdout, "3\n");
    workspace
        .judge(["try", "mine.c", "-p", "sum", "-i", "secret/01"])
        .exits(3)
        .stderr_has(&["has no `.ans` file"]);
    fs::remove_dir_all(workspace.path("problems/sum/data")).unwrap();
    run_with_input(&workspace, &["try", "mine.c", "-p", "sum"], b"1 1\n")
        .exits(0)
        .stderr_has(&["of 256 MiB"]);
}

#[test]
fn an_input_may_come_through_a_pipe() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("sum.c", SUM);
    let pipe = workspace.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let writer = std::thread::spawn(move || fs::write(pipe, "3 4\n"));
    assert_eq!(
        workspace
            .judge(["try", "sum.c", "--input", "pipe"])
            .exits(0)
            .stdout,
        "7\n"
    );
    writer.join().unwrap().unwrap();
}

#[test]
fn examples_of_other_judges_are_compared() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("sum.c", SUM);
    for (file, text) in [
        ("1.in", "1 2\n"),
        ("1.out", "3\n"),
        ("10.in", "5 5\n"),
        ("10.ans", "10\n"),
        ("2.in", "0 0\n"),
    ] {
        workspace.write(&format!("examples/{file}"), text);
    }
    let output = workspace
        .judge(["try", "sum.c", "--input", "examples"])
        .exits(0);
    output
        .stdout_has(&["examples: accepted on 2 test cases", "AC", "1", "AC", "10"])
        .stderr_has(&["`2.in` is left out"]);
    workspace.write("examples/2.out", "1\n");
    let output = workspace
        .judge(["try", "sum.c", "--input", "examples"])
        .exits(1);
    output.stdout_has(&[
        "examples: wrong answer on 2",
        "AC",
        "WA",
        "AC",
        "- expected  1",
        "+ found     0",
    ]);
    output.stdout_has(&["input: examples/2.in:"]);
    workspace.write("examples/2.ans", "1\n");
    let output = workspace
        .judge(["try", "sum.c", "--input", "examples"])
        .exits(2);
    output.stderr_has(&["are both the output of example `2`", "hint: "]);
    let companion = "{\"name\": \"A. Sum\", \"timeLimit\": 3000, \"memoryLimit\": 64, \"interactive\": false, \
                     \"tests\": [{\"input\": \"1 2\\n\", \"output\": \"3\\n\"}, {\"input\": \"4 4\\n\", \"output\": \"8\\n\"}]}";
    workspace.write("problem.json", companion);
    let output = workspace
        .judge(["try", "sum.c", "--input", "problem.json"])
        .exits(0);
    output.stdout_has(&["A. Sum: accepted on 2 test cases", "of 3 s", "of 64 MiB"]);
    // Impossible and missing limits are reported. An example in an export has no file to name.
    let odd = "{\"name\": \"B\", \"timeLimit\": 0, \"tests\": [{\"input\": \"1 2\\n\", \"output\": \"4\\n\"}]}";
    workspace.write("odd.json", odd);
    let output = workspace
        .judge(["try", "sum.c", "--input", "odd.json"])
        .exits(1);
    output.stderr_has(&[
        "`odd.json`: `memoryLimit` is missing",
        "default limit is used",
    ]);
    output
        .stderr_has(&["`odd.json`: `timeLimit` is 0, which is not a valid limit"])
        .stdout_has(&["of 5 s", "of 2048 MiB", "  input:"]);
    workspace.write("talk.interaction", "<3 4\n>7\n");
    workspace
        .judge(["try", "sum.c", "--input", "talk.interaction"])
        .exits(0)
        .stdout_has(&["accepted on 1 test case"]);
    // A file that is not an export is used as an input, with a note.
    workspace.write("cut.json", &companion[..40]);
    let output = workspace.judge(["try", "sum.c", "--input", "cut.json"]);
    output.stderr_has(&[
        "note: `cut.json` is not a Competitive Companion file with `tests`: it is used as the input itself",
    ]);
    // A folder around examples has them, too.
    for (file, text) in [
        ("sample/1.in", "1 1\n"),
        ("sample/1.out", "2\n"),
        ("other/x", ""),
    ] {
        workspace.write(&format!("data/{file}"), text);
    }
    workspace
        .judge(["try", "sum.c", "--input", "data"])
        .exits(0)
        .stdout_has(&["accepted on 1 test case"]);
    // Files in place of standard input and output.
    let files = SUM.replace(
        "int a, b;",
        "int a, b; freopen(\"s.in\", \"r\", stdin); freopen(\"s.out\", \"w\", stdout);",
    );
    workspace.write("files.c", files);
    let named = "\"input\": {\"type\": \"file\", \"fileName\": \"s.in\"}, \
                 \"output\": {\"type\": \"file\", \"fileName\": \"s.out\"}, \"tests\"";
    workspace.write("files.json", companion.replace("\"tests\"", named));
    workspace
        .judge(["try", "files.c", "--input", "files.json"])
        .exits(0)
        .stdout_has(&["A. Sum: accepted on 2 test cases"]);
    workspace
        .judge(["try", "files.c", "--input", "problem.json"])
        .exits(1);
    // With a package, its output validator judges within its limits.
    workspace.sum("sum");
    let output = workspace
        .judge(["try", "sum.c", "-p", "sum", "--input", "problem.json"])
        .exits(0);
    output.stdout_has(&["sum: accepted on 2 test cases", "of 4 s"]);
}

#[test]
fn programs_communicate_with_the_interactor() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = format!("{TESTDATA}/readinteractive");
    let mut files = fs::read_dir(format!("{package}/submissions/accepted")).unwrap();
    let right = files.next().unwrap().unwrap().path().display().to_string();
    let output = workspace
        .judge(["try", &right, "-p", &package, "--input", "secret/01"])
        .exits(0);
    output
        .stdout_has(&["conversation (>", "> 50", "< "])
        .stderr_has(&["AC: the interactor accepts"]);
    workspace.write("silent.py", "input()\n");
    let output = workspace
        .judge(["try", "silent.py", "-p", &package, "--input", "secret/01"])
        .exits(1);
    output.stderr_has(&[
        "TLE: both sides waited for each other; neither side had sent anything; is the output flushed?",
    ]);
    let output = workspace
        .judge([
            "try",
            "silent.py",
            "-p",
            &package,
            "--input",
            &format!("{package}/data/secret"),
        ])
        .exits(2);
    output.stderr_has(&["is interactive: examples cannot be compared", "hint: "]);
    // An interactor that fails on an input says why.
    workspace.write("input.txt", "one\n");
    let output = workspace
        .judge(["try", &right, "-p", &package, "--input", "input.txt"])
        .exits(3);
    output.stderr_has(&[
        "standard error of the interactor:",
        "ValueError: invalid literal",
        "JE: the output validator returned exit code 1",
    ]);
    // A recorded conversation is replayed without the interactor, within the limits of the problem.
    workspace.write("1.interaction", ">50\n<less\n>25\n<equal\n");
    workspace.write("two.py", "print(50)\ninput()\nprint(25)\n");
    let output = workspace
        .judge(["try", "two.py", "-p", &package, "--input", "1.interaction"])
        .exits(0);
    output.stdout_has(&["accepted on 1 test case"]);
    workspace
        .judge([
            "try",
            "silent.py",
            "-p",
            &package,
            "--input",
            "1.interaction",
        ])
        .exits(1)
        .stdout_has(&["WA"]);
}

#[test]
fn users_can_communicate_with_the_interactor() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = format!("{TESTDATA}/readinteractive");
    for level in [&[][..], &["--isolation", "none"]] {
        let by_hand = [&["try", "--by-hand", "-p", &package], level].concat();
        let output = run_with_input(&workspace, &by_hand, b"50\n25\n37\n").exits(0);
        assert_eq!(output.stdout, "less\nmore\nequal\n");
        output.stderr_has(&["you are talking to the interactor on `secret/01`", "AC"]);
    }
    // A user who closes the input loses.
    let output = run_with_input(
        &workspace,
        &["try", "--by-hand", "-p", &package, "--input", "secret/01"],
        b"50\n",
    );
    assert!(
        output.code != Some(0) && output.stdout == "less\n",
        "{output:?}"
    );
    workspace.sum("sum");
    workspace
        .judge(["try", "--by-hand", "-p", "sum"])
        .exits(2)
        .stderr_has(&["`sum` is not interactive"]);
    workspace.judge(["try"]).exits(2).stderr_has(&["FILE"]);
}

/// A folder of another user must not expose files outside of it.
#[test]
fn links_in_a_folder_of_examples_are_refused() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("own.c", SUM);
    workspace.write("secret.txt", "1 2\n");
    for (link, other) in [("1.in", "1.out"), ("1.out", "1.in")] {
        let folder = format!("of-{link}");
        workspace.write(&format!("{folder}/{other}"), "3\n");
        std::os::unix::fs::symlink(
            workspace.path("secret.txt"),
            workspace.path(&format!("{folder}/{link}")),
        )
        .unwrap();
        let output = workspace
            .judge(["try", "own.c", "--input", &folder])
            .exits(2);
        output.stderr_has(&[
            link,
            "expected a file, found a link",
            "replace it with the file",
        ]);
    }
}

#[test]
fn examples_are_found_by_the_names_of_many_judges() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("sum.c", SUM);
    for files in [
        [("in/a01.txt", "out/a01.txt"), ("in/b01.txt", "out/b01.txt")],
        [("kol.in.1", "kol.out.1"), ("kol.in.2", "kol.out.2")],
        [
            ("TEST1/bai.inp", "TEST1/bai.out"),
            ("TEST2/bai.inp", "TEST2/bai.out"),
        ],
        [("1.in", "1.expected"), ("2.in", "2.dat")],
    ] {
        let _ = fs::remove_dir_all(workspace.path("examples"));
        for (input, output) in files {
            workspace.write(&format!("examples/{input}"), "1 2\n");
            workspace.write(&format!("examples/{output}"), "3\n");
        }
        let output = workspace
            .judge(["try", "sum.c", "--input", "examples"])
            .exits(0);
        output.stdout_has(&["accepted on 2 test cases"]);
        let name = files[0]
            .0
            .replace(|c: char| !c.is_ascii_alphanumeric(), "")
            .to_lowercase();
        let import = [
            "import", "examples", "--from", "plain", "--name", &name, "--into", "imported",
        ];
        workspace.judge(import).exits(0);
        assert_eq!(
            workspace
                .files(&format!("imported/{name}/data/secret"))
                .len(),
            4,
            "{files:?}"
        );
    }
    // Archives of judges, and files of extensions for browsers and editors.
    let packed = workspace.path("samples.zip");
    let zip = Command::new("python3")
        .args([
            "-c",
            "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z: \
        z.writestr('1.in', '1 2\\n'); z.writestr('1.ans', '3\\n')",
        ])
        .arg(&packed)
        .status();
    assert!(zip.unwrap().success());
    workspace
        .judge(["try", "sum.c", "--input", "samples.zip"])
        .exits(0)
        .stdout_has(&["accepted on 1 test case"]);
    let json = "{\"name\":\"A\",\"timeLimit\":1000,\"memoryLimit\":256,\"tests\":[{\"input\":\"1 2\\n\",\"output\":\"3\\n\"}]}";
    workspace.write("a.prob", format!("\u{feff}{json}"));
    workspace
        .judge(["try", "sum.c", "--input", "a.prob"])
        .exits(0)
        .stdout_has(&["accepted on 1 test case"]);
    workspace
        .judge(["import", "a.prob", "--name", "sum", "--into", "imported"])
        .exits(0);
    assert_eq!(workspace.files("imported/sum/data/sample").len(), 2);
    // The letter case of an extension and further directories do not matter.
    fs::rename(&packed, workspace.path("S.ZIP")).unwrap();
    workspace.write("deep/contest/a/in/1", "1 2\n");
    workspace.write("deep/contest/a/out/1", "3\n");
    workspace.write("wrong.c", "int main(void) { puts(\"9\"); }\n");
    for examples in ["S.ZIP", "a.prob", "deep"] {
        workspace
            .judge(["try", "sum.c", "--input", examples])
            .exits(0)
            .stdout_has(&["accepted on 1 test case"]);
        let compared = [
            "compare", "sum.c", "wrong.c", "--input", examples, "--budget", "0.1",
        ];
        workspace.judge(compared).exits(1).stdout_has(&[
            &format!("    {examples}/"),
            "1: wrong answer",
            "- expected  3",
            "+ found     9",
        ]);
    }
    workspace.write("broken.zip", "PK");
    let broken = workspace
        .judge(["try", "sum.c", "--input", "broken.zip"])
        .exits(2);
    assert_eq!(broken.stderr.matches("broken.zip").count(), 1, "{broken:?}");
}

#[test]
fn examples_after_a_timeout_are_skipped() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "spin.c",
        "int main(void) { for (volatile int i = 0;; i++) {} }\n",
    );
    for number in 1..=4 {
        workspace.write(&format!("examples/{number}.in"), "1\n");
        workspace.write(&format!("examples/{number}.out"), "1\n");
    }
    let args = [
        "try",
        "spin.c",
        "--input",
        "examples",
        "--time-limit",
        "0.3",
    ];
    let output = workspace.judge(args).exits(1);
    output
        .stdout_has(&["time limit exceeded on 1"])
        .stdout_lacks(&["run again", "TLE   0.3"]);
    assert!(output.stdout.matches("TLE").count() <= 3, "{output:?}");
}

#[test]
fn results_on_examples_are_never_cached() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "time.c",
        "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; \
        clock_gettime(CLOCK_REALTIME, &t); printf(\"%ld\\n\", t.tv_sec * 1000000000 + t.tv_nsec); }\n",
    );
    workspace.write("examples/1.in", "1\n");
    workspace.write("examples/1.out", "1\n");
    let output = || {
        let args = ["try", "time.c", "--input", "examples"];
        CommandOutput::from_command(&mut workspace.command_keeping(args))
            .exits(1)
            .stdout
    };
    assert_ne!(output(), output());
}
