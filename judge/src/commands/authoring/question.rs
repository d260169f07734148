//! The decision whether an answer is accepted: by the command line, or by somebody at the terminal.
//!
//! Responsible for asking until there is a word that is understood, or a signal. Must not know what is asked about.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use judge_exec::ExecError;
use judge_report::printable_lines;
use judge_sandbox::CancelToken;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use crate::failure::Failure;
use crate::reporters::write;

/// The word of somebody at the terminal.
pub(super) enum Word {
    Yes,
    No,
    /// Not this one, and no further one.
    Quit,
    /// Nothing: not even what was accepted before.
    Interrupted,
}

/// The one who decides about changed answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decider {
    /// All of them are accepted: that was typed.
    CommandLine,
    /// The person at the terminal.
    Terminal,
    /// There is no terminal to ask on.
    Nobody,
}

impl Decider {
    /// The command line, if it says already what is accepted; or else somebody at the terminal, if there is one.
    pub(super) fn choose(is_said: bool) -> Self {
        match is_said {
            true => Self::CommandLine,
            false if io::stdin().is_terminal() && io::stdout().is_terminal() => Self::Terminal,
            false => Self::Nobody,
        }
    }

    /// Decides about an answer that was just shown.
    pub(super) fn decide(self, cancel: &CancelToken) -> Result<Word, Failure> {
        match self {
            Self::CommandLine => Ok(Word::Yes),
            Self::Terminal => ask(cancel),
            Self::Nobody => Ok(Word::No),
        }
    }
}

/// Asks whether an answer that was just shown is accepted.
fn ask(cancel: &CancelToken) -> Result<Word, Failure> {
    loop {
        write(&mut io::stdout(), "accept the new answer? [y]es, [n]o, [q]uit: ")?;
        if !is_answered(cancel)? {
            write(&mut io::stdout(), "\n")?;
            return Ok(Word::Interrupted);
        }
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(|error| failed("read", error))?;
        match line.trim() {
            "y" | "yes" => return Ok(Word::Yes),
            "n" | "no" => return Ok(Word::No),
            "q" | "quit" => return Ok(Word::Quit),
            _ if read == 0 => return Ok(Word::Quit),
            other => {
                let text = printable_lines(&format!("expected y, n or q, found `{other}`\n"));
                write(&mut io::stdout(), &text)?;
            }
        }
    }
}

/// Waits for a line at the terminal; not any longer than until a signal comes.
fn is_answered(cancel: &CancelToken) -> Result<bool, Failure> {
    let stdin = io::stdin();
    loop {
        let mut polled = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(cancel, PollFlags::IN)];
        match poll(&mut polled, None) {
            Ok(_) if !polled[1].revents().is_empty() => return Ok(false),
            // A terminal gives a line at a time, so nothing of it has been read before.
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(failed("wait for", error.into())),
        }
    }
}

fn failed(action: &'static str, source: io::Error) -> Failure {
    ExecError::io(action, Path::new("/dev/stdin"))(source).into()
}
