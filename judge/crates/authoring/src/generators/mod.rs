//! `generators.yaml`: the plan, and the programs that produce its parts.
//!
//! Must not know where the produced files are written.

pub(crate) mod command;
pub(crate) mod input;
pub(crate) mod matching;
pub(crate) mod origins;
pub(crate) mod plan;
