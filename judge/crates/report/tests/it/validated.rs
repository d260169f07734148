//! Tests of the table of validators' decisions on the data of packages.

use judge_event::{
    CheckFinished, CheckStarted, DataValidated, End, Event, Finding, PackageChecked,
    SCHEMA_VERSION, ValidatorAnswers,
};
use judge_model::Severity;
use judge_report::{TerminalSettings, Verbosity};

use crate::{rendered, stream};

fn answers(must_accept: bool, right: u64, wrong: u64) -> Option<ValidatorAnswers> {
    Some(ValidatorAnswers {
        must_accept,
        right,
        wrong,
    })
}

fn data(
    directory: &str,
    inputs: Option<ValidatorAnswers>,
    outputs: Option<ValidatorAnswers>,
) -> Event {
    Event::DataValidated(DataValidated {
        problem: "sum".into(),
        directory: directory.to_owned(),
        inputs,
        outputs,
    })
}

fn events() -> Vec<Event> {
    let rejected = |number: u64| {
        Event::Finding(Finding {
            problem: Some("sum".into()),
            code: "JP802".into(),
            severity: Severity::Error,
            file: format!("problems/sum/data/secret/{number}.in"),
            line: None,
            column: None,
            message: format!(
                "the input validator `validate.rs` rejects `secret/{number}`: it says no: line 1, column 2: 0 is not in 1..9"
            ),
            hint: None,
            silenced: None,
        })
    };
    let checked = |problem: &str, validator_runs| {
        let (problem, path) = (problem.to_owned(), format!("problems/{problem}"));
        Event::PackageChecked(PackageChecked {
            problem,
            path,
            loads: true,
            validator_runs,
            cached: false,
        })
    };
    let mut events = vec![Event::CheckStarted(CheckStarted {
        schema: SCHEMA_VERSION,
        judge_version: "0.1.0".into(),
        started_at: None,
        host: None,
        profile: "default, strict".into(),
        packages: 2,
        isolation: Some(stream::isolation(&[])),
        seed: None,
    })];
    events.push(data("sample", answers(true, 2, 0), answers(true, 2, 0)));
    events.push(data("secret/group1", answers(true, 1_034, 6), None));
    events.push(data(
        "secret/a_group_with_a_name_that_is_much_too_long_for_one_column",
        answers(true, 9, 0),
        None,
    ));
    events.push(data(
        "invalid_output",
        answers(true, 1, 0),
        answers(false, 0, 1),
    ));
    events.push(data("invalid_input", answers(false, 7, 0), None));
    events.extend((1..=6).map(rejected));
    events.push(checked("sum", 1_060));
    events.push(checked("other", 0));
    events.push(Event::CheckFinished(CheckFinished {
        end: End::Completed,
        wall_time_us: 1_200_000,
    }));
    events
}

#[test]
fn a_row_for_each_directory_above_findings() {
    let rendered = rendered(TerminalSettings::default(), &events());
    assert!(
        rendered.lines().all(|line| line.chars().count() <= 80),
        "{rendered}"
    );
    insta::assert_snapshot!(rendered);
}

#[test]
fn quiet_reports_findings_without_the_table() {
    let quiet = rendered(
        TerminalSettings {
            verbosity: Verbosity::Quiet,
            ..TerminalSettings::default()
        },
        &events(),
    );
    assert!(
        quiet.contains("JP802") && !quiet.contains("secret/group1"),
        "{quiet}"
    );
}
