//! One program, one test case, one result: compiling, running in slots of the sandbox, judging, and
//! the requests to the package's own programs.
//!
//! Responsible for the result of a single piece of work, and for caching programs and results.
//! Blocking. Must not know in which order work is done, what is expected of a submission or how
//! anything is rendered.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use judge_exec::{Environment, Session, TimeLimit, TimedProblem, Toolchain, Toolchains};
//! use judge_fixtures::{FakeSandbox, script_language};
//! use judge_model::{
//!     Expectation, FormatVersion, LanguageId, Problem, ProblemIndex, Submission, SubmissionIndex, SubmissionPlace, TestCase,
//!     TestCaseIndex, Verdict,
//! };
//! use judge_sandbox::CancelToken;
//!
//! # let directory = tempfile::tempdir()?;
//! # let file = |name: &str, text: &str| {
//! #     let path = directory.path().join(name);
//! #     std::fs::write(&path, text).map(|()| path)
//! # };
//!
//! // A stand-in whose programs are texts: `1 print 4` writes 4 when the input is `1.in`.
//! let toolchain = Toolchain { language: script_language(), tools: Vec::new(), mounts: Vec::new() };
//! let environment = Environment {
//!     toolchains: Toolchains::known(vec![toolchain]),
//!     sandbox: Arc::new(FakeSandbox::default()),
//!     cache_dir: directory.path().join("cache"),
//!     jobs: 1,
//!     cores: Vec::new(),
//!     judge_version: "1".to_owned(),
//!     cancel: CancelToken::new()?,
//!     stores: None,
//! };
//! let problem = Problem {
//!     submissions: vec![Submission {
//!         id: "wrong_answer/a".to_owned(),
//!         path: file("a.script", "1 print 4\n")?,
//!         sources: vec!["a.script".into()],
//!         language: Some(LanguageId("script".into())),
//!         expectations: Expectation::of_directory("wrong_answer").into_iter().collect(),
//!         ..Submission::default()
//!     }],
//!     test_cases: vec![TestCase {
//!         id: "secret/1".to_owned(),
//!         input: file("1.in", "1 2\n")?,
//!         answer: file("1.ans", "3\n")?,
//!         ..TestCase::default()
//!     }],
//!     ..Problem::new("sum", directory.path().to_owned(), FormatVersion::V2025_09)
//! };
//! let time_limit = Duration::from_secs(1);
//! let problem = TimedProblem { name: "sum".to_owned(), problem: Arc::new(problem), time_limit };
//! let session = Session::open(vec![problem], &environment, false)?;
//! let mut worker = session.worker(None);
//! let place = SubmissionPlace { problem: ProblemIndex(0), submission: SubmissionIndex(0) };
//! let prepared = worker.prepare_submission(place).expect("it compiles, and its output can be judged");
//! let run = worker.test_run(&prepared, TestCaseIndex(0), TimeLimit { time_limit, kill_at: 1.35 })?;
//! let (_, result) = worker.judge(place, run)?;
//! assert_eq!(result.expect("it was not cancelled").verdict, Verdict::WrongAnswer);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod crew;
mod error;
mod fault;
#[cfg(feature = "fuzzing")]
mod fuzzing;
mod interpreters;
mod jury;
mod random;
mod session;
mod slot_pool;
mod store;
mod testcase;
mod warm_slot;
mod xml;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use build::bounds::Bound;
pub use build::compile::Trust;
pub use build::compiled::Compiled;
pub use build::program::Runnable;
pub use build::sources::{shown_by_author, source_remark};
pub use build::toolchain::{
    FoundTool, ToolRestrictions, Toolchain, Toolchains, Unavailable, is_installed,
};
pub use build::{has_plain_testlib, leading_includes, testlib_source, uses_plain_testlib};
pub use crew::Crew;
pub use error::ExecError;
pub use fault::{Fault, Refusal, split_hint};
#[cfg(feature = "fuzzing")]
pub use fuzzing::read_kept_results;
pub use interpreters::Interpreters;
pub use judge_checktestdata::Reach;
pub use judge_files::regular_file;
pub use judge_grading::{
    INPUT_VALIDATOR_CODES, InputValidatorDecision, ValidatorDecision, must_be_accepted,
};
pub use jury::grader::{GroupQuestion, StaticValidation};
pub use jury::validator_requests::{Data, InputQuestion, InputReply, OutputQuestion, OutputReply};
pub use jury::visualizer::{Feedback, Illustration, Pictures};
pub use random::Random;
pub use session::TimeLimit;
pub use session::adhoc::{AdhocInput, Trial};
pub use session::environment::{Environment, SharedStores};
pub use session::generator::{GeneratedData, Generation, ReadyProgram};
pub use session::patched_program::PatchedProgram;
pub use session::questions::{ReadyInputValidator, ReadyOutputValidators};
pub use session::samples::recording::Recording;
pub use session::samples::replay::{ReplayResult, SamplePass};
pub use session::submissions::PreparedSubmission;
pub use session::testing_tool::{ReadyTestingTool, ToolPartner, ToolReply};
pub use session::warm_submission::SubmissionResult;
pub use session::worker::Worker;
pub use session::{Session, TimedProblem};
pub use slot_pool::SlotPool;
pub use store::host::HostFacts;
pub use store::inspections::CachedInspection;
pub use store::results::Results;
pub use store::settings::StoreSettings;
pub use testcase::result::TestResult;
pub use testcase::sample_record::same_conversation;
pub use testcase::test_run::{OutputCheck, TestRun};
pub use warm_slot::Start;
pub use xml::{XmlError, read_untrusted_xml};

/// Locks a value that a panic never leaves half-changed.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
