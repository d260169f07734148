//! Strengthening test data: inputs that tell submissions apart, found and made small.
//!
//! Responsible for drawing inputs from the generators of a package, for changing its test cases, for looking among them
//! for one that a submission fails, and for shrinking what was found. Programs are run by the runner. Must not know
//! packages, command lines, or how any of it is rendered.
//!
//! Pure modules decide what is drawn, changed, searched for and taken out; `searching`, `minimize` and `search_worker`
//! run things.
//!
//! # For one more program
//!
//! ```no_run
//! # use judge_exec::{Environment, Session};
//! # use judge_model::SubmissionIndex;
//! # use judge_stress::{Finder, SearchSpec, Hunt, Search, MinimizedFinding, StressError};
//! # use std::time::Duration;
//! /// An input that a submission fails, made small; `index` is that of the submission in the problem.
//! fn killing_input(
//!     spec: SearchSpec<'_>,
//!     (session, environment): (&Session, &Environment),
//!     index: SubmissionIndex,
//! ) -> Result<Option<MinimizedFinding>, StressError> {
//!     let mut hunt = Hunt::open(spec, session, environment)?;
//!     // Or `let index = hunt.enter(prepared);` for a program that was made ready elsewhere.
//!     hunt.ready(index)?;
//!     let finder = Finder::fails(index);
//!     let time = Duration::from_secs(10);
//!     let searched = hunt.search(&Search::within(time, &finder, 1), &mut |_, _| {})?;
//!     Ok(hunt.minimize(&searched.findings, &finder, time)?.pop())
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
//! // A submission that fails whenever there is a negative number.
//! let mut ask = |input: &[u8]| {
//!     let numbers = String::from_utf8_lossy(input);
//!     let fails = numbers.split_whitespace().any(|number| number.starts_with('-'));
//!     Ok::<_, Infallible>(Some(if fails { Answer::Same } else { Answer::Gone }))
//! };
//! let Ok(shrunk) = shrink(b"3 -77 12\n5 6\n", &mut ask);
//! assert!(shrunk.input.starts_with(b"-") && shrunk.input.len() <= 4, "{shrunk:?}");
//! ```

mod failure_class;
mod finder;
mod hunting;
mod inputs;
mod minimize;
mod outcome;
mod saving;
mod search;
mod search_worker;
mod searching;
mod sweep;
mod target;
mod test_cases;

pub use failure_class::FailureClass;
pub use finder::Finder;
pub use hunting::{Hunt, SearchSpec, StressError};
pub use inputs::costs::{CostSetting, Costs};
pub use inputs::shrinking::{Answer, Shrunk, is_one_minimal, shrink};
pub use inputs::template::{Call, GeneratorIndex, SEED, Template, learn, read as read_template};
pub use minimize::MinimizedFinding;
pub use outcome::{NOT_VALIDATED, NOTHING_JUDGED, Step};
pub use saving::{Occupied, make_directory, save};
pub use search::{Finding, Origin, Search, Searched};
pub use search_worker::Seen;
pub use sweep::{Killer, Sweep, Swept};
pub use target::{InputSources, KnownCall, Target, Wish, add_placeholder, with_constants};
