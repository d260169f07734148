//! The store: programs and results that are cached between runs.
//!
//! Must not know how they were produced.

pub(crate) mod checksum;
pub(crate) mod content;
pub(crate) mod fingerprint;
pub(crate) mod host;
mod in_progress;
pub(crate) mod inspections;
pub(crate) mod key;
pub(crate) mod programs;
pub(crate) mod rejected;
pub(crate) mod results;
pub(crate) mod settings;
pub(crate) mod staging;
pub(crate) mod trimming;
