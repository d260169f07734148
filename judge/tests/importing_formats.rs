//! One small problem in every format that is imported, from `testdata/foreign`; layouts of folders;
//! and the features that only Polygon has. Verdicts and scores are those of the format, and nothing
//! is dropped silently.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::archives::pack;
use crate::workspace::{CommandOutput, Workspace, has};

/// Correct only for small numbers, which are worth 30 of 100 points.
const SMALL: &str = "a, b = map(int, input().split())\nprint(a + b if a < 100 else 0)\n";
const SUM: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

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

fn document(report: &CommandOutput) -> Value {
    serde_json::from_str(&report.stdout).unwrap()
}

/// True when the report has a remark with this code and these words.
fn says(document: &Value, code: &str, words: &str) -> bool {
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

/// A package of Polygon with these attributes and elements, and two tests of 10 points, each in its
/// own group.
fn polygon(workspace: &Workspace, judging: &str, tests: &str, assets: &str) -> Value {
    let _ = fs::remove_dir_all(workspace.path("p"));
    workspace.write(
        "p/problem.xml",
        format!(
            "<problem short-name=\"made\"><judging {judging}><testset name=\"tests\"><time-limit>1000</time-limit>\
             <memory-limit>268435456</memory-limit><input-path-pattern>tests/%02d</input-path-pattern>\
             <answer-path-pattern>tests/%02d.a</answer-path-pattern>{tests}</testset></judging>\
             <files><executables><executable><source path=\"files/gen.py\" type=\"python.3\"/></executable></executables></files>\
             <assets>{assets}</assets></problem>"
        ),
    );
    for number in ["01", "02"] {
        workspace.write(&format!("p/tests/{number}"), "1 2\n");
        workspace.write(&format!("p/tests/{number}.a"), "3\n");
    }
    for program in [
        "files/gen.py",
        "files/check.py",
        "files/interact.py",
        "solutions/sum.py",
    ] {
        workspace.write(&format!("p/{program}"), SUM);
    }
    let _ = fs::remove_dir_all(workspace.path("problems/made"));
    document(
        &workspace
            .judge(["import", "p", "--name", "made", "--report=json"])
            .exits(0),
    )
}

#[test]
fn wrong_library_checker_solutions_are_not_imported_as_accepted() {
    let workspace = Workspace::new();
    workspace.write(
        "sum/info.toml",
        "title = 'Sum'\ntimelimit = 1.0\nchecker = 'judge.cpp'\n[[tests]]\nname = 'example.in'\nnumber = 1\n\
         [[solutions]]\nname = 'bad.cpp'\nwrong = true\n[[solutions]]\nname = 'both.cpp'\nwrong = true\nallow_tle = true\n",
    );
    workspace.write("sum/gen/example_00.in", "1\n");
    for file in [
        "sol/correct.cpp",
        "sol/bad.cpp",
        "sol/both.cpp",
        "judge.cpp",
    ] {
        workspace.write(&format!("sum/{file}"), "int main() {}\n");
    }
    workspace.judge(["import", "sum", "--name", "sum"]).exits(0);
    for file in [
        "submissions/rejected/bad.cpp",
        "submissions/rejected/both.cpp",
        "output_validator/judge.cpp",
    ] {
        assert!(
            workspace.path(&format!("problems/sum/{file}")).is_file(),
            "{file}"
        );
    }
}

/// Polygon's manual tests, line endings, generators of several files, points of the checker and
/// statements, in one package.
#[test]
fn verdict_affecting_polygon_parts_are_imported() {
    let workspace = Workspace::new();
    let test = "<test method='manual' points='0'/>";
    let tests = format!(
        "<test method='manual' sample='true' points='0'/>{test}<test cmd='gen 5' from-file='3' points='0'/>"
    );
    let assets = "<checker><source path='files/check.cpp'/><testset><input-path-pattern>trial/%02d</input-path-pattern>\
                  <output-path-pattern>trial/%02d.o</output-path-pattern><answer-path-pattern>trial/%02d.a\
                  </answer-path-pattern><tests><test verdict='ok'/></tests></testset></checker>\
                  <solutions><solution tag='main'><source path='solutions/sum.py'/></solution></solutions>";
    workspace.write(
        "p/problem.xml",
        format!(
            "<problem short-name='made'><statements><statement language='english' path='statements/english/problem.tex' \
             type='application/x-tex'/></statements><judging><testset name='tests'><time-limit>1000</time-limit>\
             <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
             <tests>{tests}</tests></testset></judging><files><executables><executable><source path='files/gen.py'/>\
             </executable></executables></files><assets>{assets}</assets></problem>"
        ),
    );
    for (file, text) in [
        ("tests/01", "1 2\r\n"),
        ("tests/02", "3 4\r\n"),
        ("trial/01", "1 2\r\n"),
        ("trial/01.o", "3\r\n"),
        ("trial/01.a", "3\r\n"),
        (
            "files/check.cpp",
            "#include \"testlib.h\"\nint main() { quitp(10, \"\"); }\n",
        ),
        ("files/testlib.h", "\n"),
        ("files/gen.py", SUM),
        ("solutions/sum.py", SUM),
        (
            "statements/english/problem.tex",
            "\\begin{problem}{Sum}{stdin}{stdout}{1 s}{1 MB}\nAdd.\n\\InputFile\nTwo.\n\\end{problem}\n",
        ),
        ("statements/english/a.png", "png"),
    ] {
        workspace.write(&format!("p/{file}"), text);
    }
    let document = document(
        &workspace
            .judge(["import", "p", "--name", "made", "--report=json"])
            .exits(0),
    );
    let text =
        |file: &str| fs::read_to_string(workspace.path(&format!("problems/made/{file}"))).unwrap();
    // The points are those of the checker, also for samples.
    assert!(text("problem.yaml").contains("- scoring"));
    assert_eq!(
        text("data/secret/test_group.yaml"),
        "max_score: unbounded\nscore_aggregation: sum\n"
    );
    assert!(
        says(&document, "JI206", "the checker gives the points"),
        "{document}"
    );
    // Line ends are the same as in the tests.
    for file in [
        "data/secret/01.in",
        "data/secret/02.in",
        "data/valid_output/01.in",
        "data/valid_output/01.out",
    ] {
        assert!(!text(file).contains('\r'), "{file}");
    }
    // Missing answers and inputs are generated.
    assert!(
        says(
            &document,
            "JI205",
            "no answer in the package: `judge generate` creates them"
        ),
        "{document}"
    );
    let rules = text("generators/generators.yaml");
    assert!(
        rules.contains("solution: /submissions/accepted/sum.py") && rules.contains("gen_files 3 5"),
        "{rules}"
    );
    assert!(text("generators/gen_files/run").contains("gen.py"));
    let statement = text("statement/problem.en.tex");
    assert_eq!(
        statement,
        "\\problemname{Sum}\n\nAdd.\n\\section*{Input}\nTwo.\n"
    );
    assert_eq!(text("statement/a.png"), "png");
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

/// Every feature that only Polygon has is in the package or in the report.
#[test]
#[expect(clippy::too_many_lines, reason = "one package with everything")]
fn every_polygon_part_is_mapped_or_reported() {
    let workspace = Workspace::new();
    let text =
        |file: &str| fs::read_to_string(workspace.path(&format!("problems/made/{file}"))).unwrap();
    let tests = |one: &str, groups: &str| {
        format!(
            "<tests><test method=\"manual\" points=\"10\" group=\"a\" {one}/><test method=\"manual\" points=\"20\" group=\"b\"/></tests>{groups}"
        )
    };
    let plain = tests("", "");
    let solution = |inner: &str| {
        format!(
            "<solutions><solution tag=\"rejected\"><source path=\"solutions/sum.py\" type=\"python.3\"/>{inner}</solution></solutions>"
        )
    };
    let extra = "<extra-tags><extra-tag group=\"a\" tag=\"accepted\"/><extra-tag group=\"b\" tag=\"time-limit-exceeded\"/>\
                 <extra-tag testset=\"tests\" tag=\"accepted\"/><extra-tag group=\"b2\" tag=\"failed\"/></extra-tags>";
    let report = polygon(&workspace, "", &plain, &solution(extra));
    let rules = text("submissions/submissions.yaml");
    assert!(
        rules.contains("secret/01_a:\n    permitted:\n    - AC\n")
            && rules.contains("required:\n    - TLE"),
        "{rules}"
    );
    assert!(
        says(&report, "JI311", "on the set of tests `tests`")
            && says(&report, "JI311", "`failed` on group `b2`"),
        "{report}"
    );

    let each = "<groups><group name=\"a\" points-policy=\"each-test\"/><group name=\"b\" points-policy=\"complete-group\" points=\"30\"/></groups>";
    polygon(&workspace, "", &tests("", each), "");
    assert!(
        text("data/secret/01_a/test_group.yaml").contains("max_score: 10\nscore_aggregation: sum")
    );
    assert!(
        text("data/secret/02_b/test_group.yaml")
            .contains("max_score: 30\nscore_aggregation: pass-fail")
    );

    let checker =
        "<checker type=\"testlib\"><source path=\"files/check.py\" type=\"python.3\"/></checker>";
    let report = polygon(
        &workspace,
        "treat-points-from-checker-as-percent=\"true\"",
        &plain,
        checker,
    );
    assert!(
        says(
            &report,
            "JI306",
            "points of the checker are percentages in Polygon"
        ),
        "{report}"
    );

    let report = polygon(&workspace, "run-count=\"2\"", &plain, checker);
    assert!(
        text("problem.yaml").contains("- multi-pass")
            && text("problem.yaml").contains("validation_passes: 2")
    );
    assert!(
        says(&report, "JI201", "each test is run 2 times"),
        "{report}"
    );

    let report = polygon(
        &workspace,
        "",
        &tests("from-file=\"1\" cmd=\"gen 5\"", ""),
        "",
    );
    assert!(
        says(
            &report,
            "JI210",
            "the commands of `01`, which write several files"
        ),
        "{report}"
    );
    let made = workspace.path("problems/made/generators/generators.yaml");
    assert!(
        !made.exists(),
        "what a generator writes into files is copied as it is"
    );

    let both = format!(
        "{checker}<interactor><source path=\"files/interact.py\" type=\"python.3\"/></interactor>"
    );
    let report = polygon(&workspace, "", &plain, &both);
    assert!(
        says(&report, "JI208", "and then the checker on its output"),
        "{report}"
    );
    assert!(
        says(&report, "JI306", "points that the checker gives"),
        "{report}"
    );
    let script = text("output_validator/run");
    assert!(
        script.contains("interact.py") && script.contains("check.py"),
        "{script}"
    );

    let report = polygon(
        &workspace,
        "",
        &plain,
        "<scorer><source path=\"files/gen.py\" type=\"python.3\"/></scorer>",
    );
    assert!(says(&report, "JI306", "the scorer"), "{report}");
    workspace.write(
        "p/problem.xml",
        "<problem><judging run-count=\"4000000000\"/></problem>",
    );
    let report = workspace.judge(["import", "p", "--name", "y"]).exits(3);
    report.stderr_has(&[
        "problem.xml: expected `run-count` to be a whole number from 1 to 100, found `4000000000`",
    ]);
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
