//! The commands, one module each. Related ones share a directory.
//!
//! Responsible for what each command does with packages, runner and reports. Must not parse
//! arguments.

pub(crate) mod authoring;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod doctor;
mod document;
pub(crate) mod grade;
pub(crate) mod interchange;
pub(crate) mod judging;
pub(crate) mod list;
pub(crate) mod loose;
pub(crate) mod mutate;
pub(crate) mod print;
pub(crate) mod reporting;
pub(crate) mod selection;
mod since;
pub(crate) mod statement;
pub(crate) mod stress;
pub(crate) mod trial;
pub(crate) mod visualize;
pub(crate) mod watching;
