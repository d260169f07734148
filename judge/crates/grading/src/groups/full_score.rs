//! Full scores: the scores of accepted submissions that the directories of legacy packages promise.
//!
//! Responsible for the remark about a broken promise. Must not know expectations, because none is
//! violated.

use judge_model::{Score, Verdict};

/// The tolerance by which a score may differ from the best: they are written with six decimals.
const TOLERANCE: f64 = 1e-6;

/// Returns a remark if the score of an accepted submission does not match its directory. `best` is
/// the best possible score.
///
/// Source: legacy, "Example submissions": `accepted` gets the full score, `partially_accepted` does
/// not.
#[must_use]
pub fn full_score_remark(
    directory: &str,
    verdict: Verdict,
    score: Option<Score>,
    best: Option<Score>,
) -> Option<String> {
    let (score, best) = (score?, best?);
    // Scores are sums of fractions, so equality would depend on their order.
    let full = (score.0 - best.0).abs() <= TOLERANCE;
    match (verdict, directory, full) {
        (Verdict::Accepted, "accepted", false) => Some(format!(
            "is in `accepted` without the full score: expected {best}, found {score}"
        )),
        (Verdict::Accepted, "partially_accepted", true) => Some(format!(
            "is in `partially_accepted` with the full score of {best}; expected another score"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(directory: &str, verdict: Verdict, score: f64, best: Option<f64>) -> Option<String> {
        full_score_remark(directory, verdict, Some(Score(score)), best.map(Score))
    }

    #[test]
    fn only_broken_promises_are_reported() {
        let (ac, wa) = (Verdict::Accepted, Verdict::WrongAnswer);
        let text = remark("accepted", ac, 40.0, Some(100.0)).unwrap();
        assert_eq!(
            text,
            "is in `accepted` without the full score: expected 100, found 40"
        );
        assert!(
            remark("partially_accepted", ac, 99.999_999_9, Some(100.0))
                .unwrap()
                .contains("full score of 100")
        );
        // A problem in which lower scores are better.
        assert!(remark("accepted", ac, 3.0, Some(0.0)).is_some());
        for (directory, verdict, score, best) in [
            ("accepted", ac, 99.999_999_9, Some(100.0)),
            ("partially_accepted", ac, 40.0, Some(100.0)),
            ("accepted", wa, 40.0, Some(100.0)),
            ("partially_accepted", wa, 100.0, Some(100.0)),
            ("mixed", ac, 40.0, Some(100.0)),
            ("accepted", ac, 40.0, None),
        ] {
            assert_eq!(
                remark(directory, verdict, score, best),
                None,
                "{directory} {verdict:?} {score}"
            );
        }
        assert_eq!(
            full_score_remark("accepted", ac, None, Some(Score(1.0))),
            None
        );
    }
}
