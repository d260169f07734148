//! Limits, directories and users, which slots share with the host where they have no namespaces of
//! their own.
//!
//! Must not know how a run is ordered or watched.

pub(crate) mod ceilings;
pub(crate) mod scratch;
pub(crate) mod user;
