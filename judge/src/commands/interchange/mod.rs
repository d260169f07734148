//! The commands that bring problems from other formats into packages.
//!
//! Must not know what any format says.

pub(crate) mod foreign;
pub(crate) mod import;
