//! Imports lose nothing that affects verdicts silently: it is in the package, or the report lists
//! it as lost. Each test has the layout of a real package of the format.

use std::fs;
use std::io::Write;
use std::process::Command;

use serde_json::Value;

use crate::importing_olympiads::{imported, results_of, says, text};
use crate::workspace::Workspace;

/// Twice its number.
const TWICE: &str = "n = int(input())\nprint(2 * n)\n";
/// The same in C, with a header of the problem.
const TWICE_IN_C: &str = "#include <stdio.h>\n#include \"twice.h\"\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", TWICE(n)); }\n";
const HEADER: &str = "#define TWICE(n) (2 * (n))\n";

fn has_file(workspace: &Workspace, file: &str) -> bool {
    workspace.path(&format!("problems/{file}")).is_file()
}

/// Packs a directory as tar and gzip do.
fn tar(workspace: &Workspace, archive: &str, around: &str, directory: &str) {
    let packed = Command::new("tar")
        .args(["--create", "--gzip", "--file"])
        .arg(workspace.path(archive))
        .arg("--directory")
        .arg(workspace.path(around))
        .arg(directory)
        .status();
    assert!(packed.unwrap().success());
}

#[test]
fn task_maker_test_cases_follow_cases_gen() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "c/task.yaml",
        "name: twice\ntime_limit: 5\nmemory_limit: 64\ninfile: \"\"\noutfile: \"\"\n",
    );
    workspace.write(
        "c/gen/cases.gen",
        ": GEN default gen/generator.py N\n:GEN minus gen/minus.py\n: VAL default gen/validator.py\n: CONSTRAINT 0 <= $N\n\n\
         # a comment\n: SUBTASK 0 the examples\n: COPY gen/hand.txt\n: SUBTASK 40 small\n5 # five\n: SUBTASK 60 large\n\
         : STDEP small\n: GEN minus\n: CONSTRAINT $N <= 100\n50\n: RUN default '60'\n",
    );
    workspace.write("c/gen/hand.txt", "3\n");
    workspace.write("c/gen/generator.py", "import sys\nprint(sys.argv[1])\n");
    workspace.write("c/gen/minus.py", "import sys\nprint(-int(sys.argv[1]))\n");
    // Subtasks are counted from 0 here.
    workspace.write(
        "c/gen/validator.py",
        "import sys\nassert abs(int(open(sys.argv[1]).read())) <= [3, 5, 60][int(sys.argv[2])]\n",
    );
    workspace.write("c/sol/solution.py", TWICE);
    let document = imported(&workspace, "c", "cms");
    assert!(
        says(&document, "JI310", "2 constraints on generator arguments"),
        "{document}"
    );
    assert_eq!(
        results_of(&workspace, "cms"),
        ["accepted/solution.py AC 100 as expected"]
    );
    for (case, number) in [
        ("01_theexamples/01", 3),
        ("02_small/01", 5),
        ("03_large/01", -50),
        ("03_large/02", 60),
    ] {
        assert_eq!(
            text(&workspace, &format!("cms/data/secret/{case}.in")),
            format!("{number}\n"),
            "{case}"
        );
    }
    let group = text(&workspace, "cms/data/secret/03_large/test_group.yaml");
    assert!(
        group.contains("require_pass:\n- secret/02_small\n") && group.contains("- '2'\n"),
        "{group}"
    );
    workspace
        .judge(["check", "cms", "--data"])
        .stdout_lacks(&["JP802"]);
    workspace.write("problems/cms/data/secret/02_small/01.in", "6\n");
    workspace
        .judge(["check", "cms", "--data"])
        .exits(3)
        .stdout_has(&["JP802", "secret/02_small/01"]);
    // A missing file is an error with its line.
    workspace.write("c/gen/cases.gen", ": SUBTASK 100\n: RUN other 5\n");
    workspace
        .judge(["import", "c", "--name", "x"])
        .exits(3)
        .stderr_has(&["gen/cases.gen:2", "`other`"]);
}

#[test]
fn dmoj_archive_names_are_complete_and_links_are_listed() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "d/init.yml",
        "archive: data.zip\nsymlinks: {words.txt: words.txt}\nwall_time_factor: 9\nnew_key: 1\ntest_cases:\n\
         - {in: tests/1.in, out: tests/1.out, points: 1, output_prefix_length: 5}\n",
    );
    let mut writer = zip::ZipWriter::new(fs::File::create(workspace.path("d/data.zip")).unwrap());
    for (name, text) in [("tests/1.in", "4\n"), ("tests/1.out", "8\n")] {
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let document = imported(&workspace, "d", "whole");
    assert_eq!(text(&workspace, "whole/data/secret/01.in"), "4\n");
    for key in ["`symlinks`", "`wall_time_factor`", "`new_key`"] {
        assert!(document.to_string().contains(key), "{key}: {document}");
    }
    assert!(says(&document, "JI315", "`symlinks`"), "{document}");
}

/// A task of SIO2 in the directory `tw`, as in its documentation: no file names the task.
fn write_sinol(workspace: &Workspace) {
    workspace.write(
        "s/tw/config.yml",
        "title: Twice\ntime_limits: {1: 500}\nextra_compilation_files: [twice.h]\nextra_compilation_args: {c: [-DX]}\n",
    );
    for (test, number) in [
        ("tw0", 1),
        ("tw1ocen", 2),
        ("tw1a", 3),
        ("tw2a1", 4),
        ("tw2a2", 5),
        ("tw2b", 6),
    ] {
        workspace.write(&format!("s/tw/in/{test}.in"), format!("{number}\n"));
        workspace.write(&format!("s/tw/out/{test}.out"), format!("{}\n", 2 * number));
    }
    workspace.write("s/tw/prog/tw.c", TWICE_IN_C);
    workspace.write("s/tw/prog/twice.h", HEADER);
    workspace.write("s/tw/prog/tw2_other.py", TWICE);
    workspace.write("s/tw/prog/tws1.py", format!("while True: pass\n{TWICE}"));
    workspace.write("s/tw/prog/twb1.py", "print(3)\n");
}

#[test]
fn sio2_packages_are_recognized_by_file_names() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_sinol(&workspace);
    tar(&workspace, "package-1.tgz", "s", "tw");
    let document = imported(&workspace, "package-1.tgz", "tw");
    assert_eq!(
        (&document["format"], &document["confidence"]),
        (&Value::from("sinol"), &Value::from("certain"))
    );
    let inputs = |directory: &str| {
        let files = fs::read_dir(workspace.path(&format!("problems/tw/data/{directory}"))).unwrap();
        files
            .filter(|file| {
                file.as_ref()
                    .unwrap()
                    .path()
                    .extension()
                    .is_some_and(|extension| extension == "in")
            })
            .count()
    };
    assert_eq!(["sample", "secret/01", "secret/02"].map(inputs), [2, 1, 3]);
    assert!(text(&workspace, "tw/data/secret/02/test_group.yaml").contains("max_score: 50"));
    for file in [
        "accepted/tw.c",
        "accepted/tw2_other.py",
        "time_limit_exceeded/tws1.py",
        "wrong_answer/twb1.py",
    ] {
        assert!(
            has_file(&workspace, &format!("tw/submissions/{file}")),
            "{file}: {document}"
        );
    }
    // Group 2 states no limit, so it has SIO2's default.
    assert!(text(&workspace, "tw/problem.yaml").contains("time_limit: 10.0\n  memory: 65\n"));
    assert!(says(&document, "JI203", "10 s"), "{document}");
    assert!(says(&document, "JI313", "`-DX`"), "{document}");
    assert!(
        document
            .to_string()
            .contains("no statement in PDF (`doc/twzad.pdf`)"),
        "{document}"
    );
    assert!(
        document["evidence"]
            .as_str()
            .unwrap()
            .contains("inputs in `in/` and programs in `prog/`"),
        "{document}"
    );
    assert!(
        has_file(&workspace, "tw/include/c/twice.h")
            && has_file(&workspace, "tw/include/cpp/twice.h")
    );
    let state = workspace
        .judge(["run", "tw", "--time-limit", "0.25", "--report=json"])
        .exits(0)
        .state();
    assert_eq!(state.problems[0].submissions.len(), 4);
    // A package is judged directly, too: without a description, and under any name of its
    // directory.
    workspace.remove("s/tw/config.yml");
    fs::rename(workspace.path("s/tw"), workspace.path("s/renamed")).unwrap();
    tar(&workspace, "package-2.tar.gz", "s", "renamed");
    workspace
        .judge(["run", "package-2.tar.gz", "--time-limit", "0.25"])
        .exits(0)
        .stdout_has(&["tws1.py"]);
}

#[test]
fn packages_in_tar_archives_are_judged_directly() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.sum("sum");
    workspace.write(
        "problems/sum/submissions/accepted/sum.c",
        crate::workspace::SUM,
    );
    tar(&workspace, "sum.tar.gz", "problems", "sum");
    workspace.remove("problems/sum/problem.yaml");
    workspace
        .judge(["run", "sum.tar.gz"])
        .exits(0)
        .stdout_has(&["sum  The Problem sum", "accepted/sum.c"]);
}

fn write_tps(workspace: &Workspace, more: &str) {
    let description = format!(
        r#"{{"name": "twice", "type": "Batch", "time_limit": 5.0, "memory_limit": 256{more}}}"#
    );
    workspace.write("t/problem.json", description);
    workspace.write(
        "t/subtasks.json",
        r#"{"global_validators": ["whole.py --strict"], "subtask_sensitive_validators": ["sub.py --group {subtask}"],
            "subtasks": {"small": {"index": 1, "score": 40}, "large": {"index": 2, "score": 60}}}"#,
    );
    workspace.write(
        "t/gen/data",
        "@subtask small\nmanual 1.in\n@subtask large\n@include small\nmanual 2.in\n",
    );
    workspace.write("t/gen/manual/1.in", "1\n");
    workspace.write("t/gen/manual/2.in", "20\n");
    workspace.write(
        "t/validator/whole.py",
        "import sys\nassert sys.argv[1:] == ['--strict'] and int(sys.stdin.read()) > 0\n",
    );
    workspace.write(
        "t/validator/sub.py",
        "import sys\nassert sys.argv[1] == '--group'\nassert int(sys.stdin.read()) <= {'small': 1, 'large': 20}[sys.argv[2]]\n",
    );
    workspace.write(
        "t/solution/twice.py",
        "n = int(input())\nprint(n, 'Ab')\nprint(2 * n)\n",
    );
    workspace.write(
        "t/solution/blanks.py",
        "n = int(input())\nprint('%d   Ab ' % n)\nprint(2 * n, end='')\n",
    );
    workspace.write(
        "t/solution/lines.py",
        "n = int(input())\nprint(n, 'Ab', 2 * n)\n",
    );
    workspace.write(
        "t/solution/letters.py",
        "n = int(input())\nprint(n, 'ab')\nprint(2 * n)\n",
    );
    workspace.write(
        "t/solutions.json",
        r#"{"twice.py": {"verdict": "model_solution"}, "blanks.py": {"verdict": "correct"}, "lines.py": {"verdict": "incorrect"},
            "letters.py": {"verdict": "incorrect"}}"#,
    );
}

#[test]
fn tps_outputs_are_compared_like_diff_and_subtasks_validated() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_tps(&workspace, r#", "has_checker": false"#);
    // A checker that is not used.
    workspace.write("t/checker/checker.cpp", "int main() { return 3; }\n");
    imported(&workspace, "t", "tps");
    assert_eq!(
        results_of(&workspace, "tps"),
        [
            "accepted/blanks.py AC 100 as expected",
            "accepted/twice.py AC 100 as expected",
            "mixed/letters.py WA 0 as expected",
            "mixed/lines.py WA 0 as expected",
        ]
    );
    workspace
        .judge(["check", "tps", "--data"])
        .stdout_lacks(&["JP802"]);
    workspace.write("problems/tps/data/secret/01_small/01.in", "20\n");
    workspace
        .judge(["check", "tps", "--data"])
        .exits(3)
        .stdout_has(&["JP802", "secret/01_small/01"]);
    // A missing checker is reported as lost.
    workspace.remove("t/checker/checker.cpp");
    write_tps(&workspace, "");
    let document = imported(&workspace, "t", "without");
    assert!(
        says(&document, "JI307", "`checker/checker.cpp` is missing"),
        "{document}"
    );
}

#[test]
fn old_domjudge_packages_keep_the_time_limit() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "o/domjudge-problem.ini",
        "name='Twice as Much'\ntimelimit = 2.5\nspecial_compare=cmp\ncolor=red\n",
    );
    for (case, number) in [("sample/1", 1), ("secret/1", 10), ("secret/2", 20)] {
        workspace.write(&format!("o/data/{case}.in"), format!("{number}\n"));
        workspace.write(&format!("o/data/{case}.ans"), format!("{}\n", 2 * number));
    }
    workspace.write("o/problem.pdf", "%PDF");
    workspace.write("o/submissions/accepted/twice.py", TWICE);
    workspace.write("o/submissions/wrong_answer/three.py", "print(3)\n");
    workspace.write(
        "o/submissions/mixed/some.py",
        "# @EXPECTED_RESULTS@: CORRECT, RUN-ERROR\nprint(2 * int(input()))\n",
    );
    workspace
        .judge(["run", "o"])
        .exits(0)
        .stdout_has(&["accepted/twice.py", "wrong_answer/three.py"]);
    let document = imported(&workspace, "o", "old");
    assert_eq!(
        (&document["format"], &document["confidence"]),
        (&Value::from("domjudge"), &Value::from("certain"))
    );
    assert!(
        says(&document, "JI307", "`special_compare`") && !says(&document, "JI302", ""),
        "{document}"
    );
    let problem = text(&workspace, "old/problem.yaml");
    assert!(
        problem.contains("Twice as Much") && problem.contains("time_limit: 2.5\n"),
        "{problem}"
    );
    let rules = text(&workspace, "old/submissions/submissions.yaml");
    assert!(
        rules.contains("mixed/some.py:\n  permitted:\n  - AC\n  - RTE\n"),
        "{rules}"
    );
    assert!(
        has_file(&workspace, "old/statement/problem.en.pdf")
            && has_file(&workspace, "old/data/secret/02.ans")
    );
    // Without a limit, DOMjudge uses 10 s.
    workspace.write("o/domjudge-problem.ini", "name=x\n");
    imported(&workspace, "o", "without");
    assert!(text(&workspace, "without/problem.yaml").contains("time_limit: 10.0\n"));
}

#[test]
fn mislabelled_solutions_are_reported_with_a_reason() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    write_sinol(&workspace);
    workspace.write("s/tw/prog/tw2_other.py", "print(4)\n");
    workspace.remove("s/tw/prog/tws1.py");
    workspace.write("s/tw/doc/twzad.pdf", "%PDF-1.4\n");
    let proved = workspace.judge(["import", "s", "--prove"]).exits(1);
    proved
        .stdout_has(&["accepted/tw2_other.py", "WA"])
        .stderr_has(&["the import could not be verified"]);
}
