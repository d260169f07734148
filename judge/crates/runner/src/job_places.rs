//! The problem, submission and test case of a job, in words and in faults of the host.

use judge_event::HostFault;
use judge_exec::{ExecError, PreparedSubmission};
use judge_model::{SubmissionPlace, TestCaseIndex};

use crate::schedule::Job;
use crate::work::Work;

/// The words for a job in reports of progress.
pub(crate) fn describe(work: &Work, job: &Job) -> String {
    let named = |place: SubmissionPlace, what: &str| {
        let (planned, submission) = work.submission(place);
        format!("{} {} {what}", planned.name, submission.id)
    };
    match job {
        Job::Prepare { problem } => format!("{} output validator", work.problem(*problem).name),
        Job::Compile { submission } => named(*submission, "compiling"),
        Job::Ask { submission, .. } => named(*submission, "grading"),
        Job::Test {
            prepared: PreparedSubmission { place, .. },
            test_case,
            ..
        } => named(
            *place,
            &work.problem(place.problem).problem.test_cases[*test_case].id,
        ),
    }
}

/// The fault of the host that ended a job.
pub(crate) fn host_fault(work: &Work, job: &Job, error: &ExecError) -> HostFault {
    match job {
        Job::Prepare { problem } => HostFault {
            problem: Some(work.problem(*problem).name.clone()),
            ..no_place(error)
        },
        Job::Compile { submission } | Job::Ask { submission, .. } => {
            fault_on(work, *submission, None, error)
        }
        Job::Test {
            prepared,
            test_case,
            ..
        } => fault_on(work, prepared.place, Some(*test_case), error),
    }
}

/// The fault of the host that ended work on a submission.
pub(crate) fn fault_on(
    work: &Work,
    place: SubmissionPlace,
    test_case: Option<TestCaseIndex>,
    error: &ExecError,
) -> HostFault {
    let (planned, submission) = work.submission(place);
    HostFault {
        problem: Some(planned.name.clone()),
        submission: Some(submission.id.clone()),
        test_case: test_case.map(|test_case| planned.problem.test_cases[test_case].id.clone()),
        ..no_place(error)
    }
}

/// A fault of the host outside of any job.
pub(crate) fn no_place(error: &ExecError) -> HostFault {
    HostFault {
        problem: None,
        submission: None,
        test_case: None,
        message: error.to_string(),
    }
}
