//! Searches for inputs: the tally of tried inputs, the found inputs, and the result of a search.
//!
//! Responsible for the facts, and for their keys in documents (`judge/docs/reference/stress.md`).
//! Must not know how inputs are made, run or rendered. No event: documents of `judge stress` and of
//! the hunt of `judge mutate`.

use judge_model::Verdict;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Bytes, Difference, Picture};

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// Enough inputs were found.
    Found,
    /// All inputs were tried.
    Inputs,
    /// The time budget was used up.
    #[default]
    Time,
    /// It was interrupted.
    Interrupted,
}

/// The tally of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputTally {
    /// The number of inputs that were started.
    pub inputs: u64,
    /// The number of these on which submissions were run.
    #[serde(rename = "judged")]
    pub judged_inputs: u64,
    /// The number of inputs that are equal to an earlier one.
    pub repeated: u64,
    /// The number of inputs that an input validator rejects.
    pub invalid: u64,
    /// The number of calls that a generator refuses because of their arguments.
    pub refused: u64,
    /// The number of inputs that the reference does not answer within its limits, or answers
    /// wrongly.
    pub unusable: u64,
    /// The number of kinds of generator calls.
    pub kinds: u64,
    /// The number of kinds that produced a valid input.
    pub kinds_reached: u64,
    /// The number of test cases that could be changed.
    #[serde(skip)]
    pub bases: u64,
    /// The number of findings of different classes.
    #[serde(skip)]
    pub findings: u64,
}

/// The size of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputSize {
    /// The number of bytes.
    pub bytes: u64,
    /// The number of lines, including a last one without a line break.
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
    /// The part of the failure that distinguishes it from others, in words; empty if the verdict is
    /// sufficient.
    pub how: String,
    /// The first difference of its output.
    #[serde(skip)]
    pub difference: Option<Difference>,
    /// The output validator's message to the judges.
    #[serde(skip)]
    pub judge_message: Bytes,
    /// The reason for a verdict that the outcome alone does not explain.
    #[serde(skip)]
    pub reason: Option<String>,
}

/// The size to which an input was minimized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Smallness {
    /// It was not minimized.
    #[default]
    AsFound,
    /// Minimal: no single line or word can be removed from it.
    Minimal,
    /// Only its call was minimized, if there is one, because the problem has no input validator.
    NotValidated,
    /// The time budget was used up before it was minimal.
    TimeOver,
}

/// An input that was found, after minimizing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FoundInput {
    /// The number of the input that was found, under the seed of the search.
    pub number: u64,
    /// The call or test case from which it was made.
    pub made_by: String,
    /// The behaviour of the submissions on the small input.
    #[serde(rename = "failures")]
    pub seen: Vec<Behaviour>,
    /// The size of the input before minimizing.
    #[serde(rename = "found_bytes", serialize_with = "in_bytes")]
    pub found: InputSize,
    /// The call with the smallest arguments that still shows the behaviour of `seen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The small input.
    pub input: Bytes,
    /// The answer of the reference; absent if answers are not outputs, and for inputs that were not
    /// minimized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Bytes>,
    /// The size to which it was minimized.
    #[serde(rename = "is_minimal", serialize_with = "as_minimal")]
    pub smallness: Smallness,
    /// The number of inputs that minimizing tried.
    pub tried: u64,
    /// The file that it was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The pictures that the package's visualizers drew of it, each with the submission whose run
    /// it shows.
    #[serde(skip)]
    pub drawn: Vec<(String, Picture)>,
    /// The files to which these pictures were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// The path of `file` relative to the workspace, where possible.
    #[serde(skip)]
    pub shown_file: Option<String>,
    /// The size of the input that `call` makes.
    #[serde(skip)]
    pub call_size: InputSize,
    /// True when a generator made it: `made_by` is the command.
    #[serde(skip)]
    pub is_generated: bool,
    /// The name of a test case with this input, without its group.
    #[serde(skip)]
    pub name: String,
    /// The submissions of the package that this test case must reject.
    #[serde(skip)]
    pub required: Vec<String>,
}

/// The slowest input of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlowestInput {
    /// The number of the input, under the seed of the search.
    pub number: u64,
    /// The call or test case from which it was made.
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

/// A test case of the package that already rejects a submission.
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
    /// The predicate that inputs must satisfy, as the user typed it or in words.
    pub finder: String,
    /// The submission that writes the answers.
    pub reference: String,
    /// The submissions that the user named.
    pub submissions: Vec<String>,
    /// The seed of all inputs, which are numbered.
    pub seed: u64,
    /// The cost classes of the kinds of generator calls, a digit each. The inputs depend on them as
    /// on the seed. Absent when they are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The number of the first input.
    pub from: u64,
    /// The first number that was not used.
    pub next: u64,
    /// The reason why it ended.
    pub end: SearchEnd,
    /// Elapsed time of the search, without minimizing inputs, in microseconds.
    pub elapsed_us: u64,
    /// The tally of the inputs.
    #[serde(flatten)]
    pub tally: InputTally,
    /// The inputs that were found.
    #[serde(rename = "findings")]
    pub found: Vec<FoundInput>,
    /// The input on which the first submission is slowest, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slowest: Option<SlowestInput>,
    /// The first test case that rejects each submission; submissions that no test case rejects are
    /// left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected_by: Vec<KnownRejection>,
    /// Warnings, in sentences.
    pub warnings: Vec<String>,
    /// True when the output validator failed on the output of a submission.
    #[serde(skip)]
    pub is_judge_error: bool,
    /// True when the problem is a package, to which test cases can be added.
    #[serde(skip)]
    pub in_package: bool,
}

impl SearchResult {
    /// The version of the document. It increases when a key changes its meaning or is removed; new
    /// keys do not change it.
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
    fn unterminated_last_lines_are_counted() {
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
    fn documents_keep_the_order_of_keys_and_omit_rendering_facts() {
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
