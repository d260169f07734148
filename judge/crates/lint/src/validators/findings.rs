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

use super::ask::{Reply, input_replies, output_replies};
use super::failing_cases::FailingCase;
use super::grouped::{
    GroupedFindings, last_line, output_limit_hint, output_validator_of, shortened,
};
use super::output_findings;
use super::questions::{Purpose, Question};
use super::synthetic::damage::DAMAGES;
use super::synthetic::junk::TEXT_NAMES;

/// The findings, in the order of the questions, and synthetic test cases that show some of them.
/// `with_bounds` adds findings about ranges that the test cases do not reach. Then the replies must
/// be about all test cases of a package.
pub(crate) fn findings(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
    with_bounds: bool,
) -> (Vec<Finding>, Vec<FailingCase>) {
    let mut checked = CheckedPackage {
        loaded,
        findings: Vec::new(),
        cases: Vec::new(),
    };
    let inputs = input_replies(questions, replies);
    let outputs = output_replies(questions, replies);
    checked.add_input_decisions(&inputs);
    checked.add_accepted_junk(&inputs);
    checked.add_accepted_damage(&inputs);
    checked.add_endless(&inputs);
    checked.add_output_decisions(&outputs);
    checked.add_rejected_answers(&outputs);
    let found = output_findings::findings(loaded, questions, replies, &mut checked.cases);
    checked.findings.extend(found);
    for (question, reply) in questions.iter().zip(replies) {
        if let (Purpose::Interaction { file, .. }, Reply::Replay(replayed)) =
            (question.purpose, reply)
            && let Some(why) = &replayed.difference
        {
            let message = format!("differs from the actual interaction: {why}");
            checked.add(code::INTERACTION_DIFFERS, file, message);
        }
    }
    if with_bounds {
        checked.add_unreached_bounds(&inputs);
    }
    (checked.findings, checked.cases)
}

type InputReplies<'a> = [(&'a Question<'a>, &'a [(String, InputReply)])];
pub(crate) type OutputReplies<'a> = [(&'a Question<'a>, &'a OutputReply)];

struct CheckedPackage<'a> {
    loaded: &'a LoadedPackage,
    findings: Vec<Finding>,
    /// The synthetic inputs and outputs that show some of the findings.
    cases: Vec<FailingCase>,
}

impl CheckedPackage<'_> {
    fn add(&mut self, code: Code, file: &Path, message: String) {
        self.findings.push(Finding::new(code, file, message));
    }

    fn input_validators(&self) -> PathBuf {
        match self.loaded.problem.input_validators.as_slice() {
            [only] => only.path.clone(),
            _ => self.loaded.problem.directory.join("input_validators"),
        }
    }

    /// Adds test cases whose inputs are rejected, and invalid inputs that are accepted.
    fn add_input_decisions(&mut self, replies: &InputReplies<'_>) {
        let (mut grouped, mut accepted, mut failed) =
            (GroupedFindings::default(), Vec::new(), Vec::new());
        for (question, replies) in replies {
            let (id, file, valid) = match question.purpose {
                Purpose::ValidInput { id, file } => (id, file, true),
                Purpose::InvalidInput { id, file } => (id, file, false),
                _ => continue,
            };
            for (name, reply) in *replies {
                let message = last_line(&reply.output);
                match &reply.decision {
                    Input::JudgeError { reason } => {
                        let words = (format!("the input validator `{name}` {reason} on"), message);
                        grouped.add(code::INPUT_VALIDATOR_CRASHED, words, id, file, None);
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
        let rejected = grouped.findings(&self.input_validators());
        self.findings.extend(rejected.into_iter().chain(accepted));
        if let Some((id, file, how)) = failed.first() {
            let more = match failed.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!("`{id}`{more}: {how}");
            self.add(code::INVALID_INPUT_NOT_REJECTED, file, message);
        }
    }

    /// Adds bounds that no test case reaches. Only `sample` and `secret` count, not the cases that
    /// test validators.
    fn add_unreached_bounds(&mut self, replies: &InputReplies<'_>) {
        let mut reached: BTreeMap<(&str, usize), Reach> = BTreeMap::new();
        let test_cases = &self.loaded.problem.test_cases;
        for (question, replies) in replies {
            let is_counted = match question.purpose {
                Purpose::ValidInput { id, .. } => test_cases.iter().any(|case| case.id == id),
                _ => false,
            };
            if !is_counted {
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
            let mut programs = self.loaded.problem.input_validators.iter();
            let program = programs.find(|program| program.name == name);
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
    fn add_accepted_junk(&mut self, replies: &InputReplies<'_>) {
        let mut accepted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (question, replies) in replies {
            if let Purpose::JunkInput {
                representative,
                junk,
            } = question.purpose
                && all_accept(replies)
            {
                let names = accepted.entry(representative).or_default();
                names.push(TEXT_NAMES[junk]);
                let case = FailingCase::from_input(question, code::JUNK_INPUT_ACCEPTED);
                self.cases.extend(case);
            }
        }
        for (representative, names) in accepted {
            let (names, called) = (names.join(", "), self.called_as(representative));
            let message = format!("every input validator accepts {names}{called}");
            self.add(code::JUNK_INPUT_ACCEPTED, &self.input_validators(), message);
        }
    }

    /// Adds damage that is accepted. A kind of damage counts when it is accepted in every input in
    /// which it was tried and no control is: in a single input it may be harmless.
    fn add_accepted_damage(&mut self, replies: &InputReplies<'_>) {
        // The first input in which each damage was tried, and whether the damage is accepted.
        let mut tried: BTreeMap<(&str, usize), (&str, &Question<'_>, bool)> = BTreeMap::new();
        for (question, replies) in replies {
            if let Purpose::DamagedInput {
                representative,
                id,
                damage,
                is_control,
            } = question.purpose
            {
                let (.., accepted) = tried
                    .entry((representative, damage))
                    .or_insert((id, *question, true));
                // The damaged input must be accepted and its control rejected. A validator that
                // accepts both does not check this property at all, or need not.
                *accepted &= all_accept(replies) != is_control;
            }
        }
        tried.retain(|_, (.., accepted)| *accepted);
        let mut by_representative: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
        for ((representative, damage), (id, question, _)) in tried {
            let first = || (id, Vec::new());
            let (_, names) = by_representative
                .entry(representative)
                .or_insert_with(first);
            names.push(DAMAGES[damage].name);
            // The damage is accepted in all inputs, so the first one serves as the example.
            let case = FailingCase::from_input(question, code::CHANGED_INPUT_ACCEPTED);
            self.cases.extend(case);
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
        for (question, replies) in replies {
            let what = match question.purpose {
                Purpose::JunkInput { junk, .. } => TEXT_NAMES[junk].to_owned(),
                Purpose::DamagedInput { id, damage, .. } => {
                    format!("a copy of `{id}` with {}", DAMAGES[damage].name)
                }
                _ => continue,
            };
            if let Some((name, _)) = replies.iter().find(|(_, reply)| reply.timed_out) {
                let message =
                    format!("`{name}` does not end on {what}; its remaining checks are skipped");
                let place = self.input_validators();
                return self.add(code::INVALID_INPUT_NOT_REJECTED, &place, message);
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
        for (question, reply) in replies {
            let Purpose::Extra { case, valid } = question.purpose else {
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
        let place = output_validator_of(&self.loaded.problem);
        self.findings.extend(grouped.findings(&place));
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
        let code = match self.loaded.problem.output_validator {
            OutputValidator::Custom(_) => code::ANSWER_CRASHES_VALIDATOR,
            OutputValidator::Default => code::VALIDATOR_ARGUMENTS_REFUSED,
        };
        let words = (String::new(), format!(": {reason}{message}"));
        grouped.add(code, words, id, file, output_limit_hint(reason));
    }

    /// Adds answers that are rejected. Answers of samples must be correct outputs. Those of secret
    /// test cases count only if they are meant as outputs.
    fn add_rejected_answers(&mut self, replies: &OutputReplies<'_>) {
        let secret = |case: &TestCase| !case.is_sample();
        let some_are_accepted = secret_answers_are_outputs(replies);
        let mut grouped = GroupedFindings::default();
        for (question, reply) in replies {
            let Purpose::Answer { case, is_output } = question.purpose else {
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
                    let what = if is_output { "output" } else { "answer" };
                    let words = (
                        format!("the output validator rejects the {what} of"),
                        message,
                    );
                    grouped.add(code, words, &case.id, file, None);
                }
                Output::Accepted | Output::Cancelled => {}
            }
        }
        let place = output_validator_of(&self.loaded.problem);
        self.findings.extend(grouped.findings(&place));
    }
}

/// Returns true when the answers of secret test cases are outputs. They need not be (2025-09, "Test
/// Data"), but when one is accepted, all are meant to be.
pub(crate) fn secret_answers_are_outputs(replies: &OutputReplies<'_>) -> bool {
    replies.iter().any(|(question, reply)| {
        matches!(question.purpose, Purpose::Answer { case, is_output: false } if !case.is_sample())
            && reply.decision == Output::Accepted
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
        Some(line) => format!(": {}", shortened(line.trim())),
        None => last_line(&reply.stderr),
    }
}
