//! Custom output validators: their exit codes, arguments and messages.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use judge_model::Verdict;

use crate::workspace::{CommandOutput, Workspace, has, parse};

/// Ends as the submission's output demands, after a message with all of its arguments and inputs.
const VALIDATOR_C: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_line(FILE *to, const char *name, const char *path) {
  char line[100] = "?";
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) exit(9);
  fprintf(to, "%s %s", name, line);
}

int main(int argc, char **argv) {
  char word[100] = "", path[1000];
  if (argc < 4 || scanf("%99s", word) > 1) return 9;
  snprintf(path, sizeof path, "%s/judgemessage.txt", argv[3]);
  FILE *message = fopen(path, "w");
  if (!message) return 8;
  copy_line(message, "input", argv[1]);
  copy_line(message, "answer", argv[2]);
  for (int i = 4; i < argc; i++) fprintf(message, "argument %s\n", argv[i]);
  if (strcmp(word, "hostile") == 0) fprintf(message, "\033[31mred\n");
  fclose(message);
  if (strcmp(word, "accept") == 0) return 42;
  if (strcmp(word, "crash") == 0) abort();
  if (strcmp(word, "hang") == 0) for (volatile int i = 0;; i = i + 1) {}
  if (strcmp(word, "odd") == 0) { fprintf(stderr, "no idea\n"); return 1; }
  if (strcmp(word, "zero") == 0) return 0;
  return 43;
}
"#;

const VALIDATOR_PYTHON: &str = r#"
import sys, pathlib, time
word = sys.stdin.read().strip()
lines = [f"input {open(sys.argv[1]).readline()}", f"answer {open(sys.argv[2]).readline()}"]
lines += [f"argument {argument}\n" for argument in sys.argv[4:]]
if word == "hostile":
    lines.append("\x1b[31mred\n")
(pathlib.Path(sys.argv[3]) / "judgemessage.txt").write_text("".join(lines))
if word == "crash":
    raise ValueError("no idea")
if word == "hang":
    while True:
        pass
if word == "odd":
    sys.exit("no idea")
sys.exit({"accept": 42, "zero": 0}.get(word, 43))
"#;

/// A problem with a validator, and a submission that prints each of these words.
fn workspace(validator: (&str, &str), words: &[&str]) -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem(
        "words",
        "limits: {time_limit: 4, memory: 256, validation_time: 1}\n",
    );
    workspace.case("words", "secret/01", "the input\n", "the answer\n");
    workspace.write(
        "problems/words/data/secret/01.yaml",
        "output_validator_args: [--strict, two words]\n",
    );
    workspace.write(
        &format!("problems/words/output_validator/{}", validator.0),
        validator.1,
    );
    for word in words {
        let source = format!("#include <stdio.h>\nint main(void) {{ puts(\"{word}\"); }}\n");
        workspace.write(&format!("solutions/words/accepted/{word}.c"), source);
    }
    Some(workspace)
}

fn run_with(validator: (&str, &str), words: &[&str]) -> Option<CommandOutput> {
    workspace(validator, words).map(|workspace| run_in(&workspace))
}

fn run_in(workspace: &Workspace) -> CommandOutput {
    let output = workspace.judge(["run", "--report=json=events.jsonl"]);
    let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
    CommandOutput {
        events: parse(&events),
        ..output
    }
}

/// Exit codes of a validator have the same meaning in every language; `why_crash` is the reason
/// after a crash.
fn check_ends(output: &CommandOutput, why_crash: &str) {
    assert_eq!(output.verdict("accepted/accept.c"), Verdict::Accepted);
    assert_eq!(output.verdict("accepted/hostile.c"), Verdict::WrongAnswer);
    assert_eq!(output.verdict("accepted/reject.c"), Verdict::WrongAnswer);
    for (word, why) in [
        ("crash", why_crash),
        // On a busy machine its elapsed time may run out first.
        ("hang", "exceeded its "),
        ("odd", "returned exit code 1; expected 42"),
        ("zero", "returned exit code 0"),
    ] {
        let case = output.last_case(&format!("accepted/{word}.c"));
        assert_eq!(case.verdict, Verdict::JudgeError, "{word}");
        let reason = case.reason.clone().unwrap_or_default();
        assert!(
            reason.starts_with("the output validator ") && reason.contains(why),
            "{word}: {reason}"
        );
    }
    output.stdout_has(&[
        "accepted/hostile.c",
        "WA",
        "the output validator says:",
        "\\x1b[31mred",
    ]);
    output.stdout_has(&[
        "accepted/odd.c",
        "JE",
        "judge error: the output validator returned exit code 1",
        "no idea",
    ]);
    output
        .stdout_has(&["4 judge errors"])
        .stdout_lacks(&["\x1b"]);
}

const WORDS: [&str; 7] = [
    "accept", "reject", "hostile", "crash", "hang", "odd", "zero",
];

#[test]
fn c_validator_terminations_are_interpreted() {
    let Some(output) = run_with(("validate.c", VALIDATOR_C), &WORDS) else {
        return;
    };
    check_ends(&output, "SIGABRT");
    output.exits(3);
}

#[test]
fn python_validator_terminations_are_interpreted() {
    if !has("python3") {
        return;
    }
    let Some(output) = run_with(("validate.py", VALIDATOR_PYTHON), &WORDS) else {
        return;
    };
    check_ends(&output, "returned exit code 1");
    output.exits(3);
}

/// Files are limited by a signal, and streams by ending the program. Both are the same fault, with
/// the same report.
#[test]
fn exceeding_the_output_limit_is_not_reported_as_a_signal() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = crate::programs::path("writestoomuch");
    let output = workspace
        .events([Path::new("run"), Path::new("--no-fail-fast"), &package])
        .exits(3);
    assert_eq!(output.test_cases().count(), 2);
    for case in output.test_cases() {
        assert_eq!(case.verdict, Verdict::JudgeError, "{case:?}");
        assert_eq!(
            case.reason.as_deref(),
            Some("the output validator exceeded its output limit of 8 MiB"),
            "{case:?}"
        );
    }
    let output = workspace
        .judge([Path::new("check"), Path::new("--data"), &package])
        .exits(3);
    for case in ["secret/file", "secret/stream"] {
        output.stdout_has(&[
            "the input validator `validate.c` exceeded its output limit of 1 MiB on `",
            case,
        ]);
    }
    output.stdout_lacks(&["signal"]);
}

/// Python ignores the signal, and ends with a traceback for the error of the system call.
#[test]
fn oversized_python_output_is_reported() {
    if !has("python3") {
        return;
    }
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let original = crate::programs::path("writestoomuch");
    for file in [
        "problem.yaml",
        "statement/problem.en.md",
        "submissions/accepted/word.c",
    ] {
        workspace.write(
            &format!("problems/py/{file}"),
            fs::read_to_string(original.join(file)).unwrap(),
        );
    }
    workspace.write("problems/py/data/secret/1.in", "file\n");
    workspace.write("problems/py/data/secret/1.ans", "word\n");
    let writes = "with open('large', 'wb') as large:\n    for _ in range(20):\n        large.write(bytes(1 << 20))\n";
    for validators in ["input_validators", "output_validator"] {
        workspace.write(&format!("problems/py/{validators}/validate.py"), writes);
    }
    let levels = crate::workspace::levels();
    assert!(!levels.is_empty());
    for level in levels {
        let level = level.to_string();
        let output = workspace
            .events(["run", "py", "--isolation", &level])
            .exits(3);
        let reason = output.test_cases().last().unwrap().reason.clone();
        let expected = "the output validator exceeded its output limit of 8 MiB";
        assert_eq!(reason.as_deref(), Some(expected), "{level}");
        let output = workspace
            .judge(["check", "--data", "py", "--isolation", &level])
            .exits(3);
        output.stdout_has(&[
            "the input validator `validate.py` exceeded its output limit of 1 MiB on `secret/1",
        ]);
    }
}

#[test]
fn a_validator_gets_input_answer_feedback_directory_and_arguments() {
    let Some(output) = run_with(("validate.c", VALIDATOR_C), &["reject"]) else {
        return;
    };
    let message = output
        .last_case("accepted/reject.c")
        .judge_message
        .to_text()
        .into_owned();
    assert_eq!(
        message,
        "input the input\nanswer the answer\nargument --strict\nargument two words\n"
    );
    let words = [
        "the output validator says:",
        "input the input",
        "argument --strict",
        "argument two words",
    ];
    output.exits(1).stdout_has(&words);
}

#[test]
fn uncompilable_validators_are_package_faults() {
    let Some(output) = run_with(
        ("validate.c", "int main(void) { return undeclared; }\n"),
        &["accept"],
    ) else {
        return;
    };
    assert_eq!(output.test_cases().count(), 0);
    output.exits(3).stdout_has(&[
        "the output validator",
        "does not compile",
        "undeclared",
        "1 package fault",
    ]);
}

/// Root judges under ids of other users, which may not be able to read private files.
#[test]
fn validators_can_read_private_files() {
    let Some(workspace) = workspace(("validate.c", VALIDATOR_C), &["accept"]) else {
        return;
    };
    for name in ["01.in", "01.ans"] {
        let path = workspace.path(&format!("problems/words/data/secret/{name}"));
        fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
    }
    assert_eq!(
        run_in(&workspace).exits(0).verdict("accepted/accept.c"),
        Verdict::Accepted
    );
}
