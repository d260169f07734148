//! The progress of a search for inputs. Shared by `judge stress` and the hunt of `judge mutate`.
//!
//! Responsible for where it is shown. Must not know what is looked for.

use judge_report::SearchBar;
use judge_stress::Step;

use crate::config::Config;

/// A bar for a search on a terminal, and lines elsewhere.
pub(crate) fn search_bar(config: &Config) -> SearchBar {
    SearchBar::new(config.progress_target(), config.terminal.look)
}

/// Shows how far a search is.
pub(crate) fn show(bar: &mut SearchBar, step: Step<'_>) {
    match step {
        Step::Looking { tally, elapsed, spent } => bar.show(tally, elapsed, spent),
        Step::TestCases => bar.test_cases(),
        Step::Minimizing => bar.minimizing(),
    }
}
