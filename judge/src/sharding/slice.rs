//! Parts of plans.
//!
//! Responsible for which problems and submissions are left of a plan. Must not know why.

use std::collections::BTreeSet;
use std::sync::Arc;

use judge_runner::{Plan, PlannedProblem};
use judge_sharding::Work;

/// Submissions of a plan: the place of the problem, and that of the submission in it. In the order of the plan.
pub(crate) type Places = BTreeSet<(usize, usize)>;

/// Every submission of a plan in its order, with its place.
pub(crate) fn work_of(plan: &Plan) -> Vec<(Work, (usize, usize))> {
    let of_problem = |(place, planned): (usize, &PlannedProblem)| {
        let time_limit_us = u64::try_from(planned.time_limit.as_micros()).unwrap_or(u64::MAX);
        let estimate_us = time_limit_us.saturating_mul(planned.problem.test_cases.len() as u64);
        let work = |(index, submission): (usize, &judge_model::Submission)| {
            let (problem, submission) = (planned.name.clone(), submission.id.clone());
            (Work { problem, submission, estimate_us }, (place, index))
        };
        planned.problem.submissions.iter().enumerate().map(work).collect::<Vec<_>>()
    };
    plan.problems.iter().enumerate().flat_map(of_problem).collect()
}

/// The plan with these submissions only. Problems without any are left out, unless they never had one; those, and what
/// cannot be loaded, belong to the first shard.
pub(crate) fn slice(whole: &Plan, places: &Places, first: bool) -> Plan {
    let of_problem = |(place, planned): (usize, &PlannedProblem)| {
        let indices: Vec<usize> = places.range((place, 0)..(place + 1, 0)).map(|(_, index)| *index).collect();
        let none_at_all = planned.problem.submissions.is_empty() && first;
        (!indices.is_empty() || none_at_all).then(|| cut(planned, &indices))
    };
    Plan {
        package_faults: if first { whole.package_faults.clone() } else { Vec::new() },
        problems: whole.problems.iter().enumerate().filter_map(of_problem).collect(),
        output_hashes: whole.output_hashes,
    }
}

fn cut(planned: &PlannedProblem, indices: &[usize]) -> PlannedProblem {
    let mut problem = (*planned.problem).clone();
    problem.submissions = indices.iter().map(|index| planned.problem.submissions[*index].clone()).collect();
    let paths = indices.iter().map(|index| planned.submission_paths[*index].clone());
    PlannedProblem { problem: Arc::new(problem), submission_paths: paths.collect(), ..planned.clone() }
}
