//! Tally of correct answers of validators, by directory.
//!
//! Pure. Responsible for counting. Findings report the faults.

use judge_event::{DataValidated, ValidatorAnswers};
use judge_exec::{InputValidatorDecision as Input, ValidatorDecision as Output};
use judge_package::LoadedPackage;

use super::ask::{Reply, output_replies};
use super::findings::{all_accept, secret_answers_are_outputs};
use super::questions::{Purpose, Question};

/// The answers by directory, in the order of the package; directories of test cases come first.
pub(crate) fn tally(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
) -> Vec<DataValidated> {
    let ids = loaded.problem.test_cases.iter().map(|case| &case.id);
    let ids = ids.chain(loaded.extra_cases.iter().map(|case| &case.id));
    let mut tallies: Vec<DataValidated> = Vec::new();
    for id in ids {
        let directory = directory_of(id);
        if tallies.iter().all(|tally| tally.directory != directory) {
            tallies.push(DataValidated {
                problem: loaded.problem.name.clone(),
                directory: directory.to_owned(),
                inputs: None,
                outputs: None,
            });
        }
    }
    let answers_are_outputs = secret_answers_are_outputs(&output_replies(questions, replies));
    for (question, reply) in questions.iter().zip(replies) {
        let Some(answer) = answer(question.purpose, reply, answers_are_outputs) else {
            continue;
        };
        let directory = directory_of(answer.id);
        let Some(counts) = tallies
            .iter_mut()
            .find(|tally| tally.directory == directory)
        else {
            continue;
        };
        let tally = match reply {
            Reply::Output(_) => &mut counts.outputs,
            _ => &mut counts.inputs,
        };
        let tally = tally.get_or_insert(ValidatorAnswers {
            must_accept: answer.must_accept,
            right: 0,
            wrong: 0,
        });
        tally.right += u64::from(answer.is_right);
        tally.wrong += u64::from(!answer.is_right);
    }
    tallies
}

/// The answer of validators about one file.
struct Answer<'a> {
    id: &'a str,
    must_accept: bool,
    is_right: bool,
}

/// Returns `None` for synthetic data, and for answers that need not be outputs.
fn answer<'a>(
    purpose: Purpose<'a>,
    reply: &Reply,
    answers_are_outputs: bool,
) -> Option<Answer<'a>> {
    let (id, must_accept, is_right) = match (purpose, reply) {
        (Purpose::ValidInput { id, .. }, Reply::Input(replies)) => (id, true, all_accept(replies)),
        (Purpose::InvalidInput { id, .. }, Reply::Input(replies)) => {
            let mut decisions = replies.iter().map(|(_, reply)| &reply.decision);
            let failed = decisions
                .clone()
                .any(|decision| matches!(decision, Input::JudgeError { .. }));
            let rejected = decisions.any(|decision| matches!(decision, Input::Rejected { .. }));
            (id, false, rejected && !failed)
        }
        (Purpose::Answer { case, is_output }, Reply::Output(reply))
            if is_output || case.is_sample() || answers_are_outputs =>
        {
            (case.id.as_str(), true, reply.decision == Output::Accepted)
        }
        (Purpose::Extra { case, valid }, Reply::Output(reply)) => {
            let is_right = match reply.decision {
                Output::Accepted => valid,
                Output::Rejected => !valid,
                _ => false,
            };
            (case.id.as_str(), valid, is_right)
        }
        _ => return None,
    };
    Some(Answer {
        id,
        must_accept,
        is_right,
    })
}

fn directory_of(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(directory, _)| directory)
}
