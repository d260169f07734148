//! What the commands for authors work with: the sandbox, the toolchains, and what runs programs of packages.
//!
//! Responsible for opening it all once. Must not know what is made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_authoring::{AuthoringError, Means, Project, Proposal};
use judge_event::{Event, Progress, RunState};
use judge_exec::Session;
use judge_model::{LanguageId, Problem};
use judge_package::PackageErrors;
use judge_report::printable_lines;
use judge_runner::{Interrupts, Margins, Observer, Plan, PlannedProblem, TimeLimitSource};
use judge_sandbox::CancelToken;

use crate::commands::judging::{JudgingSettings, Ready};
use crate::commands::list::write;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// What packages are made with.
pub(crate) struct AuthoringSession<'a> {
    config: &'a Config,
    session: Session,
    ready: Ready,
    cancel: CancelToken,
    /// Sets the token. Runs of submissions listen themselves.
    interrupts: Option<Interrupts>,
}

impl<'a> AuthoringSession<'a> {
    /// `with_submissions`: all of them are to be judged, so their languages are needed too.
    pub(crate) fn open(
        config: &'a Config,
        settings: JudgingSettings,
        projects: &[&Project],
        with_submissions: bool,
    ) -> Result<Self, Failure> {
        let mut wanted: BTreeSet<LanguageId> = projects.iter().flat_map(|project| project.languages()).collect();
        if with_submissions {
            let submissions = projects.iter().flat_map(|project| &project.problem().submissions);
            wanted.extend(submissions.filter_map(|submission| submission.language.clone()));
        }
        let cancel = CancelToken::new()?;
        let interrupts = Interrupts::listen(cancel.clone())?;
        let ready = Ready::open(config, settings, &wanted)?;
        let directories: Vec<PathBuf> = projects.iter().flat_map(|project| project.directories()).collect();
        let session = ready.session_of(&directories, &cancel)?;
        Ok(Self { config, session, ready, cancel, interrupts: Some(interrupts) })
    }

    /// Makes the data of a project; `None` when it was interrupted.
    pub(crate) fn make<'p>(
        &self,
        project: &'p Project,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Proposal<'p>>, Failure> {
        let means = Means {
            session: &self.session,
            jobs: self.ready.settings.jobs,
            cancel: &self.cancel,
            workspace: &self.config.workspace,
        };
        match project.make(means, is_wanted) {
            // What fails because it was cancelled is not the host's fault.
            Err(_) if self.cancel.is_cancelled() => Ok(None),
            made => made.map_err(authoring_failure),
        }
    }

    /// Set by signals, until submissions are judged.
    pub(crate) fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Judges submissions of a problem on test cases of it. The time limit is that of the whole problem.
    pub(crate) fn judge(
        &mut self,
        problem: Problem,
        whole: &Arc<Problem>,
        fail_fast: bool,
    ) -> Result<RunState, Failure> {
        self.interrupts = None;
        let stated = problem.limits.time_limit;
        let planned = PlannedProblem {
            name: problem.name.clone(),
            path: self.config.told(&problem.directory),
            test_cases_total: whole.test_cases.len(),
            time_limit: stated.unwrap_or_default(),
            time_limit_source: match stated {
                Some(_) => TimeLimitSource::Stated,
                None => TimeLimitSource::ToInfer(Arc::clone(whole)),
            },
            margins: Margins::Ignored,
            submission_paths: problem.submissions.iter().map(|of| self.config.told(&of.path)).collect(),
            warnings: Vec::new(),
            problem: Arc::new(problem),
        };
        let plan = Plan { problems: vec![planned], ..Plan::default() };
        self.ready.settings.fail_fast = fail_fast;
        let mut listener = Listener::default();
        self.ready.run(plan, &mut listener)?;
        Ok(listener.0)
    }
}

/// Keeps what happens and tells nobody.
#[derive(Default)]
struct Listener(RunState);

impl Observer for Listener {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        self.0.apply(event);
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> std::io::Result<()> {
        Ok(())
    }
}

/// Ends what an earlier run began to put in place that was killed meanwhile.
pub(crate) fn finish_interrupted(config: &Config, package: &Path) -> Result<(), Failure> {
    if judge_authoring::finish_interrupted(package).map_err(authoring_failure)? {
        let text = format!("note: {}: ended what an interrupted run had begun to put in place\n", config.told(package));
        write(&mut std::io::stderr(), &printable_lines(&text))?;
    }
    Ok(())
}

/// Tells what is wrong with a package, and what cannot be done because of it.
pub(crate) fn complain(
    config: &Config,
    problem: &str,
    what: &str,
    errors: &PackageErrors,
) -> Result<ExitCode, Failure> {
    let failure = Failure::package(errors, &config.workspace.root);
    let text = format!("error: {problem}: {what}\n{failure}\n");
    write(&mut std::io::stderr(), &printable_lines(&text))?;
    Ok(ExitCode::PackageFault)
}

pub(crate) fn authoring_failure(error: AuthoringError) -> Failure {
    match error {
        AuthoringError::Runner(error) => Failure::Runner(error),
        other => Failure::Authoring(other),
    }
}
