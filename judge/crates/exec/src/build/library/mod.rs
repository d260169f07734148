//! Libraries and headers that many programs share: they are compiled first and put next to the
//! sources of programs.
//!
//! Must not know what the programs are for.

pub(crate) mod headers;
pub(crate) mod rust_library;
pub mod testlib_source;
