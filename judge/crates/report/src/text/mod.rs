//! Lines, columns, numbers and differences, escaped and cut to the width of a terminal.
//!
//! Must not know the meaning of the text.

pub(crate) mod bar;
pub(crate) mod cut;
pub(crate) mod diff;
pub(crate) mod escape;
pub(crate) mod line;
pub(crate) mod numbers;
pub(crate) mod pace;
pub(crate) mod page;
