//! Processes as `/proc` shows them (proc(5)): their numbers, resources and states.
//!
//! Responsible for reading, never for deciding. Files are found from a descriptor of `/proc`: a
//! zygote's own, or the host's.

mod address_spaces;
pub(crate) mod files;
pub(crate) mod state;
pub(crate) mod tree;
pub(crate) mod waiting;
