//! The programs in `testdata/faulty/`, each with the problem that it is put into and its findings.

/// A problem that a faulty program is put into.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) types: &'static str,
    /// The arguments of the output validator.
    pub(crate) args: &'static str,
    /// Inputs and answers.
    pub(crate) cases: &'static [(&'static str, &'static str)],
    /// The program is an input validator, and the default output validator compares.
    pub(crate) is_input: bool,
}

pub(crate) const NUMBER: Setting = Setting {
    types: "pass-fail",
    args: "",
    cases: &[("6\n", "52717\n")],
    is_input: false,
};
const NUMBERS: Setting = Setting {
    cases: &[("6\n", "52717\n"), ("7\n", "823543\n")],
    ..NUMBER
};
/// A number that `double` cannot represent.
const LARGE_NUMBER: Setting = Setting {
    cases: &[("6\n", "9007199254740993\n")],
    ..NUMBER
};
const DECIMAL: Setting = Setting {
    cases: &[("6\n", "0.125\n")],
    ..NUMBER
};
const PERMUTATION: Setting = Setting {
    cases: &[("6\n", "3 1 2\n"), ("7\n", "2 4 3 1\n")],
    ..NUMBER
};
const REPEATED: Setting = Setting {
    cases: &[("6\n", "4\n5 7 7 7\n")],
    ..NUMBER
};
const SETS: Setting = Setting {
    cases: &[("6\n", "5 7 9\n"), ("8\n", "7 8 9\n")],
    ..NUMBER
};
const DECISION: Setting = Setting {
    cases: &[
        ("6\n", "YES\n4 2\n"),
        ("7\n", "NO\n"),
        ("8\n", "NO\n"),
        ("9\n", "NO\n"),
    ],
    ..NUMBER
};
const LINES: Setting = Setting {
    cases: &[("6\n", "3\n30\n10\n20\n")],
    ..NUMBER
};
const WORD: Setting = Setting {
    args: "case_sensitive",
    cases: &[("6\n", "Possible\n")],
    ..NUMBER
};
const WHITE_SPACE: Setting = Setting {
    args: "space_change_sensitive",
    ..NUMBER
};
/// An interactor accepts these answers as guesses.
const GUESS: Setting = Setting {
    cases: &[("6\n", "6\n"), ("8\n", "8\n")],
    ..NUMBER
};
const MULTI_PASS: Setting = Setting {
    types: "multi-pass",
    ..NUMBER
};
const INTERACTIVE: Setting = Setting {
    types: "interactive",
    ..NUMBER
};
pub(crate) const INPUT: Setting = Setting {
    is_input: true,
    ..NUMBER
};
const LONG_INPUT: Setting = Setting {
    cases: &[("16\n", "52717\n")],
    ..INPUT
};

/// A file of `testdata/faulty/`, its problem, and the findings: the code of each and a part of its
/// message. Without findings, no output can show the mistake.
pub(crate) type Faulty = (
    &'static str,
    Setting,
    &'static [(&'static str, &'static str)],
);

/// The programs that take little time.
pub(crate) const FAULTY: [Faulty; 45] = [
    (
        "abs_of_integers.c",
        DECIMAL,
        &[("JP914", "0.999 added to its first decimal")],
    ),
    ("accepts_everything.c", NUMBER, &[("JP903", "random bytes")]),
    (
        "accepts_no_everywhere.c",
        DECISION,
        &[(
            "JP914",
            "the word that is the answer of other test cases in its place (`NO\\n`)",
        )],
    ),
    ("answer_anywhere.sh", NUMBER, &[("JP914", "text before it")]),
    ("asks_for_a_pass.c", NUMBER, &[("JP916", "multi-pass")]),
    (
        "asks_for_a_pass.c",
        MULTI_PASS,
        &[("JP917", "not a number")],
    ),
    ("asserts.cpp", NUMBER, &[("JP902", "SIGABRT")]),
    (
        "allows_less.cpp",
        DECIMAL,
        &[("JP914", "-1000000000.5 in place of its number")],
    ),
    (
        "allows_repetition.cpp",
        PERMUTATION,
        &[(
            "JP914",
            "its second number replaced by the first one (`3 3 2\\n`), its first",
        )],
    ),
    (
        "casts_to_32_bits.rs",
        NUMBER,
        &[("JP914", "2^32 added to its first number (`4295020013\\n`)")],
    ),
    (
        "compares_as_sets.cpp",
        REPEATED,
        &[(
            "JP914",
            "one of two equal tokens missing (`4\\n5 7 7\\n`), its last token repeated",
        )],
    ),
    (
        "compares_bytes.sh",
        NUMBER,
        &[("JP915", "no newline at the end (`52717`)")],
    ),
    (
        "divides_by_the_output.rs",
        NUMBER,
        &[("JP902", "attempt to divide by zero")],
    ),
    (
        "ends_at_a_nul.cpp",
        NUMBER,
        &[(
            "JP914",
            "a NUL byte after its last number (`52717\\x00\\n`)",
        )],
    ),
    (
        "exits_as_a_program.sh",
        NUMBER,
        &[
            ("JP909", "returned exit code 0"),
            ("JP902", "returned exit code"),
        ],
    ),
    (
        "first_token_only.c",
        NUMBER,
        &[("JP914", "text after it (`52717\\nhello world\\n`)")],
    ),
    (
        "ignores_the_answer.cpp",
        NUMBERS,
        &[(
            "JP914",
            "the answer of another test case in its place (`823543\\n`)",
        )],
    ),
    (
        "ignores_white_space.rs",
        WHITE_SPACE,
        &[("JP914", "no newline at the end")],
    ),
    (
        "infinity_is_close.rs",
        DECIMAL,
        &[("JP914", "`inf` in place of its first number")],
    ),
    (
        "interactor_divides.c",
        NUMBER,
        &[("JP902", "SIGFPE"), ("JP916", "interactive")],
    ),
    (
        "interactor_divides.c",
        GUESS,
        &[("JP902", "SIGFPE"), ("JP916", "answers each line")],
    ),
    (
        "nan_is_close.cpp",
        DECIMAL,
        &[("JP914", "`nan` in place of its first number")],
    ),
    (
        "reads_a_prefix.c",
        NUMBER,
        &[("JP914", "a letter after its last number (`52717x\\n`)")],
    ),
    ("reads_text.py", NUMBER, &[("JP902", "UnicodeDecodeError")]),
    ("reads_text.rs", NUMBER, &[("JP902", "valid UTF-8")]),
    ("right_for_a_larger_number.c", NUMBERS, &[]),
    ("right_for_sets.cpp", SETS, &[]),
    (
        "rejects_with_a_pass.cpp",
        MULTI_PASS,
        &[("JP902", "`nextpass.in` and rejected")],
    ),
    (
        "reserves_what_it_reads.cpp",
        LINES,
        &[
            ("JP902", "SIGABRT"),
            ("JP914", "2^32 added to its first number"),
        ],
    ),
    ("waits_for_a_number.c", NUMBER, &[("JP902", "1 s")]),
    (
        "wraps_at_32_bits.c",
        NUMBER,
        &[("JP914", "2^32 added to its first number (`4295020013\\n`)")],
    ),
    (
        "wraps_at_64_bits.cpp",
        NUMBER,
        &[("JP914", "2^64 added to its first number")],
    ),
    // Not an interactor, although it flushes.
    ("writes_debugging_text.cpp", NUMBERS, &[]),
    // A problem with a tolerance accepts the next number, too.
    ("compares_doubles.cpp", LARGE_NUMBER, &[]),
    (
        "interactor_accepts_at_once.py",
        INTERACTIVE,
        &[("JP903", "nothing, and then the end")],
    ),
    ("interactor_divides.c", INTERACTIVE, &[("JP902", "SIGFPE")]),
    (
        "interactor_reads_text.rs",
        INTERACTIVE,
        &[("JP902", "valid UTF-8")],
    ),
    (
        "interactor_with_a_small_buffer.c",
        INTERACTIVE,
        &[("JP902", "SIGABRT")],
    ),
    (
        "input_dollar.py",
        INPUT,
        &[("JP806", "no newline at the end")],
    ),
    (
        "input_int.py",
        INPUT,
        &[("JP806", "a leading zero before an integer")],
    ),
    (
        "input_other_last_digits.py",
        LONG_INPUT,
        &[("JP806", "a last digit of another script")],
    ),
    (
        "input_other_digits.py",
        INPUT,
        &[("JP806", "digits of another script")],
    ),
    (
        "input_universal_newlines.py",
        INPUT,
        &[("JP806", "carriage returns")],
    ),
    (
        "input_without_end.cpp",
        INPUT,
        &[("JP806", "more text after the end")],
    ),
    (
        "input_wraps.cpp",
        INPUT,
        &[("JP806", "2^32 added to an integer")],
    ),
];

/// The slow programs: a program in Python takes as much time to start as ten others, and some do
/// not end.
pub(crate) const SLOW_FAULTY: [Faulty; 20] = [
    (
        "input_waits_for_a_newline.c",
        INPUT,
        &[("JP810", "does not end on ")],
    ),
    (
        "compares_the_shorter.py",
        LINES,
        &[
            ("JP903", "an empty file"),
            ("JP914", "its last token missing"),
        ],
    ),
    ("echoes_the_output.py", NUMBER, &[("JP902", "OSError")]),
    (
        "ignores_letter_case.py",
        WORD,
        &[("JP914", "other letter case (`pOSSIBLE\\n`)")],
    ),
    (
        "interactor_expects_numbers.py",
        NUMBER,
        &[("JP902", "ValueError"), ("JP916", "interactive")],
    ),
    (
        "interactor_expects_numbers.py",
        GUESS,
        &[("JP902", "ValueError"), ("JP916", "answers each line")],
    ),
    (
        "isdigit_then_int.py",
        NUMBER,
        &[("JP902", "superscript digits in its first number")],
    ),
    (
        "nan_is_close.py",
        NUMBER,
        &[("JP914", "`nan` in place of its first number (`nan\\n`)")],
    ),
    ("quadratic.py", NUMBER, &[("JP902", "numbers after it")]),
    ("reads_with_input.py", NUMBER, &[("JP902", "EOFError")]),
    ("recurses.py", LINES, &[("JP902", "RecursionError")]),
    (
        "splits_at_blanks.py",
        LINES,
        &[("JP915", "a space at the end of a line")],
    ),
    // If the order of lines does not matter, this is correct.
    ("sorts_lines.py", LINES, &[]),
    // Nearly every validator in Python reads numbers like this, and no submission writes them.
    ("underscores.py", NUMBER, &[]),
    (
        "interactor_accepts_silence.py",
        INTERACTIVE,
        &[("JP903", "nothing, and then the end")],
    ),
    (
        "interactor_expects_numbers.py",
        INTERACTIVE,
        &[("JP902", "ValueError")],
    ),
    (
        "interactor_ignores_the_end.cpp",
        INTERACTIVE,
        &[("JP902", "CPU time limit")],
    ),
    (
        "interactor_skips_empty_lines.py",
        INTERACTIVE,
        &[("JP902", "exceeded its CPU time limit")],
    ),
    // The number of questions that a problem allows is in its statement only.
    ("interactor_counts_from_zero.py", INTERACTIVE, &[]),
    // Its output is read after its end: only a run shows that both wait for each other.
    ("interactor_never_flushes.py", INTERACTIVE, &[]),
];
