//! `judge check` of packages whose validators and interactors have common mistakes: those in
//! `testdata/faulty/`. The first line of each describes its mistake.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge_event::{Event, Finding};

use crate::workspace::{Workspace, has};

/// A problem that a faulty program is put into.
#[derive(Clone, Copy)]
struct Setting {
    types: &'static str,
    /// The arguments of the output validator.
    args: &'static str,
    /// Inputs and answers.
    cases: &'static [(&'static str, &'static str)],
    /// The program is an input validator, and the default output validator compares.
    is_input: bool,
}

const NUMBER: Setting = Setting {
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
const INPUT: Setting = Setting {
    is_input: true,
    ..NUMBER
};
const LONG_INPUT: Setting = Setting {
    cases: &[("16\n", "52717\n")],
    ..INPUT
};

/// A file of `testdata/faulty/`, its problem, and the findings: the code of each and a part of its
/// message. Without findings, no output can show the mistake.
type Faulty = (
    &'static str,
    Setting,
    &'static [(&'static str, &'static str)],
);

/// The programs that take little time.
const FAULTY: [Faulty; 45] = [
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
const SLOW_FAULTY: [Faulty; 20] = [
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

/// The number of programs in one run, so that a run does not exceed the time limit of tests on a
/// busy host.
const PROGRAMS_PER_RUN: usize = 4;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/faulty")
}

/// Puts a program into a problem. The time limit of validators is short, and the limits of output
/// and messages are small.
fn put(workspace: &Workspace, problem: &str, file: &str, source: &[u8], setting: &Setting) {
    let limits = "{time_limit: 1, output: 1, validation_time: 1, validation_output: 1}";
    workspace.problem(problem, &format!("limits: {limits}\n"));
    let yaml = workspace.path(&format!("problems/{problem}/problem.yaml"));
    let text = std::fs::read_to_string(&yaml)
        .unwrap()
        .replace("type: pass-fail", &format!("type: {}", setting.types));
    std::fs::write(yaml, text).unwrap();
    for (number, (input, answer)) in (1..).zip(setting.cases) {
        workspace.case(problem, &format!("secret/{number}"), input, answer);
    }
    if !setting.args.is_empty() {
        let group = format!("output_validator_args: [{}]\n", setting.args);
        workspace.write(
            &format!("problems/{problem}/data/secret/test_group.yaml"),
            group,
        );
    }
    if !setting.is_input {
        workspace.write(
            &format!("problems/{problem}/input_validators/validate.ctd"),
            "INT(0, 99) NEWLINE EOF\n",
        );
    }
    let place = if setting.is_input {
        "input_validators"
    } else {
        "output_validator"
    };
    workspace.write(&format!("problems/{problem}/{place}/{file}"), source);
}

fn language(file: &'static str) -> &'static str {
    match file.rsplit_once('.').unwrap().1 {
        "py" => "python3",
        "sh" => "bash",
        "rs" => "rust",
        ending => ending,
    }
}

fn findings(workspace: &Workspace) -> Vec<Finding> {
    let output = workspace.events(["check"]);
    // After a failure of the host, findings are missing.
    assert!(matches!(output.code, Some(0 | 1 | 3)), "{output:?}");
    let of_event = |event| match event {
        Event::Finding(finding) => Some(finding),
        _ => None,
    };
    output.events.into_iter().filter_map(of_event).collect()
}

/// Checks problems with these programs. Each must have its findings about validators, and no
/// others.
fn find(programs: &[Faulty]) {
    let wrong: Vec<String> = programs.chunks(PROGRAMS_PER_RUN).flat_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// Checks the programs in one run, and returns those with unexpected findings.
fn check(programs: &[Faulty]) -> Vec<String> {
    let Some(workspace) = Workspace::isolated() else {
        return Vec::new();
    };
    let needed: BTreeSet<&str> = programs.iter().map(|(file, ..)| language(file)).collect();
    let available: BTreeSet<&str> = needed
        .into_iter()
        .filter(|language| has(language))
        .collect();
    let programs: Vec<(String, &Faulty)> = programs
        .iter()
        .filter(|(file, ..)| available.contains(language(file)))
        .enumerate()
        .map(|(number, program)| (format!("p{number}"), program))
        .collect();
    for (problem, (file, setting, _)) in &programs {
        put(
            &workspace,
            problem,
            file,
            &std::fs::read(directory().join(file)).unwrap(),
            setting,
        );
    }
    let findings = findings(&workspace);
    let mut wrong = Vec::new();
    for (problem, (file, setting, expected)) in &programs {
        let kind = if setting.is_input { "JP8" } else { "JP9" };
        let of_program = findings.iter().filter(|finding| {
            finding.problem.as_ref() == Some(problem) && finding.code.starts_with(kind)
        });
        let found: Vec<&Finding> = of_program.collect();
        let is_expected = |(finding, (code, part)): (&&Finding, &(&str, &str))| {
            finding.code == *code && finding.message.contains(part)
        };
        if found.len() != expected.len() || !found.iter().zip(*expected).all(is_expected) {
            let found: Vec<String> = found
                .iter()
                .map(|finding| format!("  {} {}\n", finding.code, finding.message))
                .collect();
            wrong.push(format!(
                "{file} ({}): expected {expected:?}, found\n{}",
                setting.types,
                found.concat()
            ));
        }
    }
    wrong
}

fn find_in(languages: &[&str]) {
    find(
        &FAULTY
            .into_iter()
            .filter(|(file, ..)| languages.contains(&language(file)))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn mistakes_of_validators_in_c_are_found() {
    find_in(&["c"]);
}

#[test]
fn mistakes_of_validators_in_bash_are_found() {
    find_in(&["bash"]);
}

#[test]
fn mistakes_of_validators_in_cpp_are_found() {
    find_in(&["cpp"]);
}

#[test]
fn mistakes_of_validators_in_rust_are_found() {
    find_in(&["rust"]);
}

#[test]
fn mistakes_of_validators_in_python_are_found() {
    find_in(&["python3"]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn mistakes_of_slow_validators_are_found() {
    find(&SLOW_FAULTY);
}

/// Numbers of any size may be correct, and then accepting one that is correct modulo 2^32 is not a
/// mistake.
#[test]
fn validators_with_large_numbers_have_no_findings() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let any_larger_number = "#include <math.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n\
        double answer, output; char rest[2]; FILE *file = fopen(argv[2], \"r\");\n\
        if (!file || fscanf(file, \"%lf\", &answer) != 1) return 1;\n\
        return scanf(\"%lf\", &output) == 1 && !isnan(output) && output >= answer && scanf(\"%1s\", rest) != 1 ? 42 : 43; }\n";
    put(
        &workspace,
        "output",
        "larger.c",
        any_larger_number.as_bytes(),
        &NUMBER,
    );
    let up_to_25_digits = "#include <ctype.h>\n#include <stdio.h>\nint main(void) {\n\
        int letter = getchar(), digits = 0;\n if (letter == '0') return 43;\n\
        for (; isdigit(letter); digits++) letter = getchar();\n\
        return digits > 0 && digits <= 25 && letter == '\\n' && getchar() == EOF ? 42 : 43; }\n";
    put(
        &workspace,
        "input",
        "digits.c",
        up_to_25_digits.as_bytes(),
        &INPUT,
    );
    let found = findings(&workspace);
    let of_validators = found.iter().filter(|finding| {
        finding.code.starts_with("JP8") && finding.file.contains("digits")
            || finding.code.starts_with("JP9")
    });
    assert_eq!(of_validators.collect::<Vec<_>>(), Vec::<&Finding>::new());
}

#[test]
fn every_faulty_program_is_tried() {
    let tried: BTreeSet<&str> = [&FAULTY[..], &SLOW_FAULTY]
        .concat()
        .iter()
        .map(|(file, ..)| *file)
        .collect();
    let there: BTreeSet<String> = std::fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(there.iter().map(String::as_str).eq(tried), "{there:?}");
    let languages = FAULTY.map(|(file, ..)| language(file));
    assert!(
        languages
            .iter()
            .all(|language| ["c", "bash", "cpp", "rust", "python3"].contains(language)),
        "{languages:?}"
    );
}

#[test]
fn uncompilable_graders_are_found() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/packages/customgrader");
    for (path, text) in workspace.files_below(&package) {
        let path = path
            .strip_prefix(&package)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        workspace.write(&format!("problems/customgrader/{path}"), text);
    }
    workspace.judge(["check"]).stdout_lacks(&["JP913"]);
    workspace.write("problems/customgrader/graders/grade.py", "print 42\n");
    workspace.judge(["check"]).exits(3).stdout_has(&[
        "JP913",
        "customgrader/graders",
        "SyntaxError",
    ]);
}
