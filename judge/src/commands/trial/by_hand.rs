//! A conversation of the user with the interactor of a problem.
//!
//! Responsible for copying bytes between both. Must not know what they mean.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::time::Duration;

use judge_model::{Outcome, Problem, ProblemIndex, Termination, TestCase, TestCaseIndex, Usage};
use judge_report::printable_lines;
use judge_sandbox::{CancelToken, Capture, Execution, Finished, Input, SandboxError, Slot};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::time::{ClockId, clock_gettime};

use super::single::exit_code;
use crate::commands::judging::{JudgingSettings, with_worker};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::write;

/// The time limit of a conversation.
const TIME_LIMIT: Duration = Duration::from_secs(3600);
/// The interval at which cancelling is checked.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Lets the user talk with the interactor on a test case, or on the first one of the problem.
pub(super) fn talk(
    config: &Config,
    settings: JudgingSettings,
    mut problem: Problem,
    case: Option<TestCase>,
) -> Result<ExitCode, Failure> {
    if !problem.interactive {
        return Err(Failure::Usage(format!(
            "`{}` is not interactive",
            problem.name
        )));
    }
    let Some(case) = case.or_else(|| problem.test_cases.first().cloned()) else {
        return Err(Failure::NothingSelected(format!(
            "`{}` has no test case",
            problem.name
        )));
    };
    let greeting = format!(
        "note: you are talking to the interactor on `{}`; Ctrl-D ends your side\n",
        case.id
    );
    (problem.test_cases, problem.submissions) = (vec![case], Vec::new());
    // The interactor waits for a person too.
    problem.limits.validation_time = TIME_LIMIT;
    let settings = JudgingSettings {
        time_limit: Some(TIME_LIMIT),
        ..settings
    };
    let talked = with_worker(config, settings, problem, |worker, _| {
        // Without standard error, the conversation is still possible.
        let _ = write(&mut io::stderr(), &greeting);
        worker.talk(ProblemIndex(0), TestCaseIndex(0), &mut Person)
    })?;
    let Some(result) = talked else {
        return Ok(ExitCode::Interrupted);
    };
    let why = result
        .reason
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    let message = result.judge_message.to_text();
    write(
        &mut io::stderr(),
        printable_lines(&format!("{}{why}\n{message}", result.verdict.code())),
    )?;
    Ok(exit_code(result.verdict))
}

/// The user in the place of a program.
struct Person;

impl Slot for Person {
    fn run(&mut self, execution: &Execution, _: &mut Capture) -> Result<Finished, SandboxError> {
        if let Input::Duplex(duplex) = &execution.stdin
            && let Some([from_interactor, to_interactor]) = duplex.take_ends_unobserved()
        {
            // If the terminal is gone, the user has ended the conversation.
            let _ = copy_both(
                File::from(from_interactor),
                File::from(to_interactor),
                &execution.cancel,
            );
        }
        let now = clock_gettime(ClockId::Monotonic);
        let ended = Duration::new(
            now.tv_sec.unsigned_abs(),
            u32::try_from(now.tv_nsec).unwrap_or(0),
        );
        let outcome = Outcome {
            termination: Termination::Exited { code: 0 },
            usage: Usage::default(),
        };
        Ok(Finished {
            outcome,
            work: None,
            ended,
        })
    }
}

/// Copies both directions until the interactor has closed its output, or the conversation is
/// cancelled.
fn copy_both(mut from: File, to: File, cancel: &CancelToken) -> io::Result<()> {
    let (stdin, mut stdout) = (io::stdin(), io::stdout());
    let (mut to, mut bytes) = (Some(to), vec![0; 64 << 10]);
    while !cancel.is_cancelled() {
        let mut ready = vec![PollFd::from_borrowed_fd(from.as_fd(), PollFlags::IN)];
        // Standard input is not polled after its end, at which it would be readable forever.
        ready.extend(
            to.as_ref()
                .map(|_| PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)),
        );
        poll(&mut ready, Some(&TICK))?;
        let readable: Vec<bool> = ready.iter().map(|fd| !fd.revents().is_empty()).collect();
        if readable[0] {
            let length = from.read(&mut bytes)?;
            if length == 0 {
                return Ok(());
            }
            // The interactor is untrusted: a terminal must not act on its bytes. A pipe gets
            // them as they are.
            match stdout.is_terminal() {
                true => stdout.write_all(
                    printable_lines(&String::from_utf8_lossy(&bytes[..length])).as_bytes(),
                )?,
                false => stdout.write_all(&bytes[..length])?,
            }
            stdout.flush()?;
        }
        if readable.get(1) == Some(&true)
            && let Some(open) = &mut to
        {
            // Reads past the buffer of standard input: `poll` does not see bytes that are in it.
            let length = rustix::io::read(&stdin, &mut bytes)?;
            if length == 0 || open.write_all(&bytes[..length]).is_err() {
                to = None;
            }
        }
    }
    Ok(())
}
