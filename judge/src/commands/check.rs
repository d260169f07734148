//! `judge check`: packages themselves, without judging any submission.
//!
//! Responsible for weighing what is found: profile, silencings, and findings that only several packages together show.
//! Must not know how anything is found.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use judge_event::{CheckFinished, CheckStarted, End, Event, Finding as Told, PackageChecked, SCHEMA_VERSION};
use judge_model::{IsolationLevel, Severity};
use judge_package::{Checked, Code, Finding, Profile, Selection, check, codes};
use judge_report::View;
use judge_runner::Observer;

use crate::args::{CheckArgs, WeighingArgs};
use crate::commands::explain;
use crate::commands::judging::{Reporters, name_of};
use crate::commands::run::select_packages;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;

pub(crate) fn carry_out(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    if let Some(word) = &args.explain {
        return explain::carry_out(config, word);
    }
    let selection = select_packages(config, &args.what)?;
    let (jobs, _) = config.jobs_or(args.jobs);
    let mut reporters = Reporters::open(config, args.json.as_deref(), View::Run)?;
    let scope = Scope { whole_workspace: args.what.is_empty(), files_only: args.files_only, jobs };
    check_packages(config, &selection, &args.weighing, scope, args.isolation, &mut reporters)?;
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
    /// Programs to run, or files to read, at a time.
    pub(crate) jobs: usize,
}

/// Checks packages, tells what is found, and gives back what can be judged.
pub(crate) fn check_packages(
    config: &Config,
    selection: &Selection,
    weighing: &WeighingArgs,
    scope: Scope,
    _isolation: Option<IsolationLevel>,
    reporters: &mut Reporters,
) -> Result<Vec<Checked>, Failure> {
    let begun = Instant::now();
    let mut scales = Scales::new(config, weighing);
    let tell = |reporters: &mut Reporters, event: Event| {
        reporters.event(&event).map_err(|source| Failure::Write { what: "the report".to_owned(), source })
    };
    tell(
        reporters,
        Event::CheckStarted(CheckStarted {
            schema: SCHEMA_VERSION,
            judge_version: env!("CARGO_PKG_VERSION").to_owned(),
            profile: scales.profile_name(),
            packages: selection.packages.len() as u64,
            isolation: None,
            seed: None,
        }),
    )?;
    let directories: Vec<PathBuf> = selection.packages.iter().map(|package| package.directory.clone()).collect();
    let mut checked = look_at_all(config, &directories, scope.jobs);
    add_shared_uuids(&directories, &mut checked);
    for (directory, checked) in directories.iter().zip(&checked) {
        let problem = name_of(directory);
        for finding in &checked.findings {
            if let Some(told) = scales.weigh(Some((&problem, directory)), finding) {
                tell(reporters, Event::Finding(told))?;
            }
        }
        tell(
            reporters,
            Event::PackageChecked(PackageChecked {
                problem,
                path: config.told(directory),
                loads: checked.loaded.is_some(),
                validator_runs: 0,
            }),
        )?;
    }
    if scope.whole_workspace {
        for finding in scales.unused(scope.files_only) {
            if let Some(told) = scales.weigh(None, &finding) {
                tell(reporters, Event::Finding(told))?;
            }
        }
    }
    let wall_time_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    tell(reporters, Event::CheckFinished(CheckFinished { end: End::Completed, wall_time_us }))?;
    Ok(checked)
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
            checked.findings.push(Finding::new(codes::UUID_TWICE, &directory.join("problem.yaml"), message));
        } else {
            first.insert(uuid, directory);
        }
    }
}

/// How much findings weigh here.
struct Scales<'a> {
    config: &'a Config,
    profile: Profile,
    strict: bool,
    /// For each silencing of the workspace whether it silenced anything.
    used: Vec<bool>,
}

impl<'a> Scales<'a> {
    fn new(config: &'a Config, weighing: &WeighingArgs) -> Self {
        let settings = &config.workspace.check;
        let profile = weighing.profile.or(settings.profile).unwrap_or_default();
        Self { config, profile, strict: weighing.strict, used: vec![false; settings.silencings.len()] }
    }

    fn profile_name(&self) -> String {
        if self.strict && self.profile != Profile::Strict {
            format!("{}, strict", self.profile)
        } else {
            self.profile.to_string()
        }
    }

    /// The finding as it is told; `None` when the profile does not want it.
    fn weigh(&mut self, package: Option<(&str, &std::path::Path)>, finding: &Finding) -> Option<Told> {
        let severity = self.profile.severity(finding.code)?;
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
    fn unused(&self, files_only: bool) -> Vec<Finding> {
        let Some(file) = &self.config.workspace.file else { return Vec::new() };
        let silencings = self.config.workspace.check.silencings.iter().zip(&self.used);
        let could = |code: Code| !files_only || !code.needs_running();
        let unused = silencings.filter(|(silencing, used)| !**used && could(silencing.code)).map(|(silencing, _)| {
            let of = silencing.problem.as_ref().map(|problem| format!(" of `{problem}`")).unwrap_or_default();
            let message = format!("nothing{of} is silenced by this entry for {}", silencing.code);
            Finding::new(codes::SILENCING_UNUSED, file, message).at(silencing.line)
        });
        unused.collect()
    }
}
