//! Severities of findings about packages.
//!
//! Responsible for the words and their order. Must not know the findings or their consequences.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The severity of a finding about a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Suspicious: it may be intended, or do harm elsewhere.
    Warning,
    /// Wrong: it breaks a rule, or makes verdicts unreliable.
    Error,
}

impl Severity {
    /// The severity as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_serialised_and_errors_weigh_more() {
        for severity in [Severity::Warning, Severity::Error] {
            assert_eq!(
                serde_json::to_value(severity).unwrap(),
                severity.to_string()
            );
        }
        assert!(Severity::Error > Severity::Warning);
    }
}
