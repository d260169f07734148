//! Watching files: which of them changed, as soon as they did.
//!
//! Responsible for hearing of changes below some directories (inotify(7)) and for waiting until they are over. Must not
//! know what the files are.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;

/// Changes that come within this time of each other are one: editors write several files for one save.
const QUIET: Duration = Duration::from_millis(100);
/// But somebody who never stops is not waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is asked whether to go on waiting.
const TICK: Duration = Duration::from_millis(100);
/// Directories deeper than this belong to no package; a loop of links would have no end.
const MAX_DEPTH: usize = 16;

/// Files that are watched.
#[derive(Debug)]
pub(crate) struct Watch {
    queue: OwnedFd,
    directories: BTreeMap<i32, PathBuf>,
}

impl Watch {
    /// Watches directories with all below them, and single files by their directories.
    pub(crate) fn new(trees: &[PathBuf], files: &[PathBuf]) -> io::Result<Self> {
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let mut watch = Self { queue, directories: BTreeMap::new() };
        for tree in trees {
            watch.add_tree(tree, MAX_DEPTH)?;
        }
        for file in files {
            if let Some(directory) = file.parent() {
                watch.add(directory)?;
            }
        }
        Ok(watch)
    }

    fn add_tree(&mut self, directory: &Path, deeper: usize) -> io::Result<()> {
        self.add(directory)?;
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if deeper > 0 && !is_passing(&entry.file_name()) && path.is_dir() {
                self.add_tree(&path, deeper - 1)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, directory: &Path) -> io::Result<()> {
        // A file that is created is told when it was written and closed.
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
            // It was removed meanwhile.
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            Err(Errno::NOSPC) => Err(io::Error::other(
                "this user watches as many directories as the kernel allows; see fs.inotify.max_user_watches",
            )),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until something changed and nothing more changes. `None` when it is no longer to be waited for.
    pub(crate) fn changed(&mut self, go_on: impl Fn() -> bool) -> io::Result<Option<BTreeSet<PathBuf>>> {
        let mut changed = BTreeSet::new();
        while changed.is_empty() {
            if !go_on() {
                return Ok(None);
            }
            self.wait(TICK)?;
            self.read(&mut changed)?;
        }
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up && go_on() && self.wait(QUIET)? {
            self.read(&mut changed)?;
        }
        Ok(Some(changed))
    }

    /// Whether there is anything to read within this time.
    fn wait(&self, patience: Duration) -> io::Result<bool> {
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&self.queue, PollFlags::IN)], Some(&patience)) {
            Ok(ready) => Ok(ready > 0),
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
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                // Nobody knows what it was.
                changed.extend(self.directories.values().cloned());
                continue;
            }
            let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
            let (Some(directory), Some(name)) = (self.directories.get(&event.wd()), name) else { continue };
            let (path, is_directory) = (directory.join(name), event.events().contains(ReadFlags::ISDIR));
            let created = event.events().contains(ReadFlags::CREATE);
            if is_passing(name) || (created && !is_directory && !path.is_symlink()) {
                continue;
            }
            if is_directory && path.is_dir() {
                new.push(path.clone());
            }
            changed.insert(path);
        }
        new.iter().try_for_each(|directory| self.add_tree(directory, MAX_DEPTH))
    }
}

/// Whether a file is of no interest: hidden, or what an editor puts beside a file.
fn is_passing(name: &OsStr) -> bool {
    let name = name.as_bytes();
    // Vim tries whether it may write with a file of the name 4913.
    name.starts_with(b".") || name.ends_with(b"~") || name.starts_with(b"#") || name == b"4913"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_heard_of_and_what_an_editor_leaves_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("sub/a"), "").unwrap();
        let mut watch = Watch::new(std::slice::from_ref(&root), &[]).unwrap();
        let set = |names: &[&str]| Some(names.iter().map(|name| root.join(name)).collect::<BTreeSet<_>>());
        fs::write(root.join(".a.swp"), "").unwrap();
        fs::write(root.join("a~"), "").unwrap();
        assert_eq!(watch.changed(|| false).unwrap(), None);
        // Written in place, and as editors do it: beside it, then moved over it.
        fs::write(root.join("sub/a"), "1").unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["sub/a"]));
        fs::write(root.join(".new"), "2").unwrap();
        fs::rename(root.join(".new"), root.join("sub/a")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["sub/a"]));
        // What is put into a directory that is new.
        fs::create_dir(root.join("later")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["later"]));
        fs::write(root.join("later/b"), "").unwrap();
        fs::remove_file(root.join("sub/a")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["later/b", "sub/a"]));
    }
}
