//! The work of a run: what its plan asks for, and before that the measuring of time limits that packages leave open.
//!
//! Responsible for which problem is measured by what, and for the time limit of each once it is known. Must not know
//! how anything is run, nor what a time limit follows from.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use crate::limits::time_limit;
use crate::plan::{Plan, PlannedProblem, TimeLimitSource};

/// The work of a run: the problems of its plan, and behind them the entries that measure for some of these.
#[derive(Debug)]
pub(crate) struct Work {
    plan: Plan,
    /// The number of the plan's own problems.
    judged: usize,
    /// The problem that each of the entries behind them measures for.
    measures: Vec<usize>,
    /// The plan's own problems with time limits that were inferred in this run.
    concluded: Vec<OnceLock<PlannedProblem>>,
}

impl Work {
    pub(crate) fn new(mut plan: Plan) -> Self {
        let judged = plan.problems.len();
        let mut measures = Vec::new();
        for problem in 0..judged {
            let entries = time_limit::measuring_entries(&plan.problems[problem]);
            measures.extend(entries.iter().map(|_| problem));
            plan.problems.extend(entries);
        }
        let concluded = (0..judged).map(|_| OnceLock::new()).collect();
        Self { plan, judged, measures, concluded }
    }

    /// The plan's own problems, by index; those that measure come after them.
    pub(crate) fn judged(&self) -> Range<usize> {
        0..self.judged
    }

    /// The entries that measure.
    pub(crate) fn measuring(&self) -> Range<usize> {
        self.judged..self.plan.problems.len()
    }

    /// The problem at an index, with the time limit in force where that is known.
    pub(crate) fn problem(&self, problem: usize) -> &PlannedProblem {
        let concluded = self.concluded.get(problem).and_then(OnceLock::get);
        concluded.unwrap_or(&self.plan.problems[problem])
    }

    /// All of it, without the time limits that became known meanwhile.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The problem that an entry measures for; `None` for one of the plan's own.
    pub(crate) fn measures_for(&self, entry: usize) -> Option<usize> {
        entry.checked_sub(self.judged).and_then(|index| self.measures.get(index)).copied()
    }

    /// True while a problem is open: nothing of it can be emitted yet, since its time limit is to be inferred.
    pub(crate) fn is_open(&self, problem: usize) -> bool {
        matches!(self.problem(problem).time_limit_source, TimeLimitSource::ToInfer(_))
    }

    /// Sets the time limit of a problem, once.
    pub(crate) fn conclude(&self, problem: usize, time_limit: Duration, time_limit_source: TimeLimitSource) {
        let planned = PlannedProblem { time_limit, time_limit_source, ..self.plan.problems[problem].clone() };
        // Nobody concludes twice; and the first limit is the one in the events.
        let _ = self.concluded[problem].set(planned);
    }
}
