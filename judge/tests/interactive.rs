//! Interactive and multi-pass problems: the packages in `testdata/packages`, whose submissions are
//! in the directories of their expectations, and validators that break the protocol.

use std::path::Path;

use judge_event::Party;
use judge_model::{Limit, Termination, Verdict};

use crate::workspace::{CommandOutput, Workspace, has};

/// Runs a package of `testdata/packages`, or the submissions that patterns select.
fn run_package(package: &str, submissions: &[String]) -> Option<CommandOutput> {
    let workspace = Workspace::isolated()?;
    if !has("python3") {
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/packages")
        .join(package);
    let path = path.canonicalize().unwrap();
    let selected: Vec<_> = submissions
        .iter()
        .map(|pattern| path.join(pattern))
        .collect();
    let selected = if selected.is_empty() {
        &[path]
    } else {
        selected.as_slice()
    };
    let words = std::iter::once(Path::new("run")).chain(selected.iter().map(AsRef::as_ref));
    let output = workspace.events(words);
    assert!(
        output
            .verdicts()
            .iter()
            .all(|(_, verdict)| verdict.is_some()),
        "something was skipped: {}",
        output.stdout
    );
    Some(output)
}

#[test]
fn each_slow_strategy_gets_its_verdict() {
    let slow = ["computes_*", "sleeps.c"].map(|name| format!("time_limit_exceeded/{name}"));
    let Some(output) = run_package("guess", &slow) else {
        return;
    };
    assert_eq!(output.exits(0).verdicts().len(), 3);
}

#[test]
fn each_strategy_in_a_deadlock_gets_its_verdict() {
    let deadlocks = ["locks_its_input.c", "never_flushes.*", "reads_first.c"];
    let deadlocks = deadlocks.map(|name| format!("time_limit_exceeded/{name}"));
    let Some(output) = run_package("guess", &deadlocks) else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 4);
    let deadlock = output.last_case("time_limit_exceeded/never_flushes.c");
    let interaction = deadlock.interaction.as_ref().unwrap();
    assert!(
        interaction.deadlock && interaction.messages.is_empty(),
        "{interaction:?}"
    );
    assert_eq!(
        deadlock.termination,
        Termination::Killed {
            limit: Limit::WallTime
        }
    );
    assert_eq!(deadlock.near_limit, None, "a deadlock is not confirmed");
}

#[test]
fn each_other_strategy_gets_its_verdict() {
    let others = ["accepted", "run_time_error", "wrong_answer"].map(str::to_owned);
    let Some(output) = run_package("guess", &others) else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 19);

    let asks = output.last_case("wrong_answer/one_after_the_other.c");
    assert_eq!(asks.judge_message.to_text(), "too many guesses\n");
    let interaction = asks.interaction.as_ref().unwrap();
    let first: Vec<_> = interaction
        .messages
        .iter()
        .take(2)
        .map(|m| (m.from, m.bytes.to_text().into_owned()))
        .collect();
    assert_eq!(
        first,
        [
            (Party::Submission, "2\n".into()),
            (Party::Validator, "higher\n".into())
        ]
    );
    // The twentieth word is the tenth answer; then it is rejected.
    assert_eq!(
        interaction
            .messages
            .iter()
            .filter(|message| message.from == Party::Validator)
            .count(),
        10
    );
    assert_eq!((interaction.gap, interaction.deadlock), (None, false));

    for accepted in output
        .test_cases()
        .filter(|test| test.verdict == Verdict::Accepted)
    {
        assert_eq!((&accepted.interaction, accepted.passes), (&None, None));
    }
    let crashed = output.last_case("run_time_error/dies_in_the_middle.py");
    assert_eq!(
        crashed.interaction.as_ref().unwrap().ended_first,
        Some(Party::Submission)
    );
    let stderr = &crashed.stderr;
    assert!(
        (stderr.head.to_text() + stderr.tail.to_text()).contains("enough"),
        "{crashed:?}"
    );
}

#[test]
fn validators_may_request_another_pass() {
    let Some(output) = run_package("caesar", &[]) else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 6);
    let accepted = output.last_case("accepted/shift.c");
    assert_eq!(
        (accepted.passes, accepted.judge_message.to_text().as_ref()),
        (Some(2), "encode: encoded\ndecode: decoded\n")
    );
    assert_eq!(output.last_case("wrong_answer/unchanged.py").passes, None);
    assert_eq!(
        output.last_case("run_time_error/decoding_crashes.c").passes,
        Some(2)
    );
}

#[test]
fn passes_can_be_interactive() {
    let Some(output) = run_package("rounds", &[]) else {
        return;
    };
    let output = output.exits(0);
    let wrong = output.last_case("wrong_answer/thirty_is_too_much.py");
    assert_eq!(wrong.passes, Some(3));
    let passes: Vec<u32> = wrong
        .interaction
        .as_ref()
        .unwrap()
        .messages
        .iter()
        .map(|message| message.pass)
        .collect();
    assert_eq!(passes, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn passes_end_when_their_time_is_used_up() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let output = workspace
        .events([Path::new("run"), &crate::programs::path("morepasses")])
        .exits(3);
    let case = output.last_case("accepted/one.c");
    let reason = case.reason.clone().unwrap_or_default();
    assert_eq!(case.verdict, Verdict::JudgeError, "{reason}");
    assert!(
        reason.contains("requested another pass after") && reason.contains("at most 23 s in total"),
        "{reason}"
    );
    assert!(case.passes.unwrap() >= 10, "{case:?}");
}

#[test]
fn the_hint_about_flushing_names_the_right_side() {
    let reads_reply = "int n; if (scanf(\"%d\", &n) != 1) return 43; return 42;";
    let body = format!("puts(\"1\"); fflush(stdout); {reads_reply}");
    let Some(workspace) = with_validator(
        "interactive",
        "",
        &body,
        &[(
            "keeps",
            "int n; scanf(\"%d\", &n); printf(\"1\\n\"); scanf(\"%d\", &n);",
        )],
    ) else {
        return;
    };
    workspace
        .judge(["run"])
        .exits(1)
        .stdout_has(&["the output validator spoke last; is the output of the submission flushed?"]);
    let body = format!("puts(\"1\"); {reads_reply}");
    let listens = ("waits", "int n; scanf(\"%d\", &n); puts(\"1\");");
    let Some(workspace) = with_validator("interactive", "", &body, &[listens]) else {
        return;
    };
    let run = workspace.judge(["run"]).exits(1);
    run.stdout_has(&[
        "TLE",
        "the output validator wrote more once the submission was killed; is its output flushed?",
    ]);
    run.stdout_has(&[
        "[deadlock; written after the submission was killed:]",
        "< 1",
    ]);
    let run = workspace.events(["run"]);
    let messages = run
        .last_case("accepted/waits.c")
        .interaction
        .clone()
        .unwrap()
        .messages;
    assert!(
        messages
            .iter()
            .all(|message| message.after_deadlock && message.from == Party::Validator),
        "{messages:?}"
    );
}

#[test]
fn conversations_in_other_problem_types_are_reported() {
    let body = "int n; puts(\"higher\"); if (scanf(\"%d\", &n) != 1) return 43; puts(\"lower\"); return 43;";
    let silent = ("silent", "return 0;");
    let Some(workspace) = with_validator("pass-fail", "", body, &[silent]) else {
        return;
    };
    workspace.judge(["run"]).exits(1).stdout_has(&[
        "remark: the output validator writes to standard output",
        "`interactive`",
    ]);
    // Cached results have the same message.
    workspace
        .judge(["run"])
        .exits(1)
        .stdout_has(&["remark: the output validator writes to standard output"]);
    // Many validators write remarks there: a validator that accepts something is not an interactor.
    let body = "int n; puts(\"reading\"); return scanf(\"%d\", &n) == 1 ? 42 : 43;";
    let writes = ("writes", "puts(\"1\");");
    let Some(workspace) = with_validator("pass-fail", "", body, &[writes]) else {
        return;
    };
    workspace
        .judge(["run"])
        .exits(0)
        .stdout_lacks(&["remark: the output validator"]);
}

/// A problem with this validator and these submissions.
fn with_validator(
    types: &str,
    limits: &str,
    body: &str,
    submissions: &[(&str, &str)],
) -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem(
        "p",
        &format!("limits: {{time_limit: 1, memory: 256, output: 1, validation_time: 1{limits}}}\n"),
    );
    let path = workspace.path("problems/p/problem.yaml");
    let text = std::fs::read_to_string(&path)
        .unwrap()
        .replace("type: pass-fail", &format!("type: {types}"));
    std::fs::write(path, text).unwrap();
    workspace.case("p", "secret/1", "1\n", "1\n");
    let head =
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n";
    let validator = format!("{head}int main(int argc, char **argv) {{\n{body}\n}}\n");
    workspace.write("problems/p/output_validator/validate.c", validator);
    for (name, body) in submissions {
        let source = format!("/* {name} */\n{head}int main(void) {{\n{body}\n}}\n");
        workspace.write(&format!("solutions/p/accepted/{name}.c"), source);
    }
    Some(workspace)
}

const READS_EVERYTHING: (&str, &str) = ("listens", "while (getchar() != EOF) {}");
const TALKS: (&str, &str) = (
    "talks",
    "puts(\"1\"); fflush(stdout); while (getchar() != EOF) {}",
);

#[test]
fn endless_validators_are_judge_errors() {
    // The first one floods, and continues after its reader has closed the pipe.
    are_judge_errors(&[
        (
            "static char block[1 << 20]; for (;;) write(1, block, sizeof block);",
            "MiB to the submission",
        ),
        (
            "char word[10]; scanf(\"%9s\", word); for (volatile int i = 0;; i = i + 1) {}",
            "exceeded its ",
        ),
    ]);
}

#[test]
fn validators_that_wait_or_crash_are_judge_errors() {
    are_judge_errors(&[
        ("sleep(100);", "exceeded its wall time limit"),
        ("abort();", "SIGABRT"),
        ("return 0;", "returned exit code 0"),
    ]);
}

/// Runs each validator, given by the body of its `main`, with two submissions: both results are
/// judge errors whose reason contains the second text.
fn are_judge_errors(validators: &[(&str, &str)]) {
    for (body, why) in validators {
        let Some(workspace) = with_validator("interactive", "", body, &[READS_EVERYTHING, TALKS])
        else {
            return;
        };
        let output = workspace.events(["run"]).exits(3);
        for test in output.test_cases() {
            assert_eq!(test.verdict, Verdict::JudgeError, "{body}: {test:?}");
            let reason = test.reason.clone().unwrap_or_default();
            assert!(
                reason.starts_with("the output validator ") && reason.contains(why),
                "{body}: {reason}"
            );
        }
        assert_eq!(output.test_cases().count(), 2);
    }
}

/// A validator that cannot finish reading the output of a submission is not waited for once that
/// submission was killed for a limit.
#[test]
fn unread_submission_output_is_not_a_judge_error() {
    let floods = ("floods", "for (;;) puts(\"1\");");
    let slowly = "char word[10]; while (scanf(\"%9s\", word) == 1) usleep(800000);\nreturn 43;";
    let never = "char word[10]; scanf(\"%9s\", word); for (volatile int i = 0;; i = i + 1) {}";
    for body in [slowly, never] {
        let Some(workspace) = with_validator("interactive", "", body, &[floods]) else {
            return;
        };
        let output = workspace.events(["run"]).exits(1);
        let test = output.last_case("accepted/floods.c");
        assert_eq!(
            test.verdict,
            Verdict::OutputLimitExceeded,
            "{body}: {test:?}"
        );
        assert_eq!(
            test.interaction.as_ref().unwrap().ended_first,
            Some(Party::Submission)
        );
    }
}

#[test]
fn validators_may_close_their_output_and_continue_reading() {
    let body = "puts(\"1\"); fclose(stdout); close(1); char word[10]; return scanf(\"%9s\", word) == 1 ? 42 : 43;";
    let submissions = [(
        "answers_at_the_end",
        "while (getchar() != EOF) {} puts(\"1\");",
    )];
    let Some(workspace) = with_validator("interactive", "", body, &submissions) else {
        return;
    };
    workspace.events(["run"]).exits(0);
}

#[test]
fn passes_are_limited_and_require_acceptance() {
    let write = "char p[4096]; snprintf(p, sizeof p, \"%snextpass.in\", argv[3]); FILE *f = fopen(p, \"w\"); fputs(\"1\\n\", f); fclose(f);";
    for (types, code, verdict, why) in [
        (
            "multi-pass",
            42,
            Verdict::JudgeError,
            "`nextpass.in` in pass 2",
        ),
        (
            "multi-pass",
            43,
            Verdict::JudgeError,
            "`nextpass.in` and rejected",
        ),
        (
            "[interactive, multi-pass]",
            42,
            Verdict::JudgeError,
            "`nextpass.in` in pass 2",
        ),
        (
            "interactive",
            42,
            Verdict::JudgeError,
            "expected the type `multi-pass`",
        ),
        ("interactive", 43, Verdict::WrongAnswer, ""),
        (
            "pass-fail",
            42,
            Verdict::JudgeError,
            "expected the type `multi-pass`",
        ),
    ] {
        let body = format!("{write} return {code};");
        let Some(workspace) = with_validator(types, "", &body, &[READS_EVERYTHING]) else {
            return;
        };
        let output = workspace.events(["run"]);
        let test = output.last_case("accepted/listens.c");
        assert_eq!(test.verdict, verdict, "{types} {code}: {test:?}");
        assert!(
            test.reason.clone().unwrap_or_default().contains(why),
            "{types} {code}: {test:?}"
        );
    }
}

#[test]
fn the_end_of_a_conversation_is_shown() {
    let body = "for (int i = 0; i < 100; i++) { int n; if (scanf(\"%d\", &n) != 1 || n != i) return 43; printf(\"%d\\n\", n); fflush(stdout); }\nreturn 42;";
    let submissions = [
        (
            "wrong_at_fifty",
            "for (int i = 0, n; i < 100; i++) { printf(\"%d\\n\", i == 50 ? 777 : i); fflush(stdout); scanf(\"%d\", &n); }",
        ),
        (
            "forgets",
            "int n; puts(\"0\"); fflush(stdout); scanf(\"%d\", &n); puts(\"1\"); scanf(\"%d\", &n);",
        ),
    ];
    let Some(workspace) = with_validator("interactive", "", body, &submissions) else {
        return;
    };
    let output = workspace.judge(["run"]).exits(1);
    output.stdout_has(&[
        "accepted/forgets.c",
        "TLE",
        "both sides waited for each other",
    ]);
    output.stdout_has(&[
        "accepted/wrong_at_fifty.c",
        "WA",
        "messages left out",
        "> 49",
        "< 49",
        "> 777",
    ]);
}

#[test]
fn testing_tools_are_checked_with_accepted_and_failing_submissions() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    workspace
        .judge([
            "new",
            "guess",
            "--type",
            "interactive",
            "--language",
            "python",
        ])
        .exits(0);
    let tool = "problems/guess/attachments/testing_tool.py";
    let sound = std::fs::read_to_string(workspace.path(tool)).unwrap();
    let found = |text: &str| {
        workspace.write(tool, text);
        // Results of validators are cached, so each of these runs only the tool.
        let output =
            CommandOutput::from_command(&mut workspace.command_keeping(["check", "guess"]));
        let text = output
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(
            !text.contains("JP319"),
            "`testing_tool_test` is a directory of test data: {text}"
        );
        text
    };
    workspace.write("problems/guess/data/testing_tool_test/last/1.in", "1000\n");
    let text = found(&sound);
    assert!(!text.contains("JP91") && !text.contains("JP92"), "{text}");
    let text = found(&sound.replace("GUESSES = 10", "GUESSES = 8"));
    let expected = "JP919 problems/guess/attachments/testing_tool.py exited with code 1 for `accepted/halves.py` on \
                    `testing_tool_test/last/1`: not found with 8 guesses";
    assert!(text.contains(expected), "{text}");
    let text = found(&sound.replace("sys.exit(0 if is_right else 1)", "sys.exit(0)"));
    assert!(text.contains("JP920") && !text.contains("JP919"), "{text}");
    let text = found("def (\n");
    assert!(
        text.contains("JP918") && text.contains("the testing tool `testing_tool.py`"),
        "{text}"
    );
    // A submission decides as well: an earlier result of the tool does not apply to another
    // submission.
    found(&sound);
    let solution = "problems/guess/submissions/accepted/other.py";
    workspace.write(solution, "print(0)\n");
    let text = found(&sound);
    assert!(
        text.contains("JP919") && text.contains("`accepted/other.py`") && text.contains("no guess"),
        "{text}"
    );
}
