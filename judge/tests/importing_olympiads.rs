//! Tasks of olympiads (TPS, CMS and task-maker, sinol), of Library Checker and of FPS: their
//! subtasks, checkers, generators and tags, tested by judging the imported problems.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::workspace::Workspace;

/// Twice its number.
const TWICE: &str = "n = int(input())\nprint(2 * n)\n";
/// The same for numbers below ten only.
const SMALL: &str = "n = int(input())\nprint(2 * n if n < 10 else 0)\n";
/// Nearly twice its number.
const NEAR: &str = "n = int(input())\nprint(2 * n + 1)\n";
const GENERATOR: &str = "import sys\nprint(sys.argv[1])\n";

pub(crate) fn imported(workspace: &Workspace, source: &str, name: &str) -> Value {
    let report = workspace
        .judge(["import", source, "--name", name, "--report=json"])
        .exits(0);
    serde_json::from_str(&report.stdout).unwrap()
}

/// Generates missing data, and returns the verdict and the score of every submission, which are as
/// expected.
pub(crate) fn results_of(workspace: &Workspace, name: &str) -> Vec<String> {
    workspace
        .judge(["generate", &format!("problems/{name}")])
        .exits(0);
    let state = workspace
        .judge(["run", name, "--time-limit", "10", "--report=json"])
        .state();
    let submissions = &state.problems[0].submissions;
    let lines = submissions.iter().map(|submission| {
        let finished = submission.finished.as_ref().unwrap();
        let score = finished
            .score
            .map_or_else(|| "-".to_owned(), |score| score.to_string());
        let mark = if finished.as_expected {
            "as expected"
        } else {
            "NOT as expected"
        };
        format!(
            "{} {} {score} {mark}",
            submission.started.submission,
            finished.verdict.code()
        )
    });
    lines.collect()
}

pub(crate) fn says(document: &Value, code: &str, words: &str) -> bool {
    let remarks = document["remarks"].as_array().unwrap();
    remarks
        .iter()
        .any(|remark| remark["code"] == code && remark["text"].as_str().unwrap().contains(words))
}

pub(crate) fn text(workspace: &Workspace, file: &str) -> String {
    fs::read_to_string(workspace.path(&format!("problems/{file}"))).unwrap()
}

#[test]
fn tps_subtasks_have_generated_tests_shares_and_verdicts() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("t/problem.json", "{\n\t\"name\": \"twice\", \"title\": \"Twice\", \"type\": \"Batch\",\n\t\"time_limit\": 1.5, \"memory_limit\": 256\n}\n");
    workspace.write(
        "t/subtasks.json",
        r#"{"global_validators": ["validator.py"], "subtasks": {
            "samples": {"index": 0, "score": 0, "validators": []},
            "small": {"index": 1, "score": 30, "validators": ["only-small.py"]},
            "full": {"index": 2, "score": 70, "validators": []}}}"#,
    );
    workspace.write(
        "t/gen/data",
        "# tests\n@subtask samples\nmanual 1.in\n@subtask small\ngen 5\n@subtask full\n@include small\ngen\t50\n",
    );
    workspace.write("t/gen/manual/1.in", "1\n");
    workspace.write("t/gen/gen.py", GENERATOR);
    workspace.write(
        "t/validator/validator.py",
        "import sys\nsys.exit(0 if int(sys.stdin.read()) > 0 else 1)\n",
    );
    workspace.write("t/validator/only-small.py", "pass\n");
    // `checker INPUT ANSWER OUTPUT` prints a share: half for an answer that is one too large.
    workspace.write(
        "t/checker/checker.cpp",
        "#include <cstdio>\nint main(int, char **v) { long a = 0, b = 0; FILE *f = fopen(v[2], \"r\"), *g = fopen(v[3], \"r\");\n\
         if (fscanf(f, \"%ld\", &a) != 1) return 1;\nif (fscanf(g, \"%ld\", &b) != 1) b = -1;\n\
         printf(\"%g\\n\", a == b ? 1.0 : b == a + 1 ? 0.5 : 0.0); fprintf(stderr, \"well\"); }\n",
    );
    for (name, source) in [("twice.py", TWICE), ("small.py", SMALL), ("near.py", NEAR)] {
        workspace.write(&format!("t/solution/{name}"), source);
    }
    workspace.write(
        "t/solutions.json",
        r#"{"twice.py": {"verdict": "model_solution"}, "near.py": {"verdict": "partially_correct"},
            "small.py": {"verdict": "correct", "except": {"full": "incorrect"}}}"#,
    );
    workspace.write("t/statement/index.md", "Print twice the number.\n");
    let document = imported(&workspace, "t", "tps");
    assert_eq!(
        (&document["format"], &document["confidence"]),
        (&Value::from("tps"), &Value::from("certain"))
    );
    assert!(
        says(&document, "JI309", "`only-small.py`") || says(&document, "JI309", "only-small.py"),
        "{document}"
    );
    assert_eq!(
        results_of(&workspace, "tps"),
        [
            "accepted/twice.py AC 100 as expected",
            "mixed/near.py AC 50 as expected",
            "mixed/small.py WA 30 as expected",
        ]
    );
    assert_eq!(text(&workspace, "tps/data/secret/02_full/02.in"), "50\n");
    workspace.write("t/gen/data", "gen 1\n");
    workspace
        .judge(["import", "t", "--name", "x"])
        .exits(3)
        .stderr_has(&["gen/data:1", "expected `@subtask NAME`"]);
}

#[test]
fn subtask_validators_are_reported_in_one_remark() {
    let workspace = Workspace::new();
    workspace.write(
        "t/problem.json",
        r#"{"name": "twice", "type": "Batch", "time_limit": 1.5, "memory_limit": 256}"#,
    );
    workspace.write(
        "t/subtasks.json",
        r#"{"subtasks": {"samples": {"index": 0, "score": 0, "validators": ["a.py x", "b.cpp"]},
            "small": {"index": 1, "score": 100, "validators": ["a.py y"]}}}"#,
    );
    workspace.write(
        "t/gen/data",
        "@subtask samples\nmanual 1.in\n@subtask small\nmanual 1.in\n",
    );
    workspace.write("t/gen/manual/1.in", "1\n");
    let document = imported(&workspace, "t", "tps");
    let remarks = document["remarks"].as_array().unwrap();
    let lost: Vec<&str> = remarks
        .iter()
        .filter(|remark| remark["code"] == "JI309")
        .map(|remark| remark["text"].as_str().unwrap())
        .collect();
    let expected = "validators of single subtasks, since validators of packages check all data: `validator/a.py` of `samples`, \
                    `small`; `validator/b.cpp` of `samples`";
    assert_eq!(lost, [expected]);
}

#[test]
fn tps_inputs_include_header_and_footer() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "t/problem.json",
        r#"{"name": "twice", "type": "Batch", "time_limit": 1.5, "memory_limit": 256}"#,
    );
    workspace.write(
        "t/subtasks.json",
        r#"{"subtasks": {"samples": {"index": 0, "score": 0}, "small": {"index": 1, "score": 30}, "full": {"index": 2, "score": 70}}}"#,
    );
    workspace.write(
        "t/gen/data",
        "@subtask samples\nmanual 1.in\n@subtask small\ngen 5\n@subtask full\nshell 50\nnative 60\n",
    );
    workspace.write("t/gen/manual/1.in", "1\r\n");
    workspace.write("t/gen/input.header", "begin\n");
    workspace.write("t/gen/input.footer", "end\n");
    workspace.write("t/gen/gen.py", GENERATOR);
    workspace.write("t/gen/shell.sh", "echo \"$1\"\n");
    workspace.write(
        "t/gen/native.cpp",
        "#include <cstdio>\nint main(int, char **v) { puts(v[1]); }\n",
    );
    workspace.write(
        "t/solution/twice.py",
        "begin, n, end = input(), int(input()), input()\nprint(2 * n)\n",
    );
    workspace.write(
        "t/solutions.json",
        r#"{"twice.py": {"verdict": "model_solution"}}"#,
    );
    let document = imported(&workspace, "t", "tps");
    assert!(
        says(
            &document,
            "JI204",
            "the lines of `gen/input.header`, `gen/input.footer` are added to every input"
        ),
        "{document}"
    );
    assert_eq!(
        results_of(&workspace, "tps"),
        ["accepted/twice.py AC 100 as expected"]
    );
    let inputs = [
        ("sample/01", "1"),
        ("secret/01_small/01", "5"),
        ("secret/02_full/01", "50"),
        ("secret/02_full/02", "60"),
    ];
    for (case, number) in inputs {
        assert_eq!(
            text(&workspace, &format!("tps/data/{case}.in")),
            format!("begin\n{number}\nend\n"),
            "{case}"
        );
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one package with everything")]
fn cms_subtasks_and_task_maker_comments_are_imported() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("c/task.yaml", "name: twice\ntitle: Doppio\nprimary_language: it\ntime_limit: 1\nmemory_limit: 64\ninfile: \"\"\noutfile: \"\"\n");
    workspace.write(
        "c/gen/GEN",
        "#ST: 40\n#STNAME: large\n#STDEP: sm*\n50 # a large one\n# a remark\n\n#ST: 60\n#STNAME: small\n#COPY: gen/hand.txt\n7\n",
    );
    workspace.write("c/gen/hand.txt", "3\n");
    workspace.write(
        "c/gen/generator.py",
        "from limits import MOST\nimport sys\nprint(min(MOST, int(sys.argv[1])))\n",
    );
    workspace.write("c/gen/limits.py", "MOST = 50\n");
    workspace.write(
        "c/gen/validator.py",
        "import sys\n# The subtasks by their numbers in the listing.\nassert int(open(sys.argv[1]).read()) <= {1: 50, 2: 7}[int(sys.argv[2])]\n",
    );
    workspace.write("c/sol/solution.py", TWICE);
    workspace.write(
        "c/sol/small.py",
        format!("# @check-accepted: sm*\n# @check-wrong-answer: large\n{SMALL}"),
    );
    workspace.write("c/sol/other.py", NEAR);
    workspace.write(
        "c/sol/wrong.py",
        format!("# @check-wrong-answer: sm*  large\n{NEAR}"),
    );
    let document = imported(&workspace, "c", "cms");
    assert!(
        says(
            &document,
            "JI211",
            "`mixed/other.py`: its expectation is unknown"
        ),
        "{document}"
    );
    assert!(!says(&document, "JI303", "infile"));
    // Required groups come first.
    assert!(
        text(&workspace, "cms/data/secret/02_large/test_group.yaml")
            .contains("require_pass:\n- secret/01_small\n")
    );
    assert_eq!(
        results_of(&workspace, "cms"),
        [
            "accepted/solution.py AC 100 as expected",
            "mixed/other.py WA 0 as expected",
            "mixed/small.py WA 60 as expected",
            "mixed/wrong.py WA 0 as expected"
        ]
    );
    assert!(
        says(
            &document,
            "JI211",
            "`mixed/wrong.py` on `secret/02_large`: the group does not run"
        ),
        "{document}"
    );
    assert_eq!(text(&workspace, "cms/data/secret/01_small/01.in"), "3\n");
    assert!(text(&workspace, "cms/problem.yaml").contains("it: Doppio"));
    // The description from which task-maker generates the other one has no files unless it names
    // some.
    fs::rename(
        workspace.path("c/task.yaml"),
        workspace.path("c/task.yaml.orig"),
    )
    .unwrap();
    workspace.write(
        "c/task.yaml.orig",
        "title: Doppio\ntime_limit: 1\nmemory_limit: 64\n",
    );
    let document = imported(&workspace, "c", "original");
    assert!(!says(&document, "JI203", "file"), "{document}");
    assert!(!workspace.path("original/.files.yaml").exists());
    // Submitted answers read and write no files.
    workspace.write(
        "o/task.yaml",
        "name: o\noutput_only: true\nmemory_limit: 1\n",
    );
    workspace.write("o/input/input0.txt", "1\n");
    workspace.write("o/output/output0.txt", "2\n");
    let document = imported(&workspace, "o", "answers");
    assert!(
        says(&document, "JI203", "memory: 4 MiB instead of 1"),
        "{document}"
    );
    assert!(!workspace.path("answers/.files.yaml").exists());
    workspace
        .judge(["list", "-v", "answers"])
        .exits(0)
        .stdout_has(&["secret/"]);
    // Without a listing, points are shared by the files in the folders.
    let plain = "name: plain\ninfile: in.txt\noutfile: \"\"\nscore_type: GroupMin\nscore_type_parameters: [[30, 1], [70, 2]]\n";
    workspace.write("d/task.yaml", plain);
    for number in 0..3 {
        workspace.write(
            &format!("d/input/input{number}.txt"),
            format!("{}\n", number * 20),
        );
        workspace.write(
            &format!("d/output/output{number}.txt"),
            format!("{}\n", number * 40),
        );
    }
    let document = imported(&workspace, "d", "folders");
    assert!(
        says(&document, "JI203", "the input file `in.txt`"),
        "{document}"
    );
    assert_eq!(text(&workspace, "folders/.files.yaml"), "input: in.txt\n");
    assert!(text(&workspace, "folders/data/secret/02/test_group.yaml").contains("max_score: 70"));
    assert_eq!(text(&workspace, "folders/data/secret/02/02.ans"), "80\n");
}

#[test]
fn sinol_expected_scores_and_partial_points_are_imported() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "s/config.yml",
        "title: Twice\nsinol_task_id: tw\nmemory_limit: 65536\ntime_limit: 500\nscores: {1: 20, 2: 30, 3: 50}\n\
         subtask_dependencies: {3: [2]}\nsinol_expected_scores:\n  tw.py:\n    expected: {1: {points: 20, status: OK}, \
         2: {points: 30, status: OK}, 3: {points: 50, status: OK}}\n  tws1.py:\n    expected: {1: {points: 20, status: OK}, \
         2: {points: 0, status: WA}, 3: {points: 0, status: WA}}\n  near.py:\n    expected: {1: {points: 10, status: OK}, \
         2: {points: 15, status: OK}, 3: {points: 25, status: OK}}\n",
    );
    for (test, number) in [
        ("tw0", 1),
        ("tw1a", 2),
        ("tw1b", 3),
        ("tw2a", 40),
        ("tw3a", 50),
        ("tw2ocen", 9),
    ] {
        workspace.write(&format!("s/in/{test}.in"), format!("{number}\n"));
    }
    workspace.write("s/prog/tw.py", TWICE);
    workspace.write("s/prog/tws1.py", SMALL);
    workspace.write("s/prog/near.py", NEAR);
    // `checker INPUT OUTPUT ANSWER` prints `OK`, a remark and a percentage.
    workspace.write(
        "s/prog/twchk.py",
        "import sys\nout, answer = (int(open(name).read()) for name in sys.argv[2:4])\n\
         print('OK' if out in (answer, answer + 1) else 'WRONG')\nif out == answer + 1:\n    print('near')\n    print(50)\n",
    );
    workspace.write(
        "s/prog/twinwer.cpp",
        "#include <cstdio>\nint main() { int n; return scanf(\"%d\", &n) == 1 ? 0 : 1; }\n",
    );
    let document = imported(&workspace, "s", "sinol");
    assert!(
        says(&document, "JI306", "`secret/03` requires `secret/02`"),
        "{document}"
    );
    assert_eq!(
        results_of(&workspace, "sinol"),
        [
            "accepted/tw.py AC 100 as expected",
            "mixed/near.py AC 50 as expected",
            "mixed/tws1.py WA 20 as expected"
        ]
    );
    let problem = text(&workspace, "sinol/problem.yaml");
    assert!(
        problem.contains("time_limit: 0.5\n  time_resolution: 0.1\n  memory: 64\n"),
        "{problem}"
    );
    assert_eq!(
        fs::read_dir(workspace.path("problems/sinol/data/sample"))
            .unwrap()
            .count(),
        4
    );
}

#[test]
fn library_checker_problems_find_shared_headers() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write(
        "lib/common/random.h",
        "#pragma once\ninline int drawn(int seed) { return seed * 7 + 1; }\n",
    );
    let problem = "lib/sample/twice";
    workspace.write(
        &format!("{problem}/info.toml"),
        "title = 'Twice'\ntimelimit = 2.0\n[[tests]]\nname = 'example.in'\nnumber = 1\n[[tests]]\nname = 'random.cpp'\nnumber = 2\n\
         [[solutions]]\nname = 'wrong.cpp'\nexpect = 'WA'\n[[solutions]]\nname = 'func.cpp'\nfunction = true\n[params]\nMOST = 1_000\n",
    );
    workspace.write(&format!("{problem}/gen/example_00.in"), "4\n");
    workspace.write(
        &format!("{problem}/gen/random.cpp"),
        "#include <cstdio>\n#include <cstdlib>\n#include \"random.h\"\n#include \"base.hpp\"\n\
         int main(int, char **v) { printf(\"%lld\\n\", MOST - drawn(atoi(v[1]))); }\n",
    );
    // A header next to the generator includes files above it, too.
    workspace.write(
        &format!("{problem}/gen/base.hpp"),
        "#pragma once\n#include \"../params.h\"\n",
    );
    let reads = "#include <cstdio>\n#include \"params.h\"\nint main() { long long n; if (scanf(\"%lld\", &n) != 1 || n > MOST) return 1;\n";
    workspace.write(
        &format!("{problem}/verifier.cpp"),
        format!("{reads}return 0; }}\n"),
    );
    workspace.write(
        &format!("{problem}/sol/correct.cpp"),
        format!("{reads}printf(\"%lld\\n\", 2 * n); }}\n"),
    );
    workspace.write(
        &format!("{problem}/sol/wrong.cpp"),
        format!("{reads}printf(\"%lld\\n\", 3 * n); }}\n"),
    );
    workspace.write(&format!("{problem}/sol/func.cpp"), "int f();\n");
    workspace.write(
        &format!("{problem}/task.md"),
        "## @{keyword.statement}\n@{lang.en}\nPrint twice $N$, at most @{param.MOST}.\n@{lang.end}\n",
    );
    let document = imported(&workspace, problem, "checker");
    assert!(
        says(
            &document,
            "JI311",
            "`sol/func.cpp` is compiled with its own grader"
        ),
        "{document}"
    );
    assert_eq!(
        results_of(&workspace, "checker"),
        [
            "accepted/correct.cpp AC - as expected",
            "wrong_answer/wrong.cpp WA - as expected"
        ]
    );
    assert_eq!(text(&workspace, "checker/data/secret/02.in"), "992\n");
    assert!(text(&workspace, "checker/problem.yaml").contains("output: 256"));
    assert_eq!(
        text(&workspace, "checker/statement/problem.en.md"),
        "Print twice $N$, at most 1000.\n"
    );
    // Links among the shared headers lead nowhere.
    fs::remove_file(workspace.path("lib/common/random.h")).unwrap();
    symlink("/etc/passwd", workspace.path("lib/common/random.h")).unwrap();
    imported(&workspace, problem, "linked");
    assert!(
        !workspace
            .path("problems/linked/generators/random.h")
            .exists()
    );
}

#[test]
fn fps_problems_are_single_items_with_embedded_programs() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let item = "<item><title><![CDATA[Twice]]></title><time_limit unit=\"ms\">2500</time_limit>\
        <memory_limit unit=\"kb\">65536</memory_limit><description><![CDATA[<p>Print twice the number.</p>]]></description>\
        <sample_input><![CDATA[1\r\n]]></sample_input><sample_output><![CDATA[2]]></sample_output>\
        <test_input name=\"a\"><![CDATA[20]]></test_input><test_output name=\"a\"><![CDATA[40]]></test_output>\
        <solution language=\"Python\"><![CDATA[n = int(input())\nprint(2 * n)\n]]></solution>\
        <solution language=\"Brainfuck\">+</solution><spj language=\"C\">int main;</spj></item>";
    let whole = |items: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fps version=\"1.2\"><generator name=\"x\"/>{items}</fps>\n"
        )
    };
    workspace.write("twice.xml", whole(item));
    let document = imported(&workspace, "twice.xml", "fps");
    assert_eq!(document["format"], "fps");
    assert!(
        says(&document, "JI307", "`spj`") && says(&document, "JI311", "`Brainfuck`"),
        "{document}"
    );
    let state = workspace
        .judge(["run", "fps", "--report=json"])
        .exits(0)
        .state();
    assert_eq!(
        state.problems[0].submissions[0]
            .finished
            .as_ref()
            .unwrap()
            .verdict
            .code(),
        "AC"
    );
    assert_eq!(
        (
            text(&workspace, "fps/data/sample/01.in"),
            text(&workspace, "fps/data/secret/01.ans")
        ),
        ("1\n".into(), "40\n".into())
    );
    assert!(text(&workspace, "fps/problem.yaml").contains("time_limit: 2.5\n"));
    workspace.write("two.xml", whole(&item.repeat(2)));
    workspace
        .judge(["import", "two.xml"])
        .exits(3)
        .stderr_has(&["expected one problem (`item`), found 2"]);
    // Entities that multiply end with an error.
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">\
        <!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\"><!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;\">]>";
    workspace.write(
        "bomb.xml",
        format!("{bomb}\n<fps><item><title>&f;&f;&f;&f;&f;&f;</title></item></fps>\n"),
    );
    workspace
        .judge(["import", "bomb.xml", "--from", "fps"])
        .exits(3)
        .stderr_has(&["bomb.xml:1: expected a document type that declares nothing"]);
}
