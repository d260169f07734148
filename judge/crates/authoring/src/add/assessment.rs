//! The assessment of a new test case: the submissions that it rejects, and the other test cases
//! that reject them too.
//!
//! Responsible for choosing the runs of submissions on test cases, and for objections. Must not
//! know how judging works.

use std::sync::Arc;

use judge_event::{
    Addition, Bytes, End, OtherRejections, Rejection, RunState, SubmissionState, TestCaseFinished,
};
use judge_exec::ExecError;
use judge_grading::{must_be_accepted, must_be_rejected};
use judge_model::{Problem, Submission, Verdict};

/// Judges the submissions of a problem on its test cases. If the argument is true, each submission
/// stops at its first rejection.
pub type Judge<'a> = dyn FnMut(Problem, bool) -> Result<RunState, ExecError> + 'a;

/// The assessment of a new test case of a problem.
#[derive(Debug)]
pub(crate) struct Assessment<'a> {
    /// The problem with the new test case.
    pub(crate) problem: Problem,
    /// The problem as it is now.
    pub(crate) current: &'a Arc<Problem>,
    /// The id of the test case.
    pub(crate) id: &'a str,
    /// True when the user gave the answer; false when a solution writes it.
    pub(crate) is_answer_given: bool,
    /// The submissions that the test case must reject.
    pub(crate) required: &'a [String],
}

impl Assessment<'_> {
    /// Judges submissions on the test case and on the others, and completes `addition`. If a run
    /// does not finish, the assessment ends too and returns the state of the run.
    pub(crate) fn assess(
        &self,
        addition: &mut Addition,
        judge: &mut Judge<'_>,
    ) -> Result<Option<RunState>, ExecError> {
        let mut problem = self.problem.clone();
        // Every submission runs on the new test case. The other test cases are only needed for
        // submissions that it rejects.
        problem.test_cases.retain(|case| case.id == self.id);
        let state = judge(problem, false)?;
        if !is_complete(&state) {
            return Ok(Some(state));
        }
        for problem in &state.problems {
            addition.time_limit_us = problem.started.time_limit_us;
            for submission in &problem.submissions {
                self.record(submission, addition);
            }
        }
        for id in self.required {
            if !addition
                .rejections
                .iter()
                .any(|rejection| rejection.submission == *id)
            {
                let message = format!("`{id}` must be rejected, but is not (`--require-kill`)");
                let hint = "choose an input on which this submission fails";
                addition.objections.push((message, hint.to_owned()));
            }
        }
        if addition.rejections.is_empty() {
            return Ok(None);
        }
        self.count_others(addition, judge)
    }

    fn record(&self, submission: &SubmissionState, addition: &mut Addition) {
        let id = submission.started.submission.clone();
        let expectations = &submission.started.expectations;
        let Some(result) = submission.test_cases.first() else {
            // No result exists: the compiler is missing on this host, or the submission does not
            // compile, which may be expected.
            addition.skipped.push(id);
            return;
        };
        let (verdict, is_accepted) = (result.verdict, result.verdict == Verdict::Accepted);
        if verdict == Verdict::JudgeError {
            let reason = result.reason.clone().unwrap_or_default();
            let message = format!("`{id}` cannot be judged on it: {reason}");
            let hint = "check the output validator on this input";
            addition.objections.push((message, hint.to_owned()));
        } else if must_be_accepted(expectations) {
            addition.accepted.push((id.clone(), result.cpu_time_us));
            if !is_accepted {
                let objection = self.acceptance_objection(&id, result);
                addition.objections.push(objection);
            }
        } else if verdict.is_rejection() {
            addition.rejections.push(Rejection {
                submission: id,
                verdict,
                others: None,
            });
        } else if must_be_rejected(expectations) {
            addition.passes.push(id);
        }
    }

    /// The objection that an accepted solution is not accepted, with its hint.
    fn acceptance_objection(&self, id: &str, result: &TestCaseFinished) -> (String, String) {
        let code = result.verdict.code();
        if result.verdict != Verdict::WrongAnswer {
            let why = result.reason.as_ref().map(|reason| format!(" ({reason})"));
            let why = why.unwrap_or_default();
            let message = format!("`{id}` must be accepted, but gets {code} on it{why}");
            let hint = "every accepted solution must solve every test case";
            return (message, hint.to_owned());
        }
        let place = place_of(result);
        match self.is_answer_given {
            true => (
                format!("the given answer differs from the output of `{id}`, which gets {code}{place}"),
                "if the answer is correct, fix the solution; without `--answer`, the reference solution writes the answer".to_owned(),
            ),
            false => (
                format!("`{id}` gets {code} on it, so the accepted solutions do not agree{place}"),
                "if the answer is wrong, pass the correct one with `--answer FILE`".to_owned(),
            ),
        }
    }

    /// Counts the other test cases that reject the same submissions. For a submission that is too
    /// slow, counting ends at the first of them.
    fn count_others(
        &self,
        addition: &mut Addition,
        judge: &mut Judge<'_>,
    ) -> Result<Option<RunState>, ExecError> {
        // Slow submissions run separately, since each of their runs takes the whole time limit.
        // For them, one other test case that rejects them is enough.
        for slow in [false, true] {
            let is_slow = |rejection: &Rejection| rejection.verdict == Verdict::TimeLimitExceeded;
            let is_counted = |submission: &Submission| {
                addition.rejections.iter().any(|rejection| {
                    rejection.submission == submission.id && is_slow(rejection) == slow
                })
            };
            let mut problem = Problem::clone(self.current);
            problem.submissions.retain(is_counted);
            let all = problem.test_cases.len() as u64;
            if problem.submissions.is_empty() || all == 0 {
                continue;
            }
            let state = judge(problem, slow)?;
            if !is_complete(&state) {
                return Ok(Some(state));
            }
            for submission in state
                .problems
                .iter()
                .flat_map(|problem| &problem.submissions)
            {
                let rejecting = submission
                    .test_cases
                    .iter()
                    .filter(|case| case.verdict.is_rejection())
                    .count() as u64;
                let found = addition
                    .rejections
                    .iter_mut()
                    .find(|other| other.submission == submission.started.submission);
                if let Some(rejection) = found {
                    let several = slow && rejecting > 0;
                    rejection.others = Some(if several {
                        OtherRejections::Some
                    } else {
                        OtherRejections::Exactly(rejecting, all)
                    });
                }
            }
        }
        // Without other test cases, no program ran, and no other test case rejects the submissions.
        let rejections = &mut addition.rejections;
        if rejections
            .iter()
            .all(|rejection| rejection.others.is_none())
        {
            for rejection in rejections {
                rejection.others = Some(OtherRejections::Exactly(0, 0));
            }
        }
        Ok(None)
    }
}

/// The first difference between the output and the answer, or else the message of the output
/// validator, after a colon.
fn place_of(result: &TestCaseFinished) -> String {
    let Some(difference) = &result.difference else {
        let message = result.judge_message.to_text();
        return message
            .lines()
            .find(|line| !line.trim().is_empty())
            .map(|line| format!(": {line}"))
            .unwrap_or_default();
    };
    let quoted = |bytes: &Bytes| match bytes.to_text() {
        text if text.is_empty() => "nothing more".to_owned(),
        text => format!("`{text}`"),
    };
    let line = difference.answer_position.line;
    let (answer, output) = (quoted(&difference.expected), quoted(&difference.found));
    format!(": line {line} of the answer has {answer}, the solution writes {output}")
}

/// True when a run is complete and without faults.
fn is_complete(state: &RunState) -> bool {
    state.end == Some(End::Completed)
        && state.host_faults.is_empty()
        && state.package_faults.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ACCEPTED, SLOW, WRONG, judged_run, problem};

    fn verdict(submission: &str, test_case: &str) -> Verdict {
        match (submission, test_case) {
            (WRONG, "secret/new" | "secret/2") => Verdict::WrongAnswer,
            (SLOW, "secret/new" | "secret/1") => Verdict::TimeLimitExceeded,
            _ => Verdict::Accepted,
        }
    }

    fn assessed(
        required: &[String],
        verdict: impl Fn(&str, &str) -> Verdict,
    ) -> (Addition, Vec<(usize, bool)>) {
        let current = Arc::new(problem(&["secret/1", "secret/2"]));
        let assessment = Assessment {
            problem: problem(&["secret/1", "secret/2", "secret/new"]),
            current: &current,
            id: "secret/new",
            is_answer_given: false,
            required,
        };
        let (mut addition, mut runs) = (Addition::default(), Vec::new());
        let ended = assessment.assess(&mut addition, &mut |problem: Problem, fail_fast| {
            runs.push((
                problem.test_cases.len() * problem.submissions.len(),
                fail_fast,
            ));
            Ok(judged_run(&problem, &verdict))
        });
        assert_eq!(ended.unwrap(), None);
        (addition, runs)
    }

    #[test]
    fn rejecting_cases_are_counted_up_to_one_for_slow_submissions() {
        let (addition, runs) = assessed(&[], verdict);
        let others: Vec<_> = addition
            .rejections
            .iter()
            .map(|rejection| (rejection.submission.as_str(), rejection.others))
            .collect();
        assert_eq!(
            others,
            [
                (WRONG, Some(OtherRejections::Exactly(1, 2))),
                (SLOW, Some(OtherRejections::Some))
            ]
        );
        assert_eq!(addition.accepted, [(ACCEPTED.to_owned(), 5)]);
        assert_eq!(addition.time_limit_us, 1_000_000);
        // All submissions on the new test case, then both rejected ones on the others.
        assert_eq!(runs, [(3, false), (2, false), (2, true)]);
    }

    #[test]
    fn disagreeing_solutions_and_unmet_requirements_are_objections() {
        let wrong = |_: &str, test_case: &str| match test_case {
            "secret/new" => Verdict::WrongAnswer,
            _ => Verdict::Accepted,
        };
        let (addition, _) = assessed(&[], wrong);
        assert!(
            addition.objections[0]
                .0
                .contains("the accepted solutions do not agree"),
            "{:?}",
            addition.objections
        );
        let (addition, _) = assessed(&[WRONG.to_owned()], |_: &str, _: &str| Verdict::Accepted);
        assert_eq!(addition.passes, [WRONG, SLOW]);
        assert_eq!(addition.objections.len(), 1);
        assert!(
            addition.objections[0].0.contains(WRONG),
            "{:?}",
            addition.objections
        );
    }

    #[test]
    fn interrupted_runs_end_the_assessment() {
        let current = Arc::new(problem(&["secret/1"]));
        let problem = problem(&["secret/1", "secret/new"]);
        let assessment = Assessment {
            problem,
            current: &current,
            id: "secret/new",
            is_answer_given: false,
            required: &[],
        };
        let mut runs = 0;
        let ended = assessment.assess(&mut Addition::default(), &mut |problem: Problem, _| {
            runs += 1;
            Ok(RunState {
                end: Some(End::Interrupted),
                ..judged_run(&problem, verdict)
            })
        });
        assert_eq!(
            (ended.unwrap().and_then(|state| state.end), runs),
            (Some(End::Interrupted), 1)
        );
    }
}
