//! The rules of a package that determine how its test data are read.

use judge_model::Program;

use crate::metadata::Metadata;

/// The rules of the package.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) output_validators: &'a [Program],
    pub(super) grader: Option<&'a Program>,
    /// True when every directory is a group, with settings in `testdata.yaml`.
    pub(super) legacy_groups: bool,
}
