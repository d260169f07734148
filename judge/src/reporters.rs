//! Reporters: every reporter and report of a command, and the destination of each.
//!
//! Responsible for the choice of the report on standard output, and for writing the other reports
//! as whole files at the end. Must not know the content of any report, nor the command.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use judge_event::{Event, Progress, RunState};
use judge_files::ConfinedDirectory;
use judge_model::ReportKind;
use judge_report::{
    ReportSettings, Reporter, Terminal, TerminalSettings, View, is_live, live_reporter, render,
    resume_commands, stop_commands,
};
use judge_runner::Observer;
use judge_sandbox::CancelToken;

use crate::args::ReportingArgs;
use crate::ci::{self, Ci, Place};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::messages::{complain, note, print};
use crate::whole_file::{WholeFile, failed};

/// The reports that a command is to write.
#[derive(Clone, Copy)]
pub(crate) struct ReportRequest<'a> {
    /// The reports of the command line.
    pub(crate) reporting: &'a ReportingArgs,
    /// The view of the results on the terminal.
    pub(crate) view: View,
    /// True to write the reports that `judge.yaml` names too.
    pub(crate) configured: bool,
    /// The files that the command reads, which no report may overwrite.
    pub(crate) sources: &'a [PathBuf],
}

impl<'a> ReportRequest<'a> {
    /// The reports of a command on a workspace.
    pub(crate) fn new(reporting: &'a ReportingArgs) -> Self {
        Self {
            reporting,
            view: View::Run,
            configured: true,
            sources: &[],
        }
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
    /// The token that makes GitHub interpret commands again, after they were stopped.
    resume_token: Option<String>,
    /// Set when the results are obsolete.
    stop: Option<CancelToken>,
    state: RunState,
}

impl Reporters {
    /// Opens every file, so that an unwritable one is an error before anything runs.
    pub(crate) fn open(config: &Config, request: ReportRequest<'_>) -> Result<Self, Failure> {
        let has_ci = request.reporting.has_ci();
        let ci = if has_ci { ci::detect(variable) } else { None };
        if has_ci && ci.is_none() {
            note("`--report ci` has no effect: none of GITHUB_ACTIONS, GITLAB_CI and CI is set");
        }
        let in_github = matches!(ci, Some(Ci::GitHub { .. }));
        let reports = reports(config, request, ci)?;
        let to_stdout: Vec<ReportKind> = reports
            .iter()
            .filter(|(_, sink)| matches!(sink, Sink::Stdout))
            .map(|(kind, _)| *kind)
            .collect();
        refuse_several(&to_stdout)?;
        let shows_excerpts = request.view == View::Submit
            || reports
                .iter()
                .any(|(kind, _)| matches!(kind, ReportKind::Json | ReportKind::Html));
        let mut live: Vec<Box<dyn Reporter>> = Vec::new();
        let (mut live_files, mut rendered_at_end) = (Vec::new(), Vec::new());
        for (kind, sink) in reports {
            match sink {
                sink if !is_live(kind, request.view) => rendered_at_end.push((kind, sink)),
                Sink::Stdout => live.push(live_reporter(kind, Box::new(io::stdout()))),
                Sink::Whole(file) => {
                    live.push(live_reporter(
                        kind,
                        Box::new(BufWriter::new(file.clone_handle()?)),
                    ));
                    live_files.push(file);
                }
                // A file that other programs append to as well gets the whole report at the end.
                sink @ Sink::Appended(_) => rendered_at_end.push((kind, sink)),
            }
        }
        let mut resume_token = None;
        // Annotations are lines of a log, and appear below the report. Any other report replaces
        // that of the terminal.
        if to_stdout.iter().all(|kind| *kind == ReportKind::Github) {
            let settings = TerminalSettings {
                view: request.view,
                ..config.terminal
            };
            live.push(Box::new(Terminal::new(
                settings,
                Box::new(io::stdout()),
                config.progress_target(),
            )));
            if in_github {
                // GitHub reads commands from every line of the log, and output of submissions is
                // part of it. The runner ignores them until it sees this token, which a submission
                // must not be able to print.
                let token = random_token();
                write_stdout(&stop_commands(&token))?;
                resume_token = Some(token);
            }
        }
        Ok(Self {
            live,
            live_files,
            reports: rendered_at_end,
            settings: ReportSettings {
                prefix: config.place_in_repository(),
            },
            shows_excerpts,
            resume_token,
            stop: config.stop.clone(),
            state: RunState::default(),
        })
    }

    /// Renders the remaining reports, and writes all of them. Returns the exit code of the run.
    pub(crate) fn finish(mut self) -> Result<ExitCode, Failure> {
        for reporter in &mut self.live {
            reporter
                .finish()
                .map_err(|source| Failure::write("the report", source))?;
        }
        // Files get their names only when no reporter can write to them any more.
        drop(self.live);
        for file in self.live_files {
            file.keep()?;
        }
        if let Some(token) = &self.resume_token {
            write_stdout(&resume_commands(token))?;
        }
        for (kind, sink) in self.reports {
            let text = render(kind, &self.state, &self.settings);
            match sink {
                Sink::Stdout => write_stdout(&text)?,
                Sink::Whole(file) => file.keep_with(&text)?,
                Sink::Appended(path) => append(&path, &text)?,
            }
        }
        Ok(exit_code::for_state(&self.state))
    }

    /// The state after the events so far.
    pub(crate) fn state(&self) -> &RunState {
        &self.state
    }
}

impl Observer for Reporters {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The state is updated first: the exit code must be right even if a reader disappears.
        self.state.apply(event);
        self.live
            .iter_mut()
            .try_for_each(|reporter| reporter.event(event))
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.live
            .iter_mut()
            .try_for_each(|reporter| reporter.progress(progress))
    }

    fn shows_excerpts(&self) -> bool {
        self.shows_excerpts
    }

    fn is_done(&self) -> bool {
        self.stop.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

/// The reports of the command line, of `judge.yaml` and of the CI, each with its place. A report
/// that is requested twice is written once.
fn reports(
    config: &Config,
    request: ReportRequest<'_>,
    ci: Option<Ci>,
) -> Result<Vec<(ReportKind, Sink)>, Failure> {
    let mut files: Vec<(ReportKind, PathBuf)> = Vec::new();
    let mut others = Vec::new();
    let mut add_file = |kind, path: PathBuf| {
        if !files.contains(&(kind, path.clone())) {
            files.push((kind, path));
        }
    };
    for target in request.reporting.targets() {
        if target.is_stdout() {
            others.push((target.kind, Sink::Stdout));
        } else {
            add_file(target.kind, config.directory.join(&target.file));
        }
    }
    if request.configured {
        for report in &config.workspace.reports {
            // A report that judge.yaml names gets its directory too. If that cannot be created,
            // creating the file fails.
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
    refuse_shared_file(&files)?;
    let appended = others.iter().filter_map(|(_, sink)| match sink {
        Sink::Appended(path) => Some(path),
        _ => None,
    });
    files
        .iter()
        .map(|(_, path)| path)
        .chain(appended)
        .try_for_each(|path| refuse_source(request.sources, path))?;
    let whole = files
        .into_iter()
        .map(|(kind, path)| Ok((kind, Sink::Whole(WholeFile::create(&path)?))));
    whole.chain(others.into_iter().map(Ok)).collect()
}

/// Refuses several reports on standard output.
pub(crate) fn refuse_several(to_stdout: &[ReportKind]) -> Result<(), Failure> {
    if to_stdout.len() < 2 {
        return Ok(());
    }
    let each: Vec<String> = to_stdout
        .iter()
        .map(|kind| format!("`--report {kind}`"))
        .collect();
    let each = each.join(" and ");
    Err(Failure::Usage(format!(
        "standard output has room for one of {each}\nhint: give the others a file"
    )))
}

/// Refuses several reports in one file.
pub(crate) fn refuse_shared_file(files: &[(ReportKind, PathBuf)]) -> Result<(), Failure> {
    let is_shared =
        |index: usize, path: &Path| files[..index].iter().any(|(_, other)| other == path);
    let Some((_, (kind, path))) = files
        .iter()
        .enumerate()
        .find(|(index, (_, path))| is_shared(*index, path))
    else {
        return Ok(());
    };
    let text = format!(
        "two reports, one of them {kind}, would share `{}`; expected a file for each",
        path.display()
    );
    Err(Failure::Usage(text))
}

/// Refuses to overwrite an input of the report, under any name or link.
pub(crate) fn refuse_source(sources: &[PathBuf], report: &Path) -> Result<(), Failure> {
    // Compared by device and inode, so that another spelling or a link of the same file is
    // recognised too.
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    let Some(written) = identity(report) else {
        return Ok(());
    };
    if sources
        .iter()
        .any(|source| identity(source) == Some(written))
    {
        let text = format!(
            "`{}` is an input of this report\nhint: name another file",
            report.display()
        );
        return Err(Failure::Usage(text));
    }
    Ok(())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Prints the reason why a command could not do its work.
pub(crate) fn print_failure(failure: &Failure) {
    // If standard error is closed too, the message is lost.
    let _ = complain(&format!("error: {failure}"));
}

/// Writes a text to standard output.
pub(crate) fn write_stdout(text: &str) -> Result<(), Failure> {
    print(text).map_err(Failure::with_verdict)
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    // With O_APPEND, the output of other programs to the same summary is not overwritten.
    let opened = File::options().append(true).create(true).open(path);
    opened
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(failed(path))
}

/// A token that no judged program can know: the standard library seeds each of its hashers
/// randomly.
fn random_token() -> String {
    use std::hash::{BuildHasher, RandomState};
    let half = || RandomState::new().hash_one(std::process::id());
    format!("judge-{:016x}{:016x}", half(), half())
}
