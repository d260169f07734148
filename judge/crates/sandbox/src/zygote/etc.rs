//! The part of `/etc` that programs see.
//!
//! Responsible for reading it from the host and writing it into the new root. Must not show the
//! host's users, network or secrets.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Beginnings of the names in `/etc` that loaders and language runtimes read.
const SHOWN_PREFIXES: &[&str] = &[
    "ld.so.",
    "ld-musl-",
    "alternatives",
    "localtime",
    "timezone",
    "java",
    "jvm",
    "openjdk",
    "crypto-policies",
    "mono",
    "dotnet",
    "php",
    "python3",
    "pypy",
    "perl",
    "ruby",
    "lua",
    "R",
    "ghc",
    "swi-prolog",
    "fpc",
    "sbcl",
    "gnu-smalltalk",
    "gnucobol",
    "ldc2.conf",
    "nim",
    "octave",
    "racket",
    "GNUstep",
];

/// Bounds on what is copied. The usual amount is a few hundred kilobytes.
const MAX_BYTES: u64 = 16 << 20;
const MAX_ENTRIES: usize = 20_000;

enum Content {
    Directory,
    File(Vec<u8>),
    Link(PathBuf),
}

/// A copy in memory, taken while the host's files are still visible.
#[derive(Default)]
pub(super) struct Etc {
    entries: Vec<(PathBuf, Content)>,
    bytes: u64,
}

/// The entries of `/etc` that programs see and this host has.
pub(super) fn shown_entries() -> Vec<PathBuf> {
    let Ok(directory) = fs::read_dir("/etc") else {
        return Vec::new();
    };
    let is_shown = |name: &OsString| {
        SHOWN_PREFIXES
            .iter()
            .any(|start| name.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let mut names: Vec<OsString> = directory
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .filter(is_shown)
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Path::new("/etc").join(name))
        .collect()
}

impl Etc {
    /// Reads those entries. Unreadable parts are left out: a runtime that needs them reports that.
    pub(super) fn read() -> Self {
        let mut etc = Self::default();
        for path in shown_entries() {
            let _ = etc.take(&path);
        }
        etc
    }

    fn take(&mut self, path: &Path) -> io::Result<()> {
        let metadata = path.symlink_metadata()?;
        if self.entries.len() >= MAX_ENTRIES {
            return Ok(());
        }
        // Links are copied as they are: they are only resolved inside the sandbox.
        if metadata.is_symlink() {
            self.entries
                .push((path.to_owned(), Content::Link(path.read_link()?)));
        } else if metadata.mode() & 0o004 == 0 {
            // Files that not every user of the host may read are not for programs either.
        } else if metadata.is_dir() {
            self.entries.push((path.to_owned(), Content::Directory));
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                // Four of five alternatives are manual pages, which take longer than everything
                // else here together.
                if !entry.file_name().as_encoded_bytes().ends_with(b".gz") {
                    let _ = self.take(&entry.path());
                }
            }
        } else if metadata.is_file() && self.bytes + metadata.len() <= MAX_BYTES {
            let content = fs::read(path)?;
            self.bytes += content.len() as u64;
            self.entries.push((path.to_owned(), Content::File(content)));
        }
        Ok(())
    }

    /// Writes it below the current root, with accounts for the programs' own user.
    pub(super) fn write(self, uid: u32) -> io::Result<()> {
        fs::create_dir("/etc")?;
        for (path, content) in self.entries {
            match content {
                Content::Directory => fs::create_dir(path)?,
                Content::File(bytes) => write(&path, &bytes)?,
                Content::Link(target) => symlink(target, path)?,
            }
        }
        // Accounts of the host are not shown: run-times only look up their own user, to find its
        // home directory and name.
        let passwd = format!("root:x:0:0::/:/bin/false\njudge:x:{uid}:{uid}::/box/work:/bin/sh\n");
        let group = format!("root:x:0:\njudge:x:{uid}:\n");
        let files = [
            ("/etc/passwd", passwd.as_str()),
            ("/etc/group", &group),
            ("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"),
            ("/etc/hostname", "judge\n"),
            (
                "/etc/nsswitch.conf",
                "passwd: files\ngroup: files\nhosts: files\n",
            ),
        ];
        files
            .iter()
            .try_for_each(|(path, content)| write(Path::new(path), content.as_bytes()))
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}
