//! The questions to a package's validators.
//!
//! Responsible for choosing them. Must not run anything, nor know what an answer means.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_exec::SamplePass;
use judge_model::{OutputValidator, OutputValidatorArgs, TestCase};
use judge_package::{ExtraCase, InputValidatorArgs, LoadedPackage, read_within};

use super::synthetic::changes::{CHANGES, Change, Role, Setting};
use super::synthetic::damage::{DAMAGES, tokens};
use super::synthetic::junk::{self, Junk, TEXT_NAMES};
use super::synthetic::permutations::are_permutations;
use super::synthetic::unprompted::{UnpromptedOutput, unprompted_outputs};
use super::synthetic::words::words;

/// The maximum number of test cases on which junk for careless readers is tried.
const MAX_CRASHER_CASES: usize = 3;
/// The maximum number of test cases whose answers are changed, or whose interactors get unprompted
/// outputs.
const MAX_CHANGED_ANSWERS: usize = 3;
/// The maximum number of test cases searched for one-word answers, those with the smallest answers
/// first.
const MAX_ANSWERS_WITH_WORDS: usize = 200;
/// The maximum number of inputs, the smallest ones, on which each kind of damage is tried.
const MAX_DAMAGED_INPUTS: usize = 5;
/// The same for damage of a number, for which few inputs are enough.
const MAX_DAMAGED_NUMBERS: usize = 2;
/// The maximum size of inputs that are damaged, in bytes.
const MAX_DAMAGED_BYTES: u64 = 64 << 10;
/// The maximum number of test cases on which a conversation is tried.
const MAX_TURN_CASES: usize = 2;
/// The lines with which a conversation is tried, besides the answer of another test case: guesses
/// and queries.
const TURN_LINES: [&[u8]; 4] = [b"1\n", b"? 1\n", b"? 1 1\n", b"1 1\n"];
/// The maximum size of records of interactions that are checked, in bytes.
const MAX_SHOWN: u64 = 64 << 20;

/// Bytes for a validator to read.
#[derive(Clone, Debug)]
pub(crate) enum Content<'a> {
    File(&'a Path),
    Bytes(Cow<'a, [u8]>),
}

/// The purpose of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose<'a> {
    /// An input that every input validator must accept.
    ValidInput { id: &'a str, file: &'a Path },
    /// An input that one of them must reject.
    InvalidInput { id: &'a str, file: &'a Path },
    /// Junk; `representative` is the id of a test case with the same arguments.
    JunkInput {
        representative: &'a str,
        junk: usize,
    },
    /// A damaged copy of a test case's input; `representative` is the id of a test case with the
    /// same arguments, and `damage` its index among the damages. If a control is accepted, such
    /// damage is not a fault.
    DamagedInput {
        representative: &'a str,
        id: &'a str,
        damage: usize,
        is_control: bool,
    },
    /// The answer of a test case, or its `.out`, as the output for that test case.
    Answer { case: &'a TestCase, is_output: bool },
    /// A case of `valid_output` or `invalid_output`.
    Extra { case: &'a ExtraCase, valid: bool },
    /// A sample whose interaction between a submission and the output validator is recorded.
    Interaction { case: &'a TestCase, file: &'a Path },
    /// A junk output.
    JunkOutput {
        case: &'a TestCase,
        name: &'a str,
        everywhere: bool,
    },
    /// A changed answer; `change` is its index among the changes.
    ChangedAnswer {
        case: &'a TestCase,
        change: usize,
        role: Role,
    },
    /// Text that a submission may send to an interactive output validator.
    UnpromptedOutput {
        case: &'a TestCase,
        name: &'a str,
        must_fail: bool,
    },
    /// The input of a further pass that an output validator asked for.
    NextInput { case: &'a TestCase },
    /// A line that a submission may send to an output validator of a problem that is not
    /// interactive.
    Turns,
}

impl Purpose<'_> {
    /// True for an input that one of the input validators must reject.
    pub(crate) fn expects_rejection(self) -> bool {
        matches!(
            self,
            Self::InvalidInput { .. } | Self::JunkInput { .. } | Self::DamagedInput { .. }
        )
    }

    /// True for an output that is part of the package.
    pub(crate) fn is_own_output(self) -> bool {
        matches!(self, Self::Answer { .. } | Self::Extra { .. })
    }
}

/// A question for all input validators or for the output validators.
#[derive(Clone, Debug)]
pub(crate) enum QuestionKind<'a> {
    Input {
        input: Content<'a>,
        /// The arguments for each input validator.
        args: Vec<Vec<String>>,
        files: Option<&'a Path>,
    },
    Output {
        input: &'a Path,
        answer: &'a Path,
        args: &'a OutputValidatorArgs,
        /// The output; for an interactive validator, everything that the submission writes.
        output: Content<'a>,
    },
    /// A replay, which shows if the output validator behaves as recorded.
    Replay {
        case: &'a TestCase,
        passes: &'a [SamplePass],
    },
    /// A conversation, which shows if the output validator replies to each of `count` lines before
    /// it gets the next one.
    Turns {
        case: &'a TestCase,
        line: Vec<u8>,
        count: usize,
    },
}

/// A test case with its recorded interaction.
pub(crate) struct RecordedInteraction<'a> {
    case: &'a TestCase,
    file: PathBuf,
    passes: Vec<SamplePass>,
}

#[derive(Clone, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) purpose: Purpose<'a>,
    pub(crate) kind: QuestionKind<'a>,
}

/// The arguments and the directory of files with which input validators are called. One test case
/// represents all with the same calls.
type Calls<'a> = (Vec<Vec<String>>, Option<&'a Path>);

/// The arguments of each validator, those for submissions last (2025-09, "Input Validators").
fn args_for(
    validators: &[&str],
    own: Option<&InputValidatorArgs>,
    args: &[String],
) -> Vec<Vec<String>> {
    validators
        .iter()
        .map(|name| InputValidatorArgs::command_line(own, name, args))
        .collect()
}

/// The arguments and files with which these input validators are called for a test case.
fn calls_for<'a>(loaded: &'a LoadedPackage, validators: &[&str], case: &'a TestCase) -> Calls<'a> {
    let own = loaded.input_validator_args.get(&case.id);
    (args_for(validators, own, &case.args), case.files.as_deref())
}

fn about_input<'a>(
    purpose: Purpose<'a>,
    input: Content<'a>,
    (args, files): Calls<'a>,
) -> Question<'a> {
    Question {
        purpose,
        kind: QuestionKind::Input { input, args, files },
    }
}

/// Questions to the input validators with these names about the package's own data.
pub(crate) fn about_inputs<'a>(
    loaded: &'a LoadedPackage,
    validators: &[&str],
) -> Vec<Question<'a>> {
    let mut questions = Vec::new();
    for case in &loaded.problem.test_cases {
        let purpose = Purpose::ValidInput {
            id: &case.id,
            file: &case.input,
        };
        let calls = calls_for(loaded, validators, case);
        questions.push(about_input(purpose, Content::File(&case.input), calls));
    }
    for case in loaded.extra_cases.iter() {
        let args = args_for(validators, Some(&case.input_validator_args), &case.args);
        // Inputs of `valid_output` and `invalid_output` must be valid: only their outputs are
        // under test.
        let invalid = case.id.starts_with("invalid_input/");
        let (id, file) = (case.id.as_str(), case.input.as_path());
        let purpose = if invalid {
            Purpose::InvalidInput { id, file }
        } else {
            Purpose::ValidInput { id, file }
        };
        questions.push(about_input(purpose, Content::File(file), (args, None)));
    }
    questions
}

/// Questions to the input validators with these names about junk, and about damaged copies of
/// the package's data.
pub(crate) fn about_damaged_inputs<'a>(
    loaded: &'a LoadedPackage,
    validators: &[&str],
    seed: u64,
) -> Vec<Question<'a>> {
    let mut questions = Vec::new();
    // Arguments may change the decisions of a validator, so each set of them is tried once. Test
    // cases with the same set give the same results.
    let mut by_calls: BTreeMap<Calls<'a>, Vec<&'a TestCase>> = BTreeMap::new();
    for case in &loaded.problem.test_cases {
        by_calls
            .entry(calls_for(loaded, validators, case))
            .or_default()
            .push(case);
    }
    let junk = junk::texts(seed);
    for (calls, cases) in &by_calls {
        let Some(representative) = cases.first().map(|case| case.id.as_str()) else {
            continue;
        };
        let inputs = smallest(cases);
        for (index, junk) in junk.iter().enumerate() {
            // An empty file is a valid input when the input consists of arguments.
            if inputs.iter().any(|(_, bytes)| *bytes == junk.bytes) {
                continue;
            }
            let bytes = Content::Bytes(Cow::Owned(junk.bytes.clone()));
            let purpose = Purpose::JunkInput {
                representative,
                junk: index,
            };
            questions.push(about_input(purpose, bytes, calls.clone()));
        }
        for (number, damage) in DAMAGES.iter().enumerate() {
            let damaged = inputs.iter().filter_map(|(case, bytes)| {
                let control = damage.control.and_then(|control| control(bytes));
                Some((case, (damage.apply)(bytes)?, control))
            });
            let tried = if damage.is_of_number {
                MAX_DAMAGED_NUMBERS
            } else {
                MAX_DAMAGED_INPUTS
            };
            for (case, bytes, control) in damaged.take(tried) {
                for (bytes, is_control) in [(Some(bytes), false), (control, true)] {
                    let purpose = Purpose::DamagedInput {
                        representative,
                        id: &case.id,
                        damage: number,
                        is_control,
                    };
                    let content = bytes.map(|bytes| Content::Bytes(Cow::Owned(bytes)));
                    questions.extend(
                        content.map(|content| about_input(purpose, content, calls.clone())),
                    );
                }
            }
        }
    }
    questions
}

/// Small inputs with their bytes, the smallest first.
fn smallest<'a>(cases: &[&'a TestCase]) -> Vec<(&'a TestCase, Vec<u8>)> {
    let inputs = cases.iter().map(|case| (*case, case.input.as_path()));
    // More than needed, since not every kind of damage is applicable to every input.
    let smallest = by_size(inputs, 0).take(4 * MAX_DAMAGED_INPUTS);
    smallest.filter_map(read_small).collect()
}

/// Test cases with small files of at least this size, the smallest first.
fn by_size<'a>(
    files: impl Iterator<Item = (&'a TestCase, &'a Path)>,
    min_bytes: u64,
) -> impl Iterator<Item = (&'a TestCase, &'a Path)> {
    let sized = files.filter_map(|(case, file)| {
        let size = std::fs::metadata(file).ok()?.len();
        (min_bytes..=MAX_DAMAGED_BYTES)
            .contains(&size)
            .then_some((size, case, file))
    });
    let mut sized: Vec<_> = sized.collect();
    sized.sort_by_key(|(size, ..)| *size);
    sized.into_iter().map(|(_, case, file)| (case, file))
}

fn read_small<'a>((case, file): (&'a TestCase, &Path)) -> Option<(&'a TestCase, Vec<u8>)> {
    Some((case, read_within(file, MAX_DAMAGED_BYTES).ok()?))
}

/// Returns true when output validators can check an output alone: not in interactive or multi-pass
/// problems.
fn can_be_asked_alone(loaded: &LoadedPackage) -> bool {
    !loaded.problem.interactive && loaded.problem.passes <= 1
}

/// Questions to the output validators about the package's own data.
pub(crate) fn about_outputs(loaded: &LoadedPackage) -> Vec<Question<'_>> {
    let problem = &loaded.problem;
    let mut questions = Vec::new();
    if !can_be_asked_alone(loaded) {
        return questions;
    }
    for case in &problem.test_cases {
        let is_output = case.output.is_some();
        let output = Content::File(case.output.as_deref().unwrap_or(&case.answer));
        questions.push(question(Purpose::Answer { case, is_output }, case, output));
    }
    let extra = &loaded.extra_cases;
    let cases = extra.valid_output.iter().map(|case| (case, true));
    for (case, valid) in cases.chain(extra.invalid_output.iter().map(|case| (case, false))) {
        let (Some(answer), Some(output)) = (&case.answer, &case.output) else {
            continue;
        };
        let kind = QuestionKind::Output {
            input: &case.input,
            answer,
            args: &case.output_validator_args,
            output: Content::File(output),
        };
        let purpose = Purpose::Extra { case, valid };
        questions.push(Question { purpose, kind });
    }
    questions
}

/// The test cases that have an `.interaction`. Another check reports lines without a direction.
pub(crate) fn recorded_interactions(loaded: &LoadedPackage) -> Vec<RecordedInteraction<'_>> {
    if loaded.problem.output_validator == OutputValidator::Default || can_be_asked_alone(loaded) {
        return Vec::new();
    }
    let recorded = loaded.problem.test_cases.iter().filter_map(|case| {
        let file = case.input.with_extension("interaction");
        let passes = SamplePass::all(&read_within(&file, MAX_SHOWN).ok()?)?;
        Some(RecordedInteraction { case, file, passes })
    });
    recorded.collect()
}

/// Questions to the output validator about the interactions that samples show.
pub(crate) fn about_interactions<'a>(recorded: &'a [RecordedInteraction<'a>]) -> Vec<Question<'a>> {
    let question =
        |RecordedInteraction { case, file, passes }: &'a RecordedInteraction<'a>| Question {
            purpose: Purpose::Interaction { case, file },
            kind: QuestionKind::Replay { case, passes },
        };
    recorded.iter().map(question).collect()
}

/// Questions to the output validators about junk.
pub(crate) fn about_junk_outputs<'a>(
    loaded: &'a LoadedPackage,
    junk: &'a [Junk],
) -> Vec<Question<'a>> {
    let problem = &loaded.problem;
    let mut questions = Vec::new();
    // The default output validator needs no such tests.
    if problem.interactive || problem.output_validator == OutputValidator::Default {
        return questions;
    }
    let texts = TEXT_NAMES.len();
    for (index, case) in problem.test_cases.iter().enumerate() {
        // Short texts are tried on every test case, since accepting them on all is the fault. The
        // other junk only makes careless readers fail, on any test case.
        let is_crashed = index < MAX_CRASHER_CASES;
        let tried = if is_crashed { junk.len() } else { texts };
        for (number, junk) in junk.iter().take(tried).enumerate() {
            let purpose = Purpose::JunkOutput {
                case,
                name: &junk.name,
                everywhere: number < texts,
            };
            let output = Content::Bytes(Cow::Borrowed(&junk.bytes));
            questions.push(question(purpose, case, output));
        }
    }
    questions
}

/// Questions to the output validators about changed answers.
pub(crate) fn about_changed_answers(loaded: &LoadedPackage) -> Vec<Question<'_>> {
    let problem = &loaded.problem;
    let mut questions = Vec::new();
    if !can_be_asked_alone(loaded) || problem.output_validator == OutputValidator::Default {
        return questions;
    }
    let answers = small_answers(&problem.test_cases);
    let has_permutations = are_permutations(answers.iter().map(|(_, answer)| answer.as_slice()));
    for (index, (case, answer)) in answers.iter().enumerate() {
        // The search begins at the next answer, so that test cases get different answers in place
        // of theirs.
        let mut others = answers[index..].iter().chain(&answers[..index]);
        let other_answer = others.find(|(_, other)| !has_equal_tokens(other, answer));
        let setting = Setting {
            output_bytes: problem.limits.output_bytes,
            other_answer: other_answer.map(|(_, other)| other.as_slice()),
            word: None,
            has_permutations,
        };
        let is_tried = |change: &Change| index == 0 || !change.once;
        questions.extend(about_changes(case, answer, &setting, is_tried));
    }
    questions.extend(about_words(&problem.test_cases));
    questions
}

/// Questions about the changes of an answer that are to be tried.
fn about_changes<'a>(
    case: &'a TestCase,
    answer: &[u8],
    setting: &Setting<'_>,
    is_tried: impl Fn(&Change) -> bool,
) -> Vec<Question<'a>> {
    let mut questions = Vec::new();
    for (number, change) in CHANGES.iter().enumerate() {
        if is_tried(change) {
            for (role, output) in change.outputs(answer, setting) {
                let purpose = Purpose::ChangedAnswer {
                    case,
                    change: number,
                    role,
                };
                questions.push(question(purpose, case, Content::Bytes(Cow::Owned(output))));
            }
        }
    }
    questions
}

/// Questions about one-word answers as outputs for test cases with different answers.
fn about_words(cases: &[TestCase]) -> Vec<Question<'_>> {
    let answers = smallest_answers(cases).take(MAX_ANSWERS_WITH_WORDS);
    let answers: Vec<(&TestCase, Vec<u8>)> = answers.collect();
    let texts = answers.iter().map(|(_, answer)| answer.as_slice());
    let texts: Vec<&[u8]> = texts.collect();
    let mut questions = Vec::new();
    for (word, places) in words(&texts) {
        let setting = Setting {
            word: Some(word),
            ..Setting::default()
        };
        for (case, answer) in places.into_iter().map(|index| &answers[index]) {
            questions.extend(about_changes(case, answer, &setting, |change| {
                change.by_output
            }));
        }
    }
    questions
}

/// Returns true when two answers have the same tokens, ignoring letter case.
fn has_equal_tokens(one: &[u8], other: &[u8]) -> bool {
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        tokens(text)
            .map(|word| text[word].to_ascii_lowercase())
            .collect()
    };
    words(one) == words(other)
}

/// Test cases with small answers, the smallest first.
fn smallest_answers(cases: &[TestCase]) -> impl Iterator<Item = (&TestCase, Vec<u8>)> {
    let answers = cases.iter().map(|case| {
        let output = case.output.as_deref();
        (case, output.unwrap_or(&case.answer))
    });
    // An empty answer cannot be changed.
    by_size(answers, 1).filter_map(read_small)
}

/// Test cases with small answers, the smallest first, including at least one for each set of
/// arguments.
fn small_answers(cases: &[TestCase]) -> Vec<(&TestCase, Vec<u8>)> {
    let mut chosen: Vec<(&TestCase, Vec<u8>)> = Vec::new();
    for (case, answer) in smallest_answers(cases) {
        // Arguments may change the comparison, such as its tolerance, so each set is tried even if
        // the answers are larger.
        let is_unlike = chosen
            .iter()
            .all(|(other, _)| other.output_validator_args != case.output_validator_args);
        if chosen.len() < MAX_CHANGED_ANSWERS
            || (is_unlike && chosen.len() < 2 * MAX_CHANGED_ANSWERS)
        {
            chosen.push((case, answer));
        }
    }
    chosen
}

/// Unprompted outputs for the package's interactive output validator; empty for other problems.
pub(crate) fn unprompted_outputs_for(
    loaded: &LoadedPackage,
    recorded: &[RecordedInteraction<'_>],
) -> Vec<UnpromptedOutput> {
    if !loaded.problem.interactive {
        return Vec::new();
    }
    let sample = recorded.first().and_then(|known| known.passes.first());
    let sample = sample.map(|pass| pass.written.as_slice());
    unprompted_outputs(sample, loaded.problem.limits.output_bytes)
}

/// Questions to an interactive output validator about unprompted outputs.
pub(crate) fn about_unprompted_outputs<'a>(
    loaded: &'a LoadedPackage,
    outputs: &'a [UnpromptedOutput],
) -> Vec<Question<'a>> {
    let cases = loaded.problem.test_cases.iter().take(MAX_CHANGED_ANSWERS);
    let pairs = cases.flat_map(|case| outputs.iter().map(move |output| (case, output)));
    let question = |(case, output): (&'a TestCase, &'a UnpromptedOutput)| {
        let purpose = Purpose::UnpromptedOutput {
            case,
            name: &output.name,
            must_fail: output.must_fail,
        };
        question(purpose, case, Content::Bytes(Cow::Borrowed(&output.bytes)))
    };
    pairs.map(question).collect()
}

/// Questions to the input validators with these names about the inputs of further passes.
pub(crate) fn about_next_inputs<'a>(
    loaded: &'a LoadedPackage,
    validators: &[&str],
    inputs: Vec<(&'a TestCase, Vec<u8>)>,
) -> Vec<Question<'a>> {
    let question = |(case, input): (&'a TestCase, Vec<u8>)| {
        let content = Content::Bytes(Cow::Owned(input));
        let calls = calls_for(loaded, validators, case);
        about_input(Purpose::NextInput { case }, content, calls)
    };
    inputs.into_iter().map(question).collect()
}

/// Questions to the output validator of a problem that is not interactive, which show if it holds a
/// conversation.
///
/// A validator that only writes debugging text writes at most one line for each token of the
/// answer, one before all of them, and one after them.
pub(crate) fn about_turns(loaded: &LoadedPackage) -> Vec<Question<'_>> {
    let answers: Vec<_> = smallest_answers(&loaded.problem.test_cases)
        .take(MAX_CHANGED_ANSWERS)
        .collect();
    let mut questions = Vec::new();
    for (case, answer) in answers.iter().take(MAX_TURN_CASES) {
        let mut others = answers.iter().map(|(_, other)| other);
        let other = others.find(|other| !has_equal_tokens(other, answer));
        let first_line =
            other.and_then(|other| other.split_inclusive(|byte| *byte == b'\n').next());
        let first_line = first_line.filter(|line| line.ends_with(b"\n"));
        for line in TURN_LINES.into_iter().chain(first_line) {
            let line = line.to_vec();
            // One reply more than a validator writes as debugging text: a line before the tokens of
            // the answer, one for each of them, and one after them.
            let (purpose, count) = (Purpose::Turns, tokens(answer).count() + 3);
            let kind = QuestionKind::Turns { case, line, count };
            questions.push(Question { purpose, kind });
        }
    }
    questions
}

fn question<'a>(purpose: Purpose<'a>, case: &'a TestCase, output: Content<'a>) -> Question<'a> {
    Question {
        purpose,
        kind: QuestionKind::Output {
            input: &case.input,
            answer: &case.answer,
            args: &case.output_validator_args,
            output,
        },
    }
}
