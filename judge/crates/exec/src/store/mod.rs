//! Programs and results that are kept from one run to the next.
//!
//! Must not know how they came to be.

pub(crate) mod checksum;
pub(crate) mod content;
pub(crate) mod fingerprint;
pub(crate) mod host;
pub(crate) mod inspections;
pub(crate) mod key;
pub(crate) mod programs;
pub(crate) mod rejected;
pub(crate) mod results;
pub(crate) mod settings;
pub(crate) mod staging;
pub(crate) mod trimming;
