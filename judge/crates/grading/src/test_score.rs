//! The score of one test case, from its verdict and the files of the validator.
//!
//! Responsible for the files that a validator may write and the resulting score. Must not depend on
//! groups, except for their rule for test cases, or on how scores are added up.

use judge_model::{Score, Verdict};
use serde::{Deserialize, Serialize};

/// The tolerance for printed scores beyond the possible bounds: validators write six decimals.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// The rule for the scores of test cases: the same for all test cases of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ScoreRule {
    /// Test cases have no score, and files with scores are ignored (pass-fail problems, and
    /// samples).
    None,
    /// Test cases have no score, and no validator may write one (2025-09, groups with
    /// `pass-fail` aggregation).
    Forbidden,
    /// The score is at most this, and exactly this without a file (2025-09, bounded).
    Bounded(Score),
    /// The validator writes the score (2025-09, unbounded).
    Unbounded,
    /// The score is one of two, unless the validator may write another one (legacy).
    Legacy {
        /// The score of an accepted test case (`accept_score`).
        accept: Score,
        /// The score of a rejected test case (`reject_score`).
        reject: Score,
        /// True if the validator may write a score (`validation: custom score`).
        by_validator: bool,
    },
}

/// The score files in the feedback directory of the validator; `None` for a missing file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreFiles {
    /// `score.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Vec<u8>>,
    /// `score_multiplier.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<Vec<u8>>,
}

impl ScoreFiles {
    /// True when there is neither file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.score.is_none() && self.multiplier.is_none()
    }
}

/// Decides the score of a test case. `Ok(None)` if it has none.
///
/// Source: 2025-09, "Scoring test cases", with its list of judge errors; legacy, "Graders" and
/// "Reporting Additional Feedback", where a score may be negative, and the group's score replaces a
/// missing one.
///
/// # Errors
/// When the validator breaks the rules: the text of a judge error, worded to follow "the output
/// validator".
pub(crate) fn score_test(
    rule: ScoreRule,
    verdict: Verdict,
    files: &ScoreFiles,
) -> Result<Option<Score>, String> {
    let accepted = verdict == Verdict::Accepted;
    match rule {
        ScoreRule::None => return Ok(None),
        ScoreRule::Legacy {
            accept,
            reject,
            by_validator,
        } => {
            return legacy_score(
                if accepted { accept } else { reject },
                by_validator,
                accepted,
                files,
            )
            .map(Some);
        }
        // Checked before the verdict: two files are an error regardless of the submission.
        _ if files.score.is_some() && files.multiplier.is_some() => {
            return Err(
                "wrote both `score.txt` and `score_multiplier.txt`; expected at most one of them"
                    .to_owned(),
            );
        }
        _ => {}
    }
    // The format makes this a judge error, although the score would be 0 anyway.
    if let (false, Some(name)) = (accepted, written(files)) {
        return Err(format!(
            "wrote `{name}` for a test case that is not accepted"
        ));
    }
    if let (ScoreRule::Forbidden, Some(name)) = (rule, written(files)) {
        return Err(format!(
            "wrote `{name}` in a group with `score_aggregation: pass-fail`, whose test cases have none"
        ));
    }
    let score = match (rule, &files.score, &files.multiplier) {
        (ScoreRule::Forbidden, ..) => return Ok(None),
        _ if !accepted => 0.0,
        // From here on the test case is accepted, and there is at most one file.
        (ScoreRule::Bounded(max), Some(text), _) => at_most(max, not_negative("score.txt", text)?)?,
        (ScoreRule::Bounded(max), None, Some(text)) => max.0 * share(text)?,
        (ScoreRule::Bounded(max), None, None) => max.0,
        (_, Some(text), _) => not_negative("score.txt", text)?,
        (_, None, Some(_)) => {
            return Err("wrote `score_multiplier.txt`, but there is no maximum score".to_owned());
        }
        (_, None, None) => {
            return Err("accepted without a `score.txt`, and there is no maximum score".to_owned());
        }
    };
    Ok(Some(Score(score)))
}

fn legacy_score(
    otherwise: Score,
    by_validator: bool,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<Score, String> {
    // Legacy validators write a score only to override the group's.
    let Some(text) = &files.score else {
        return Ok(otherwise);
    };
    if !by_validator {
        return Err(
            "wrote `score.txt`, but problem.yaml does not say `validation: custom score`"
                .to_owned(),
        );
    }
    if !accepted {
        return Err("wrote `score.txt` for a test case that is not accepted".to_owned());
    }
    number("score.txt", text).map(Score)
}

fn written(files: &ScoreFiles) -> Option<&'static str> {
    let score = files.score.as_ref().map(|_| "score.txt");
    score.or_else(|| files.multiplier.as_ref().map(|_| "score_multiplier.txt"))
}

/// Checks that a score is not above the maximum. A score that is larger only by rounding becomes
/// the maximum.
pub(crate) fn at_most(max: Score, score: f64) -> Result<f64, String> {
    // Validators print six decimals: two thirds of 100, rounded, are above the exact maximum of a
    // test case.
    if score > max.0 + TOLERANCE {
        return Err(format!(
            "wrote {} into `score.txt`, but the maximum score is {max}",
            Score(score)
        ));
    }
    Ok(score.min(max.0))
}

fn not_negative(file: &str, text: &[u8]) -> Result<f64, String> {
    let score = number(file, text)?;
    if score < 0.0 {
        return Err(format!(
            "wrote {} into `{file}`; expected a number that is not negative",
            Score(score)
        ));
    }
    Ok(score)
}

fn share(text: &[u8]) -> Result<f64, String> {
    let file = "score_multiplier.txt";
    let share = number(file, text)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(format!(
            "wrote {share} into `{file}`; expected a number from 0 to 1"
        ));
    }
    Ok(share)
}

/// Parses a single floating-point number in the format's notation (2025-09, "General
/// Requirements"), with optional white space around it.
pub(crate) fn number(file: &str, text: &[u8]) -> Result<f64, String> {
    let expected = || {
        let found: String = String::from_utf8_lossy(text)
            .trim()
            .chars()
            .take(40)
            .collect();
        format!(
            "wrote `{}` into `{file}`; expected one decimal number",
            found.escape_debug()
        )
    };
    let text = std::str::from_utf8(text)
        .map_err(|_| expected())?
        .trim_ascii();
    parse_decimal(text).ok_or_else(expected)
}

/// Parses a finite number in the notation of the format: digits, a point, an exponent; never `inf`,
/// `nan` or only a point.
pub(crate) fn parse_decimal(text: &str) -> Option<f64> {
    let written =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    // Rust also parses `inf`, `nan` and other forms that the format does not have, so the
    // characters are checked as well.
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && text.bytes().all(written))
}

#[cfg(test)]
#[path = "test_score_tests.rs"]
mod tests;
