//! From sources to programs: languages, toolchains, compiling, and the library of validators and
//! generators.
//!
//! Must not know the test cases of a program or the check of its output.

pub(crate) mod bounds;
pub(crate) mod command;
pub(crate) mod compile;
pub(crate) mod compiled;
mod compiler_run;
pub(crate) mod lazy_slot;
pub(crate) mod library;
mod linking;
pub(crate) mod places;
pub(crate) mod prepare;
pub(crate) mod program;
mod program_parts;
pub(crate) mod sources;
pub(crate) mod toolchain;
pub(crate) mod warm;

pub use library::headers::leading_includes;
pub use library::testlib_source;
pub use sources::{has_plain_testlib, uses_plain_testlib};
