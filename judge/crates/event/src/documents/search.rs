//! Searches for inputs: the tally of what was tried, the inputs that were found, and all that a
//! search came to.
//!
//! Responsible for the facts, and for their keys in documents (`judge/docs/reference/stress.md`).
//! Must not know how inputs are made or run, nor how they are shown. No event: documents of
//! `judge stress` and of the hunt of `judge mutate`.

use judge_model::Verdict;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Bytes, Difference, Picture};

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// There are enough findings.
    Found,
    /// All inputs were tried.
    Inputs,
    /// The time was over.
    #[default]
    Time,
    /// It was interrupted.
    Interrupted,
}

/// The tally of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputTally {
    /// Inputs that were begun.
    pub inputs: u64,
    /// Of these, those that submissions were judged on.
    #[serde(rename = "judged")]
    pub judged_inputs: u64,
    /// Inputs that came before.
    pub repeated: u64,
    /// Inputs that an input validator rejects.
    pub invalid: u64,
    /// Calls that a generator refuses: arguments that make no sense to it.
    pub refused: u64,
    /// Inputs that the reference does not answer within its limits, or not rightly.
    pub unusable: u64,
    /// Kinds of calls of generators.
    pub kinds: u64,
    /// The number of them of which a valid input came.
    pub kinds_reached: u64,
    /// Test cases that could be changed.
    #[serde(skip)]
    pub bases: u64,
    /// Findings of different classes.
    #[serde(skip)]
    pub findings: u64,
}

/// The size of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputSize {
    /// Its bytes.
    pub bytes: u64,
    /// Its lines; the last one counts without an end, too.
    pub lines: u64,
}

impl InputSize {
    /// The size of this input.
    #[must_use]
    pub fn measure(input: &[u8]) -> Self {
        let ends = input.iter().filter(|byte| **byte == b'\n').count();
        let is_open = input.last().is_some_and(|last| *last != b'\n');
        Self {
            bytes: input.len() as u64,
            lines: (ends + usize::from(is_open)) as u64,
        }
    }
}

/// The behaviour of a submission on an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Behaviour {
    /// The submission.
    pub submission: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The way in which it fails, in words, as far as it distinguishes failures; empty where the
    /// verdict suffices.
    pub how: String,
    /// The first difference of its output.
    #[serde(skip)]
    pub difference: Option<Difference>,
    /// The output validator's message to the judges.
    #[serde(skip)]
    pub judge_message: Bytes,
    /// The reason of a verdict that an outcome alone does not explain.
    #[serde(skip)]
    pub reason: Option<String>,
}

/// The size that an input was minimized to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Smallness {
    /// Not at all.
    #[default]
    AsFound,
    /// As small as it gets: no single line and no single word can be taken out of it.
    Minimal,
    /// Its call only, if there is one: nothing would validate the input.
    NotValidated,
    /// The time was over before it was minimal.
    TimeOver,
}

/// An input that was found, as small as it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FoundInput {
    /// The number of the input that was found, under the seed of the search.
    pub number: u64,
    /// The call or the test case that it came from.
    pub made_by: String,
    /// The behaviour of the submissions on the small input.
    #[serde(rename = "failures")]
    pub seen: Vec<Behaviour>,
    /// The size of the input as it was found.
    #[serde(rename = "found_bytes", serialize_with = "in_bytes")]
    pub found: InputSize,
    /// The call with the smallest arguments that still does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The small input.
    pub input: Bytes,
    /// The answer of the reference; absent where answers are no outputs, and for what was not made
    /// small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Bytes>,
    /// The size that it was minimized to.
    #[serde(rename = "is_minimal", serialize_with = "as_minimal")]
    pub smallness: Smallness,
    /// Inputs that were tried to make it small.
    pub tried: u64,
    /// The file that it was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The pictures that the package's visualizers drew of it, each with the submission whose run
    /// it shows.
    #[serde(skip)]
    pub drawn: Vec<(String, Picture)>,
    /// The files that these were written to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// The path of that file relative to the workspace, where possible.
    #[serde(skip)]
    pub shown_file: Option<String>,
    /// The size of what that call makes.
    #[serde(skip)]
    pub call_size: InputSize,
    /// True when a generator made it: `made_by` is the command.
    #[serde(skip)]
    pub is_generated: bool,
    /// The name for a test case of it, without its group.
    #[serde(skip)]
    pub name: String,
    /// The submissions of the package that the test case must reject.
    #[serde(skip)]
    pub required: Vec<String>,
}

/// The slowest input of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlowestInput {
    /// The number of the input, under the seed of the search.
    pub number: u64,
    /// The call or the test case that it came from.
    pub made_by: String,
    /// The CPU time in microseconds.
    pub cpu_time_us: u64,
    /// Its size.
    #[serde(rename = "bytes", serialize_with = "in_bytes")]
    pub size: InputSize,
    /// The submission.
    #[serde(skip)]
    pub submission: String,
}

/// A test case of the package that rejects a submission already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownRejection {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// The verdict on it.
    pub verdict: Verdict,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// The version of the document: [`SearchResult::SCHEMA`].
    pub schema: u32,
    /// The problem's name.
    pub problem: String,
    /// The predicate that inputs were searched for, as it was typed or in words.
    pub finder: String,
    /// The submission that writes the answers.
    pub reference: String,
    /// The submissions that were named.
    pub submissions: Vec<String>,
    /// The seed of all inputs, which are numbered.
    pub seed: u64,
    /// The cost classes of the kinds of generator calls, a digit each. The inputs depend on them as
    /// on the seed. Absent when they are all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The number of the first input.
    pub from: u64,
    /// The first number that was not tried.
    pub next: u64,
    /// The reason why it ended.
    pub end: SearchEnd,
    /// Elapsed time of looking, without making inputs small, in microseconds.
    pub elapsed_us: u64,
    /// The tally of the inputs.
    #[serde(flatten)]
    pub tally: InputTally,
    /// The inputs that were found.
    #[serde(rename = "findings")]
    pub found: Vec<FoundInput>,
    /// The input that the first submission is slowest on, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowestInput>,
    /// The first test case that rejects each of the submissions, of those that are rejected by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected_by: Vec<KnownRejection>,
    /// Warnings, in sentences.
    pub warnings: Vec<String>,
    /// True when the output validator failed on the output of a submission.
    #[serde(skip)]
    pub is_judge_error: bool,
    /// True when the problem is that of a package, to which test cases can be added.
    #[serde(skip)]
    pub in_package: bool,
}

impl SearchResult {
    /// The version of the document. It grows when a key changes its meaning or goes away; new keys
    /// do not change it.
    pub const SCHEMA: u32 = 1;

    /// As one line of JSON.
    ///
    /// # Panics
    /// Never: every key is a string.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has string keys only")
    }
}

fn in_bytes<S: Serializer>(size: &InputSize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(size.bytes)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_minimal<S: Serializer>(smallness: &Smallness, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*smallness == Smallness::Minimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_without_its_end() {
        let size = |text: &str| InputSize::measure(text.as_bytes());
        assert_eq!(size(""), InputSize::default());
        assert_eq!(
            (size("1\n"), size("1\n2")),
            (
                InputSize { bytes: 2, lines: 1 },
                InputSize { bytes: 3, lines: 2 }
            )
        );
        assert_eq!(size("\n\n").lines, 2);
    }

    fn tally() -> InputTally {
        InputTally {
            inputs: 8,
            judged_inputs: 6,
            kinds: 2,
            kinds_reached: 1,
            bases: 5,
            ..InputTally::default()
        }
    }

    #[test]
    fn the_document_has_its_keys_in_their_order_and_nothing_for_readers_alone() {
        let seen = Behaviour {
            submission: "wrong_answer/x.c".into(),
            verdict: Verdict::WrongAnswer,
            how: String::new(),
            difference: None,
            judge_message: Bytes::default(),
            reason: Some("why".into()),
        };
        let found = FoundInput {
            number: 7,
            made_by: "gen 1".into(),
            seen: vec![seen],
            found: InputSize {
                bytes: 12,
                lines: 3,
            },
            call: Some("gen 0".into()),
            input: Bytes(b"1\n".to_vec()),
            answer: Some(Bytes(b"\xff".to_vec())),
            smallness: Smallness::Minimal,
            tried: 3,
            name: "stress-7".into(),
            ..FoundInput::default()
        };
        let slowest = SlowestInput {
            number: 2,
            made_by: "gen 9".into(),
            cpu_time_us: 5,
            size: InputSize { bytes: 4, lines: 1 },
            submission: "a".into(),
        };
        let (submission, test_case) = ("wrong_answer/x.c".into(), "secret/7".into());
        let rejection = KnownRejection {
            submission,
            test_case,
            verdict: Verdict::WrongAnswer,
        };
        let result = SearchResult {
            schema: SearchResult::SCHEMA,
            problem: "sum".into(),
            finder: "a ~ WA".into(),
            reference: "accepted/a.c".into(),
            submissions: vec!["wrong_answer/x.c".into()],
            seed: 1,
            costs: Some("01".into()),
            from: 0,
            next: 8,
            end: SearchEnd::Found,
            elapsed_us: 9,
            tally: tally(),
            found: vec![found],
            slowest: Some(slowest),
            rejected_by: vec![rejection],
            warnings: Vec::new(),
            is_judge_error: true,
            in_package: true,
        };
        let expected = concat!(
            r#"{"schema":1,"problem":"sum","finder":"a ~ WA","reference":"accepted/a.c","submissions":["wrong_answer/x.c"],"#,
            r#""seed":1,"costs":"01","from":0,"next":8,"end":"found","elapsed_us":9,"inputs":8,"judged":6,"repeated":0,"invalid":0,"#,
            r#""refused":0,"unusable":0,"kinds":2,"kinds_reached":1,"findings":[{"number":7,"made_by":"gen 1","#,
            r#""failures":[{"submission":"wrong_answer/x.c","verdict":"WA","how":""}],"found_bytes":12,"call":"gen 0","#,
            r#""input":"1\n","answer":{"hex":"ff"},"is_minimal":true,"tried":3}],"#,
            r#""slowest":{"number":2,"made_by":"gen 9","cpu_time_us":5,"bytes":4},"#,
            r#""rejected_by":[{"submission":"wrong_answer/x.c","test_case":"secret/7","verdict":"WA"}],"warnings":[]}"#,
        );
        assert_eq!(result.to_json(), expected);
    }
}
