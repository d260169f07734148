//! The outcome of a search: what was looked for, and what was found.
//!
//! Responsible for what a finding proves, for warnings, and for the document. Pure. Must not hold other words for
//! people, nor run anything.

mod document;

use judge_model::Verdict;

use crate::{FailureClass, Finding, InputSources, MinimizedFinding, Origin, Search, Searched, Seen, Target};

/// All that is known after a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOutcome<'a> {
    /// The target of the search.
    pub target: &'a Target,
    /// The sources that inputs were made of.
    pub inputs: &'a InputSources,
    /// The search that was carried out.
    pub search: &'a Search<'a>,
    /// The result of the search.
    pub searched: &'a Searched,
    /// The findings made small: as many as there are findings, or none.
    pub small: &'a [MinimizedFinding],
    /// Kinds of calls, and test cases that could be changed.
    pub sources: (usize, usize),
    /// True when inputs are validated.
    pub is_validated: bool,
}

/// A finding, as small as it is.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The number of the input that was found.
    pub number: u64,
    /// The input.
    pub input: &'a [u8],
    /// The answer, where there is one.
    pub answer: Option<Vec<u8>>,
    /// The behaviour of the submissions on it.
    pub seen: &'a [Seen],
    /// The finding as it was found.
    pub first: &'a Finding,
    /// The finding made small, where it was.
    pub small: Option<&'a MinimizedFinding>,
}

impl SearchOutcome<'_> {
    /// The findings.
    #[must_use]
    pub fn found(&self) -> Vec<Found<'_>> {
        let all = self.searched.findings.iter().enumerate();
        all.map(|(index, first)| {
            let small = self.small.get(index);
            let best = small.map_or(first, |small| &small.finding);
            Found {
                number: first.number,
                input: &best.input,
                answer: small.and_then(|small| small.answer.clone()),
                seen: &best.seen,
                first,
                small,
            }
        })
        .collect()
    }

    /// The submissions of the package that an input must be rejected for.
    #[must_use]
    pub fn must_be_killed(&self, found: &Found<'_>) -> Vec<String> {
        let failed = found.seen.iter().filter(|seen| seen.class.verdict != Verdict::Accepted);
        let failed = failed.map(|seen| seen.submission);
        let of_package =
            failed.filter(|submission| *submission != self.target.reference && self.target.is_of_package(*submission));
        of_package.map(|submission| self.target.id(submission).to_owned()).collect()
    }

    /// Describes what made an input.
    #[must_use]
    pub fn origin(&self, origin: &Origin) -> String {
        self.inputs.describe(origin, &self.target.problem)
    }

    /// Warnings, in sentences.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.is_validated {
            let why =
                "the package has no input validator that runs: inputs are not validated, test cases are not changed";
            warnings.push(why.to_owned());
        }
        if let Some((finding, tried)) = &self.searched.unusable {
            let reference = self.target.id(self.target.reference);
            warnings.push(format!(
                "`{reference}`, which writes the answers, gets {} on some inputs, such as {}",
                FailureClass::of(tried),
                self.origin(&finding.origin)
            ));
        }
        if self.searched.tally.judged == 0 {
            warnings.push("not one input could be judged".to_owned());
        }
        warnings
    }

    /// Tells whether the output validator failed on the output of a submission for any input that was found.
    #[must_use]
    pub fn is_judge_error(&self) -> bool {
        let small = self.small.iter().map(|found| &found.finding);
        small.chain(&self.searched.findings).flat_map(|found| &found.seen).any(Seen::is_judge_error)
    }
}
