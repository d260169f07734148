//! Verdicts: what the judge says about one run of a submission.
//!
//! Responsible for the vocabulary and its order. Must not know how a verdict is reached.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The judge's verdict about a submission on a test case, or as a whole.
///
/// AC, WA, TLE and RTE are the verdicts of the problem package format (2025-09, section
/// "Submissions"). The others are this judge's own: memory and output limits are distinguished from
/// run time errors, and compile and judge errors have no test case. Serialised by its code
/// (`"AC"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// The output was accepted.
    #[serde(rename = "AC")]
    Accepted,
    /// The output was rejected.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// The CPU time limit or the wall time limit was exceeded.
    #[serde(rename = "TLE")]
    TimeLimitExceeded,
    /// The memory limit, counted over the whole process tree, was exceeded.
    #[serde(rename = "MLE")]
    MemoryLimitExceeded,
    /// More bytes were written than the output limit allows.
    #[serde(rename = "OLE")]
    OutputLimitExceeded,
    /// The program ended by a signal or with an exit code other than 0.
    #[serde(rename = "RTE")]
    RunTimeError,
    /// The submission did not compile.
    #[serde(rename = "CE")]
    CompileError,
    /// The package's own programs failed: nothing is known about the submission.
    #[serde(rename = "JE")]
    JudgeError,
}

impl Verdict {
    /// Every verdict, in the order in which tables list them.
    pub const ALL: [Self; 8] = [
        Self::Accepted,
        Self::WrongAnswer,
        Self::TimeLimitExceeded,
        Self::MemoryLimitExceeded,
        Self::OutputLimitExceeded,
        Self::RunTimeError,
        Self::CompileError,
        Self::JudgeError,
    ];

    /// True if this verdict on a test case rejects a submission. A compile error and a judge error
    /// say nothing about it.
    #[must_use]
    pub fn is_rejection(self) -> bool {
        !matches!(self, Self::Accepted | Self::CompileError | Self::JudgeError)
    }

    /// The two or three letter code, such as `AC`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::WrongAnswer => "WA",
            Self::TimeLimitExceeded => "TLE",
            Self::MemoryLimitExceeded => "MLE",
            Self::OutputLimitExceeded => "OLE",
            Self::RunTimeError => "RTE",
            Self::CompileError => "CE",
            Self::JudgeError => "JE",
        }
    }

    /// The name in words, such as `wrong answer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::WrongAnswer => "wrong answer",
            Self::TimeLimitExceeded => "time limit exceeded",
            Self::MemoryLimitExceeded => "memory limit exceeded",
            Self::OutputLimitExceeded => "output limit exceeded",
            Self::RunTimeError => "run time error",
            Self::CompileError => "compile error",
            Self::JudgeError => "judge error",
        }
    }

    /// The verdict with this code, if there is one. Letter case counts.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.code() == code)
    }

    /// Returns the verdict as the format's `permitted` and `required` sets have it. They have no
    /// word for the memory and output limits, so MLE and OLE count as RTE there.
    #[must_use]
    pub fn in_expectations(self) -> Self {
        match self {
            Self::MemoryLimitExceeded | Self::OutputLimitExceeded => Self::RunTimeError,
            other => other,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compile_and_judge_errors_are_not_rejections() {
        let rejecting: Vec<_> = Verdict::ALL
            .into_iter()
            .filter(|verdict| verdict.is_rejection())
            .collect();
        assert_eq!(
            rejecting.into_iter().map(Verdict::code).collect::<Vec<_>>(),
            ["WA", "TLE", "MLE", "OLE", "RTE"]
        );
    }

    #[test]
    fn codes_round_trip_through_text_and_json() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_code(verdict.code()), Some(verdict));
            let json = serde_json::to_string(&verdict).unwrap();
            assert_eq!(json, format!("\"{}\"", verdict.code()));
            assert_eq!(serde_json::from_str::<Verdict>(&json).unwrap(), verdict);
        }
        assert_eq!(Verdict::from_code("ac"), None);
    }

    #[test]
    fn only_memory_and_output_count_as_run_time_errors() {
        for verdict in Verdict::ALL {
            let counted = verdict.in_expectations();
            let changed = matches!(
                verdict,
                Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded
            );
            assert_eq!(counted != verdict, changed);
            if changed {
                assert_eq!(counted, Verdict::RunTimeError);
            }
        }
    }

    #[test]
    fn display_pads_to_a_column() {
        assert_eq!(format!("[{:<4}]", Verdict::WrongAnswer), "[WA  ]");
    }
}
