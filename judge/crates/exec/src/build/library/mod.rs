//! Libraries and headers that many programs share: they are compiled first and put next to the
//! sources of programs.
//!
//! Must not know what the programs are for.

use std::ffi::OsString;
use std::sync::Arc;

use judge_model::Language;
use judge_sandbox::Layout;

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::program::compile_command;
use crate::build::sources::{SourceFile, SourceTree};
use crate::build::toolchain::Toolchain;

pub(crate) mod headers;
pub(crate) mod rust_library;
pub mod testlib_source;

/// A library or headers that many programs share.
pub(crate) struct SharedCode {
    /// The toolchain that compiles it.
    pub(crate) toolchain: Arc<Toolchain>,
    pub(crate) entry: EntryPoint,
    pub(crate) tree: SourceTree,
    memory_bytes: u64,
}

impl SharedCode {
    /// Creates shared code for programs of a toolchain. `language` has the command that compiles
    /// the code instead of a program.
    fn new(
        toolchain: &Toolchain,
        language: Language,
        entry: EntryPoint,
        files: Vec<SourceFile>,
        memory_bytes: u64,
    ) -> Self {
        Self {
            toolchain: Arc::new(Toolchain {
                language,
                ..toolchain.clone()
            }),
            tree: SourceTree {
                files,
                compiled: vec![entry.main.clone()],
                ..SourceTree::default()
            },
            entry,
            memory_bytes,
        }
    }

    /// The command that compiles it.
    pub(crate) fn command(&self, layout: &Layout) -> Result<Vec<OsString>, ExecError> {
        let (toolchain, entry) = (&self.toolchain, &self.entry);
        compile_command(
            toolchain,
            entry,
            &self.tree.compiled,
            self.memory_bytes,
            layout,
        )
    }
}
