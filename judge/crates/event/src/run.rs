//! The events of a run as a whole.
//!
//! Responsible for facts about the run, its host and its packages. Must not know reporters.

use judge_model::{Isolation, LanguageId, Limits};
use serde::{Deserialize, Serialize};

use crate::{Excerpt, RunShard};

/// The first event of every stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunStarted {
    /// Version of the stream.
    pub schema: u32,
    /// Version of the judge.
    pub judge_version: String,
    /// The command that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The time at which it began, in UTC, as RFC 3339 writes it with whole seconds:
    /// `2026-03-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The host that it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<Host>>,
    /// The isolation that every program of the run had.
    pub isolation: Isolation,
    /// The number of programs that ran at a time.
    pub jobs: u32,
    /// Number of problems selected.
    pub problems: u64,
    /// Number of submissions selected.
    pub submissions: u64,
    /// The shard that the run is; absent for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Box<RunShard>>,
}

/// The commands that judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// The jury's submissions, each against what is expected of it.
    Run,
    /// One submission, as an online judge would judge it.
    Submit,
    /// As `run`, after the packages themselves were checked.
    Verify,
    /// `judge run --matrix`: every submission on every test case, for what the test cases are
    /// worth.
    Matrix,
}

/// The host of a run: what times depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Operating system, release and architecture, such as `Linux 6.18.5 x86_64`.
    pub system: String,
    /// The model of its processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// The physical cores that the run could use.
    pub cores: u32,
}

/// A fault of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageFault {
    /// The problem's name.
    pub problem: String,
    /// The file at fault, relative to the workspace where possible.
    pub file: String,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The mistake: what was expected and what was found.
    pub message: String,
    /// The advice: what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Something in a package that deserves a look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageWarning {
    /// The problem's name.
    pub problem: String,
    /// The file concerned, relative to the workspace where possible.
    pub file: String,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The oddity.
    pub message: String,
    /// The advice, if there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A language that this host cannot judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LanguageUnavailable {
    /// The language's short name.
    pub language: LanguageId,
    /// The tool that was looked for, and where.
    pub reason: String,
    /// The number of selected submissions that are skipped for it.
    pub submissions: u64,
}

/// A compiler or interpreter that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Toolchain {
    /// The language's short name.
    pub language: LanguageId,
    /// The first line of what the tool says of its version.
    pub version: String,
    /// Its path on the host.
    pub path: String,
}

/// A problem comes up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemStarted {
    /// The problem's name, unique in the run.
    pub problem: String,
    /// Its title.
    pub title: String,
    /// Its directory, relative to the workspace where possible.
    pub path: String,
    /// The time limit in force: CPU time; 1 when none was stated and none could be inferred.
    pub time_limit_us: u64,
    /// The factor for a slower host by which the time limit in force is longer than the stated one;
    /// absent when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// The run from which the time limit was inferred, when none was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_from: Option<Box<TimeLimitFrom>>,
    /// Its limits as the package states them.
    pub limits: Limits,
    /// The test cases to run, in order.
    pub test_cases: Vec<String>,
    /// Number of test cases that the problem has, selected or not.
    pub test_cases_total: u64,
    /// The submissions to run, in order.
    pub submissions: Vec<String>,
    /// The inputs of the test cases, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

/// The input of a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input {
    /// The test case.
    pub test_case: String,
    /// The size of its input.
    pub size_bytes: u64,
    /// The beginning and the end of it; absent when it is empty.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
    /// Its origin, as `generators/lock.json` of the package has it: `generate` and the call of a
    /// generator, `copy` and a file, `same as` and a test case, `text` (it stands in
    /// `generators.yaml`) or `hand-written`; absent when that is not known, or when the input has
    /// another size since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its file, where that is not `data/<test case>.in` of the package; empty when it is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// The run that an inferred time limit comes from: the slowest of all that must be fast enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeLimitFrom {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Its CPU time.
    pub cpu_time_us: u64,
    /// The time at which the run of the judge began that has measured it, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<String>,
    /// `true` when an earlier run of the judge has measured it; left out otherwise.
    #[serde(default, skip_serializing_if = "crate::submission::is_false")]
    pub cached: bool,
}

/// A fault of the host or of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostFault {
    /// The problem during which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The submission during which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// The test case during which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_case: Option<String>,
    /// The failure.
    pub message: String,
}

impl HostFault {
    /// The names of what was judged when it happened; `None` when that was nothing in particular.
    #[must_use]
    pub fn during(&self) -> Option<String> {
        let names = [&self.problem, &self.submission, &self.test_case]
            .into_iter()
            .filter_map(|name| name.as_deref());
        Some(names.collect::<Vec<_>>().join(" ")).filter(|names| !names.is_empty())
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Everything that was planned was done.
    Completed,
    /// A signal (SIGINT, SIGTERM, SIGHUP or SIGQUIT) ended it.
    Interrupted,
    /// It was given up after a host fault.
    Aborted,
}

/// The last event of every stream that is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunFinished {
    /// The way in which it ended.
    pub end: End,
    /// Elapsed time of the run.
    pub wall_time_us: u64,
    /// The number of results of test cases that the next run need not judge again, when this one
    /// was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results_kept: Option<u64>,
    /// The number of programs of the cache that were damaged, and were made again; 0 when it is
    /// left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub programs_remade: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
