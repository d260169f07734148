//! The events about one submission.
//!
//! Responsible for its events, from compiling to its verdict. Must not know reporters.

use judge_model::{Expectation, LanguageId, Score, Termination, Verdict};
use serde::{Deserialize, Serialize};

use crate::{Bytes, Difference, Excerpt, Interaction, Picture, Toolchain};

/// The run starts a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionStarted {
    /// The problem's name.
    pub problem: String,
    /// The submission, such as `accepted/flow.rs`.
    pub submission: String,
    /// Its path, relative to the workspace where possible.
    pub path: String,
    /// Its language; absent when it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageId>,
    /// The expectations of it.
    pub expectations: Vec<Expectation>,
    /// The beginnings and ends of its source files, or their full text if they are short; absent
    /// for answers. If there are very many files, only the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceFile>,
}

/// A source file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    /// Its path in the submission; for a single file, its name.
    pub file: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its text; absent when it is empty.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
}

/// A submission was compiled, or did not compile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompileFinished {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// True when it compiled.
    pub success: bool,
    /// True when the program was taken from the cache.
    pub cached: bool,
    /// CPU time of the compiler, also when the program was cached: then that of the original
    /// compilation.
    pub cpu_time_us: u64,
    /// The compiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<Toolchain>,
    /// The reason why there is no program, if the compiler did not report one (an exceeded limit,
    /// for example).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The messages of the compiler; absent when it wrote nothing.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub message: Excerpt,
}

/// A first result that a busy host may have decided: the CPU time was close to the limit or
/// unexpectedly beyond it, or the elapsed time ran out for a program that was not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearLimit {
    /// CPU time of the first run.
    pub first_cpu_time_us: u64,
    /// The verdict of the first run.
    pub first_verdict: Verdict,
}

/// A submission was judged on one test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestCaseFinished {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// Its name below `data/`, without extension.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time of the whole process tree.
    pub cpu_time_us: u64,
    /// Elapsed time from the program's start to its end.
    pub wall_time_us: u64,
    /// Peak memory, of the whole process tree if the isolation level can measure it.
    pub memory_bytes: u64,
    /// Bytes written to standard output.
    pub stdout_bytes: u64,
    /// Bytes written to standard error.
    pub stderr_bytes: u64,
    /// The beginning of the SHA-256 of standard output, 16 hexadecimal digits, if outputs are
    /// compared with each other; with several passes, of the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
    /// The termination of the program.
    pub termination: Termination,
    /// The first result, if the test case was run again, alone: the CPU time was close to the limit
    /// or unexpectedly beyond it, or the elapsed time ran out for a program that may have had to
    /// wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_limit: Option<NearLimit>,
    /// `true` when the result is from an earlier run and nothing has changed since. All other
    /// fields, including times, are those of that run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// `true` when judging had stopped before (`on_reject: break`, or a required group was
    /// rejected) and the test case was run only because all test cases were requested: it does not
    /// affect the submission's verdict, score and expectations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_stop: bool,
    /// For WA: the first difference of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The text that the package's output validator wrote into `judgemessage.txt`, cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub judge_message: Bytes,
    /// The end of standard error when the verdict is not AC; for JE, of the output validator.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub stderr: Excerpt,
    /// For JE: the reason why the submission has no other verdict; for RTE: the reason why the
    /// program did not find `/proc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The score of the test case, if single test cases have scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The number of runs of the submission, if there was more than one (multi-pass).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The conversation of an interactive problem, when the verdict is not AC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Box<Interaction>>,
    /// The text that the output validator wrote for the team (`teammessage.txt`), cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub team_message: Bytes,
    /// The pictures that the package's visualizers drew, for the first three test cases of a
    /// submission that are not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The reasons why pictures are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picture_remarks: Vec<String>,
}

impl TestCaseFinished {
    /// True when the test case counts and was not accepted.
    #[must_use]
    pub fn is_rejected(&self) -> bool {
        self.verdict != Verdict::Accepted && !self.after_stop
    }
}

/// The slowest test case of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Slowest {
    /// The test case.
    pub test_case: String,
    /// Its CPU time.
    pub cpu_time_us: u64,
}

/// The result of a group of test cases. Groups come in package order, outer groups before inner
/// ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupFinished {
    /// The group, such as `secret/group1`.
    pub group: String,
    /// Its verdict; absent when it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Its score, in a scoring problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Its maximum score, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// The reason why it was skipped, such as a required group that was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The reason for a judge error, if none of its test cases is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A submission has its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionFinished {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The verdict of the first test case that is not AC, or AC; CE when it did not compile; in a
    /// legacy problem with graders, their verdict; JE when any part of a scoring problem has it.
    pub verdict: Verdict,
    /// The test case that decided the verdict; absent for AC and CE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deciding_test_case: Option<String>,
    /// The test case with the most CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
    /// The largest peak memory of its runs.
    pub memory_bytes: u64,
    /// The number of test cases that were run.
    pub test_cases_run: u64,
    /// The number of test cases selected.
    pub test_cases_total: u64,
    /// True when every expectation is met.
    pub as_expected: bool,
    /// The expectations that are not met, a sentence each.
    pub violations: Vec<String>,
    /// Remarks about unusual results, a sentence each. They do not affect `as_expected` or the exit
    /// code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Its score, in a scoring problem; absent for JE, and when a legacy grader rejects it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The best possible score, if there is one: the maximum, or the minimum if lower scores are
    /// better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// The results of the groups of test cases, in package order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupFinished>,
}

impl SubmissionFinished {
    /// True when the result is not as expected. A judge error never is.
    #[must_use]
    pub fn is_surprise(&self) -> bool {
        !self.as_expected || self.verdict == Verdict::JudgeError
    }
}

/// A submission was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionSkipped {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The reason.
    pub reason: String,
}
