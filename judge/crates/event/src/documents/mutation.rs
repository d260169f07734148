//! Mutation testing: everything that it has come to for a problem, and what a hunt for survivors
//! has.
//!
//! Responsible for the shape of the document (`judge/docs/reference/mutation.md`). Must not know
//! how mutants are made or run, how they are counted, nor how any of it is shown. No event: the
//! document of one command.

use judge_model::Verdict;
use serde::{Deserialize, Serialize};

use crate::Bytes;
use crate::documents::search::{FoundInput, InputTally, SearchEnd, Smallness};

/// The result of mutation testing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// [`Mutation::SCHEMA`] of the writer.
    pub mutation_schema: u32,
    /// Version of the judge.
    pub judge_version: String,
    /// The problem's name.
    pub problem: String,
    /// The solution that was mutated.
    pub solution: String,
    /// Its path, relative to the workspace where possible.
    pub path: String,
    /// Its text.
    pub source: String,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// The test cases, in package order.
    pub test_cases: Vec<String>,
    /// The method by which it was done.
    pub method: Method,
    /// Every mutant, in the order of the source.
    pub mutants: Vec<MutantResult>,
    /// The score of each group of test cases by itself, in package order.
    pub groups: Vec<GroupScore>,
    /// The score of all test cases.
    pub score: Score,
    /// Names that are argued to be equivalent, and are not, with the reason.
    pub contradictions: Vec<String>,
    /// The result of the hunt for inputs that kill the survivors; absent when there was no hunt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunt: Option<HuntResult>,
}

/// The method of mutation testing, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// True for a full run: every mutant was run on every test case that it could matter on.
    pub full: bool,
    /// The number of possible mutants; it is larger than the list when that is a sample.
    pub possible: u64,
    /// The seed of the sample; absent when there was none to draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Mutants for which the program that holds many of them was enough.
    pub together: u64,
    /// Mutants that it does not hold, or that were compiled by themselves too to judge them.
    pub apart: u64,
    /// Runs of mutants on test cases.
    pub runs: u64,
    /// CPU time of these runs in microseconds, with those that did not decide.
    #[serde(default)]
    pub running_us: u64,
    /// Runs whose result was known from before.
    pub known: u64,
    /// Runs that could not come to another result than the original: the mutated place was not
    /// reached, or had the same value.
    pub left_out: u64,
    /// Elapsed time of compiling the programs that hold many mutants, in microseconds.
    pub compiling_us: u64,
    /// Elapsed time of everything, in microseconds.
    pub elapsed_us: u64,
}

/// The status of a mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantStatus {
    /// Some test case rejects it.
    Killed,
    /// No test case does.
    #[default]
    Survived,
    /// None can: somebody has argued so, or the compiled program is the same.
    Equivalent,
    /// The compiler refuses it: it says nothing about test data.
    DoesNotCompile,
}

/// A rejection of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kill {
    /// The test case.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// A gap in test data that a surviving mutant points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataGap {
    /// No test case gets to the place.
    Unreached,
    /// No test case reaches a bound.
    Bound,
    /// No test case has two equal values where values are compared.
    EqualValues,
    /// No test case makes a condition go the other way.
    OneWay,
    /// No test case has values of more than 32 bits.
    LargeValues,
    /// No test case depends on an order.
    Order,
    /// The place is reached, or it is unknown whether, and no answer shows the mistake.
    NoEffect,
}

impl DataGap {
    /// Every one, in the order in which they are rendered: the likeliest gaps first.
    pub const ALL: [Self; 7] = [
        Self::Unreached,
        Self::Bound,
        Self::EqualValues,
        Self::OneWay,
        Self::LargeValues,
        Self::Order,
        Self::NoEffect,
    ];
}

/// A mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantResult {
    /// Its name: the same as long as the function around it is.
    pub id: String,
    /// The kind of mistake.
    pub operator: String,
    /// The function around it; empty outside of functions.
    pub function: String,
    /// The line of the solution, counted from 1.
    pub line: u64,
    /// The text that was replaced.
    pub was: String,
    /// The text that replaces it.
    pub becomes: String,
    /// The status of the mutant.
    pub status: MutantStatus,
    /// The test cases that reject it, as far as it was run: at least one of each group that has
    /// any.
    pub kills: Vec<Kill>,
    /// The test cases on which it could have made a difference, the smallest input first; absent
    /// when that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Vec<String>>,
    /// The test cases that get to its place with no value that makes a difference, the smallest
    /// input first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The gap in the test data that it points at, for one that survived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<DataGap>,
    /// The gap in words: a clause that says what no test case does, with the texts of the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// The argument that it is equivalent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// True when the compiled program is the same as of the solution: it is equivalent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub same_program: bool,
    /// The whole program, for one that survived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The result of the hunt for inputs that kill survivors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HuntResult {
    /// The seed of all inputs, which are numbered from 0.
    pub seed: u64,
    /// The cost classes of the kinds of generator calls, as in a search; absent when they are all
    /// the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The first number that was not tried.
    pub next: u64,
    /// The reason why it ended.
    pub end: SearchEnd,
    /// The tally of the inputs.
    #[serde(flatten)]
    pub tally: InputTally,
    /// Elapsed time of looking, without making inputs small, in microseconds.
    pub elapsed_us: u64,
    /// Inputs that kill survivors: no more than it takes.
    pub found: Vec<KillingInput>,
    /// Survivors that nothing killed: likely to be equivalent.
    pub likely_equivalent: Vec<String>,
    /// Texts.
    pub warnings: Vec<String>,
}

/// An input that kills survivors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KillingInput {
    /// The number of the input that it was made small from.
    pub number: u64,
    /// The call or the test case that that one came from.
    pub made_by: String,
    /// Its size in bytes.
    pub found_bytes: u64,
    /// The call with the smallest arguments that still does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The input.
    pub input: Bytes,
    /// The answer of the solution; absent where answers are no outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Bytes>,
    /// True when no line and no word can be taken out of it.
    pub is_minimal: bool,
    /// Inputs that were tried to make it small.
    pub tried: u64,
    /// The file that it was written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The mutants that it kills.
    pub kills: Vec<FoundKill>,
}

impl From<&FoundInput> for KillingInput {
    fn from(found: &FoundInput) -> Self {
        let kills = found.seen.iter().map(|seen| FoundKill {
            mutant: seen.submission.clone(),
            verdict: seen.verdict,
            how: seen.how.clone(),
        });
        Self {
            number: found.number,
            made_by: found.made_by.clone(),
            found_bytes: found.found.bytes,
            call: found.call.clone(),
            input: found.input.clone(),
            answer: found.answer.clone(),
            is_minimal: found.smallness == Smallness::Minimal,
            tried: found.tried,
            file: found.file.clone(),
            kills: kills.collect(),
        }
    }
}

/// A survivor that an input kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundKill {
    /// The mutant's name.
    pub mutant: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The way in which it failed, in words; empty when the verdict says it all.
    pub how: String,
}

/// A hunt for inputs that kill survivors: its part of the document, and what only readers see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hunted {
    /// The problem's name, as its package has it.
    pub problem: String,
    /// Its part of the document.
    pub result: HuntResult,
    /// The inputs that kill survivors: no more than it takes.
    pub found: Vec<FoundInput>,
    /// Survivors that cannot be run, and why.
    pub not_ready: Vec<(String, String)>,
    /// True when inputs were looked for: there was something to make them of, and nothing came in
    /// between.
    pub is_searched: bool,
    /// True when the output validator failed on the output of a mutant.
    pub is_judge_error: bool,
}

/// The totals of killed mutants, and of those that count: they compile and are not argued to be
/// equivalent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Killed.
    pub killed: u64,
    /// Killed or survived.
    pub of: u64,
}

impl Totals {
    /// In percent; 100 when no mutant can be killed.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.of == 0 {
            100.0
        } else {
            100.0 * self.killed as f64 / self.of as f64
        }
    }
}

/// The score of a group of test cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group, such as `secret` or `secret/group1`.
    pub group: String,
    /// Its test cases.
    pub test_cases: u64,
    /// The totals of the mutants that its test cases kill by themselves.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The score of all test cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The totals of the mutants that count.
    #[serde(flatten)]
    pub totals: Totals,
    /// Survived.
    pub survived: u64,
    /// Equivalent: argued to be, or the same program.
    pub equivalent: u64,
    /// Of these, those that the compiler makes the same program of.
    #[serde(default)]
    pub same_program: u64,
    /// Refused by the compiler.
    pub does_not_compile: u64,
    /// For a sample, the bounds of the score of all mutants; absent when all were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<ScoreInterval>,
}

/// The bounds between which the score of all mutants lies, as far as a sample shows: with a
/// confidence of 95 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreInterval {
    /// In percent.
    pub low: f64,
    /// In percent.
    pub high: f64,
}

/// The scores of several solutions of a problem together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MutationOverall {
    /// [`Mutation::SCHEMA`] of the writer.
    pub mutation_schema: u32,
    /// The problem's name.
    pub problem: String,
    /// Each solution with its totals, in package order.
    pub solutions: Vec<SolutionScore>,
    /// The mean of the solutions' scores in percent: each counts the same, however long it is, and
    /// one in which there is nothing to kill does not.
    pub mean: f64,
}

/// The score of a solution among others of the same problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionScore {
    /// The solution.
    pub solution: String,
    /// Its totals.
    #[serde(flatten)]
    pub totals: Totals,
}

impl MutationOverall {
    /// The scores of these, which are of one problem. `None` without a score: a solution of which
    /// nothing can be killed has none.
    #[must_use]
    pub fn new(mutations: &[Mutation]) -> Option<Self> {
        let problem = mutations.first()?.problem.clone();
        let score = |of: &Mutation| SolutionScore {
            solution: of.solution.clone(),
            totals: of.score.totals,
        };
        let solutions: Vec<SolutionScore> = mutations.iter().map(score).collect();
        let scores = || {
            solutions
                .iter()
                .map(|solution| solution.totals)
                .filter(|totals| totals.of > 0)
        };
        // Without any score this divides by zero; the result is not finite and is refused
        // below.
        let mean = scores().map(Totals::percent).sum::<f64>() / scores().count() as f64;
        mean.is_finite().then_some(Self {
            mutation_schema: Mutation::SCHEMA,
            problem,
            solutions,
            mean,
        })
    }

    /// As one line of JSON.
    ///
    /// # Panics
    /// Never: every map has string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has string keys only")
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde calls"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// A text that is no such document.
#[derive(Debug, thiserror::Error)]
#[error("expected a result of `judge mutate --report json`: {0}")]
pub struct InvalidMutation(serde_json::Error);

impl Mutation {
    /// The version of the document. It grows when a key changes its meaning or goes away; new keys
    /// do not change it.
    pub const SCHEMA: u32 = 1;

    /// As one line of JSON.
    ///
    /// # Panics
    /// Never: every map has string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has string keys only")
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(text: &str) -> Result<Self, InvalidMutation> {
        serde_json::from_str(text).map_err(InvalidMutation)
    }

    /// The survivors, in the order of the source.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantResult> {
        self.mutants
            .iter()
            .filter(|mutant| mutant.status == MutantStatus::Survived)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::search::{Behaviour, InputSize};

    #[test]
    fn the_document_is_read_as_it_was_written_with_its_keys_in_their_order() {
        let found = FoundInput {
            number: 7,
            made_by: "gen 1".into(),
            found: InputSize {
                bytes: 12,
                lines: 3,
            },
            input: Bytes(b"1\n".to_vec()),
            answer: Some(Bytes(b"\xff".to_vec())),
            smallness: Smallness::Minimal,
            tried: 3,
            seen: vec![Behaviour {
                submission: "3".into(),
                verdict: Verdict::WrongAnswer,
                how: String::new(),
                difference: None,
                judge_message: Bytes::default(),
                reason: None,
            }],
            ..FoundInput::default()
        };
        let hunt = HuntResult {
            seed: 5,
            tally: InputTally {
                inputs: 9,
                kinds: 1,
                ..InputTally::default()
            },
            found: vec![KillingInput::from(&found)],
            ..HuntResult::default()
        };
        let expected = concat!(
            r#"{"seed":5,"next":0,"end":"time","inputs":9,"judged":0,"repeated":0,"invalid":0,"refused":0,"unusable":0,"#,
            r#""kinds":1,"kinds_reached":0,"elapsed_us":0,"found":[{"number":7,"made_by":"gen 1","found_bytes":12,"#,
            r#""input":"1\n","answer":{"hex":"ff"},"is_minimal":true,"tried":3,"#,
            r#""kills":[{"mutant":"3","verdict":"WA","how":""}]}],"likely_equivalent":[],"warnings":[]}"#,
        );
        assert_eq!(serde_json::to_string(&hunt).unwrap(), expected);
        let mutation = Mutation {
            mutation_schema: Mutation::SCHEMA,
            problem: "p".into(),
            hunt: Some(hunt),
            ..Mutation::default()
        };
        assert_eq!(Mutation::parse(&mutation.to_json()).unwrap(), mutation);
        assert!(
            Mutation::parse("{}")
                .unwrap_err()
                .to_string()
                .starts_with("expected a result of `judge mutate --report json`")
        );
    }

    #[test]
    fn every_solution_counts_the_same_however_long_it_is() {
        let of = |solution: &str, killed, of| Mutation {
            problem: "p".into(),
            solution: solution.into(),
            score: Score {
                totals: Totals { killed, of },
                ..Score::default()
            },
            ..Mutation::default()
        };
        assert_eq!(MutationOverall::new(&[]), None);
        let overall = MutationOverall::new(&[of("a", 1, 2), of("b", 1000, 1000)]).unwrap();
        assert!((overall.mean - 75.0).abs() < 1e-9);
        let expected = concat!(
            r#"{"mutation_schema":1,"problem":"p","solutions":[{"solution":"a","killed":1,"of":2},"#,
            r#"{"solution":"b","killed":1000,"of":1000}],"mean":75.0}"#,
        );
        assert_eq!(overall.to_json(), expected);
        assert!(
            Mutation::parse(&overall.to_json()).is_err(),
            "it is no document of one solution"
        );
    }

    #[test]
    fn a_score_of_nothing_is_whole() {
        assert!((Totals::default().percent() - 100.0).abs() < 1e-9);
        assert!((Totals { killed: 1, of: 4 }.percent() - 25.0).abs() < 1e-9);
    }
}
