//! Watching a run from the zygote, and the record of its end.
//!
//! Must not know what an end means.

pub(crate) mod record;
pub(crate) mod run;
