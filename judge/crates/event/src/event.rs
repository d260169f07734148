//! The enum of all events.
//!
//! Responsible for the names that events have in the stream. Must not know reporters.

use serde::{Deserialize, Serialize};

use crate::{
    CheckFinished, CheckStarted, CompileFinished, DataValidated, Finding, HostFault,
    LanguageUnavailable, PackageChecked, PackageFault, PackageWarning, ProblemStarted, RunFinished,
    RunStarted, SubmissionFinished, SubmissionSkipped, SubmissionStarted, TestCaseFinished,
    TestDataAssessed,
};

/// The version of the event stream, in the first event of every stream. It increases when a field
/// changes its meaning or is removed; new events and new fields do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// An event of a run. Events come in package order, regardless of the order of execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "most events are of the largest kind, so a box would save nothing"
)]
pub enum Event {
    /// The first event.
    RunStarted(RunStarted),
    /// A package could not be loaded, or a part of it.
    PackageFault(PackageFault),
    /// A package contains something suspicious, but can be used.
    PackageWarning(PackageWarning),
    /// A language cannot be judged on this host. Emitted once per language.
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
    /// The submission was skipped, with the reason.
    SubmissionSkipped(SubmissionSkipped),
    /// The problem's test data was assessed: which submissions that must be rejected it rejects.
    TestDataAssessed(TestDataAssessed),
    /// The host or the sandbox failed. There is no verdict for the affected work.
    HostFault(HostFault),
    /// The last event.
    RunFinished(RunFinished),
    /// The first event of a check.
    CheckStarted(CheckStarted),
    /// Something was found in a package.
    Finding(Finding),
    /// The validators of a package were run on the data in one directory.
    DataValidated(DataValidated),
    /// A package was checked.
    PackageChecked(PackageChecked),
    /// The last event of a check.
    CheckFinished(CheckFinished),
}
