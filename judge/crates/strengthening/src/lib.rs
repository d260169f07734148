//! Strengthening test data: inputs that tell submissions apart, found and made small.
//!
//! Responsible for drawing inputs from the generators of a package, for changing its test cases, for looking among them
//! for one that a submission fails, and for shrinking what was found. Programs are run by the runner. Must not know
//! packages, command lines, or how any of it is told.
//!
//! What is drawn, changed, looked for and taken out is decided in pure modules; `searching`, `making_small` and `stand`
//! run things.
//!
//! # For one more program
//!
//! ```no_run
//! # use judge_strengthening::{Finder, Ground, Hunt, Means, Search, SmallFinding, StrengtheningError};
//! # use std::time::Duration;
//! /// An input that a submission fails, made small; `index` is that of the submission in the plan of the ground.
//! fn killing_input(ground: Ground, means: &Means<'_>, index: usize) -> Result<Option<SmallFinding>, StrengtheningError> {
//!     let mut hunt = Hunt::open(ground, means)?;
//!     // Or `let index = hunt.enter(entrant);` for a program that was made ready elsewhere.
//!     hunt.ready(index)?.map_err(StrengtheningError::Package)?;
//!     let finder = Finder::fails(index);
//!     let time = Duration::from_secs(10);
//!     let searched = hunt.search(&Search::within(time, &finder, 1), &mut |_, _| {})?;
//!     Ok(hunt.make_small(&searched.findings, &finder, time)?.pop())
//! }
//! ```

mod class;
mod finder;
mod hunting;
mod making_small;
mod mutation;
mod parts;
mod random;
mod search;
mod searching;
mod shrinking;
mod source;
mod stand;
mod sweep;
mod template;
mod text;

pub use class::FailureClass;
pub use finder::Finder;
pub use hunting::{Ground, Hunt, Means, StrengtheningError};
pub use making_small::SmallFinding;
pub use search::{Finding, Origin, Search, SearchEnd, Searched, Tally};
pub use shrinking::{Answer, Shrunk, is_one_minimal, shrink};
pub use stand::Seen;
pub use sweep::{Killer, Sweep, Swept};
pub use template::{Call, SEED, Template, learn, read as read_template};
