//! Watching files for changes.
//!
//! Responsible for detecting changes below directories by the kernel, or else by polling, and
//! for waiting until they are over. Must not know what the files are.

mod notifications;
mod polling;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::statfs;

use self::notifications::Notifications;
use self::polling::Poller;

/// The time without changes after which they are over: editors write several files for one
/// save.
const QUIET: Duration = Duration::from_millis(100);
/// The maximum time until changes are over: they may never stop.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// The interval at which cancelling is checked.
const TICK: Duration = Duration::from_millis(100);
/// Watched files.
#[derive(Debug)]
pub(crate) struct Watch(Method);

/// The method of detecting changes.
#[derive(Debug)]
enum Method {
    /// The kernel reports them.
    Notified(Notifications),
    /// The files are polled, for this reason.
    Polled(Poller, String),
}

impl Watch {
    /// Watches directories recursively, and single files, which need not exist yet.
    pub(crate) fn new(trees: &[PathBuf], files: &[PathBuf]) -> Self {
        let notifications = match trees.iter().chain(files).find_map(|path| shared(path)) {
            Some(kind) => Err(io::Error::other(format!(
                "changes by other machines on {kind} are not detected"
            ))),
            None => Notifications::new(trees, files),
        };
        Self::with(notifications, trees, files)
    }

    fn with(
        notifications: io::Result<Notifications>,
        trees: &[PathBuf],
        files: &[PathBuf],
    ) -> Self {
        match notifications {
            Ok(notifications) => Self(Method::Notified(notifications)),
            Err(why) => Self(Method::Polled(Poller::new(trees, files), why.to_string())),
        }
    }

    /// The reason why files are polled, if they are.
    pub(crate) fn why_polled(&self) -> Option<&str> {
        match &self.0 {
            Method::Notified(_) => None,
            Method::Polled(_, why) => Some(why),
        }
    }

    /// Waits for changes and until they are over. `None` when `go_on` returns false.
    pub(crate) fn changed(
        &mut self,
        go_on: impl Fn() -> bool,
    ) -> io::Result<Option<BTreeSet<PathBuf>>> {
        let mut changed = BTreeSet::new();
        while changed.is_empty() {
            if !go_on() {
                return Ok(None);
            }
            self.collect(TICK, &mut changed)?;
        }
        // One save of an editor makes several events. The command runs when they are over, so
        // it never sees a test case that is half written.
        let give_up = Instant::now() + MAX_WAIT;
        while Instant::now() < give_up && go_on() && self.collect(QUIET, &mut changed)? {}
        Ok(Some(changed))
    }

    /// Returns the files that changed since the last call, without waiting.
    pub(crate) fn meanwhile(mut self) -> io::Result<BTreeSet<PathBuf>> {
        let mut changed = BTreeSet::new();
        match &mut self.0 {
            Method::Notified(notifications) => {
                notifications.collect(Duration::ZERO, &mut changed)?
            }
            Method::Polled(poller, _) => poller.poll(&mut changed),
        };
        Ok(changed)
    }

    /// Adds the files that change within this time. True after any event.
    fn collect(&mut self, timeout: Duration, changed: &mut BTreeSet<PathBuf>) -> io::Result<bool> {
        match &mut self.0 {
            Method::Notified(notifications) => notifications.collect(timeout, changed),
            Method::Polled(poller, _) => Ok(poller.collect(timeout, changed)),
        }
    }
}

/// The name of a file system that other machines may write to, whose changes the kernel does
/// not report (inotify(7)). The numbers are those of statfs(2); directories of the host in a
/// container or a virtual machine are `9p` or FUSE.
fn shared(path: &Path) -> Option<&'static str> {
    // A watched file need not exist yet. It will be created on the file system of its nearest
    // directory.
    let there = path.ancestors().find(|path| path.exists())?;
    kind(u64::try_from(statfs(there).ok()?.f_type).ok()?)
}

fn kind(number: u64) -> Option<&'static str> {
    match number {
        0x6969 => Some("NFS"),
        0x517b | 0xfe53_4d42 | 0xff53_4d42 => Some("SMB"),
        0x0102_1997 => Some("9p"),
        0x6573_5546 => Some("FUSE"),
        0x5346_414f | 0x6b41_4653 => Some("AFS"),
        0x0bd0_0bd0 => Some("Lustre"),
        0x4750_4653 => Some("GPFS"),
        0x00c3_6400 => Some("Ceph"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn saved_files_are_detected_and_temporary_files_are_not() {
        let dir = tempfile::tempdir().unwrap();
        finds_changes(&dir.path().canonicalize().unwrap(), true);
    }

    #[test]
    fn saved_files_are_detected_by_polling() {
        let dir = tempfile::tempdir().unwrap();
        finds_changes(&dir.path().canonicalize().unwrap(), false);
    }

    fn finds_changes(outside: &Path, is_notified: bool) {
        let root = outside.join("tree");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join("sub/a"), "").unwrap();
        let (trees, files) = ([root.clone()], [outside.join("single")]);
        let notifications = if is_notified {
            Notifications::new(&trees, &files)
        } else {
            Err(io::Error::other("not this time"))
        };
        let mut watch = Watch::with(notifications, &trees, &files);
        assert_eq!(
            watch.why_polled(),
            (!is_notified).then_some("not this time")
        );
        let path = |name: &&str| match name.strip_prefix("../") {
            Some(name) => outside.join(name),
            None => root.join(name),
        };
        let set = |names: &[&str]| Some(names.iter().map(path).collect::<BTreeSet<_>>());
        fs::write(root.join(".a.swp"), "").unwrap();
        fs::write(root.join("a~"), "").unwrap();
        assert_eq!(watch.changed(|| false).unwrap(), None);
        // Written in place, and as editors do it: to a new file that replaces it.
        fs::write(root.join("sub/a"), "1").unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["sub/a"]));
        fs::write(root.join(".new"), "2").unwrap();
        fs::rename(root.join(".new"), root.join("sub/a")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["sub/a"]));
        // A file in a new directory.
        fs::create_dir(root.join("later")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["later"]));
        fs::write(root.join("later/b"), "").unwrap();
        fs::remove_file(root.join("sub/a")).unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["later/b", "sub/a"]));
        // A single file is created, and removed between two calls.
        fs::write(outside.join("single"), "").unwrap();
        assert_eq!(watch.changed(|| true).unwrap(), set(&["../single"]));
        fs::remove_file(outside.join("single")).unwrap();
        fs::write(root.join("sub/c"), "").unwrap();
        assert_eq!(
            Some(watch.meanwhile().unwrap()),
            set(&["../single", "sub/c"])
        );
    }

    #[test]
    fn shared_file_systems_are_recognized() {
        // statfs(2): NFS, FUSE; ext4 and tmpfs are local.
        assert_eq!([0x6969, 0x6573_5546].map(kind), [Some("NFS"), Some("FUSE")]);
        assert_eq!([0xef53, 0x0102_1994].map(kind), [None, None]);
        // A missing path is on the file system of its directory.
        assert_eq!(shared(Path::new("/proc/self/no/such/file")), None);
    }
}
