//! Severities of findings, by profile.
//!
//! Responsible for the differences from the catalogue. Must not know how anything is found.

use judge_model::Severity;
use judge_package::{Code, Profile, code};

/// Severities as they are written in the table; a code that is off is not reported.
const ERROR: Option<Severity> = Some(Severity::Error);
const WARNING: Option<Severity> = Some(Severity::Warning);
const OFF: Option<Severity> = None;

/// The severities that differ from the catalogue.
///
/// Source: the severities of problemtools' `verifyproblem` for Kattis; the documented requirements
/// of DOMjudge and the ICPC.
const CHANGES: &[(Profile, Code, Option<Severity>)] = &[
    (Profile::Kattis, code::PACKAGE_NAME, ERROR),
    (Profile::Kattis, code::ATTACHMENT_DIRECTORY, ERROR),
    (Profile::Kattis, code::INCLUDED_ENTRY_TWICE, ERROR),
    (Profile::Kattis, code::IGNORE_SAMPLE_MISPLACED, ERROR),
    (Profile::Kattis, code::GROUP_VISIBILITY_UNSET, WARNING),
    (Profile::Kattis, code::GROUPS_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::INCLUDED_DEFAULT_IN_LEGACY, ERROR),
    (Profile::Kattis, code::NO_SECRET_DATA, ERROR),
    (Profile::Kattis, code::DATA_MISPLACED, ERROR),
    (Profile::Kattis, code::GROUP_EMPTY, ERROR),
    (Profile::Kattis, code::NAME_MISSING_IN_TEX, ERROR),
    (Profile::Kattis, code::GRADER_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::SCORE_KEY_WITHOUT_SCORES, ERROR),
    (Profile::Kattis, code::WRITTEN_AS_ELSEWHERE, ERROR),
    (Profile::Kattis, code::UNREAD_BY_KATTIS, ERROR),
    (Profile::Kattis, code::LICENSE_OF_NO_FORMAT, ERROR),
    (Profile::Kattis, code::NO_INPUT_VALIDATOR, ERROR),
    (Profile::Kattis, code::OUTPUT_VALIDATOR_UNUSED, ERROR),
    (Profile::Kattis, code::DIRECTORY_UNKNOWN, ERROR),
    (Profile::Kattis, code::NAME_IGNORED, ERROR),
    (Profile::Kattis, code::LINK_OUTSIDE, ERROR),
    (Profile::Kattis, code::TIME_LIMIT_NOT_WHOLE, WARNING),
    (Profile::Kattis, code::RANGE_EXCEEDED, ERROR),
    (Profile::Kattis, code::IMAGE_MISSING, ERROR),
    (Profile::Kattis, code::UUID_MALFORMED, ERROR),
    (Profile::Kattis, code::STATEMENT_TWICE, WARNING),
    (Profile::Kattis, code::STATEMENT_EMPTY, WARNING),
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

/// The severity of findings with this code in a profile; `None`: they are not reported.
#[must_use]
pub fn severity(profile: Profile, code: Code) -> Option<Severity> {
    let change = CHANGES
        .iter()
        .find(|(of, changed, _)| *of == profile && *changed == code);
    let severity = change.map_or(code.default_severity(), |(_, _, severity)| *severity);
    if profile == Profile::Strict {
        severity.map(|_| Severity::Error)
    } else {
        severity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_effective_and_unique() {
        for (index, (profile, code, severity)) in CHANGES.iter().enumerate() {
            assert_ne!(
                code.default_severity(),
                *severity,
                "{profile}: {code} is unchanged"
            );
            let again = CHANGES[..index]
                .iter()
                .any(|(other, known, _)| other == profile && known == code);
            assert!(!again, "{profile}: {code} is listed twice");
        }
    }

    #[test]
    fn strict_turns_every_reported_finding_into_an_error() {
        for code in Code::all() {
            let expected = code.default_severity().map(|_| Severity::Error);
            assert_eq!(severity(Profile::Strict, code), expected, "{code}");
        }
    }
}
