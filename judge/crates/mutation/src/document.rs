//! The document: everything that mutation testing of a problem has come to.
//!
//! Responsible for its shape and for the score. Pure. Must not run anything.
//!
//! Described in `judge/docs/mutation.md`.

use judge_event::Bytes;
use judge_model::Verdict;
use serde::{Deserialize, Serialize};

/// The version of the document. It grows when a key changes its meaning or goes away; new keys do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// The result of mutation testing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutation {
    /// [`SCHEMA_VERSION`] of the writer.
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
    /// Mutants that were compiled together in one program.
    pub together: u64,
    /// Mutants that were compiled by themselves.
    pub apart: u64,
    /// Runs of mutants on test cases.
    pub runs: u64,
    /// Runs whose result was known from before.
    pub known: u64,
    /// Runs that could not come to another result than the original: the mutated place was not reached, or had the same
    /// value.
    pub left_out: u64,
    /// Elapsed time of compiling the programs that hold many mutants, in microseconds.
    pub compiling_us: u64,
    /// Elapsed time of everything, in microseconds.
    pub elapsed_us: u64,
}

/// The status of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Some test case rejects it.
    Killed,
    /// No test case does.
    Survived,
    /// No test case does, and somebody has argued that none can.
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

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantResult {
    /// Its name: the same as long as the function around it is.
    pub id: String,
    /// The kind of mistake.
    pub operator: String,
    /// The function around it; empty when there is none.
    pub function: String,
    /// The line of the solution, counted from 1.
    pub line: u64,
    /// The text that was replaced.
    pub was: String,
    /// The text that replaces it.
    pub becomes: String,
    /// The status of the mutant.
    pub status: Status,
    /// The test cases that reject it, as far as it was run: at least one of each group that has any.
    pub kills: Vec<Kill>,
    /// The test cases on which it could have made a difference, the smallest input first; absent when that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Vec<String>>,
    /// Why it is equivalent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The whole program, for one that survived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The result of the hunt for inputs that kill survivors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HuntResult {
    /// The seed of all inputs, which are numbered from 0.
    pub seed: u64,
    /// The first number that was not tried.
    pub next: u64,
    /// Why it ended.
    pub end: HuntEnd,
    /// Inputs that were begun.
    pub inputs: u64,
    /// Of these, those that mutants were judged on.
    pub judged: u64,
    /// Inputs that came before.
    pub repeated: u64,
    /// Inputs that an input validator rejects.
    pub invalid: u64,
    /// Calls that a generator refuses.
    pub refused: u64,
    /// Inputs that the solution does not answer within its limits.
    pub unusable: u64,
    /// Kinds of calls of generators.
    pub kinds: u64,
    /// Of how many of them a valid input came.
    pub kinds_reached: u64,
    /// Elapsed time of looking, without making inputs small, in microseconds.
    pub elapsed_us: u64,
    /// Inputs that kill survivors: no more than it takes.
    pub found: Vec<FoundInput>,
    /// Survivors that nothing killed: likely to be equivalent.
    pub likely_equivalent: Vec<String>,
    /// Texts.
    pub warnings: Vec<String>,
}

/// Why looking ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HuntEnd {
    /// There is an input for every survivor.
    Found,
    /// All inputs were tried.
    Inputs,
    /// The time was over.
    #[default]
    Time,
    /// It was interrupted.
    Interrupted,
}

/// An input that kills survivors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundInput {
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

/// The totals of killed mutants, and of those that count: they compile and are not argued to be equivalent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Killed.
    pub killed: u64,
    /// Killed or survived.
    pub of: u64,
}

impl Totals {
    /// In percent; 100 when there is none to kill.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.of == 0 { 100.0 } else { 100.0 * self.killed as f64 / self.of as f64 }
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The totals of the mutants that count.
    #[serde(flatten)]
    pub totals: Totals,
    /// Survived.
    pub survived: u64,
    /// Argued to be equivalent.
    pub equivalent: u64,
    /// Refused by the compiler.
    pub does_not_compile: u64,
}

/// A text that is no such document.
#[derive(Debug, thiserror::Error)]
#[error("expected a result of `judge mutate --json`: {0}")]
pub struct InvalidMutation(serde_json::Error);

impl Mutation {
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
        self.mutants.iter().filter(|mutant| mutant.status == Status::Survived)
    }

    /// Counts what the mutants have come to. `groups` are the names, in order.
    pub(crate) fn count(&mut self, groups: &[String]) {
        let counts = |mutant: &&MutantResult| matches!(mutant.status, Status::Killed | Status::Survived);
        let number = |status: Status| self.mutants.iter().filter(|mutant| mutant.status == status).count() as u64;
        let of = self.mutants.iter().filter(counts).count() as u64;
        self.score = Score {
            totals: Totals { killed: number(Status::Killed), of },
            survived: number(Status::Survived),
            equivalent: number(Status::Equivalent),
            does_not_compile: number(Status::DoesNotCompile),
        };
        let score = |group: &String| {
            let killed_by_it =
                |mutant: &&MutantResult| mutant.kills.iter().any(|kill| group_of(&kill.test_case) == group);
            let killed = self.mutants.iter().filter(counts).filter(killed_by_it).count() as u64;
            let test_cases = self.test_cases.iter().filter(|id| group_of(id) == group).count() as u64;
            GroupScore { group: group.clone(), test_cases, totals: Totals { killed, of } }
        };
        self.groups = groups.iter().map(score).collect();
    }
}

/// The group that a test case lies in.
pub(crate) fn group_of(test_case: &str) -> &str {
    test_case.rsplit_once('/').map_or("", |(group, _)| group)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(id: &str, status: Status, kills: &[&str]) -> MutantResult {
        let kill = |id: &&str| Kill { test_case: (*id).to_owned(), verdict: Verdict::WrongAnswer };
        MutantResult {
            id: id.into(),
            operator: "comparison".into(),
            function: "f".into(),
            line: 1,
            was: "<".into(),
            becomes: "<=".into(),
            status,
            kills: kills.iter().map(kill).collect(),
            reached: None,
            reason: None,
            source: None,
        }
    }

    fn found() -> FoundInput {
        FoundInput {
            number: 7,
            made_by: "gen 1".into(),
            found_bytes: 12,
            call: None,
            input: Bytes(b"1\n".to_vec()),
            answer: Some(Bytes(b"\xff".to_vec())),
            is_minimal: true,
            tried: 3,
            file: None,
            kills: vec![FoundKill { mutant: "3".into(), verdict: Verdict::WrongAnswer, how: String::new() }],
        }
    }

    #[test]
    fn what_does_not_compile_or_is_equivalent_does_not_count() {
        let mut mutation = Mutation {
            mutation_schema: SCHEMA_VERSION,
            judge_version: "0".into(),
            problem: "p".into(),
            solution: "s".into(),
            path: "s".into(),
            source: "fn main() {}".into(),
            time_limit_us: 1,
            test_cases: vec!["sample/1".into(), "secret/1".into(), "secret/2".into()],
            method: Method::default(),
            mutants: vec![
                mutant("1", Status::Killed, &["sample/1", "secret/1"]),
                mutant("2", Status::Killed, &["secret/2"]),
                mutant("3", Status::Survived, &[]),
                mutant("4", Status::Equivalent, &[]),
                mutant("5", Status::DoesNotCompile, &[]),
            ],
            groups: Vec::new(),
            score: Score::default(),
            contradictions: Vec::new(),
            hunt: Some(HuntResult { found: vec![found()], ..HuntResult::default() }),
        };
        mutation.count(&["sample".into(), "secret".into()]);
        assert_eq!(mutation.score.totals, Totals { killed: 2, of: 3 });
        let groups: Vec<_> = mutation.groups.iter().map(|group| (group.totals.killed, group.test_cases)).collect();
        assert_eq!(groups, [(1, 1), (2, 2)]);
        assert_eq!(mutation.survivors().count(), 1);
        assert_eq!(Mutation::parse(&mutation.to_json()).unwrap(), mutation);
        assert!((Totals::default().percent() - 100.0).abs() < 1e-9);
        assert!((Totals { killed: 1, of: 4 }.percent() - 25.0).abs() < 1e-9);
    }
}
