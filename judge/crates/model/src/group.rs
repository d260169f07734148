//! Test groups, and how their verdicts and scores are computed.
//!
//! Responsible for the settings of both formats: 2025-09 ("Test Groups", "Scoring Problems") and
//! legacy ("Test Data Groups", "Graders"). Must not do the arithmetic, which belongs to `grading`.

use std::path::PathBuf;

use crate::{Program, Score, ScoreRange};

/// The grading of a problem: how the results of test cases become the result of a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Grading {
    /// Accepted when every test case is.
    #[default]
    PassFail,
    /// Scores as in 2025-09: the score of `secret`, computed from its groups.
    Scores,
    /// A tree of groups with graders, as in legacy. Chosen only for packages whose settings differ
    /// from [`Grading::PassFail`] (every group grades with the first error, and stops there).
    Legacy(LegacyGrading),
}

impl Grading {
    /// True if submissions get scores.
    #[must_use]
    pub fn scores(&self) -> bool {
        match self {
            Self::PassFail => false,
            Self::Scores => true,
            Self::Legacy(legacy) => legacy.scoring,
        }
    }

    /// The program in `graders/`, if there is one.
    #[must_use]
    pub fn grader(&self) -> Option<&Program> {
        match self {
            Self::PassFail | Self::Scores => None,
            Self::Legacy(legacy) => legacy.grader.as_ref(),
        }
    }

    /// Returns its word for the key `type` of `problem.yaml`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        if self.scores() {
            "scoring"
        } else {
            "pass-fail"
        }
    }
}

/// The grading of a whole legacy package with graders.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyGrading {
    /// True if submissions get scores (`type: scoring`).
    pub scoring: bool,
    /// The objective: larger or smaller scores.
    pub objective: Objective,
    /// True if the output validator may write a score (`validation: custom score`).
    pub validator_scores: bool,
    /// The program in `graders/`, for groups that use it.
    pub grader: Option<Program>,
}

/// The objective of a scoring problem: the scores that are better (legacy, `grading.objective`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Larger scores.
    #[default]
    Max,
    /// Smaller scores.
    Min,
}

/// A group of test cases.
///
/// In 2025-09 `sample`, `secret` and the directories of `secret` with a `test_group.yaml`; in
/// legacy `data` itself, whose id is empty, and every directory.
#[derive(Clone, Debug, PartialEq)]
pub struct TestGroup {
    /// Its name below `data/`, such as `secret/group1`. Its test cases are those whose ids start
    /// with it and a `/`.
    pub id: String,
    /// Its directory, absolute.
    pub directory: PathBuf,
    /// The settings that determine its result.
    pub settings: GroupSettings,
}

/// The settings of a group, which determine its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum GroupSettings {
    /// Every test case must be accepted; there is no score.
    #[default]
    Plain,
    /// 2025-09, scoring. In pass-fail problems, and for `sample`, only for a group with static
    /// validation; then only `static_validation` is used.
    Scores(ScoreSettings),
    /// Legacy.
    Legacy(LegacyGroup),
}

/// The keys of a `test_group.yaml` that are about scores (2025-09, "Test Groups").
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSettings {
    /// The maximum score; `None`: unbounded.
    pub max_score: Option<u64>,
    /// The aggregation that computes its score.
    pub aggregation: Aggregation,
    /// Ids of groups (`sample`, `secret/group1`) that must be accepted before test cases of this
    /// group run.
    pub require_pass: Vec<String>,
    /// The scoring of the static validator's answer, if it is run for this group.
    pub static_validation: Option<StaticValidation>,
}

/// The aggregation of scores in a group into its score (2025-09, `score_aggregation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aggregation {
    /// `max_score` when everything is accepted, else 0.
    #[default]
    PassFail,
    /// The sum of the scores in the group.
    Sum,
    /// The smallest score in the group.
    Min,
}

/// The settings of static validation (2025-09, `static_validation_score` and
/// `static_validator_args`).
#[derive(Clone, Debug, PartialEq)]
pub struct StaticValidation {
    /// Its maximum score; `None`: `pass-fail`.
    pub max_score: Option<u64>,
    /// Arguments for the static validator.
    pub args: Vec<String>,
}

/// The keys of a `testdata.yaml` that are about grading, inherited ones filled in (legacy, "Test
/// Data Groups").
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyGroup {
    /// True if judging of the group continues after a rejection in it (`on_reject: continue`).
    pub goes_on: bool,
    /// True if the package's grader is used instead of the default one (`grading: custom`).
    pub custom: bool,
    /// The words of `grader_flags`.
    pub grader_flags: Vec<String>,
    /// The score of an accepted test case for which the output validator writes none.
    pub accept_score: Score,
    /// The score of a rejected test case.
    pub reject_score: Score,
    /// The scores that are possible.
    pub range: ScoreRange,
}

impl Default for LegacyGroup {
    fn default() -> Self {
        Self {
            goes_on: false,
            custom: false,
            grader_flags: Vec::new(),
            accept_score: Score(1.0),
            reject_score: Score(0.0),
            range: ScoreRange::ALL,
        }
    }
}
