//! Programs that can be run, and the commands that make and start them.
//!
//! Responsible for commands and environments. Must not run anything.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_model::{Language, LanguageId};
use judge_sandbox::{Bind, CancelToken, Execution, Layout, RunLimits, WarmStart};

use crate::ExecError;
use crate::build::command::{EntryPoint, PROGRAM, Variables};
use crate::build::places::{Places, unplaced};
use crate::build::sources::names_streams;
use crate::build::toolchain::Toolchain;
use crate::build::warm;
use crate::store::content::Content;

/// A program that can be run.
#[derive(Clone, Debug, Default)]
pub struct Runnable {
    /// The directory of its files in the cache.
    pub(crate) files: PathBuf,
    /// The content that the files must have; `None` for those that change, and for answers.
    pub(crate) content: Option<Arc<Content>>,
    pub(crate) entry: EntryPoint,
    pub(crate) toolchain: Arc<Toolchain>,
    /// True when it needs `/proc`: for its language, or because its sources name `/dev` or `/proc`.
    /// Mounting it for all programs would make small tests slower by a tenth.
    pub(crate) needs_proc: bool,
    /// True when its files are also put into its working directory.
    pub(crate) at_hand: bool,
    /// True when it can report which bounds were reached ([`crate::build::bounds`]).
    pub(crate) reports_bounds: bool,
    /// True for a checker that follows testlib's protocol ([`crate::jury::testlib`]).
    pub(crate) testlib: bool,
    /// True for an input validator whose exit codes are those of testlib: 0 for a valid input.
    pub(crate) testlib_validator: bool,
    /// True when it is linked with the shim that waits at `main` ([`crate::build::warm`]).
    pub(crate) has_shim: bool,
    /// The paths of its sources.
    pub(crate) places: Arc<Places>,
}

impl Runnable {
    /// Returns the tools that it was made with and is run by, as events name them.
    #[must_use]
    pub fn described_toolchain(&self) -> judge_event::Toolchain {
        self.toolchain.describe()
    }

    /// Creates the stand-in for submitted answers, which have no program.
    pub(crate) fn for_answers() -> Self {
        let language = Language {
            id: LanguageId("answers".to_owned()),
            name: "Answers".to_owned(),
            processes: 1,
            ..Language::default()
        };
        let toolchain = Toolchain {
            language,
            ..Toolchain::default()
        };
        Self {
            toolchain: Arc::new(toolchain),
            ..Self::default()
        }
    }

    /// Returns the output that it wrote in a slot with this layout, with the paths that its author
    /// knows.
    pub(crate) fn shown(&self, output: &[u8], layout: &Layout) -> Vec<u8> {
        self.places.shown(&unplaced(output.to_vec(), layout))
    }

    /// True when its files are those that were stored. They are read unless their metadata are as
    /// when they were last read.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.content.as_ref().is_none_or(|content| content.holds())
    }

    /// Returns an error for a program whose files differ from those that were stored, because its
    /// results do not count.
    pub(crate) fn expect_whole(&self) -> Result<(), ExecError> {
        if self.holds() {
            Ok(())
        } else {
            Err(ExecError::ProgramChanged {
                files: self.files.clone(),
            })
        }
    }

    /// The digest of its files; empty for those that change.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.content
            .as_ref()
            .map(|content| content.digest())
            .unwrap_or_default()
    }

    /// True once this process has read its files and found them undamaged. They may have changed
    /// since.
    #[must_use]
    pub fn was_verified(&self) -> bool {
        self.content
            .as_ref()
            .is_none_or(|content| content.was_verified())
    }

    /// True when its runs with these arguments see `/proc`.
    pub(crate) fn sees_proc(&self, args: &[impl AsRef<OsStr>]) -> bool {
        self.needs_proc
            || args
                .iter()
                .any(|arg| names_streams(arg.as_ref().as_bytes()))
    }

    /// Returns a run of it in a slot with this layout, which sees its files, with nothing to read
    /// and nowhere to write.
    pub(crate) fn execution(
        &self,
        args: impl IntoIterator<Item: Into<OsString>>,
        limits: RunLimits,
        layout: &Layout,
        cancel: CancelToken,
    ) -> Result<Execution, ExecError> {
        // The memory limit is part of some commands: a virtual machine takes its heap by it.
        let mut command = self.command(limits.memory_bytes, layout)?;
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        // Decided for each run, because arguments can name `/dev` or `/proc` as well as
        // sources.
        let proc_mounted = self.sees_proc(&args);
        command.extend(args);
        Ok(Execution {
            env: environment(&self.toolchain.language, layout),
            binds: vec![self.bind()],
            proc_mounted,
            warm: self.warm_start(),
            ..Execution::new(command, limits, cancel)
        })
    }

    /// The bind that shows it its own files.
    pub(crate) fn bind(&self) -> Bind {
        bind(&self.files, PROGRAM)
    }

    /// Its files, if it looks for them in its working directory.
    pub(crate) fn files_at_hand(&self) -> Option<PathBuf> {
        self.at_hand.then(|| self.files.clone())
    }

    /// The way in which it can be warmed, if it can be.
    pub(crate) fn warm_start(&self) -> Option<WarmStart> {
        warm::start(&self.toolchain, self.has_shim)
    }

    /// The command that runs it in a slot with this layout.
    pub(crate) fn command(
        &self,
        memory_bytes: u64,
        layout: &Layout,
    ) -> Result<Vec<OsString>, ExecError> {
        let language = &self.toolchain.language;
        variables(&self.toolchain, &self.entry, memory_bytes, layout)
            .with("program", &layout.program)
            .expand(&language.run)
            .map_err(|why| ExecError::Template {
                language: language.id.to_string(),
                why,
            })
    }
}

/// The bind that shows programs a file or a directory by another name.
pub(crate) fn bind(source: &Path, target: &str) -> Bind {
    Bind {
        source: source.to_owned(),
        target: target.into(),
    }
}

/// Returns the command that compiles it (statically linked if its language has flags for that) or
/// checks its syntax; empty for a language without either.
pub(crate) fn compile_command(
    toolchain: &Toolchain,
    entry: &EntryPoint,
    compiled: &[PathBuf],
    memory_bytes: u64,
    layout: &Layout,
) -> Result<Vec<OsString>, ExecError> {
    let language = &toolchain.language;
    let mut command = variables(toolchain, entry, memory_bytes, layout)
        .with("output", &layout.work)
        .with_sources(&layout.program, compiled)
        .expand(if language.compile.is_empty() {
            &language.check
        } else {
            &language.compile
        })
        .map_err(|why| ExecError::Template {
            language: language.id.to_string(),
            why,
        })?;
    if !language.compile.is_empty() {
        // In front of the row's own arguments, which may override them.
        command.splice(1..1, language.static_flags.iter().map(OsString::from));
    }
    Ok(command)
}

fn variables(
    toolchain: &Toolchain,
    entry: &EntryPoint,
    memory_bytes: u64,
    layout: &Layout,
) -> Variables {
    let variables = Variables::default()
        .with("main", layout.program.join(&entry.main))
        .with("class", &entry.class)
        .with("memory_mib", (memory_bytes >> 20).to_string());
    toolchain.tools.iter().fold(variables, |variables, tool| {
        variables.with(&tool.role, &tool.executable)
    })
}

/// The directories in which programs find others.
pub(crate) const PATH_OF_PROGRAMS: &str = "/usr/local/bin:/usr/bin:/bin";

/// The environment of every program: nothing from the harness, but the language's additions, in
/// which `{work}` and `{tmp}` stand for the directories that a program may write to.
pub(crate) fn environment(language: &Language, layout: &Layout) -> Vec<OsString> {
    let path = format!("PATH={PATH_OF_PROGRAMS}");
    let base = [path.as_str(), "HOME={work}", "TMPDIR={tmp}", "LANG=C.UTF-8"];
    let variables = Variables::default()
        .with("work", &layout.work)
        .with("tmp", &layout.tmp);
    let name = |text: &str| text.split_once('=').map(|(name, _)| name.to_owned());
    // A row of the table may set any variable, including those that all programs get.
    let replaced = |text: &&&str| language.env.iter().any(|own| name(own) == name(text));
    // execve(2) would pass two variables of one name, and libraries differ in which one they use.
    let base = base.iter().filter(|text| !replaced(text)).copied();
    let all = base.chain(language.env.iter().map(String::as_str));
    // Any other name in braces is not a variable but a part of the value.
    all.map(|text| variables.expand_known(text)).collect()
}
