//! The decisions of judging: what an outcome means, whether output is right, whether expectations are met.
//!
//! Pure: the same arguments give the same answer. Readers are passed in; no file system, environment, clock or process.
//! Must not know how a program was run, where data was read from, or how a decision is told.
//!
//! - [`classify`] turns the record of a submission's run into a verdict, or says that its output is to be compared;
//!   [`classify_validator`] and [`classify_input_validator`] read the record of a package's own program.
//! - [`classify_testlib`] reads a checker or interactor of testlib, [`testlib_report`] its report; [`testlib_rejects`]
//!   knows its end alone.
//! - [`compare()`] is the default output validator, in process.
//! - [`window`] and [`head_and_tail`] cut what a report shows out of large data.
//! - [`decide_interaction`] and [`next_pass`] decide where a validator talks with the submission or wants it run again.
//! - [`score_test`] gives a test case its score; [`Walk`] goes through the groups of a [`GroupTree`], says what is to be
//!   judged next and what all of it comes to.
//! - [`infer`] derives a time limit from measured runs, [`hold_against`] checks one, [`sensitive`] says when
//!   a little more time would make another verdict.
//! - [`full_score_remark`] says where a score is not what a directory of a legacy package promises.
//! - [`Rejections`] says what test cases are worth: which submissions that must be rejected they reject.
//! - [`check`] holds what came of a submission against what is expected of it.

mod classify;
mod compare;
mod excerpt;
mod expectation;
mod full_score;
mod group_result;
mod group_tree;
mod interaction;
mod legacy_grader;
mod test_score;
#[cfg(test)]
mod testing_groups;
mod testlib;
mod time_limit;
mod violation;
mod walk;
mod worth;

pub use classify::{
    Classification, InputValidatorDecision, TestLimits, ValidatorDecision, classify, classify_grader,
    classify_input_validator, classify_validator, near_limit,
};
pub use compare::{
    CompareOptions, Comparison, Difference, DifferenceKind, Excerpt, InvalidArgument, Position, compare,
};
pub use excerpt::{HeadAndTail, WindowLine, head_and_tail, window};
pub use expectation::{Results, TestResult, check, check_compile_error, is_settled};
pub use full_score::full_score_remark;
pub use group_result::GroupResult;
pub use group_tree::GroupTree;
pub use interaction::{EndedFirst, InteractionDecision, PassDecision, decide_interaction, next_pass};
pub use legacy_grader::{Graded, default_grader, grader_answer, grader_input};
pub use test_score::{ScoreFiles, ScoreRule, score_test};
pub use testlib::{TestlibOutcome, TestlibReport, classify_testlib, testlib_rejects, testlib_report};
pub use time_limit::{InferredTimeLimit, Sides, TimeLimitFault, TimedRun, hold_against, infer, sensitive, sides};
pub use violation::{Violation, ViolationKind};
pub use walk::{Counted, Step, Walk, WalkResult};
pub use worth::{Cover, Redundant, Rejections, Worth, must_be_rejected, rejects};
