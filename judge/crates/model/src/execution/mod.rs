//! The execution of a program: what it is kept from, what bounds it, and what came of it.

mod isolation;
mod limits;
mod outcome;

pub use isolation::{
    Guarantee, Isolation, IsolationLevel, UnknownGuarantee, UnknownIsolationLevel,
};
pub use limits::{Limits, micros};
pub use outcome::{Limit, Outcome, SIGXFSZ, Termination, Usage, signal_name};
