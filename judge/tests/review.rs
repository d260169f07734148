//! `judge generate --review`: replaced and kept answers.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, skipped};

/// A generated test case, and two that were written by hand. One of these has an answer in another
/// form.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("sum", "limits:\n  time_limit: 4\n");
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n",
    );
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    workspace.write(
        "problems/sum/generators/generators.yaml",
        "data: {secret: {data: {text: {in: 4 5}}}}\n",
    );
    workspace.case("sum", "sample/1", "1 2\n", "3\n");
    workspace.case("sum", "secret/hand", "2 3\n", "5 \n");
    workspace.judge(["generate"]).exits(0);
    workspace
        .judge(["generate", "--review"])
        .exits(0)
        .stdout_has(&["sum: no answer has changed"]);
    Some(workspace)
}

fn answer(workspace: &Workspace, id: &str) -> String {
    fs::read_to_string(workspace.path(&format!("problems/sum/data/{id}.ans"))).unwrap()
}

#[test]
fn changed_answers_are_accepted_by_name_or_all() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/sum/accepted/sum.c",
        SUM.replace("a + b", "a * b"),
    );
    let before = workspace.files("problems/sum");
    workspace.judge(["generate"]).exits(1).stdout_has(&[
        "answer changed",
        "secret/text",
        "fix the solution",
        "judge generate --review",
    ]);
    workspace
        .judge(["generate", "--review"])
        .exits(2)
        .stderr_has(&["standard input is not a terminal", "--accept-answers"]);
    workspace
        .judge(["generate", "--review", "--check"])
        .exits(1)
        .stdout_has(&["+ 1 6", "sum: 0 of 3 changed answers accepted"]);
    let output = workspace
        .judge(["generate", "--review", "--accept-answers", "--check"])
        .exits(0);
    output.stdout_has(&["data/secret/hand.ans · written by hand", "- 1 5", "+ 1 6"]);
    output.stdout_has(&[
        "data/secret/text.ans · generated",
        "- 1 9",
        "+ 1 20",
        "sum: 3 of 3 changed answers accepted",
    ]);
    assert_eq!(workspace.files("problems/sum"), before);
    workspace
        .judge(["generate", "--review", "sum/secret/text"])
        .exits(0)
        .stdout_has(&["sum: 1 of 1 changed answers accepted"]);
    assert_eq!(
        (
            answer(&workspace, "secret/text"),
            answer(&workspace, "secret/hand")
        ),
        ("20\n".into(), "5 \n".into())
    );
    workspace.judge(["generate", "--check"]).exits(0);
    workspace
        .judge(["generate", "--review", "--accept-answers"])
        .exits(0)
        .stdout_has(&["sum: 2 of 2 changed answers accepted"]);
    assert_eq!(
        (
            answer(&workspace, "sample/1"),
            answer(&workspace, "secret/hand")
        ),
        ("2\n".into(), "6\n".into())
    );
    // They still count as written by hand, and are not generated again.
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["up to date"]);
    workspace
        .judge(["generate", "--review", "--accept-answers"])
        .exits(0)
        .stdout_has(&["sum: no answer has changed"]);
}

#[test]
fn missing_answers_can_be_written_one_by_one() {
    let Some(workspace) = workspace() else { return };
    workspace.write("problems/sum/data/secret/one.in", "1 1\n");
    workspace.write("problems/sum/data/secret/two.in", "2 2\n");
    workspace
        .judge(["generate", "--review", "sum/secret/two"])
        .exits(0)
        .stdout_has(&["sum: 1 of 1 changed or missing answers accepted"]);
    assert_eq!(answer(&workspace, "secret/two"), "4\n");
    assert!(!workspace.path("problems/sum/data/secret/one.ans").exists());
    assert_eq!(
        fs::read_to_string(workspace.path("problems/sum/data/secret/one.in")).unwrap(),
        "1 1\n"
    );
    workspace
        .judge(["generate", "--review", "sum/secret/one"])
        .exits(0);
    assert_eq!(answer(&workspace, "secret/one"), "2\n");
}

#[test]
fn all_answers_may_be_missing() {
    let Some(workspace) = workspace() else { return };
    for (path, _) in workspace.files("problems/sum/data") {
        if path.extension().is_some_and(|extension| extension == "ans") {
            fs::remove_file(path).unwrap();
        }
    }
    workspace.judge(["run", "sum"]).exits(3);
    workspace
        .judge(["generate", "--review", "sum", "--accept-answers"])
        .exits(0);
    assert_eq!(answer(&workspace, "secret/hand"), "5\n");
    workspace.judge(["run", "sum"]).exits(0);
}

#[test]
fn users_at_a_terminal_are_asked() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/sum/accepted/sum.c",
        SUM.replace("a + b", "a * b"),
    );
    if Command::new("script").arg("--version").output().is_err() {
        return skipped("asking at a terminal", "there is no `script` in PATH");
    }
    // util-linux's script(1) gives it a terminal.
    let line = format!("{} generate --review", env!("CARGO_BIN_EXE_judge"));
    let mut command =
        workspace.command_of("script".as_ref(), ["-q", "-e", "-c", &line, "/dev/null"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"n\nmaybe\ny\nq\n")
        .unwrap();
    let output = CommandOutput::from_child(child).exits(1);
    output.stdout_has(&[
        "sample/1.ans",
        "accept the new answer? [y]es, [n]o, [q]uit:",
        "hand.ans",
    ]);
    output.stdout_has(&[
        "expected y, n or q, found `maybe`",
        "secret/text.ans",
        "sum: 1 of 3 changed answers accepted",
    ]);
    assert_eq!(
        (
            answer(&workspace, "sample/1"),
            answer(&workspace, "secret/hand")
        ),
        ("3\n".into(), "6\n".into())
    );
    assert_eq!(answer(&workspace, "secret/text"), "9\n");
}

#[test]
fn ctrl_c_at_the_question_changes_nothing() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/sum/accepted/sum.c",
        SUM.replace("a + b", "a * b"),
    );
    if Command::new("script").arg("--version").output().is_err() {
        return skipped("Ctrl-C at a terminal", "there is no `script` in PATH");
    }
    let before = workspace.files("problems/sum");
    let line = format!("{} generate --review", env!("CARGO_BIN_EXE_judge"));
    let mut command =
        workspace.command_of("script".as_ref(), ["-q", "-e", "-c", &line, "/dev/null"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The terminal converts it to a signal. It is sent at the second question, after an answer to
    // the first one.
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut message = Vec::new();
    let mut wait_for_questions = |times: usize| {
        let mut byte = [0];
        while String::from_utf8_lossy(&message)
            .matches("[q]uit: ")
            .count()
            < times
            && stdout.read(&mut byte).unwrap() > 0
        {
            message.push(byte[0]);
        }
    };
    wait_for_questions(1);
    stdin.write_all(b"y\n").unwrap();
    wait_for_questions(2);
    stdin.write_all(b"\x03").unwrap();
    wait_for_questions(usize::MAX);
    assert_eq!(
        child.wait().unwrap().code(),
        Some(130),
        "{}",
        String::from_utf8_lossy(&message)
    );
    assert_eq!(workspace.files("problems/sum"), before);
}

/// For generated inputs too, accepted solutions must agree on an answer that no user has checked.
#[test]
fn a_missing_answer_of_a_generated_case_needs_all_accepted_solutions() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let rules =
        "data: {secret: {data: {new: {in: \"3 4\\n\"}}}}\nsolution: /submissions/accepted/sum.c\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    fs::create_dir_all(workspace.path("problems/sum/submissions/accepted")).unwrap();
    fs::rename(
        workspace.path("solutions/sum/accepted/sum.c"),
        workspace.path("problems/sum/submissions/accepted/sum.c"),
    )
    .unwrap();
    workspace.judge(["generate", "sum"]).exits(0);
    workspace.write("solutions/sum/accepted/zz.c", SUM_PLUS_ONE);
    workspace.remove("problems/sum/data/secret/new.ans");
    let output = workspace
        .judge(["generate", "--review", "--accept-answers", "sum"])
        .exits(3);
    output.stderr_has(&["`secret/new`: no answer was written", "zz.c"]);
    assert!(!workspace.path("problems/sum/data/secret/new.ans").exists());
    // The first accepted solution must agree too, if the rules name another one.
    workspace.remove("solutions/sum/accepted/zz.c");
    workspace.write("solutions/sum/accepted/aa.c", SUM_PLUS_ONE);
    let output = workspace
        .judge(["generate", "--review", "--accept-answers", "sum"])
        .exits(3);
    output.stderr_has(&["`secret/new`: no answer was written", "aa.c"]);
    assert!(!workspace.path("problems/sum/data/secret/new.ans").exists());
}
