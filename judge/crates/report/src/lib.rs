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

mod conversation;
mod detail;
mod explanation;
mod isolation;
mod json_lines;
mod render;
mod reporter;
mod settings;
mod summary;
mod terminal;
mod text;
mod verbs;

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
pub use verbs::acceptance::AcceptReport;
pub use verbs::addition::AdditionReport;
pub use verbs::answer_change::AnswerChange;
pub use verbs::comparison::ComparisonReport;
pub use verbs::doctor::DoctorReport;
pub use verbs::generation::Generation;
pub use verbs::interchange::{FileChanges, InterchangeReport};
pub use verbs::listing::ListingReport;
pub use verbs::mutation::{MutationOverallReport, MutationReport};
pub use verbs::new_problem::NewProblem;
pub use verbs::search::SearchReport;
pub use verbs::search::bar::SearchBar;
pub use verbs::trial::TrialReport;
pub use verbs::work_bar::WorkBar;
