//! Descriptions of the isolation of a run.
//!
//! Responsible for listing missing guarantees. Must not decide whether they matter.

use judge_model::Isolation;

use crate::text::line::{Line, Tone};
use crate::text::page::Page;

/// Describes the isolation briefly.
pub(crate) fn isolation(isolation: &Isolation) -> String {
    match isolation.cgroup_version {
        Some(version) => format!("isolation {} (cgroup v{version})", isolation.level),
        None => format!("isolation {}", isolation.level),
    }
}

/// Renders the guarantees that the isolation lacks. Printed at every verbosity, because missing
/// protection must be visible.
pub(crate) fn gaps(page: &mut Page, isolation: &Isolation) {
    if !isolation.gaps.is_empty() {
        let gaps: Vec<&str> = isolation.gaps.iter().map(|gap| gap.describe()).collect();
        let start = Line::default().with(Tone::Warn, "! ");
        let text = format!(
            "isolation {}, not guaranteed: {}",
            isolation.level,
            gaps.join("; ")
        );
        page.wrapped_after(start, 4, Tone::Warn, &text);
    }
}
