//! The events of a shard: they go to its file and to the reporters, after those of an earlier attempt.
//!
//! Responsible for that both get the whole shard, in order, as if nothing had been interrupted. Must not know how
//! anything is run.

use std::io;

use judge_event::{Event, Progress, RunStarted};
use judge_runner::Observer;
use judge_sharding::{ShardFile, TakenOver};

use crate::reporters::Reporters;

/// The observer of the work that is left of a shard.
pub(crate) struct ShardEmitter {
    file: ShardFile,
    reporters: Reporters,
    /// Events of an earlier attempt that are still to be emitted.
    taken: Vec<Event>,
    /// Problems and submissions of the shard.
    counts: (u64, u64),
    /// The problem that was emitted last.
    problem: Option<String>,
    /// True while the beginning of a problem comes that has been emitted already.
    repeated: bool,
}

impl ShardEmitter {
    pub(crate) fn new(file: ShardFile, reporters: Reporters, taken: &TakenOver, counts: (u64, u64)) -> Self {
        Self { file, reporters, taken: taken.events.clone(), counts, problem: None, repeated: false }
    }

    pub(crate) fn into_parts(self) -> (ShardFile, Reporters) {
        (self.file, self.reporters)
    }

    fn emit(&mut self, event: &Event) -> io::Result<()> {
        if let Event::ProblemStarted(started) = event {
            self.problem = Some(started.problem.clone());
        }
        self.file.event(event)?;
        self.reporters.event(event)
    }

    fn emit_taken(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.taken).iter().try_for_each(|event| self.emit(event))
    }
}

impl Observer for ShardEmitter {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(run) => {
                let (problems, submissions) = self.counts;
                return self.emit(&Event::RunStarted(RunStarted { problems, submissions, ..run.clone() }));
            }
            Event::ProblemStarted(started) => {
                self.emit_taken()?;
                self.repeated = self.problem.as_ref() == Some(&started.problem);
            }
            Event::RunFinished(_) => {
                self.emit_taken()?;
                self.repeated = false;
            }
            Event::SubmissionStarted(_) => self.repeated = false,
            _ => {}
        }
        if self.repeated { Ok(()) } else { self.emit(event) }
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.reporters.progress(progress)
    }
}
