//! Codes: the stable names of findings about packages.
//!
//! Responsible for the catalogue, which has the title, reason and fix of each finding, and for
//! looking codes up. A new code is a row in `files`, `loading` or `running`;
//! `judge/docs/reference/lint.md` and `judge check --explain` are made from the rows. Must not
//! check anything, or know how anything is found.

mod files;
mod loading;
mod row;
mod running;

pub use self::files::*;
pub use self::loading::*;
pub use self::row::Code;
pub use self::running::*;

/// Every code.
static CATALOGUE: std::sync::LazyLock<Vec<Code>> =
    std::sync::LazyLock::new(|| [ROWS_OF_FILES, ROWS_OF_LOADING, ROWS_OF_RUNNING].concat());

impl Code {
    /// Every code, in order.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut codes: Vec<Self> = CATALOGUE.to_vec();
        codes.sort_by_key(|code| code.id());
        codes
    }

    /// The codes of findings that loading a package can report.
    #[must_use]
    pub fn loading_codes() -> &'static [Self] {
        ROWS_OF_LOADING
    }

    /// True if the finding requires generating the test data.
    #[must_use]
    pub fn needs_generating(self) -> bool {
        self == SEED_UNUSED
    }

    /// The code with this name; letter case does not count.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        CATALOGUE
            .iter()
            .copied()
            .find(|code| code.id().eq_ignore_ascii_case(id))
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
            assert!(
                digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()),
                "{code}"
            );
            assert!(seen.insert(code.id()), "{code} exists twice");
            for text in [code.title(), code.why(), code.fix(), code.example()] {
                assert!(
                    !text.trim().is_empty(),
                    "the explanation of {code} is incomplete"
                );
            }
            assert!(
                code.title().len() <= 72 && !code.title().ends_with('.'),
                "{code}: a title is short"
            );
            assert!(
                code.why().ends_with('.') && code.fix().ends_with('.'),
                "{code}: sentences end"
            );
            assert_eq!(Code::find(&code.id().to_lowercase()), Some(code));
        }
        assert_eq!(Code::find("JP000"), None);
    }
}
