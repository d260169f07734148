//! The types of judging: problems, test cases, submissions, limits, outcomes and verdicts.
//!
//! Responsible for the vocabulary that every other crate shares. Pure: no file system, environment,
//! clock or process. Must not know where a problem was read from, how a program is run, or how
//! anything is reported.
//!
//! # Example
//!
//! ```
//! use judge_model::{Expectation, Verdict};
//!
//! let rule = Expectation::of_directory("time_limit_exceeded").expect("the format knows this directory");
//! assert!(rule.permitted.contains(&Verdict::Accepted));
//! assert_eq!(rule.required, [Verdict::TimeLimitExceeded]);
//! assert_eq!(Verdict::TimeLimitExceeded.to_string(), "TLE");
//! ```

mod compare_options;
mod constants;
mod difference;
mod execution;
mod group;
mod index;
mod language;
mod names;
mod problem;
mod report;
mod score;
mod severity;
mod submission;
mod test_case;
mod verdict;

pub use compare_options::{CompareOptions, InvalidArgument};
pub use constants::{Constant, fill_in};
pub use difference::{DifferenceKind, Position};
pub use execution::{
    Guarantee, Isolation, IsolationLevel, Limit, Limits, Outcome, SIGXFSZ, Termination, Usage,
    micros, signal_name,
};
pub use group::{
    Aggregation, Grading, GroupSettings, LegacyGrading, LegacyGroup, Objective, ScoreSettings,
    StaticValidation, TestGroup,
};
pub use index::{ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex, TestGroupIndex};
pub use language::{
    CHECKTESTDATA, Language, LanguageFamily, LanguageId, Program, SCRIPT_LANGUAGES, Scripts, Tool,
};
pub use names::{UnknownName, find_by_name};
pub use problem::{FormatVersion, IncludedFiles, NamedFiles, OutputValidator, Problem};
pub use report::ReportKind;
pub use score::{Score, ScoreRange};
pub use severity::Severity;
pub use submission::{Expectation, Submission, TimeLimitUse};
pub use test_case::{OutputValidatorArgs, TestCase, natural};
pub use verdict::Verdict;
