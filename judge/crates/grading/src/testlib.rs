//! Checkers that keep to testlib's own exit codes instead of those of the package format.
//!
//! Responsible for what these codes mean. Must not know how a checker is recognised or run.

use judge_model::{Outcome, Termination};

use crate::classify::{TestLimits, ValidatorDecision, classify_validator};

const OK: i32 = 0;
/// Wrong answer, presentation error, garbage at the end, end of file too early.
const REJECTED: [i32; 4] = [1, 2, 4, 8];
const FAIL: i32 = 3;
const POINTS: i32 = 7;

/// Decides what the run of a checker means that was compiled with testlib as its author publishes it.
///
/// Source: testlib, `TResult` and the macros `…_EXIT_CODE`. Points (7) say how good an output is and not whether it is
/// right, so they are a judge error: a package says that by a score file.
#[must_use]
pub fn classify_testlib(outcome: &Outcome, limits: &TestLimits) -> ValidatorDecision {
    let Termination::Exited { code } = outcome.termination else { return classify_validator(outcome, limits) };
    let as_in_packages = |code| {
        let outcome = Outcome { termination: Termination::Exited { code }, ..outcome.clone() };
        classify_validator(&outcome, limits)
    };
    let error = |what: &str| match as_in_packages(code) {
        // A limit that was exceeded comes first.
        ValidatorDecision::JudgeError { reason } if !reason.contains("expected exit code") => {
            ValidatorDecision::JudgeError { reason }
        }
        _ => ValidatorDecision::JudgeError { reason: format!("ended with testlib's exit code {code} ({what})") },
    };
    match code {
        OK => as_in_packages(42),
        code if REJECTED.contains(&code) => as_in_packages(43),
        FAIL => error("fail: it found a fault in itself or in the answer"),
        POINTS => error("points, which a package gives by `score.txt`"),
        _ => error("unknown"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use judge_model::{Limit, Usage};

    use super::*;

    const LIMITS: TestLimits = TestLimits {
        cpu_time: Duration::from_secs(1),
        wall_time: Duration::from_secs(3),
        memory_bytes: 1 << 20,
        output_bytes: 1 << 20,
    };

    fn decide(termination: Termination, memory_bytes: u64) -> ValidatorDecision {
        classify_testlib(&Outcome { termination, usage: Usage { memory_bytes, ..Usage::default() } }, &LIMITS)
    }

    #[test]
    fn each_code_has_its_meaning() {
        use ValidatorDecision::{Accepted, Cancelled, JudgeError, Rejected};
        assert_eq!(decide(Termination::Exited { code: 0 }, 0), Accepted);
        for code in [1, 2, 4, 8] {
            assert_eq!(decide(Termination::Exited { code }, 0), Rejected, "{code}");
        }
        for code in [3, 5, 7, 16, 42, 43, 255] {
            let JudgeError { reason } = decide(Termination::Exited { code }, 0) else { panic!("{code}") };
            assert!(reason.starts_with(&format!("ended with testlib's exit code {code} ")), "{reason}");
        }
        assert!(matches!(decide(Termination::Signaled { signal: 6 }, 0), JudgeError { .. }));
        assert_eq!(decide(Termination::Cancelled, 0), Cancelled);
    }

    #[test]
    fn a_limit_that_was_exceeded_comes_first() {
        for termination in [
            Termination::Exited { code: 0 },
            Termination::Exited { code: 3 },
            Termination::Killed { limit: Limit::Memory },
        ] {
            let ValidatorDecision::JudgeError { reason } = decide(termination, 2 << 20) else { panic!() };
            assert!(reason.contains("memory limit"), "{reason}");
        }
    }
}
