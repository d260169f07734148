//! `judge run --watch`: what is saved is judged.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::workspace::{SUM, SUM_PLUS_ONE, Workspace};

/// How long a busy host may take to judge.
const PATIENCE: Duration = Duration::from_secs(120);

/// A run that watches, and what it tells, line by line.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        let mut command = workspace.command_keeping([&["run", "--watch"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let errors = sender.clone();
        thread::spawn(move || BufReader::new(stdout).lines().try_for_each(|line| sender.send(line.unwrap())));
        thread::spawn(move || BufReader::new(stderr).lines().try_for_each(|line| errors.send(line.unwrap())));
        Self { child, lines }
    }

    /// Everything that is told until it waits.
    fn until_it_waits(&self) -> String {
        let mut told = String::new();
        let mut is_last = false;
        // The report ends with the isolation level, which may stand on a line of its own. The two streams come in any
        // order: the last line and the note are both waited for.
        let mut waits = false;
        while !(is_last && waits) {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("nothing more after:\n{told}"));
            waits |= line.contains("waiting for files to change");
            is_last |= line.contains("; isolation") || line.starts_with("error: ");
            told.push_str(&line);
            told.push('\n');
        }
        told
    }

    fn interrupt(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap().code()
    }
}

#[test]
fn what_is_saved_is_judged_and_nothing_else() {
    let Some(workspace) = Workspace::with_sum() else { return };
    workspace.sum("other");
    workspace.write("solutions/other/accepted/other.c", SUM);
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    let watching = Watching::start(&workspace, &[]);
    let told = watching.until_it_waits();
    assert!(told.contains("2 problems, 3 submissions as expected"), "{told}");
    // One submission.
    workspace.write("solutions/sum/accepted/sum.c", SUM_PLUS_ONE);
    let told = watching.until_it_waits();
    assert!(told.contains("changed: solutions/sum/accepted/sum.c"), "{told}");
    assert!(told.contains("1 problem, 0 submissions as expected, 1 not"), "{told}");
    assert!(!told.contains("more.c") && !told.contains("other"), "{told}");
    // The data of one problem.
    workspace.case("other", "secret/01", "2 5\n", "7\n");
    let told = watching.until_it_waits();
    assert!(told.contains("1 problem, 1 submission as expected") && !told.contains("sum.c"), "{told}");
    // What cannot be read is told, and waited for.
    workspace.write("judge.yaml", "problems: [nowhere]\n");
    let told = watching.until_it_waits();
    assert!(told.contains("expected a directory, found none at `nowhere`"), "{told}");
    workspace.write("judge.yaml", "problems: [problems]\n# again\n");
    let told = watching.until_it_waits();
    assert!(told.contains("2 problems"), "{told}");
    // The last run was not as expected, and that is how it ends.
    assert_eq!(watching.interrupt(), Some(1));
}

#[test]
fn a_broken_package_is_told_and_waited_for() {
    let Some(workspace) = Workspace::with_sum() else { return };
    let watching = Watching::start(&workspace, &["sum"]);
    watching.until_it_waits();
    workspace.problem("sum", "limits: {time_limt: 4}\n");
    let told = watching.until_it_waits();
    assert!(told.contains("time_limt") && told.contains("package fault"), "{told}");
    workspace.problem("sum", "limits: {time_limit: 4}\n");
    let told = watching.until_it_waits();
    assert!(told.contains("1 problem, 1 submission as expected"), "{told}");
    assert_eq!(watching.interrupt(), Some(0));
}
