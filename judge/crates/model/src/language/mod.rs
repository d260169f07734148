//! Languages: how programs are recognised, compiled and run.
//!
//! Responsible for the table's rows. Must not know which tools this host has.

mod program;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use program::{Program, Scripts};

/// The short name of a language, such as `rust` or `cpp`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LanguageId(pub String);

impl fmt::Display for LanguageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The languages whose tools a package's `build` and `run` scripts may use.
///
/// Source: 2025-09, "Programs".
pub const SCRIPT_LANGUAGES: [&str; 3] = ["python3", "c", "cpp"];

/// The language of programs that the judge runs itself. It has no row in the table.
pub const CHECKTESTDATA: &str = "checktestdata";

/// Languages that share a grammar and the conventions of their tools. The family determines how
/// mutants are made, how a program is started warm and which headers can be precompiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LanguageFamily {
    /// Rust, compiled by rustc.
    Rust,
    /// C++, compiled by a driver that takes the options of GCC.
    Cpp,
    /// C, compiled by a driver that takes the options of GCC.
    C,
    /// Java, compiled by javac.
    Java,
    /// Python 3.
    Python,
}

impl LanguageFamily {
    /// Every family. Mutants of the first ones cost least, because they share a program.
    pub const ALL: [Self; 5] = [Self::Rust, Self::Cpp, Self::C, Self::Java, Self::Python];

    /// Returns its name in `languages.yaml`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Cpp => "cpp",
            Self::C => "c",
            Self::Java => "java",
            Self::Python => "python",
        }
    }

    /// Returns its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Cpp => "C++",
            Self::C => "C",
            Self::Java => "Java",
            Self::Python => "Python",
        }
    }
}

/// A tool that a language needs: a compiler or an interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// The role of the tool, by which command templates refer to it, such as `compiler`.
    pub role: String,
    /// Names that are looked up in `PATH`, the preferred one first.
    pub names: Vec<String>,
    /// Arguments that make it print its installation prefix as the first line of standard output,
    /// followed by other directories that it needs, one per line; empty if the prefix is the
    /// directory above the `bin` that contains the tool, links resolved.
    pub prefix_args: Vec<String>,
    /// The path of the tool below its prefix, such as `bin/rustc`; empty if the tool is the file
    /// found in `PATH`, links resolved.
    pub executable: String,
    /// Arguments that make it print its version.
    pub version_args: Vec<String>,
}

/// One row of the table of languages.
///
/// `compile`, `check` and `run` are argument templates. Their placeholders are `{ROLE}` (the path
/// of a tool), `{sources}` (all source files, one argument each), `{main}` (the entry point's
/// source file, the first one), `{class}` (`entry_class`), `{output}` (the directory into which
/// compiling and checking write), `{program}` (that directory when running, or the directory of the
/// sources for a language that is not compiled) and `{memory_mib}` (the memory limit). Those of
/// `env` are `{work}` and `{tmp}`, the directories that compiling and running can write to; all
/// other braces in it are literal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// Its short name.
    pub id: LanguageId,
    /// Its name in words.
    pub name: String,
    /// Names that other judges use for it, in lower case.
    pub aliases: Vec<String>,
    /// The family whose grammar and tools it shares, if any.
    pub family: Option<LanguageFamily>,
    /// File name extensions, without the dot.
    pub extensions: Vec<String>,
    /// File names of the entry point when a program has several sources, the preferred one first.
    /// If none of them exists, the first file is the entry point.
    pub entry_points: Vec<String>,
    /// The source of a program that does nothing, in the usual style; empty if it is unknown.
    pub minimal: String,
    /// The tools that it needs.
    pub tools: Vec<Tool>,
    /// The command to compile; empty for a language that is run from its source.
    pub compile: Vec<String>,
    /// Arguments that link without shared libraries, since such programs start faster and need no
    /// libraries in the sandbox. They follow the first word of the compile command if the host's
    /// compiler can link with them.
    pub static_flags: Vec<String>,
    /// The command that checks the syntax in a language that is not compiled. It writes no program,
    /// and sources that it refuses are compile errors. Empty if mistakes only show at run time.
    pub check: Vec<String>,
    /// The command to run.
    pub run: Vec<String>,
    /// Extra environment variables for compiling and running, as `NAME=value`.
    pub env: Vec<String>,
    /// The maximum number of processes and threads of a run at a time.
    pub processes: u32,
    /// True if its run time needs `/proc`.
    pub needs_proc: bool,
    /// True if ordinary programs start other processes. Submissions cannot do that at the isolation
    /// level `landlock`.
    pub starts_processes: bool,
}

impl Language {
    /// Returns the file name of a program of one file: the preferred entry point, or else `main`.
    #[must_use]
    pub fn main_file(&self) -> String {
        let extension = self
            .extensions
            .first()
            .map(String::as_str)
            .unwrap_or_default();
        self.entry_points
            .first()
            .cloned()
            .unwrap_or_else(|| format!("main.{extension}"))
    }
}
