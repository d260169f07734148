//! Graders of legacy packages: what a group comes to, from what lies in it.
//!
//! Responsible for the default grader, and for what is said to a grader of the package and
//! understood of its answer. Must not know which results exist: that is the walk's.

use judge_model::{Score, Verdict};

use crate::test_score::parse_decimal;

/// A verdict with its score: what a grader reads, and what it answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Graded {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The score.
    pub(crate) score: Score,
}

/// The flag with which the last result alone counts, which is that of `secret`.
pub(crate) const IGNORE_SAMPLE: &str = "ignore_sample";

/// The mode in which the default grader makes a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerdictMode {
    Worst,
    First,
    Always,
}

/// The mode in which the default grader makes a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoreMode {
    Sum,
    Average,
    Least,
    Most,
}

#[derive(Clone, Copy, Debug)]
struct Flags {
    verdict: VerdictMode,
    score: ScoreMode,
    ignore_sample: bool,
    any_accepted: bool,
}

impl Flags {
    /// Parses the flags. Of flags that conflict, the last one holds.
    fn parse(flags: &[String]) -> Result<Self, String> {
        let mut parsed = Self {
            verdict: VerdictMode::Worst,
            score: ScoreMode::Sum,
            ignore_sample: false,
            any_accepted: false,
        };
        for flag in flags {
            match flag.as_str() {
                // The older name of the same, for all that it sounds like.
                "worst_error" | "no_errors" => parsed.verdict = VerdictMode::Worst,
                "first_error" => parsed.verdict = VerdictMode::First,
                "always_accept" => parsed.verdict = VerdictMode::Always,
                "sum" => parsed.score = ScoreMode::Sum,
                "avg" => parsed.score = ScoreMode::Average,
                "min" => parsed.score = ScoreMode::Least,
                "max" => parsed.score = ScoreMode::Most,
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

/// The verdicts in the order in which `worst_error` looks for them.
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
/// When it does not know a flag, is given no result, or is given more than the two results that
/// `ignore_sample` is about: a judge error, in words.
pub(crate) fn default_grader(flags: &[String], results: &[Graded]) -> Result<Graded, String> {
    let flags = Flags::parse(flags)?;
    if results.is_empty() {
        return Err("the default grader got no results".to_owned());
    }
    // `ignore_sample` belongs to the root, whose parts are `sample` and `secret`: of two
    // results, the last one is that of `secret`.
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
        // result, so no infinity is left over.
        ScoreMode::Least => scores().fold(f64::INFINITY, f64::min),
        ScoreMode::Most => scores().fold(f64::NEG_INFINITY, f64::max),
    };
    Ok(Graded {
        verdict,
        score: Score(without_noise(score)),
    })
}

/// True if one rejected result is enough for the default grader to reject, whatever the other
/// results are.
pub(crate) fn rejects_with_any(flags: &[String]) -> bool {
    Flags::parse(flags)
        // With `ignore_sample` a rejected sample decides nothing. Unknown flags make a judge
        // error later, and until then nothing may be left out.
        .is_ok_and(|flags| {
            flags.verdict != VerdictMode::Always && !flags.any_accepted && !flags.ignore_sample
        })
}

/// A score without the noise of adding up: nine decimals are more than packages and validators
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

/// The input that a grader of the package reads on standard input: a line for each result
/// (legacy, "Graders", "Input"). The format has no words for memory and output limits: MLE and
/// OLE are RTE there.
pub(crate) fn grader_input(results: &[Graded]) -> String {
    let line = |Graded { verdict, score }: &Graded| {
        format!("{} {:.6}\n", verdict.in_expectations(), score.0)
    };
    results.iter().map(line).collect()
}

/// Understands what a grader of the package wrote: one line with a verdict and a score, exit
/// code 0 (legacy, "Graders", "Output").
///
/// # Errors
/// When it is anything else: a judge error, in words to be read after "the grader".
pub(crate) fn grader_answer(output: &[u8]) -> Result<Graded, String> {
    const EXPECTED: &str = "expected a verdict (AC, WA, TLE or RTE) and a score, such as `AC 12.5`";
    let text = String::from_utf8_lossy(output);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let found = || {
        let start: String = text.trim().chars().take(60).collect();
        format!("wrote `{}`; {EXPECTED}", start.escape_debug())
    };
    let [verdict, score] = words[..] else {
        return Err(found());
    };
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
