//! Processes as `/proc` shows them (proc(5)): their numbers, resources and states.
//!
//! Responsible for reading only, not for decisions. Files are opened relative to a descriptor of
//! `/proc`: a zygote's own, or the host's.

mod address_spaces;
pub(crate) mod files;
pub(crate) mod state;
pub(crate) mod tree;
pub(crate) mod waiting;
