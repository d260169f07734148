//! Programs that can be run, and the commands that make and start them.
//!
//! Responsible for commands and environments. Must not run anything.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use judge_model::{Language, LanguageId};
use judge_sandbox::Layout;

use crate::RunnerError;
use crate::command::Variables;
use crate::toolchain::Toolchain;

/// Where a program begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryPoint {
    /// The source file, relative to the program's directory.
    pub(crate) main: PathBuf,
    /// The class in it.
    pub(crate) class: String,
}

/// A program that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Runnable {
    /// The directory of its files in the cache.
    pub(crate) files: PathBuf,
    pub(crate) entry: EntryPoint,
    pub(crate) toolchain: Arc<Toolchain>,
    /// Whether its files are to lie in its working directory too.
    pub(crate) at_hand: bool,
    /// Whether it can say which bounds were reached ([`crate::bounds`]).
    pub(crate) tells_bounds: bool,
    /// Whether it is a checker that talks as testlib does ([`crate::testlib`]).
    pub(crate) testlib: bool,
}

impl Runnable {
    /// Stands for answers that were handed in instead of a program.
    pub(crate) fn of_answers() -> Self {
        let language = Language {
            id: LanguageId("answers".to_owned()),
            name: "Answers".to_owned(),
            extensions: Vec::new(),
            entry_points: Vec::new(),
            tools: Vec::new(),
            compile: Vec::new(),
            run: Vec::new(),
            env: Vec::new(),
            processes: 1,
            needs_proc: false,
        };
        let toolchain = Arc::new(Toolchain { language, tools: Vec::new(), mounts: Vec::new() });
        let entry = EntryPoint { main: PathBuf::new(), class: String::new() };
        Self { files: PathBuf::new(), entry, toolchain, at_hand: false, tells_bounds: false, testlib: false }
    }

    /// The command that runs it in a slot with this layout.
    pub(crate) fn command(&self, memory_bytes: u64, layout: &Layout) -> Result<Vec<OsString>, RunnerError> {
        let language = &self.toolchain.language;
        variables(&self.toolchain, &self.entry, memory_bytes, layout)
            .with("program", &layout.program)
            .expand(&language.run)
            .map_err(|source| RunnerError::Template { language: language.id.to_string(), source })
    }
}

/// The command that compiles it; empty for a language that is not compiled.
pub(crate) fn compile_command(
    toolchain: &Toolchain,
    entry: &EntryPoint,
    compiled: &[PathBuf],
    memory_bytes: u64,
    layout: &Layout,
) -> Result<Vec<OsString>, RunnerError> {
    variables(toolchain, entry, memory_bytes, layout)
        .with("output", &layout.work)
        .with_sources(&layout.program, compiled)
        .expand(&toolchain.language.compile)
        .map_err(|source| RunnerError::Template { language: toolchain.language.id.to_string(), source })
}

fn variables(toolchain: &Toolchain, entry: &EntryPoint, memory_bytes: u64, layout: &Layout) -> Variables {
    let variables = Variables::default()
        .with("main", layout.program.join(&entry.main))
        .with("class", &entry.class)
        .with("memory_mib", (memory_bytes >> 20).to_string());
    toolchain.tools.iter().fold(variables, |variables, tool| variables.with(&tool.role, &tool.executable))
}

/// The environment of every program: nothing of the harness's own, and the language's additions, in which `{work}` and
/// `{tmp}` stand for the directories that a program may write to.
pub(crate) fn environment(language: &Language, layout: &Layout) -> Vec<OsString> {
    let base = ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME={work}", "TMPDIR={tmp}", "LANG=C.UTF-8"];
    let variables = Variables::default().with("work", &layout.work).with("tmp", &layout.tmp);
    let name = |text: &str| text.split_once('=').map(|(name, _)| name.to_owned());
    let replaced = |text: &&&str| language.env.iter().any(|own| name(own) == name(text));
    let base = base.iter().filter(|text| !replaced(text)).copied();
    let all = base.chain(language.env.iter().map(String::as_str));
    // Any other name in braces is no variable here but a part of the value.
    all.map(|text| variables.expand_known(text)).collect()
}
