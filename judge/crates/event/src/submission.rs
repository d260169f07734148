//! The events about one submission.
//!
//! Responsible for what happened to it, from compiling to its verdict. Must not know reporters.

use judge_model::{Expectation, LanguageId, Score, Termination, Verdict};
use serde::{Deserialize, Serialize};

use crate::{Bytes, Difference, Excerpt, Interaction, Toolchain};

/// A submission comes up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionStarted {
    /// The problem's name.
    pub problem: String,
    /// The submission, such as `accepted/flow.rs`.
    pub submission: String,
    /// Its path, relative to the workspace where possible.
    pub path: String,
    /// Its language, if it could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageId>,
    /// What is expected of it.
    pub expectations: Vec<Expectation>,
}

/// A submission was compiled, or did not compile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompileFinished {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// Whether a program came out.
    pub success: bool,
    /// Whether the program was taken from the cache.
    pub cached: bool,
    /// CPU time of the compiler in microseconds; that of the first time when cached.
    pub cpu_time_us: u64,
    /// The compiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<Toolchain>,
    /// Why there is no program, when the compiler itself did not say it (a limit exceeded, for example).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the compiler wrote.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub message: Excerpt,
}

/// A first result that a busy machine may have decided: the CPU time was close to the limit or, against expectations,
/// beyond it, or the elapsed time ran out on a program that was not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearLimit {
    /// CPU time of the first run in microseconds, before it was run again alone.
    pub first_cpu_time_us: u64,
    /// The verdict of the first run.
    pub first_verdict: Verdict,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A submission was judged on one test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestCaseFinished {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time of the whole process tree in microseconds.
    pub cpu_time_us: u64,
    /// Elapsed time in microseconds.
    pub wall_time_us: u64,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// Bytes written to standard output.
    pub stdout_bytes: u64,
    /// Bytes written to standard error.
    pub stderr_bytes: u64,
    /// Tells standard outputs apart: 16 hexadecimal digits, the beginning of their SHA-256. Only where outputs are
    /// compared with each other; never in an interactive problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
    /// How the program ended.
    pub termination: Termination,
    /// Set when the first result may have been decided by a busy machine, and the test case was run again alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_limit: Option<NearLimit>,
    /// Whether an earlier run has judged it and nothing has changed since: its times are those of that run.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cached: bool,
    /// Where the output differs, for a wrong answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// What the package's output validator said to judges (`judgemessage.txt`), cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub judge_message: Bytes,
    /// The end of standard error, when the verdict is not AC.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub stderr: Excerpt,
    /// Why it is a judge error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The score that it is worth, where single test cases have scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// How often the submission was run, when that was more than once (multi-pass).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// What was said, in an interactive problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Box<Interaction>>,
    /// What the output validator said to the team (`teammessage.txt`), cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub team_message: Bytes,
}

/// The slowest test case of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Slowest {
    /// The test case.
    pub test_case: String,
    /// Its CPU time in microseconds.
    pub cpu_time_us: u64,
}

/// What a group of test cases came to. Groups come in package order, outer ones before those in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupFinished {
    /// The group, such as `secret/group1`.
    pub group: String,
    /// Its verdict; none when it was not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Its score, in a scoring problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The most that it can be worth, where that is bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// Why it was not judged, such as a group before it that had to be passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Why it is a judge error, when none of its test cases is.
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
    /// The verdict of the first test case that is not AC, or AC; in a legacy problem with graders what they say; JE
    /// when any part of a scoring problem is.
    pub verdict: Verdict,
    /// The test case that decided, unless all were accepted or none was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deciding_test_case: Option<String>,
    /// The slowest test case, if any was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
    /// The largest peak memory of its runs in bytes.
    pub memory_bytes: u64,
    /// Test cases judged.
    pub test_cases_run: u64,
    /// Test cases selected.
    pub test_cases_total: u64,
    /// Whether every expectation is met.
    pub as_expected: bool,
    /// What is not as expected, a sentence each.
    pub violations: Vec<String>,
    /// What deserves a look but changes nothing, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Its score, in a scoring problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The most (in a problem where less is better, the least) that it could be worth, where that is bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// The groups of test cases, in a problem that has any of interest: a scoring one, or one with graders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupFinished>,
}

/// A submission was not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionSkipped {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// Why.
    pub reason: String,
}
