//! The text of choices in each language, and the definitions that a combined program needs for
//! them.
//!
//! The definitions for C include no header: its names could collide with those of the program.

use judge_model::LanguageFamily;

use crate::mutants::mutant::{ChoiceKind, Combined, Purpose};

/// The syntax of a choice, or of the call that records a place, in a language.
pub(super) struct Syntax {
    pub(super) open: &'static str,
    /// The text before the number of a mutant, or before the call that records it.
    pub(super) before: &'static str,
    /// The text between the number and the text of a mutant.
    pub(super) between: &'static str,
    /// The text after the text of a mutant, or after the call that records it.
    pub(super) behind: &'static str,
    /// The texts around the original.
    pub(super) original: [&'static str; 2],
    pub(super) close: &'static str,
}

/// The syntax of a choice. In C and C++, each part is on a separate line: compilers do not count
/// the columns of very long lines.
pub(super) fn choosing(language: LanguageFamily, kind: ChoiceKind) -> Syntax {
    let (before, between, behind) = match (language, kind.is_statement()) {
        (LanguageFamily::Rust, _) => ("if crate::__mutants::is(", ") { ", " } else "),
        (_, true) => ("\nif (judge_is(", ")) { ", " } else "),
        (_, false) => ("\njudge_is(", ") ? (", ") : "),
    };
    let (open, original, close) = match (language, kind.is_statement()) {
        (LanguageFamily::Rust, true) => ("", ["{ ", " }"], ""),
        (LanguageFamily::Rust, false) => ("(", ["{ ", " }"], ")"),
        (_, true) => ("{ ", original_in_c(kind), " }"),
        (_, false) => ("(", original_in_c(kind), ")"),
    };
    Syntax {
        open,
        before,
        between,
        behind,
        original,
        close,
    }
}

/// The syntax of recording.
pub(super) fn recording(language: LanguageFamily, kind: ChoiceKind) -> Syntax {
    let (open, before, behind, original, close) = match (language, kind.is_statement()) {
        (LanguageFamily::Rust, true) => ("", "crate::__mutants::", "; ", ["", ""], ""),
        // In parentheses, since the parser takes a brace at the beginning for a statement.
        (LanguageFamily::Rust, false) => ("({ ", "crate::__mutants::", "; ", ["", ""], " })"),
        (_, true) => ("{ ", "\njudge_", "; ", original_in_c(kind), " }"),
        (_, false) => ("(", "\njudge_", ", ", original_in_c(kind), ")"),
    };
    Syntax {
        open,
        before,
        between: "",
        behind,
        original,
        close,
    }
}

/// The texts around the original. A condition becomes a truth value: otherwise a stream and a
/// constant would have no common type.
fn original_in_c(kind: ChoiceKind) -> [&'static str; 2] {
    match kind {
        ChoiceKind::Statement | ChoiceKind::Block => ["\n{ ", " }"],
        ChoiceKind::Condition => ["\n!!(", ")"],
        ChoiceKind::Expression => ["\n(", ")"],
    }
}

/// The literal of a truth value.
pub(super) fn boolean(language: LanguageFamily, value: bool) -> &'static str {
    match (language, value) {
        (LanguageFamily::Rust, true) => "true",
        (LanguageFamily::Rust, false) => "false",
        (_, true) => "1",
        (_, false) => "0",
    }
}

/// The definitions that choices use. They precede the program in C and C++, and follow it in Rust.
pub(super) fn support(language: LanguageFamily, purpose: Purpose, mutants: usize) -> String {
    let letters: Vec<String> = Combined::MARK
        .chars()
        .map(|letter| format!("'{letter}'"))
        .collect();
    let text = match (language, purpose) {
        (LanguageFamily::Rust, Purpose::Choosing) => CHOOSING_RUST,
        (LanguageFamily::Rust, Purpose::Recording) => RECORDING_RUST,
        (_, Purpose::Choosing) => CHOOSING_C,
        (_, Purpose::Recording) => RECORDING_C,
    };
    let text = text.replace("@LETTERS@", &letters.join(","));
    text.replace("@MARK@", Combined::MARK)
        .replace("@COUNT@", &mutants.to_string())
}

/// The statement at the beginning of `main` that makes a Rust program report.
pub(super) const REPORT_RUST: &str = " let _report = crate::__mutants::Report;";

/// The definitions of Rust for choosing. `used` keeps the number in the program, and an atomic is
/// read every time, because another thread may change it.
const CHOOSING_RUST: &str = r#"
mod __mutants {
    use std::sync::atomic::{AtomicU32, Ordering};
    #[repr(C)]
    pub(crate) struct Marker { mark: [u8; 24], chosen: AtomicU32 }
    #[used]
    pub(crate) static MARKER: Marker = Marker { mark: *b"@MARK@", chosen: AtomicU32::new(0) };
    #[inline(always)]
    pub(crate) fn is(number: u32) -> bool { MARKER.chosen.load(Ordering::Relaxed) == number }
}
"#;

/// The definitions of Rust for recording. The report is written when `main` drops its variables:
/// safe Rust has no later moment.
const RECORDING_RUST: &str = r#"
mod __mutants {
    use std::sync::atomic::{AtomicU8, Ordering};
    static SEEN: [AtomicU8; @COUNT@] = [const { AtomicU8::new(0) }; @COUNT@];
    #[inline(always)]
    pub(crate) fn saw(mutant: usize, differs: bool) {
        if differs {
            SEEN[mutant].store(2, Ordering::Relaxed);
        } else if SEEN[mutant].load(Ordering::Relaxed) == 0 {
            SEEN[mutant].store(1, Ordering::Relaxed);
        }
    }
    #[inline(always)]
    pub(crate) fn value(mutant: usize, other: bool, value: bool) -> bool {
        saw(mutant, value != other);
        value
    }
    pub(crate) struct Report;
    impl Drop for Report {
        fn drop(&mut self) {
            let digits: String = SEEN.iter().map(|seen| char::from(b'0' + seen.load(Ordering::Relaxed))).collect();
            eprintln!("\n@MARK@ {digits}");
        }
    }
}
"#;

/// The definitions of C and C++ for choosing. `used` keeps the number in the program, and a
/// volatile variable is read every time.
const CHOOSING_C: &str = r"
static struct { char mark[24]; volatile unsigned chosen; } judge_mutants __attribute__((used)) = { {@LETTERS@}, 0 };
static __inline__ __attribute__((unused)) int judge_is(unsigned number) { return judge_mutants.chosen == number; }
";

/// The definitions of C and C++ for recording. The report is written when the program ends.
const RECORDING_C: &str = r#"
extern long judge_write(int, const void *, unsigned long) __asm__("write");
static char judge_seen[@COUNT@];
static __inline__ __attribute__((unused)) void judge_saw(int mutant, int differs) {
    if (differs) judge_seen[mutant] = 2; else if (!judge_seen[mutant]) judge_seen[mutant] = 1;
}
static __inline__ __attribute__((unused)) int judge_value(int mutant, int other, int value) {
    judge_saw(mutant, value != other);
    return value;
}
__attribute__((destructor)) static void judge_report(void) {
    static char line[@COUNT@];
    int i;
    for (i = 0; i < @COUNT@; i++) line[i] = '0' + judge_seen[i];
    judge_write(2, "\n@MARK@ ", 26);
    judge_write(2, line, @COUNT@);
    judge_write(2, "\n", 1);
}
"#;
