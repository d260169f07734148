//! A check of packages, from its first event to its last.
//!
//! Responsible for the order: package by package, first the findings about files, then those of
//! validators. Must not know how findings are made, nor how events are rendered.

use std::io;
use std::path::Path;
use std::time::Instant;

use judge_event::{
    CheckFinished, CheckStarted, End, Event, Host, HostFault, PackageChecked, Progress,
    SCHEMA_VERSION,
};
use judge_model::micros;
use judge_package::{Finding, LoadedPackage, Profile, Workspace, file_name};

use crate::extent::Extent;
use crate::packages::Package;
use crate::severities::Severities;
use crate::validators::{FailingCase, Inspected, SEED, Validators};

/// A notice for the reporter of a check.
#[derive(Clone, Copy, Debug)]
pub enum Notice<'a> {
    /// An event, in the order of the packages.
    Event(&'a Event),
    /// A test case that shows a finding about the validators of a package. May be ignored.
    FailingCase(&'a LoadedPackage, &'a FailingCase),
    /// The progress of a package's validators. May be ignored.
    Progress(&'a Progress),
}

/// Takes notices. An error (a closed pipe, a full disk) ends the check.
pub type Emit<'a> = &'a mut dyn FnMut(Notice<'_>) -> io::Result<()>;

/// The settings of a check.
pub struct Check<'a> {
    /// The workspace, whose configuration determines the severities of findings.
    pub workspace: &'a Workspace,
    /// The profile that replaces the workspace's.
    pub profile: Option<Profile>,
    /// True when every finding is an error.
    pub strict: bool,
    /// The extent of the check.
    pub extent: Extent,
    /// True when all packages of the workspace are checked. Unused silencings are then findings
    /// too.
    pub whole_workspace: bool,
    /// The validators, ready to be run; `None` when nothing is run.
    pub validators: Option<&'a Validators>,
    /// The number of programs that run at a time.
    pub jobs: usize,
    /// The version of the judge, for the first event.
    pub judge_version: String,
    /// The time of day when the check began, for the first event.
    pub started_at: Option<String>,
    /// The host, for the first event.
    pub host: Option<Host>,
    /// The moment when the check began, before packages were read.
    pub begun: Instant,
}

impl Check<'_> {
    /// Checks packages whose files were read, and returns how the check ended.
    ///
    /// # Errors
    /// The errors of `emit`. A fault of the host is an event, and the end is [`End::Aborted`].
    pub fn run(&self, packages: &[Package], emit: Emit<'_>) -> io::Result<End> {
        let severities = Severities::new(self.workspace, self.profile, self.strict);
        let mut run = CheckRun {
            check: self,
            severities,
            emit,
        };
        run.emit(&Event::CheckStarted(CheckStarted {
            schema: SCHEMA_VERSION,
            judge_version: self.judge_version.clone(),
            started_at: self.started_at.clone(),
            host: self.host.clone().map(Box::new),
            profile: run.severities.profile_name(),
            packages: packages.len() as u64,
            isolation: self
                .validators
                .map(|validators| validators.sandbox.isolation().clone()),
            seed: (self.validators.is_some() && self.extent == Extent::Everything).then_some(SEED),
        }))?;
        let mut end = End::Completed;
        for package in packages {
            end = run.package(package)?;
            if end != End::Completed {
                break;
            }
        }
        if self.whole_workspace && end == End::Completed {
            let files_only = self.extent == Extent::Files;
            for finding in run.severities.unused_silencings(files_only) {
                run.finding(None, &finding)?;
            }
        }
        let wall_time_us = micros(self.begun.elapsed());
        run.emit(&Event::CheckFinished(CheckFinished { end, wall_time_us }))?;
        Ok(end)
    }
}

/// A check that is running.
struct CheckRun<'a, 'e> {
    check: &'a Check<'a>,
    severities: Severities<'a>,
    emit: Emit<'e>,
}

impl CheckRun<'_, '_> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
        (self.emit)(Notice::Event(event))
    }

    /// Emits a finding; false when it is switched off or silenced.
    fn finding(&mut self, package: Option<(&str, &Path)>, finding: &Finding) -> io::Result<bool> {
        let Some(event) = self.severities.event_for(package, finding) else {
            return Ok(false);
        };
        let is_loud = event.silenced.is_none();
        self.emit(&Event::Finding(event))?;
        Ok(is_loud)
    }

    fn package(&mut self, package: &Package) -> io::Result<End> {
        let directory = package.directory.as_path();
        let problem = file_name(directory);
        for finding in &package.findings {
            self.finding(Some((&problem, directory)), finding)?;
        }
        let mut inspected = Inspected::default();
        if let (Some(validators), Some(loaded)) = (self.check.validators, &package.loaded) {
            let Check { extent, jobs, .. } = *self.check;
            let mut on_progress = |progress: Progress| {
                // A failure to draw the progress does not end the check.
                let _ = (self.emit)(Notice::Progress(&progress));
            };
            inspected = match validators.inspect(loaded, extent, jobs, &mut on_progress) {
                Ok(Some(inspected)) => inspected,
                Ok(None) => return Ok(End::Interrupted),
                Err(error) => {
                    self.emit(&Event::HostFault(HostFault {
                        problem: Some(problem),
                        submission: None,
                        test_case: None,
                        message: error.to_string(),
                    }))?;
                    return Ok(End::Aborted);
                }
            };
            for data in std::mem::take(&mut inspected.data) {
                self.emit(&Event::DataValidated(data))?;
            }
            let mut reported = Vec::new();
            for finding in &inspected.findings {
                if self.finding(Some((&problem, directory)), finding)? {
                    reported.push(finding.code.id());
                }
            }
            // A package that silences a finding needs no test case that shows it.
            for case in &inspected.failing_cases {
                if reported.contains(&case.code.as_str()) {
                    (self.emit)(Notice::FailingCase(loaded, case))?;
                }
            }
        }
        self.emit(&Event::PackageChecked(PackageChecked {
            problem,
            path: self.check.workspace.shown(directory),
            loads: package.loaded.is_some(),
            validator_runs: inspected.runs,
            cached: inspected.cached,
        }))?;
        Ok(End::Completed)
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
