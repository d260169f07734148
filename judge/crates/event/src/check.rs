//! The events of checking packages.
//!
//! Responsible for findings and their places. Must not know the meaning of a code, or reporters.

use judge_model::{Isolation, Severity};
use serde::{Deserialize, Serialize};

use crate::{End, Host};

/// The first event of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckStarted {
    /// Version of the stream.
    pub schema: u32,
    /// Version of the judge.
    pub judge_version: String,
    /// The time at which it began, in UTC, in the format of RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The host that it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<Host>>,
    /// The profile that determined the severity of each finding.
    pub profile: String,
    /// Number of packages selected.
    pub packages: u64,
    /// The isolation of the packages' programs; absent when no program was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// The seed of the generated invalid data that validators were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Something was found in a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The problem's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The stable name of this kind of finding, such as `JP302`.
    pub code: String,
    /// `error` or `warning`.
    pub severity: Severity,
    /// The file or directory concerned, relative to the workspace where possible.
    pub file: String,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The finding, and the expected state.
    pub message: String,
    /// The advice: what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The reason that `judge.yaml` gives for silencing it; such a finding counts for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silenced: Option<String>,
}

/// The package's validators were run on the data in one directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DataValidated {
    /// The problem's name.
    pub problem: String,
    /// The directory below `data/`, such as `secret/group1` or `invalid_input`.
    pub directory: String,
    /// The answers of the input validators to the inputs; absent without an input validator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<ValidatorAnswers>,
    /// The answers of the output validator to the answers or outputs; absent when it was not run,
    /// or when answers are not outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<ValidatorAnswers>,
}

/// The answers of validators to the files of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidatorAnswers {
    /// True when the validators must accept; otherwise they must reject.
    pub must_accept: bool,
    /// Number of files with the required answer.
    pub right: u64,
    /// Number of files with a different answer.
    pub wrong: u64,
}

/// A package was checked. Its findings precede this event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageChecked {
    /// The problem's name.
    pub problem: String,
    /// Its directory, relative to the workspace where possible.
    pub path: String,
    /// True when its submissions can be run.
    pub loads: bool,
    /// The number of runs of its validators.
    pub validator_runs: u64,
    /// True when the results of all these runs are from an earlier check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
}

/// The last event of a complete check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckFinished {
    /// The way in which it ended.
    pub end: End,
    /// Elapsed time.
    pub wall_time_us: u64,
}

/// The state of a check: the fold over its events.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckState {
    /// The event that began it.
    pub started: CheckStarted,
    /// The findings so far, in order.
    pub findings: Vec<Finding>,
    /// The answers of validators to the data so far, in order, where they were run.
    pub data: Vec<DataValidated>,
    /// The packages so far, in order.
    pub packages: Vec<PackageChecked>,
    /// The event that ended it, once it has ended.
    pub finished: Option<CheckFinished>,
}

impl CheckState {
    pub(crate) fn new(started: CheckStarted) -> Self {
        Self {
            started,
            findings: Vec::new(),
            data: Vec::new(),
            packages: Vec::new(),
            finished: None,
        }
    }

    /// True when everything was checked.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let finished = self.finished.as_ref();
        finished.is_some_and(|finished| finished.end == End::Completed)
    }

    /// Returns the number of findings of this severity that count.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        let counts =
            |finding: &&Finding| finding.severity == severity && finding.silenced.is_none();
        self.findings.iter().filter(counts).count() as u64
    }

    /// Returns the number of findings that are silenced.
    #[must_use]
    pub fn silenced(&self) -> u64 {
        self.findings
            .iter()
            .filter(|finding| finding.silenced.is_some())
            .count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, RunState, SCHEMA_VERSION};

    fn finding(severity: Severity, silenced: Option<&str>) -> Event {
        Event::Finding(Finding {
            problem: Some("p".into()),
            code: "JP302".into(),
            severity,
            file: "f".into(),
            line: None,
            column: None,
            message: "m".into(),
            hint: None,
            silenced: silenced.map(str::to_owned),
        })
    }

    #[test]
    fn silenced_findings_are_counted_separately() {
        let mut state = RunState::default();
        // A finding before `check_started` belongs to no check.
        state.apply(&finding(Severity::Error, None));
        assert_eq!(state.check, None);
        state.apply(&Event::CheckStarted(CheckStarted {
            schema: SCHEMA_VERSION,
            judge_version: "0".into(),
            started_at: None,
            host: None,
            profile: "default".into(),
            packages: 1,
            isolation: None,
            seed: None,
        }));
        for event in [
            finding(Severity::Error, None),
            finding(Severity::Warning, None),
            finding(Severity::Warning, None),
            finding(Severity::Error, Some("meant")),
        ] {
            state.apply(&event);
        }
        state.apply(&Event::CheckFinished(CheckFinished {
            end: End::Completed,
            wall_time_us: 5,
        }));
        let check = state.check.unwrap();
        assert_eq!(
            (
                check.count(Severity::Error),
                check.count(Severity::Warning),
                check.silenced()
            ),
            (1, 2, 1)
        );
        assert_eq!(check.finished.unwrap().end, End::Completed);
    }
}
