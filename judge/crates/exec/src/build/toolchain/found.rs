//! One toolchain, or the reason why it cannot be used, and the restrictions on programs.
//!
//! Must not start anything.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use judge_model::Language;
use judge_sandbox::Mount;
use serde::{Deserialize, Serialize};

use crate::store::programs::KeyBuilder;

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTool {
    /// The role by which templates refer to it.
    pub role: String,
    /// The name under which it was found in `PATH`.
    pub name: String,
    /// The executable, absolute.
    pub executable: PathBuf,
    /// The first line that it prints for its version.
    pub version: String,
}

impl FoundTool {
    /// Adds it to a key. Another tool of the same version may have been built with other defaults,
    /// so the path is in it.
    pub(crate) fn add_to(&self, key: &mut KeyBuilder) {
        key.part(self.executable.as_os_str().as_bytes());
        key.part(self.version.as_bytes());
    }
}

/// Everything that a language needs on this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toolchain {
    /// The language's row.
    pub language: Language,
    /// Its tools, in the order of the row.
    pub tools: Vec<FoundTool>,
    /// Installation prefixes outside the base system that programs must see.
    pub mounts: Vec<Mount>,
}

impl Toolchain {
    /// True for GCC. Other compilers take its name, but print their own in their version.
    pub(crate) fn is_gcc(&self) -> bool {
        let named = |tool: &FoundTool| tool.name.contains("gcc") || tool.name.contains("g++");
        self.tools
            .first()
            .is_some_and(|tool| named(tool) && !tool.version.contains("clang"))
    }

    /// Describes the toolchain for reports, by its first tool.
    #[must_use]
    pub fn describe(&self) -> judge_event::Toolchain {
        let tool = self.tools.first();
        judge_event::Toolchain {
            language: self.language.id.clone(),
            version: tool.map(|tool| tool.version.clone()).unwrap_or_default(),
            path: tool
                .map(|tool| tool.executable.display().to_string())
                .unwrap_or_default(),
        }
    }
}

/// The reason why a language cannot be used on this host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// No candidate is in `PATH`.
    #[error("none of {} is in PATH", .names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NotFound {
        /// The candidates.
        names: Vec<String>,
    },
    /// A candidate exists but does not work.
    #[error("`{}` does not work: {reason}", tool.display())]
    Broken {
        /// The candidate.
        tool: PathBuf,
        /// The failure of the request for its version.
        reason: String,
    },
    /// A candidate exists, but the users that programs run as cannot reach it.
    #[error(
        "`{}` is below `{}`, which sandboxed programs cannot enter at this isolation level; hint: install it in a directory that every user may read, such as below `/opt`, or run `chmod o+x {}`",
        tool.display(), closed.display(), closed.display()
    )]
    OutOfReach {
        /// The candidate.
        tool: PathBuf,
        /// The directory above it that others may not pass through.
        closed: PathBuf,
    },
    /// A candidate exists, but needs a directory that would expose private files to programs.
    #[error(
        "`{}` is installed in `{}`, which holds `{}`: programs would see all of it; hint: install it in a separate directory, such as below `/opt`",
        tool.display(), prefix.display(), private.display()
    )]
    TooWide {
        /// The candidate.
        tool: PathBuf,
        /// The directory in which it reports being installed.
        prefix: PathBuf,
        /// The private directory in it, which programs must not see.
        private: PathBuf,
    },
    /// A candidate exists, but programs see another directory in that place.
    #[error(
        "`{}` needs `{}`, but programs see another `{}` at this isolation level; hint: install it elsewhere, such as below `/opt`",
        tool.display(), place.display(), covered.display()
    )]
    Covered {
        /// The candidate.
        tool: PathBuf,
        /// The path that programs must see: the tool, or a directory in which it is installed.
        place: PathBuf,
        /// The directory of the host that another one covers.
        covered: PathBuf,
    },
    /// The tools exist, but submissions may not do what this language needs.
    #[error(
        "programs in {name} start other processes, which submissions may not do at the isolation level `landlock`; hint: run `judge doctor` to see how to enable a stronger level"
    )]
    StartsProcesses {
        /// The name of the language.
        name: String,
    },
}

impl Unavailable {
    /// True if the system refused a process to a tool, or to a program that the tool started.
    pub(super) fn is_lack_of_processes(&self) -> bool {
        // The second program's error is only in the tool's message: strerror(3) of EAGAIN.
        matches!(self, Self::Broken { reason, .. } if reason.contains("Resource temporarily unavailable"))
    }
}

/// The restrictions that can keep programs from using a tool.
#[derive(Clone, Copy)]
pub struct ToolRestrictions<'a> {
    /// Returns the directory above a path that programs may not pass through, if there is one.
    pub closed: &'a dyn Fn(&Path) -> Option<PathBuf>,
    /// Directories that programs must not see, so no directory above them is shown for a tool. The
    /// root always counts as one.
    pub private: &'a [PathBuf],
    /// Directories of the host that programs see replaced by others.
    pub covered: &'a [&'a str],
    /// True where submissions may start threads but no processes.
    pub threads_only: bool,
}

impl ToolRestrictions<'_> {
    pub(super) const NONE: ToolRestrictions<'static> = ToolRestrictions {
        closed: &|_| None,
        private: &[],
        covered: &[],
        threads_only: false,
    };

    /// Returns the private directory that showing this directory to programs would expose.
    pub(super) fn exposed_by(&self, directory: &Path) -> Option<PathBuf> {
        let root = Path::new("/");
        if directory == root {
            return Some(root.to_owned());
        }
        self.private
            .iter()
            .find(|private| private.starts_with(directory))
            .cloned()
    }

    /// Returns the replaced directory that contains this path, if there is one.
    pub(super) fn covering(&self, place: &Path) -> Option<PathBuf> {
        self.covered
            .iter()
            .find(|covered| place.starts_with(covered))
            .map(PathBuf::from)
    }

    /// True for a place that programs may not see or cannot reach.
    pub(super) fn hides(&self, place: &Path) -> bool {
        self.exposed_by(place).is_some() || self.blocks(place)
    }

    /// True for a place that programs cannot reach.
    fn blocks(&self, place: &Path) -> bool {
        (self.closed)(place).is_some() || self.covering(place).is_some()
    }

    pub(super) fn refuse(&self, toolchain: &Toolchain) -> bool {
        toolchain
            .tools
            .iter()
            .any(|tool| self.blocks(&tool.executable))
            || toolchain
                .mounts
                .iter()
                .any(|mount| self.hides(&mount.source))
    }
}
