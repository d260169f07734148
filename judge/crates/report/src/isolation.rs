//! The isolation of a run in words.
//!
//! Responsible for naming what it does not guarantee. Must not decide whether that matters.

use judge_model::Isolation;

use crate::text::line::{Line, Tone};
use crate::text::page::Page;

/// The isolation in a few words.
pub(crate) fn isolation(isolation: &Isolation) -> String {
    match isolation.cgroup_version {
        Some(version) => format!("isolation {} (cgroup v{version})", isolation.level),
        None => format!("isolation {}", isolation.level),
    }
}

/// Names what the isolation does not guarantee. Printed at every verbosity: a missing protection is
/// never silent.
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
