//! `judge check`: packages themselves, without judging any submission.
//!
//! Responsible for weighing what is found: profile, silencings, and findings that only several packages together show.
//! Must not know how anything is found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use judge_check::{DirectoryTally, Inspected};
use judge_event::{
    CheckFinished, CheckStarted, End, Event, Finding as Told, HostFault, PackageChecked, Progress, SCHEMA_VERSION,
};
use judge_model::{Isolation, IsolationLevel, Language, LanguageId, Problem, Severity};
use judge_package::{Checked, Code, Finding, LoadedPackage, Profile, Selection, check, code};
use judge_runner::{Interrupts, Jury, Observer, RunnerError, Toolchains};
use judge_sandbox::{CancelToken, LinuxSandbox, Sandbox};

use crate::args::{CheckArgs, WeighingArgs};
use crate::commands::explain;
use crate::commands::judging::name_of;
use crate::commands::run::{Selected, select_changed};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::telling::{Reporters, Wanted};

pub(crate) fn carry_out(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    if let Some(word) = &args.explain {
        return explain::carry_out(config, word);
    }
    let selection = match select_changed(config, &args.what, &args.since)? {
        Selected::Some(selection) => selection,
        Selected::Unchanged => return Ok(ExitCode::AsExpected),
    };
    let (jobs, _) = config.jobs_or(args.jobs);
    let mut reporters = Reporters::open(config, Wanted::new(args.json.as_deref(), &args.telling))?;
    let scope = Scope {
        whole_workspace: args.what.is_empty() && args.since.since.is_none(),
        files_only: args.files_only,
        isolation: args.isolation,
        jobs,
    };
    check_packages(config, &selection, &args.weighing, scope, &mut reporters)?;
    let state = reporters.finish()?;
    Ok(exit_code::of(&state))
}

/// What is to be checked beyond the selection itself.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// Whether nothing was named: then what silences nothing is told.
    pub(crate) whole_workspace: bool,
    /// Whether nothing is to be run.
    pub(crate) files_only: bool,
    /// The isolation that is demanded.
    pub(crate) isolation: Option<IsolationLevel>,
    /// Programs to run, or files to read, at a time.
    pub(crate) jobs: usize,
}

/// Checks packages, tells what is found, and gives back what can be judged; nothing when it did not come to its end.
pub(crate) fn check_packages(
    config: &Config,
    selection: &Selection,
    weighing: &WeighingArgs,
    scope: Scope,
    reporters: &mut Reporters,
) -> Result<Vec<Checked>, Failure> {
    let begun = Instant::now();
    let directories: Vec<PathBuf> = selection.packages.iter().map(|package| package.directory.clone()).collect();
    let mut checked = look_at_all(config, &directories, scope.jobs);
    add_shared_uuids(&directories, &mut checked);
    let running = if scope.files_only { None } else { Validators::open(config, scope.isolation, &checked)? };
    let mut telling = Telling { config, scales: Scales::new(config, weighing), reporters };
    telling.tell(&Event::CheckStarted(CheckStarted {
        schema: SCHEMA_VERSION,
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: Some(host::now()),
        host: Some(Box::new(host::description())),
        profile: telling.scales.profile_name(),
        packages: directories.len() as u64,
        isolation: running.as_ref().map(|running| running.isolation().clone()),
        seed: running.as_ref().map(|_| judge_check::SEED),
    }))?;
    let mut end = End::Completed;
    for (directory, checked) in directories.iter().zip(&checked) {
        telling.findings(directory, &checked.findings)?;
        let mut validator_runs = 0;
        if let (Some(running), Some(loaded)) = (&running, &checked.loaded) {
            match running.inspect(loaded, scope.jobs, telling.reporters) {
                Ok(None) => {
                    end = End::Interrupted;
                    break;
                }
                Ok(Some(inspected)) => {
                    validator_runs = inspected.runs;
                    telling.findings(directory, &inspected.findings)?;
                }
                Err(error) => {
                    let problem = Some(loaded.problem.name.clone());
                    let (submission, test_case, message) = (None, None, error.to_string());
                    telling.tell(&Event::HostFault(HostFault { problem, submission, test_case, message }))?;
                    end = End::Aborted;
                    break;
                }
            }
        }
        telling.tell(&Event::PackageChecked(PackageChecked {
            problem: name_of(directory),
            path: config.told(directory),
            loads: checked.loaded.is_some(),
            validator_runs,
        }))?;
    }
    if scope.whole_workspace && end == End::Completed {
        telling.unused_silencings(scope.files_only)?;
    }
    let wall_time_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    telling.tell(&Event::CheckFinished(CheckFinished { end, wall_time_us }))?;
    Ok(if end == End::Completed { checked } else { Vec::new() })
}

/// Findings on their way to the reporters.
pub(crate) struct Telling<'a> {
    pub(crate) config: &'a Config,
    pub(crate) scales: Scales<'a>,
    pub(crate) reporters: &'a mut Reporters,
}

impl Telling<'_> {
    pub(crate) fn tell(&mut self, event: &Event) -> Result<(), Failure> {
        let told = self.reporters.event(event);
        told.map_err(|source| Failure::Write { what: "the report".to_owned(), source })
    }

    pub(crate) fn findings(&mut self, directory: &Path, findings: &[Finding]) -> Result<(), Failure> {
        let problem = name_of(directory);
        for finding in findings {
            if let Some(told) = self.scales.weigh(Some((&problem, directory)), finding) {
                self.tell(&Event::Finding(told))?;
            }
        }
        Ok(())
    }

    fn unused_silencings(&mut self, files_only: bool) -> Result<(), Failure> {
        let Some(file) = &self.config.workspace.file else { return Ok(()) };
        for finding in self.scales.unused(file, files_only) {
            if let Some(told) = self.scales.weigh(None, &finding) {
                self.tell(&Event::Finding(told))?;
            }
        }
        Ok(())
    }
}

/// What validators of all the packages are run with.
pub(crate) struct Validators {
    sandbox: Arc<LinuxSandbox>,
    toolchains: Toolchains,
    cancel: CancelToken,
    /// Sets the token.
    _interrupts: Interrupts,
}

impl Validators {
    /// `None` when there is nothing to run.
    pub(crate) fn open(
        config: &Config,
        demand: Option<IsolationLevel>,
        checked: &[Checked],
    ) -> Result<Option<Self>, Failure> {
        let problems: Vec<&Problem> =
            checked.iter().filter_map(|checked| Some(&checked.loaded.as_ref()?.problem)).collect();
        if problems.is_empty() {
            return Ok(None);
        }
        let wanted: BTreeSet<LanguageId> = problems.into_iter().flat_map(judge_check::languages).collect();
        let table = config.workspace.languages.iter();
        let languages: Vec<Language> = table.filter(|language| wanted.contains(&language.id)).cloned().collect();
        let sandbox = LinuxSandbox::open(demand.or(config.workspace.isolation))?;
        let toolchains = Toolchains::probe(&languages, &std::env::var_os("PATH").unwrap_or_default());
        let cancel = CancelToken::new()?;
        let interrupts = Interrupts::listen(cancel.clone())?;
        Ok(Some(Self { sandbox: Arc::new(sandbox), toolchains, cancel, _interrupts: interrupts }))
    }

    pub(crate) fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// `None` when it was interrupted.
    pub(crate) fn inspect(
        &self,
        loaded: &LoadedPackage,
        jobs: usize,
        reporters: &mut Reporters,
    ) -> Result<Option<Inspected>, RunnerError> {
        let (jury, seed) = (self.jury(loaded)?, judge_check::SEED);
        let mut show = progress_of(loaded, reporters);
        judge_check::inspect(loaded, &jury, &self.toolchains, jobs, seed, &self.cancel, &mut show)
    }

    /// The same for the package's own data alone, which is counted too.
    pub(crate) fn validate(
        &self,
        loaded: &LoadedPackage,
        jobs: usize,
        reporters: &mut Reporters,
    ) -> Result<Option<(Inspected, Vec<DirectoryTally>)>, RunnerError> {
        let mut show = progress_of(loaded, reporters);
        judge_check::validate(loaded, &self.jury(loaded)?, &self.toolchains, jobs, &self.cancel, &mut show)
    }

    fn jury(&self, loaded: &LoadedPackage) -> Result<Jury, RunnerError> {
        let packages = [loaded.problem.directory.clone()];
        let sandbox: Arc<dyn Sandbox> = self.sandbox.clone();
        Jury::open(&self.toolchains, sandbox, &host::cache_dir(), &packages, self.cancel.clone())
    }
}

/// Shows how many questions the validators of a package have answered.
fn progress_of(loaded: &LoadedPackage, reporters: &mut Reporters) -> impl FnMut(u64, u64) {
    let mut progress = Progress { running: vec![loaded.problem.name.clone()], ..Progress::default() };
    move |done, total| {
        (progress.done, progress.total) = (done, total);
        // A bar that cannot be drawn keeps nobody from checking.
        let _ = reporters.progress(&progress);
    }
}

/// Looks at every package, several at a time, and gives what was found in their order.
fn look_at_all(config: &Config, directories: &[PathBuf], jobs: usize) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(directory) = directories.get(index) else { return found };
            found.push((index, check(directory, &config.workspace, jobs)));
        }
    };
    let mut all: Vec<(usize, Checked)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.min(directories.len())).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, checked)| checked).collect()
}

/// Two packages with one uuid are one problem to other systems.
fn add_shared_uuids(directories: &[PathBuf], checked: &mut [Checked]) {
    let mut first: BTreeMap<String, &PathBuf> = BTreeMap::new();
    for (directory, checked) in directories.iter().zip(checked) {
        let Some(uuid) = checked.uuid.clone() else { continue };
        if let Some(other) = first.get(&uuid) {
            let message = format!("has the uuid of `{}`", other.display());
            checked.findings.push(Finding::new(code::UUID_TWICE, &directory.join("problem.yaml"), message));
        } else {
            first.insert(uuid, directory);
        }
    }
}

/// How much findings weigh here.
pub(crate) struct Scales<'a> {
    config: &'a Config,
    profile: Profile,
    strict: bool,
    /// For each silencing of the workspace whether it silenced anything.
    used: Vec<bool>,
}

impl<'a> Scales<'a> {
    pub(crate) fn new(config: &'a Config, weighing: &WeighingArgs) -> Self {
        let settings = &config.workspace.check;
        let profile = weighing.profile.or(settings.profile).unwrap_or_default();
        Self { config, profile, strict: weighing.strict, used: vec![false; settings.silencings.len()] }
    }

    pub(crate) fn profile_name(&self) -> String {
        if self.strict && self.profile != Profile::Strict {
            format!("{}, strict", self.profile)
        } else {
            self.profile.to_string()
        }
    }

    /// The finding as it is told; `None` when the profile does not want it.
    fn weigh(&mut self, package: Option<(&str, &Path)>, finding: &Finding) -> Option<Told> {
        // What keeps a package from being judged is told whatever its code weighs elsewhere.
        let severity =
            if finding.keeps_from_loading { Severity::Error } else { self.profile.severity(finding.code)? };
        let silencings = &self.config.workspace.check.silencings;
        let silenced = package.and_then(|(problem, directory)| {
            silencings.iter().position(|silencing| silencing.applies(problem, directory, finding))
        });
        if let Some(index) = silenced {
            self.used[index] = true;
        }
        Some(Told {
            problem: package.map(|(problem, _)| problem.to_owned()),
            code: finding.code.id().to_owned(),
            severity: if self.strict { Severity::Error } else { severity },
            file: self.config.told(&finding.file),
            line: finding.line,
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            silenced: silenced.map(|index| silencings[index].reason.clone()),
        })
    }

    /// Silencings that silenced nothing. Of what is only found by running validators nothing is known without running.
    fn unused(&self, file: &Path, files_only: bool) -> Vec<Finding> {
        let silencings = self.config.workspace.check.silencings.iter().zip(&self.used);
        let could = |code: Code| !files_only || !code.needs_running();
        let unused = silencings.filter(|(silencing, used)| !**used && could(silencing.code)).map(|(silencing, _)| {
            let of = silencing.problem.as_ref().map(|problem| format!(" of `{problem}`")).unwrap_or_default();
            let message = format!("nothing{of} is silenced by this entry for {}", silencing.code);
            Finding::new(code::SILENCING_UNUSED, file, message).at(silencing.line)
        });
        unused.collect()
    }
}
