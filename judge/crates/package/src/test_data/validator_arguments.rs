//! The arguments of the default output validator in test data.
//!
//! Responsible for reporting unsupported ones at their positions. Must not compare anything, which
//! belongs to `grading`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge_model::{CompareOptions, OutputValidatorArgs};

use super::settings::{Place, Settings};
use crate::code;
use crate::error::{Finding, Findings};
use crate::metadata::Metadata;

/// Checks the arguments of all test cases, and reports each fault once.
pub(super) struct DefaultValidatorArguments<'a> {
    /// The metadata, whose arguments come before those of all groups.
    metadata: &'a Metadata,
    marker: PathBuf,
    is_used: bool,
    seen: BTreeSet<(Option<Place>, Vec<String>)>,
    reported: BTreeSet<(Place, String)>,
}

impl<'a> DefaultValidatorArguments<'a> {
    pub(super) fn new(package: &Path, metadata: &'a Metadata, is_used: bool) -> Self {
        Self {
            metadata,
            marker: package.join("problem.yaml"),
            is_used,
            seen: BTreeSet::new(),
            reported: BTreeSet::new(),
        }
    }

    /// Checks the arguments of a test case, and reports a fault unless it was reported for another
    /// one.
    pub(super) fn check(&mut self, settings: &Settings, findings: &mut Findings) {
        let case_args = &settings.output_validator_args.all;
        if !self.is_used || (case_args.is_empty() && self.metadata.output_validator_args.is_empty())
        {
            return;
        }
        let place = settings
            .output_validator_args_at
            .clone()
            .filter(|_| !case_args.is_empty());
        if !self.seen.insert((place.clone(), case_args.clone())) {
            return;
        }
        let args = all_args(self.metadata, settings.output_validator_args.clone()).all;
        let Err(fault) = CompareOptions::parse(&args, self.metadata.dialect.format()) else {
            return;
        };
        // A fault that exists without the group's arguments is reported at the arguments of the
        // package.
        let alone = CompareOptions::parse(
            &self.metadata.output_validator_args,
            self.metadata.dialect.format(),
        );
        let group_place = place.filter(|_| alone.as_ref() != Err(&fault));
        let position = self.metadata.output_validator_args_at;
        let place = group_place.unwrap_or_else(|| Place {
            file: self.marker.clone(),
            position,
        });
        let message = fault.to_string();
        if self.reported.insert((place.clone(), message.clone())) {
            let error = Finding::new(code::VALIDATOR_ARGUMENTS_REFUSED, &place.file, message);
            findings.error(error.at_position(place.position));
        }
    }
}

/// Returns the arguments of the package, followed by those of a group.
///
/// Source: legacy, "validator_flags".
pub(super) fn all_args(
    metadata: &Metadata,
    group_args: OutputValidatorArgs,
) -> OutputValidatorArgs {
    let all = metadata
        .output_validator_args
        .iter()
        .cloned()
        .chain(group_args.all)
        .collect();
    OutputValidatorArgs {
        all,
        own: group_args.own,
    }
}
