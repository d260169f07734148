//! `judge check --data`: runs the validators of packages on their data.

use judge_event::{DataValidated, Event, ValidatorAnswers};

use crate::workspace::{CommandOutput, Workspace, has};

const INPUT_VALIDATOR: &str = "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n";
/// Accepts outputs that are equal to the answer, and reports the first difference otherwise.
const OUTPUT_VALIDATOR: &str = "import sys\n\
    answer, output = open(sys.argv[2]).read(), sys.stdin.read()\n\
    if answer != output:\n\
    \x20   open(sys.argv[3] + '/judgemessage.txt', 'w').write('line 1: expected ' + answer)\n\
    \x20   sys.exit(43)\n\
    sys.exit(42)\n";

/// The sum, with correct data of each kind.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write(
        "problems/sum/input_validators/validate.ctd",
        INPUT_VALIDATOR,
    );
    workspace.write("problems/sum/data/invalid_input/letters.in", "one two\n");
    workspace.case("sum", "valid_output/plain", "1 1\n", "2\n");
    workspace.write("problems/sum/data/valid_output/plain.out", "2\n");
    workspace.case("sum", "invalid_output/other", "1 1\n", "2\n");
    workspace.write("problems/sum/data/invalid_output/other.out", "3\n");
    workspace
}

fn isolated() -> Option<Workspace> {
    Workspace::isolated().map(|_| workspace())
}

fn data(output: &CommandOutput) -> Vec<&DataValidated> {
    let data = output.events.iter().filter_map(|event| match event {
        Event::DataValidated(data) => Some(data),
        _ => None,
    });
    data.collect()
}

fn codes(output: &CommandOutput) -> Vec<&str> {
    let codes = output.events.iter().filter_map(|event| match event {
        Event::Finding(finding) => Some(finding.code.as_str()),
        _ => None,
    });
    codes.collect()
}

fn answers(must_accept: bool, right: u64, wrong: u64) -> Option<ValidatorAnswers> {
    Some(ValidatorAnswers {
        must_accept,
        right,
        wrong,
    })
}

#[test]
fn valid_data_is_printed_as_a_table() {
    let Some(workspace) = isolated() else { return };
    let output = workspace.events(["check", "--data"]).exits(0);
    let rows: Vec<_> = data(&output)
        .iter()
        .map(|row| (row.directory.as_str(), row.inputs, row.outputs))
        .collect();
    assert_eq!(
        rows,
        [
            ("sample", answers(true, 1, 0), answers(true, 1, 0)),
            ("secret", answers(true, 2, 0), answers(true, 2, 0)),
            ("valid_output", answers(true, 1, 0), answers(true, 1, 0)),
            ("invalid_output", answers(true, 1, 0), answers(false, 1, 0)),
            ("invalid_input", answers(false, 1, 0), None),
        ]
    );
    assert_eq!(
        codes(&output),
        [] as [&str; 0],
        "no lint: the statement is missing, and no submission"
    );
    let output = workspace.judge(["check", "--data"]).exits(0);
    output.stdout_has(&[
        "sum",
        "data inputs outputs",
        "secret 2 accepted 2 accepted",
        "invalid_input 1 rejected not run",
    ]);
    output
        .stdout_has(&["1 package checked: nothing found"])
        .stdout_lacks(&["JP"]);
}

#[test]
fn invalid_data_is_reported_with_the_validator_message() {
    let Some(workspace) = isolated().filter(|_| has("python3")) else {
        return;
    };
    workspace.write(
        "problems/sum/output_validator/validate.py",
        OUTPUT_VALIDATOR,
    );
    workspace.case("sum", "secret/03", "1  2\n", "3\n");
    workspace.write("problems/sum/data/invalid_input/valid.in", "1 1\n");
    workspace.write("problems/sum/data/valid_output/plain.out", "two\n");
    workspace.write("problems/sum/data/invalid_output/other.out", "2\n");
    let output = workspace.events(["check", "--data"]).exits(3);
    assert_eq!(codes(&output), ["JP802", "JP804", "JP906", "JP907"]);
    let rows: Vec<_> = data(&output)
        .iter()
        .map(|row| (row.directory.as_str(), row.inputs, row.outputs))
        .collect();
    assert_eq!(
        rows,
        [
            ("sample", answers(true, 1, 0), answers(true, 1, 0)),
            ("secret", answers(true, 2, 1), answers(true, 3, 0)),
            ("valid_output", answers(true, 1, 0), answers(true, 0, 1)),
            ("invalid_output", answers(true, 1, 0), answers(false, 0, 1)),
            ("invalid_input", answers(false, 1, 1), None),
        ]
    );
    workspace.judge(["check", "--data"]).exits(3).stdout_has(&[
        "secret 2 accepted, 1 not",
        "valid_output 1 accepted 0 accepted, 1 not",
        "problems/sum/data/secret/03.in",
        "line 1",
        "expected 2",
        "4 errors",
    ]);
    // A part selects only that part, and only packages that have it.
    workspace.sum("tum");
    workspace.remove("problems/tum/data/secret/01.in");
    workspace.remove("problems/tum/data/secret/01.ans");
    workspace
        .judge(["check", "--data", "*/secret/01"])
        .exits(0)
        .stdout_has(&["sum"])
        .stdout_lacks(&["tum"]);
    workspace
        .judge(["check", "--data", "sum/secret/01"])
        .exits(0)
        .stdout_has(&["secret 1 accepted"])
        .stdout_lacks(&["sample"]);
    workspace
        .judge(["check", "--data", "sum/secret/03"])
        .exits(3)
        .stdout_has(&["secret/03.in"])
        .stdout_lacks(&["invalid_input"]);
}

#[test]
fn unusable_validators_are_reported() {
    let Some(workspace) = isolated() else { return };
    workspace.remove("problems/sum/input_validators/validate.ctd");
    workspace
        .judge(["check", "--data"])
        .exits(0)
        .stdout_has(&["secret not run 2 accepted"]);
    workspace.write(
        "problems/sum/input_validators/validate.ctd",
        "INT(0 SPACE\n",
    );
    workspace
        .judge(["check", "--data"])
        .exits(3)
        .stdout_has(&["cannot be read", "1 error"]);
}

#[test]
fn broken_packages_and_unknown_names_are_errors() {
    let workspace = workspace();
    workspace.remove("problems/sum/data/secret/01.ans");
    workspace
        .judge(["check", "--data"])
        .exits(3)
        .stdout_has(&["secret/01", "1 error"]);
    workspace
        .judge(["check", "--data", "summ"])
        .exits(5)
        .stderr_has(&["did you mean `sum`?"]);
}

#[test]
fn silenced_findings_are_not_reported() {
    let Some(workspace) = isolated() else { return };
    workspace.write("problems/sum/data/invalid_input/valid.in", "1 1\n");
    workspace.judge(["check", "--data"]).exits(3);
    let silencing = "check:\n  ignore:\n    - {code: JP804, problem: sum, reason: on purpose}\n";
    workspace.write("judge.yaml", format!("problems: [problems]\n{silencing}"));
    workspace
        .judge(["check", "--data"])
        .exits(0)
        .stdout_has(&["1 silenced"]);
}

#[test]
fn single_validator_cases_can_be_selected() {
    let Some(workspace) = isolated() else { return };
    workspace.write("problems/sum/data/invalid_input/valid.in", "1 1\n");
    let rows = |what: &str, code| {
        let output = workspace.events(["check", "--data", what]).exits(code);
        data(&output)
            .iter()
            .map(|row| (row.directory.clone(), row.inputs, row.outputs))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        rows("sum/invalid_input/letters", 0),
        [("invalid_input".to_owned(), answers(false, 1, 0), None)]
    );
    assert_eq!(
        rows("sum/invalid_input/valid", 3),
        [("invalid_input".to_owned(), answers(false, 0, 1), None)]
    );
    assert_eq!(
        rows("problems/sum/data/invalid_input/letters.in", 0).len(),
        1
    );
    let invalid_output = (
        "invalid_output".to_owned(),
        answers(true, 1, 0),
        answers(false, 1, 0),
    );
    assert_eq!(rows("sum/invalid_output", 0), [invalid_output]);
    workspace
        .judge(["check", "--data", "sum/invalid_input/none"])
        .exits(5)
        .stderr_has(&["names no test case"]);
    // No submission is judged on these cases.
    workspace
        .judge(["run", "sum/invalid_input/letters"])
        .exits(5);
}

#[test]
fn reports_are_the_same_when_printed_again() {
    let Some(workspace) = isolated() else { return };
    workspace.write("problems/sum/data/invalid_input/valid.in", "1 1\n");
    let kinds = ["junit", "markdown", "github", "gitlab", "sarif"];
    let reports = |name: &str| kinds.map(|kind| format!("--report={kind}={name}.{kind}"));
    let output = workspace.judge(
        ["check", "--data", "--report=json=run.jsonl"]
            .map(String::from)
            .into_iter()
            .chain(reports("live")),
    );
    output.exits(3).stdout_has(&["JP804"]);
    let output = workspace.judge(
        ["report", "run.jsonl"]
            .map(String::from)
            .into_iter()
            .chain(reports("later")),
    );
    output.exits(3);
    let read = |name: &str, kind: &str| {
        std::fs::read_to_string(workspace.path(&format!("{name}.{kind}"))).unwrap()
    };
    for kind in kinds {
        let live = read("live", kind);
        assert!(
            live.contains("JP804") && live.contains("input/valid.in"),
            "{kind}: {live}"
        );
        assert_eq!(live, read("later", kind), "{kind}");
    }
    // Time and host are recorded for a check as for a run.
    let junit = read("live", "junit");
    assert!(
        junit.contains(" timestamp=\"20") && junit.contains(" hostname=\""),
        "{junit}"
    );
    let events =
        crate::workspace::parse(&std::fs::read_to_string(workspace.path("run.jsonl")).unwrap());
    let Event::CheckStarted(started) = &events[0] else {
        panic!("{:?}", events[0])
    };
    assert!(
        started.started_at.is_some() && started.host.is_some(),
        "{started:?}"
    );
}

#[test]
fn crashing_validators_do_not_count_as_rejecting() {
    let Some(workspace) = isolated() else { return };
    workspace.remove("problems/sum/input_validators/validate.ctd");
    let ends = |rejected: &str| {
        format!(
            "import sys\nwords = sys.stdin.read().split()\nif not words[0].isdigit():\n    {rejected}\nsys.exit(42)\n"
        )
    };
    workspace.write(
        "problems/sum/input_validators/validate.py",
        ends("sys.exit(43)"),
    );
    assert!(
        !codes(&workspace.events(["check", "--data", "sum/invalid_input/letters"]))
            .contains(&"JP810")
    );
    workspace.write(
        "problems/sum/input_validators/validate.py",
        ends("raise ValueError"),
    );
    let output = workspace
        .judge(["check", "--data", "sum/invalid_input/letters"])
        .exits(3);
    output.stdout_has(&[
        "JP810",
        "`invalid_input/letters`: `validate.py` exited with code 1",
    ]);
}

#[test]
fn missing_testlib_h_is_reported_with_a_hint() {
    let Some(workspace) = isolated().filter(|_| has("cpp")) else {
        return;
    };
    // A header that no host has, so that the test does not depend on the host.
    let program = "#include \"our_testlib.h\"\nint main() {}\n";
    workspace.write("problems/sum/output_validator/check.cpp", program);
    workspace.write("problems/sum/generators/make.cpp", program);
    workspace.write("solutions/sum/accepted/sum.cpp", "int main() {}\n");
    workspace.write(
        "problems/sum/generators/generators.yaml",
        "data: {secret: {data: {made: make.cpp 1}}}\n",
    );
    let hint = "hint: packages must contain the headers of their programs: put a copy of `our_testlib.h` next to this program";
    let has_hint = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(hint)
    };
    for command in [
        ["check", "sum"],
        ["check", "--data"],
        ["run", "sum"],
        ["generate", "sum"],
    ] {
        let output = workspace.judge(command).exits(3);
        let all = format!("{}{}", output.stdout, output.stderr);
        assert!(has_hint(&all), "{command:?}: {all}");
    }
}
