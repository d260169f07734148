//! `generators.yaml`: the plan, and the programs that make each part of it.
//!
//! Must not know where the made files go.

pub(crate) mod command;
pub(crate) mod input;
pub(crate) mod matching;
pub(crate) mod origins;
pub(crate) mod plan;
