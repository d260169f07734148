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
    /// The command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The time at which it began, in UTC, in the format of RFC 3339 with whole seconds:
    /// `2026-03-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The host that it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<Host>>,
    /// The isolation of every program of the run.
    pub isolation: Isolation,
    /// The number of programs that run at a time.
    pub jobs: u32,
    /// Number of problems selected.
    pub problems: u64,
    /// Number of submissions selected.
    pub submissions: u64,
    /// The shard, if the run is one; absent for a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Box<RunShard>>,
}

/// A command that judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// The jury's submissions, each compared with its expectations.
    Run,
    /// One submission, as an online judge would judge it.
    Submit,
    /// As `run`, after the packages themselves were checked.
    Verify,
    /// `judge run --matrix`: every submission on every test case, to assess the test cases.
    Matrix,
}

/// The host of a run, on which times depend.
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
    /// The number of physical cores that the run could use.
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
    /// The mistake: the expected and the actual state.
    pub message: String,
    /// The advice: what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Something suspicious in a package.
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
    /// The description.
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
    /// The tool that was searched for, and where.
    pub reason: String,
    /// The number of selected submissions that are skipped because of it.
    pub submissions: u64,
}

/// A compiler or interpreter that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Toolchain {
    /// The language's short name.
    pub language: LanguageId,
    /// The first line of the version that the tool prints.
    pub version: String,
    /// Its path on the host.
    pub path: String,
}

/// The run starts a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemStarted {
    /// The problem's name, unique in the run.
    pub problem: String,
    /// Its title.
    pub title: String,
    /// Its directory, relative to the workspace where possible.
    pub path: String,
    /// The time limit in force, in CPU time; 1 when the package states none and none could be
    /// inferred.
    pub time_limit_us: u64,
    /// The factor for a slower host by which the time limit in force is longer than the stated one;
    /// absent if both are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// The run from which the time limit was inferred, when the package states none.
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
    /// Its beginning and its end; absent when it is empty.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
    /// Its origin, from `generators/lock.json` of the package: `generate` and the call of a
    /// generator, `copy` and a file, `same as` and a test case, `text` (written in
    /// `generators.yaml`) or `hand-written`; absent when it is unknown, or when the size of the
    /// input has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its file, if it is not `data/<test case>.in` of the package; empty when the input is not
    /// stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// The run that determines an inferred time limit: the slowest of all that must be fast enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeLimitFrom {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Its CPU time.
    pub cpu_time_us: u64,
    /// The time at which the run of the judge that measured it began, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<String>,
    /// `true` when an earlier run of the judge measured it; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
}

/// A fault of the host or of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostFault {
    /// The problem on which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The submission on which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// The test case on which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_case: Option<String>,
    /// The failure.
    pub message: String,
}

impl HostFault {
    /// The names of the problem, submission and test case that were being judged; `None` without
    /// any.
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
    /// All planned work was done.
    Completed,
    /// A signal (SIGINT, SIGTERM, SIGHUP or SIGQUIT) ended it.
    Interrupted,
    /// It was aborted after a host fault.
    Aborted,
}

/// The last event of every complete stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunFinished {
    /// The way in which it ended.
    pub end: End,
    /// Elapsed time of the run.
    pub wall_time_us: u64,
    /// The number of cached results of test cases that the next run can use, when this one was
    /// interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results_kept: Option<u64>,
    /// The number of programs in the cache that were damaged and compiled again; absent when 0.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub programs_remade: u64,
}
