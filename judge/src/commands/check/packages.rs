//! The check of packages, for `judge check` and `judge verify`.
//!
//! Responsible for the extent of a check, for its sandbox, and for passing its events to the
//! reporters. Must not know the checks, nor the severity of findings.

use std::path::PathBuf;
use std::time::Instant;

use judge_event::{End, Event, Finding};
use judge_lint::{Check, Extent, Notice, Package, Validators, check_files, languages};
use judge_model::{IsolationLevel, Severity};
use judge_package::{Profile, Selection};
use judge_runner::{Interrupts, Observer as _};
use judge_sandbox::CancelToken;

use crate::args::SeverityArgs;
use crate::commands::check::saving::SavedCases;
use crate::commands::selection::directories;
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::reporters::Reporters;
use crate::session::HostTools;

/// The extent of a check, beyond the selection itself.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// True when the command line names no problems.
    pub(crate) whole_workspace: bool,
    /// The part of the packages that is checked.
    pub(crate) extent: Extent,
    /// The required isolation level.
    pub(crate) isolation: Option<IsolationLevel>,
    /// The number of programs to run, or of files to read, at a time.
    pub(crate) jobs: usize,
    /// True when cached results are ignored.
    pub(crate) no_cache: bool,
    /// True when generated test cases that show findings are saved in the packages.
    pub(crate) save: bool,
}

/// Checks packages and returns those whose submissions can run. Empty when the check did not
/// complete.
pub(crate) fn check_packages(
    config: &Config,
    selection: &Selection,
    severity_args: &SeverityArgs,
    scope: Scope,
    reporters: &mut Reporters,
) -> Result<Vec<Package>, Failure> {
    let begun = Instant::now();
    let directories = directories(&selection.packages);
    // The files of all packages are checked first. Programs run only in packages that can be
    // loaded.
    let packages = check_files(&directories, &config.workspace, scope.jobs);
    let open = match scope.extent {
        Extent::Files => None,
        _ => OpenValidators::open(config, scope.isolation, &packages, scope.no_cache)?,
    };
    let check = Check {
        profile: severity_args.profile,
        strict: severity_args.strict,
        extent: scope.extent,
        whole_workspace: scope.whole_workspace,
        validators: open.as_ref().map(|open| &open.validators),
        ..check_of(config, begun, scope.jobs)
    };
    let mut saved = scope.save.then(SavedCases::default);
    let end = run_check(&check, &packages, reporters, saved.as_mut())?;
    saved.map_or(Ok(()), |saved| saved.write(&config.workspace))?;
    Ok(if end == End::Completed {
        packages
    } else {
        Vec::new()
    })
}

/// Returns the errors in the files of packages under a profile, one line each, without those for
/// which `is_rewritten` is true. No program is run.
pub(crate) fn errors_of_files(
    config: &Config,
    directories: &[PathBuf],
    profile: Profile,
    is_rewritten: impl Fn(&Finding) -> bool,
) -> Result<Vec<String>, Failure> {
    let (jobs, _) = config.jobs_or(None);
    let packages = check_files(directories, &config.workspace, jobs);
    let mut errors = Vec::new();
    let check = Check {
        profile: Some(profile),
        ..check_of(config, Instant::now(), jobs)
    };
    let done = check.run(&packages, &mut |notice| {
        if let Notice::Event(Event::Finding(finding)) = notice
            && finding.severity == Severity::Error
            && finding.silenced.is_none()
            && !is_rewritten(finding)
        {
            let line = finding
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            errors.push(format!(
                "{}{line}: {} [{}]",
                finding.file, finding.message, finding.code
            ));
        }
        Ok(())
    });
    done.map_err(|source| Failure::write("the check", source))?;
    Ok(errors)
}

/// A check of files only, in this workspace, on this host.
pub(super) fn check_of(config: &Config, begun: Instant, jobs: usize) -> Check<'_> {
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

/// Runs a check, and passes its events to the reporters. `saved` gets the test cases that show
/// findings.
pub(super) fn run_check(
    check: &Check<'_>,
    packages: &[Package],
    reporters: &mut Reporters,
    mut saved: Option<&mut SavedCases>,
) -> Result<End, Failure> {
    let mut unread = None;
    let emit = &mut |notice: Notice<'_>| match notice {
        Notice::Event(event) => reporters.event(event),
        Notice::Progress(progress) => reporters.progress(progress),
        Notice::FailingCase(loaded, case) => {
            if let Some(Err(failure)) = saved.as_mut().map(|saved| saved.add(loaded, case)) {
                unread.get_or_insert(failure);
            }
            Ok(())
        }
    };
    let end = check
        .run(packages, emit)
        .map_err(|source| Failure::write("the report", source))?;
    unread.map_or(Ok(end), Err)
}

/// The validators of a check. A signal ends them.
pub(super) struct OpenValidators {
    pub(super) validators: Validators,
    /// Sets their token on signals.
    _interrupts: Interrupts,
}

impl OpenValidators {
    /// Opens the sandbox for the validators of packages; `None` when no package can be used.
    pub(super) fn open(
        config: &Config,
        demand: Option<IsolationLevel>,
        packages: &[Package],
        no_cache: bool,
    ) -> Result<Option<Self>, Failure> {
        let Some(languages) = languages(packages) else {
            return Ok(None);
        };
        let cache_dir = host::open_cache()?;
        let kept = host::results(&cache_dir, no_cache)?;
        let HostTools {
            sandbox,
            toolchains,
        } = HostTools::open(config, demand, &languages, kept.as_ref())?;
        let cancel = CancelToken::new()?;
        let interrupts = Interrupts::listen(cancel.clone())?;
        let validators = Validators {
            sandbox,
            toolchains,
            cache_dir,
            store: kept,
            cancel,
        };
        Ok(Some(Self {
            validators,
            _interrupts: interrupts,
        }))
    }
}
