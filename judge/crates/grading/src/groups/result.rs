//! The result of a group, computed from the results of its parts.
//!
//! Responsible for the verdict and the score of one group. Must not know the order in which parts
//! were run, or why some were left out.

use judge_model::{
    Aggregation, Grading, GroupSettings, LegacyGroup, Problem, Score, ScoreSettings, TestCaseIndex,
    TestGroup, Verdict,
};

use crate::groups::legacy_grader::{Graded, IGNORE_SAMPLE, default_grader, without_noise};
use crate::groups::tree::GroupTree;
use crate::test_score::TOLERANCE;

/// The result of a group of test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupResult {
    /// The group, such as `secret/group1`.
    pub group: String,
    /// Its verdict; `None` when it was left out.
    pub verdict: Option<Verdict>,
    /// Its score, if it has one.
    pub score: Option<Score>,
    /// Its maximum score, if there is one.
    pub max_score: Option<Score>,
    /// The reason why it was left out.
    pub skipped: Option<String>,
    /// The fault that makes it a judge error, if none of its test cases is one.
    pub fault: Option<String>,
}

/// The reason why a test case or group is left out.
#[derive(Clone, Debug)]
pub(crate) struct LeftOut {
    pub(crate) why: String,
    pub(crate) in_haste: bool,
}

impl LeftOut {
    pub(crate) fn permanent(why: String) -> Self {
        Self {
            why,
            in_haste: false,
        }
    }
}

/// A part of a group: a test case, a static validation, or an inner group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) verdict: Verdict,
    pub(crate) score: Option<Score>,
    /// The index of the test case that decided its verdict, if there is one.
    pub(crate) deciding: Option<TestCaseIndex>,
}

impl Part {
    pub(crate) fn is_rejected(&self) -> bool {
        self.verdict != Verdict::Accepted
    }

    pub(crate) fn graded(&self) -> Graded {
        Graded {
            verdict: self.verdict,
            score: self.score.unwrap_or_default(),
        }
    }
}

/// True if the score of a group is computed from those of its parts.
pub(crate) fn adds_up(settings: Option<&ScoreSettings>) -> bool {
    settings.is_some_and(|settings| settings.aggregation != Aggregation::PassFail)
}

/// True if the score of a group is decided: it can only be 0.
pub(crate) fn is_decided(settings: Option<&ScoreSettings>, parts: &[Part]) -> bool {
    let Some(settings) = settings else {
        return false;
    };
    match settings.aggregation {
        Aggregation::PassFail => parts.iter().any(Part::is_rejected),
        // A minimum that has reached 0 cannot rise, and no score is below it.
        Aggregation::Min => parts
            .iter()
            .any(|part| part.score.is_some_and(|score| score.0 <= 0.0)),
        Aggregation::Sum => false,
    }
}

/// Returns the result of the default grader for a legacy group. Other groups have no grader, and
/// their first verdict other than AC counts.
pub(crate) fn legacy(settings: &GroupSettings, parts: &[Part]) -> Result<Graded, String> {
    match settings {
        GroupSettings::Legacy(group) if !parts.is_empty() && !has_judge_error(parts) => {
            let parts: Vec<Graded> = parts.iter().map(Part::graded).collect();
            default_grader(&group.grader_flags, &parts)
        }
        _ => Ok(Graded {
            verdict: first_rejection(parts),
            score: Score::default(),
        }),
    }
}

/// Returns the test case that decided the verdict of a group: the one of the first counting part
/// with this verdict. A grader of the package has read MLE and OLE as RTE.
pub(crate) fn deciding(
    settings: &GroupSettings,
    parts: &[Part],
    verdict: Verdict,
) -> Option<TestCaseIndex> {
    // With `ignore_sample`, the verdict is that of the last part: no sample decided it, even if it
    // has the same verdict.
    let counting = match (settings, parts) {
        (GroupSettings::Legacy(group), [.., last])
            if takes_the_last(group) && !has_judge_error(parts) =>
        {
            std::slice::from_ref(last)
        }
        _ => parts,
    };
    let same = |part: &&Part| part.verdict == verdict;
    let read_as = |part: &&Part| part.verdict.in_expectations() == verdict;
    counting
        .iter()
        .find(same)
        .or_else(|| counting.iter().find(read_as))
        .and_then(|part| part.deciding)
}

fn takes_the_last(group: &LegacyGroup) -> bool {
    !group.custom && group.grader_flags.iter().any(|flag| flag == IGNORE_SAMPLE)
}

/// True for a problem with samples that do not count, because its topmost group has the flag
/// `ignore_sample` (legacy, "Default Grader Specification").
#[must_use]
pub fn ignores_samples(problem: &Problem) -> bool {
    let is_meant = |group: &TestGroup| {
        group.id.is_empty()
            && matches!(&group.settings, GroupSettings::Legacy(legacy) if takes_the_last(legacy))
    };
    problem.test_groups.iter().any(is_meant)
}

fn has_judge_error(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.verdict == Verdict::JudgeError)
}

fn first_rejection(parts: &[Part]) -> Verdict {
    parts
        .iter()
        .find(|part| part.is_rejected())
        .map_or(Verdict::Accepted, |part| part.verdict)
}

impl GroupResult {
    /// Returns the result of a group in which nothing was run: its score is 0 (2025-09, "Group
    /// dependencies"), unless it was left out only because judging stops early.
    pub(crate) fn not_judged(tree: &GroupTree, node: usize, left_out: Option<LeftOut>) -> Self {
        let has_score =
            tree.scores() && tree.score_settings(node).is_some() && tree.nodes[node].id != "sample";
        let scores_zero = has_score && !left_out.as_ref().is_some_and(|left_out| left_out.in_haste);
        let why = left_out.map(|left_out| left_out.why);
        Self {
            group: tree.nodes[node].id.clone(),
            verdict: None,
            score: scores_zero.then(Score::default),
            max_score: tree.nodes[node].max_score().filter(|_| tree.scores()),
            skipped: Some(why.unwrap_or_else(|| "nothing in it was judged".to_owned())),
            fault: None,
        }
    }

    /// Returns the result of a group with at least one run. `graded` is the decision of a grader.
    pub(crate) fn new(
        tree: &GroupTree,
        node: usize,
        parts: &[Part],
        graded: Result<Graded, String>,
    ) -> Self {
        let group = &tree.nodes[node];
        let mut result = Self {
            group: group.id.clone(),
            verdict: Some(first_rejection(parts)),
            score: None,
            max_score: group.max_score().filter(|_| tree.scores()),
            skipped: None,
            fault: None,
        };
        // A judge error makes the group's verdict and score unknown, even after another rejected
        // part. In a pass-fail problem groups are only directories, and the first rejection
        // decides.
        if has_judge_error(parts) && tree.grading != Grading::PassFail {
            result.verdict = Some(Verdict::JudgeError);
            return result;
        }
        let score = match &group.settings {
            GroupSettings::Plain => return result,
            GroupSettings::Scores(_) if !tree.scores() || group.id == "sample" => return result,
            GroupSettings::Scores(settings) => score_of(settings, parts).map(Some),
            GroupSettings::Legacy(group) => graded.and_then(|graded| {
                result.verdict = Some(graded.verdict);
                let score = graded.score;
                in_range(group, graded).map(|()| tree.scores().then_some(score))
            }),
        };
        match score {
            Ok(score) => result.score = score,
            Err(why) => {
                result.verdict = Some(Verdict::JudgeError);
                result.fault = Some(why);
            }
        }
        result
    }
}

/// Returns the score of a group of 2025-09 ("Scoring test data groups").
fn score_of(settings: &ScoreSettings, parts: &[Part]) -> Result<Score, String> {
    let scores = || parts.iter().map(|part| part.score.unwrap_or_default().0);
    let score = match settings.aggregation {
        // This arm must come first: only an accepted group gets its maximum.
        Aggregation::PassFail if parts.iter().any(Part::is_rejected) => 0.0,
        Aggregation::PassFail => {
            let max = settings
                .max_score
                .ok_or("it has `score_aggregation: pass-fail`, but no bounded maximum score")?;
            crate::groups::tree::whole_score(max).0
        }
        Aggregation::Sum => without_noise(scores().sum()),
        Aggregation::Min => scores().fold(f64::INFINITY, f64::min),
    };
    match settings.max_score.map(crate::groups::tree::whole_score) {
        Some(max) if score > max.0 + TOLERANCE => Err(format!(
            "its score {} exceeds its maximum score {max}",
            Score(score)
        )),
        Some(max) => Ok(Score(score.min(max.0))),
        None => Ok(Score(score)),
    }
}

/// Checks that the score of an accepted legacy group is within the `range` that the package
/// declares.
fn in_range(group: &LegacyGroup, graded: Graded) -> Result<(), String> {
    // A rejected group may have a score outside of the range, such as its reject score.
    let range = group.range;
    if graded.verdict != Verdict::Accepted || range.contains(graded.score) {
        return Ok(());
    }
    Err(format!(
        "its score {} is outside of its range {} to {}",
        graded.score, range.min, range.max
    ))
}
