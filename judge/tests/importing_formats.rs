//! One small problem in every format that is imported, from `testdata/foreign`, and layouts of
//! folders. Verdicts and scores are those of the format, and nothing is dropped silently.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::archives::pack;
use crate::workspace::{CommandOutput, Workspace, has};

/// Correct only for small numbers, which are worth 30 of 100 points.
const SMALL: &str = "a, b = map(int, input().split())\nprint(a + b if a < 100 else 0)\n";
pub(crate) const SUM: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

/// A workspace with a copy of a package of `testdata/foreign`.
fn with_format(format: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp") && has("python3"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/foreign")
        .join(format);
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(
            &format!("{format}/{}", path.strip_prefix(&from).unwrap().display()),
            bytes,
        );
    }
    Some(workspace)
}

pub(crate) fn document(report: &CommandOutput) -> Value {
    serde_json::from_str(&report.stdout).unwrap()
}

/// True when the report has a remark with this code and these words.
pub(crate) fn says(document: &Value, code: &str, words: &str) -> bool {
    let remarks = document["remarks"].as_array().unwrap();
    remarks
        .iter()
        .any(|remark| remark["code"] == code && remark["text"].as_str().unwrap().contains(words))
}

/// Imports the package of a format, proves it with `is_proved`, and returns the verdicts and scores
/// of a correct and of a wrong program.
fn judged_programs(format: &str, is_proved: bool) -> Option<[String; 2]> {
    let workspace = with_format(format)?;
    let before = workspace.files(format);
    let document = document(
        &workspace
            .judge(["import", format, "--name", "sum", "--report=json"])
            .exits(0),
    );
    assert_eq!(
        (&document["format"], &document["could_be"]),
        (&Value::from(format), &Value::Null),
        "{document}"
    );
    assert_eq!(before, workspace.files(format), "the source is only read");
    let files = document["files"].as_array().unwrap().iter();
    if files
        .clone()
        .any(|file| file == "generators/generators.yaml")
    {
        workspace.judge(["generate", "sum"]).exits(0);
    }
    if is_proved {
        workspace.judge(["run", "sum"]).exits(0);
    }
    let found = [SUM, SMALL].map(|program| {
        workspace.write("mine/program.py", program);
        let args = [
            "submit",
            "mine/program.py",
            "-p",
            "sum",
            "--no-fail-fast",
            "--time-limit",
            "10",
            "--report=json",
        ];
        let state = workspace.judge(args).state();
        let finished = state.problems[0].submissions[0].finished.clone().unwrap();
        let score = finished
            .score
            .map_or_else(|| "-".to_owned(), |score| score.to_string());
        format!("{} {score}", finished.verdict.code())
    });
    Some(found)
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn subtask_points_are_kept_in_every_format() {
    for (format, is_proved) in [
        ("hydro", true),
        ("syzoj", false),
        ("uoj", true),
        ("dmoj", false),
        ("tps", true),
        ("cms", true),
        ("sinol", true),
    ] {
        let Some(found) = judged_programs(format, is_proved) else {
            return;
        };
        assert_eq!(found, ["AC 100", "WA 30"], "{format}");
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn formats_without_points_accept_and_reject() {
    for (format, is_proved, wrong) in [
        ("fps", true, "WA -"),
        ("library-checker", true, "WA -"),
        ("companion", false, "AC -"),
        ("plain", false, "WA -"),
    ] {
        let Some(found) = judged_programs(format, is_proved) else {
            return;
        };
        assert_eq!(found, ["AC -", wrong], "{format}");
    }
}

/// The same four tests in twelve common naming schemes of inputs and outputs.
const LAYOUTS: [fn(usize) -> (String, String); 12] = [
    |n| (format!("{n}.in"), format!("{n}.out")),
    |n| (format!("{n}.in"), format!("{n}.ans")),
    |n| (format!("{n:02}"), format!("{n:02}.a")),
    |n| (format!("in/{n}"), format!("out/{n}")),
    |n| {
        (
            format!("input/input{n:02}.txt"),
            format!("output/output{n:02}.txt"),
        )
    },
    |n| (format!("I.{n}"), format!("O.{n}")),
    |n| (format!("sum.in{n}"), format!("sum.ou{n}")),
    |n| (format!("sum{n}.in"), format!("sum{n}.sol")),
    |n| (format!("in{n}.txt"), format!("out{n}.txt")),
    |n| (format!("tests/{n}/data.in"), format!("tests/{n}/data.out")),
    |n| (format!("a/{n}.in"), format!("a/{n}.diff")),
    |n| {
        (
            format!("test-{n}-input.txt"),
            format!("test-{n}-answer.txt"),
        )
    },
];

#[test]
fn folder_layouts_give_the_same_tests_in_the_same_order() {
    let workspace = Workspace::new();
    for (index, layout) in LAYOUTS.into_iter().enumerate() {
        let folder = format!("layout{index}");
        // The eleventh comes after the second, unlike in byte order.
        for number in [1, 2, 3, 11] {
            let (input, output) = layout(number);
            workspace.write(&format!("{folder}/{input}"), format!("in {number}\n"));
            workspace.write(&format!("{folder}/{output}"), format!("out {number}\n"));
        }
        workspace.write(&format!("{folder}/stray.docx"), "?");
        let check = |source: &str, name: &str| {
            let document = document(
                &workspace
                    .judge(["import", source, "--name", name, "--report=json"])
                    .exits(0),
            );
            assert_eq!(
                (&document["format"], &document["confidence"]),
                (&Value::from("plain"), &Value::from("guess"))
            );
            let is_reported = says(&document, "JI315", "1 file not imported")
                && says(&document, "JI315", "stray.docx");
            assert!(is_reported, "{document}");
            let data = workspace.files(&format!("problems/{name}/data/secret"));
            let contents: Vec<String> = data
                .values()
                .map(|bytes| String::from_utf8(bytes.clone()).unwrap())
                .collect();
            let pair = |number| [format!("out {number}\n"), format!("in {number}\n")];
            assert_eq!(contents, [1, 2, 3, 11].map(pair).concat(), "{source}");
        };
        check(&folder, &format!("dir{index}"));
        let archive = format!("{folder}.zip");
        // The file replaces the folder.
        pack(&workspace, &folder, &archive);
        check(&archive, &format!("zip{index}"));
    }
    let report = workspace
        .judge(["import", "layout0.zip", "--name", "x", "--dry-run"])
        .exits(0);
    report.stdout_has(&["4 inputs with an output: a guess; `--from` names another format"]);
}

#[test]
fn several_problems_are_never_imported_as_one() {
    let workspace = Workspace::new();
    for problem in ["alpha", "beta"] {
        for part in ["sample/1", "secret/1"] {
            workspace.write(&format!("contest/{problem}/data/{part}.in"), "1\n");
            workspace.write(&format!("contest/{problem}/data/{part}.ans"), "1\n");
        }
    }
    for args in [
        &["import", "contest"][..],
        &["import", "contest", "--from", "plain"],
    ] {
        let refused = workspace.judge(args.iter().copied()).exits(2);
        refused.stderr_has(&[
            "2 problems: `alpha`, `beta`",
            "hint: import each problem separately: `judge import",
        ]);
    }
    pack(&workspace, "contest", "contest.zip");
    workspace
        .judge(["import", "contest.zip"])
        .exits(2)
        .stderr_has(&["2 problems: `alpha`, `beta`", "unpack it"]);
    // A source without anything usable is refused.
    workspace.write("notes/README", "?");
    workspace
        .judge(["import", "notes", "--from", "plain"])
        .exits(2)
        .stderr_has(&["nothing to import"]);
    assert!(!workspace.path("problems/notes").exists());
}

#[test]
fn statements_in_html_become_markdown() {
    let workspace = Workspace::new();
    let item = "<title>T</title><description>&lt;p&gt;Print &lt;b&gt;twice&lt;/b&gt; 10&lt;sup&gt;5&lt;/sup&gt;.&lt;/p&gt;\
                &lt;img src='x.png'&gt;</description><test_input>1</test_input>";
    workspace.write("fps/a.xml", format!("<fps><item>{item}</item></fps>"));
    let document = document(
        &workspace
            .judge(["import", "fps", "--name", "made", "--report=json"])
            .exits(0),
    );
    let page = fs::read_to_string(workspace.path("problems/made/statement/problem.en.md")).unwrap();
    assert_eq!(page.trim(), "Print **twice** 10<sup>5</sup>.");
    assert!(
        says(&document, "JI302", "the pictures of the statement")
            && says(&document, "JI305", "1 input has no output")
    );
    workspace.write(
        "fps/a.xml",
        "<fps><item><title>A</title></item><item><title>B</title></item></fps>",
    );
    workspace
        .judge(["import", "fps", "--name", "x"])
        .exits(3)
        .stderr_has(&["found 2 (`A`, `B`)"]);
}

#[test]
fn name_collisions_are_reported() {
    let workspace = Workspace::new();
    let source = |path: &str| format!("<source path=\"{path}\" type=\"python.3\"/>");
    let assets = format!(
        "<validators><validator>{}</validator><validator>{}</validator></validators>",
        source("files/a/val.py"),
        source("files/b/val.py")
    );
    workspace.write(
        "p/problem.xml",
        format!(
            "<problem short-name=\"made\"><files><attachments><file path=\"files/a/x.txt\"/><file path=\"files/b/x.txt\"/></attachments>\
             <executables><executable>{}</executable><executable>{}</executable></executables></files><judging><testset name=\"tests\"/>\
             </judging><assets>{assets}</assets></problem>",
            source("files/a/gen.py"),
            source("files/b/gen.py")
        ),
    );
    for place in ["a", "b"] {
        for name in ["val.py", "gen.py", "x.txt"] {
            workspace.write(
                &format!("p/files/{place}/{name}"),
                format!("print('{place}')\n"),
            );
        }
    }
    let report = document(&workspace.judge(["import", "p", "--report=json"]).exits(0));
    let text =
        |file: &str| fs::read_to_string(workspace.path(&format!("problems/made/{file}"))).unwrap();
    assert_eq!(
        (text("attachments/x.txt"), text("attachments/x-2.txt")),
        ("print('a')\n".into(), "print('b')\n".into())
    );
    assert_eq!(text("input_validators/val-2/val.py"), "print('b')\n");
    assert_eq!(text("generators/gen.py"), "print('a')\n");
    assert!(
        says(
            &report,
            "JI315",
            "`files/b/gen.py` has the same name as `files/a/gen.py`"
        ),
        "{report}"
    );
}

#[test]
fn sources_of_two_formats_are_reported() {
    let Some(workspace) = with_format("dmoj") else {
        return;
    };
    workspace.write(
        "dmoj/problem.conf",
        "n_tests 4\ninput_pre sum.\ninput_suf in\noutput_pre sum.\noutput_suf out\n",
    );
    let report = workspace.judge(["import", "dmoj", "--dry-run"]).exits(0);
    report.stdout_has(&["`init.yml`: likely, and could be `uoj`; `--from` names another format"]);
    workspace
        .judge(["import", "dmoj", "--dry-run", "--from", "uoj"])
        .exits(0)
        .stdout_has(&["from uoj"]);
}
