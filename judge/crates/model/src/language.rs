//! Languages: how programs are recognised, compiled and run.
//!
//! Responsible for the table's rows. Must not know which tools this host has.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The short name of a language, such as `rust` or `cpp`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LanguageId(pub String);

impl fmt::Display for LanguageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A tool that a language needs: a compiler or an interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The role of the tool, by which command templates refer to it, such as `compiler`.
    pub role: String,
    /// Names that are looked up in `PATH`, the preferred one first.
    pub names: Vec<String>,
    /// Arguments that make it print its installation prefix as the first line of standard output, and other directories
    /// that it needs on lines of their own; empty when the prefix is the directory above the `bin` in which the tool lies,
    /// links resolved.
    pub prefix_args: Vec<String>,
    /// The tool below its prefix, such as `bin/rustc`; empty when it is the file found in `PATH`, links resolved.
    pub executable: String,
    /// Arguments that make it print its version.
    pub version_args: Vec<String>,
}

/// One row of the table of languages.
///
/// `compile`, `check` and `run` are argument templates. They know `{ROLE}` (the path of a tool), `{sources}` (all source files,
/// an argument each), `{main}` (the entry point's source file, the first one), `{class}` (`entry_class`), `{output}`
/// (the directory into which compiling and checking write), `{program}` (that directory when running, or the directory of the
/// sources for a language that is not compiled) and `{memory_mib}` (the memory limit). `env` knows `{work}` and `{tmp}`,
/// the directories that compiling and running can write to; all other braces in it stand for themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its short name.
    pub id: LanguageId,
    /// Its name in words.
    pub name: String,
    /// File name extensions, without the dot.
    pub extensions: Vec<String>,
    /// File names of the entry point when a program has several sources, the preferred one first; else the first file.
    pub entry_points: Vec<String>,
    /// The tools that it needs.
    pub tools: Vec<Tool>,
    /// The command to compile; empty for a language that is run from its source.
    pub compile: Vec<String>,
    /// Arguments that the command to compile gets behind its first word where the host's compiler can link with them: those
    /// that link without shared libraries, since such programs start faster and need nothing in the sandbox.
    pub static_flags: Vec<String>,
    /// The command that looks for mistakes of syntax in a language that is not compiled: it leaves no program, and what it
    /// refuses does not compile. Empty when mistakes show only when running.
    pub check: Vec<String>,
    /// The command to run.
    pub run: Vec<String>,
    /// Extra environment for compiling and running, as `NAME=value`.
    pub env: Vec<String>,
    /// Processes and threads that one run may have at a time.
    pub processes: u32,
    /// True if its run time needs `/proc`.
    pub needs_proc: bool,
    /// True if ordinary programs start other processes. Submissions cannot do that at the isolation level `landlock`.
    pub starts_processes: bool,
}
