//! The parts of an imported package: files, expectations, groups.
//!
//! Responsible for their structure. Must not know any other format or how a package is assembled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::Verdict;
use serde::Serialize;

/// A file of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file of the source, by its path from the root.
    Copy(PathBuf),
    /// The same with `\n` at the ends of lines.
    WithoutCarriageReturns(PathBuf),
    /// A script that can be executed.
    Script(String),
    /// A link to another file of the package, relative to its own directory.
    Link(PathBuf),
}

impl Content {
    /// Returns the file of the source that it copies.
    pub(crate) fn copied(&self) -> Option<&Path> {
        match self {
            Self::Copy(file) | Self::WithoutCarriageReturns(file) => Some(file),
            _ => None,
        }
    }
}

/// A file of the source whose place in the package is already taken by another file.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) place: PathBuf,
    /// The file that has the place.
    pub(crate) former: PathBuf,
    pub(crate) other: PathBuf,
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

/// The expectation about a submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Expectation {
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) model_solution: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "codes")]
    pub(crate) permitted: Vec<Verdict>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "codes")]
    pub(crate) required: Vec<Verdict>,
    /// The score, in the points of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) use_for_time_limit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<&'static str>,
    /// The class or file that is started, if it is not part of the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entrypoint: Option<String>,
    /// The expectations on groups, by their names in the source.
    #[serde(skip)]
    pub(crate) on_groups: BTreeMap<String, Expectation>,
    /// The same, by the directories of groups below `data`.
    #[serde(flatten)]
    pub(crate) groups: BTreeMap<String, Expectation>,
}

impl Expectation {
    /// The expectation that a submission is the model solution, or none.
    pub(crate) fn model_solution(is_model: bool) -> Self {
        Self {
            model_solution: is_model,
            ..Self::default()
        }
    }

    /// The expectation that each verdict is one of the permitted ones, and some verdict one of the
    /// required ones. An empty list permits or requires nothing in particular.
    pub(crate) fn verdicts(permitted: &[Verdict], required: &[Verdict]) -> Self {
        Self {
            permitted: permitted.to_vec(),
            required: required.to_vec(),
            ..Self::default()
        }
    }
}

/// The rule that combines the scores of test cases into the score of their group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Aggregation {
    PassFail,
    Sum,
    Min,
}

/// The maximum score of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaxScore {
    /// A number of points.
    Points(u64),
    /// No bound: the output validator determines the score.
    Unbounded,
}

impl MaxScore {
    /// Returns the points, if they are bounded.
    pub(crate) fn points(self) -> Option<u64> {
        match self {
            Self::Points(points) => Some(points),
            Self::Unbounded => None,
        }
    }
}

impl Serialize for MaxScore {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Points(points) => serializer.serialize_u64(*points),
            Self::Unbounded => serializer.serialize_str("unbounded"),
        }
    }
}

/// The arguments of input validators.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum InputArgs {
    /// The same arguments for every validator.
    ForAll(Vec<String>),
    /// The arguments of validators by their names. Others get none.
    Named(BTreeMap<String, Vec<String>>),
}

impl Default for InputArgs {
    fn default() -> Self {
        Self::ForAll(Vec::new())
    }
}

impl InputArgs {
    /// True if no validator gets an argument.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::ForAll(args) => args.is_empty(),
            Self::Named(validators) => validators.values().all(Vec::is_empty),
        }
    }
}

/// The content of `test_group.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Group {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_score: Option<MaxScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score_aggregation: Option<Aggregation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) require_pass: Vec<String>,
    #[serde(skip_serializing_if = "InputArgs::is_empty")]
    pub(crate) input_validator_args: InputArgs,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) output_validator_args: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) args: Vec<String>,
}

impl Group {
    /// A group with a maximum score.
    pub(crate) fn with_points(points: u64) -> Self {
        Self {
            max_score: Some(MaxScore::Points(points)),
            ..Self::default()
        }
    }
}

/// True for a value that a file does not state.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn codes<S: serde::Serializer>(verdicts: &[Verdict], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(verdicts.iter().map(|verdict| verdict.code()))
}
