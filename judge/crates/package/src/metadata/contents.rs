//! The contents of `problem.yaml`, in every format version.

use judge_model::{Constant, FormatVersion, LanguageId, Limits, Objective, Score, ScoreRange};

use super::types::Types;
use crate::error::Position;

/// The rules that apply to a package: the format version, or a draft of it, which differs in
/// places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Legacy,
    LegacyIcpc,
    /// A draft such as `2023-07` or `2025-09-draft`: read as 2025-09, with the names that drafts
    /// used.
    Draft,
    V2025_09,
}

impl Dialect {
    pub(crate) fn format(self) -> FormatVersion {
        match self {
            Self::Legacy => FormatVersion::Legacy,
            Self::LegacyIcpc => FormatVersion::LegacyIcpc,
            Self::Draft | Self::V2025_09 => FormatVersion::V2025_09,
        }
    }

    pub(crate) fn is_legacy(self) -> bool {
        matches!(self, Self::Legacy | Self::LegacyIcpc)
    }
}

/// The output validator that a package selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValidatorChoice {
    /// The package's own if it has one (2025-09).
    OwnIfPresent,
    /// The default one, even if the package has its own (legacy, `validation: default`).
    Default,
    /// The package's own (legacy, `validation: custom`).
    Own,
}

/// Keys that older packages have in `problem.yaml` instead of `testdata.yaml`. They apply to every
/// group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct OldGradingKeys {
    /// `on_reject`.
    pub(crate) goes_on: Option<bool>,
    pub(crate) accept_score: Option<Score>,
    pub(crate) reject_score: Option<Score>,
    pub(crate) range: Option<ScoreRange>,
}

/// The contents of `problem.yaml` that later steps need.
#[derive(Clone, Debug)]
pub(crate) struct Metadata {
    pub(crate) dialect: Dialect,
    pub(crate) types: Types,
    /// The maximum number of passes of a submission on a test case; 1 unless the problem is
    /// multi-pass.
    pub(crate) passes: u32,
    /// The objective: whether high or low scores are better (legacy).
    pub(crate) objective: Objective,
    /// True when the output validator may write a score (legacy, `validation: custom score`).
    pub(crate) validator_scores: bool,
    pub(crate) old_grading_keys: OldGradingKeys,
    /// The name in English, or else in the first language that has one.
    pub(crate) title: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) languages: Option<Vec<LanguageId>>,
    pub(crate) allow_file_writing: bool,
    pub(crate) output_validator: ValidatorChoice,
    /// Arguments for the output validator on every test case (legacy, `validator_flags`).
    pub(crate) output_validator_args: Vec<String>,
    /// The place in the file where these arguments are written.
    pub(crate) output_validator_args_at: Option<Position>,
    pub(crate) constants: Vec<Constant>,
}

impl Metadata {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            types: Types::default(),
            passes: 1,
            objective: Objective::Max,
            validator_scores: false,
            old_grading_keys: OldGradingKeys::default(),
            title: None,
            limits: Limits::default(),
            languages: None,
            allow_file_writing: dialect.is_legacy(),
            output_validator: ValidatorChoice::OwnIfPresent,
            output_validator_args: Vec::new(),
            output_validator_args_at: None,
            constants: Vec::new(),
        }
    }
}
