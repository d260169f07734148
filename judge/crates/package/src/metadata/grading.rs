//! The values of grading that `problem.yaml`, `testdata.yaml` and `submissions.yaml` share.
//!
//! Responsible for reading them. Must not know which key has them or how anything is graded.
//!
//! Source: legacy, "Graders".

use judge_model::{Score, ScoreRange};

use crate::code;
use crate::error::Findings;
use crate::yaml::{Node, Value};

/// The values of `on_reject`, the current ones first.
pub(crate) const ON_REJECT: [&str; 5] =
    ["break", "continue", "first_error", "worst_error", "grade"];

/// `on_reject`: whether judging continues. The last three words are older than the format.
pub(crate) fn read_on_reject(node: &Node<'_>, findings: &mut Findings) -> Option<bool> {
    let word = node.one_of(&ON_REJECT, findings)?;
    if !matches!(word, "break" | "continue") {
        let now = if word == "first_error" {
            "break"
        } else {
            "continue"
        };
        findings.warn(node.finding(
            code::GRADING_KEY_OLD,
            format!("`{word}` is an old name for `{now}`"),
        ));
    }
    Some(!matches!(word, "break" | "first_error"))
}

/// A finite score, possibly as a string.
pub(crate) fn read_score(node: &Node<'_>, findings: &mut Findings) -> Option<Score> {
    let score = node
        .number_or_text()
        .and_then(|text| text.trim().parse::<f64>().ok())
        .filter(|score| score.is_finite());
    score
        .map(Score)
        .or_else(|| findings.fail(node.expected("a score")))
}

/// `range`: two scores, which may be `inf` and `-inf`.
pub(crate) fn read_range(node: &Node<'_>, findings: &mut Findings) -> Option<ScoreRange> {
    let bound = |word: &str| match word {
        "inf" | "+inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        number => number
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite()),
    };
    let range = match node.value() {
        Value::Text(text) => match text.split_whitespace().map(bound).collect::<Vec<_>>()[..] {
            [Some(min), Some(max)] if min <= max => Some(ScoreRange {
                min: Score(min),
                max: Score(max),
            }),
            _ => None,
        },
        _ => None,
    };
    range.or_else(|| {
        let error = node.expected("two scores such as `0 100`, the smaller one first");
        findings.fail(error.coded(code::RANGE_MALFORMED))
    })
}
