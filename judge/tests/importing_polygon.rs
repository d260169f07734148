//! Packages of Polygon: every feature that only Polygon has is mapped or reported.

use std::fs;

use serde_json::Value;

use crate::importing_formats::{SUM, document, says};
use crate::workspace::Workspace;

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
