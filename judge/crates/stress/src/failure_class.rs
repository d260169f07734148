//! Classes of failures: failures with the same verdict and a similar message probably have one
//! cause. Pure.

use judge_event::DifferenceKind;
use judge_exec::TestResult;
use judge_model::{Limit, Termination, Verdict, signal_name};
use serde::{Deserialize, Serialize};

/// The maximum number of words of a validator's message in a class.
const MAX_WORDS: usize = 4;

/// The class of a submission's failure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FailureClass {
    /// The verdict.
    pub verdict: Verdict,
    /// The details, in words: the termination of the program, the kind of difference, or the
    /// beginning of the validator's message. May be empty.
    pub how: String,
}

impl From<&TestResult> for FailureClass {
    fn from(result: &TestResult) -> Self {
        let how = match result.verdict {
            Verdict::RunTimeError => termination_words(result.outcome.termination),
            Verdict::WrongAnswer => difference(result),
            Verdict::TimeLimitExceeded => match result.outcome.termination {
                Termination::Killed {
                    limit: Limit::WallTime,
                } => "idle".to_owned(),
                _ => String::new(),
            },
            Verdict::JudgeError => beginning(result.reason.as_deref().unwrap_or_default()),
            _ => String::new(),
        };
        Self {
            verdict: result.verdict,
            how,
        }
    }
}

impl std::fmt::Display for FailureClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.how.is_empty() {
            write!(f, "{}", self.verdict)
        } else {
            write!(f, "{}: {}", self.verdict, self.how)
        }
    }
}

fn termination_words(termination: Termination) -> String {
    match termination {
        Termination::Exited { code } => format!("exit code {code}"),
        Termination::Signaled { signal } => {
            signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
        }
        Termination::Killed { .. } | Termination::Cancelled => String::new(),
    }
}

fn difference(result: &TestResult) -> String {
    let message = beginning(&result.judge_message.to_text());
    if !message.is_empty() {
        return message;
    }
    let difference = result.difference.as_ref();
    match difference.map(|difference| &difference.kind) {
        Some(DifferenceKind::Missing) => "output ends early",
        Some(DifferenceKind::Extra) => "extra output",
        Some(DifferenceKind::Whitespace) => "white space",
        Some(DifferenceKind::Tolerance) => "number",
        _ => "",
    }
    .to_owned()
}

/// The first words of a message, without those that depend on the input: words with digits or
/// quotes.
fn beginning(message: &str) -> String {
    let words = message
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let words =
        words.filter(|word| !word.contains(|c: char| c.is_ascii_digit() || "'\"`".contains(c)));
    words.take(MAX_WORDS).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_event::Bytes;
    use judge_model::{Outcome, Usage};

    fn result(verdict: Verdict, termination: Termination, message: &str) -> TestResult {
        let outcome = Outcome {
            termination,
            usage: Usage::default(),
        };
        TestResult {
            judge_message: Bytes::from(message.as_bytes()),
            ..TestResult::new(verdict, &outcome)
        }
    }

    fn class(verdict: Verdict, termination: Termination, message: &str) -> String {
        FailureClass::from(&result(verdict, termination, message)).to_string()
    }

    #[test]
    fn classes_do_not_depend_on_the_input() {
        let clean = Termination::Exited { code: 0 };
        let wrong = |message| class(Verdict::WrongAnswer, clean, message);
        assert_eq!(
            wrong("wrong answer 12th words differ: expected '5', found '6'\nmore"),
            "WA: wrong answer words differ:"
        );
        assert_eq!(
            wrong("wrong answer 3rd words differ: expected '7', found '1'"),
            wrong("wrong answer 1st words differ: x")
        );
        assert_ne!(
            wrong("the walk is too long"),
            wrong("the walk does not begin")
        );
        assert_eq!(wrong(""), "WA");
        let ended = |termination| class(Verdict::RunTimeError, termination, "");
        assert_eq!(ended(Termination::Signaled { signal: 11 }), "RTE: SIGSEGV");
        assert_eq!(
            ended(Termination::Exited { code: 101 }),
            "RTE: exit code 101"
        );
        assert_eq!(
            class(
                Verdict::TimeLimitExceeded,
                Termination::Killed {
                    limit: Limit::CpuTime
                },
                ""
            ),
            "TLE"
        );
        assert_eq!(
            class(
                Verdict::TimeLimitExceeded,
                Termination::Killed {
                    limit: Limit::WallTime
                },
                ""
            ),
            "TLE: idle"
        );
    }
}
