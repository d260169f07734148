//! The events of a run as a whole, and the enum that holds every event.
//!
//! Responsible for facts about the run, its host and its packages. Must not know reporters.

use judge_model::{Isolation, LanguageId, Limits};
use serde::{Deserialize, Serialize};

use crate::{
    CheckFinished, CheckStarted, CompileFinished, DataValidated, Excerpt, Finding, PackageChecked, ShardFinished,
    ShardStarted, SubmissionFinished, SubmissionSkipped, SubmissionStarted, TestCaseFinished, TestDataAssessed,
};

/// The version of the event stream, in the first event of every stream. It grows when a field changes its meaning or
/// goes away; new events and new fields do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// One thing that happened. Events come in package order, whatever the order of execution was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "the largest is by far the most frequent, and lives for a moment")]
pub enum Event {
    /// The first event.
    RunStarted(RunStarted),
    /// A package could not be loaded, or a part of it.
    PackageFault(PackageFault),
    /// Something in a package is odd, but can be judged.
    PackageWarning(PackageWarning),
    /// A language cannot be judged on this host. Told once per language.
    LanguageUnavailable(LanguageUnavailable),
    /// The events up to the next of these are about this problem.
    ProblemStarted(ProblemStarted),
    /// The events up to `submission_finished` or `submission_skipped` are about this submission.
    SubmissionStarted(SubmissionStarted),
    /// The submission was compiled, or did not compile.
    CompileFinished(CompileFinished),
    /// The submission was judged on one test case.
    TestCaseFinished(TestCaseFinished),
    /// The submission has its verdict.
    SubmissionFinished(SubmissionFinished),
    /// The submission was not judged, and why.
    SubmissionSkipped(SubmissionSkipped),
    /// It is known which of the problem's submissions that must be rejected its test cases reject.
    TestDataAssessed(TestDataAssessed),
    /// The host or the sandbox failed: no verdict exists where it did.
    HostFault(HostFault),
    /// The last event.
    RunFinished(RunFinished),
    /// The first event of a check.
    CheckStarted(CheckStarted),
    /// Something was found in a package.
    Finding(Finding),
    /// The data in a directory of a package was given to its validators.
    DataValidated(DataValidated),
    /// A package was checked.
    PackageChecked(PackageChecked),
    /// The last event of a check.
    CheckFinished(CheckFinished),
    /// The first event of a shard's file.
    ShardStarted(ShardStarted),
    /// The last event of a shard's file.
    ShardFinished(ShardFinished),
}

/// The first event of every stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunStarted {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema: u32,
    /// Version of the judge.
    pub judge_version: String,
    /// The command that was given, if the writer says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// When it began, in UTC, as RFC 3339 writes it with whole seconds: `2026-03-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The host that it ran on, if the writer says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Box<Host>>,
    /// The isolation that every program of the run had.
    pub isolation: Isolation,
    /// How many programs ran at a time.
    pub jobs: u32,
    /// Problems selected.
    pub problems: u64,
    /// Submissions selected.
    pub submissions: u64,
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
    /// Every submission on every test case, for what the test cases are worth.
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
    /// The model of its processors, if it is known.
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
    /// The line, counted from 1, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is wrong: what was expected and what was found.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Something in a package that deserves a look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageWarning {
    /// The problem's name.
    pub problem: String,
    /// The file concerned.
    pub file: String,
    /// The line, counted from 1, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is odd.
    pub message: String,
}

/// A language that this host cannot judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LanguageUnavailable {
    /// The language.
    pub language: LanguageId,
    /// Why: which tool was looked for, and where.
    pub reason: String,
    /// How many selected submissions are skipped for it.
    pub submissions: u64,
}

/// A compiler or interpreter that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Toolchain {
    /// The language.
    pub language: LanguageId,
    /// What the tool says of its version, first line.
    pub version: String,
    /// Where it is.
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
    /// The time limit in force, in microseconds of CPU time; 1 when none was stated and none could be inferred.
    pub time_limit_us: u64,
    /// The run from which the time limit was inferred, when none was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_from: Option<Box<TimeLimitFrom>>,
    /// Its limits as the package states them.
    pub limits: Limits,
    /// The test cases that are judged, in order.
    pub test_cases: Vec<String>,
    /// How many test cases the problem has, selected or not.
    pub test_cases_total: u64,
    /// The submissions that are judged, in order.
    pub submissions: Vec<String>,
    /// What is known of the inputs of the test cases, in order; a test case whose input could not be read has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

/// The input of a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input {
    /// The test case.
    pub test_case: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Its beginning and its end.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
    /// How it came to be, as `generators/lock.json` of the package has it, if it is there and still of that size:
    /// `generate` with the call of a generator, `copy` with a file, `same as` with a test case, `text` or
    /// `hand-written`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// The run that an inferred time limit comes from: the slowest of all that must be fast enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeLimitFrom {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Its CPU time in microseconds.
    pub cpu_time_us: u64,
}

/// A fault of the host or of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HostFault {
    /// The problem during which it happened, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The submission during which it happened, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// The test case during which it happened, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_case: Option<String>,
    /// What failed.
    pub message: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Everything that was planned was done.
    Completed,
    /// It was interrupted by a signal.
    Interrupted,
    /// It was given up after a host fault.
    Aborted,
}

/// The last event of every stream that is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunFinished {
    /// How it ended.
    pub end: End,
    /// Elapsed time in microseconds.
    pub wall_time_us: u64,
    /// How many results of test cases the next run need not judge again, when this one was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results_kept: Option<u64>,
}
