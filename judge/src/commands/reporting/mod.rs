//! `judge report`: reports a stored run again, or merges its shards.
//!
//! Responsible for reading an event stream and passing it to the reporters like that of a present
//! run. Must not know the layout of any report.

mod shards;

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use judge_event::{Command, Event, MAX_LINE_BYTES, RunState, SCHEMA_VERSION, parse_known_line};
use judge_files::{BoundedLines, regular_file};
use judge_report::View;
use judge_runner::Observer as _;

use crate::args::ReportArgs;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::{ReportRequest, Reporters};

pub(crate) fn run(config: &Config, args: &ReportArgs) -> Result<ExitCode, Failure> {
    let [file] = &args.paths[..] else {
        return shards::report(config, args);
    };
    if args.missing || config.directory.join(file).is_dir() {
        return shards::report(config, args);
    }
    let mut events = StoredRun::open(config, file)?;
    let Some(first) = events.next().transpose()? else {
        return Err(events.no_stream("found nothing"));
    };
    if matches!(&first, Event::RunStarted(started) if started.shard.is_some()) {
        // A pattern such as `out/*.jsonl` may match one file only, and a part of a run must not be
        // reported as the whole run.
        return shards::report(config, args);
    }
    let view = match &first {
        Event::RunStarted(started) => match started.command {
            Some(Command::Submit) => View::Submit,
            Some(Command::Matrix) => View::Matrix,
            Some(Command::Run | Command::Verify) | None => View::Run,
        },
        Event::CheckStarted(_) => View::Run,
        _ => return Err(events.no_stream("found another event")),
    };
    let sources = [config.directory.join(file)];
    let request = ReportRequest {
        view,
        configured: false,
        sources: &sources,
        ..ReportRequest::new(&args.reporting)
    };
    let mut reporters = Reporters::open(config, request)?;
    let mut order = RunState::default();
    for event in std::iter::once(Ok(first)).chain(&mut events) {
        let event = event?;
        in_order(&order, &event).map_err(|why| events_failure(file, why))?;
        // Only the beginnings matter for the order. The reporters keep the whole state
        // themselves.
        if matches!(event, Event::RunStarted(_) | Event::CheckStarted(_)) {
            order.apply(&event);
        }
        let written = reporters.event(&event);
        written.map_err(|source| Failure::write("the report", source))?;
    }
    reporters.finish()
}

/// Refuses a stream that no single command writes: two runs in a row would be reported as one.
fn in_order(so_far: &RunState, event: &Event) -> Result<(), String> {
    let (schema, repeated) = match event {
        Event::RunStarted(started) => (started.schema, so_far.started.is_some()),
        Event::CheckStarted(started) => (
            started.schema,
            so_far.check.is_some() || so_far.started.is_some(),
        ),
        _ => return Ok(()),
    };
    if schema > SCHEMA_VERSION {
        return Err(format!(
            "its schema is {schema}; this version of judge reads up to {SCHEMA_VERSION}\nhint: use a newer version of judge"
        ));
    }
    if repeated {
        Err("expected the events of one run, found those of several".to_owned())
    } else {
        Ok(())
    }
}

fn events_failure(file: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("`{}`: {why}", file.display()))
}

/// The events of a stored stream, in order.
pub(crate) struct StoredRun<'a> {
    name: &'a Path,
    lines: BoundedLines<Box<dyn BufRead>>,
}

impl<'a> StoredRun<'a> {
    pub(crate) fn open(config: &Config, name: &'a Path) -> Result<Self, Failure> {
        let lines: Box<dyn BufRead> = if name == Path::new("-") {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = regular_file::open_typed(&config.directory.join(name));
            Box::new(BufReader::new(file.map_err(|error| {
                events_failure(name, format!("cannot read it: {error}"))
            })?))
        };
        Ok(Self {
            name,
            lines: BoundedLines::new(lines, MAX_LINE_BYTES),
        })
    }

    fn no_stream(&self, found: &str) -> Failure {
        let expected =
            "expected an event stream, which begins with `run_started` or `check_started`";
        events_failure(
            self.name,
            format!("{expected}; {found}\nhint: `judge run --report json=FILE` writes one"),
        )
    }

    /// The next event that this version knows.
    fn read(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            let read = self.lines.next_line();
            let read = read
                .map_err(|error| events_failure(self.name, format!("cannot read it: {error}")))?;
            let Some(bytes) = read else { return Ok(None) };
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() {
                continue;
            }
            let number = self.lines.number();
            let parsed = parse_known_line(&text, number).map_err(|error| match number {
                // A file whose first line is something else is another kind of file.
                1 => self.no_stream(&format!("found no event in line 1: {}", error.mistake())),
                _ if error.source.is_eof() && !bytes.ends_with(b"\n") => events_failure(
                    self.name,
                    "the file ends in the middle of a line: the run was interrupted or the copy is incomplete",
                ),
                _ => events_failure(self.name, error),
            })?;
            if parsed.is_some() {
                return Ok(parsed);
            }
        }
    }
}

impl Iterator for StoredRun<'_> {
    type Item = Result<Event, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
