//! The session of the commands for authors: the sandbox, the toolchains, and all that runs programs of packages.
//!
//! Responsible for opening it all once. Must not know what is made.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use judge_authoring::{OnProgress, Project, Resources};
use judge_event::RunState;
use judge_exec::{ExecError, Session};
use judge_model::{LanguageId, Problem};
use judge_runner::{Interrupts, Plan, PlannedProblem, TimeLimitSource};
use judge_sandbox::CancelToken;

use crate::commands::judging::scaled;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::failure::Failure;

/// The session that packages are made with.
pub(crate) struct AuthoringSession<'a> {
    config: &'a Config,
    session: Session,
    context: RunContext,
    /// The listener to signals, which sets the token. Runs of submissions listen themselves.
    interrupts: Cell<Option<Interrupts>>,
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
        let context = RunContext::open(config, settings, &wanted)?;
        let interrupts = Cell::new(Some(context.listen()?));
        let directories: Vec<PathBuf> = projects.iter().flat_map(|project| project.directories()).collect();
        let session = context.session_of(&directories)?;
        Ok(Self { config, session, context, interrupts })
    }

    /// The resources that data is made with.
    pub(crate) fn resources(&self) -> Resources<'_> {
        self.observed_resources(&|_| {})
    }

    /// The resources that data is made with, and a listener to the progress.
    pub(crate) fn observed_resources<'r>(&'r self, on_progress: OnProgress<'r>) -> Resources<'r> {
        let (session, workspace) = (&self.session, &self.config.workspace);
        Resources { session, jobs: self.context.environment.jobs, workspace, on_progress }
    }

    /// The token, which signals set until submissions are judged.
    pub(crate) fn cancel(&self) -> &CancelToken {
        &self.context.environment.cancel
    }

    /// Judges submissions of a problem on test cases of it. The time limit is that of the whole problem.
    pub(crate) fn judge(&self, problem: Problem, whole: &Arc<Problem>, fail_fast: bool) -> Result<RunState, ExecError> {
        drop(self.interrupts.take());
        let stated = problem.limits.time_limit;
        let time_factor = stated.and(self.config.workspace.time_factor).unwrap_or(1.0);
        let (path, time_limit) =
            (self.config.shown(&problem.directory), scaled(stated.unwrap_or_default(), time_factor));
        let planned = PlannedProblem {
            test_cases_total: whole.test_cases.len(),
            time_factor,
            time_limit_source: match stated {
                Some(_) => TimeLimitSource::Stated,
                None => TimeLimitSource::ToInfer(Arc::clone(whole)),
            },
            submission_paths: problem.submissions.iter().map(|of| self.config.shown(&of.path)).collect(),
            ..PlannedProblem::new(Arc::new(problem), path, time_limit)
        };
        let plan = Plan { problems: vec![planned], fail_fast, ..Plan::default() };
        let mut state = RunState::default();
        judge_runner::run(plan, &self.context.environment, &self.context.settings, &mut state)?;
        Ok(state)
    }
}
