//! Judging: from loaded packages to a finished run. Shared by the commands that judge.
//!
//! Responsible for the plan, the sandbox and the reporters of a run. Must not know which command asked.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::{Event, PackageFault, PackageWarning, Progress, RunState};
use judge_model::{Guarantee, Isolation, Language, Problem};
use judge_package::{Filter, LoadedPackage, PackageErrors};
use judge_report::{JsonLines, Markdown, ProgressDrawTarget, Reporter, Terminal, TerminalSettings, View};
use judge_runner::{Margins, Observer, Plan, PlannedProblem, RunSettings, TimeLimitSource, Toolchains};
use judge_sandbox::{LinuxSandbox, Sandbox};

use crate::args::JudgingArgs;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;

/// Puts a plan together, package by package.
pub(crate) struct PlanBuilder<'a> {
    config: &'a Config,
    judging: &'a JudgingArgs,
    margins: Margins,
    plan: Plan,
}

impl<'a> PlanBuilder<'a> {
    pub(crate) fn new(config: &'a Config, judging: &'a JudgingArgs) -> Self {
        Self { config, judging, margins: Margins::Remarked, plan: Plan::default() }
    }

    /// Demands the margins around time limits that packages ask for: what verifying a package is for. Elsewhere they are
    /// worth a remark, since machines differ.
    pub(crate) fn demanding_margins(self) -> Self {
        Self { margins: Margins::Demanded, ..self }
    }

    /// Takes the faults of a package that cannot be loaded.
    pub(crate) fn add_errors(&mut self, directory: &Path, errors: &PackageErrors) {
        let problem = name_of(directory);
        let faults = errors.iter().map(|error| PackageFault {
            problem: problem.clone(),
            file: self.config.told(&error.file),
            line: error.line,
            message: error.message.clone(),
            hint: error.hint.clone(),
        });
        self.plan.package_faults.extend(faults);
    }

    /// Takes what is wanted of a package.
    pub(crate) fn add(&mut self, loaded: LoadedPackage, filter: &Filter) {
        self.add_instead(loaded, filter, None);
    }

    /// The same, where the submissions of the package were replaced: its time limit comes from the `whole` problem.
    pub(crate) fn add_instead(&mut self, loaded: LoadedPackage, filter: &Filter, whole: Option<Arc<Problem>>) {
        let LoadedPackage { mut problem, warnings, .. } = loaded;
        let stated = self.judging.time_limit.or(problem.limits.time_limit);
        let time_limit_source = match stated {
            Some(_) => TimeLimitSource::Stated,
            None => TimeLimitSource::ToInfer(whole.unwrap_or_else(|| Arc::new(problem.clone()))),
        };
        let test_cases_total = problem.test_cases.len();
        problem.test_cases.retain(|test_case| filter.matches_test_case(&test_case.id));
        problem.submissions.retain(|submission| filter.matches_submission(&submission.id));
        if self.judging.samples {
            problem.test_cases.retain(judge_model::TestCase::is_sample);
        }
        let warnings = warnings.into_iter().map(|warning| PackageWarning {
            problem: problem.name.clone(),
            file: self.config.told(&warning.file),
            line: warning.line,
            message: warning.message,
        });
        self.plan.problems.push(PlannedProblem {
            name: problem.name.clone(),
            path: self.config.told(&problem.directory),
            test_cases_total,
            time_limit: stated.unwrap_or_default(),
            time_limit_source,
            // Another limit than the package's has no margins that anybody could be held to.
            margins: if self.judging.time_limit.is_some() { Margins::Ignored } else { self.margins },
            submission_paths: problem.submissions.iter().map(|of| self.config.told(&of.path)).collect(),
            warnings: warnings.collect(),
            problem: Arc::new(problem),
        });
    }

    /// The plan, every problem with a name of its own.
    pub(crate) fn finish(mut self) -> Plan {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for planned in &self.plan.problems {
            *count.entry(planned.name.clone()).or_default() += 1;
        }
        for planned in self.plan.problems.iter_mut().filter(|planned| count[&planned.name] > 1) {
            planned.name.clone_from(&planned.path);
        }
        self.plan
    }
}

/// What people call a package: the name of its directory.
pub(crate) fn name_of(directory: &Path) -> String {
    directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy().into_owned()
}

/// The languages that a plan needs tools for.
fn languages_of(plan: &Plan, table: &[Language]) -> Vec<Language> {
    let wanted = plan.languages();
    table.iter().filter(|language| wanted.contains(&language.id)).cloned().collect()
}

/// Carries out a plan and reports it.
pub(crate) fn judge(
    config: &Config,
    judging: &JudgingArgs,
    plan: Plan,
    fail_fast: bool,
    view: View,
) -> Result<ExitCode, Failure> {
    let mut reporters = None;
    let opened = || Reporters::open(config, judging.json.as_deref(), view);
    judge_into(config, judging, plan, fail_fast, || Ok(reporters.insert(opened()?)))?;
    let state = reporters.map(Reporters::finish).transpose()?.unwrap_or_default();
    Ok(exit_code::of(&state))
}

/// Carries out a plan and tells it to an observer, which is asked for once nothing stands in the way of beginning.
pub(crate) fn judge_into<'r, O: Observer + 'r>(
    config: &Config,
    judging: &JudgingArgs,
    plan: Plan,
    fail_fast: bool,
    observer: impl FnOnce() -> Result<&'r mut O, Failure>,
) -> Result<(), Failure> {
    let Ready { toolchains, sandbox, settings } = make_ready(config, judging, &plan, fail_fast)?;
    judge_runner::run(plan, &toolchains, sandbox, &settings, observer()?)?;
    Ok(())
}

/// What a plan is carried out with.
pub(crate) struct Ready {
    pub(crate) toolchains: Toolchains,
    pub(crate) sandbox: Arc<dyn Sandbox>,
    pub(crate) settings: RunSettings,
}

/// Finds compilers and an isolation level.
pub(crate) fn make_ready(
    config: &Config,
    judging: &JudgingArgs,
    plan: &Plan,
    fail_fast: bool,
) -> Result<Ready, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let languages = languages_of(plan, &config.workspace.languages);
    let demand = judging.isolation.or(config.workspace.isolation);
    // Asking the compilers and trying the isolation level both take a while, and neither needs the other.
    let (toolchains, sandbox) = std::thread::scope(|scope| {
        let toolchains = scope.spawn(|| Toolchains::probe(&languages, &path));
        let sandbox = LinuxSandbox::open(demand);
        (toolchains.join().unwrap_or_default(), sandbox)
    });
    let (mut toolchains, sandbox) = (toolchains, sandbox?);
    require(&config.workspace.required, sandbox.isolation())?;
    toolchains.keep_reachable(&path, &|path| sandbox.closed_directory(path));
    let (jobs, cores) = config.jobs(judging);
    let settings = RunSettings {
        jobs,
        cores,
        fail_fast,
        cache_dir: host::cache_dir(),
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(Ready { toolchains, sandbox: Arc::new(sandbox), settings })
}

/// Compares what the workspace requires with what this host gives.
pub(crate) fn require(required: &[Guarantee], isolation: &Isolation) -> Result<(), Failure> {
    let guarantees = isolation.missing(required);
    if guarantees.is_empty() { Ok(()) } else { Err(Failure::Guarantees { level: isolation.level, guarantees }) }
}

/// Every reporter of a command, and the state that the exit code comes from.
pub(crate) struct Reporters {
    reporters: Vec<Box<dyn Reporter>>,
    file: Option<EventFile>,
    state: RunState,
}

impl Reporters {
    /// `json`: the file for the event stream, or `-` for standard output instead of the report.
    pub(crate) fn open(config: &Config, json: Option<&Path>, view: View) -> Result<Self, Failure> {
        if json == Some(Path::new("-")) {
            return Self::with(config, None, Box::new(JsonLines::new(Box::new(io::stdout()))));
        }
        let bar = if config.progress { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let settings = TerminalSettings { view, ..config.terminal };
        Self::with(config, json, Box::new(Terminal::new(settings, Box::new(io::stdout()), bar)))
    }

    /// The same with Markdown as the report; `json` is a file.
    pub(crate) fn open_markdown(config: &Config, json: Option<&Path>) -> Result<Self, Failure> {
        Self::with(config, json, Box::new(Markdown::new(Box::new(io::stdout()))))
    }

    fn with(config: &Config, json: Option<&Path>, report: Box<dyn Reporter>) -> Result<Self, Failure> {
        let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
        let mut file = None;
        if let Some(path) = json {
            let opened = EventFile::create(&config.directory.join(path))?;
            reporters.push(Box::new(JsonLines::new(Box::new(BufWriter::new(opened.clone_handle()?)))));
            file = Some(opened);
        }
        reporters.push(report);
        Ok(Self { reporters, file, state: RunState::default() })
    }

    /// What was told so far has come to.
    pub(crate) fn state(&self) -> &RunState {
        &self.state
    }

    pub(crate) fn finish(mut self) -> Result<RunState, Failure> {
        for reporter in &mut self.reporters {
            reporter.finish().map_err(|source| Failure::Write { what: "the report".to_owned(), source })?;
        }
        drop(self.reporters);
        if let Some(file) = self.file {
            file.keep()?;
        }
        Ok(self.state)
    }
}

impl Observer for Reporters {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.reporters.iter_mut().try_for_each(|reporter| reporter.event(event))
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.reporters.iter_mut().try_for_each(|reporter| reporter.progress(progress))
    }
}

/// A file of events in the making: it has its name only when it is whole.
pub(crate) struct EventFile {
    file: File,
    partial: PathBuf,
    path: PathBuf,
}

impl EventFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(failed(&partial))?;
        Ok(Self { file, partial, path: path.to_owned() })
    }

    pub(crate) fn clone_handle(&self) -> Result<File, Failure> {
        self.file.try_clone().map_err(failed(&self.partial))
    }

    pub(crate) fn keep(mut self) -> Result<(), Failure> {
        self.file.flush().and_then(|()| self.file.sync_all()).map_err(failed(&self.partial))?;
        std::fs::rename(&self.partial, &self.path).map_err(failed(&self.path))
    }
}

impl Drop for EventFile {
    fn drop(&mut self) {
        // After `keep` the file has its name, and there is nothing under this one.
        let _ = std::fs::remove_file(&self.partial);
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let what = format!("`{}`", path.display());
    move |source| Failure::Write { what, source }
}
