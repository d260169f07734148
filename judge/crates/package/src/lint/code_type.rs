//! Codes: the stable names of what can be found in a package.
//!
//! Responsible for the shape of the catalogue and for looking codes up. The rows stand in `catalogue`. Must not check
//! anything.

use std::fmt;

use judge_model::Severity;

use super::catalogue::CATALOGUE;

/// The stable name of one kind of finding, such as `JP301`. A code never changes its meaning; one that goes out of use is
/// not given to anything else.
#[derive(Clone, Copy)]
pub struct Code(pub(super) &'static Row);

/// One row of the catalogue.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// `None`: only told where a profile asks for it.
    pub(super) severity: Option<Severity>,
    pub(super) title: &'static str,
    pub(super) why: &'static str,
    pub(super) mending: &'static str,
    pub(super) example: &'static str,
}

impl Code {
    /// Every code, in order.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut codes: Vec<Self> = CATALOGUE.to_vec();
        codes.sort_by_key(|code| code.id());
        codes
    }

    /// The code with this name; letter case does not count.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        CATALOGUE.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }

    /// The name itself.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// How much it weighs unless a profile says otherwise; `None`: it is not told.
    #[must_use]
    pub fn default_severity(self) -> Option<Severity> {
        self.0.severity
    }

    /// Whether it is found by running the package's validators only.
    #[must_use]
    pub fn needs_running(self) -> bool {
        self.id() >= "JP800"
    }

    /// What is found, in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// Why it matters.
    #[must_use]
    pub fn why(self) -> &'static str {
        self.0.why
    }

    /// How to mend it.
    #[must_use]
    pub fn mending(self) -> &'static str {
        self.0.mending
    }

    /// What it looks like.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.0.example
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_unique_well_formed_and_explained() {
        let mut seen = BTreeSet::new();
        for code in Code::all() {
            let digits = code.id().strip_prefix("JP").unwrap_or_default();
            assert!(digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
            assert!(seen.insert(code.id()), "{code} is there twice");
            for text in [code.title(), code.why(), code.mending(), code.example()] {
                assert!(!text.trim().is_empty(), "{code} lacks a part of its explanation");
            }
            assert!(code.title().len() <= 72 && !code.title().ends_with('.'), "{code}: a title is short");
            assert!(code.why().ends_with('.') && code.mending().ends_with('.'), "{code}: sentences end");
            assert_eq!(Code::find(&code.id().to_lowercase()), Some(code));
        }
        assert_eq!(Code::find("JP000"), None);
    }
}
