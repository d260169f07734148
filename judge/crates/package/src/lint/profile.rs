//! Profiles: how much findings weigh for a package that is meant for some system or contest.
//!
//! Responsible for the table of changes against the catalogue. Must not know how anything is found.

use std::fmt;
use std::str::FromStr;

use judge_model::Severity;

use crate::code::{self, Code, ERROR, OFF, WARNING};

/// What a package is meant for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Nothing in particular: the catalogue as it is.
    #[default]
    Default,
    /// Kattis, which takes what `verifyproblem` passes.
    Kattis,
    /// DOMjudge.
    DomJudge,
    /// An ICPC contest: the strict subset that contest systems share.
    Icpc,
    /// As the default, and every warning is an error.
    Strict,
}

/// A word that names no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown profile `{0}`; expected one of `default`, `kattis`, `domjudge`, `icpc`, `strict`")]
pub struct UnknownProfile(String);

/// The changes. What is not here weighs what the catalogue says.
///
/// Source: the severities of problemtools' `verifyproblem` for Kattis; DOMjudge's and the ICPC's documented wants.
const CHANGES: &[(Profile, Code, Option<Severity>)] = &[
    (Profile::Kattis, code::PACKAGE_NAME, ERROR),
    (Profile::Kattis, code::ATTACHMENT_DIRECTORY, ERROR),
    (Profile::Kattis, code::INCLUDED_ENTRY_TWICE, ERROR),
    (Profile::Kattis, code::IGNORE_SAMPLE_MISPLACED, ERROR),
    (Profile::Kattis, code::GROUPS_SHOWN_UNSAID, WARNING),
    (Profile::Kattis, code::GROUPS_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::INCLUDED_DEFAULT_IN_LEGACY, ERROR),
    (Profile::Kattis, code::FILE_WITHOUT_INPUT, ERROR),
    (Profile::Kattis, code::NO_SECRET_DATA, ERROR),
    (Profile::Kattis, code::DATA_MISPLACED, ERROR),
    (Profile::Kattis, code::GROUP_EMPTY, ERROR),
    (Profile::Kattis, code::GRADER_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::SCORE_KEY_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::WRITTEN_AS_ELSEWHERE, ERROR),
    (Profile::Kattis, code::NO_INPUT_VALIDATOR, ERROR),
    (Profile::Kattis, code::OUTPUT_VALIDATOR_UNUSED, ERROR),
    (Profile::Kattis, code::DIRECTORY_UNKNOWN, ERROR),
    (Profile::Kattis, code::NAME_IGNORED, ERROR),
    (Profile::Kattis, code::LINK_OUTSIDE, ERROR),
    (Profile::Kattis, code::TIME_LIMIT_NOT_WHOLE, WARNING),
    (Profile::Kattis, code::UUID_MISSING, WARNING),
    (Profile::Kattis, code::VALIDATOR_LANGUAGE, WARNING),
    (Profile::Kattis, code::SEVERAL_OUTPUT_VALIDATORS, WARNING),
    (Profile::DomJudge, code::NAMES_DIFFER_IN_CASE, OFF),
    (Profile::DomJudge, code::NAME_MISSING_IN_TEX, OFF),
    (Profile::DomJudge, code::NO_RIGHTS_OWNER, OFF),
    (Profile::DomJudge, code::LICENSE_UNKNOWN, OFF),
    (Profile::DomJudge, code::NO_STATEMENT, WARNING),
    (Profile::DomJudge, code::VALIDATOR_LANGUAGE, WARNING),
    (Profile::DomJudge, code::SEVERAL_OUTPUT_VALIDATORS, ERROR),
    (Profile::Icpc, code::NO_SECRET_DATA, ERROR),
    (Profile::Icpc, code::NO_INPUT_VALIDATOR, ERROR),
    (Profile::Icpc, code::OUTPUT_VALIDATOR_UNUSED, ERROR),
    (Profile::Icpc, code::NAME_IGNORED, ERROR),
    (Profile::Icpc, code::LINK_OUTSIDE, ERROR),
    (Profile::Icpc, code::INPUT_TWICE, ERROR),
    (Profile::Icpc, code::NO_SAMPLES, ERROR),
    (Profile::Icpc, code::CARRIAGE_RETURN, ERROR),
    (Profile::Icpc, code::NOT_UTF8, ERROR),
    (Profile::Icpc, code::TIME_LIMIT_NOT_WHOLE, WARNING),
    (Profile::Icpc, code::VALIDATOR_LANGUAGE, WARNING),
    (Profile::Icpc, code::SEVERAL_OUTPUT_VALIDATORS, ERROR),
    (Profile::Icpc, code::NOTHING_REJECTED, WARNING),
    (Profile::Icpc, code::JUNK_INPUT_ACCEPTED, ERROR),
    (Profile::Icpc, code::JUNK_OUTPUT_ACCEPTED, ERROR),
];

impl Profile {
    /// Every profile, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Default, Self::Kattis, Self::DomJudge, Self::Icpc, Self::Strict];

    /// What it is called.
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

    /// How much a finding with this code weighs; `None`: it is not told.
    #[must_use]
    pub fn severity(self, code: Code) -> Option<Severity> {
        let change = CHANGES.iter().find(|(profile, changed, _)| *profile == self && *changed == code);
        let severity = change.map_or(code.default_severity(), |(_, _, severity)| *severity);
        if self == Self::Strict { severity.map(|_| Severity::Error) } else { severity }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|profile| profile.name() == text).ok_or_else(|| UnknownProfile(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_changes_something_and_stands_once() {
        for (index, (profile, code, severity)) in CHANGES.iter().enumerate() {
            assert_ne!(code.default_severity(), *severity, "{profile}: {code} is no change");
            let again = CHANGES[..index].iter().any(|(other, known, _)| other == profile && known == code);
            assert!(!again, "{profile}: {code} stands twice");
        }
    }

    #[test]
    fn strict_makes_errors_of_warnings_and_of_nothing_else() {
        for code in Code::all() {
            let expected = code.default_severity().map(|_| Severity::Error);
            assert_eq!(Profile::Strict.severity(code), expected, "{code}");
        }
    }

    #[test]
    fn names_round_trip() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        assert!("Kattis".parse::<Profile>().is_err());
    }
}
