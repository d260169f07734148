//! The levels without namespaces of their own: directories and users that are shared with the host.
//!
//! Must not know how a run is ordered or watched.

pub(crate) mod ceilings;
mod own_copy;
pub(crate) mod remove_tree;
pub(crate) mod scratch;
pub(crate) mod unconfined;
pub(crate) mod user;
