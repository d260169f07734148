//! Judging: from loaded packages to a finished run. Shared by the commands that judge.
//!
//! Responsible for the plan and the sandbox of a run. Must not know which command asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_authoring::tell_origins;
use judge_event::{Command, PackageFault, PackageWarning};
use judge_model::{Guarantee, Isolation, IsolationLevel, Language, LanguageId, Problem};
use judge_package::{Filter, LoadedPackage, PackageErrors};
use judge_report::View;
use judge_runner::{
    Keeping, Margins, Observer, Origin, Plan, PlannedProblem, RunSettings, TimeLimitSource, Toolchains,
};
use judge_sandbox::{LateSandbox, LinuxSandbox, Sandbox};

use crate::args::JudgingArgs;
use crate::circumstances;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::telling::{Reporters, Wanted};

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
        tell_origins(&problem.directory, &mut problem.test_cases);
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

/// The rows of the table.
fn rows(wanted: &BTreeSet<LanguageId>, table: &[Language]) -> Vec<Language> {
    table.iter().filter(|language| wanted.contains(&language.id)).cloned().collect()
}

/// Carries out a plan and reports it.
pub(crate) fn judge(
    config: &Config,
    judging: &JudgingArgs,
    plan: Plan,
    fail_fast: bool,
    command: Command,
) -> Result<ExitCode, Failure> {
    let mut reporters = None;
    let wanted = Wanted::new(judging.json.as_deref(), &judging.telling);
    let wanted = match command {
        // One submission is its author's own affair, and no reason to write what is to say how the workspace is.
        Command::Submit => Wanted { view: View::Submit, configured: false, ..wanted },
        Command::Run | Command::Verify | Command::Matrix => wanted,
    };
    let opened = || Reporters::open(config, wanted);
    judge_into(config, judging, plan, (command, fail_fast), || Ok(reporters.insert(opened()?)))?;
    let state = reporters.map(Reporters::finish).transpose()?.unwrap_or_default();
    Ok(exit_code::of(&state))
}

/// Carries out a plan and tells it to an observer, which is asked for once nothing stands in the way of beginning.
pub(crate) fn judge_into<'r, O: Observer + 'r>(
    config: &Config,
    judging: &JudgingArgs,
    plan: Plan,
    (command, fail_fast): (Command, bool),
    observer: impl FnOnce() -> Result<&'r mut O, Failure>,
) -> Result<(), Failure> {
    let Ready { toolchains, sandbox, settings } = make_ready(config, judging, &plan, (Some(command), fail_fast))?;
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
    run: (Option<Command>, bool),
) -> Result<Ready, Failure> {
    make_ready_for(config, judging, &plan.languages(), run)
}

/// The same for programs in these languages.
pub(crate) fn make_ready_for(
    config: &Config,
    judging: &JudgingArgs,
    languages: &BTreeSet<LanguageId>,
    (command, fail_fast): (Option<Command>, bool),
) -> Result<Ready, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let languages = rows(languages, &config.workspace.languages);
    let demand = judging.isolation.or(config.workspace.isolation);
    let results = command.and_then(|_| host::results(judging.no_cache));
    let memory = results.as_ref().and_then(Keeping::memory);
    // Asking the compilers and trying the isolation level both take a while, and neither needs the other.
    let (toolchains, found) = std::thread::scope(|scope| {
        let toolchains = scope.spawn(|| match &memory {
            Some(memory) => memory.toolchains(&languages, &path),
            None => Toolchains::probe(&languages, &path),
        });
        let found = find_sandbox(demand, results.as_ref());
        (toolchains.join().unwrap_or_default(), found)
    });
    let (mut toolchains, (sandbox, closed)) = (toolchains, found?);
    require(&config.workspace.required, sandbox.isolation())?;
    toolchains.keep_reachable(&path, &closed);
    let (jobs, cores) = config.jobs(judging);
    let settings = RunSettings {
        jobs,
        cores,
        fail_fast,
        cache_dir: host::cache_dir(),
        results,
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
        origin: Origin { command, started_at: Some(host::now()), host: Some(host::description()) },
    };
    Ok(Ready { toolchains, sandbox, settings })
}

/// Gives the directory above a path that programs may not pass through, if there is one.
type Closed = Box<dyn Fn(&Path) -> Option<PathBuf>>;

/// Opens the sandbox, or promises the one that was had before under the same circumstances.
fn find_sandbox(
    demand: Option<IsolationLevel>,
    results: Option<&Keeping>,
) -> Result<(Arc<dyn Sandbox>, Closed), Failure> {
    let memory = results.and_then(|results| Some((results.memory()?, circumstances::of(results.judge(), demand))));
    let had = memory.as_ref().and_then(|(memory, circumstances)| memory.isolation(circumstances));
    if let (Some(isolation), Some((memory, _))) = (had, &memory) {
        let memory = memory.clone();
        let forget = Box::new(move || memory.forget_isolation());
        let sandbox = Arc::new(LateSandbox::expecting(isolation, demand, forget));
        let closed = Arc::clone(&sandbox);
        return Ok((sandbox, Box::new(move |path| closed.closed_directory(path))));
    }
    let sandbox = Arc::new(LinuxSandbox::open(demand)?);
    if let Some((memory, circumstances)) = &memory {
        memory.remember_isolation(circumstances, sandbox.isolation());
    }
    let closed = Arc::clone(&sandbox);
    Ok((sandbox, Box::new(move |path| closed.closed_directory(path))))
}

/// Compares what the workspace requires with what this host gives.
pub(crate) fn require(required: &[Guarantee], isolation: &Isolation) -> Result<(), Failure> {
    let guarantees = isolation.missing(required);
    if guarantees.is_empty() { Ok(()) } else { Err(Failure::Guarantees { level: isolation.level, guarantees }) }
}
