//! Strengthening test data: searching for inputs on which submissions fail or differ, and
//! minimizing them.
//!
//! Responsible for drawing inputs from the generators of a package, for mutating its test cases,
//! for searching for an input on which a submission fails, and for shrinking it. Must not know
//! packages, command lines, or how anything is rendered.
//!
//! | module | responsible for |
//! |---|---|
//! | `target`, `predicate` | the submissions that take part, and the condition that an input must meet |
//! | `input_sources`, `inputs` | input number N: drawn from a generator or mutated from a test case; shrinking. Pure |
//! | `session` | the problem with all programs prepared |
//! | `worker` | one thread: creates an input, validates it, runs submissions on it |
//! | `search` | many inputs on many threads, until a limit |
//! | `sweep` | searches in a row, until every submission has failed |
//! | `minimize` | smaller inputs with the same failure |
//! | `document`, `save` | the result for `judge stress`, and files |
//!
//! # Searching for a failure of one program
//!
//! ```no_run
//! # use judge_exec::{Environment, Session};
//! # use judge_model::SubmissionIndex;
//! # use judge_stress::{MinimizedFinding, Predicate, Search, SearchSession, SearchSpec, StressError};
//! # use std::time::Duration;
//! /// A minimal input that a submission fails. `index` is the index of the submission.
//! fn killing_input(
//!     spec: SearchSpec<'_>,
//!     (session, environment): (&Session, &Environment),
//!     index: SubmissionIndex,
//! ) -> Result<Option<MinimizedFinding>, StressError> {
//!     let mut search_session = SearchSession::open(spec, session, environment)?;
//!     search_session.prepare(index)?;
//!     let fails = Predicate::fails(index);
//!     let time = Duration::from_secs(10);
//!     let outcome = search_session.search(&Search::within(time, &fails, 1), &mut |_, _| {})?;
//!     Ok(search_session.minimize(&outcome.findings, &fails, time)?.pop())
//! }
//! ```
//!
//! # Example
//!
//! ```
//! use std::convert::Infallible;
//!
//! use judge_stress::{Answer, shrink};
//!
//! // A submission that fails on every input with a negative number.
//! let mut examine = |input: &[u8]| {
//!     let numbers = String::from_utf8_lossy(input);
//!     let fails = numbers.split_whitespace().any(|number| number.starts_with('-'));
//!     Ok::<_, Infallible>(Some(if fails { Answer::Same } else { Answer::Gone }))
//! };
//! let Ok(shrunk) = shrink(b"3 -77 12\n5 6\n", &mut examine);
//! assert!(shrunk.input.starts_with(b"-") && shrunk.input.len() <= 4, "{shrunk:?}");
//! ```

mod document;
mod error;
mod failure_class;
mod input_sources;
mod inputs;
mod minimize;
mod predicate;
mod save;
mod search;
mod session;
mod sweep;
mod target;
mod test_cases;
mod worker;

pub use document::Step;
pub use error::StressError;
pub use failure_class::FailureClass;
pub use input_sources::{InputSources, Origin, TestCaseCall, with_constants};
pub use inputs::costs::{CostSetting, Costs};
pub use inputs::shrinking::{Answer, ShrunkInput, shrink};
pub use minimize::{Killer, MinimizedFinding};
pub use predicate::Predicate;
pub use save::{Occupied, make_directory, save};
pub use search::{Finding, Search, SearchOutcome};
pub use session::{SearchSession, SearchSpec};
pub use sweep::{Sweep, SweepOutcome};
pub use target::{Target, TargetRequest, add_placeholder};
pub use worker::InputResult;
