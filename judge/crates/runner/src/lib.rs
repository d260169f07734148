//! The runner: plans, compiles, runs and cancels, and emits events in package order.
//!
//! Responsible for turning a plan into a stream of events: many programs run, and one place orders
//! the events. Must not know where packages come from or how events are rendered.
//!
//! Workers are threads, each with its own sandbox slots. They take jobs from a shared schedule. The
//! dispatcher is an asynchronous loop that receives their reports and the signals, and hands work
//! to the schedule.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use judge_event::RunState;
//! use judge_exec::{Environment, Toolchain, Toolchains};
//! use judge_fixtures::{FakeSandbox, script_language};
//! use judge_model::{Expectation, FormatVersion, LanguageId, Problem, Submission, TestCase, Verdict};
//! use judge_runner::{Plan, PlannedProblem, RunSettings, run};
//! use judge_sandbox::CancelToken;
//!
//! # let directory = tempfile::tempdir()?;
//! # let file = |name: &str, text: &str| {
//! #     let path = directory.path().join(name);
//! #     std::fs::write(&path, text).map(|()| path)
//! # };
//!
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
//! let planned = PlannedProblem::new(Arc::new(problem), "problems/sum".to_owned(), Duration::from_secs(1));
//! let plan = Plan { problems: vec![planned], fail_fast: true, ..Plan::default() };
//! // A stand-in whose programs are texts: `1 print 4` writes 4 when the input is `1.in`.
//! let toolchain = Toolchain { language: script_language(), tools: Vec::new(), mounts: Vec::new() };
//! let environment = Environment {
//!     toolchains: Toolchains::known(vec![toolchain]),
//!     sandbox: Arc::new(FakeSandbox::default()),
//!     cache_dir: directory.path().join("cache"),
//!     jobs: 2,
//!     cores: Vec::new(),
//!     judge_version: "1".to_owned(),
//!     cancel: CancelToken::new()?,
//!     stores: None,
//! };
//! let mut state = RunState::default();
//! run(plan, &environment, &RunSettings::default(), &mut state)?;
//! let finished = state.problems[0].submissions[0].finished.as_ref().expect("it was judged");
//! assert_eq!((finished.verdict, finished.as_expected), (Verdict::WrongAnswer, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dispatcher;
mod interrupt;
mod job_places;
mod jobs;
mod lanes;
mod limits;
mod observer;
mod order;
mod outlook;
mod plan;
mod run;
mod schedule;
mod shared;
mod signals;
mod work;
mod worker;

pub use interrupt::Interrupts;
pub use lanes::Lanes;
pub use observer::Observer;
pub use plan::{Inference, Margins, NotInferred, Plan, PlannedProblem, Skipping, TimeLimitSource};
pub use run::{Origin, RunSettings, infer_time_limits, run};
pub use signals::{is_interrupted, when_overdue};
