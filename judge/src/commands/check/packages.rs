//! The check of packages, for `judge check` and `judge verify`.
//!
//! Responsible for the files and the extent of a check, and for handing its events to the reporters. Must not know what is
//! looked for, nor how findings weigh.

use std::path::PathBuf;
use std::time::Instant;

use judge_event::{End, Event};
use judge_lint::{Check, Extent, Notice, Package, check_files};
use judge_model::{IsolationLevel, Severity};
use judge_package::{Profile, Selection};
use judge_runner::Observer as _;

use crate::args::WeighingArgs;
use crate::commands::check::validators::OpenValidators;
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::reporters::Reporters;

/// The extent of a check, beyond the selection itself.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// True when nothing was named.
    pub(crate) whole_workspace: bool,
    /// The part of the packages that is checked.
    pub(crate) extent: Extent,
    /// The isolation that is demanded.
    pub(crate) isolation: Option<IsolationLevel>,
    /// Programs to run, or files to read, at a time.
    pub(crate) jobs: usize,
    /// True when nothing that was kept is to be used.
    pub(crate) no_cache: bool,
}

/// Checks packages and returns those that can be judged; none when it did not come to its end.
pub(crate) fn check_packages(
    config: &Config,
    selection: &Selection,
    weighing: &WeighingArgs,
    scope: Scope,
    reporters: &mut Reporters,
) -> Result<Vec<Package>, Failure> {
    let begun = Instant::now();
    let directories: Vec<PathBuf> = selection.packages.iter().map(|package| package.directory.clone()).collect();
    let packages = check_files(&directories, &config.workspace, scope.jobs);
    let open = match scope.extent {
        Extent::Files => None,
        _ => OpenValidators::open(config, scope.isolation, &packages, scope.no_cache)?,
    };
    let check = Check {
        profile: weighing.profile,
        strict: weighing.strict,
        extent: scope.extent,
        whole_workspace: scope.whole_workspace,
        validators: open.as_ref().map(|open| &open.validators),
        ..check_of(config, begun, scope.jobs)
    };
    let end = carry_through(&check, &packages, reporters)?;
    Ok(if end == End::Completed { packages } else { Vec::new() })
}

/// The errors that a check of the files of packages finds with a profile, each as a line for people; those whose code `is_rewritten` are
/// left out. Nothing is run.
pub(crate) fn errors_of_files(
    config: &Config,
    directories: &[PathBuf],
    profile: Profile,
    is_rewritten: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    let (jobs, _) = config.jobs_or(None);
    let packages = check_files(directories, &config.workspace, jobs);
    let mut errors = Vec::new();
    let check = Check { profile: Some(profile), ..check_of(config, Instant::now(), jobs) };
    let heard = check.run(&packages, &mut |notice| {
        if let Notice::Event(Event::Finding(finding)) = notice
            && finding.severity == Severity::Error
            && finding.silenced.is_none()
            && !is_rewritten(&finding.code)
        {
            let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
            errors.push(format!("{}{line}: {} [{}]", finding.file, finding.message, finding.code));
        }
        Ok(())
    });
    heard.map_err(|source| Failure::Write { what: "the check".to_owned(), source })?;
    Ok(errors)
}

/// A check of nothing but files in this workspace, on this host.
pub(crate) fn check_of(config: &Config, begun: Instant, jobs: usize) -> Check<'_> {
    Check {
        workspace: &config.workspace,
        profile: None,
        strict: false,
        extent: Extent::Files,
        whole_workspace: false,
        validators: None,
        jobs,
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: Some(host::now()),
        host: Some(host::description()),
        begun,
    }
}

/// Runs a check, and hands what it emits to the reporters.
pub(crate) fn carry_through(
    check: &Check<'_>,
    packages: &[Package],
    reporters: &mut Reporters,
) -> Result<End, Failure> {
    let emit = &mut |notice: Notice<'_>| match notice {
        Notice::Event(event) => reporters.event(event),
        Notice::Progress(progress) => reporters.progress(progress),
    };
    check.run(packages, emit).map_err(|source| Failure::Write { what: "the report".to_owned(), source })
}
