//! What is compiled before programs and put beside their sources: libraries and headers that many
//! of them share.
//!
//! Must not know what the programs are for.

pub(crate) mod headers;
pub(crate) mod rust_library;
pub mod testlib_source;
