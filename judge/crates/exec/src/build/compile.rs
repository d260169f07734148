//! Compiling: from sources to a program in the cache, in the sandbox.
//!
//! Responsible for the order of things, and for the limits of compilers. Must not know test cases.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Bytes, Excerpt};
use judge_grading::head_and_tail;
use judge_model::{Limit, Limits, Outcome, SIGXFSZ, Scripts, Termination, micros, signal_name};
use judge_sandbox::{CancelToken, Capture, CopyLimits, Execution, Finished, Layout, RunLimits, Slot, Work, copy_tree};

use crate::ExecError;
use crate::build::lazy_slot::LazySlot;
use crate::build::places::{Places, unplaced};
use crate::build::program::{EntryPoint, Runnable, compile_command, environment};
use crate::build::program_parts::{ProgramParts, RUN, Way};
use crate::build::rust_library::{self, RustLibrary};
use crate::build::sources::{MOST_BYTES, SourceTree, Sources};
use crate::build::toolchain::{Toolchain, is_unable_to_link, proves_unable_to_link};
use crate::build::warm;
use crate::fault::Fault;
use crate::store::programs::{Key, Manifest, ProgramCache, Stage, make_directory};

/// Bytes of a compiler's output that are kept: more is of no use to anybody, and template errors write without end.
const MESSAGE_BYTES: u64 = 1 << 20;
/// Size of a compiler's working directory, beyond its memory limit.
const OUTPUT_BYTES: u64 = 512 << 20;
const OUTPUT_FILES: u64 = 16_384;
/// Compilers run several threads, and drivers run several compilers.
const PROCESSES: u32 = 256;

/// The result of compiling.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program, or why there is none.
    pub result: Result<Arc<Runnable>, CompileFailure>,
    /// True when the cache had it.
    pub cached: bool,
    /// The CPU time of compiling, now or when it came into the cache.
    pub cpu_time: Duration,
    /// The message that the compiler wrote.
    pub message: Excerpt,
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub struct CompileFailure {
    /// In words, when the compiler did not say it itself.
    pub reason: Option<String>,
    /// Everything that the compiler wrote.
    pub said: Vec<u8>,
}

impl CompileFailure {
    /// The reason, or else what the compiler wrote first.
    pub(crate) fn why(&self) -> String {
        self.reason.clone().unwrap_or_else(|| excerpt(&self.said).head.to_text().trim_end().to_owned())
    }

    /// The end of a sentence whose subject is the program. Several lines begin on a line of their own.
    pub(crate) fn in_words(&self) -> String {
        let why = self.why();
        if why.contains('\n') {
            let lines: String = why.lines().map(|line| format!("\n  {line}")).collect();
            format!("does not compile:{lines}")
        } else {
            format!("does not compile: {why}")
        }
    }
}

/// Compiles programs into a cache.
pub(crate) struct Compiler<'a> {
    pub(crate) cache: &'a ProgramCache,
    /// Opened for what the cache does not have.
    pub(crate) slot: Box<dyn LazySlot + 'a>,
    pub(crate) cancel: CancelToken,
    pub(crate) trust: Trust,
    /// True for programs that are to be run warm where their language can ([`warm`]).
    pub(crate) shim: bool,
}

/// The demand on a program that the cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Its files must be those that were stored.
    Content,
    /// None: it is [verified](Runnable::holds) before it is run, if it is run at all.
    Manifest,
}

impl Compiler<'_> {
    /// Compiles, unless the cache has the program already. `code_bytes` limits the size of the sources.
    pub(crate) fn compile(
        &mut self,
        toolchain: &Arc<Toolchain>,
        sources: &Sources,
        limits: &Limits,
        code_bytes: Option<u64>,
    ) -> Result<Compiled, ExecError> {
        let language = &toolchain.language;
        let is_linked = !language.compile.is_empty() && !warm::arguments(&language.id, Layout::fixed()).is_empty();
        if self.shim && is_linked {
            let compiled = self.compile_with(toolchain, sources, limits, code_bytes, true)?;
            // Whatever is wrong with it, only the language's own row says so.
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
        let tree = match sources.read(&toolchain.language).map_err(Fault::from) {
            Ok(tree) => tree,
            Err(fault) => return Ok(refused(fault.refusal()?.to_string())),
        };
        let size = tree.own_bytes;
        let limit = code_bytes.unwrap_or(MOST_BYTES).min(MOST_BYTES);
        if size > limit {
            return Ok(refused(format!("the source has {size} bytes, more than the limit of {limit} bytes")));
        }
        let Some(entry) = tree.entry.clone() else {
            return Ok(refused("there is no source file".to_owned()));
        };
        let memory = limits.compilation_memory_bytes;
        let library = if tree.library { RustLibrary::of(toolchain, memory) } else { None };
        let command = |layout: &Layout| -> Result<Vec<OsString>, ExecError> {
            let mut command = compile_command(toolchain, &entry, &tree.compiled, memory, layout)?;
            command.extend(library.iter().flat_map(|_| rust_library::arguments(layout)));
            if has_shim {
                command.extend(warm::arguments(&toolchain.language.id, layout));
            }
            Ok(command)
        };
        let library = library.as_ref();
        let places = sources.places(&tree);
        let making = ProgramParts {
            toolchain,
            way: Way::Compile,
            entry: &entry,
            tree: &tree,
            places: &places,
            library,
            has_shim,
        };
        self.make(&making, &command, limits)
    }

    /// Builds a program of the package that brings scripts: `build` is run in a copy of its directory, if there is one.
    /// The toolchain is [`Toolchains::for_scripts`](crate::Toolchains::for_scripts).
    ///
    /// Source: package format, "Programs".
    pub(crate) fn build(
        &mut self,
        toolchain: &Arc<Toolchain>,
        sources: &Sources,
        scripts: Scripts,
        limits: &Limits,
    ) -> Result<Compiled, ExecError> {
        let tree = match sources.read(&toolchain.language).map_err(Fault::from) {
            Ok(tree) => tree,
            Err(fault) => return Ok(refused(fault.refusal()?.to_string())),
        };
        if tree.own_bytes > MOST_BYTES {
            return Ok(refused(format!("it has {} bytes, more than the limit of {MOST_BYTES} bytes", tree.own_bytes)));
        }
        let entry = EntryPoint { main: PathBuf::from(RUN), class: String::new() };
        let command = |layout: &Layout| -> Result<Vec<OsString>, ExecError> {
            Ok(scripts.build.then(|| layout.work.join("build").into_os_string()).into_iter().collect())
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

    /// Makes the program, unless it is there already.
    fn make(
        &mut self,
        making: &ProgramParts<'_>,
        command: CommandFor<'_>,
        limits: &Limits,
    ) -> Result<Compiled, ExecError> {
        // The place of the slot changes nothing in the program, so the key has a fixed one.
        let fixed = command(Layout::fixed())?;
        let key = making.key(&fixed);
        // A library is copied at once.
        let trusted = self.trust == Trust::Manifest && making.way != Way::Library;
        let found = if trusted { self.cache.find(&key) } else { self.cache.find_whole(&key) };
        let hit = found.is_some();
        tracing::debug!(target: "cache", entry = ?making.entry.main, key = key.name(), trusted, hit, "program looked up");
        if let Some(stored) = found {
            return Ok(making.success(&stored, true));
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
            return self.run_compiler(making, command, limits, &key, &stage);
        }
        if making.way == Way::Build && !making.leaves_program(&stage.path.join("files"))? {
            return Ok(refused("there is no program in it that can be executed".to_owned()));
        }
        let manifest = Manifest::default();
        let stored = self.cache.store(&key, &stage, manifest)?;
        Ok(making.success(&stored, false))
    }

    /// Puts the library beside a program's sources, compiled unless the cache has it.
    fn add_library(&mut self, library: &RustLibrary, stage: &Stage, limits: &Limits) -> Result<(), Fault> {
        let RustLibrary { toolchain, entry, tree, .. } = library;
        let name = |name: &Path| (name.to_owned(), Path::new(rust_library::NAME).join(name));
        let places = Places::of(tree.files.iter().map(|file| name(&file.name)));
        let (way, has_shim) = (Way::Library, false);
        let making = ProgramParts { toolchain, way, entry, tree, places: &places, library: None, has_shim };
        let made = self.make(&making, &|layout| library.command(layout), limits)?;
        let made = made.result.map_err(|failure| {
            let (library, why) = (rust_library::NAME, failure.why());
            Fault::of_package(format!("`{library}`, which it uses, does not compile here: {why}"))
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

    fn run_compiler(
        &mut self,
        making: &ProgramParts<'_>,
        command: CommandFor<'_>,
        limits: &Limits,
        key: &Key,
        sources: &Stage,
    ) -> Result<Compiled, ExecError> {
        let (work_files, binds) = making.shown(sources.path.join("files"));
        let slot = self.slot.open()?;
        let command = command(slot.layout())?;
        tracing::debug!(target: "compile", ?command, ?work_files, ?binds, "compiler starts");
        let mut execution = Execution {
            env: environment(&making.toolchain.language, slot.layout()),
            work: Work::Writable { bytes: OUTPUT_BYTES, files: OUTPUT_FILES },
            work_files,
            binds,
            // A compiler finds its own libraries through /proc/self/exe ($ORIGIN in ld.so(8)).
            proc_mounted: true,
            keep_work: true,
            ..Execution::new(command, run_limits(limits), self.cancel.clone())
        };
        let mut capture = Capture::default();
        let finished = run_linking(slot, &mut execution, &mut capture, making.toolchain)?;
        tracing::debug!(target: "compile", entry = ?making.entry.main, outcome = ?finished.outcome, "compiler ended");
        let message = if capture.stderr.is_empty() { capture.stdout } else { capture.stderr };
        let message = unplaced(message, slot.layout());
        if !finished.outcome.is_clean_exit() {
            // A compiler is cancelled only when the whole run is over, and then nobody hears of it.
            let (cpu_time, message) = (finished.outcome.usage.cpu_time, making.places.shown(&message));
            let (reason, excerpt) = (why_not(&finished.outcome, &execution.limits), excerpt(&message));
            let failure = CompileFailure { reason, said: message };
            return Ok(Compiled { result: Err(failure), cached: false, cpu_time, message: excerpt });
        }
        if making.only_checks() {
            // A check that finds nothing says so ("syntax OK"), which is no message of a compiler.
            let manifest = Manifest { cpu_time_us: micros(finished.outcome.usage.cpu_time), message: String::new() };
            let stored = self.cache.store(key, sources, manifest)?;
            return Ok(success(making.runnable(&stored), false, &stored.manifest));
        }
        let stage = self.cache.stage()?;
        let output = stage.path.join("files");
        if let Some(work) = &finished.work {
            let limits = CopyLimits { bytes: OUTPUT_BYTES, entries: OUTPUT_FILES, depth: 32 };
            if let Err(error) = copy_tree(work, Path::new("."), &output, limits) {
                let fault = Fault::of_copying("the compiler's output cannot be used", error);
                return Ok(refused(fault.refusal()?.to_string()));
            }
        }
        making.complete(&output)?;
        if !making.leaves_program(&output)? {
            let message = excerpt(&making.places.shown(&message));
            let reason = "the compiler ended without an error, but left no program".to_owned();
            return Ok(Compiled { message, ..refused(reason) });
        }
        let manifest = Manifest {
            cpu_time_us: micros(finished.outcome.usage.cpu_time),
            message: String::from_utf8_lossy(&message[..message.len().min(64 << 10)]).into_owned(),
        };
        let stored = self.cache.store(key, &stage, manifest)?;
        Ok(making.success(&stored, false))
    }
}

/// The command that makes something, in a slot with a layout; empty when the sources are the program.
type CommandFor<'a> = &'a dyn Fn(&Layout) -> Result<Vec<OsString>, ExecError>;

/// Runs a compiler. Where nothing can be linked statically, that is the host's affair and not the program's: it is run
/// without the flags for that.
fn run_linking(
    slot: &mut dyn Slot,
    execution: &mut Execution,
    capture: &mut Capture,
    toolchain: &Toolchain,
) -> Result<Finished, ExecError> {
    let language = &toolchain.language;
    let flags = if language.compile.is_empty() { 0 } else { language.static_flags.len() };
    if flags > 0 && !is_unable_to_link(toolchain) {
        let finished = slot.run(execution, capture)?;
        if finished.outcome.is_clean_exit() || !proves_unable_to_link(toolchain) {
            return Ok(finished);
        }
    }
    execution.args.drain(1..flags + 1);
    Ok(slot.run(execution, capture)?)
}

fn run_limits(limits: &Limits) -> RunLimits {
    RunLimits {
        cpu_time: limits.compilation_time,
        wall_time: limits.compilation_time * 2 + Duration::from_secs(1),
        memory_bytes: limits.compilation_memory_bytes,
        stdout_bytes: MESSAGE_BYTES,
        stderr_bytes: MESSAGE_BYTES,
        processes: PROCESSES,
    }
}

/// A sentence when it was not the compiler's own decision to refuse.
fn why_not(outcome: &Outcome, limits: &RunLimits) -> Option<String> {
    if outcome.usage.memory_kills > 0 {
        return Some(format!("the compiler exceeded its memory limit of {} MiB", limits.memory_bytes >> 20));
    }
    match outcome.termination {
        Termination::Exited { .. } | Termination::Cancelled => None,
        Termination::Signaled { signal: SIGXFSZ } => {
            Some(format!("the compiler wrote a file of more than {} MiB", OUTPUT_BYTES >> 20))
        }
        Termination::Signaled { signal } => {
            let name = signal_name(signal).map_or_else(|| format!("signal {signal}"), ToOwned::to_owned);
            Some(format!("the compiler was ended by {name}"))
        }
        Termination::Killed { limit } => Some(match limit {
            Limit::CpuTime => {
                format!("the compiler exceeded its CPU time limit of {} s", limits.cpu_time.as_secs_f64())
            }
            Limit::WallTime => format!("the compiler was not done after {} s", limits.wall_time.as_secs_f64()),
            Limit::Memory => format!("the compiler exceeded its memory limit of {} MiB", limits.memory_bytes >> 20),
            Limit::Output => format!("the compiler wrote more than {} KiB of messages", limits.stderr_bytes >> 10),
        }),
    }
}

/// Answers that were handed in: there is nothing to compile.
pub(crate) fn answers() -> Compiled {
    success(Runnable::of_answers(), false, &Manifest::default())
}

/// A program that is refused without asking the compiler, or whose output is.
pub(crate) fn refused(reason: String) -> Compiled {
    Compiled {
        result: Err(CompileFailure { reason: Some(reason), said: Vec::new() }),
        cached: false,
        cpu_time: Duration::ZERO,
        message: Excerpt::default(),
    }
}

pub(super) fn success(runnable: Runnable, cached: bool, manifest: &Manifest) -> Compiled {
    Compiled {
        result: Ok(Arc::new(runnable)),
        cached,
        cpu_time: Duration::from_micros(manifest.cpu_time_us),
        message: excerpt(manifest.message.as_bytes()),
    }
}

/// The first errors say most; the end has the summary.
fn excerpt(message: &[u8]) -> Excerpt {
    let parts = head_and_tail(message, 6 << 10, 2 << 10);
    Excerpt { head: Bytes::from(parts.head), left_out: parts.omitted as u64, tail: Bytes::from(parts.tail) }
}
