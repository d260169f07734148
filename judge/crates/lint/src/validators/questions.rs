//! The questions that a package's validators are asked.
//!
//! Responsible for choosing them. Must not ask, nor know what an answer shows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_exec::SamplePass;
use judge_model::{OutputValidator, OutputValidatorArgs, TestCase};
use judge_package::{ExtraCase, InputValidatorArgs, LoadedPackage, read_within};

use super::made_up::changes::{CHANGES, Role, Setting};
use super::made_up::damage::Damage;
use super::made_up::junk::{self, Junk};
use super::made_up::permutations::are_permutations;
use super::made_up::speeches::{Speech, speeches};
use super::made_up::words::words;

/// Junk outputs are many; those that only careless readers fail on are tried on so many test
/// cases.
const CRASHER_CASES: usize = 3;
/// Test cases whose answers are changed, or whose interactors are spoken to.
const CHANGED_ANSWERS: usize = 3;
/// Test cases, those with the smallest answers, among which words are looked for that are whole
/// answers.
const ANSWERS_WITH_WORDS: usize = 200;
/// Inputs that each kind of damage is tried on, the smallest ones.
const DAMAGED_INPUTS: usize = 5;
/// The same for damage of a number, which all inputs show as well as one.
const DAMAGED_NUMBERS: usize = 2;
/// Larger inputs are not damaged: a small one shows as much.
const DAMAGED_BYTES: u64 = 64 << 10;
/// Test cases on which a conversation is tried.
const TURN_CASES: usize = 2;
/// The lines with which one is tried, besides the answer of another test case: guesses and
/// queries.
const TURN_LINES: [&[u8]; 4] = [b"1\n", b"? 1\n", b"? 1 1\n", b"1 1\n"];
/// The size above which records of interactions are not shown.
const MAX_SHOWN: u64 = 64 << 20;

/// Bytes that a validator is to read.
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
    /// Junk; `like` is a test case with the same arguments.
    JunkInput { like: &'a str, junk: usize },
    /// A damaged copy of a test case's input; `like` stands for all with the same arguments. A
    /// control shows that such damage is no fault.
    DamagedInput {
        like: &'a str,
        id: &'a str,
        damage: Damage,
        is_control: bool,
    },
    /// The answer of a test case, or its `.out`, for itself.
    Answer { case: &'a TestCase, is_output: bool },
    /// A case of `valid_output` or `invalid_output`.
    Extra { case: &'a ExtraCase, valid: bool },
    /// A sample that is shown as what a submission and the output validator say.
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
    Speech {
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

/// A question for all input validators or for the output validators.
#[derive(Clone, Debug)]
pub(crate) enum QuestionKind<'a> {
    Input {
        input: Content<'a>,
        /// For each input validator.
        args: Vec<Vec<String>>,
        files: Option<&'a Path>,
        /// One rejection is enough.
        until_rejected: bool,
    },
    Output {
        input: &'a Path,
        answer: &'a Path,
        args: &'a OutputValidatorArgs,
        /// The output; to one that talks, all that the submission says.
        output: Content<'a>,
        /// True unless it is one of the package's own.
        made_up: bool,
    },
    /// A replay: does the output validator do what the file shows?
    Replay {
        case: &'a TestCase,
        passes: &'a [SamplePass],
    },
    /// A conversation: does the output validator answer a line before it gets the next one, so
    /// many times?
    Turns {
        case: &'a TestCase,
        line: Vec<u8>,
        count: usize,
    },
}

/// A test case with what is shown of it.
pub(crate) struct SampleLog<'a> {
    case: &'a TestCase,
    file: PathBuf,
    passes: Vec<SamplePass>,
}

#[derive(Clone, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) purpose: Purpose<'a>,
    pub(crate) asked: QuestionKind<'a>,
}

/// The settings that decide how input validators are called: test cases that agree in them are
/// alike.
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

/// The settings with which the input validators with these names are called for a test case.
fn calls_for<'a>(loaded: &'a LoadedPackage, validators: &[&str], case: &'a TestCase) -> Calls<'a> {
    let own = loaded.input_validator_args.get(&case.id);
    (args_for(validators, own, &case.args), case.files.as_deref())
}

fn about_input<'a>(
    purpose: Purpose<'a>,
    input: Content<'a>,
    (args, files): Calls<'a>,
    until_rejected: bool,
) -> Question<'a> {
    Question {
        purpose,
        asked: QuestionKind::Input {
            input,
            args,
            files,
            until_rejected,
        },
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
        questions.push(about_input(
            purpose,
            Content::File(&case.input),
            calls_for(loaded, validators, case),
            false,
        ));
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
        questions.push(about_input(
            purpose,
            Content::File(file),
            (args, None),
            invalid,
        ));
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
    // Arguments may change what a validator accepts, so each set of them is tried once. Test
    // cases with the same set show the same.
    let mut alike: BTreeMap<Calls<'a>, Vec<&'a TestCase>> = BTreeMap::new();
    for case in &loaded.problem.test_cases {
        alike
            .entry(calls_for(loaded, validators, case))
            .or_default()
            .push(case);
    }
    let junk = junk::texts(seed);
    for (calls, cases) in &alike {
        let Some(like) = cases.first().map(|case| case.id.as_str()) else {
            continue;
        };
        let inputs = smallest(cases);
        for (index, junk) in junk.iter().enumerate() {
            // An empty file is a valid input where the input is given as arguments.
            if inputs.iter().any(|(_, bytes)| *bytes == junk.bytes) {
                continue;
            }
            let bytes = Content::Bytes(Cow::Owned(junk.bytes.clone()));
            questions.push(about_input(
                Purpose::JunkInput { like, junk: index },
                bytes,
                calls.clone(),
                true,
            ));
        }
        for damage in Damage::ALL {
            let damaged = inputs.iter().filter_map(|(case, bytes)| {
                Some((case, damage.apply(bytes)?, damage.control(bytes)))
            });
            let tried = if damage.is_of_number() {
                DAMAGED_NUMBERS
            } else {
                DAMAGED_INPUTS
            };
            for (case, bytes, control) in damaged.take(tried) {
                for (bytes, is_control) in [(Some(bytes), false), (control, true)] {
                    let purpose = Purpose::DamagedInput {
                        like,
                        id: &case.id,
                        damage,
                        is_control,
                    };
                    let content = bytes.map(|bytes| Content::Bytes(Cow::Owned(bytes)));
                    questions.extend(
                        content.map(|content| about_input(purpose, content, calls.clone(), true)),
                    );
                }
            }
        }
    }
    questions
}

/// Small inputs with their bytes, the smallest first.
fn smallest<'a>(cases: &[&'a TestCase]) -> Vec<(&'a TestCase, Vec<u8>)> {
    let size = |case: &&TestCase| {
        std::fs::metadata(&case.input).map_or(u64::MAX, |metadata| metadata.len())
    };
    let mut sized: Vec<(u64, &TestCase)> = cases.iter().map(|case| (size(case), *case)).collect();
    sized.retain(|(size, _)| *size <= DAMAGED_BYTES);
    sized.sort_by_key(|(size, _)| *size);
    // Some more than are wanted: not every input has a place for every damage.
    let read = |(_, case): (u64, &'a TestCase)| {
        Some((case, read_within(&case.input, DAMAGED_BYTES).ok()?))
    };
    sized
        .into_iter()
        .take(4 * DAMAGED_INPUTS)
        .filter_map(read)
        .collect()
}

/// Returns true when output validators can be asked about an output alone: not when they talk
/// with the submission, or want several passes.
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
        questions.push(question(
            Purpose::Answer { case, is_output },
            case,
            output,
            false,
        ));
    }
    let extra = &loaded.extra_cases;
    let cases = extra.valid_output.iter().map(|case| (case, true));
    for (case, valid) in cases.chain(extra.invalid_output.iter().map(|case| (case, false))) {
        let (Some(answer), Some(output)) = (&case.answer, &case.output) else {
            continue;
        };
        let args = &case.output_validator_args;
        let output = Content::File(output);
        let output = QuestionKind::Output {
            input: &case.input,
            answer,
            args,
            output,
            made_up: false,
        };
        questions.push(Question {
            purpose: Purpose::Extra { case, valid },
            asked: output,
        });
    }
    questions
}

/// The test cases that have an `.interaction`. One whose lines have no direction is reported
/// elsewhere.
pub(crate) fn shown(loaded: &LoadedPackage) -> Vec<SampleLog<'_>> {
    let problem = &loaded.problem;
    let has_own = matches!(problem.output_validator, OutputValidator::Custom(_));
    let cases = problem
        .test_cases
        .iter()
        .filter(|_| has_own && !can_be_asked_alone(loaded));
    let shown = cases.filter_map(|case| {
        let file = case.input.with_extension("interaction");
        let passes = SamplePass::all(&read_within(&file, MAX_SHOWN).ok()?)?;
        Some(SampleLog { case, file, passes })
    });
    shown.collect()
}

/// Questions to the output validator about the interactions that samples show.
pub(crate) fn about_interactions<'a>(shown: &'a [SampleLog<'a>]) -> Vec<Question<'a>> {
    let question = |SampleLog { case, file, passes }: &'a SampleLog<'a>| Question {
        purpose: Purpose::Interaction { case, file },
        asked: QuestionKind::Replay { case, passes },
    };
    shown.iter().map(question).collect()
}

/// Questions to the output validators about junk.
pub(crate) fn about_junk_outputs<'a>(
    loaded: &'a LoadedPackage,
    junk: &'a [Junk],
) -> Vec<Question<'a>> {
    let problem = &loaded.problem;
    let mut questions = Vec::new();
    // The default output validator has no surprises.
    if !problem.interactive && matches!(problem.output_validator, OutputValidator::Custom(_)) {
        let texts = junk::texts(0).len();
        for (index, case) in problem.test_cases.iter().enumerate() {
            // Short texts are tried on every test case, since accepting them on all is the
            // fault. The other junk only makes careless readers fail, which the test case does
            // not influence.
            let tried = if index < CRASHER_CASES {
                junk.len()
            } else {
                texts
            };
            for (number, junk) in junk.iter().take(tried).enumerate() {
                let purpose = Purpose::JunkOutput {
                    case,
                    name: &junk.name,
                    everywhere: number < texts,
                };
                questions.push(question(
                    purpose,
                    case,
                    Content::Bytes(Cow::Borrowed(&junk.bytes)),
                    true,
                ));
            }
        }
    }
    questions
}

/// Questions to the output validators about changed answers.
pub(crate) fn about_changed_answers(loaded: &LoadedPackage) -> Vec<Question<'_>> {
    let problem = &loaded.problem;
    let mut questions = Vec::new();
    if !can_be_asked_alone(loaded)
        || !matches!(problem.output_validator, OutputValidator::Custom(_))
    {
        return questions;
    }
    let answers = small_answers(&problem.test_cases);
    let has_permutations = are_permutations(answers.iter().map(|(_, answer)| answer.as_slice()));
    for (index, (case, answer)) in answers.iter().enumerate() {
        // Beginning at the next answer, so that test cases do not all get the same one in place
        // of theirs.
        let others = answers[index..]
            .iter()
            .chain(&answers[..index])
            .map(|(_, other)| other.as_slice());
        let other_answer = others
            .into_iter()
            .find(|other| !has_equal_tokens(other, answer));
        let setting = Setting {
            output_bytes: problem.limits.output_bytes,
            other_answer,
            word: None,
            has_permutations,
        };
        for (change, of) in CHANGES
            .iter()
            .enumerate()
            .filter(|(_, of)| index == 0 || !of.once)
        {
            let made = of.outputs(answer, &setting).into_iter();
            questions.extend(made.map(|(role, output)| about_change(case, change, role, output)));
        }
    }
    questions.extend(about_words(&problem.test_cases));
    questions
}

fn about_change(case: &TestCase, change: usize, role: Role, output: Vec<u8>) -> Question<'_> {
    question(
        Purpose::ChangedAnswer { case, change, role },
        case,
        Content::Bytes(Cow::Owned(output)),
        true,
    )
}

/// Questions about words that are whole answers, in place of other answers than the smallest
/// ones.
fn about_words(cases: &[TestCase]) -> Vec<Question<'_>> {
    let answers = smallest_answers(cases).take(ANSWERS_WITH_WORDS);
    let answers: Vec<(&TestCase, Vec<u8>)> = answers.collect();
    let texts: Vec<&[u8]> = answers
        .iter()
        .map(|(_, answer)| answer.as_slice())
        .collect();
    let mut questions = Vec::new();
    for (word, places) in words(&texts) {
        let setting = Setting {
            word: Some(word),
            ..Setting::default()
        };
        for (change, of) in CHANGES.iter().enumerate().filter(|(_, of)| of.by_output) {
            let made = places.iter().flat_map(|index| {
                let (case, answer) = &answers[*index];
                of.outputs(answer, &setting)
                    .into_iter()
                    .map(|(role, output)| about_change(case, change, role, output))
            });
            questions.extend(made);
        }
    }
    questions
}

/// Returns true when two answers have the same tokens, whatever their letter case.
fn has_equal_tokens(one: &[u8], other: &[u8]) -> bool {
    let words = |text: &[u8]| {
        text.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(<[u8]>::to_ascii_lowercase)
            .collect::<Vec<_>>()
    };
    words(one) == words(other)
}

/// Test cases with small answers, the smallest first.
fn smallest_answers(cases: &[TestCase]) -> impl Iterator<Item = (&TestCase, Vec<u8>)> {
    let output = |case: &TestCase| case.output.clone().unwrap_or_else(|| case.answer.clone());
    let size = |case: &TestCase| {
        std::fs::metadata(output(case)).map_or(u64::MAX, |metadata| metadata.len())
    };
    let mut sized: Vec<(u64, &TestCase)> = cases.iter().map(|case| (size(case), case)).collect();
    // An empty answer has nothing that could be changed.
    sized.retain(|(size, _)| (1..=DAMAGED_BYTES).contains(size));
    sized.sort_by_key(|(size, _)| *size);
    sized
        .into_iter()
        .filter_map(move |(_, case)| Some((case, read_within(&output(case), DAMAGED_BYTES).ok()?)))
}

/// Test cases with small answers, the smallest first, and those with arguments of their own
/// among them.
fn small_answers(cases: &[TestCase]) -> Vec<(&TestCase, Vec<u8>)> {
    let mut chosen: Vec<(&TestCase, Vec<u8>)> = Vec::new();
    for (case, answer) in smallest_answers(cases) {
        // Other arguments may mean another comparison, such as a tolerance, so each set is
        // tried even if the answers are larger.
        let is_unlike = chosen
            .iter()
            .all(|(other, _)| other.output_validator_args != case.output_validator_args);
        if chosen.len() < CHANGED_ANSWERS || (is_unlike && chosen.len() < 2 * CHANGED_ANSWERS) {
            chosen.push((case, answer));
        }
    }
    chosen
}

/// Texts that a submission may send to the package's interactive output validator; empty in
/// other problems.
pub(crate) fn speeches_for(loaded: &LoadedPackage, shown: &[SampleLog<'_>]) -> Vec<Speech> {
    if !loaded.problem.interactive {
        return Vec::new();
    }
    let sample = shown
        .first()
        .and_then(|shown| shown.passes.first())
        .map(|pass| pass.written.as_slice());
    speeches(
        sample,
        &Setting {
            output_bytes: loaded.problem.limits.output_bytes,
            ..Setting::default()
        },
    )
}

/// Questions to an interactive output validator about what a submission may say.
pub(crate) fn about_speeches<'a>(
    loaded: &'a LoadedPackage,
    speeches: &'a [Speech],
) -> Vec<Question<'a>> {
    let cases = loaded.problem.test_cases.iter().take(CHANGED_ANSWERS);
    let spoken = cases.flat_map(|case| speeches.iter().map(move |speech| (case, speech)));
    spoken
        .map(
            |(
                case,
                Speech {
                    name,
                    bytes,
                    must_fail,
                },
            )| {
                let purpose = Purpose::Speech {
                    case,
                    name,
                    must_fail: *must_fail,
                };
                question(purpose, case, Content::Bytes(Cow::Borrowed(bytes)), true)
            },
        )
        .collect()
}

/// Questions to the input validators with these names about the inputs of further passes.
pub(crate) fn about_next_inputs<'a>(
    loaded: &'a LoadedPackage,
    validators: &[&str],
    inputs: Vec<(&'a TestCase, Vec<u8>)>,
) -> Vec<Question<'a>> {
    let question = |(case, input): (&'a TestCase, Vec<u8>)| {
        let content = Content::Bytes(Cow::Owned(input));
        about_input(
            Purpose::NextInput { case },
            content,
            calls_for(loaded, validators, case),
            false,
        )
    };
    inputs.into_iter().map(question).collect()
}

/// Questions to the output validator of a problem that is not interactive: does it hold a
/// conversation?
///
/// A validator that only writes debugging text writes at most one line for each token of the
/// answer, one before all of them, and one after them.
pub(crate) fn about_turns(loaded: &LoadedPackage) -> Vec<Question<'_>> {
    let answers: Vec<_> = smallest_answers(&loaded.problem.test_cases)
        .take(CHANGED_ANSWERS)
        .collect();
    let first_line = |answer: &[u8]| {
        answer
            .split_inclusive(|byte| *byte == b'\n')
            .next()
            .map(<[u8]>::to_vec)
    };
    let mut questions = Vec::new();
    for (case, answer) in answers.iter().take(TURN_CASES) {
        let other = answers
            .iter()
            .find(|(_, other)| !has_equal_tokens(other, answer));
        let other = other
            .and_then(|(_, other)| first_line(other))
            .filter(|line| line.ends_with(b"\n"));
        let tokens = answer
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .count();
        for line in TURN_LINES.iter().map(|line| line.to_vec()).chain(other) {
            // One reply more than a validator gives that writes debugging text: a line before the
            // tokens of the answer, one for each of them, and one behind them.
            let kind = QuestionKind::Turns {
                case,
                line,
                count: tokens + 3,
            };
            questions.push(Question {
                purpose: Purpose::Turns,
                asked: kind,
            });
        }
    }
    questions
}

fn question<'a>(
    purpose: Purpose<'a>,
    case: &'a TestCase,
    output: Content<'a>,
    made_up: bool,
) -> Question<'a> {
    let args = &case.output_validator_args;
    Question {
        purpose,
        asked: QuestionKind::Output {
            input: &case.input,
            answer: &case.answer,
            args,
            output,
            made_up,
        },
    }
}
