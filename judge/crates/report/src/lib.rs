//! Reports of runs, for people and programs.
//!
//! Responsible for all output of a run: the terminal report, the JSON Lines stream, the reports for
//! CI systems, listings and the doctor's findings. It receives events, settings and writers. Must
//! not run, read or decide anything: no files, no environment, no verdicts.
//!
//! Terminal text is for people and may change at any time; programs read [`JsonLines`] and the
//! `to_json` of listings and findings.
//!
//! # Example
//!
//! ```
//! use judge_event::{RunState, parse_line};
//! use judge_model::ReportKind;
//! use judge_report::{ReportSettings, render};
//!
//! let mut state = RunState::default();
//! for line in [
//!     r#"{"event":"check_started","schema":1,"judge_version":"0.1.0","profile":"default","packages":1}"#,
//!     r#"{"event":"finding","problem":"sum","code":"JP302","severity":"warning","file":"sum/data/secret/2.in","message":"twice"}"#,
//! ] {
//!     state.apply(&parse_line(line, 1)?);
//! }
//! let report = render(ReportKind::Github, &state, &ReportSettings::default());
//! assert!(report.starts_with("::warning file=sum/data/secret/2.in,line=1,title="), "{report}");
//! # Ok::<(), judge_event::LineError>(())
//! ```

mod commands;
mod conversation;
mod detail;
mod explanation;
mod hints;
mod isolation;
mod json_lines;
mod render;
mod reporter;
mod settings;
mod summary;
mod terminal;
mod text;

pub use commands::acceptance::AcceptReport;
pub use commands::addition::AdditionReport;
pub use commands::answer_change::AnswerChange;
pub use commands::comparison::ComparisonReport;
pub use commands::doctor::DoctorReport;
pub use commands::generation::Generation;
pub use commands::interchange::{FileChanges, InterchangeReport};
pub use commands::listing::ListingReport;
pub use commands::mutation::{MutationOverallReport, MutationReport};
pub use commands::new_problem::NewProblem;
pub use commands::search::SearchReport;
pub use commands::search::bar::SearchBar;
pub use commands::trial::TrialReport;
pub use commands::work_bar::WorkBar;
pub use detail::{explained_ending, verdict_reason};
pub use explanation::Explanation;
pub use indicatif::ProgressDrawTarget;
pub use json_lines::JsonLines;
pub use render::{is_live, live_reporter, render, resume_commands, stop_commands};
pub use reporter::Reporter;
pub use settings::{ReportSettings, Verbosity, View};
pub use terminal::{Terminal, TerminalSettings};
pub use text::bar::ProgressTarget;
pub use text::escape::printable_lines;
pub use text::line::broken_lines;
pub use text::numbers::noun;
pub use text::page::Look;
