//! The findings about a package that follow from the answers of its validators.
//!
//! Pure. Responsible for turning answers into findings, each of them once. Must not run anything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_exec::{
    INPUT_VALIDATOR_CODES, InputReply, InputValidatorDecision as Input, OutputReply, Reach,
    ValidatorDecision as Output,
};
use judge_model::{OutputValidator, TestCase};
use judge_package::{Code, Finding, LoadedPackage, code};

use super::ask::Reply;
use super::failing_cases::FailingCase;
use super::grouped::{GroupedFindings, last_line, output_validator_of};
use super::output_findings;
use super::questions::{Purpose, Question};
use super::synthetic::damage::DAMAGES;
use super::synthetic::junk;

/// The findings, in the order of the questions, and synthetic test cases that show some of them.
pub(crate) fn findings(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
) -> (Vec<Finding>, Vec<FailingCase>) {
    let mut checked = CheckedPackage::new(loaded);
    let mut cases = Vec::new();
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    let mut replays = Vec::new();
    for (question, reply) in questions.iter().zip(replies) {
        match reply {
            Reply::Input(replies) => inputs.push((question.purpose, replies.as_slice())),
            Reply::Output(reply) => outputs.push((question.purpose, reply)),
            Reply::Replay(replayed) => replays.push((question.purpose, &replayed.difference)),
            Reply::Turns(_) | Reply::Unanswered => {}
        }
    }
    checked.add_input_decisions(&inputs);
    checked.add_accepted_junk(&inputs);
    checked.add_accepted_damage(&inputs);
    checked.add_endless(&inputs);
    checked.add_output_decisions(&outputs);
    checked.add_rejected_answers(&outputs);
    for (code, purpose) in std::mem::take(&mut checked.accepted) {
        let question = questions
            .iter()
            .find(|question| question.purpose == purpose);
        cases.extend(question.and_then(|question| FailingCase::from_input(question, code)));
    }
    checked.findings.extend(output_findings::findings(
        loaded, questions, replies, &mut cases,
    ));
    for (purpose, differs) in replays {
        if let (Purpose::Interaction { file, .. }, Some(why)) = (purpose, differs) {
            checked.add(
                code::INTERACTION_DIFFERS,
                file,
                format!("differs from the actual interaction: {why}"),
            );
        }
    }
    (checked.findings, cases)
}

/// Findings about ranges of validators that the test cases do not reach. The replies must be about
/// all test cases of a package.
pub(crate) fn bound_findings(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
) -> Vec<Finding> {
    let mut checked = CheckedPackage::new(loaded);
    let inputs = questions
        .iter()
        .zip(replies)
        .filter_map(|(question, reply)| match reply {
            Reply::Input(replies) => Some((question.purpose, replies.as_slice())),
            Reply::Output(_) | Reply::Replay(_) | Reply::Turns(_) | Reply::Unanswered => None,
        });
    checked.add_unreached_bounds(&inputs.collect::<Vec<_>>());
    checked.findings
}

type InputReplies<'a> = [(Purpose<'a>, &'a [(String, InputReply)])];
pub(crate) type OutputReplies<'a> = [(Purpose<'a>, &'a OutputReply)];

struct CheckedPackage<'a> {
    loaded: &'a LoadedPackage,
    findings: Vec<Finding>,
    /// The synthetic inputs that are accepted, each with the code of the finding about it.
    accepted: Vec<(Code, Purpose<'a>)>,
}

impl<'a> CheckedPackage<'a> {
    fn new(loaded: &'a LoadedPackage) -> Self {
        Self {
            loaded,
            findings: Vec::new(),
            accepted: Vec::new(),
        }
    }

    fn add(&mut self, code: Code, file: &Path, message: String) {
        self.findings.push(Finding::new(code, file, message));
    }

    fn input_validators(&self) -> PathBuf {
        match self.loaded.problem.input_validators.as_slice() {
            [only] => only.path.clone(),
            _ => self.loaded.problem.directory.join("input_validators"),
        }
    }

    fn output_validator(&self) -> PathBuf {
        output_validator_of(&self.loaded.problem)
    }

    /// Adds test cases whose inputs are rejected, and invalid inputs that are accepted.
    fn add_input_decisions(&mut self, replies: &InputReplies<'_>) {
        let (mut grouped, mut accepted, mut failed) =
            (GroupedFindings::default(), Vec::new(), Vec::new());
        for (purpose, replies) in replies {
            let (id, file, valid) = match purpose {
                Purpose::ValidInput { id, file } => (id, file, true),
                Purpose::InvalidInput { id, file } => (id, file, false),
                _ => continue,
            };
            for (name, reply) in *replies {
                let message = last_line(&reply.output);
                match &reply.decision {
                    Input::JudgeError { reason } => {
                        let what = format!("the input validator `{name}` {reason} on");
                        grouped.add(
                            code::INPUT_VALIDATOR_CRASHED,
                            (what, message),
                            id,
                            file,
                            None,
                        );
                    }
                    Input::Rejected { how, is_as_agreed } if valid => {
                        let words = (
                            format!("the input validator `{name}` rejects"),
                            format!(": it {how}{message}"),
                        );
                        let hint = (!is_as_agreed).then_some(INPUT_VALIDATOR_CODES);
                        grouped.add(code::INPUT_REJECTED, words, id, file, hint);
                    }
                    _ => {}
                }
            }
            if !valid && let Some(how) = fails_only(replies) {
                failed.push((id, file, how));
            }
            // One validator that rejects an invalid input is enough: each may check a part.
            if !valid && all_accept(replies) {
                let message = format!("every input validator accepts `{id}`");
                accepted.push(Finding::new(code::INVALID_INPUT_ACCEPTED, file, message));
            }
        }
        self.findings.extend(
            grouped
                .findings(&self.input_validators())
                .into_iter()
                .chain(accepted),
        );
        if let Some((id, file, how)) = failed.first() {
            let more = if failed.len() > 1 {
                format!(" and {} more", failed.len() - 1)
            } else {
                String::new()
            };
            self.add(
                code::INVALID_INPUT_NOT_REJECTED,
                file,
                format!("`{id}`{more}: {how}"),
            );
        }
    }

    /// Adds bounds that no test case reaches. Only `sample` and `secret` count, not the cases that
    /// test validators.
    fn add_unreached_bounds(&mut self, replies: &InputReplies<'_>) {
        let mut reached: BTreeMap<(&str, usize), Reach> = BTreeMap::new();
        for (purpose, replies) in replies {
            let Purpose::ValidInput { id, .. } = purpose else {
                continue;
            };
            if !self
                .loaded
                .problem
                .test_cases
                .iter()
                .any(|case| case.id == **id)
            {
                continue;
            }
            for (name, reply) in *replies {
                for reach in &reply.reached {
                    // Keyed by the place in the program and not by the name: a validator may read
                    // two numbers of the same name with different ranges.
                    let all = reached
                        .entry((name, reach.place()))
                        .or_insert_with(|| reach.clone());
                    all.merge(reach);
                }
            }
        }
        for ((name, _), reach) in reached {
            let program = self
                .loaded
                .problem
                .input_validators
                .iter()
                .find(|program| program.name == name);
            if let (false, Some(program)) = (reach.is_whole(), program) {
                let (range, reached) = (reach.range(), reach.reached());
                let message =
                    format!("the range is {range}, but the test cases together go from {reached}");
                let finding = Finding::new(code::BOUND_NOT_REACHED, &program.path, message);
                self.findings.push(finding.at(Some(reach.line())));
            }
        }
    }

    /// Adds junk that is accepted, once for all test cases with the same arguments.
    fn add_accepted_junk(&mut self, replies: &InputReplies<'a>) {
        let names = junk::texts(0);
        let mut accepted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (purpose, replies) in replies {
            if let Purpose::JunkInput {
                representative,
                junk,
            } = purpose
                && all_accept(replies)
            {
                accepted
                    .entry(representative)
                    .or_default()
                    .push(&names[*junk].name);
                self.accepted.push((code::JUNK_INPUT_ACCEPTED, *purpose));
            }
        }
        for (representative, names) in accepted {
            let message = format!(
                "every input validator accepts {}{}",
                names.join(", "),
                self.called_as(representative)
            );
            self.add(code::JUNK_INPUT_ACCEPTED, &self.input_validators(), message);
        }
    }

    /// Adds damage that is accepted. A kind of damage counts when it is accepted in every input in
    /// which it was tried and no control is: in a single input it may be harmless.
    fn add_accepted_damage(&mut self, replies: &InputReplies<'a>) {
        let mut tried: BTreeMap<(&str, usize), (Vec<&str>, bool)> = BTreeMap::new();
        for (purpose, replies) in replies {
            if let Purpose::DamagedInput {
                representative,
                id,
                damage,
                is_control,
            } = purpose
            {
                let (ids, accepted) = tried
                    .entry((representative, *damage))
                    .or_insert((Vec::new(), true));
                ids.push(id);
                // The damaged input must be accepted and its control rejected. A validator that
                // accepts both does not check this property at all, or need not.
                *accepted &= all_accept(replies) != *is_control;
            }
        }
        let mut by_representative: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
        for ((representative, damage), (ids, _)) in
            tried.into_iter().filter(|(_, (_, accepted))| *accepted)
        {
            by_representative
                .entry(representative)
                .or_insert((ids[0], Vec::new()))
                .1
                .push(DAMAGES[damage].name);
            // The damage is accepted in all inputs, so the first one serves as the example.
            let purpose = Purpose::DamagedInput {
                representative,
                id: ids[0],
                damage,
                is_control: false,
            };
            self.accepted.push((code::CHANGED_INPUT_ACCEPTED, purpose));
        }
        for (representative, (id, names)) in by_representative {
            let (names, called) = (names.join("; "), self.called_as(representative));
            let message = format!(
                "every input validator accepts copies of `{id}` and other test cases{called} with {names}"
            );
            self.add(
                code::CHANGED_INPUT_ACCEPTED,
                &self.input_validators(),
                message,
            );
        }
    }

    /// Adds validators that do not end on a synthetic input. Their remaining checks are skipped.
    fn add_endless(&mut self, replies: &InputReplies<'_>) {
        let names = junk::texts(0);
        for (purpose, replies) in replies {
            let what = match purpose {
                Purpose::JunkInput { junk, .. } => names[*junk].name.clone(),
                Purpose::DamagedInput { id, damage, .. } => {
                    format!("a copy of `{id}` with {}", DAMAGES[*damage].name)
                }
                _ => continue,
            };
            if let Some((name, _)) = replies.iter().find(|(_, reply)| reply.timed_out) {
                let message =
                    format!("`{name}` does not end on {what}; its remaining checks are skipped");
                return self.add(
                    code::INVALID_INPUT_NOT_REJECTED,
                    &self.input_validators(),
                    message,
                );
            }
        }
    }

    /// Names the arguments of the validators when there are several sets of them.
    fn called_as(&self, representative: &str) -> String {
        if self.loaded.input_validator_args.is_empty() {
            String::new()
        } else {
            format!(" (called as for `{representative}`)")
        }
    }

    /// Adds wrong decisions about the cases of `valid_output` and `invalid_output`.
    fn add_output_decisions(&mut self, replies: &OutputReplies<'_>) {
        let mut grouped = GroupedFindings::default();
        for (purpose, reply) in replies {
            let Purpose::Extra { case, valid } = purpose else {
                continue;
            };
            let (id, file) = (&case.id, case.output.as_deref().unwrap_or(&case.input));
            let message = message_of(reply);
            match (&reply.decision, valid) {
                (Output::Rejected, true) => {
                    let words = ("the output validator rejects".to_owned(), message);
                    grouped.add(code::VALID_OUTPUT_REJECTED, words, id, file, None);
                }
                (Output::Accepted, false) => {
                    let words = ("the output validator accepts".to_owned(), String::new());
                    grouped.add(code::INVALID_OUTPUT_ACCEPTED, words, id, file, None);
                }
                (Output::JudgeError { reason }, _) => {
                    self.failed(&mut grouped, id, file, reason, &message);
                }
                _ => {}
            }
        }
        self.findings
            .extend(grouped.findings(&self.output_validator()));
    }

    /// Adds a failure of the output validator. The default one only fails for its arguments.
    fn failed(
        &self,
        grouped: &mut GroupedFindings,
        id: &str,
        file: &Path,
        reason: &str,
        message: &str,
    ) {
        let own = matches!(
            self.loaded.problem.output_validator,
            OutputValidator::Custom(_)
        );
        let code = if own {
            code::ANSWER_CRASHES_VALIDATOR
        } else {
            code::VALIDATOR_ARGUMENTS_REFUSED
        };
        grouped.add(
            code,
            (String::new(), format!(": {reason}{message}")),
            id,
            file,
            None,
        );
    }

    /// Adds answers that are rejected. Answers of samples must be correct outputs. Those of secret
    /// test cases count only if they are meant as outputs.
    fn add_rejected_answers(&mut self, replies: &OutputReplies<'_>) {
        let secret = |case: &TestCase| !case.is_sample();
        let some_are_accepted = secret_answers_are_outputs(replies);
        let mut grouped = GroupedFindings::default();
        for (purpose, reply) in replies {
            let Purpose::Answer { case, is_output } = purpose else {
                continue;
            };
            let file = case.output.as_deref().unwrap_or(&case.answer);
            let message = message_of(reply);
            match &reply.decision {
                Output::JudgeError { reason } => {
                    self.failed(&mut grouped, &case.id, file, reason, &message);
                }
                Output::Rejected => {
                    let code = match (is_output, secret(case)) {
                        (true, _) => code::VALID_OUTPUT_REJECTED,
                        (false, false) => code::SAMPLE_ANSWER_REJECTED,
                        // Answers of secret test cases may be notes for the validator. When one of
                        // them is accepted, all are meant as outputs.
                        (false, true) if some_are_accepted => code::SECRET_ANSWER_REJECTED,
                        (false, true) => continue,
                    };
                    let what = if *is_output { "output" } else { "answer" };
                    let words = (
                        format!("the output validator rejects the {what} of"),
                        message,
                    );
                    grouped.add(code, words, &case.id, file, None);
                }
                Output::Accepted | Output::Cancelled => {}
            }
        }
        self.findings
            .extend(grouped.findings(&self.output_validator()));
    }
}

/// Returns true when the answers of secret test cases are outputs. They need not be (2025-09, "Test
/// Data"), but when one is accepted, all are meant to be.
pub(crate) fn secret_answers_are_outputs(replies: &OutputReplies<'_>) -> bool {
    replies.iter().any(|(purpose, reply)| match purpose {
        Purpose::Answer {
            case,
            is_output: false,
        } => !case.is_sample() && reply.decision == Output::Accepted,
        _ => false,
    })
}

/// Describes how a validator fails on an invalid input that no validator rejects with exit code 43.
fn fails_only(replies: &[(String, InputReply)]) -> Option<String> {
    let mut rejections = replies
        .iter()
        .filter_map(|(name, reply)| match &reply.decision {
            Input::Rejected { how, is_as_agreed } => Some((name, how, *is_as_agreed)),
            _ => None,
        });
    let (name, how, is_as_agreed) = rejections.next()?;
    let as_agreed = is_as_agreed || rejections.any(|(.., is_as_agreed)| is_as_agreed);
    (!as_agreed).then(|| format!("`{name}` {how}, and no input validator exits with code 43"))
}

/// Returns true when every validator was run and accepted. A failure is not an acceptance.
pub(crate) fn all_accept(replies: &[(String, InputReply)]) -> bool {
    replies
        .iter()
        .all(|(_, reply)| reply.decision == Input::Accepted)
}

fn message_of(reply: &OutputReply) -> String {
    let message = reply.judge_message.to_text();
    match message.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(": {}", line.trim()),
        None => last_line(&reply.stderr),
    }
}
