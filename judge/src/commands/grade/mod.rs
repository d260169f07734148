//! `judge grade`: judges many submissions, from a stream of requests to a stream of results.
//!
//! Responsible for the lanes in which requests are judged in parallel, and for ending them. Must
//! not know what judges a program: each request is a run like that of `judge submit`.

mod collector;
mod duplicates;
mod engine;
mod intake;
mod lane;
mod no_verdict;
mod output;
mod problems;
mod programs;
mod report;
mod tally;

use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use judge_event::End;
use judge_report::WorkBar;
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use self::duplicates::Duplicates;
use self::engine::Engine;
use self::intake::{Intake, locked};
use self::lane::{Grading, Lane};
use self::output::Output;
use self::problems::Problems;
use self::report::Report;
use self::tally::Tally;
use crate::args::GradeArgs;
use crate::commands::loose;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;

/// The interval at which signals and the reader of results are checked.
const TICK: Duration = Duration::from_millis(100);
/// The maximum number of unanswered requests that a message names.
const MAX_NAMED: usize = 20;

/// Judges requests until there are no more.
pub(crate) fn run(config: &Config, args: &GradeArgs) -> Result<ExitCode, Failure> {
    Report::refuse_shared(config, args)?;
    // Opening a pipe waits for its other end, and reading a large file of results takes a while.
    // Until then, signals end the process as usual.
    let input = open_input(config, &args.file)?;
    let (output, answered) = Output::open(config, args)?;
    let stop = CancelToken::new()?;
    let _interrupts = Interrupts::listen_without_limit(stop.clone())?;
    let report = Report::open(config, &args.reports)?;
    let max_ahead = args.ordered.then_some(intake::MAX_IN_FLIGHT);
    let intake = Arc::new(Intake::new(max_ahead));
    let (jobs, cores) = config.jobs_or(args.jobs.number);
    let bar = WorkBar::new(config.progress_target(), "grade", config.terminal.look);
    let grading = Grading {
        intake: Arc::clone(&intake),
        output,
        answered,
        problems: Problems::default(),
        duplicates: Duplicates::new(!args.no_cache),
        report,
        engine: Engine::new(args, jobs, cores),
        tally: Mutex::new(Tally::new(bar, input.size)),
        abort: CancelToken::new()?,
        fault: Mutex::new(None),
    };
    // Not a thread of the scope below: one that waits for input cannot be interrupted, and ends
    // with the process.
    thread::spawn(move || {
        let reader = BufReader::with_capacity(1 << 16, input.reader);
        intake.read(reader, judge_event::GradeRequest::priority_in);
    });
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&grading, &stop, &is_over));
        // The note about the interpreter is printed once.
        let configs: Vec<Config> = (0..jobs).map(|_| config.clone()).collect();
        let lanes: Vec<_> = (0..)
            .zip(configs)
            .map(|(number, config)| {
                let grading = &grading;
                scope.spawn(move || Lane::new(number, config, grading).run())
            })
            .collect();
        for lane in lanes {
            lane.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        is_over.store(true, Ordering::Relaxed);
        watcher
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    finish(grading, jobs, &stop)
}

/// The exit code, once every lane has ended.
fn finish(grading: Grading, jobs: usize, stop: &CancelToken) -> Result<ExitCode, Failure> {
    let Grading {
        intake,
        tally,
        fault,
        report,
        ..
    } = grading;
    let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    let is_gone = fault
        .as_ref()
        .is_some_and(|fault| fault.exit_code() == ExitCode::ReaderGone);
    let mut is_empty = false;
    // Without a reader of the results, their summary is useless too.
    if !is_gone {
        tally.print();
        lane::name_left(&intake, MAX_NAMED);
        let state = intake.unanswered();
        is_empty = state.is_empty();
        if fault.is_some() || stop.is_cancelled() || state.error.is_some() {
            note(&state.in_words(MAX_NAMED));
        }
        if let Some(error) = state.error {
            return Err(Failure::Usage(format!("cannot read the requests: {error}")));
        }
    }
    if let Some(report) = report.filter(|_| !is_gone) {
        let end = match &fault {
            Some(_) => End::Aborted,
            None if stop.is_cancelled() => End::Interrupted,
            None => End::Completed,
        };
        report.finish(tally.elapsed(), jobs, end)?;
    }
    match fault {
        Some(failure) => Err(failure),
        None if stop.is_cancelled() => Ok(ExitCode::Interrupted),
        // A step before this one may have failed to write the requests.
        None if is_empty => Err(Failure::NothingSelected(
            "there is no request\nhint: a request is a JSON object on one line".to_owned(),
        )),
        None => Ok(tally.exit_code()),
    }
}

/// Until everything is over, checks for signals and for a missing reader, and shows progress.
fn watch(grading: &Grading, stop: &CancelToken, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        if stop.is_cancelled() {
            grading.intake.stop();
        }
        if grading.output.is_abandoned() {
            grading.end_without_reader(io::ErrorKind::BrokenPipe.into());
        }
        locked(&grading.tally).show_progress(grading.intake.bytes_answered());
        thread::sleep(TICK);
    }
}

/// The file of requests.
struct RequestFile {
    reader: Box<dyn Read + Send>,
    /// Its size in bytes; 0 if it is unknown.
    size: u64,
}

/// Opens the file of requests; `-` is standard input.
fn open_input(config: &Config, file: &Path) -> Result<RequestFile, Failure> {
    if file == Path::new("-") {
        return Ok(RequestFile {
            reader: Box::new(io::stdin()),
            size: 0,
        });
    }
    let path = config.directory.join(file);
    let failed = |error| Failure::Usage(format!("cannot read `{}`: {error}", file.display()));
    let opened = loose::open_input(&path).map_err(failed)?;
    Ok(RequestFile {
        size: opened.metadata().map_err(failed)?.len(),
        reader: Box::new(opened),
    })
}
