//! The execution of a program: its isolation, its limits and its outcome.

mod isolation;
mod limits;
mod outcome;

pub use isolation::{Guarantee, Isolation, IsolationLevel};
pub use limits::{Limits, micros};
pub use outcome::{Limit, Outcome, SIGXFSZ, Termination, Usage, signal_name};
