//! From sources to programs: languages, toolchains, compiling, and the library of validators and generators.
//!
//! Must not know which test case a program meets, nor what its output is held against.

pub(crate) mod bounds;
pub(crate) mod command;
pub(crate) mod compile;
pub(crate) mod constants;
pub(crate) mod lazy_slot;
pub(crate) mod places;
pub(crate) mod prepare;
pub(crate) mod program;
mod program_parts;
pub(crate) mod rust_library;
pub(crate) mod sources;
pub mod testlib_source;

pub(crate) mod toolchain;
pub(crate) mod warm;

pub use sources::uses_plain_testlib;
