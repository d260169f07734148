//! `judge mutate` of programs that are hard to read: macros, byte order marks, and line ends. Their
//! mutants do not leave the sandbox.

use crate::mutate_languages::{LARGER_CPP, document, workspace};
use crate::workspace::Workspace;

const MACROS: &str = include_str!("../crates/mutation/src/mutants/places/hostile/macros.cpp");
const OLD: &str = include_str!("../crates/mutation/src/mutants/places/hostile/old.c");

/// A program that is hard to read, with one input and its output.
fn hard(language: &str, file: &str, source: &str, answer: &str) -> Option<Workspace> {
    let workspace = workspace(language, file, source)?;
    for case in [
        "sample/1.in",
        "sample/1.ans",
        "secret/01.in",
        "secret/01.ans",
    ] {
        workspace.remove(&format!("problems/larger/data/{case}"));
    }
    workspace.case("larger", "secret/01", "5 3 9 12 1 9\n", answer);
    Some(workspace)
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn hard_to_read_programs_are_mutated_together() {
    let programs = [
        ("cpp", "macros.cpp", MACROS, "3 -2 1\n3 4 3 8192\n"),
        ("c", "old.c", OLD, "1 0 0 3 0 \n40 432 2\n"),
    ];
    for (language, file, source, answer) in programs {
        let Some(workspace) = hard(language, file, source, answer) else {
            continue;
        };
        let output = document(
            &workspace
                .judge(["mutate", "larger", "--sample", "8", "--report=json"])
                .exits(0),
        );
        assert_eq!(output.mutants.len(), 8);
        assert!(output.method.together >= 5, "{file}: {:?}", output.method);
        assert!(
            output.score.does_not_compile <= 3,
            "{file}: {:?}",
            output.score
        );
        assert!(
            output.score.totals.killed >= 1,
            "{file}: {:?}",
            output.score
        );
        let interval = output.score.interval.expect("a sample has one");
        let score = output.score.totals.percent();
        assert!(
            interval.low < score && score <= interval.high,
            "{interval:?} {score}"
        );
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn byte_order_marks_and_line_ends_are_not_part_of_a_program() {
    let text = format!("\u{feff}{}", LARGER_CPP.replace('\n', "\r\n"));
    let Some(workspace) = workspace("cpp", "compare.cpp", &text) else {
        return;
    };
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert!(
        output.method.together > 4 * output.method.apart,
        "{:?}",
        output.method
    );
    assert!(output.score.totals.killed > 5, "{:?}", output.score);
    let latin = [b"// Gr\xfc\xdfe\n", LARGER_CPP.as_bytes()].concat();
    workspace.write("solutions/larger/accepted/compare.cpp", latin);
    let in_comment = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!(in_comment.score.totals, output.score.totals);
    let in_text = [
        b"const char *text = \"Gr\xfc\xdfe\";\n",
        LARGER_CPP.as_bytes(),
    ]
    .concat();
    workspace.write("solutions/larger/accepted/compare.cpp", in_text);
    workspace
        .judge(["mutate", "larger"])
        .stderr_has(&["but for its comments, found something else in line 1"]);
}

#[test]
fn mutant_files_do_not_leave_the_sandbox() {
    let source = "#include <cstdio>\n\nint main() {\n    long long a, b;\n    std::scanf(\"%lld %lld\", &a, &b);\n    \
        if (a == b) {\n        std::fopen(\"@FILE@\", \"w\");\n    }\n    if (a < b) {\n        a = b;\n    }\n    \
        std::printf(\"%lld\\n\", a);\n}\n";
    let Some(workspace) = workspace("cpp", "compare.cpp", "") else {
        return;
    };
    let escaped = workspace.path("escaped");
    workspace.write(
        "solutions/larger/accepted/compare.cpp",
        source.replace("@FILE@", &escaped.display().to_string()),
    );
    let output = document(
        &workspace
            .judge(["mutate", "larger", "--full", "--report=json"])
            .exits(0),
    );
    assert!(
        output
            .mutants
            .iter()
            .any(|mutant| mutant.was == "a == b" && mutant.becomes == "true"),
        "{output:?}"
    );
    assert!(!escaped.exists());
}
