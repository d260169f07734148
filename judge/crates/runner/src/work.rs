//! The work of a run: its plan, and the measuring of time limits that packages do not state.
//!
//! Responsible for assigning measuring entries to problems, and for the time limit of each problem
//! once it is known. Must not know how programs are run or how a time limit is inferred.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use judge_model::{ProblemIndex, Submission, SubmissionPlace};

use crate::limits::time_limit;
use crate::plan::{Plan, PlannedProblem, TimeLimitSource};

/// The work of a run: the problems of its plan, followed by the measuring entries for some of
/// these.
#[derive(Debug)]
pub(crate) struct Work {
    /// The plan, without the time limits that were inferred meanwhile.
    pub(crate) plan: Plan,
    /// The index after the plan's own problems.
    own_end: ProblemIndex,
    /// The problem for which each measuring entry measures.
    measures: Vec<ProblemIndex>,
    /// The plan's own problems with time limits that were inferred in this run.
    concluded: Vec<OnceLock<PlannedProblem>>,
}

impl Work {
    pub(crate) fn new(mut plan: Plan) -> Self {
        let own = plan.problems.len();
        let mut measures = Vec::new();
        // After the plan's own problems and in their order, so that the dispatcher finds the end of
        // the entries of a problem.
        for problem in ProblemIndex::first(own) {
            let entries = time_limit::measuring_entries(&plan.problems[problem.0]);
            measures.extend(entries.iter().map(|_| problem));
            plan.problems.extend(entries);
        }
        let concluded = (0..own).map(|_| OnceLock::new()).collect();
        Self {
            plan,
            own_end: ProblemIndex(own),
            measures,
            concluded,
        }
    }

    /// The plan's own problems, by index; the measuring entries come after them.
    pub(crate) fn own_problems(&self) -> Range<ProblemIndex> {
        ProblemIndex(0)..self.own_end
    }

    /// The measuring entries.
    pub(crate) fn measuring(&self) -> Range<ProblemIndex> {
        self.own_end..ProblemIndex(self.plan.problems.len())
    }

    /// The problem at an index, with the time limit in force if it is known.
    pub(crate) fn problem(&self, problem: ProblemIndex) -> &PlannedProblem {
        let concluded = self.concluded.get(problem.0).and_then(OnceLock::get);
        concluded.unwrap_or(&self.plan.problems[problem.0])
    }

    /// The problem for which an entry measures; `None` for one of the plan's own problems.
    pub(crate) fn measures_for(&self, entry: ProblemIndex) -> Option<ProblemIndex> {
        entry
            .0
            .checked_sub(self.own_end.0)
            .and_then(|index| self.measures.get(index))
            .copied()
    }

    /// The places of the submissions of a problem.
    pub(crate) fn submissions_of(
        &self,
        problem: ProblemIndex,
    ) -> impl Iterator<Item = SubmissionPlace> + use<> {
        SubmissionPlace::of_problem(problem, &self.problem(problem).problem.submissions)
    }

    /// The places of all submissions of some problems, in the order of their events.
    pub(crate) fn submissions_in(
        &self,
        problems: Range<ProblemIndex>,
    ) -> impl Iterator<Item = SubmissionPlace> {
        ProblemIndex::each(problems).flat_map(|problem| self.submissions_of(problem))
    }

    /// The submission at a place, with its problem.
    pub(crate) fn submission(&self, place: SubmissionPlace) -> (&PlannedProblem, &Submission) {
        let planned = self.problem(place.problem);
        (planned, &planned.problem.submissions[place.submission])
    }

    /// True while a problem is open: its events cannot be emitted yet, since its time limit is to
    /// be inferred.
    pub(crate) fn is_open(&self, problem: ProblemIndex) -> bool {
        matches!(
            self.problem(problem).time_limit_source,
            TimeLimitSource::ToInfer(_)
        )
    }

    /// Sets the time limit of a problem, once.
    pub(crate) fn conclude(
        &self,
        problem: ProblemIndex,
        time_limit: Duration,
        time_limit_source: TimeLimitSource,
    ) {
        let planned = PlannedProblem {
            time_limit,
            time_limit_source,
            ..self.plan.problems[problem.0].clone()
        };
        // Each problem is concluded once. A second limit would be ignored, because the events
        // already contain the first.
        let _ = self.concluded[problem.0].set(planned);
    }
}
