//! The commands for authors of packages: new problems, generated data, reviewed answers, further
//! test cases.

pub(crate) mod add;
pub(crate) mod generate;
pub(crate) mod new;
mod review;
pub(crate) mod session;
