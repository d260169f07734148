//! The decisions of judging: the verdict of an outcome, the correctness of output, and the
//! fulfilment of expectations.
//!
//! Pure: the same arguments give the same answer. Readers are passed in; there is no file system,
//! environment, clock or process. Must not know how a program was run, where data was read from, or
//! how a decision is reported.
//!
//! - [`classify`] turns the record of a submission's run into a verdict, or decides that its
//!   output must be compared; [`classify_validator`] and [`classify_input_validator`] read the
//!   record of a package's own program.
//! - [`classify_testlib`] reads the record of a testlib checker or interactor, [`testlib_report`]
//!   its report; [`testlib_rejects`] uses only its termination.
//! - [`Confirmation`] decides which results are run again, alone.
//! - [`compare()`] is the default output validator, in process.
//! - [`window`] extracts the lines that a report shows from large data.
//! - [`decide_interaction`] and [`next_pass`] decide if a validator talks with the submission or
//!   requests another pass.
//! - [`Walk`] goes through the groups of a [`GroupTree`], and determines the next test case and
//!   the result.
//! - [`infer`] derives a time limit from measured runs, [`too_short`] and [`too_long`] check one,
//!   [`sensitive`] decides whether a little more time would change the verdict.
//! - [`full_score_remark`] reports a score that contradicts a directory of a legacy package.
//! - [`Rejections`] assesses test cases: which of the submissions that must be rejected they
//!   reject.
//! - [`check`] compares the results of a submission with its expectations.
//!
//! # Example
//!
//! ```
//! use judge_grading::{CompareOptions, Comparison, compare};
//!
//! let tolerant = CompareOptions { float_absolute: Some(1e-6), ..CompareOptions::default() };
//! let (answer, output) = ("0.5 yes\n", "0.5000001   YES");
//! assert_eq!(compare(&tolerant, answer.as_bytes(), output.as_bytes())?, Comparison::Accepted);
//! assert_ne!(compare(&CompareOptions::default(), answer.as_bytes(), output.as_bytes())?, Comparison::Accepted);
//! # Ok::<(), std::io::Error>(())
//! ```

mod classify;
mod compare;
mod confirmation;
mod excerpt;
mod expectation;
mod groups;
mod interaction;
mod redundancy;
mod test_score;
mod testlib;
mod time_limit;

pub use classify::{
    ACCEPT_CODE, Classification, INPUT_VALIDATOR_CODES, InputValidatorDecision, REJECT_CODE,
    TestLimits, ValidatorCodes, ValidatorDecision, classify, classify_grader,
    classify_input_validator, classify_validator,
};
pub use compare::{CompareOptions, Comparison, InvalidArgument, Mismatch, Place, compare};
pub use confirmation::{
    Attempt, Confirmation, Decision, Evidence, HostDelay, KILL_AT, Reason, near_limit, wall_limit,
};
pub use excerpt::{WindowLine, window};
pub use expectation::{Results, TestCaseVerdict, check, check_compile_error, is_settled};
pub use groups::full_score::full_score_remark;
pub use groups::result::{GroupResult, ignores_samples};
pub use groups::tree::{Extent, GroupTree};
pub use groups::walk::{CountedResult, Step, Walk, WalkResult};
pub use interaction::{
    EndedFirst, InteractionDecision, PassDecision, PassTimes, decide_interaction, next_pass,
};
pub use redundancy::{Cover, Redundant, Rejections, must_be_accepted, must_be_rejected};
pub use test_score::ScoreFiles;
pub use testlib::{
    TestlibOutcome, TestlibReport, classify_testlib, testlib_rejects, testlib_report,
};
pub use time_limit::{
    InferredTimeLimit, Sides, TimedRun, infer, sensitive, sides, too_long, too_short,
};
