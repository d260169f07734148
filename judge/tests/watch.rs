//! `--watch`: a command runs again after every save.

use std::io::{BufRead, BufReader, pipe};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::interrupt::{descendants, within};
use crate::workspace::{SUM, SUM_PLUS_ONE, Workspace};

/// The maximum time that a busy host may take to judge.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A command with `--watch`, and its output, line by line.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        Self::start_of(workspace, "run", args)
    }

    fn start_of(workspace: &Workspace, subcommand: &str, args: &[&str]) -> Self {
        // One pipe for both streams, so that their lines keep their order.
        let (reader, writer) = pipe().unwrap();
        let mut command = workspace.command_keeping([&[subcommand, "--watch"], args].concat());
        // Narrow: lines are then broken on every host, and not only with a weak isolation level,
        // whose note is longer.
        command
            .env("COLUMNS", "50")
            .stdout(writer.try_clone().unwrap())
            .stderr(writer);
        let child = command.spawn().unwrap();
        // The command has handles of the pipe, which would keep it open after the child's end.
        drop(command);
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(reader)
                .lines()
                .try_for_each(|line| sender.send(line.unwrap()))
        });
        Self { child, lines }
    }

    /// The output until the command waits, as one line: line breaks depend on paths and figures.
    fn until_it_waits(&self) -> String {
        let mut message = String::new();
        loop {
            let line = self
                .lines
                .recv_timeout(TIMEOUT)
                .unwrap_or_else(|_| panic!("nothing more after:\n{message}"));
            message.extend(line.split_whitespace().flat_map(|word| [word, " "]));
            if line == "note: waiting for files to change; Ctrl-C ends" {
                return message;
            }
        }
    }

    fn interrupt(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        while let more = self.lines.recv_timeout(TIMEOUT)
            && more != Err(RecvTimeoutError::Disconnected)
        {
            assert!(more.is_ok(), "no end after an interrupt");
        }
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    /// Ends the command, so that a failed test leaves no process running.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn only_saved_files_are_judged_again() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.sum("other");
    workspace.write("solutions/other/accepted/other.c", SUM);
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    let watching = Watching::start(&workspace, &[]);
    let message = watching.until_it_waits();
    assert!(
        message.contains("2 problems, 3 submissions as expected"),
        "{message}"
    );
    // A change of one submission.
    workspace.write("solutions/sum/accepted/sum.c", SUM_PLUS_ONE);
    let message = watching.until_it_waits();
    assert!(
        message.contains("changed: solutions/sum/accepted/sum.c"),
        "{message}"
    );
    assert!(
        message.contains("1 problem, 0 submissions as expected, 1 not"),
        "{message}"
    );
    assert!(
        !message.contains("more.c") && !message.contains("other"),
        "{message}"
    );
    // A change in the data of one problem, of a single file, because a busy host may be slow
    // between two.
    workspace.write("problems/other/data/secret/01.in", "3 2\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("1 problem, 1 submission as expected") && !message.contains("sum.c"),
        "{message}"
    );
    // After a submission is removed, the report has the others.
    workspace.remove("solutions/sum/accepted/sum.c");
    let message = watching.until_it_waits();
    assert!(
        message.contains("removed: solutions/sum/accepted/sum.c"),
        "{message}"
    );
    assert!(
        message.contains("2 problems, 2 submissions as expected"),
        "{message}"
    );
    workspace.write("solutions/sum/accepted/sum.c", SUM_PLUS_ONE);
    watching.until_it_waits();
    // An unreadable file is reported, and waited for.
    workspace.write("judge.yaml", "problems: [nowhere]\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("expected a directory, found none at `nowhere`"),
        "{message}"
    );
    workspace.write("judge.yaml", "problems: [problems]\n# again\n");
    let message = watching.until_it_waits();
    assert!(message.contains("2 problems"), "{message}");
    // The exit code is that of the last run, which was not as expected.
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn broken_packages_are_reported_and_watched() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let watching = Watching::start(&workspace, &["sum"]);
    watching.until_it_waits();
    workspace.problem("sum", "limits: {time_limt: 4}\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("time_limt") && message.contains("package fault"),
        "{message}"
    );
    workspace.problem("sum", "limits: {time_limit: 4}\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("1 problem, 1 submission as expected"),
        "{message}"
    );
    assert_eq!(watching.interrupt(), Some(0));
}

#[test]
fn saved_programs_are_judged_again() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("mine/sum.c", SUM_PLUS_ONE);
    let watching = Watching::start_of(&workspace, "submit", &["mine/sum.c"]);
    assert!(
        watching
            .until_it_waits()
            .contains("sum: wrong answer on sample/1")
    );
    // Files next to it and other submissions do not matter.
    workspace.write("mine/other.c", SUM);
    workspace.write("problems/sum/submissions/accepted/other.c", SUM);
    workspace.write("mine/sum.c", SUM);
    let message = watching.until_it_waits();
    assert!(message.contains("mine/sum.c"), "{message}");
    assert!(
        message.contains("sum: accepted on 3 test cases"),
        "{message}"
    );
    // Test data matters.
    workspace.write("problems/sum/data/secret/01.ans", "6\n");
    assert!(
        watching
            .until_it_waits()
            .contains("sum: wrong answer on secret/01")
    );
    // A removed file is reported, and waited for.
    workspace.remove("mine/sum.c");
    assert!(
        watching
            .until_it_waits()
            .contains("cannot read `mine/sum.c`")
    );
    workspace.write("mine/sum.c", SUM);
    assert!(
        watching
            .until_it_waits()
            .contains("sum: wrong answer on secret/01")
    );
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn saved_packages_are_checked_again() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.sum("other");
    let watching = Watching::start_of(&workspace, "check", &["--static"]);
    let message = watching.until_it_waits();
    assert!(
        message.contains("2 packages checked") && !message.contains("JP202"),
        "{message}"
    );
    workspace.write("problems/sum/data/secret/01.in", "\u{feff}3 2\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("changed: problems/sum/data/secret/01.in"),
        "{message}"
    );
    assert!(
        message.contains("1 package checked") && message.contains("JP202"),
        "{message}"
    );
    // The code of the last check, whose package has no statement.
    assert_eq!(watching.interrupt(), Some(3));
}

#[test]
fn generated_pages_do_not_count_as_changes() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/statement/problem.en.md", "Add two numbers.\n");
    let watching = Watching::start_of(
        &workspace,
        "statement",
        &["sum", "-o", "problems/sum/page.html"],
    );
    watching.until_it_waits();
    let page = || std::fs::read_to_string(workspace.path("problems/sum/page.html")).unwrap();
    assert!(page().contains("Add two numbers."));
    workspace.write("problems/sum/statement/problem.en.md", "Subtract them.\n");
    let message = watching.until_it_waits();
    assert!(
        message.contains("changed: problems/sum/statement/problem.en.md"),
        "{message}"
    );
    assert!(page().contains("Subtract them."));
    workspace.write("problems/sum/statement/problem.en.md", "Multiply them.\n");
    let message = watching.until_it_waits();
    // The rendered page must not count as a change.
    assert!(
        message.contains("changed: problems/sum/statement/problem.en.md"),
        "{message}"
    );
    assert!(page().contains("Multiply them."));
    assert_eq!(watching.interrupt(), Some(0));
}

/// A user who saves again, because the program hangs, does not have to wait for its time limit on
/// every test case.
#[test]
fn saves_interrupt_the_current_run() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("sum", "limits: {time_limit: 100}\n");
    workspace.case("sum", "secret/01", "1 2\n", "3\n");
    workspace.write(
        "mine/sum.c",
        "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n",
    );
    let watching = Watching::start_of(&workspace, "submit", &["mine/sum.c"]);
    let runs = || {
        descendants(watching.child.id())
            .iter()
            .any(|(name, _)| name == "main")
    };
    within(TIMEOUT, "the program", runs);
    let saved = Instant::now();
    // Changes of other submissions of the package start no run.
    workspace.write("problems/sum/submissions/accepted/other.c", SUM);
    workspace.write("mine/sum.c", SUM);
    let message = watching.until_it_waits();
    assert!(
        message.contains("changed: ") && message.contains("sum: accepted on 1 test case"),
        "{message}"
    );
    assert!(
        saved.elapsed() < Duration::from_secs(90),
        "{:?}",
        saved.elapsed()
    );
    assert_eq!(watching.interrupt(), Some(0));
}
