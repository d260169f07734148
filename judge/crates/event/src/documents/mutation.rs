//! Mutation testing: its result for a problem, and the result of a hunt for inputs that kill
//! survivors.
//!
//! Responsible for the shape of the document (`judge/docs/reference/mutation.md`). Must not know
//! how mutants are made, run or counted, or how results are rendered. No event: the document of one
//! command.

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
    /// The method of testing.
    pub method: Method,
    /// Every mutant, in the order of the source.
    pub mutants: Vec<MutantResult>,
    /// The score of each group of test cases alone, in package order.
    pub groups: Vec<GroupScore>,
    /// The score of all test cases.
    pub score: Score,
    /// Mutants that a package declares equivalent although they are not, by name, with the reason.
    pub contradictions: Vec<String>,
    /// The result of the hunt for inputs that kill the survivors; absent when there was no hunt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunt: Option<HuntResult>,
}

/// The method of mutation testing, and its cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// True for a full run: every mutant was run on every test case on which it could make a
    /// difference.
    pub full: bool,
    /// The number of possible mutants, which is larger than that of listed mutants for a sample.
    pub possible: u64,
    /// The seed of the sample; absent without a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of mutants that were judged only by a program that contains many mutants.
    pub together: u64,
    /// The number of mutants that had to be compiled separately.
    pub apart: u64,
    /// The number of runs of mutants on test cases.
    pub runs: u64,
    /// CPU time of these runs in microseconds, including runs that decided nothing.
    #[serde(default)]
    pub running_us: u64,
    /// The number of runs with a cached result.
    pub known: u64,
    /// The number of runs left out because the result could not differ from the original's: the
    /// mutated place was not reached, or had the same value.
    pub left_out: u64,
    /// Elapsed time of compiling the programs that contain many mutants, in microseconds.
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
    /// No test case rejects it.
    #[default]
    Survived,
    /// No test case can reject it: the package declares it equivalent, or the compiled program is
    /// the same.
    Equivalent,
    /// The compiler refuses it, so it gives no information about the test data.
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

/// A gap in test data that a surviving mutant reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataGap {
    /// No test case reaches the place.
    Unreached,
    /// No test case reaches a bound.
    Bound,
    /// No test case has two equal values where values are compared.
    EqualValues,
    /// No test case gives a condition its other value.
    OneWay,
    /// No test case has values of more than 32 bits.
    LargeValues,
    /// No test case depends on an order.
    Order,
    /// The place is presumably reached, and no answer shows the mistake.
    NoEffect,
}

impl DataGap {
    /// Every gap, in the order in which they are rendered: the most likely first.
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
    /// Its name, which stays the same as long as the function around it does.
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
    /// The test cases that were run and reject it: at least one of each group that has any.
    pub kills: Vec<Kill>,
    /// The test cases on which it could have made a difference, the smallest input first; absent
    /// when that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Vec<String>>,
    /// The test cases that reach its place, but with no value that makes a difference, the smallest
    /// input first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The gap in the test data that it reveals, if it survived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<DataGap>,
    /// The gap in words: a clause that names what is missing in the test cases, with the texts of
    /// the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// The reason why it is equivalent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// True when the compiled program is the same as the solution's: it is equivalent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_program: bool,
    /// The whole program, if it survived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The result of a hunt for inputs that kill survivors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HuntResult {
    /// The seed of all inputs, which are numbered from 0.
    pub seed: u64,
    /// The cost classes of the kinds of generator calls, as in a search; absent when they are
    /// equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The first number that was not used.
    pub next: u64,
    /// The reason why it ended.
    pub end: SearchEnd,
    /// The tally of the inputs.
    #[serde(flatten)]
    pub tally: InputTally,
    /// Elapsed time of the search, without minimizing inputs, in microseconds.
    pub elapsed_us: u64,
    /// Inputs that kill survivors, without redundant ones.
    pub found: Vec<KillingInput>,
    /// Survivors that no input killed. They are likely to be equivalent.
    pub likely_equivalent: Vec<String>,
    /// Warnings, in sentences.
    pub warnings: Vec<String>,
}

/// An input that kills survivors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KillingInput {
    /// The number of the input from which it was minimized.
    pub number: u64,
    /// The call or test case from which that input was made.
    pub made_by: String,
    /// The size of that input in bytes.
    pub found_bytes: u64,
    /// The call with the smallest arguments that still kills the same mutants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The input.
    pub input: Bytes,
    /// The answer of the solution; absent if answers are not outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Bytes>,
    /// True when no line or word can be removed from it.
    pub is_minimal: bool,
    /// The number of inputs that minimizing tried.
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
    /// The failure in words; empty if the verdict is sufficient.
    pub how: String,
}

/// A hunt for inputs that kill survivors: its part of the document, and facts for the rendered
/// report only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hunted {
    /// The problem's name in its package.
    pub problem: String,
    /// Its part of the document.
    pub result: HuntResult,
    /// The inputs that kill survivors, without redundant ones.
    pub found: Vec<FoundInput>,
    /// Survivors that cannot be run, with the reason.
    pub not_ready: Vec<(String, String)>,
    /// True when inputs were searched for: inputs could be made, and nothing interrupted the hunt.
    pub is_searched: bool,
    /// True when the output validator failed on the output of a mutant.
    pub is_judge_error: bool,
}

/// The number of killed mutants, and of those that count: they compile and are not declared
/// equivalent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The number of killed mutants.
    pub killed: u64,
    /// The number of mutants that were killed or survived.
    pub of: u64,
}

impl Totals {
    /// The score in percent; 100 when no mutant counts.
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
    /// The totals of the mutants, with its test cases alone.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The score of all test cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The totals of the mutants that count.
    #[serde(flatten)]
    pub totals: Totals,
    /// The number of survivors.
    pub survived: u64,
    /// The number of equivalent mutants: declared equivalent, or compiled to the same program.
    pub equivalent: u64,
    /// The number of these that are compiled to the same program.
    #[serde(default)]
    pub same_program: u64,
    /// The number of mutants that the compiler refuses.
    pub does_not_compile: u64,
    /// For a sample, the bounds of the score of all mutants; absent when all were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<ScoreInterval>,
}

/// The 95 % confidence interval of the score of all mutants, from a sample.
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
    /// The mean of the solutions' scores in percent. Each solution has the same weight, regardless
    /// of its length; solutions without mutants that count are left out.
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
    /// The scores of these results of one problem. `None` if no solution has a score, which needs a
    /// mutant that counts.
    #[must_use]
    pub fn new(mutations: &[&Mutation]) -> Option<Self> {
        let problem = mutations.first()?.problem.clone();
        let score = |mutation: &Mutation| SolutionScore {
            solution: mutation.solution.clone(),
            totals: mutation.score.totals,
        };
        let solutions: Vec<SolutionScore> = mutations.iter().copied().map(score).collect();
        let scores = || {
            solutions
                .iter()
                .map(|solution| solution.totals)
                .filter(|totals| totals.of > 0)
        };
        // Without any score this divides by zero; the result is not finite, and is refused below.
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

/// The error for a text that is not such a document.
#[derive(Debug, thiserror::Error)]
#[error("expected a result of `judge mutate --report json`: {0}")]
pub struct InvalidMutation(serde_json::Error);

impl Mutation {
    /// The version of the document. It increases when a key changes its meaning or is removed; new
    /// keys do not change it.
    pub const SCHEMA: u32 = 1;

    /// As one line of JSON.
    ///
    /// # Panics
    /// Never: every map has string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has string keys only")
    }

    /// Reads the text that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// When it is another text.
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
    fn documents_round_trip_with_keys_in_order() {
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
    fn solutions_have_equal_weight_regardless_of_length() {
        let mutation = |solution: &str, killed, of| Mutation {
            problem: "p".into(),
            solution: solution.into(),
            score: Score {
                totals: Totals { killed, of },
                ..Score::default()
            },
            ..Mutation::default()
        };
        assert_eq!(MutationOverall::new(&[]), None);
        let overall =
            MutationOverall::new(&[&mutation("a", 1, 2), &mutation("b", 1000, 1000)]).unwrap();
        assert!((overall.mean - 75.0).abs() < 1e-9);
        let expected = concat!(
            r#"{"mutation_schema":1,"problem":"p","solutions":[{"solution":"a","killed":1,"of":2},"#,
            r#"{"solution":"b","killed":1000,"of":1000}],"mean":75.0}"#,
        );
        assert_eq!(overall.to_json(), expected);
        assert!(
            Mutation::parse(&overall.to_json()).is_err(),
            "it is not a document of one solution"
        );
    }

    #[test]
    fn a_score_without_mutants_is_100_percent() {
        assert!((Totals::default().percent() - 100.0).abs() < 1e-9);
        assert!((Totals { killed: 1, of: 4 }.percent() - 25.0).abs() < 1e-9);
    }
}
