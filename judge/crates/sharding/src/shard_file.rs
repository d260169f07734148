//! The file of a shard that is being judged.
//!
//! Responsible for two promises: the file has its name only when it is whole and on disk, and a file that a killed
//! process leaves can be used. Must not know what the events say.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use judge_event::{Event, ShardFinished, ShardStarted, to_line};
use judge_files::{ConfinedDirectory, Replacement, ReplacementOptions, regular_file};

use crate::{Shard, ShardingError};

/// The time between two syncs to the disk: a host that goes away at once loses no more of its work than that.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// A shard's file in the making. Its name says by whom; a lock on it is held as long as that process lives.
#[derive(Debug)]
pub struct ShardFile {
    replacement: Replacement,
    path: PathBuf,
    /// The bytes that are not written yet: never more than one submission.
    buffer: Vec<u8>,
    synced: Instant,
    counts: ShardFinished,
}

impl ShardFile {
    /// Begins the file in a directory, which is made when it is not there.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(directory: &Path, header: &ShardStarted) -> Result<Self, ShardingError> {
        ConfinedDirectory::for_output(directory).map_err(ShardingError::io("create", directory))?;
        let shard = Shard { number: header.shard, of: header.shards };
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let host: String = header.host.name.chars().map(safe).take(64).collect();
        let partial = directory.join(format!("{}{host}.{}", shard.partial_prefix(), std::process::id()));
        let path = directory.join(shard.file_name());
        let options = ReplacementOptions {
            unfinished: Some(partial.clone()),
            on_disk: true,
            stays_unfinished: true,
            ..ReplacementOptions::default()
        };
        let replacement = Replacement::begin(&path, options).map_err(ShardingError::io("create", &partial))?;
        let counts = ShardFinished { submissions: 0, test_cases: 0 };
        let mut this = Self { replacement, path, buffer: Vec::new(), synced: Instant::now(), counts };
        this.event(&Event::ShardStarted(header.clone())).map_err(ShardingError::io("write", this.partial()))?;
        this.flush().map_err(ShardingError::io("write", this.partial()))?;
        Ok(this)
    }

    /// The name that it has until it is whole.
    #[must_use]
    pub fn partial(&self) -> &Path {
        self.replacement.unfinished()
    }

    /// Writes an event.
    ///
    /// # Errors
    /// When the disk is full, or gone.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        self.buffer.extend_from_slice(to_line(event).as_bytes());
        self.buffer.push(b'\n');
        match event {
            Event::SubmissionFinished(_) | Event::SubmissionSkipped(_) => self.counts.submissions += 1,
            Event::TestCaseFinished(_) => {
                self.counts.test_cases += 1;
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.flush()?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.replacement.file().sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.replacement.file().write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the file and gives it its name, once all of it is on disk.
    ///
    /// # Errors
    /// When that fails; the partial file stays.
    pub fn finish(mut self) -> Result<PathBuf, ShardingError> {
        let footer = Event::ShardFinished(self.counts.clone());
        self.event(&footer).and_then(|()| self.sync()).map_err(ShardingError::io("write", self.partial()))?;
        let Self { replacement, path, .. } = self;
        replacement.finish().map_err(ShardingError::io("create", &path))?;
        Ok(path)
    }

    /// Leaves the file unfinished, for the same shard to go on from.
    ///
    /// # Errors
    /// When what there is cannot be written.
    pub fn leave(mut self) -> Result<(), ShardingError> {
        self.sync().map_err(ShardingError::io("write", self.partial()))
    }

    /// Brings to the disk what there is. An error here is one of writing, and later ones are of giving the name.
    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.replacement.file().sync_all()
    }
}

/// Removes unfinished files whose content is in a whole one now, unless their process lives.
pub(crate) fn remove_leftovers(paths: &[PathBuf]) {
    for path in paths {
        let Ok(file) = regular_file::open_own(path) else { continue };
        if file.try_lock().is_ok() {
            // It is only tidiness; the next who looks passes over it.
            let _ = fs::remove_file(path);
        }
    }
}
