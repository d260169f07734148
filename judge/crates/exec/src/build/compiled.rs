//! The result of compiling: a program or the failure, and what the compiler wrote.
//!
//! Must not know how programs are made.

use std::sync::Arc;
use std::time::Duration;

use judge_event::Excerpt;

use crate::build::program::Runnable;
use crate::store::programs::Manifest;

/// The result of compiling.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program, or the failure.
    pub result: Result<Arc<Runnable>, CompileFailure>,
    /// True when the cache had it.
    pub cached: bool,
    /// The CPU time of compiling, now or when it came into the cache.
    pub cpu_time: Duration,
    /// The message that the compiler wrote.
    pub message: Excerpt,
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub struct CompileFailure {
    /// In words, when the compiler did not say it itself.
    pub reason: Option<String>,
    /// Everything that the compiler wrote.
    pub said: Vec<u8>,
}

impl CompileFailure {
    /// The reason, or else what the compiler wrote first.
    pub(crate) fn why(&self) -> String {
        self.reason.clone().unwrap_or_else(|| excerpt(&self.said).head.to_text().trim_end().to_owned())
    }

    /// The end of a sentence whose subject is the program. Several lines begin on a line of their own.
    pub(crate) fn in_words(&self) -> String {
        let why = self.why();
        if why.contains('\n') {
            let lines: String = why.lines().map(|line| format!("\n  {line}")).collect();
            format!("does not compile:{lines}")
        } else {
            format!("does not compile: {why}")
        }
    }
}

/// Answers that were handed in: there is nothing to compile.
pub(crate) fn answers() -> Compiled {
    success(Runnable::of_answers(), false, &Manifest::default())
}

/// A program that is refused without asking the compiler, or whose output is.
pub(crate) fn refused(reason: String) -> Compiled {
    Compiled {
        result: Err(CompileFailure { reason: Some(reason), said: Vec::new() }),
        cached: false,
        cpu_time: Duration::ZERO,
        message: Excerpt::default(),
    }
}

pub(super) fn success(runnable: Runnable, cached: bool, manifest: &Manifest) -> Compiled {
    Compiled {
        result: Ok(Arc::new(runnable)),
        cached,
        cpu_time: Duration::from_micros(manifest.cpu_time_us),
        message: excerpt(manifest.message.as_bytes()),
    }
}

/// The first errors say most; the end has the summary.
pub(super) fn excerpt(message: &[u8]) -> Excerpt {
    Excerpt::new(message, 6 << 10, 2 << 10)
}
