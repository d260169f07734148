//! The findings about synthetic outputs: junk, changed answers and unprompted outputs.
//!
//! Pure. Responsible for deciding which decisions are faults, and for reporting each cause once,
//! with an example. Must not run anything.

use std::collections::BTreeMap;

use judge_exec::{OutputReply, ValidatorDecision as Output};
use judge_model::{OutputValidator, TestCase};
use judge_package::{Code, Finding, LoadedPackage, code, read_within};

use super::ask::{Reply, output_replies};
use super::failing_cases::FailingCase;
use super::grouped::{last_line, output_limit_hint, output_validator_of};
use super::questions::{Content, Purpose, Question, QuestionKind};
use super::synthetic::changes::{CHANGES, Role, shown};

/// The maximum number of outputs that a message names for one cause.
const MAX_NAMED: usize = 4;
/// The maximum number of inputs of further passes that input validators check.
const MAX_NEXT_INPUTS: usize = 20;

/// The maximum size of cases of `invalid_input` that are read, in bytes.
const MAX_INVALID_INPUT_BYTES: u64 = 1 << 20;

type Answered<'a> = (&'a Question<'a>, &'a OutputReply);

/// The findings about the package's own output validator. An output that shows each finding is
/// added to `cases`.
pub(super) fn findings(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
    cases: &mut Vec<FailingCase>,
) -> Vec<Finding> {
    let mut findings = next_input_findings(loaded, questions, replies);
    if loaded.problem.output_validator == OutputValidator::Default {
        return findings;
    }
    let answered = output_replies(questions, replies);
    let place = output_validator_of(&loaded.problem);
    let mut add = |code: Code, message: String, hint: Option<String>| {
        findings.push(Finding::new(code, &place, message).hint(hint));
    };
    for (message, hint) in failures(loaded, &answered, cases) {
        add(code::OUTPUT_VALIDATOR_CRASHES, message, hint);
    }
    // With another type, every decision may change, so findings about decisions would mislead.
    let talks = replies
        .iter()
        .any(|reply| matches!(reply, Reply::Turns(true)));
    if let Some(message) = type_finding(loaded, &answered, talks) {
        add(code::TYPE_MISFIT, message.to_owned(), None);
        return findings;
    }
    let accepted = accepted_junk(&answered);
    if !accepted.is_empty() {
        add(
            code::JUNK_OUTPUT_ACCEPTED,
            format!("accepts on every test case: {}", accepted.join(", ")),
            None,
        );
        let is_about = |question: &Question<'_>, junk: &str| matches!(question.purpose, Purpose::JunkOutput { name, .. } if name == junk);
        // Such junk is accepted on all test cases, so the first one serves as the example.
        let of_name = |junk: &&str| questions.iter().find(|question| is_about(question, junk));
        let shown = accepted.iter().filter_map(of_name);
        cases.extend(shown.filter_map(|question| {
            FailingCase::from_output(loaded, question, code::JUNK_OUTPUT_ACCEPTED)
        }));
    }
    // A validator that accepts any text accepts changed answers for the same reason.
    if accepted.iter().all(|name| *name == "an empty file") {
        for (code, message) in change_findings(loaded, &answered, cases) {
            add(code, message, None);
        }
    }
    findings
}

/// The output that a question is about.
fn output<'a>(question: &'a Question<'_>) -> &'a [u8] {
    match &question.kind {
        QuestionKind::Output {
            output: Content::Bytes(bytes),
            ..
        } => bytes,
        _ => b"",
    }
}

/// The test case and a description of the output, with its bytes, of a question about synthetic data.
fn case_and_description<'a>(question: &Question<'a>) -> Option<(&'a TestCase, String)> {
    match question.purpose {
        Purpose::JunkOutput { case, name, .. } => Some((case, name.to_owned())),
        Purpose::ChangedAnswer { case, change, .. } => {
            let (name, bytes) = (CHANGES[change].name, shown(output(question)));
            Some((case, format!("a correct answer with {name} ({bytes})")))
        }
        Purpose::UnpromptedOutput { case, name, .. } => match output(question) {
            [] => Some((case, name.to_owned())),
            bytes => Some((case, format!("{name} ({})", shown(bytes)))),
        },
        _ => None,
    }
}

/// Failures of the validator with one cause.
struct Failure<'a> {
    reason: String,
    /// The first test case.
    case: &'a TestCase,
    /// Descriptions of the outputs.
    names: Vec<String>,
    /// An output that can become a test case.
    example: Option<FailingCase>,
}

const NOT_UTF_8: &str = "read bytes (`sys.stdin.buffer`), or open the input with `errors=\"replace\"`: the locale \
    decides whether Python reads bytes that are not UTF-8 as text, and PyPy never does";

/// Synthetic outputs on which the validator fails. Many outputs show one fault, which is reported
/// once for each way in which the validator ends. The hint covers one frequent cause.
fn failures(
    loaded: &LoadedPackage,
    answered: &[Answered<'_>],
    cases: &mut Vec<FailingCase>,
) -> Vec<(String, Option<String>)> {
    let mut causes: BTreeMap<String, Failure<'_>> = BTreeMap::new();
    for (question, reply) in answered {
        let Some((reason, (case, name))) =
            failure(loaded, reply).zip(case_and_description(question))
        else {
            continue;
        };
        let last_line = last_line(&reply.stderr);
        let failure = causes
            .entry(cause(reason, &last_line))
            .or_insert_with(|| Failure {
                reason: format!("{reason}{last_line}"),
                case,
                names: Vec::new(),
                example: None,
            });
        if failure.example.is_none() {
            failure.example =
                FailingCase::from_output(loaded, question, code::OUTPUT_VALIDATOR_CRASHES);
        }
        if !failure.names.contains(&name) {
            failure.names.push(name);
        }
    }
    let given = if loaded.problem.interactive {
        "written by the submission"
    } else {
        "given as output"
    };
    let messages = causes.into_values().map(
        |Failure {
             reason,
             case,
             names,
             example,
         }| {
            cases.extend(example);
            let hint = if reason.contains("UnicodeDecodeError") {
                Some(NOT_UTF_8)
            } else {
                output_limit_hint(&reason)
            };
            let hint = hint.map(str::to_owned);
            (
                format!(
                    "on `{}`, {reason}; {given}: {}",
                    case.id,
                    first_names(&names)
                ),
                hint,
            )
        },
    );
    messages.collect()
}

/// The reason why a reply is a judge error.
fn failure<'a>(loaded: &LoadedPackage, reply: &'a OutputReply) -> Option<&'a str> {
    match &reply.decision {
        Output::JudgeError { reason } => Some(reason),
        // 2025-09, "Multi-pass": only a validator that accepts may request another pass.
        Output::Rejected if loaded.problem.passes > 1 && reply.next_input.is_some() => Some(
            "the output validator wrote `nextpass.in` and rejected; expected exit code 42 with it",
        ),
        _ => None,
    }
}

/// The common cause of failures: the kind of exception in the last line, or else the way in which
/// the program ended, without the number of its exit code or signal.
fn cause(reason: &str, last_line: &str) -> String {
    let kind = last_line
        .strip_prefix(": ")
        .and_then(|line| line.split(':').next())
        .unwrap_or_default();
    let is_name = kind
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
    // Python and Java begin the last line with the kind of exception. The rest depends on the
    // output and would make each failure a separate cause.
    if is_name && ["Error", "Exception"].iter().any(|end| kind.ends_with(end)) {
        return kind.to_owned();
    }
    // Without the number of the exit code or signal: one fault can end a program in several
    // ways.
    reason
        .chars()
        .filter(|letter| !letter.is_ascii_digit())
        .collect()
}

fn first_names(names: &[String]) -> String {
    let shown = names.len().min(MAX_NAMED);
    let end = match names.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{end}", names[..shown].join(", "))
}

/// The junk that is accepted on every test case with which it was tried.
fn accepted_junk<'a>(answered: &[Answered<'a>]) -> Vec<&'a str> {
    let mut tried: Vec<(&str, bool)> = Vec::new();
    for (question, reply) in answered {
        let name = match question.purpose {
            Purpose::JunkOutput {
                name,
                everywhere: true,
                ..
            } => name,
            Purpose::UnpromptedOutput {
                name,
                must_fail: true,
                ..
            } => name,
            _ => continue,
        };
        // An output that is accepted in one pass may be rejected in the next one.
        let accepts = reply.decision == Output::Accepted && reply.next_input.is_none();
        match tried.iter_mut().find(|(known, _)| *known == name) {
            Some((_, accepted)) => *accepted &= accepts,
            None => tried.push((name, accepts)),
        }
    }
    tried
        .into_iter()
        .filter(|(_, accepted)| *accepted)
        .map(|(name, _)| name)
        .collect()
}

/// The decisions about one change, on test cases whose answers are accepted.
#[derive(Default)]
struct Decisions<'a> {
    accepted: usize,
    rejected: usize,
    /// True while the control was accepted on every test case with which it was tried.
    control_accepted: Option<bool>,
    contrast_rejected: bool,
    /// The first changed answer.
    example: Option<&'a Question<'a>>,
    expected: Option<Output>,
}

/// Changed answers that are wrongly accepted or rejected on every test case with which they were
/// tried. On some test cases a change may be harmless.
fn change_findings(
    loaded: &LoadedPackage,
    answered: &[Answered<'_>],
    cases: &mut Vec<FailingCase>,
) -> Vec<(Code, String)> {
    let is_right = |case: &TestCase| {
        answered.iter().any(|(question, reply)| {
            matches!(question.purpose, Purpose::Answer { case: of, .. } if of.id == case.id)
                && reply.decision == Output::Accepted
        })
    };
    let mut decisions: BTreeMap<(usize, &[u8]), Decisions<'_>> = BTreeMap::new();
    for (question, reply) in answered {
        let Purpose::ChangedAnswer { case, change, role } = question.purpose else {
            continue;
        };
        // If the unchanged answer is rejected, a decision about a changed one proves nothing.
        if !is_right(case) {
            continue;
        }
        let by_output: &[u8] = if CHANGES[change].by_output {
            output(question)
        } else {
            b""
        };
        let counts = decisions.entry((change, by_output)).or_default();
        let accepts = reply.decision == Output::Accepted;
        match role {
            Role::Control => {
                counts.control_accepted = Some(counts.control_accepted.unwrap_or(true) && accepts);
            }
            Role::Contrast => counts.contrast_rejected |= !accepts,
            Role::Change => {
                if counts.example.is_none() {
                    counts.example = Some(question);
                    counts.expected = CHANGES[change]
                        .expected(&case.output_validator_args, loaded.problem.grading.scores());
                }
                counts.accepted += usize::from(accepts);
                counts.rejected += usize::from(reply.decision == Output::Rejected);
            }
        }
    }
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    for ((change, _), counts) in decisions {
        // An accepted control shows that any such change is correct in this problem. A rejected
        // contrast shows that the validator reads the output, so the change may have made another
        // correct answer.
        let is_excused = counts.control_accepted == Some(true) || counts.contrast_rejected;
        let Some(example) = counts.example else {
            continue;
        };
        let name = format!("{} ({})", CHANGES[change].name, shown(output(example)));
        let code = match counts.expected {
            // Only if no test case shows the opposite: on some of them a change may be harmless.
            Some(Output::Rejected)
                if counts.accepted > 0 && counts.rejected == 0 && !is_excused =>
            {
                accepted.push(name);
                code::CHANGED_ANSWER_ACCEPTED
            }
            Some(Output::Accepted) if counts.rejected > 0 && counts.accepted == 0 => {
                rejected.push(name);
                code::WHITE_SPACE_REJECTED
            }
            _ => continue,
        };
        cases.extend(FailingCase::from_output(loaded, example, code));
    }
    let message = |decision: &str, names: &[String]| {
        format!(
            "{decision}, on every tested case, a correct answer with {}",
            names.join(", ")
        )
    };
    let mut found = Vec::new();
    if !accepted.is_empty() {
        found.push((code::CHANGED_ANSWER_ACCEPTED, message("accepts", &accepted)));
    }
    if !rejected.is_empty() {
        found.push((code::WHITE_SPACE_REJECTED, message("rejects", &rejected)));
    }
    found
}

/// A problem type that does not fit the behaviour of the output validator. `talks` is true when it
/// held a conversation.
fn type_finding(
    loaded: &LoadedPackage,
    answered: &[Answered<'_>],
    talks: bool,
) -> Option<&'static str> {
    let problem = &loaded.problem;
    let requests_pass =
        |reply: &OutputReply| reply.decision == Output::Accepted && reply.next_input.is_some();
    if problem.passes <= 1 && answered.iter().any(|(_, reply)| requests_pass(reply)) {
        return Some(
            "wrote `nextpass.in`, but the problem has one pass: expected the type `multi-pass` in problem.yaml (legacy: \
             `validation: custom multi-pass`)",
        );
    }
    if talks {
        return Some(
            "answers each line of a submission before it reads the next one, but no submission reads its standard output: \
             expected the type `interactive` in problem.yaml (legacy: `validation: custom interactive`)",
        );
    }
    let is_answer =
        |(question, _): &&Answered<'_>| matches!(question.purpose, Purpose::Answer { .. });
    let answers: Vec<&Answered<'_>> = answered.iter().filter(is_answer).collect();
    let none_accepted = answers
        .iter()
        .all(|(_, reply)| reply.decision != Output::Accepted);
    (!problem.interactive && !answers.is_empty() && none_accepted && speaks(answered)).then_some(
        "writes to standard output, which no submission reads, and accepts no answer: if it talks with submissions, expected \
         the type `interactive` in problem.yaml (legacy: `validation: custom interactive`)",
    )
}

/// Returns true when a validator wrote to standard output, about an answer or about junk.
fn speaks(answered: &[Answered<'_>]) -> bool {
    answered.iter().any(|(question, reply)| {
        matches!(
            question.purpose,
            Purpose::Answer { .. } | Purpose::JunkOutput { .. }
        ) && reply.spoke
    })
}

/// Returns true for an output validator that may be an interactor although the problem is not
/// interactive.
pub(super) fn may_talk(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
) -> bool {
    let is_custom = loaded.problem.output_validator != OutputValidator::Default;
    is_custom && !loaded.problem.interactive && speaks(&output_replies(questions, replies))
}

/// The inputs of further passes that a validator wrote, each once.
pub(super) fn next_inputs<'a>(
    questions: &[Question<'a>],
    replies: &[Reply],
) -> Vec<(&'a TestCase, Vec<u8>)> {
    let mut inputs: Vec<(&TestCase, Vec<u8>)> = Vec::new();
    for (question, reply) in questions.iter().zip(replies) {
        let (case, of_question): (_, Vec<&Vec<u8>>) = match (question.purpose, reply) {
            (
                Purpose::JunkOutput { case, .. } | Purpose::UnpromptedOutput { case, .. },
                Reply::Output(reply),
            ) if reply.decision == Output::Accepted => (case, reply.next_input.iter().collect()),
            (Purpose::Interaction { case, .. }, Reply::Replay(replayed)) => {
                (case, replayed.next_inputs.iter().collect())
            }
            _ => continue,
        };
        for input in of_question {
            // A validator may write the same input after every output. One question is enough.
            if inputs.len() < MAX_NEXT_INPUTS && inputs.iter().all(|(_, known)| known != input) {
                inputs.push((case, input.clone()));
            }
        }
    }
    inputs
}

/// Inputs of further passes that the input validators do not accept: one finding, since one
/// program writes them.
///
/// The package decides whether inputs of further passes are valid inputs. A case of `invalid_input`
/// that begins with the same word declares them invalid.
fn next_input_findings(
    loaded: &LoadedPackage,
    questions: &[Question<'_>],
    replies: &[Reply],
) -> Vec<Finding> {
    let first_word = |bytes: &[u8]| {
        bytes
            .split(u8::is_ascii_whitespace)
            .find(|word| !word.is_empty())
            .map(<[u8]>::to_vec)
    };
    let invalid: Vec<_> = loaded
        .extra_cases
        .invalid_input
        .iter()
        .filter_map(|case| first_word(&read_within(&case.input, MAX_INVALID_INPUT_BYTES).ok()?))
        .collect();
    for (question, reply) in questions.iter().zip(replies) {
        let (Purpose::NextInput { case }, Reply::Input(replies)) = (question.purpose, reply) else {
            continue;
        };
        let QuestionKind::Input {
            input: Content::Bytes(bytes),
            ..
        } = &question.kind
        else {
            continue;
        };
        let rejection = replies
            .iter()
            .find_map(|(name, reply)| match &reply.decision {
                judge_exec::InputValidatorDecision::Rejected { how, .. } => {
                    Some((name, how, last_line(&reply.output)))
                }
                judge_exec::InputValidatorDecision::JudgeError { reason } => {
                    Some((name, reason, last_line(&reply.output)))
                }
                _ => None,
            });
        let is_declared = first_word(bytes).is_some_and(|word| invalid.contains(&word));
        if let Some((name, how, line)) = rejection.filter(|_| !is_declared) {
            let message = format!(
                "writes a `nextpass.in` on `{}` that the input validator `{name}` does not accept: it {how}{line}; the file: {}",
                case.id,
                shown(bytes)
            );
            return vec![Finding::new(
                code::NEXT_INPUT_REJECTED,
                &output_validator_of(&loaded.problem),
                message,
            )];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_grouped_by_cause() {
        let python = |line: &str| cause("returned exit code 1", line);
        assert_eq!(
            python(": ValueError: invalid literal: 'a'"),
            python(": ValueError: invalid literal: 'b'")
        );
        assert_ne!(python(": ValueError: x"), python(": UnicodeDecodeError: x"));
        assert_eq!(
            cause("returned exit code 0", ""),
            cause("returned exit code 1", ": line 2: warning: a null byte")
        );
        assert_ne!(
            cause("was killed by SIGSEGV", ""),
            cause("exceeded its time limit of 1 s", "")
        );
    }
}
