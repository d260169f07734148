//! `judge run`: expectations, and the outcome of a whole run.

use judge_event::Event;
use judge_fixtures::without_times;
use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace};

const CRASH: &str = "#include <stdlib.h>\nint main(void) { abort(); }\n";
const SLEEP: &str = "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n";
const SPIN: &str = "int main(void) { for (;;) {} }\n";
const EAT: &str = "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n";
const FLOOD: &str = "#include <stdio.h>\nint main(void) { for (;;) puts(\"no\"); }\n";

/// The workspace with a submission in each directory that meets its expectation. `slow` sleeps or
/// computes: a sleeping program gets a second more, and even more when it is run again alone.
fn as_expected(slow: &str) -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.problem("sum", "limits: {time_limit: 0.2, memory: 64, output: 1}\n");
    for (submission, source) in [
        ("rejected/any.c", CRASH),
        ("wrong_answer/more.c", SUM_PLUS_ONE),
        ("time_limit_exceeded/slow.c", slow),
        ("run_time_error/crash.c", CRASH),
        ("run_time_error/eat.c", EAT),
        ("run_time_error/flood.c", FLOOD),
        ("brute_force/slow.c", SPIN),
    ] {
        workspace.write(&format!("solutions/sum/{submission}"), source);
    }
    Some(workspace)
}

#[track_caller]
fn violations(output: &CommandOutput, submission: &str) -> Vec<String> {
    let finished = output.events.iter().find_map(|event| match event {
        Event::SubmissionFinished(finished) if finished.submission == submission => Some(finished),
        _ => None,
    });
    finished.unwrap().violations.clone()
}

#[test]
fn directory_names_follow_the_format() {
    let Some(workspace) = as_expected(SLEEP) else {
        return;
    };
    let output = workspace.events(["run"]).exits(0);
    assert_eq!(output.verdict("wrong_answer/more.c"), Verdict::WrongAnswer);
    assert_eq!(
        output.verdict("time_limit_exceeded/slow.c"),
        Verdict::TimeLimitExceeded
    );
    // Exceeding the limits of memory and output counts as a run time error in expectations, but is
    // reported by name.
    assert_eq!(
        output.verdict("run_time_error/eat.c"),
        Verdict::MemoryLimitExceeded
    );
    assert_eq!(
        output.verdict("run_time_error/flood.c"),
        Verdict::OutputLimitExceeded
    );
    assert_eq!(output.state().counts().as_expected, 8);
}

#[test]
fn runs_as_expected_print_one_line_per_submission() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write(
        "problems/sum/input_validators/validate.c",
        "int main(void) { return 42; }\n",
    );
    let output = workspace.judge(["run"]).exits(0);
    output.stdout_has(&[
        "1 problem",
        "2 submissions",
        "sum  The Problem sum",
        "✓ accepted/sum.c",
        "AC",
    ]);
    output.stdout_has(&[
        "✓ wrong_answer/more.c",
        "WA",
        "sample/1",
        "✓ 1 problem, 2 submissions as expected; ",
    ]);
    output.stdout_lacks(&["✗", "hint", "- expected", "! problems"]);
    output.stderr_has_only_progress();
}

#[test]
fn surprises_are_reported_with_the_violated_rule() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for directory in [
        "rejected",
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
        "brute_force",
    ] {
        workspace.write(&format!("solutions/sum/{directory}/right.c"), SUM);
    }
    for directory in [
        "accepted",
        "time_limit_exceeded",
        "run_time_error",
        "brute_force",
    ] {
        workspace.write(&format!("solutions/sum/{directory}/wrong.c"), SUM_PLUS_ONE);
    }
    let output = workspace.events(["run"]).exits(1);
    for directory in [
        "rejected",
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
        "brute_force",
    ] {
        let violations = violations(&output, &format!("{directory}/right.c"));
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert!(
            violations[0].contains(&format!("directory `{directory}` requires")),
            "{violations:?}"
        );
    }
    for directory in [
        "accepted",
        "time_limit_exceeded",
        "run_time_error",
        "brute_force",
    ] {
        let violations = violations(&output, &format!("{directory}/wrong.c"));
        let text = format!("directory `{directory}` permits AC");
        assert!(
            violations[0].contains(&text) && violations[0].contains("got WA"),
            "{violations:?}"
        );
    }
    let message = workspace.judge(["run"]).exits(1);
    message.stdout_has(&[
        "✗ wrong_answer/right.c",
        "AC",
        "requires WA on some test case, but none got it",
    ]);
    message.stdout_has(&["✗ 1 problem, 1 submission as expected, 9 not"]);
}

#[test]
fn unknown_directories_have_no_expectations_and_are_reported() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/old/more.c", SUM_PLUS_ONE);
    let output = workspace.judge(["run"]).exits(0);
    output.stdout_has(&[
        "unknown directory `old`: nothing is expected",
        "✓ old/more.c",
        "WA",
    ]);
}

#[test]
fn a_misspelt_submission_directory_is_an_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/wrong-answer/more.c", SUM_PLUS_ONE);
    workspace.write(
        "solutions/sum/Accepted/broken.c",
        "int main(void) { return undeclared; }\n",
    );
    workspace.write("solutions/sum/acepted/listed.c", SUM);
    workspace.write(
        "solutions/sum/submissions.yaml",
        "acepted/*.c: {permitted: [AC]}\n",
    );
    let output = workspace.judge(["run"]).exits(1);
    output.stdout_has(&[
        "unknown directory `wrong-answer`: nothing is expected",
        "did you mean `wrong_answer`?",
    ]);
    output.stdout_has(&[
        "✗ Accepted/broken.c",
        "expected the directory `accepted`, found `Accepted`, which is unknown",
    ]);
    output.stdout_has(&[
        "✗ wrong-answer/more.c",
        "WA",
        "expected the directory `wrong_answer`, found `wrong-answer`",
    ]);
    output.stdout_has(&["✓ acepted/listed.c", "AC"]);
    workspace.judge(["check"]).exits(3).stdout_has(&[
        "JP716",
        "did you mean `accepted`?",
        "wrong-answer",
    ]);
}

#[test]
fn compile_errors_are_never_expected() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for directory in ["rejected", "run_time_error", "strange"] {
        workspace.write(
            &format!("solutions/sum/{directory}/broken.c"),
            "int main(void) { return undeclared; }\n",
        );
    }
    let output = workspace.events(["run"]).exits(1);
    assert_eq!(violations(&output, "rejected/broken.c").len(), 1);
    assert_eq!(violations(&output, "run_time_error/broken.c").len(), 1);
    assert_eq!(
        violations(&output, "strange/broken.c"),
        Vec::<String>::new()
    );
}

#[test]
fn package_and_workspace_submissions_are_judged_the_same_way() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/submissions/accepted/own.c", SUM);
    let output = workspace.events(["run"]).exits(0);
    let ids: Vec<String> = output.verdicts().into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["accepted/own.c", "accepted/sum.c"]);
}

/// The central promise: the events depend neither on the number of jobs nor on the run.
#[test]
fn the_events_do_not_depend_on_the_number_of_jobs() {
    let Some(workspace) = as_expected(SPIN) else {
        return;
    };
    workspace.sum("other");
    workspace.write("solutions/other/accepted/sum.c", SUM);
    workspace.write("solutions/other/wrong_answer/more.c", SUM_PLUS_ONE);
    let run = |jobs: &str| {
        let events = workspace.events(["run", "--jobs", jobs]).exits(0).events;
        events.into_iter().map(comparable).collect::<Vec<_>>()
    };
    let first = run("1");
    for jobs in ["3", "3"] {
        pretty_equal(&run(jobs), &first);
    }
}

/// The moment at which a program is stopped for its memory or output varies.
fn comparable(event: Event) -> Event {
    let mut event = without_times(event);
    if let Event::TestCaseFinished(test_case) = &mut event
        && matches!(
            test_case.verdict,
            Verdict::OutputLimitExceeded | Verdict::MemoryLimitExceeded
        )
    {
        test_case.stdout_bytes = 0;
    }
    // Remarks on times near the limit depend on the load of the host.
    if let Event::SubmissionFinished(submission) = &mut event {
        submission
            .remarks
            .retain(|remark| !remark.starts_with("the time limit of"));
    }
    event
}

#[track_caller]
fn pretty_equal(found: &[Event], expected: &[Event]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn a_second_run_takes_programs_from_the_cache() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    // A source that is not in the cache yet.
    let source = format!("/* {} */\n{SUM}", workspace.root().display());
    workspace.write("solutions/sum/accepted/sum.c", source);
    let cached = || {
        let output = workspace.events(["run"]).exits(0);
        let compiled = output.events.iter().find_map(|event| match event {
            Event::CompileFinished(compiled) => Some(compiled.cached),
            _ => None,
        });
        compiled.unwrap()
    };
    assert_eq!((cached(), cached()), (false, true));
}
