//! Profiles: the systems and contests for which packages are checked.
//!
//! Responsible for their names. Must not know the severities in them.

use std::fmt;
use std::str::FromStr;

use judge_model::{UnknownName, find_by_name};

/// A system or contest for which packages are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The default: the severities of the catalogue, unchanged.
    #[default]
    Default,
    /// Kattis, which accepts packages that pass `verifyproblem`.
    Kattis,
    /// DOMjudge.
    DomJudge,
    /// An ICPC contest: the strict subset that contest systems share.
    Icpc,
    /// The strict profile: the default, but every warning is an error.
    Strict,
}

impl Profile {
    /// Every profile, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Default,
        Self::Kattis,
        Self::DomJudge,
        Self::Icpc,
        Self::Strict,
    ];

    /// The name of the profile.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Kattis => "kattis",
            Self::DomJudge => "domjudge",
            Self::Icpc => "icpc",
            Self::Strict => "strict",
        }
    }

    /// True for a profile whose system runs Python 3 with PyPy.
    ///
    /// Source: `languages.yaml` of problemtools for Kattis; the programming environment of the ICPC
    /// World Finals, which are judged with DOMjudge.
    #[must_use]
    pub fn runs_pypy(self) -> bool {
        matches!(self, Self::Kattis | Self::DomJudge | Self::Icpc)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("profile", Self::ALL, Self::name, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        assert!("Kattis".parse::<Profile>().is_err());
    }
}
