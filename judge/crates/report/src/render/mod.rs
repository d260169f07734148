//! Reports of a run in the formats of other programs.
//!
//! Responsible for the formats, each a pure function of the run's state, so that a stored run has
//! the same reports as the original. Must not know where a report goes. A new kind needs a file
//! here, a line in `render`, and one in `judge_model::ReportKind`.

mod compile_place;
mod evidence;
mod github;
mod gitlab;
mod html;
mod junit;
mod markdown;
mod matrices;
mod notice;
mod sarif;
mod short;
mod xml;

use std::io::Write;

use judge_event::RunState;
use judge_model::ReportKind;

use crate::{JsonLines, ReportSettings, Reporter, View};
use matrices::Matrices;

pub use github::{resume_commands, stop_commands};

/// True for a kind that is written as events arrive, and not from the state at the end: the event
/// stream, and the matrix of each problem.
#[must_use]
pub fn is_live(kind: ReportKind, view: View) -> bool {
    kind == ReportKind::Json || (kind == ReportKind::Markdown && view == View::Matrix)
}

/// Returns the reporter of a live kind.
#[must_use]
pub fn live_reporter(kind: ReportKind, writer: Box<dyn Write + Send>) -> Box<dyn Reporter> {
    match kind {
        ReportKind::Json => Box::new(JsonLines::new(writer)),
        _ => Box::new(Matrices::new(writer)),
    }
}

/// Renders the complete report of this kind.
#[must_use]
pub fn render(kind: ReportKind, state: &RunState, settings: &ReportSettings) -> String {
    match kind {
        // Written as events arrive: see `live_reporter`.
        ReportKind::Json => String::new(),
        ReportKind::Junit => junit::render(state),
        ReportKind::Markdown => markdown::render(state),
        ReportKind::Github => github::render(state, settings),
        ReportKind::Gitlab => gitlab::render(state, settings),
        ReportKind::Sarif => sarif::render(state, settings),
        ReportKind::Html => html::render(state),
        ReportKind::Short => short::render(state),
    }
}
