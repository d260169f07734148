//! Graders of legacy packages: the result of a group from the results of its parts.
//!
//! Responsible for the default grader, and for the input and output of a grader of the package.
//! Must not know which results exist, which the walk determines.

use judge_model::{Score, Verdict};

use crate::test_score::parse_decimal;

/// A verdict with its score, as a grader reads and writes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Graded {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The score.
    pub(crate) score: Score,
}

/// The flag with which only the last result counts, which is that of `secret`.
pub(crate) const IGNORE_SAMPLE: &str = "ignore_sample";

/// The mode in which the default grader determines a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerdictMode {
    Worst,
    First,
    Always,
}

/// The mode in which the default grader determines a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoreMode {
    Sum,
    Average,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug)]
struct Flags {
    verdict: VerdictMode,
    score: ScoreMode,
    ignore_sample: bool,
    any_accepted: bool,
}

impl Flags {
    /// Parses the flags. Of conflicting flags, the last one applies.
    fn parse(flags: &[String]) -> Result<Self, String> {
        let mut parsed = Self {
            verdict: VerdictMode::Worst,
            score: ScoreMode::Sum,
            ignore_sample: false,
            any_accepted: false,
        };
        for flag in flags {
            match flag.as_str() {
                // `no_errors` is the older name of `worst_error`, despite its meaning.
                "worst_error" | "no_errors" => parsed.verdict = VerdictMode::Worst,
                "first_error" => parsed.verdict = VerdictMode::First,
                "always_accept" => parsed.verdict = VerdictMode::Always,
                "sum" => parsed.score = ScoreMode::Sum,
                "avg" => parsed.score = ScoreMode::Average,
                "min" => parsed.score = ScoreMode::Min,
                "max" => parsed.score = ScoreMode::Max,
                IGNORE_SAMPLE => parsed.ignore_sample = true,
                "accept_if_any_accepted" => parsed.any_accepted = true,
                unknown => {
                    return Err(format!(
                        "the default grader does not know the flag `{unknown}`"
                    ));
                }
            }
        }
        Ok(parsed)
    }
}

/// The verdicts in the order in which `worst_error` chooses them.
const WORST_FIRST: [Verdict; 6] = [
    Verdict::JudgeError,
    Verdict::RunTimeError,
    Verdict::MemoryLimitExceeded,
    Verdict::TimeLimitExceeded,
    Verdict::OutputLimitExceeded,
    Verdict::WrongAnswer,
];

/// Grades the results of a group, in order, as the default grader does (legacy, "Default Grader
/// Specification").
///
/// # Errors
/// When it does not know a flag, gets no result, or gets more than the two results that
/// `ignore_sample` requires: the text of a judge error.
pub(crate) fn default_grader(flags: &[String], results: &[Graded]) -> Result<Graded, String> {
    let flags = Flags::parse(flags)?;
    if results.is_empty() {
        return Err("the default grader got no results".to_owned());
    }
    // `ignore_sample` belongs to the root, with the parts `sample` and `secret`: of two results,
    // the last one is that of `secret`.
    let results = match results {
        [_, _, _, ..] if flags.ignore_sample => {
            let found = results.len();
            return Err(format!(
                "`ignore_sample` expects the results of `sample` and `secret`, found {found} results"
            ));
        }
        [.., last] if flags.ignore_sample => std::slice::from_ref(last),
        all => all,
    };
    let rejected = |result: &&Graded| result.verdict != Verdict::Accepted;
    let any_accepted = flags.any_accepted
        && results
            .iter()
            .any(|result| result.verdict == Verdict::Accepted);
    // `accept_if_any_accepted` comes before every mode of verdicts (legacy, "Default Grader
    // Specification").
    let verdict = match flags.verdict {
        _ if any_accepted => Verdict::Accepted,
        VerdictMode::Always => Verdict::Accepted,
        VerdictMode::First => results
            .iter()
            .find(rejected)
            .map_or(Verdict::Accepted, |result| result.verdict),
        VerdictMode::Worst => {
            let present =
                |verdict: &Verdict| results.iter().any(|result| result.verdict == *verdict);
            WORST_FIRST
                .into_iter()
                .find(present)
                .unwrap_or(Verdict::Accepted)
        }
    };
    let scores = || results.iter().map(|result| result.score.0);
    let score = match flags.score {
        ScoreMode::Sum => scores().sum(),
        ScoreMode::Average => scores().sum::<f64>() / results.len() as f64,
        // `f64` has no total order, so `Iterator::min` does not apply. There is at least one
        // result, so the score is finite.
        ScoreMode::Min => scores().fold(f64::INFINITY, f64::min),
        ScoreMode::Max => scores().fold(f64::NEG_INFINITY, f64::max),
    };
    Ok(Graded {
        verdict,
        score: Score(without_noise(score)),
    })
}

/// True if one rejected result is enough for the default grader to reject, regardless of the other
/// results.
pub(crate) fn rejects_with_any(flags: &[String]) -> bool {
    Flags::parse(flags)
        // With `ignore_sample` a rejected sample decides nothing. Unknown flags cause a judge error
        // later, and until then nothing may be left out.
        .is_ok_and(|flags| {
            flags.verdict != VerdictMode::Always && !flags.any_accepted && !flags.ignore_sample
        })
}

/// Rounds away the errors of adding scores: nine decimals are more than packages and validators
/// write.
pub(crate) fn without_noise(score: f64) -> f64 {
    const GRID: f64 = 1e9;
    // Ten test cases of 0.1 must be worth 1. A large score has no nine decimals, and rounding
    // must not change it.
    let near = (score * GRID).round() / GRID;
    if near.is_finite() && (near - score).abs() <= 1.0 / GRID {
        near
    } else {
        score
    }
}

/// Returns the standard input of a grader of the package: a line for each result (legacy,
/// "Graders", "Input"). The format has no verdicts for memory and output limits: MLE and OLE become
/// RTE.
pub(crate) fn grader_input(results: &[Graded]) -> String {
    let line = |Graded { verdict, score }: &Graded| {
        format!("{} {:.6}\n", verdict.in_expectations(), score.0)
    };
    results.iter().map(line).collect()
}

/// Parses the output of a grader of the package: one line with a verdict and a score (legacy,
/// "Graders", "Output").
///
/// # Errors
/// When it is anything else: the text of a judge error, worded to follow "the grader".
pub(crate) fn grader_answer(output: &[u8]) -> Result<Graded, String> {
    const EXPECTED: &str = "expected a verdict (AC, WA, TLE or RTE) and a score, such as `AC 12.5`";
    let text = String::from_utf8_lossy(output);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let found = || {
        // The output comes from a package. It may be long, and may contain control characters that
        // would change the terminal.
        let start: String = text.trim().chars().take(60).collect();
        format!("wrote `{}`; {EXPECTED}", start.escape_debug())
    };
    let [verdict, score] = words[..] else {
        return Err(found());
    };
    // The format allows graders only these verdicts. Any other one, such as a judge error, must not
    // become the result of a submission.
    let known = |verdict: &Verdict| {
        use Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
        matches!(
            verdict,
            Accepted | WrongAnswer | TimeLimitExceeded | RunTimeError
        )
    };
    let verdict = Verdict::from_code(verdict)
        .filter(known)
        .ok_or_else(found)?;
    let score = parse_decimal(score).ok_or_else(found)?;
    Ok(Graded {
        verdict,
        score: Score(score),
    })
}

#[cfg(test)]
#[path = "legacy_grader_tests.rs"]
mod tests;
