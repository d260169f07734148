//! Programs that make test data: generators, and solutions that write answers.
//!
//! Responsible for running one of them on what it is given, and for keeping what it made. Must not know which test case
//! it is for, nor where the files go.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_grading::head_and_tail;
use judge_model::{Limit, Outcome, Problem, Program, Submission, Termination, signal_name};
use judge_sandbox::{Capture, Execution, HarvestError, Input, RunLimits, Work, names_in, read_file};

use crate::RunnerError;
use crate::cache::{Key, KeyBuilder};
use crate::compile::Compiler;
use crate::judging::program_bind;
use crate::jury::Desk;
use crate::program::{Runnable, environment};
use crate::sources::Sources;

/// Tells these entries of the cache from programs.
const KIND: &[u8] = b"test data, 2";

/// What BAPCtools gives generators and solutions (`limits.generator_time`), so that existing packages regenerate.
const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 2 << 30;
/// Files of test cases are seldom larger than some megabytes.
const BYTES: u64 = 512 << 20;
const FILES: u64 = 1024;
const STDERR: u64 = 1 << 20;
const PROCESSES: u32 = 64;
/// What is told of what a failed program wrote.
const SAID: usize = 2 << 10;

/// A generator or a solution, ready to be run.
#[derive(Clone, Debug)]
pub struct ReadyProgram(Arc<Runnable>);

impl ReadyProgram {
    pub(crate) fn runnable(&self) -> Arc<Runnable> {
        Arc::clone(&self.0)
    }
}

/// What a program made: its standard output, and the files that it left in its working directory and that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// The files at the top of the working directory, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Made {
    /// Standard output and then each file, as name and content, each after its length.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |part: &[u8]| {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part);
        };
        put(&self.stdout);
        for (name, content) in &self.files {
            put(name.as_bytes());
            put(content);
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut take = || -> Option<Option<Vec<u8>>> {
            if bytes.is_empty() {
                return Some(None);
            }
            let (length, rest) = bytes.split_first_chunk::<8>()?;
            let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            bytes = rest;
            Some(Some(part.to_vec()))
        };
        let mut made = Self { stdout: take()??, files: BTreeMap::new() };
        while let Some(name) = take()? {
            made.files.insert(String::from_utf8(name).ok()?, take()??);
        }
        Some(made)
    }
}

/// What a program is run on. Everything that decides about what it makes.
#[derive(Clone, Copy, Debug)]
pub struct Making<'a> {
    /// The program.
    pub program: &'a ReadyProgram,
    /// Its arguments.
    pub args: &'a [String],
    /// Its standard input.
    pub input: &'a [u8],
    /// The files that it may leave are those whose names begin with this; `None` when only standard output matters.
    pub leaves: Option<&'a str>,
}

impl Making<'_> {
    /// A program lies in the cache under a key of its content, so its place says what it is.
    fn key(&self) -> Key {
        let mut key = KeyBuilder::default();
        key.part(KIND);
        key.part(self.program.0.files.as_os_str().as_bytes());
        key.part(&(self.args.len() as u64).to_le_bytes());
        self.args.iter().for_each(|arg| key.part(arg.as_bytes()));
        key.part(self.input);
        key.part(self.leaves.unwrap_or_default().as_bytes());
        key.finish()
    }
}

impl Desk<'_> {
    /// Makes a program of the package ready that makes test data; `role` says which (`generator`). The inner error, in
    /// words and with what the compiler said, is the package's fault.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn maker(
        &mut self,
        problem: &Problem,
        program: &Program,
        role: &str,
    ) -> Result<Result<ReadyProgram, String>, RunnerError> {
        Ok(self.compiled(program, role, problem)?.map(ReadyProgram))
    }

    /// The same for a submission that writes answers.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn solution(
        &mut self,
        problem: &Problem,
        submission: &Submission,
    ) -> Result<Result<ReadyProgram, String>, RunnerError> {
        let jury = self.jury();
        let known = submission.language.as_ref();
        let Some(toolchain) = known.and_then(|language| jury.tools.of(language)).map(Arc::clone) else {
            let language = known.map_or("a language that is not known", |language| language.0.as_str());
            return Ok(Err(format!("`{}` is in {language}, for which this host has no tools", submission.id)));
        };
        let sources = Sources::of_submission(submission, problem, &toolchain.language.id);
        let mut compiler: Compiler<'_> = self.compiler();
        let compiled = compiler.compile(&toolchain, &sources, &problem.limits, None)?;
        Ok(compiled.result.map(ReadyProgram).map_err(|failure| {
            let said = compiled.message.head.to_text().into_owned();
            let why = failure.reason.unwrap_or_else(|| said.trim_end().to_owned());
            format!("`{}` does not compile: {why}", submission.id)
        }))
    }

    /// What was made before, by the same program from the same arguments and input, and [kept](Self::keep).
    #[must_use]
    pub fn made_before(&self, making: &Making<'_>) -> Option<Made> {
        Made::from_bytes(&self.jury().cache.kept(&making.key())?)
    }

    /// Keeps what was made, once it is known to be made again in the same way.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(&self, making: &Making<'_>, made: &Made) -> Result<(), RunnerError> {
        self.jury().cache.keep(&making.key(), made.to_bytes())
    }

    /// Runs a program in an empty directory, with nothing of the package in its reach. The inner error says how it
    /// failed, also when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host; nothing that the program does is one.
    pub fn make(&mut self, making: &Making<'_>) -> Result<Result<Made, String>, RunnerError> {
        let cancel = self.jury().cancel.clone();
        let program = &*making.program.0;
        let slot = self.makers()?;
        let layout = slot.layout();
        let mut args = program.command(MEMORY, layout)?;
        args.extend(making.args.iter().map(OsString::from));
        let execution = Execution {
            program: PathBuf::from(&args[0]),
            args,
            env: environment(&program.toolchain.language, layout),
            stdin: if making.input.is_empty() { Input::Empty } else { Input::Bytes(making.input.into()) },
            limits: RunLimits {
                cpu_time: TIME,
                wall_time: TIME * 2,
                memory_bytes: MEMORY,
                stdout_bytes: BYTES,
                stderr_bytes: STDERR,
                processes: PROCESSES,
            },
            work: Work::Writable { bytes: BYTES, files: FILES },
            cwd: None,
            work_files: program.at_hand.then(|| program.files.clone()).into_iter().collect(),
            binds: vec![program_bind(program)],
            proc_mounted: program.toolchain.language.needs_proc,
            keep_work: making.leaves.is_some(),
            count_instructions: false,
            cancel,
        };
        let mut capture = Capture::default();
        let finished = slot.run(&execution, &mut capture)?;
        if !finished.outcome.is_clean_exit() {
            return Ok(Err(failure(&finished.outcome, &capture)));
        }
        let files = match finished.work.as_ref().zip(making.leaves) {
            Some((work, prefix)) => left_files(work, prefix),
            None => Ok(BTreeMap::new()),
        };
        let failed = |error| format!("left files that cannot be used: {error}");
        Ok(files.map(|files| Made { stdout: capture.stdout, files }).map_err(failed))
    }
}

/// The files in a working directory whose names begin with this. What cannot be taken is the program's fault.
fn left_files(work: &OwnedFd, prefix: &str) -> Result<BTreeMap<String, Vec<u8>>, HarvestError> {
    let mut files = BTreeMap::new();
    let mut room = BYTES;
    for name in names_in(work, FILES)? {
        let Some(name) = name.to_str().filter(|name| name.starts_with(prefix)) else { continue };
        let bytes = read_file(work, Path::new(name), room)?;
        room -= bytes.len() as u64;
        files.insert(name.to_owned(), bytes);
    }
    Ok(files)
}

/// How a program failed, and the end of what it said.
fn failure(outcome: &Outcome, capture: &Capture) -> String {
    let how = match outcome.termination {
        Termination::Exited { code: 0 } => format!("used more than {} MiB of memory", MEMORY >> 20),
        Termination::Exited { code } => format!("ended with exit code {code}"),
        Termination::Signaled { signal } => match signal_name(signal) {
            Some(name) => format!("was ended by {name}"),
            None => format!("was ended by signal {signal}"),
        },
        Termination::Killed { limit } => match limit {
            Limit::CpuTime | Limit::WallTime => format!("took more than {} s", TIME.as_secs()),
            Limit::Memory => format!("used more than {} MiB of memory", MEMORY >> 20),
            Limit::Output => format!("wrote more than {} MiB", BYTES >> 20),
        },
        Termination::Cancelled => "was cancelled".to_owned(),
    };
    let parts = head_and_tail(&capture.stderr, 0, SAID);
    let said = String::from_utf8_lossy(parts.tail).trim().to_owned();
    if said.is_empty() { how } else { format!("{how}: {said}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_read_as_it_was_written() {
        let files = BTreeMap::from([("testcase.in".to_owned(), b"1\n".to_vec()), ("testcase.ans".to_owned(), vec![])]);
        for made in [Made::default(), Made { stdout: vec![0, 255], files }] {
            let bytes = made.to_bytes();
            assert_eq!(Made::from_bytes(&bytes), Some(made));
            assert!((1..bytes.len()).all(|end| Made::from_bytes(&bytes[..end]) != Made::from_bytes(&bytes)));
        }
        assert_eq!(Made::from_bytes(b""), None);
    }
}
