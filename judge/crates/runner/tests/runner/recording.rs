//! What every test of a run needs: scripts as programs, and an observer that records the events.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use judge_event::{Event, Progress};
use judge_exec::{Environment, Toolchain, Toolchains};
use judge_fixtures::script_language;
use judge_runner::Observer;
use judge_sandbox::{CancelToken, Sandbox};

/// Records the events.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) events: Vec<Event>,
    /// The times of the events.
    pub(crate) times: Vec<Instant>,
    /// The number of events after which the reader closes the pipe.
    pub(crate) fails_after: Option<usize>,
    /// True for an observer that needs only verdicts.
    pub(crate) hides_excerpts: bool,
}

impl Observer for Record {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if self.fails_after == Some(self.events.len()) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.events.push(event.clone());
        self.times.push(Instant::now());
        Ok(())
    }

    fn progress(&mut self, _progress: &Progress) -> io::Result<()> {
        Ok(())
    }

    fn shows_excerpts(&self) -> bool {
        !self.hides_excerpts
    }
}

pub(crate) fn environment(
    sandbox: Arc<dyn Sandbox>,
    cache_dir: PathBuf,
    jobs: usize,
) -> Environment {
    let scripts = Toolchain {
        language: script_language(),
        tools: Vec::new(),
        mounts: Vec::new(),
    };
    Environment {
        toolchains: Toolchains::known(vec![scripts]),
        sandbox,
        cache_dir,
        jobs,
        cores: Vec::new(),
        judge_version: "test".into(),
        cancel: CancelToken::new().unwrap(),
        stores: None,
    }
}

/// The files of all records of a store, with their lines.
pub(crate) fn record_files(store: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| {
        fs::read_dir(path)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
    };
    below(store.join("records")).flat_map(below).collect()
}
