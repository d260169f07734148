//! Reporters: every reporter and report of a command, and the place where each of them goes.
//!
//! Responsible for who may write to standard output, and for that reports are written whole at the end. Must not know
//! what any report looks like, nor which command asked.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use judge_event::{Event, Progress, RunState};
use judge_files::ConfinedDirectory;
use judge_model::ReportKind;
use judge_report::{
    JsonLines, Markdown, ReportSettings, Reporter, Terminal, TerminalSettings, View, broken_lines, printable_lines,
    render, resume_commands, stop_commands,
};
use judge_runner::Observer;
use judge_sandbox::CancelToken;

use crate::args::{ReportingArgs, RunReportArgs};
use crate::ci::{self, Ci, Place};
use crate::config::{Config, columns_of};
use crate::failure::{Failure, RESULT};
use crate::whole_file::{WholeFile, failed};

/// The reports that a command is to make, and for whom.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The file for the event stream, or `-` for standard output instead of the report.
    pub(crate) json: Option<&'a Path>,
    /// Further reports.
    pub(crate) reporting: &'a ReportingArgs,
    /// The question that the reader asked.
    pub(crate) view: View,
    /// True when the reports that `judge.yaml` names are wanted too.
    pub(crate) configured: bool,
    /// The files that the command reads: none of them may become a report.
    pub(crate) sources: &'a [PathBuf],
}

impl<'a> Wanted<'a> {
    /// The reports of a command on a workspace.
    pub(crate) fn new(reports: &'a RunReportArgs) -> Self {
        Self { json: reports.json.as_deref(), configured: true, ..Self::again(&reports.reporting) }
    }

    /// The reports of a stored run.
    pub(crate) fn again(reporting: &'a ReportingArgs) -> Self {
        Self { json: None, reporting, view: View::Run, configured: false, sources: &[] }
    }
}

/// The place where a report goes.
enum Sink {
    Stdout,
    Whole(WholeFile),
    Appended(PathBuf),
}

/// Every reporter of a command, and the state that reports and the exit code come from.
pub(crate) struct Reporters {
    /// The reporters that render events as they come.
    live: Vec<Box<dyn Reporter>>,
    /// The files that live reporters write.
    live_files: Vec<WholeFile>,
    /// The reports that are rendered at the end.
    reports: Vec<(ReportKind, Sink)>,
    settings: ReportSettings,
    /// True when one of them shows excerpts of inputs or sources.
    shows_excerpts: bool,
    /// The word that makes GitHub read commands again, after it was asked to take everything for mere text.
    deaf_until: Option<String>,
    /// Set once nobody wants the rest.
    stop: Option<CancelToken>,
    state: RunState,
}

impl Reporters {
    /// Begins every file, so that one that cannot be written is an error before anything is judged.
    pub(crate) fn open(config: &Config, wanted: Wanted<'_>) -> Result<Self, Failure> {
        let ci = if wanted.reporting.ci { ci::detect(variable) } else { None };
        if wanted.reporting.ci && ci.is_none() {
            note("--ci has no effect: none of GITHUB_ACTIONS, GITLAB_CI and CI is set");
        }
        let in_github = matches!(ci, Some(Ci::GitHub { .. }));
        let reports = reports(config, wanted, ci)?;
        if let Some(path) = wanted.json.filter(|path| *path != Path::new("-")) {
            refuse_source(wanted.sources, &config.directory.join(path))?;
        }
        let json_to_stdout = wanted.json == Some(Path::new("-"));
        let to_stdout: Vec<ReportKind> =
            reports.iter().filter(|(_, sink)| matches!(sink, Sink::Stdout)).map(|(kind, _)| *kind).collect();
        // Annotations are lines of a log, and stand below the report.
        let alone = to_stdout.iter().any(|kind| *kind != ReportKind::Github);
        if usize::from(json_to_stdout) + to_stdout.len() > 1 {
            let json = json_to_stdout.then(|| "`--json`".to_owned());
            let each: Vec<String> =
                json.into_iter().chain(to_stdout.iter().map(|kind| format!("`--report {kind}`"))).collect();
            let text =
                format!("standard output has room for one of {}\nhint: give the others a file", each.join(" and "));
            return Err(Failure::Usage(text));
        }
        let mut live: Vec<Box<dyn Reporter>> = Vec::new();
        let mut live_files = Vec::new();
        if let Some(path) = wanted.json.filter(|_| !json_to_stdout) {
            let opened = WholeFile::create(&config.directory.join(path))?;
            live.push(Box::new(JsonLines::new(Box::new(BufWriter::new(opened.clone_handle()?)))));
            live_files.push(opened);
        }
        // The matrix in Markdown is rendered problem by problem.
        let is_live = |kind: &ReportKind| wanted.view == View::Matrix && *kind == ReportKind::Markdown;
        let mut rendered_at_end = Vec::new();
        for (kind, sink) in reports {
            match sink {
                Sink::Stdout if is_live(&kind) => live.push(Box::new(Markdown::new(Box::new(io::stdout())))),
                Sink::Whole(file) if is_live(&kind) => {
                    live.push(Box::new(Markdown::new(Box::new(BufWriter::new(file.clone_handle()?)))));
                    live_files.push(file);
                }
                sink => rendered_at_end.push((kind, sink)),
            }
        }
        let reports = rendered_at_end;
        let mut deaf_until = None;
        if json_to_stdout {
            live.push(Box::new(JsonLines::new(Box::new(io::stdout()))));
        } else if !alone {
            let settings = TerminalSettings { view: wanted.view, ..config.terminal };
            live.push(Box::new(Terminal::new(settings, Box::new(io::stdout()), config.progress_target())));
            if in_github {
                let word = unguessable();
                write_stdout(&stop_commands(&word))?;
                deaf_until = Some(word);
            }
        }
        let settings = ReportSettings { prefix: config.place_in_repository() };
        let shows_excerpts = wanted.json.is_some()
            || wanted.view == View::Submit
            || reports.iter().any(|(kind, _)| *kind == ReportKind::Html);
        let (stop, state) = (config.stop.clone(), RunState::default());
        Ok(Self { live, live_files, reports, settings, shows_excerpts, deaf_until, stop, state })
    }

    /// Renders the reports that are left, and writes each of them.
    pub(crate) fn finish(mut self) -> Result<RunState, Failure> {
        for reporter in &mut self.live {
            reporter.finish().map_err(|source| Failure::Write { what: "the report".to_owned(), source })?;
        }
        drop(self.live);
        for file in self.live_files {
            file.keep()?;
        }
        if let Some(word) = &self.deaf_until {
            write_stdout(&resume_commands(word))?;
        }
        for (kind, sink) in self.reports {
            let text = render(kind, &self.state, &self.settings);
            match sink {
                Sink::Stdout => write_stdout(&text)?,
                Sink::Whole(file) => file.keep_with(&text)?,
                Sink::Appended(path) => append(&path, &text)?,
            }
        }
        Ok(self.state)
    }
}

impl Reporters {
    /// The state that the events so far have come to.
    pub(crate) fn state(&self) -> &RunState {
        &self.state
    }
}

impl Observer for Reporters {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.live.iter_mut().try_for_each(|reporter| reporter.event(event))
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.live.iter_mut().try_for_each(|reporter| reporter.progress(progress))
    }

    fn shows_excerpts(&self) -> bool {
        self.shows_excerpts
    }

    fn is_done(&self) -> bool {
        self.stop.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

/// The reports of the command line, of `judge.yaml` and of the CI, each with its place. A report that is asked for
/// twice is written once.
fn reports(config: &Config, wanted: Wanted<'_>, ci: Option<Ci>) -> Result<Vec<(ReportKind, Sink)>, Failure> {
    let mut files: Vec<(ReportKind, PathBuf)> = Vec::new();
    let mut others = Vec::new();
    let mut add_file = |kind, path: PathBuf| {
        if !files.contains(&(kind, path.clone())) {
            files.push((kind, path));
        }
    };
    for target in &wanted.reporting.reports {
        if target.is_stdout() {
            others.push((target.kind, Sink::Stdout));
        } else {
            add_file(target.kind, config.directory.join(&target.file));
        }
    }
    if wanted.configured {
        for report in &config.workspace.reports {
            // A report that judge.yaml names gets its directory too. If that cannot be created, creating the file fails.
            let _ = report.file.parent().map(ConfinedDirectory::for_output);
            add_file(report.kind, report.file.clone());
        }
    }
    for (kind, place) in ci.map(Ci::reports).unwrap_or_default() {
        match place {
            Place::Stdout => {
                if !others.iter().any(|(other, _)| *other == kind) {
                    others.push((kind, Sink::Stdout));
                }
            }
            Place::File(name) => add_file(kind, config.directory.join(name)),
            Place::Appended(path) => others.push((kind, Sink::Appended(path))),
        }
    }
    if let Some((kind, path)) = files
        .iter()
        .enumerate()
        .find_map(|(index, file)| files[..index].iter().any(|(_, other)| *other == file.1).then_some(file))
    {
        let text = format!("`{}` is to hold two reports, one of them {kind}; expected a file for each", path.display());
        return Err(Failure::Usage(text));
    }
    let appended = others.iter().filter_map(|(_, sink)| match sink {
        Sink::Appended(path) => Some(path),
        _ => None,
    });
    files.iter().map(|(_, path)| path).chain(appended).try_for_each(|path| refuse_source(wanted.sources, path))?;
    let whole = files.into_iter().map(|(kind, path)| Ok((kind, Sink::Whole(WholeFile::create(&path)?))));
    whole.chain(others.into_iter().map(Ok)).collect()
}

/// Refuses to write a report over a file that it is made of, by whatever name or link.
fn refuse_source(sources: &[PathBuf], report: &Path) -> Result<(), Failure> {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    let Some(written) = identity(report) else { return Ok(()) };
    if sources.iter().any(|source| identity(source) == Some(written)) {
        let text = format!("`{}` is an input of this report\nhint: name another file", report.display());
        return Err(Failure::Usage(text));
    }
    Ok(())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Prints the reason why a command could not do its work.
pub(crate) fn print_failure(failure: &Failure) {
    // Nothing is left to be done when standard error is gone too.
    let _ = complain(&format!("error: {failure}"));
}

/// Prints something that is no result.
pub(crate) fn note(text: &str) {
    // Nothing is left to be done when standard error is gone.
    let _ = complain(&format!("note: {text}"));
}

/// Writes a message to standard error, on a terminal in lines that fit.
pub(crate) fn complain(text: &str) -> Result<(), Failure> {
    let text = match columns_of(io::stderr()) {
        Some(columns) => broken_lines(text, columns.max(40)),
        None => printable_lines(text),
    };
    write(&mut io::stderr(), &(text + "\n"))
}

/// Writes the result of a command that reports on no run, whole.
pub(crate) fn write(writer: &mut dyn Write, text: &str) -> Result<(), Failure> {
    let written = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    written.map_err(|source| Failure::Write { what: RESULT.to_owned(), source })
}

/// Writes a text to standard output.
pub(crate) fn write_stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: "the report".to_owned(), source })
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    let opened = File::options().append(true).create(true).open(path);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed(path))
}

/// A word that nothing which is judged can know: the standard library seeds each of its hashers by chance.
fn unguessable() -> String {
    use std::hash::{BuildHasher, RandomState};
    let half = || RandomState::new().hash_one(std::process::id());
    format!("judge-{:016x}{:016x}", half(), half())
}
