//! Compiling: from sources to a program in the cache, in the sandbox.
//!
//! Responsible for the order of the steps. Must not know test cases or the limits of compilers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_model::{Limits, Scripts};
use judge_sandbox::{CancelToken, Layout, WarmStart};

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::compiled::{CompileFailure, Compiled, excerpt, refused, success};
use crate::build::compiler_run::{CompilerCommand, CompilerRun};
use crate::build::lazy_slot::LazySlot;
use crate::build::library::headers::{self, MakeResult, PlannedPrograms, PrecompiledHeaders};
use crate::build::library::{SharedCode, rust_library, testlib_source};
use crate::build::places::Places;
use crate::build::program::compile_command;
use crate::build::program_parts::{ProgramParts, RUN, Way};
use crate::build::sources::{MAX_SOURCE_BYTES, SourceFile, SourceTree, Sources};
use crate::build::toolchain::Toolchain;
use crate::build::warm;
use crate::fault::Fault;
use crate::store::programs::{
    KEPT_HEADER_BYTES, Key, Manifest, ProgramCache, Stage, make_directory,
};
use crate::warm_slot::{Start, Starts};

/// The maximum length of a compiler's command, in bytes. The sandbox passes on 160 KiB of arguments
/// and environment.
const MAX_COMMAND_BYTES: usize = 100 << 10;

/// Compiles programs into a cache.
pub(crate) struct Compiler<'a> {
    pub(crate) cache: &'a ProgramCache,
    /// The slot for compilers, opened if a program is not cached.
    pub(crate) slot: Box<dyn LazySlot + 'a>,
    pub(crate) cancel: CancelToken,
    pub(crate) trust: Trust,
    /// True for programs that are to be run warm where their language can ([`warm`]).
    pub(crate) shim: bool,
    /// The precompiled headers that the session knows.
    pub(crate) headers: &'a PrecompiledHeaders,
    /// The submissions that the session may compile.
    pub(crate) planned: &'a PlannedPrograms,
    /// The way of starting programs, if the syntax of programs in Python may be checked by waiting
    /// interpreters.
    pub(crate) starts: Option<&'a Starts>,
}

/// The check of a program that is cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Its files must be those that were stored.
    Content,
    /// No check now: the program is [verified](crate::build::program::Runnable::holds) before its
    /// first run.
    Manifest,
}

impl Compiler<'_> {
    /// Compiles, unless the cache has the program already. `code_bytes` limits the size of the
    /// sources.
    pub(crate) fn compile(
        &mut self,
        toolchain: &Arc<Toolchain>,
        sources: &Sources,
        limits: &Limits,
        code_bytes: Option<u64>,
    ) -> Result<Compiled, ExecError> {
        let language = &toolchain.language;
        // The shim is tried first, if the program is to be run warm. A failure proves nothing: the
        // shim itself may not link with these flags.
        let is_linked =
            !language.compile.is_empty() && !warm::arguments(language, Layout::fixed()).is_empty();
        if self.shim && is_linked {
            let compiled = self.compile_with(toolchain, sources, limits, code_bytes, true)?;
            // Only compiling by the language's own row reports an error.
            if compiled.result.is_ok() {
                return Ok(compiled);
            }
        }
        self.compile_with(toolchain, sources, limits, code_bytes, false)
    }

    /// Compiles with or without the shim that waits at `main`.
    fn compile_with(
        &mut self,
        toolchain: &Arc<Toolchain>,
        sources: &Sources,
        limits: &Limits,
        code_bytes: Option<u64>,
        has_shim: bool,
    ) -> Result<Compiled, ExecError> {
        let tree = match sources.read(&toolchain.language) {
            Ok(tree) => tree,
            Err(fault) => return Ok(refused(fault.refusal()?.to_string())),
        };
        // The size is that of the submitted files: included files and constants belong to the
        // package.
        let size = tree.own_bytes;
        let limit = code_bytes.unwrap_or(MAX_SOURCE_BYTES).min(MAX_SOURCE_BYTES);
        if size > limit {
            return Ok(refused(format!(
                "the source has {size} bytes, more than the limit of {limit} bytes"
            )));
        }
        let Some(entry) = tree.entry.clone() else {
            return Ok(refused("no source file".to_owned()));
        };
        let memory = limits.compilation_memory_bytes;
        // Only programs that mention the library are linked with it, so others do not depend
        // on its version.
        let library = if tree.library {
            rust_library::for_toolchain(toolchain, memory)
        } else {
            None
        };
        let command = |layout: &Layout| -> Result<Vec<OsString>, ExecError> {
            let mut command = compile_command(toolchain, &entry, &tree.compiled, memory, layout)?;
            command.extend(library.iter().flat_map(|_| rust_library::arguments(layout)));
            if has_shim {
                command.extend(warm::arguments(&toolchain.language, layout));
            }
            Ok(command)
        };
        let places = sources.places(&tree);
        let making = ProgramParts {
            toolchain,
            way: Way::Compile,
            entry: &entry,
            tree: &tree,
            places: &places,
            library: library.as_ref(),
            has_shim,
        };
        self.make(&making, &command, limits)
    }

    /// Builds a program of the package that brings scripts: `build` is run in a copy of its
    /// directory, if there is one. The toolchain is
    /// [`Toolchains::for_scripts`](crate::Toolchains::for_scripts).
    ///
    /// Source: package format, "Programs".
    pub(crate) fn build(
        &mut self,
        toolchain: &Arc<Toolchain>,
        sources: &Sources,
        scripts: Scripts,
        limits: &Limits,
    ) -> Result<Compiled, ExecError> {
        let tree = match sources.read(&toolchain.language) {
            Ok(tree) => tree,
            Err(fault) => return Ok(refused(fault.refusal()?.to_string())),
        };
        if tree.own_bytes > MAX_SOURCE_BYTES {
            return Ok(refused(format!(
                "it has {} bytes, more than the limit of {MAX_SOURCE_BYTES} bytes",
                tree.own_bytes
            )));
        }
        // Linux takes the carriage return for a part of the interpreter's name. `build` may convert
        // or replace `run`.
        let started = if scripts.build { "build" } else { RUN };
        if let Some(script) = (tree.files.iter())
            .find(|file| file.name == Path::new(started) && has_windows_shebang(file))
        {
            let name = script.name.display();
            return Ok(refused(format!(
                "`{name}` has Windows line endings (CRLF), with which Linux cannot run it: convert it with \
                 `sed -i 's/\\r$//' {name}`"
            )));
        }
        let entry = EntryPoint {
            main: PathBuf::from(RUN),
            ..EntryPoint::default()
        };
        let command = |layout: &Layout| -> Result<Vec<OsString>, ExecError> {
            Ok(scripts
                .build
                .then(|| layout.work.join("build").into_os_string())
                .into_iter()
                .collect())
        };
        let places = sources.places(&tree);
        let making = ProgramParts {
            toolchain,
            way: Way::Build,
            entry: &entry,
            tree: &tree,
            places: &places,
            library: None,
            has_shim: false,
        };
        self.make(&making, &command, limits)
    }

    /// Makes the program, unless it is cached.
    fn make(
        &mut self,
        making: &ProgramParts<'_>,
        command: CommandFor<'_>,
        limits: &Limits,
    ) -> Result<Compiled, ExecError> {
        // The location of the slot does not affect the program, so the key contains a fixed one.
        let fixed = command(Layout::fixed())?;
        let key = making.key(&fixed);
        // A run verifies its programs before their first use, and unneeded ones are not read at
        // all. A library is copied immediately, so it must be undamaged now.
        let trusted = self.trust == Trust::Manifest && making.way != Way::Library;
        let found = if trusted {
            self.cache.find(&key)
        } else {
            self.cache.find_whole(&key)
        };
        let hit = found.is_some();
        tracing::debug!(target: "cache", entry = ?making.entry.main, key = key.name(), trusted, hit, "program looked up");
        if let Some(stored) = found {
            return Ok(making.success(&stored, true));
        }
        // A submission of thousands of files has a command that execve(2) refuses, which would look
        // like a fault of the host.
        let names: usize = fixed.iter().map(|word| word.len() + 1).sum();
        if names > MAX_COMMAND_BYTES {
            let (found, max) = (names / 1024, MAX_COMMAND_BYTES / 1024);
            return Ok(refused(format!(
                "the names of its files take {found} KiB together; expected at most {max} KiB"
            )));
        }
        let cache = self.cache;
        // Several workers need the validators and visualizers of a package at the same time.
        let mut claim = cache.in_progress.claim(key.name(), &self.cancel);
        if claim.as_ref().is_some_and(|claim| claim.has_waited) {
            if let Some(stored) = cache.find_whole(&key) {
                return Ok(making.success(&stored, true));
            }
            // It does not compile. Those who need its message find it at the same time.
            claim = None;
        }
        let _claim = claim;
        if let Some(compiled) = self.make_with_headers(making, command, limits, &key)? {
            return Ok(compiled);
        }
        let stage = self.stage_sources(making.tree)?;
        if let Some(library) = making.library
            && let Err(fault) = self.add_library(library, &stage, limits)
        {
            return Ok(refused(fault.refusal()?.to_string()));
        }
        if making.has_shim {
            warm::put(&stage.path.join("files"))?;
        }
        if !fixed.is_empty() {
            let ran = self.run(making, command, limits, &stage)?;
            return self.finish(making, &ran, &key, &stage);
        }
        if making.way == Way::Build && !making.leaves_program(&stage.path.join("files"))? {
            return Ok(refused("it contains no executable program".to_owned()));
        }
        let stored = self.cache.store(&key, &stage, Manifest::default())?;
        Ok(making.success(&stored, false))
    }

    /// Puts the library next to a program's sources, and compiles it unless the cache has it.
    fn add_library(
        &mut self,
        library: &SharedCode,
        stage: &Stage,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let name = |name: &Path| (name.to_owned(), Path::new(testlib_source::NAME).join(name));
        let places = Places::new(library.tree.files.iter().map(|file| name(&file.name)));
        let making = ProgramParts::from_shared(library, &places);
        // The library is an entry of the cache like any program, with its own key: it is compiled
        // once for each compiler and its flags.
        let made = self.make(&making, &|layout| library.command(layout), limits)?;
        let made = made.result.map_err(|failure| {
            let (library, why) = (testlib_source::NAME, failure.why());
            Fault::of_package(format!(
                "`{library}`, which it uses, does not compile here: {why}"
            ))
        })?;
        Ok(rust_library::put(&made.files, &stage.path.join("files"))?)
    }

    fn stage_sources(&self, tree: &SourceTree) -> Result<Stage, ExecError> {
        let stage = self.cache.stage()?;
        let root = stage.path.join("files");
        make_directory(&root, 0o755)?;
        for file in &tree.files {
            file.write(&root)?;
        }
        Ok(stage)
    }

    /// Compiles a program with precompiled headers. `None` when it must be compiled without them:
    /// it has no such headers, or the compiler printed a message. The author must see messages
    /// about the original source.
    fn make_with_headers(
        &mut self,
        making: &ProgramParts<'_>,
        command: CommandFor<'_>,
        limits: &Limits,
        key: &Key,
    ) -> Result<Option<Compiled>, ExecError> {
        // A program with the shim is run often and compiled once: precompiled headers would save
        // nothing.
        if making.way != Way::Compile || making.has_shim {
            return Ok(None);
        }
        let memory = limits.compilation_memory_bytes;
        let Some((headers, rest)) = headers::split(making.toolchain, making.tree, memory) else {
            return Ok(None);
        };
        let language = &making.toolchain.language.id;
        let planned = self.planned.number(language, &headers.tree.files[0].bytes);
        let Some(files) = self.precompiled(&headers, planned, limits)? else {
            return Ok(None);
        };
        let stage = self.stage_sources(&rest)?;
        if !headers::put(&headers, &files, &stage.path.join("files"))? {
            return Ok(None);
        }
        let with_headers = |layout: &Layout| -> Result<Vec<OsString>, ExecError> {
            Ok([command(layout)?, headers::arguments(layout).into()].concat())
        };
        let ran = self.run(making, &with_headers, limits, &stage)?;
        let is_silent = ran.finished.outcome.is_clean_exit() && ran.message.is_empty();
        let is_about_program =
            || ran.reason_of_kill().is_none() && !headers::is_blamed(&ran.message);
        if is_silent || self.headers.many && is_about_program() {
            return self.finish(making, &ran, key, &stage).map(Some);
        }
        Ok(None)
    }

    /// Returns the directory of the precompiled headers of a program, which are made now if that
    /// pays off. `planned` is the number of submissions that begin with them. `None` without them.
    fn precompiled(
        &mut self,
        headers: &SharedCode,
        planned: usize,
        limits: &Limits,
    ) -> Result<Option<PathBuf>, ExecError> {
        let places = Places::default();
        let making = ProgramParts::from_shared(headers, &places);
        let command = |layout: &Layout| headers.command(layout);
        let key = making.key(&command(Layout::fixed())?);
        let (known, cache) = (self.headers, self.cache);
        let find = || cache.find_whole(&key).map(|stored| stored.files);
        known.get(&key, find, || {
            if !known.pays_off(&key, planned, cache)? {
                return Ok(MakeResult::NotYet);
            }
            let sources = self.stage_sources(&headers.tree)?;
            let ran = self.run(&making, &command, limits, &sources)?;
            let stage = cache.stage()?;
            let output = stage.path.join("files");
            let is_made = ran.finished.outcome.is_clean_exit() && ran.take_output(&output).is_ok();
            if !is_made || !headers::is_in(&output) {
                return Ok(MakeResult::Refused);
            }
            let stored =
                cache.store_up_to(KEPT_HEADER_BYTES, &key, &stage, ran.manifest(String::new()))?;
            Ok(MakeResult::Ready(stored.files))
        })
    }

    fn run(
        &mut self,
        making: &ProgramParts<'_>,
        command: CommandFor<'_>,
        limits: &Limits,
        sources: &Stage,
    ) -> Result<CompilerRun, ExecError> {
        let slot = self.slot.open()?;
        let command = command(slot.layout())?;
        let (work_files, binds) = making.shown(sources.path.join("files"));
        let compiler = CompilerCommand {
            toolchain: making.toolchain,
            command,
            work_files,
            binds,
            limits,
            cancel: &self.cancel,
        };
        if let Some(starts) = self.starts.filter(|_| making.only_checks())
            && let Some(script) = warm::script_of_check(making.toolchain)
        {
            let before = starts.get();
            starts.set(Start::SharedInterpreter);
            let ran = compiler.run(slot, Some(WarmStart::Python { script }));
            starts.set(before);
            let ran = ran?;
            // Only an ordinary run reports an error.
            if ran.finished.outcome.is_clean_exit() && ran.message.is_empty() {
                return Ok(ran);
            }
        }
        compiler.run(slot, None)
    }

    /// Makes an entry of the cache from a compiler's output.
    fn finish(
        &self,
        making: &ProgramParts<'_>,
        ran: &CompilerRun,
        key: &Key,
        sources: &Stage,
    ) -> Result<Compiled, ExecError> {
        // Nothing is stored for a failure. Its message belongs to sources that the author is
        // about to change.
        let (outcome, message) = (&ran.finished.outcome, &ran.message);
        if !outcome.is_clean_exit() {
            ran.require_space()?;
            // Someone has removed the cache, which is not the program's fault.
            let directory = sources.path.join("files");
            directory
                .metadata()
                .map_err(ExecError::io("read", &directory))?;
            // A compiler is cancelled only when the whole run ends, and then nothing is reported.
            let output = making.places.shown(message);
            return Ok(Compiled {
                message: excerpt(&output),
                result: Err(CompileFailure {
                    reason: ran.reason_of_kill(),
                    output,
                }),
                cached: false,
                cpu_time: outcome.usage.cpu_time,
            });
        }
        if making.only_checks() {
            // A syntax check without findings prints that ("syntax OK"), which is not a compiler
            // message.
            let stored = self
                .cache
                .store(key, sources, ran.manifest(String::new()))?;
            return Ok(success(making.runnable(&stored), false, &stored.manifest));
        }
        let stage = self.cache.stage()?;
        let output = stage.path.join("files");
        if let Err(fault) = ran.take_output(&output) {
            return Ok(refused(fault.refusal()?.to_string()));
        }
        // Before the check below, because a script of a package becomes executable here.
        making.complete(&output)?;
        if !making.leaves_program(&output)? {
            let message = excerpt(&making.places.shown(message));
            let reason = "the compiler ended without an error, but left no program".to_owned();
            return Ok(Compiled {
                message,
                ..refused(reason)
            });
        }
        let kept = String::from_utf8_lossy(&message[..message.len().min(64 << 10)]).into_owned();
        let stored = self.cache.store(key, &stage, ran.manifest(kept))?;
        Ok(making.success(&stored, false))
    }
}

/// True for a script whose first line names an interpreter and ends with a carriage return.
fn has_windows_shebang(file: &SourceFile) -> bool {
    let first = file.bytes.split(|byte| *byte == b'\n').next();
    first.is_some_and(|line| line.starts_with(b"#!") && line.ends_with(b"\r"))
}

/// The command that makes an entry, in a slot with a layout; empty when the sources are the
/// program.
type CommandFor<'a> = &'a dyn Fn(&Layout) -> Result<Vec<OsString>, ExecError>;
