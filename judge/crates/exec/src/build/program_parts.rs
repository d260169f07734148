//! The parts of a program: everything that it is made of, and the conditions for a usable program.
//!
//! Responsible for the content of the key of a cache entry. Must not start a compiler.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_sandbox::{Bind, Layout};

use crate::ExecError;
use crate::build::command::{EntryPoint, PROGRAM};
use crate::build::compiled::{self, Compiled};
use crate::build::library::{SharedCode, rust_library};
use crate::build::places::Places;
use crate::build::program::{Runnable, bind, environment};
use crate::build::sources::SourceTree;
use crate::build::toolchain::Toolchain;
use crate::store::programs::{Key, KeyBuilder, Manifest, StoredProgram};

/// The version of the cache's entries, raised when older entries must not be used any more.
const CACHE_VERSION: &[u8] = b"3";
/// The script that runs a program of the package.
pub(super) const RUN: &str = "run";

/// The way in which a program is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A compiler reads the sources and writes into an empty directory.
    Compile,
    /// A compiler writes a library into an empty directory, and no program.
    Library,
    /// A script works in a copy of the sources.
    Build,
}

/// The parts of a program: everything that it is made of.
pub(super) struct ProgramParts<'a> {
    pub(super) toolchain: &'a Arc<Toolchain>,
    pub(super) way: Way,
    pub(super) entry: &'a EntryPoint,
    pub(super) tree: &'a SourceTree,
    /// The paths of its files.
    pub(super) places: &'a Places,
    /// The library that it is compiled with.
    pub(super) library: Option<&'a SharedCode>,
    /// True when it is linked with the shim that waits at `main`.
    pub(super) has_shim: bool,
}

impl<'a> ProgramParts<'a> {
    /// Returns the parts of code that many programs share. `places` are the paths of its files.
    pub(super) fn from_shared(code: &'a SharedCode, places: &'a Places) -> Self {
        Self {
            toolchain: &code.toolchain,
            way: Way::Library,
            entry: &code.entry,
            tree: &code.tree,
            places,
            library: None,
            has_shim: false,
        }
    }

    pub(super) fn runnable(&self, stored: &StoredProgram) -> Runnable {
        Runnable {
            content: Some(Arc::clone(&stored.content)),
            ..self.runnable_in(stored.files.clone())
        }
    }

    pub(super) fn success(&self, stored: &StoredProgram, cached: bool) -> Compiled {
        let message =
            String::from_utf8_lossy(&self.places.shown(stored.manifest.message.as_bytes()))
                .into_owned();
        compiled::success(
            self.runnable(stored),
            cached,
            &Manifest {
                message,
                ..stored.manifest.clone()
            },
        )
    }

    fn runnable_in(&self, files: PathBuf) -> Runnable {
        // A script may define testlib's exit codes for the compiler.
        let testlib = self.tree.testlib && self.way == Way::Compile;
        Runnable {
            files,
            content: None,
            entry: self.entry.clone(),
            toolchain: Arc::clone(self.toolchain),
            needs_proc: self.toolchain.language.needs_proc || self.tree.opens_streams,
            at_hand: self.tree.at_hand && self.way == Way::Compile,
            reports_bounds: self.tree.reports_bounds,
            testlib,
            testlib_validator: testlib && self.tree.testlib_validator,
            has_shim: self.has_shim,
            places: Arc::new(self.places.clone()),
        }
    }

    /// True when the sources are the program, and only their syntax is checked.
    pub(super) fn only_checks(&self) -> bool {
        self.way == Way::Compile && self.toolchain.language.compile.is_empty()
    }

    /// Adds the files that the program needs next to it to a compiler's output.
    pub(super) fn complete(&self, output: &Path) -> Result<(), ExecError> {
        if self.way == Way::Compile && self.tree.at_hand {
            for file in &self.tree.files {
                // A file of that name that the compiler wrote is kept: a program may generate its
                // data while it is compiled.
                if fs::symlink_metadata(output.join(&file.name)).is_err() {
                    file.write(output)?;
                }
            }
        }
        // Without namespaces a script that shares our user may change no modes, and so cannot make
        // it executable.
        let run = output.join(RUN);
        if self.way == Way::Build
            && fs::symlink_metadata(&run).is_ok_and(|metadata| metadata.is_file())
        {
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(&run, mode).map_err(ExecError::io("set the mode of", &run))?;
        }
        Ok(())
    }

    /// Returns true when the files contain a program that can be run. A source can make its
    /// compiler produce something else, such as a library.
    pub(super) fn leaves_program(&self, files: &Path) -> Result<bool, ExecError> {
        if self.way == Way::Library {
            return Ok(files.join(rust_library::FILE).is_file());
        }
        // Taken from the command that would start it, the only place that knows the name of the
        // program.
        let command = self
            .runnable_in(files.to_owned())
            .command(0, Layout::fixed())?;
        let program = command.first().map(PathBuf::from).unwrap_or_default();
        // The command of an interpreted language starts the interpreter, and the submission is
        // responsible for its use of the files.
        let Ok(program) = program.strip_prefix(PROGRAM) else {
            return Ok(true);
        };
        let metadata = fs::symlink_metadata(files.join(program));
        Ok(metadata
            .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o100 != 0))
    }

    /// The part of the sources' directory that is copied into the working directory, and the part
    /// that is bound.
    pub(super) fn shown(&self, sources: PathBuf) -> (Vec<PathBuf>, Vec<Bind>) {
        match self.way {
            Way::Compile | Way::Library => (Vec::new(), vec![bind(&sources, PROGRAM)]),
            Way::Build => (vec![sources], Vec::new()),
        }
    }

    /// Everything that the program depends on. The base system's headers and libraries are
    /// represented by the compiler's version: they come from the same distribution.
    pub(super) fn key(&self, command: &[OsString]) -> Key {
        let language = &self.toolchain.language;
        let mut key = KeyBuilder::default();
        key.part(CACHE_VERSION);
        key.part(language.id.0.as_bytes());
        for tool in &self.toolchain.tools {
            tool.add_to(&mut key);
        }
        key.list(command);
        key.list(&environment(language, Layout::fixed()));
        // It decides whether the sources are stored next to the program, which is a part of the
        // entry.
        key.part(&[self.tree.at_hand.into()]);
        let of_library = self.library.iter().flat_map(|library| &library.tree.files);
        for file in self.tree.files.iter().chain(of_library) {
            file.add_to(&mut key);
        }
        key.finish()
    }
}
