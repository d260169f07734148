//! The commands for authors of packages: new problems, generated data, reviewed answers, further test cases.
//!
//! Responsible for nothing itself: each command has a module, and so has what they share. Must not know how data is made.

pub(crate) mod add;
pub(crate) mod addition;
pub(crate) mod generate;
mod generation;
pub(crate) mod new;
pub(crate) mod packages;
pub(crate) mod progress;
mod question;
mod review;
pub(crate) mod session;
