//! The commands, a module each.
//!
//! Responsible for what each command does with packages, runner and reports. Must not parse arguments.

pub(crate) mod accept;
pub(crate) mod add;
pub(crate) mod check;
pub(crate) mod compare;
mod compare_report;
pub(crate) mod doctor;
mod entrants;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod judging;
pub(crate) mod list;
pub(crate) mod manual;
pub(crate) mod matrix;
pub(crate) mod merge;
pub(crate) mod missing;
pub(crate) mod mutate;
mod mutate_hunt;
mod mutate_report;
pub(crate) mod new;
pub(crate) mod report;
pub(crate) mod run;
mod search_teller;
pub(crate) mod statement;
mod statement_facts;
pub(crate) mod stress;
mod stress_document;
mod stress_report;
mod stress_sought;
pub(crate) mod submit;
pub(crate) mod testlib;
pub(crate) mod validate;
pub(crate) mod verify;
pub(crate) mod watch;
pub(crate) mod workshop;
