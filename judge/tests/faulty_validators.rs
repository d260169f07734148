//! `judge check` of packages whose output validators have mistakes that people make: those in `testdata/faulty/`, each of which
//! says in its first line what is wrong with it.

use std::path::Path;

use judge_event::{Event, Finding};

use crate::workspace::{Workspace, has};

/// A problem of a type with this output validator, which `check` is asked about. The time of validators is short, and so is
/// the longest output.
fn checked(types: &str, validator: &str) -> Option<Vec<Finding>> {
    let workspace = Workspace::isolated()?;
    let language = match validator.rsplit_once('.') {
        Some((_, "py")) => "python3",
        Some((_, "sh")) => "bash",
        _ => "c",
    };
    if !has(language) {
        return None;
    }
    workspace.problem("p", "limits: {time_limit: 1, output: 1, validation_time: 1}\n");
    let yaml = workspace.path("problems/p/problem.yaml");
    let text = std::fs::read_to_string(&yaml).unwrap().replace("type: pass-fail", &format!("type: {types}"));
    std::fs::write(yaml, text).unwrap();
    workspace.case("p", "secret/1", "6\n", "52717\n");
    workspace.write("problems/p/input_validators/validate.ctd", "INT(0, 99) NEWLINE EOF\n");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/faulty").join(validator);
    workspace.write(&format!("problems/p/output_validator/{validator}"), std::fs::read(source).unwrap());
    let run = workspace.events(["check", "p"]);
    let of_validators = run.events.into_iter().filter_map(|event| match event {
        Event::Finding(finding) if finding.code.starts_with("JP9") => Some(finding),
        _ => None,
    });
    Some(of_validators.collect())
}

/// The findings, each with a part of its message; there must be no others.
fn finds(types: &str, validator: &str, expected: &[(&str, &str)]) {
    let Some(found) = checked(types, validator) else { return };
    let codes = |codes: &mut dyn Iterator<Item = String>| codes.collect::<Vec<_>>().join(" ");
    assert_eq!(
        codes(&mut found.iter().map(|finding| finding.code.clone())),
        codes(&mut expected.iter().map(|(code, _)| (*code).to_owned())),
        "{validator}: {found:?}"
    );
    for (finding, (_, part)) in found.iter().zip(expected) {
        assert!(finding.message.contains(part), "{validator}: {}", finding.message);
    }
}

macro_rules! faulty {
    ($($name:ident: $types:literal $validator:literal $(($code:literal $part:literal))+)+) => {$(
        #[test]
        fn $name() {
            finds($types, $validator, &[$(($code, $part)),+]);
        }
    )+};
}

faulty! {
    one_that_ignores_what_follows: "pass-fail" "first_token_only.c" ("JP914" "text after it (`52717\\nhello world\\n`)")
    one_that_compares_bytes: "pass-fail" "compares_bytes.sh" ("JP915" "no newline at the end (`52717`)")
    one_that_looks_for_the_answer: "pass-fail" "answer_anywhere.sh" ("JP914" "text before it")
    one_that_takes_nan_for_close: "pass-fail" "nan_is_close.py" ("JP914" "`nan` in place of its first number (`nan\\n`)")
    one_whose_numbers_wrap: "pass-fail" "wraps_at_32_bits.c" ("JP914" "2^32 added to its first number (`4295020013\\n`)")
    one_that_reads_a_prefix: "pass-fail" "reads_a_prefix.c" ("JP914" "a letter behind its last number (`52717x\\n`)")
    one_that_reads_text: "pass-fail" "reads_text.py" ("JP902" "UnicodeDecodeError")
    one_that_waits_for_a_number: "pass-fail" "waits_for_a_number.c" ("JP902" "1 s")
    one_that_takes_quadratic_time: "pass-fail" "quadratic.py" ("JP902" "numbers after it")
    one_that_exits_as_programs_do: "pass-fail" "exits_as_a_program.sh" ("JP909" "exit code 0") ("JP902" "exit code")
    one_that_accepts_everything: "pass-fail" "accepts_everything.c" ("JP903" "random bytes")
    one_that_asks_for_a_pass: "pass-fail" "asks_for_a_pass.py" ("JP916" "multi-pass")
    one_whose_further_input_is_invalid: "multi-pass" "asks_for_a_pass.py" ("JP917" "not a number")
    one_that_talks_in_a_problem_of_another_type: "pass-fail" "interactor_expects_numbers.py" ("JP902" "ValueError") ("JP916" "interactive")
    an_interactor_that_expects_numbers: "interactive" "interactor_expects_numbers.py" ("JP902" "ValueError")
    an_interactor_that_never_ends: "interactive" "interactor_skips_empty_lines.py" ("JP902" "exceeded its CPU time limit")
    an_interactor_with_a_small_buffer: "interactive" "interactor_with_a_small_buffer.c" ("JP902" "SIGABRT")
    an_interactor_that_divides: "interactive" "interactor_divides.c" ("JP902" "SIGFPE")
    an_interactor_that_accepts_silence: "interactive" "interactor_accepts_silence.py" ("JP903" "nothing, and then the end")
}

#[test]
fn a_grader_that_does_not_compile_is_found() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else { return };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/packages/customgrader");
    for (path, text) in workspace.files_below(&package) {
        let path = path.strip_prefix(&package).unwrap().to_str().unwrap().to_owned();
        workspace.write(&format!("problems/customgrader/{path}"), text);
    }
    workspace.judge(["check"]).is_silent_of(&["JP913"]);
    workspace.write("problems/customgrader/graders/grade.py", "print 42\n");
    workspace.judge(["check"]).exits(3).prints(&["JP913", "customgrader/graders", "SyntaxError"]);
}
