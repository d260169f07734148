//! The reasons why this host cannot judge a submission.
//!
//! Responsible for the text with which it is skipped. Must not know in which order submissions are
//! judged.

use std::collections::BTreeMap;

use judge_event::LanguageUnavailable;
use judge_exec::{Toolchains, Unavailable};
use judge_model::{LanguageId, Submission};

use crate::plan::{PlannedProblem, TimeLimitSource};

/// The reason why this host cannot judge a submission.
pub(crate) enum Obstacle {
    /// The package must be corrected first.
    PackageAtFault,
    NoTestCase,
    UnknownLanguage,
    /// The language, and the reason.
    NoTools(LanguageId, String),
}

impl Obstacle {
    /// Returns the first reason, or `None` without one.
    pub(crate) fn find(
        planned: &PlannedProblem,
        submission: &Submission,
        toolchains: &Toolchains,
    ) -> Option<Self> {
        // The order decides which reason is reported. A fault of the package comes first, because
        // more tools would not remove it.
        if matches!(planned.time_limit_source, TimeLimitSource::Failed(_)) {
            return Some(Self::PackageAtFault);
        }
        if planned.problem.test_cases.is_empty() {
            return Some(Self::NoTestCase);
        }
        if planned.problem.submit_answer {
            return None;
        }
        let Some(language) = &submission.language else {
            return Some(Self::UnknownLanguage);
        };
        let reason = match toolchains.for_submissions(language) {
            Some(Ok(_)) => return None,
            Some(Err(Unavailable::StartsProcesses { .. })) => format!(
                "programs in `{language}` start processes, which submissions may not do at the isolation level `landlock`"
            ),
            _ => format!("no tools for `{language}` on this host"),
        };
        Some(Self::NoTools(language.clone(), reason))
    }

    /// The reason for skipping the submission.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::PackageAtFault => "the package is at fault".to_owned(),
            Self::NoTestCase => "no test case is selected".to_owned(),
            Self::UnknownLanguage => "its language is unknown".to_owned(),
            Self::NoTools(_, reason) => reason.clone(),
        }
    }

    /// True if skipping the submission can violate `--ci`: one of a package at fault, or without
    /// test cases, would be skipped even with tools.
    pub(crate) fn may_violate_skipping(&self) -> bool {
        matches!(self, Self::UnknownLanguage | Self::NoTools(..))
    }
}

/// The languages without tools, each with the number of its submissions.
pub(crate) fn unavailable(
    missing: BTreeMap<LanguageId, u64>,
    toolchains: &Toolchains,
) -> Vec<LanguageUnavailable> {
    let unavailable = |(language, submissions): (LanguageId, u64)| {
        let reason = match toolchains.for_submissions(&language) {
            Some(Err(error)) => error.to_string(),
            _ => "the language is not in the table of languages".to_owned(),
        };
        LanguageUnavailable {
            language,
            reason,
            submissions,
        }
    };
    missing.into_iter().map(unavailable).collect()
}
