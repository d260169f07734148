//! What slots share with the host where they have no namespaces of their own: limits, directories and users.
//!
//! Must not know how a run is ordered or watched.

pub(crate) mod ceilings;
pub(crate) mod scratch;
pub(crate) mod user;
