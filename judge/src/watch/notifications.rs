//! Notifications of changes by the kernel (inotify(7)).
//!
//! Responsible for recognizing changes among its events. Must not know when changes are over.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;

use super::polling::{MAX_DEPTH, is_ignored};

/// Directories whose changes the kernel reports.
#[derive(Debug)]
pub(super) struct Notifications {
    queue: OwnedFd,
    directories: BTreeMap<i32, PathBuf>,
}

impl Notifications {
    /// Watches directories recursively, and single files by their directories.
    pub(super) fn new(trees: &[PathBuf], files: &[PathBuf]) -> io::Result<Self> {
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(|error| match error {
            Errno::MFILE => io::Error::other(
                "this user watches with as many programs as the kernel allows; see fs.inotify.max_user_instances",
            ),
            error => error.into(),
        })?;
        let mut notifications = Self {
            queue,
            directories: BTreeMap::new(),
        };
        for tree in trees {
            notifications.add_tree(tree, MAX_DEPTH)?;
        }
        for file in files {
            if let Some(directory) = file.parent() {
                notifications.add(directory)?;
            }
        }
        Ok(notifications)
    }

    fn add_tree(&mut self, directory: &Path, depth: usize) -> io::Result<()> {
        self.add(directory)?;
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            // The bound ends a link that leads back to a directory above it.
            if depth > 0 && !is_ignored(&entry.file_name()) && path.is_dir() {
                self.add_tree(&path, depth - 1)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, directory: &Path) -> io::Result<()> {
        // A new file is reported when it has been written and closed.
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::ONLYDIR;
        match add_watch(&self.queue, directory, flags) {
            Ok(number) => {
                self.directories.insert(number, directory.to_owned());
                Ok(())
            }
            // It has been removed.
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            Err(Errno::NOSPC) => Err(io::Error::other(
                "this user watches as many directories as the kernel allows; see fs.inotify.max_user_watches",
            )),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the events that come within this time; true after any event, whether relevant or not.
    pub(super) fn collect(
        &mut self,
        timeout: Duration,
        changed: &mut BTreeSet<PathBuf>,
    ) -> io::Result<bool> {
        let is_ready = self.wait(timeout)?;
        if is_ready {
            self.read(changed)?;
        }
        Ok(is_ready)
    }

    /// True when there is anything to read within this time.
    fn wait(&self, timeout: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(
            &mut [PollFd::new(&self.queue, PollFlags::IN)],
            Some(&timeout),
        ) {
            Ok(ready) => Ok(ready > 0),
            // A signal is handled elsewhere: the caller checks after each call whether to continue.
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn read(&mut self, changed: &mut BTreeSet<PathBuf>) -> io::Result<()> {
        let mut new = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.queue, &mut buffer);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            // The kernel drops events beyond `fs.inotify.max_queued_events`.
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                // Events were lost, so anything may have changed.
                changed.extend(self.directories.values().cloned());
                continue;
            }
            let name = event
                .file_name()
                .map(|name| OsStr::from_bytes(name.to_bytes()));
            // An event without a name is about a watched directory itself, such as the end of
            // its watch.
            let (Some(directory), Some(name)) = (self.directories.get(&event.wd()), name) else {
                continue;
            };
            let path = directory.join(name);
            let is_directory = event.events().contains(ReadFlags::ISDIR);
            let created = event.events().contains(ReadFlags::CREATE);
            // A new file is skipped here and reported when it is closed after writing. Links
            // are never written, so their creation counts.
            if is_ignored(name) || (created && !is_directory && !path.is_symlink()) {
                continue;
            }
            if is_directory && path.is_dir() {
                // Directories are added after the queue is read: adding needs the object that
                // the reader borrows.
                new.push(path.clone());
            }
            changed.insert(path);
        }
        for directory in &new {
            // The new directory is reported even if it cannot be watched.
            let _ = self.add_tree(directory, MAX_DEPTH);
        }
        Ok(())
    }
}
