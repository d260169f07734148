//! Slices: parts of plans.
//!
//! Responsible for which problems and submissions are left of a plan. Must not know why.

use std::collections::BTreeSet;

use judge_model::{ProblemIndex, SubmissionIndex, SubmissionPlace, micros};
use judge_runner::{Plan, PlannedProblem};
use judge_sharding::Work;

/// Submissions of a plan, in its order.
pub(crate) type Places = BTreeSet<SubmissionPlace>;

/// Every submission of a plan in its order, with its place.
pub(crate) fn work_of(plan: &Plan) -> Vec<(Work, SubmissionPlace)> {
    let of_problem = |(problem, planned): (ProblemIndex, &PlannedProblem)| {
        let time_limit_us = micros(planned.time_limit);
        let estimate_us = time_limit_us.saturating_mul(planned.problem.test_cases.len() as u64);
        let work = |place: SubmissionPlace| {
            let submission = planned.problem.submissions[place.submission].id.clone();
            (Work { problem: planned.name.clone(), submission, estimate_us }, place)
        };
        SubmissionPlace::of_problem(problem, &planned.problem.submissions).map(work).collect::<Vec<_>>()
    };
    ProblemIndex::enumerate(&plan.problems).flat_map(of_problem).collect()
}

/// The plan with these submissions only. Problems without any are left out, unless they never had one; those, and what
/// cannot be loaded, belong to the first shard.
pub(crate) fn slice(whole: &Plan, places: &Places, first: bool) -> Plan {
    let of_problem = |(problem, planned): (ProblemIndex, &PlannedProblem)| {
        let kept = submissions_of(problem, places);
        let none_at_all = planned.problem.submissions.is_empty() && first;
        (!kept.is_empty() || none_at_all).then(|| planned.with_submissions(|index| kept.contains(&index)))
    };
    Plan {
        package_faults: if first { whole.package_faults.clone() } else { Vec::new() },
        problems: ProblemIndex::enumerate(&whole.problems).filter_map(of_problem).collect(),
        output_hashes: whole.output_hashes,
        skipping: whole.skipping.clone(),
    }
}

/// Those that are of a problem.
pub(crate) fn submissions_of(problem: ProblemIndex, places: &Places) -> BTreeSet<SubmissionIndex> {
    let first = |problem| SubmissionPlace { problem, submission: SubmissionIndex(0) };
    places.range(first(problem)..first(problem.next())).map(|place| place.submission).collect()
}
