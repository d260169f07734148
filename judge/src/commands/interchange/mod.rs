//! The commands that bring problems from other formats into packages, and packages to other judges.

pub(crate) mod foreign;
pub(crate) mod import;
pub(crate) mod pack;
pub(crate) mod upgrade;
