//! The session of the commands for authors: the packages, the sandbox, the toolchains, and the
//! progress of generating data.
//!
//! Responsible for opening everything once, and for printing why a package cannot be opened. Must not
//! know the data.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use judge_authoring::{OnProgress, Project, Resources};
use judge_event::{Progress, RunState};
use judge_exec::{ExecError, Session};
use judge_model::{LanguageId, Problem};
use judge_package::{Filter, PackageErrors, Selection};
use judge_report::WorkBar;
use judge_runner::{Interrupts, Margins};
use judge_sandbox::CancelToken;

use crate::commands::judging::{JudgingSettings, PlanBuilder, RunContext, name_of};
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::{complain, note};

/// The interval at which the bar is drawn. A program that never ends reports nothing.
const TICK: Duration = Duration::from_millis(200);

/// The session in which data is generated.
pub(crate) struct AuthoringSession<'a> {
    config: &'a Config,
    session: Session,
    context: RunContext,
    /// Sets the token on signals. Runs of submissions listen to signals themselves.
    interrupts: Cell<Option<Interrupts>>,
}

impl<'a> AuthoringSession<'a> {
    /// Opens the session. With `with_submissions`, all submissions can be judged in it.
    pub(crate) fn open(
        config: &'a Config,
        settings: JudgingSettings,
        projects: &[&Project],
        with_submissions: bool,
    ) -> Result<Self, Failure> {
        let mut languages: BTreeSet<LanguageId> = projects
            .iter()
            .flat_map(|project| project.languages())
            .collect();
        if with_submissions {
            let submissions = projects
                .iter()
                .flat_map(|project| &project.problem().submissions);
            languages.extend(submissions.filter_map(|submission| submission.language.clone()));
        }
        let context = RunContext::open(config, settings, &languages)?;
        let interrupts = Cell::new(Some(context.listen()?));
        let directories: Vec<PathBuf> = projects
            .iter()
            .flat_map(|project| project.directories())
            .collect();
        let session = context.session_of(&directories)?;
        Ok(Self {
            config,
            session,
            context,
            interrupts,
        })
    }

    /// The resources for generating data.
    pub(crate) fn resources(&self) -> Resources<'_> {
        self.observed_resources(&|_| {})
    }

    /// The resources for generating data, with a callback for progress.
    pub(crate) fn observed_resources<'r>(&'r self, on_progress: OnProgress<'r>) -> Resources<'r> {
        let (session, workspace) = (&self.session, &self.config.workspace);
        Resources {
            session,
            jobs: self.context.environment.jobs,
            workspace,
            on_progress,
        }
    }

    /// The token that signals set, except during a run of submissions.
    pub(crate) fn cancel(&self) -> &CancelToken {
        &self.context.environment.cancel
    }

    /// Judges submissions of a problem on test cases of it. The time limit is that of the whole
    /// problem.
    pub(crate) fn judge(
        &self,
        problem: Problem,
        whole: &Arc<Problem>,
        fail_fast: bool,
    ) -> Result<RunState, ExecError> {
        drop(self.interrupts.take());
        let settings = JudgingSettings {
            fail_fast,
            margins: Margins::Ignored,
            ..JudgingSettings::default()
        };
        let mut plan =
            PlanBuilder::plan_of_replaced(self.config, settings, problem, Arc::clone(whole));
        plan.problems[0].test_cases_total = whole.test_cases.len();
        let mut state = RunState::default();
        let end = judge_runner::run(
            plan,
            &self.context.environment,
            &self.context.settings,
            &mut state,
        );
        // The signal handler stays for the life of the process, so signals need a listener again.
        self.interrupts
            .set(Some(Interrupts::listen(self.cancel().clone())?));
        end?;
        Ok(state)
    }
}

/// Runs some work and shows its progress: by a bar on a terminal, and by an occasional line
/// elsewhere.
pub(crate) fn watched<T>(
    config: &Config,
    problem: &str,
    work: impl FnOnce(OnProgress<'_>) -> T,
) -> T {
    let mut bar = WorkBar::new(config.progress_target(), problem, config.terminal.look);
    let latest: Mutex<Option<(Progress, Instant)>> = Mutex::new(None);
    let (working, is_over) = channel::<()>();
    let latest = &latest;
    thread::scope(|scope| {
        // Dropped at the end of this closure, even by a panic. Then the thread ends too.
        let working = working;
        let show = move || {
            let begun = Instant::now();
            while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Some((progress, since)) =
                    &*latest.lock().unwrap_or_else(PoisonError::into_inner)
                {
                    bar.show(progress, since.elapsed(), begun.elapsed());
                }
            }
            bar.clear();
        };
        // Without this thread, the work is only not shown.
        let _ = thread::Builder::new().spawn_scoped(scope, show);
        let worked = work(&|progress| {
            let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
            // The bar shows the program that has been running longest, and for how long.
            let since = latest
                .take()
                .filter(|(before, _)| before.running.first() == progress.running.first());
            *latest = Some((
                progress.clone(),
                since.map_or_else(Instant::now, |(_, since)| since),
            ));
        });
        drop(working);
        worked
    })
}

/// The work of a command on packages.
#[derive(Clone, Copy)]
pub(crate) struct PackageWork<'a> {
    pub(crate) config: &'a Config,
    /// The consequence of a fault of a package, such as `its test data cannot be generated`.
    pub(crate) cannot: &'a str,
    /// True when nothing is written.
    pub(crate) dry_run: bool,
}

/// The packages that could be opened, each with the filter of its selected parts.
pub(crate) struct OpenPackages<'s, P> {
    pub(crate) packages: Vec<(P, &'s Filter)>,
    /// The exit code that follows from the packages that could not be opened.
    pub(crate) code: ExitCode,
}

impl PackageWork<'_> {
    /// Opens every selected package, and prints the errors of those that cannot be opened.
    pub(crate) fn open<'s, P>(
        &self,
        selection: &'s Selection,
        open: impl Fn(&Path) -> Result<P, PackageErrors>,
    ) -> Result<OpenPackages<'s, P>, Failure> {
        let mut opened = OpenPackages {
            packages: Vec::new(),
            code: ExitCode::AsExpected,
        };
        for package in &selection.packages {
            self.revert_interrupted(&package.directory)?;
            match open(&package.directory) {
                Ok(found) => opened.packages.push((found, &package.filter)),
                Err(errors) => {
                    opened.code = worse(
                        opened.code,
                        self.complain(&name_of(&package.directory), &errors)?,
                    );
                }
            }
        }
        Ok(opened)
    }

    /// Reverts the changes of a killed command.
    pub(crate) fn revert_interrupted(&self, package: &Path) -> Result<(), Failure> {
        if self.dry_run {
            Ok(())
        } else {
            revert_interrupted(self.config, package)
        }
    }

    /// Prints the errors of a package, and their consequence.
    pub(crate) fn complain(
        &self,
        problem: &str,
        errors: &PackageErrors,
    ) -> Result<ExitCode, Failure> {
        let failure = Failure::package(errors, &self.config.workspace.root);
        let text = format!("error: {problem}: {}\n{failure}", self.cannot);
        complain(&text)?;
        Ok(ExitCode::PackageFault)
    }
}

/// Reverts the changes of a killed command to a package, before another one changes it.
pub(crate) fn revert_interrupted(config: &Config, package: &Path) -> Result<(), Failure> {
    if judge_files::recover(package)? {
        let place = config.shown(package);
        note(&format!(
            "{place}: a command that was changing it was killed; its changes were reverted"
        ));
    }
    Ok(())
}

/// Checks that every named part exists, or is planned.
pub(crate) fn check<'p>(
    selection: &Selection,
    projects: impl Iterator<Item = &'p Project>,
) -> Result<(), Failure> {
    let planned: Vec<Problem> = projects.map(Project::as_planned).collect();
    Ok(selection.check(planned.iter())?)
}
