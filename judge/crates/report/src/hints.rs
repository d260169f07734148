//! Hints: the usual causes of crashes and of compile errors.
//!
//! Responsible for recognising them in signals, exit codes and messages of compilers. Must not know
//! how verdicts are rendered.

use judge_event::{Excerpt, SubmissionState, TestCaseFinished};
use judge_model::{Termination, Verdict};

use crate::text::escape::prose;
use crate::text::line::{Tone, elide};
use crate::text::page::Page;

/// The maximum number of columns of a compiler's warning.
const MAX_WARNING: usize = 240;

/// The usual cause of a signal that the kernel or the C library sends to a faulty program.
pub(crate) fn usual_cause(signal: &str) -> Option<&'static str> {
    match signal {
        "SIGSEGV" | "SIGBUS" => {
            Some("invalid memory access, often an index out of range or too deep recursion")
        }
        "SIGABRT" => Some("aborted, often by a failed assertion or an exception"),
        "SIGFPE" => Some("arithmetic error, often an integer division by zero"),
        "SIGILL" => Some(
            "illegal instruction, often undefined behaviour that the compiler found, such as a \
             division by zero or a missing return",
        ),
        _ => None,
    }
}

/// Renders what may explain a run time error: the first warning of the compiler, and the meaning of
/// an exit code in C and C++.
pub(crate) fn run_time_error(
    page: &mut Page,
    indent: usize,
    submission: &SubmissionState,
    test: &TestCaseFinished,
) {
    if test.verdict != Verdict::RunTimeError {
        return;
    }
    // A program that prints an error chose its exit code.
    if is_c_or_cpp(submission)
        && matches!(test.termination, Termination::Exited { code: 1..=127 })
        && test.stderr.is_empty()
    {
        let hint = "hint: a program must end with exit code 0 (`return 0`)";
        page.wrapped(indent, Tone::Dim, hint);
    }
    let message = submission.compiled.as_ref().map(|made| &made.message);
    if let Some(warning) = message.and_then(first_warning) {
        let warning = elide(&warning, MAX_WARNING, page.glyphs.ellipsis);
        page.wrapped(
            indent,
            Tone::Plain,
            &format!("the compiler warned: {warning}"),
        );
    }
}

fn is_c_or_cpp(submission: &SubmissionState) -> bool {
    let language = submission.started.language.as_ref();
    language.is_some_and(|id| matches!(id.0.as_str(), "c" | "cgmp" | "cpp" | "cppgmp"))
}

/// Returns the first warning of gcc or clang, with its place, as one escaped line.
fn first_warning(message: &Excerpt) -> Option<String> {
    let lines = prose(&message.head.0);
    lines.into_iter().find_map(|line| {
        let line: String = line.into_iter().map(|piece| piece.shown).collect();
        let (place, text) = line.split_once(": warning: ")?;
        // Many solutions ignore the result of `scanf`, so this warning rarely names the cause.
        let is_noise = text.ends_with("[-Wunused-result]");
        (!is_noise).then(|| format!("{place}: {text}"))
    })
}

/// Returns the hint about an error that compilers and linkers describe badly.
pub(crate) fn compile_error(message: &Excerpt) -> Option<&'static str> {
    let (head, tail) = (message.head.to_text(), message.tail.to_text());
    let contains = |text: &str| head.contains(text) || tail.contains(text);
    if contains("multiple definition of `main'") {
        Some(
            "hint: the files of a directory become one program: only one of them can define `main`",
        )
    } else if contains("relocation truncated to fit") {
        Some("hint: global variables exceed 2 GiB")
    } else if head.lines().any(misses_cpp_header) {
        Some("hint: `.c` is compiled as C: name C++ files `.cpp`")
    } else {
        None
    }
}

/// True for the error about a header of C++ in a file of C. Headers of the standard library of C++
/// have no extension.
fn misses_cpp_header(line: &str) -> bool {
    line.split_once(": fatal error: ")
        .filter(|(place, _)| place.contains(".c:"))
        .and_then(|(_, text)| {
            let text = text.trim_start_matches('\'');
            let gcc = text.strip_suffix(": No such file or directory");
            gcc.or_else(|| text.strip_suffix("' file not found"))
        })
        .is_some_and(|header| header == "bits/stdc++.h" || !header.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str) -> Excerpt {
        Excerpt::new(text.as_bytes(), 1 << 10, 0)
    }

    #[test]
    fn the_first_warning_is_one_escaped_line() {
        let warning = |text: &str| first_warning(&excerpt(text));
        assert_eq!(
            warning(
                "my/noret.cpp: In function 'int f(int)':\n\
                 my/noret.cpp:2:7: warning: ignoring return value of 'int scanf' [-Wunused-result]\n\
                 my/noret.cpp:4:1: warning: no return\x1b[2J statement [-Wreturn-type]\n    4 | }\n\
                 my/noret.cpp:9:1: warning: another\n"
            )
            .as_deref(),
            Some("my/noret.cpp:4:1: no return\\x1b[2J statement [-Wreturn-type]")
        );
        assert_eq!(warning("note: nothing\nwarning: unused variable\n"), None);
    }

    #[test]
    fn illegal_instructions_are_explained() {
        assert!(usual_cause("SIGILL").is_some_and(|cause| cause.contains("missing return")));
    }

    #[test]
    fn several_functions_main_are_recognised() {
        let hint = |text: &str| compile_error(&excerpt(text));
        assert!(
            hint(
                "ld: b.o: in function `main':\nb.cpp:(.text+0x0): multiple definition of `main'; a.o: first defined here\n"
            )
            .is_some_and(|hint| hint.contains("only one of them can define `main`"))
        );
        assert_eq!(
            hint("ld: b.o: multiple definition of `solve'; a.o: first defined here\n"),
            None
        );
    }

    #[test]
    fn too_large_global_variables_are_recognised() {
        let text = "(.text+0x36): relocation truncated to fit: R_X86_64_PC32 against `.bss'\n";
        assert_eq!(
            compile_error(&excerpt(text)),
            Some("hint: global variables exceed 2 GiB")
        );
    }

    #[test]
    fn headers_of_cpp_in_files_of_c_are_recognised() {
        let hint = |text: &str| compile_error(&excerpt(text)).is_some();
        assert!(hint(
            "a.c:1:10: fatal error: bits/stdc++.h: No such file or directory\n    1 | #include\n"
        ));
        assert!(hint("a.c:1:10: fatal error: 'iostream' file not found\n"));
        assert!(!hint(
            "a.c:1:10: fatal error: gmp.h: No such file or directory\n"
        ));
        assert!(!hint(
            "a.cpp:1:10: fatal error: iostream: No such file or directory\n"
        ));
    }
}
