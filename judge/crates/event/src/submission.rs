//! The events about one submission.
//!
//! Responsible for what happened to it, from compiling to its verdict. Must not know reporters.

use judge_model::{Expectation, LanguageId, Score, Termination, Verdict};
use serde::{Deserialize, Serialize};

use crate::{Bytes, Difference, Excerpt, Interaction, Picture, Toolchain};

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
    /// Its language; absent when it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageId>,
    /// The expectations of it.
    pub expectations: Vec<Expectation>,
    /// The beginnings and ends of its source files, whole where they are short; absent for answers,
    /// and of very many files only the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceFile>,
}

/// A source file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    /// Its path in the submission; of a single file, its name.
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
    /// True when a program came out.
    pub success: bool,
    /// True when the program was taken from the cache.
    pub cached: bool,
    /// CPU time of the compiler; that of the first time when cached.
    pub cpu_time_us: u64,
    /// The compiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<Toolchain>,
    /// The reason why there is no program, when the compiler itself did not say it (a limit
    /// exceeded, for example).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The messages of the compiler; absent when it wrote nothing.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub message: Excerpt,
}

/// A first result that a busy machine may have decided: the CPU time was close to the limit or,
/// against expectations, beyond it, or the elapsed time ran out on a program that was not idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearLimit {
    /// CPU time of the first run.
    pub first_cpu_time_us: u64,
    /// The verdict of the first run.
    pub first_verdict: Verdict,
}

pub(crate) fn is_false(value: &bool) -> bool {
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
    /// Its name below `data/`, without extension.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time of the whole process tree.
    pub cpu_time_us: u64,
    /// Elapsed time from the program's start to its end.
    pub wall_time_us: u64,
    /// Peak memory, of the whole process tree where the isolation level can count it.
    pub memory_bytes: u64,
    /// Bytes written to standard output.
    pub stdout_bytes: u64,
    /// Bytes written to standard error.
    pub stderr_bytes: u64,
    /// The beginning of the SHA-256 of standard output, 16 hexadecimal digits, where outputs are
    /// compared with each other; with several passes, of the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
    /// The way in which the program ended.
    pub termination: Termination,
    /// The CPU time was close to the limit or unexpectedly beyond it, or the elapsed time ran out
    /// on a program that may have been kept waiting, and the test case was run again alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_limit: Option<NearLimit>,
    /// `true` when an earlier run has judged it and nothing has changed since; all else is as that
    /// run reported it, its times too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cached: bool,
    /// `true` when judging had stopped before (`on_reject: break`, or a group that had to be passed
    /// was not) and the test case was run because every one was asked for: the submission's
    /// verdict, score and expectations are as if it had not been run.
    #[serde(default, skip_serializing_if = "is_false")]
    pub after_stop: bool,
    /// For WA: where the output differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The text that the package's output validator wrote into `judgemessage.txt`, cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub judge_message: Bytes,
    /// The end of standard error when the verdict is not AC; for JE that of the output validator.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub stderr: Excerpt,
    /// For JE: why nothing is known about the submission; for RTE: why the program did not find
    /// `/proc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The score that the test case is worth, where single test cases have scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The number of times that the submission was run, when that was more than once (multi-pass).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The conversation of an interactive problem, when the verdict is not AC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Box<Interaction>>,
    /// The text that the output validator wrote for the team (`teammessage.txt`), cut when long.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub team_message: Bytes,
    /// The pictures that the package's visualizers drew of a test case that is not accepted; only
    /// of the first three of a submission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The reasons why some or all of them are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picture_remarks: Vec<String>,
}

impl TestCaseFinished {
    /// True when it is one of those that count, and was not accepted.
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

/// The result of a group of test cases. Groups come in package order, outer ones before those in
/// them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupFinished {
    /// The group, such as `secret/group1`.
    pub group: String,
    /// Its verdict; none when it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Its score, in a scoring problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The most that it can be worth, where that is bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// The reason why it was left out, such as a group before it that had to be passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The reason for a judge error, when none of its test cases is one.
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
    /// legacy problem with graders what they say; JE when any part of a scoring problem is.
    pub verdict: Verdict,
    /// The test case that decided; absent for AC and CE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deciding_test_case: Option<String>,
    /// The test case with the most CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
    /// The largest peak memory of its runs.
    pub memory_bytes: u64,
    /// Number of test cases that were run.
    pub test_cases_run: u64,
    /// Number of test cases selected.
    pub test_cases_total: u64,
    /// True when every expectation is met.
    pub as_expected: bool,
    /// The expectations that are not met, a sentence each.
    pub violations: Vec<String>,
    /// The remarks: they deserve a look but change nothing, neither `as_expected` nor the exit
    /// code; a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Its score, in a scoring problem; absent for JE, and for what a legacy grader rejects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The most that it could be worth, where that is bounded; the least, where less is better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Score>,
    /// The results of the groups of test cases, in package order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupFinished>,
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
