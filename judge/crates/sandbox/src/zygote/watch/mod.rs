//! Watching a run from the zygote: its processes, what they wait for, and the record of their end.
//!
//! Must not know what an end means.

mod address_spaces;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod tree;
pub(crate) mod waiting;
