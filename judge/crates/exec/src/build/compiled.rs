//! The result of compiling: a program or the failure, and the compiler's output.
//!
//! Must not know how programs are made.

use std::sync::Arc;
use std::time::Duration;

use judge_event::Excerpt;

use crate::build::program::Runnable;
use crate::fault::Refusal;
use crate::store::programs::Manifest;

/// The result of compiling.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program, or the failure.
    pub result: Result<Arc<Runnable>, CompileFailure>,
    /// True when it was cached.
    pub cached: bool,
    /// The CPU time of compiling, now or when it came into the cache.
    pub cpu_time: Duration,
    /// The message that the compiler wrote.
    pub message: Excerpt,
}

/// A failed compilation.
#[derive(Clone, Debug)]
pub struct CompileFailure {
    /// The reason in words, when the compiler did not state it itself.
    pub reason: Option<String>,
    /// Everything that the compiler wrote.
    pub output: Vec<u8>,
}

impl CompileFailure {
    /// Returns the reason, or else the beginning of the compiler's output.
    pub(crate) fn why(&self) -> String {
        self.reason
            .clone()
            .unwrap_or_else(|| excerpt(&self.output).head.to_text().trim_end().to_owned())
    }

    /// Returns the hint for a header of C or C++ that a program of the package includes and that is
    /// missing.
    pub(crate) fn hint(&self) -> Option<String> {
        let header = self.why().lines().find_map(missing_header)?.to_owned();
        let source = match header.as_str() {
            "testlib.h" => ", which is at https://github.com/MikeMirzayanov/testlib",
            _ => "",
        };
        Some(format!(
            "packages must contain the headers of their programs: put a copy of `{header}` next to this program{source}"
        ))
    }

    /// Returns the refusal of a submission with this name.
    pub(crate) fn refusal(self, name: &str) -> Refusal {
        Refusal::Submission {
            why: format!("{name} {}", self.in_words()),
            compiler_output: self.output,
        }
    }

    /// Returns the end of a sentence whose subject is the program. A message of several lines
    /// begins on a new line.
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

/// The header that a line of GCC or Clang reports as missing. Headers in directories belong to a
/// library, so a copy of one file would not suffice.
fn missing_header(line: &str) -> Option<&str> {
    let (_, error) = line.split_once("fatal error: ")?;
    let gcc = error.strip_suffix(": No such file or directory");
    let clang = || error.strip_prefix('\'')?.strip_suffix("' file not found");
    gcc.or_else(clang)
        .filter(|header| !header.contains('/') && header.contains('.'))
}

/// Returns the result for submitted answers, which are not compiled.
pub(crate) fn answers() -> Compiled {
    success(Runnable::for_answers(), false, &Manifest::default())
}

/// Returns the result for a program that is refused without asking the compiler, or whose compiler
/// output is refused.
pub(crate) fn refused(reason: String) -> Compiled {
    Compiled {
        result: Err(CompileFailure {
            reason: Some(reason),
            output: Vec::new(),
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

/// Shortens a message: the first errors are the most useful, and the end has the summary.
pub(super) fn excerpt(message: &[u8]) -> Excerpt {
    Excerpt::new(message, 6 << 10, 2 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_headers_have_a_hint() {
        let hint = |output: &str| {
            CompileFailure {
                reason: None,
                output: output.as_bytes().to_vec(),
            }
            .hint()
        };
        for output in [
            "v.cpp:1:10: fatal error: testlib.h: No such file or directory\n    1 | #include \"testlib.h\"\n",
            "v.cpp:1:10: fatal error: 'testlib.h' file not found\n",
        ] {
            let hint = hint(output).unwrap();
            assert!(
                hint.contains("`testlib.h` next to") && hint.contains("github.com/MikeMirzayanov"),
                "{hint}"
            );
        }
        let other =
            hint("v.cpp:1:10: fatal error: validation.h: No such file or directory\n").unwrap();
        assert!(
            other.ends_with("put a copy of `validation.h` next to this program"),
            "{other}"
        );
        assert_eq!(
            hint("v.cpp:1:10: fatal error: boost/any.hpp: No such file or directory\n"),
            None
        );
        assert_eq!(hint("v.cpp:1:1: error: 'x' was not declared\n"), None);
    }
}
