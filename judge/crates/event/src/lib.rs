//! The stream of events of a run.
//!
//! Responsible for the events (owned, versioned, facts only), their JSON Lines form, and
//! [`RunState`], the fold that every report starts from; and for the documents of single commands,
//! which are not events. Pure. Must not know how programs are run, how facts are rendered, or any
//! setting of a reporter.
//!
//! # Example
//!
//! ```
//! use judge_event::{End, RunState, parse_line};
//!
//! let stream = [
//!     r#"{"event":"run_started","schema":1,"judge_version":"0.1.0","isolation":{"level":"none","gaps":[]},"jobs":1,"problems":0,"submissions":0}"#,
//!     r#"{"event":"run_finished","end":"completed","wall_time_us":98000}"#,
//! ];
//! let mut state = RunState::default();
//! for (number, line) in (1..).zip(stream) {
//!     state.apply(&parse_line(line, number)?);
//! }
//! assert_eq!(state.end, Some(End::Completed));
//! assert_eq!(state.counts().with_verdict(), 0);
//! # Ok::<(), judge_event::LineError>(())
//! ```

mod assessment;
mod bytes;
mod check;
mod difference;
mod documents;
mod event;
mod interaction;
mod lines;
mod picture;
mod progress;
mod run;
#[cfg(feature = "schema")]
mod schema;
mod shard;
mod state;
mod submission;

pub use assessment::{
    MutantsKilled, MutantsKilledBy, RedundantTestCase, RejectedBy, TestDataAssessed,
};
pub use bytes::Bytes;
pub use check::{
    CheckFinished, CheckStarted, CheckState, DataValidated, Finding, PackageChecked,
    ValidatorAnswers,
};
pub use difference::{Difference, Excerpt, Line, Window};
pub use documents::addition::{Addition, OtherRejections, Rejection};
pub use documents::comparison;
pub use documents::doctor::{
    CalibratedKind, Calibration, DiagnosedTool, Diagnosis, FixHint, IsolationAttempt,
    LanguageExtensions, ProgramFacts, TimingWarning,
};
pub use documents::grading::{
    ErrorKind, FirstFailure, GradeError, GradeRequest, GradeResult, GradedTestCase, InlineProblem,
    InlineTest, OutputComparison, ProgramSource, RequestId, RequestedLimits, RequestedProblem,
    Stop,
};
pub use documents::interchange::{Confidence, Direction, Fate, Interchange, Part, Remark};
pub use documents::listing::{ListedProblem, ListedSubmission, Listing};
pub use documents::mutation::{
    DataGap, FoundKill, GroupScore, HuntResult, Hunted, InvalidMutation, Kill, KillingInput,
    Method, MutantResult, MutantStatus, Mutation, MutationOverall, Score, ScoreInterval,
    SolutionScore, Totals,
};
pub use documents::search::{
    Behaviour, FoundInput, InputSize, InputTally, KnownRejection, SearchEnd, SearchResult,
    SlowestInput, Smallness,
};
pub use event::{Event, SCHEMA_VERSION};
pub use interaction::{Gap, Interaction, Message, Party};
pub use judge_model::{DifferenceKind, Position};
pub use lines::{LineError, MAX_LINE_BYTES, parse_known_line, parse_line, to_line};
pub use picture::Picture;
pub use progress::Progress;
pub use run::{
    Command, End, Host, HostFault, Input, LanguageUnavailable, PackageFault, PackageWarning,
    ProblemStarted, RunFinished, RunStarted, TimeLimitFrom, Toolchain,
};
#[cfg(feature = "schema")]
pub use schema::{grade_json_schema, json_schema};
pub use shard::{RunShard, ShardPart};
pub use state::{Counts, ProblemState, RunState, SubmissionState};
pub use submission::{
    CompileFinished, GroupFinished, NearLimit, Slowest, SourceFile, SubmissionFinished,
    SubmissionSkipped, SubmissionStarted, TestCaseFinished,
};

/// True for a number that is left out of the stream.
fn is_zero(number: &u64) -> bool {
    *number == 0
}
