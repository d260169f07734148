//! The document of `judge doctor`: the isolation, languages and timing of a host.
//!
//! Responsible for the facts. Must not know how they are found or rendered. No event: a document of
//! one command.

use judge_model::{Guarantee, Isolation, IsolationLevel, LanguageId};
use serde::Serialize;

/// The facts about a host that determine what can be judged on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The surroundings, such as "Docker container, default seccomp profile, root with default
    /// capabilities".
    pub environment: String,
    /// The isolation that programs would have; `None` when no safe level is available.
    pub isolation: Option<Isolation>,
    /// The level that `judge.yaml` requires, regardless of available levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demanded: Option<IsolationLevel>,
    /// The levels that were tried, the strongest first.
    pub attempts: Vec<IsolationAttempt>,
    /// The fixes that would make a stronger level possible.
    pub fixes: Vec<FixHint>,
    /// The number of physical cores that may be used.
    pub cores: u32,
    /// The number of programs that would run at a time.
    pub jobs: u32,
    /// The tools of every language.
    pub toolchains: Vec<DiagnosedTool>,
    /// The file extensions that determine the language of a file.
    pub extensions: Vec<LanguageExtensions>,
    /// Warnings about conditions that make timing unreliable here.
    pub timing: Vec<TimingWarning>,
    /// The speed compared with the reference, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// The program itself.
    pub program: ProgramFacts,
    /// The directory in which compiled programs and results are cached.
    pub cache_dir: String,
    /// The fault of the host because of which programs, or those of some languages, cannot be run,
    /// and a hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The `judge.yaml` in force here; `None` outside of a workspace.
    pub workspace: Option<String>,
}

/// The facts about the program that decide on which hosts it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProgramFacts {
    /// Its version.
    pub version: String,
    /// The processor that it is for, such as `x86_64`.
    pub processor: String,
    /// The C library that it was built with, such as `glibc` or `musl`.
    pub libc: String,
    /// True when the library is linked into it, so that it needs no C library of the host.
    pub linked_statically: bool,
}

/// An isolation level that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IsolationAttempt {
    /// The level.
    pub level: IsolationLevel,
    /// The reason that it is unavailable here; `None` when it is available.
    pub problem: Option<String>,
}

/// A fix that an administrator could make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixHint {
    /// The level that becomes possible.
    pub gives: IsolationLevel,
    /// The guarantees that are missing now and that the fix provides.
    pub closes: Vec<Guarantee>,
    /// The reason why the level is unavailable now.
    pub why: String,
    /// Commands to type, or lines of a file to write, one after the other.
    pub commands: Vec<String>,
}

/// A tool of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosedTool {
    /// The language.
    pub language: LanguageId,
    /// The tool, such as `rustc`.
    pub tool: String,
    /// Its version as the tool prints it, if it was found.
    pub version: Option<String>,
    /// Its path, if it was found.
    pub path: Option<String>,
    /// True if a small program in the language was compiled and run.
    pub works: bool,
    /// The reason that it cannot be used; `None` when it can, or was not tried.
    pub problem: Option<String>,
}

/// The extensions of a language's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguageExtensions {
    /// The language.
    pub language: LanguageId,
    /// The extensions, without the dot.
    pub extensions: Vec<String>,
}

/// A condition that makes timing unreliable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimingWarning {
    /// The condition, such as "CPU frequency governor is `powersave`".
    pub what: String,
    /// The reason why it distorts measurements.
    pub why: &'static str,
    /// The fix.
    pub fix: &'static str,
}

/// The factor by which this host is slower than the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The factor over all kinds of work.
    pub factor: f64,
    /// The factor of the kind of work that is fastest here, relative to the reference.
    pub lowest: f64,
    /// The factor of the kind of work that is slowest here, relative to the reference.
    pub highest: f64,
    /// The largest distance between runs of the same work, as a share of their median.
    pub noise: f64,
    /// Each kind of work.
    pub kinds: Vec<CalibratedKind>,
}

/// One kind of work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibratedKind {
    /// Its name.
    pub kind: String,
    /// The median of its CPU times here.
    pub seconds: f64,
    /// Its CPU time on the reference.
    pub reference_seconds: f64,
    /// The ratio of `seconds` to `reference_seconds`.
    pub factor: f64,
    /// The distance between the fastest and the slowest run, as a share of the median.
    pub spread: f64,
}

impl Diagnosis {
    /// The findings as one JSON object.
    ///
    /// # Panics
    /// Never: all keys are strings, as JSON requires.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("findings have string keys only")
    }
}
