//! Tells people and machines what happened.
//!
//! Responsible for every text that is read after a run: the terminal report, the JSON Lines stream, the reports that CI
//! systems read, listings and the doctor's findings. It gets events and settings and writes to the writers that it is given. Must not run, read or
//! decide anything: no files, no environment, no verdicts.
//!
//! Terminal text is for people and may change at any time; what machines read is [`JsonLines`] and the `to_json` of
//! listings and findings.

mod addition;
mod answer_change;
mod bar;
mod comparison;
mod conversation;
mod cut;
mod detail;
mod diff;
mod doctor;
mod escape;
mod explanation;
mod generation;
mod json_lines;
mod line;
mod listing;
mod markdown;
mod matrix;
mod mutation;
mod new_problem;
mod numbers;
mod page;
mod render;
mod reporter;
mod scatter;
mod search;
mod settings;
mod summary;
mod terminal;

pub use addition::{Addition, Others, Rejection};
pub use answer_change::AnswerChange;
pub use comparison::{CandidateReport, ComparedRow, ComparisonReport};
pub use doctor::{Attempt, DoctorReport, FixHint, InstructionCounting, TimingWarning, ToolchainLine};
pub use escape::printable_lines;
pub use explanation::Explanation;
pub use generation::Generation;
pub use indicatif::ProgressDrawTarget;
pub use json_lines::JsonLines;
pub use listing::{ListedProblem, ListedSubmission, Listing};
pub use markdown::Markdown;
pub use mutation::{MutationReport, SurvivorReport};
pub use new_problem::NewProblem;
pub use page::Look;
pub use render::{ReportSettings, render, resume_commands, stop_commands};
pub use reporter::Reporter;
pub use scatter::ScatterPoint;
pub use search::{FoundInput, SearchBar, SearchProgress, SearchReport};
pub use settings::{Verbosity, View};
pub use terminal::{Terminal, TerminalSettings};
