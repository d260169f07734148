//! Programs that make test data: generators, and solutions that write answers.
//!
//! Responsible for running one of them on its input, and for keeping its output. Must not know
//! which test case it is for or where the files go.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::Excerpt;
use judge_model::{
    Limit, NamedFiles, Outcome, Problem, Program, SIGXFSZ, Submission, Termination, signal_name,
};
use judge_sandbox::{
    Execution, Finished, HarvestError, Input, RunLimits, Work, names_in, read_file,
};

use crate::ExecError;
use crate::build::compile::{Compiler, Trust};
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::fault::{Fault, Refusal};
use crate::jury::limits::apply_file_limit;
use crate::session::worker::Worker;
use crate::store::programs::{Key, KeyBuilder};
use crate::testcase::files::renamed;

/// The kind of these entries of the cache, which differs from that of programs.
const KIND: &[u8] = b"test data, 2";

/// The time limit of BAPCtools for generators and solutions (`limits.generator_time`), so that
/// existing packages work.
const MAX_TIME: Duration = Duration::from_secs(60);
const MAX_MEMORY_BYTES: u64 = 2 << 30;
/// Files of test cases are rarely larger than a few megabytes.
const MAX_OUTPUT_BYTES: u64 = 512 << 20;
const MAX_FILES: u64 = 1024;
const MAX_STDERR_BYTES: u64 = 1 << 20;
const MAX_PROCESSES: u32 = 64;
/// The sizes of the quoted parts of the standard error of a failed program, in bytes: its
/// beginning, and its end, where a traceback names the error.
const QUOTED_BYTES: [usize; 2] = [1 << 10, 2 << 10];

/// A generator or a solution, ready to be run.
#[derive(Clone, Debug)]
pub struct ReadyProgram {
    pub(super) runnable: Arc<Runnable>,
    /// The files of a submission in place of standard input and output.
    named_files: NamedFiles,
}

/// The data that a program generated: its standard output, and the requested files that it left in
/// its working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedData {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// The files at the top of the working directory, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl GeneratedData {
    /// Standard output and then each file, as name and content, each after its length.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |part: &[u8]| {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part);
        };
        // A length before each part separates names and contents, which may have any bytes.
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
            let (part, rest) =
                rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            bytes = rest;
            Some(Some(part.to_vec()))
        };
        // The cache verifies the bytes by a digest. An entry that does not parse nevertheless
        // counts as absent.
        let mut made = Self {
            stdout: take()??,
            files: BTreeMap::new(),
        };
        while let Some(name) = take()? {
            made.files.insert(String::from_utf8(name).ok()?, take()??);
        }
        Some(made)
    }
}

/// The generation of data: a program, and everything that determines its output.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a> {
    /// The program.
    pub program: &'a ReadyProgram,
    /// Its arguments.
    pub args: &'a [String],
    /// Its standard input.
    pub input: &'a [u8],
    /// The files that it may leave are those whose names begin with this; `None` when only standard
    /// output matters.
    pub leaves: Option<&'a str>,
    /// The maximum CPU time; `None` for that of generators, 60 s.
    pub time: Option<Duration>,
}

impl Generation<'_> {
    /// The maximum CPU time of the program.
    fn max_time(&self) -> Duration {
        self.time.unwrap_or(MAX_TIME).min(MAX_TIME)
    }

    /// A program is cached under a key of its sources, so its path and its digest identify it.
    fn key(&self) -> Key {
        let mut key = KeyBuilder::default();
        key.part(KIND);
        key.part(self.program.runnable.files.as_os_str().as_bytes());
        key.part(self.program.runnable.digest().as_bytes());
        // The number of arguments is in the key, because the input follows them: without it an
        // argument could be mistaken for the input.
        key.list(self.args);
        key.part(self.input);
        key.part(self.leaves.unwrap_or_default().as_bytes());
        key.part(format!("{:?}", self.program.named_files).as_bytes());
        key.finish()
    }
}

impl Worker<'_> {
    /// Prepares a program of the package that generates test data; `role` names its kind
    /// (`generator`).
    ///
    /// # Errors
    /// Faults of the package, with the compiler's message, and of the host.
    pub fn maker(
        &mut self,
        problem: &Problem,
        program: &Program,
        role: &str,
    ) -> Result<ReadyProgram, Fault> {
        let runnable = self.ready_warm(program, role, problem)?;
        Ok(ReadyProgram {
            runnable,
            named_files: NamedFiles::default(),
        })
    }

    /// Prepares a submission that writes answers.
    ///
    /// # Errors
    /// Faults of the submission, with the compiler's message, and of the host.
    pub fn solution(
        &mut self,
        problem: &Problem,
        submission: &Submission,
    ) -> Result<ReadyProgram, Fault> {
        let session = self.session;
        let known = submission.language.as_ref();
        let Some(toolchain) = known
            .and_then(|language| session.tools.for_language(language))
            .map(Arc::clone)
        else {
            let language = known.map_or("an unknown language", |language| language.0.as_str());
            let why = format!(
                "`{}` is in {language}, for which this host has no tools",
                submission.id
            );
            return Err(Refusal::of_submission(why).into());
        };
        let sources = Sources::from_submission(submission, problem, &toolchain.language.id);
        let mut compiler: Compiler<'_> = self.submission_compiler(Trust::Content);
        let compiled = compiler.compile(&toolchain, &sources, &problem.limits, None)?;
        Ok(compiled
            .result
            .map(|runnable| ReadyProgram {
                runnable,
                named_files: problem.named_files.clone(),
            })
            .map_err(|failure| failure.refusal(&format!("`{}`", submission.id)))?)
    }

    /// Returns the data that the same program generated earlier from the same arguments and input,
    /// if it was [cached](Self::keep).
    #[must_use]
    pub fn cached_data(&self, making: &Generation<'_>) -> Option<GeneratedData> {
        GeneratedData::from_bytes(&self.session.cache.kept(&making.key())?)
    }

    /// Caches data, once it is known that the program generates it reproducibly.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn keep(&self, making: &Generation<'_>, made: &GeneratedData) -> Result<(), ExecError> {
        self.session.cache.keep(&making.key(), made.to_bytes())
    }

    /// Runs a program in an empty directory, from which it cannot reach the package.
    ///
    /// # Errors
    /// Faults of the host. The package's fault describes how the program failed, also when it was
    /// cancelled.
    pub fn make(&mut self, making: &Generation<'_>) -> Result<GeneratedData, Fault> {
        // Only a clean exit counts: output from before a failure looks like the data of a good run.
        let (finished, stderr) = self.run_maker(making)?;
        if !finished.outcome.is_clean_exit() {
            return Err(Fault::of_package(failure(
                &apply_file_limit(&finished, MAX_OUTPUT_BYTES),
                &stderr,
                making.max_time(),
            )));
        }
        let files = match finished.work.as_ref().zip(making.leaves) {
            Some((work, prefix)) => left_files(work, prefix),
            None => Ok(BTreeMap::new()),
        };
        let files = files.map_err(|error| {
            Fault::of_package(format!("left files that cannot be used: {error}"))
        })?;
        Ok(GeneratedData {
            stdout: std::mem::take(&mut self.capture.stdout),
            files,
        })
    }

    /// Returns the CPU time of a run, even if it fails.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn time_of(&mut self, making: &Generation<'_>) -> Result<Duration, ExecError> {
        match self.run_maker(making) {
            Ok((finished, _)) => Ok(finished.outcome.usage.cpu_time),
            Err(fault) => fault.refusal().map(|_| Duration::ZERO),
        }
    }

    /// Runs a program, and returns its standard error when it failed.
    fn run_maker(&mut self, making: &Generation<'_>) -> Result<(Finished, Vec<u8>), Fault> {
        let ordinary = making.max_time();
        let time = self.time_of_making(ordinary);
        let ran = self.run_maker_within(making, time)?;
        // The short time limit was meant for a warm run, but the program was started cold and gets
        // its full time.
        if self.was_cut_short(&ran.0.outcome, time, ordinary) {
            return self.run_maker_within(making, ordinary);
        }
        Ok(ran)
    }

    fn run_maker_within(
        &mut self,
        making: &Generation<'_>,
        time: Duration,
    ) -> Result<(Finished, Vec<u8>), Fault> {
        let cancel = self.cancel.clone();
        let program = &*making.program.runnable;
        let NamedFiles {
            input: input_file,
            output: output_file,
        } = &making.program.named_files;
        // A solution may read its input from a file that the problem names, like a submission in a
        // run.
        let input_copy = input_file
            .as_ref()
            .map(|name| renamed(making.input, name, &self.session.cache))
            .transpose()?;
        let (slot, capture) = self.generators()?;
        // The bound on elapsed time only ends programs that wait. Twice the CPU time leaves
        // room for a busy host.
        let limits = RunLimits {
            cpu_time: time,
            wall_time: time * 2,
            memory_bytes: MAX_MEMORY_BYTES,
            stdout_bytes: MAX_OUTPUT_BYTES,
            stderr_bytes: MAX_STDERR_BYTES,
            processes: MAX_PROCESSES,
        };
        let execution = Execution {
            stdin: if making.input.is_empty() || input_copy.is_some() {
                Input::Empty
            } else {
                Input::Bytes(making.input.into())
            },
            work: Work::Writable {
                bytes: MAX_OUTPUT_BYTES,
                files: MAX_FILES,
            },
            work_files: program
                .files_at_hand()
                .into_iter()
                .chain(input_copy)
                .collect(),
            // For the files that it left, and to see whether it wrote too much.
            keep_work: true,
            ..program.execution(making.args, limits, slot.layout(), cancel)?
        };
        // A warm program has the files that it was warmed with.
        let warm = execution.warm.filter(|_| input_file.is_none());
        let finished = slot
            .run(&Execution { warm, ..execution }, capture)
            .map_err(ExecError::from)?;
        program.expect_whole()?;
        if let Some(name) = output_file
            .as_ref()
            .filter(|_| finished.outcome.is_clean_exit())
        {
            let read = finished
                .work
                .as_ref()
                .and_then(|work| read_file(work, Path::new(name), MAX_OUTPUT_BYTES).ok());
            // An empty answer would accept every other program that writes no file.
            capture.stdout =
                read.ok_or_else(|| Fault::of_package(format!("left no readable file `{name}`")))?;
        }
        let failed = !finished.outcome.is_clean_exit();
        let stderr = if failed {
            program.shown(&capture.stderr, slot.layout())
        } else {
            Vec::new()
        };
        Ok((finished, stderr))
    }
}

/// Returns the files in a working directory whose names begin with this prefix. It is the program's
/// fault if one of them cannot be taken.
fn left_files(work: &OwnedFd, prefix: &str) -> Result<BTreeMap<String, Vec<u8>>, HarvestError> {
    let mut files = BTreeMap::new();
    let mut room = MAX_OUTPUT_BYTES;
    // Only the top of the directory is read. Names that are not UTF-8 belong to no test case, since
    // test cases are named in YAML.
    for name in names_in(work, MAX_FILES)? {
        let Some(name) = name.to_str().filter(|name| name.starts_with(prefix)) else {
            continue;
        };
        let bytes = read_file(work, Path::new(name), room)?;
        room -= bytes.len() as u64;
        files.insert(name.to_owned(), bytes);
    }
    Ok(files)
}

/// Describes the failure of a program and quotes its output; `time` is the CPU time that it had.
fn failure(outcome: &Outcome, stderr: &[u8], time: Duration) -> String {
    let how = match outcome.termination {
        Termination::Exited { code: 0 } => {
            format!("used more than {} MiB of memory", MAX_MEMORY_BYTES >> 20)
        }
        Termination::Exited { code } => format!("exited with code {code}"),
        Termination::Signaled { signal: SIGXFSZ } => {
            format!("wrote a file of more than {} MiB", MAX_OUTPUT_BYTES >> 20)
        }
        Termination::Signaled { signal } => match signal_name(signal) {
            Some(name) => format!("was killed by {name}"),
            None => format!("was killed by signal {signal}"),
        },
        Termination::Killed { limit } => match limit {
            Limit::CpuTime => {
                format!(
                    "took more than {} s of CPU time, the maximum for programs that generate data",
                    time.as_secs()
                )
            }
            Limit::WallTime => {
                format!(
                    "did not finish within {} s; programs that generate data may take {} s of CPU time",
                    2 * time.as_secs(),
                    time.as_secs()
                )
            }
            Limit::Memory => format!("used more than {} MiB of memory", MAX_MEMORY_BYTES >> 20),
            Limit::Output => format!(
                "exceeded its output limit of {} MiB",
                MAX_OUTPUT_BYTES >> 20
            ),
        },
        Termination::Cancelled => "was cancelled".to_owned(),
    };
    match quoted(stderr) {
        quote if quote.is_empty() => how,
        quote if quote.starts_with('\n') => format!("{how}:{quote}"),
        quote => format!("{how}: {quote}"),
    }
}

/// Quotes the beginning and the end of a program's output. A quote of several lines begins on a new
/// line.
fn quoted(output: &[u8]) -> String {
    let Excerpt {
        head,
        left_out,
        tail,
    } = Excerpt::new(output.trim_ascii(), QUOTED_BYTES[0], QUOTED_BYTES[1]);
    let (head, tail) = (head.to_text(), tail.to_text());
    let text = match left_out {
        0 => head.into_owned(),
        left_out => format!(
            "{}\n({left_out} bytes omitted)\n{}",
            head.trim_end(),
            tail.trim_start()
        ),
    };
    if text.contains('\n') {
        text.lines().map(|line| format!("\n  {line}")).collect()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_output_are_quoted() {
        assert_eq!(quoted(b" \n"), "");
        assert_eq!(quoted(b"no such shape\n"), "no such shape");
        let traceback = "Traceback:\n  line 2\nValueError: no\n";
        assert_eq!(
            quoted(traceback.as_bytes()),
            "\n  Traceback:\n    line 2\n  ValueError: no"
        );
        let long = format!("first\n{}\nlast\n", "x\n".repeat(5000));
        let quote = quoted(long.as_bytes());
        assert!(
            quote.starts_with("\n  first\n  x")
                && quote.ends_with("\n  last")
                && quote.len() < 10_000,
            "{quote}"
        );
        assert!(quote.contains("bytes omitted)"), "{quote}");
    }

    #[test]
    fn generated_data_is_read_back() {
        let files = BTreeMap::from([
            ("testcase.in".to_owned(), b"1\n".to_vec()),
            ("testcase.ans".to_owned(), vec![]),
        ]);
        for made in [
            GeneratedData::default(),
            GeneratedData {
                stdout: vec![0, 255],
                files,
            },
        ] {
            let bytes = made.to_bytes();
            assert_eq!(GeneratedData::from_bytes(&bytes), Some(made));
            assert!(
                (1..bytes.len()).all(|end| GeneratedData::from_bytes(&bytes[..end])
                    != GeneratedData::from_bytes(&bytes))
            );
        }
        assert_eq!(GeneratedData::from_bytes(b""), None);
    }
}
