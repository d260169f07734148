//! Running an engine: its input, its limits, and its document.
//!
//! Must not know the content of a document.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{Guarantee, Limit, Termination};
use judge_sandbox::{
    CancelToken, Capture, Execution, Layout, RunLimits, Sandbox, SandboxError, SlotSpec, Work,
    read_file,
};

use crate::complaint::{Complaint, FRAME, complaints, has_too_long_a_line};
use crate::dates::blank_dates;
use crate::tool::{Engine, Tool};

/// The maximum size of a document, in bytes.
const MAX_PDF: u64 = 256 << 20;
/// The name of the document.
const PDF: &str = "main.pdf";

/// Runs LaTeX once more if it reports that numbers or widths may have changed.
const RUN_TWICE: &str = "\"$@\"; code=$?; if grep -qE 'Rerun|rerun|undefined references' main.log 2>/dev/null; \
    then \"$@\"; code=$?; fi; exit $code";

/// The input files of an engine, in a separate directory; the first is `main.tex` or `main.html`.
#[derive(Debug)]
pub struct Source {
    directory: LockedDirectory,
}

impl Source {
    /// Creates an empty directory.
    ///
    /// # Errors
    /// When the directory cannot be created.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            directory: LockedDirectory::temporary(TemporaryPurpose::Printing)?,
        })
    }

    /// Adds a file, by a name below the directory.
    ///
    /// # Errors
    /// When it cannot be written, or when the name leads out of the directory.
    pub fn add(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let is_below = Path::new(name)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        if !is_below || name.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("`{name}` is not a valid file name"),
            ));
        }
        let path = self.directory.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// A document, with the complaints of LaTeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedDocument {
    /// The document.
    pub pdf: Vec<u8>,
    /// The complaints of LaTeX; Chromium has none.
    pub complaints: Vec<Complaint>,
}

/// An error in producing a document.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The input could not be written.
    #[error("cannot write the input of {program}: {source}")]
    Files {
        /// The program.
        program: String,
        /// The reason.
        source: io::Error,
    },
    /// The program produced no document, because of the statement, or because it does not work on
    /// this host.
    #[error("{program} produced no document: {why}")]
    NoDocument {
        /// The program.
        program: String,
        /// The reason, in one line.
        why: String,
        /// The complaints of LaTeX.
        complaints: Vec<Complaint>,
        /// True when the statement is at fault: the program reported an error in it, or
        /// exceeded a limit.
        is_statement_error: bool,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl PrintError {
    /// Removes and returns the complaints of LaTeX.
    #[must_use]
    pub fn take_complaints(&mut self) -> Vec<Complaint> {
        match self {
            Self::NoDocument { complaints, .. } => std::mem::take(complaints),
            _ => Vec::new(),
        }
    }
}

/// The maximum CPU time of a run, in seconds.
const CPU_SECONDS: u64 = 30;
/// The maximum wall time of a run, in seconds.
const WALL_SECONDS: u64 = 60;
/// The maximum memory of a run, in GiB.
const MEMORY_GIB: u64 = 2;
/// The maximum output of a run, in MiB.
const OUTPUT_MIB: u64 = 8;

/// Limits of a run. A statement needs less than a tenth of them, a booklet of twenty statements
/// less than half.
pub(crate) fn limits(processes: u32) -> RunLimits {
    RunLimits {
        cpu_time: Duration::from_secs(CPU_SECONDS),
        wall_time: Duration::from_secs(WALL_SECONDS),
        memory_bytes: MEMORY_GIB << 30,
        stdout_bytes: OUTPUT_MIB << 20,
        stderr_bytes: 1 << 20,
        processes,
    }
}

/// Prints with an engine.
///
/// # Errors
/// When the engine produces no document, or when the sandbox fails.
pub fn print(
    sandbox: &dyn Sandbox,
    engine: Engine,
    tool: &Tool,
    source: &Source,
    cancel: &CancelToken,
) -> Result<PrintedDocument, PrintError> {
    // TeX reads any file that its user may read. pdfTeX is restricted by `openin_any=p`, and a
    // browser by a page that loads nothing. The others need a sandbox that hides the files of
    // the host.
    if !tool.is_confined() && sandbox.isolation().gaps.contains(&Guarantee::FilesHidden) {
        let level = sandbox.isolation().level;
        let why = format!(
            "at the isolation level `{level}` it could read files of the host; only pdfLaTeX is restricted"
        );
        return Err(PrintError::NoDocument {
            program: tool.name(),
            why,
            complaints: Vec::new(),
            is_statement_error: false,
        });
    }
    let args = |layout: &Layout| match engine {
        Engine::Latex => latex(tool),
        Engine::Chromium => chromium(tool, layout),
    };
    let ran = run(
        sandbox,
        tool,
        source,
        limits(512),
        (PDF, MAX_PDF),
        cancel,
        args,
    )?;
    let complaints = match engine {
        Engine::Latex => complaints(&String::from_utf8_lossy(&ran.capture.stdout)),
        Engine::Chromium => Vec::new(),
    };
    let too_long = |output: &[u8]| has_too_long_a_line(&String::from_utf8_lossy(output));
    let has_too_long_a_line =
        engine == Engine::Latex && (too_long(&ran.capture.stderr) || too_long(&ran.capture.stdout));
    let why = match has_too_long_a_line {
        true => "one of its lines is too long for LaTeX".to_owned(),
        false => ran.why(engine, &complaints),
    };
    let exceeded = matches!(ran.termination, Termination::Killed { .. });
    // pdfTeX gives up on an unreadable image without reporting a file and line.
    let has_bad_picture = engine == Engine::Latex
        && String::from_utf8_lossy(&ran.capture.stdout).contains("pdfTeX error");
    let is_statement_error =
        has_bad_picture || exceeded || has_too_long_a_line || !complaints.is_empty();
    match ran.file {
        Some(mut pdf) if pdf.starts_with(b"%PDF-") => {
            // The same statement must give the same bytes, and Chromium writes the time of
            // printing into the document.
            blank_dates(&mut pdf);
            Ok(PrintedDocument { pdf, complaints })
        }
        _ => Err(PrintError::NoDocument {
            program: engine.to_string(),
            why,
            complaints,
            is_statement_error,
        }),
    }
}

/// The command line of LaTeX: without shell escape, and run twice if page numbers or table widths
/// are known only after the first run.
fn latex(tool: &Tool) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["/bin/sh", "-c", RUN_TWICE, "sh"]
        .map(OsString::from)
        .into();
    args.push(tool.executable.clone().into());
    let options = [
        "-no-shell-escape",
        "-interaction=nonstopmode",
        "-file-line-error",
        FRAME,
    ];
    args.extend(options.map(OsString::from));
    args
}

/// The command line of Chromium: without its own sandbox, which needs privileges that programs in
/// `judge`'s sandbox do not have.
fn chromium(tool: &Tool, layout: &Layout) -> Vec<OsString> {
    let mut args = vec![tool.executable.clone().into_os_string()];
    let options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-breakpad",
        "--no-first-run",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
    ];
    args.extend(options.map(OsString::from));
    args.push(with_path("--user-data-dir=", &layout.tmp.join("profile")));
    args.push(with_path("--print-to-pdf=", &layout.work.join(PDF)));
    args.push(with_path("file://", &layout.work.join("main.html")));
    args
}

/// Returns an argument or a variable that ends with a path.
fn with_path(start: &str, path: &Path) -> OsString {
    let mut text = OsString::from(start);
    text.push(path);
    text
}

/// The outcome of a run.
pub(crate) struct Finished {
    termination: Termination,
    /// The document; `None` after a limit was exceeded, when it may be incomplete.
    pub(crate) file: Option<Vec<u8>>,
    pub(crate) capture: Capture,
}

impl Finished {
    /// The reason why no document was produced. For LaTeX, the complaints contain it unless a limit
    /// was exceeded.
    fn why(&self, engine: Engine, complaints: &[Complaint]) -> String {
        let last = |bytes: &[u8], matches: &dyn Fn(&str) -> bool| {
            let text = String::from_utf8_lossy(bytes);
            let mut lines = text.lines().rev().map(str::trim);
            let line = lines.find(|line| !line.is_empty() && matches(line))?;
            Some(line.chars().take(200).collect::<String>())
        };
        if matches!(
            self.termination,
            Termination::Killed { .. } | Termination::Cancelled
        ) {
            return describe(self.termination);
        }
        let message = match engine {
            Engine::Latex if !complaints.is_empty() => None,
            Engine::Latex => last(&self.capture.stdout, &|line| {
                line.starts_with('!') || line.contains(".tex:")
            })
            .or_else(|| last(&self.capture.stderr, &|_| true))
            .or_else(|| last(&self.capture.stdout, &|_| true)),
            // Chromium reports missing services of a desktop, such as D-Bus, as errors. They do not
            // explain why the document is missing.
            Engine::Chromium => last(&self.capture.stderr, &|line| line.contains("FATAL"))
                .or_else(|| last(&self.capture.stderr, &|line| !line.contains("ERROR:"))),
        };
        let ended = describe(self.termination);
        message.map_or(ended.clone(), |message| format!("{ended}: {message}"))
    }
}

/// Describes the termination of a program.
fn describe(termination: Termination) -> String {
    match termination {
        Termination::Exited { code } => format!("it exited with code {code}"),
        Termination::Signaled { signal } => format!("it was killed by signal {signal}"),
        Termination::Cancelled => "it was interrupted".to_owned(),
        Termination::Killed { limit } => match limit {
            Limit::CpuTime => format!("it was still running after {CPU_SECONDS} s of CPU time"),
            Limit::WallTime => format!("it was still running after {WALL_SECONDS} s"),
            Limit::Memory => format!("it needed more than {MEMORY_GIB} GiB of memory"),
            Limit::Output => format!("it wrote more than {OUTPUT_MIB} MiB of output"),
        },
    }
}

pub(crate) fn run(
    sandbox: &dyn Sandbox,
    tool: &Tool,
    source: &Source,
    limits: RunLimits,
    (name, max_bytes): (&str, u64),
    cancel: &CancelToken,
    args: impl Fn(&Layout) -> Vec<OsString>,
) -> Result<Finished, PrintError> {
    let spec = SlotSpec {
        view: tool.mounts.clone(),
        depots: vec![source.path().to_owned()],
        // The processes of Chromium communicate through sockets.
        local_sockets: tool.is_browser(),
        ..SlotSpec::default()
    };
    let mut slot = sandbox.slot(&spec)?;
    let layout = slot.layout().clone();
    let execution = Execution {
        env: environment(tool, &layout),
        work: Work::Writable {
            bytes: 1 << 30,
            files: 20_000,
        },
        work_files: vec![source.path().to_owned()],
        proc_mounted: true,
        keep_work: true,
        ..Execution::new(args(&layout), limits, cancel.clone())
    };
    let mut capture = Capture::default();
    let finished = slot.run(&execution, &mut capture)?;
    if cancel.is_cancelled() {
        return Err(PrintError::Interrupted);
    }
    let termination = finished.outcome.termination;
    // A document that was being written when a limit was exceeded may be incomplete.
    let ended = matches!(termination, Termination::Exited { .. });
    // A working directory on the host is removed with the slot.
    let file = finished
        .work
        .filter(|_| ended)
        .and_then(|work| read_file(&work, Path::new(name), max_bytes).ok());
    Ok(Finished {
        termination,
        file,
        capture,
    })
}

fn environment(tool: &Tool, layout: &Layout) -> Vec<OsString> {
    let own = tool.executable.parent().unwrap_or(Path::new("/usr/bin"));
    let mut path = with_path("PATH=", own);
    path.push(":/usr/local/bin:/usr/bin:/bin");
    // The scripts of TeX that make fonts change their directory, so they need an absolute path.
    // Names of sockets, which a browser has there, must be short.
    let tmp = if tool.is_browser() {
        shorter(&layout.tmp, &layout.work)
    } else {
        Cow::Borrowed(layout.tmp.as_path())
    };
    let mut variables = vec![
        path,
        with_path("HOME=", &layout.tmp),
        with_path("TMPDIR=", &tmp),
    ];
    let fixed = [
        "LANG=C.UTF-8",
        "TZ=UTC",
        // TeX opens files in its own directories and below the working directory only, and the
        // date is fixed.
        "openin_any=p",
        "openout_any=p",
        "shell_escape=f",
        "SOURCE_DATE_EPOCH=0",
        "FORCE_SOURCE_DATE=1",
        "max_print_line=2000",
        "error_line=254",
        "half_error_line=238",
    ];
    variables.extend(fixed.map(OsString::from));
    variables
}

/// Returns the shortest path to the temporary directory. Chromium creates a socket in it. The name
/// of a socket has at most 107 bytes (unix(7)), and Chromium gives up if it is longer: without
/// namespaces, the directory is below the caller's `TMPDIR`.
fn shorter<'a>(tmp: &'a Path, work: &Path) -> Cow<'a, Path> {
    match (tmp.parent(), tmp.file_name()) {
        (Some(parent), Some(name)) if work.parent() == Some(parent) => {
            Cow::Owned(Path::new("..").join(name))
        }
        _ => Cow::Borrowed(tmp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sibling_temporary_directories_get_short_names() {
        let short_name =
            |tmp: &'static str, work: &str| shorter(Path::new(tmp), Path::new(work)).into_owned();
        assert_eq!(
            short_name("/long/judge-1/tmp", "/long/judge-1/work"),
            Path::new("../tmp")
        );
        assert_eq!(
            short_name("/long/judge-1/tmp", "/elsewhere/work"),
            Path::new("/long/judge-1/tmp")
        );
    }

    #[test]
    fn terminations_are_described() {
        let killed_by = |limit| describe(Termination::Killed { limit });
        assert_eq!(
            killed_by(Limit::CpuTime),
            "it was still running after 30 s of CPU time"
        );
        assert_eq!(
            killed_by(Limit::Memory),
            "it needed more than 2 GiB of memory"
        );
        assert_eq!(
            describe(Termination::Signaled { signal: 11 }),
            "it was killed by signal 11"
        );
    }

    #[test]
    fn files_outside_of_the_directory_are_rejected() {
        let source = Source::new().unwrap();
        source.add("p1/a.tex", b"x").unwrap();
        assert_eq!(fs::read(source.path().join("p1/a.tex")).unwrap(), b"x");
        for name in ["../a", "/tmp/a", "p1/../../a", ""] {
            assert!(source.add(name, b"x").is_err(), "{name}");
        }
    }
}
