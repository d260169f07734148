//! Reports: what a run has come to, as a text of its own in a form that others read.
//!
//! Responsible for the forms, each a pure function of the run's state: what a stored run is told as is what was told
//! when it ran. Must not know where a report goes.

mod compile_place;
mod evidence;
mod github;
mod gitlab;
mod html;
mod junit;
mod markdown;
mod notice;
mod sarif;
mod short;
mod xml;

use judge_event::RunState;
use judge_model::ReportKind;

pub(crate) use html::{of_comparison as html_of_comparison, of_mutation as html_of_mutation};

pub use github::{resume_commands, stop_commands};

/// The settings of a report that do not follow from the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportSettings {
    /// The prefix that makes a file's place in the workspace its place in the repository: empty, or with a slash at its
    /// end.
    pub prefix: String,
}

/// The report of this kind, whole.
#[must_use]
pub fn render(kind: ReportKind, state: &RunState, settings: &ReportSettings) -> String {
    match kind {
        ReportKind::Junit => junit::render(state),
        ReportKind::Markdown => markdown::render(state),
        ReportKind::Github => github::render(state, settings),
        ReportKind::Gitlab => gitlab::render(state, settings),
        ReportKind::Sarif => sarif::render(state, settings),
        ReportKind::Html => html::render(state),
        ReportKind::Short => short::render(state),
    }
}
