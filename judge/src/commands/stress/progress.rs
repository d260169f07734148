//! The progress of a search for inputs. Shared by `judge stress` and the hunt of `judge mutate`.
//!
//! Responsible for where it is shown. Must not know what is looked for.

use std::io;

use judge_report::{SearchBar, Verbosity, bar_target};
use judge_stress::Step;

use crate::config::Config;

/// A bar for a search on a terminal, and lines elsewhere.
pub(crate) fn search_bar(config: &Config) -> SearchBar {
    let target = bar_target(config.progress);
    let has_lines = !config.progress && config.terminal.verbosity != Verbosity::Quiet;
    SearchBar::new(target, config.terminal.look, has_lines.then(|| Box::new(io::stderr()) as _))
}

/// Shows how far a search is.
pub(crate) fn show(bar: &mut SearchBar, step: Step<'_>) {
    match step {
        Step::Looking { tally, elapsed, spent } => bar.show(tally, elapsed, spent),
        Step::TestCases => bar.test_cases(),
        Step::Minimizing => bar.minimizing(),
    }
}
