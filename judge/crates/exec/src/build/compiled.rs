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
        self.reason
            .clone()
            .unwrap_or_else(|| excerpt(&self.said).head.to_text().trim_end().to_owned())
    }

    /// What to do about a header of C or C++ that a program of the package includes and nobody has.
    pub(crate) fn hint(&self) -> Option<String> {
        let header = self.why().lines().find_map(missing_header)?.to_owned();
        let source = match header.as_str() {
            "testlib.h" => ", which is at https://github.com/MikeMirzayanov/testlib",
            _ => "",
        };
        Some(format!(
            "a package brings the headers of its programs: put a copy of `{header}` beside this program{source}"
        ))
    }

    /// The end of a sentence whose subject is the program. Several lines begin on a line of their
    /// own.
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

/// The header that a line of GCC or Clang calls missing. Those of directories belong to a library,
/// and a copy would not do.
fn missing_header(line: &str) -> Option<&str> {
    let (_, error) = line.split_once("fatal error: ")?;
    let gcc = error.strip_suffix(": No such file or directory");
    let clang = || error.strip_prefix('\'')?.strip_suffix("' file not found");
    gcc.or_else(clang)
        .filter(|header| !header.contains('/') && header.contains('.'))
}

/// Answers that were handed in: there is nothing to compile.
pub(crate) fn answers() -> Compiled {
    success(Runnable::of_answers(), false, &Manifest::default())
}

/// A program that is refused without asking the compiler, or whose output is.
pub(crate) fn refused(reason: String) -> Compiled {
    Compiled {
        result: Err(CompileFailure {
            reason: Some(reason),
            said: Vec::new(),
        }),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_headers_have_a_hint() {
        let hint = |said: &str| {
            CompileFailure {
                reason: None,
                said: said.as_bytes().to_vec(),
            }
            .hint()
        };
        for said in [
            "v.cpp:1:10: fatal error: testlib.h: No such file or directory\n    1 | #include \"testlib.h\"\n",
            "v.cpp:1:10: fatal error: 'testlib.h' file not found\n",
        ] {
            let hint = hint(said).unwrap();
            assert!(
                hint.contains("`testlib.h` beside") && hint.contains("github.com/MikeMirzayanov"),
                "{hint}"
            );
        }
        let other =
            hint("v.cpp:1:10: fatal error: validation.h: No such file or directory\n").unwrap();
        assert!(
            other.ends_with("put a copy of `validation.h` beside this program"),
            "{other}"
        );
        assert_eq!(
            hint("v.cpp:1:10: fatal error: boost/any.hpp: No such file or directory\n"),
            None
        );
        assert_eq!(hint("v.cpp:1:1: error: 'x' was not declared\n"), None);
    }
}
