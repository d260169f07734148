//! Problems as Competitive Companion sends them.
//!
//! Responsible for their shape (<https://github.com/jmerle/competitive-companion>). Must not know what becomes of them.

use serde::Deserialize;

/// A problem: its samples, and what its page says about it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Companion {
    pub(crate) name: String,
    /// The contest or category.
    #[serde(default)]
    pub(crate) group: String,
    /// The address of the page.
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) interactive: bool,
    /// The memory limit in MiB.
    pub(crate) memory_limit: Option<f64>,
    /// The time limit in milliseconds.
    pub(crate) time_limit: Option<f64>,
    pub(crate) tests: Vec<CompanionTest>,
}

/// A sample.
#[derive(Deserialize)]
pub(crate) struct CompanionTest {
    pub(crate) input: String,
    pub(crate) output: String,
}
