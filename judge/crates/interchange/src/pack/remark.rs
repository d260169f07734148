//! Remarks on a packed package: obstacles, losses, and changes.
//!
//! Responsible for the kinds of remarks. Must not know how they are found or shown.

use judge_event::{Fate, Part, Remark};

/// A kind of remark: the fate of a part of the package.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemarkKind(Fate, Part);

impl RemarkKind {
    /// The other judge does not support problems of this type.
    pub(super) const TYPE: Self = Self(Fate::Refused, Part::Metadata);
    /// Test cases have properties that the other judge does not support.
    pub(super) const CASES: Self = Self(Fate::Refused, Part::Tests);
    /// Arguments of a validator cannot be expressed in the other format.
    pub(super) const ARGUMENTS: Self = Self(Fate::Refused, Part::Checker);
    /// The scores cannot be expressed in the other format.
    pub(super) const SCORES: Self = Self(Fate::Refused, Part::Groups);
    /// The other judge cannot run a validator.
    pub(super) const OUTPUT_CHECK: Self = Self(Fate::Refused, Part::Checker);
    /// The other judge requires a validator.
    pub(super) const NO_VALIDATOR: Self = Self(Fate::Refused, Part::Validators);
    /// The other judge requires an accepted submission.
    pub(super) const NO_SOLUTION: Self = Self(Fate::Refused, Part::Solutions);
    /// The other judge requires a statement.
    pub(super) const NO_STATEMENT: Self = Self(Fate::Refused, Part::Statement);
    /// The other judge requires a limit.
    pub(super) const NO_LIMIT: Self = Self(Fate::Refused, Part::Limits);
    /// The other judge does not compile files of the package with submissions.
    pub(super) const INCLUDED: Self = Self(Fate::Refused, Part::Graders);
    /// A file cannot be read or packed.
    pub(super) const FILES: Self = Self(Fate::Refused, Part::Files);
    /// Submissions or their expectations are left out.
    pub(super) const SUBMISSIONS: Self = Self(Fate::Lost, Part::Solutions);
    /// Parts of the statement are left out.
    pub(super) const STATEMENT: Self = Self(Fate::Lost, Part::Statement);
    /// Limits are ignored.
    pub(super) const LIMITS: Self = Self(Fate::Lost, Part::Limits);
    /// Keys of `problem.yaml` are left out or ignored.
    pub(super) const METADATA: Self = Self(Fate::Lost, Part::Metadata);
    /// Files that the other judge does not read are left out.
    pub(super) const LEFT_OUT: Self = Self(Fate::Lost, Part::Files);
    /// Data for testing validators is left out.
    pub(super) const VALIDATOR_CASES: Self = Self(Fate::Lost, Part::Validators);
    /// The other judge needs a tool on its hosts, or compares with its own checker.
    pub(super) const HOST_TOOLS: Self = Self(Fate::Changed, Part::Checker);
    /// The other judge uses another edition of a language.
    pub(super) const EDITION: Self = Self(Fate::Changed, Part::Solutions);
    /// The library of this judge is included in programs.
    pub(super) const LIBRARY: Self = Self(Fate::Changed, Part::Validators);
    /// A program is adapted to another protocol.
    pub(super) const PROTOCOL: Self = Self(Fate::Changed, Part::Checker);
    /// The statement is typeset.
    pub(super) const TYPESET: Self = Self(Fate::Changed, Part::Statement);
    /// Groups are graded by another rule or have other test cases.
    pub(super) const GRADED: Self = Self(Fate::Changed, Part::Groups);
    /// The other judge decides how outputs are compared.
    pub(super) const CHECKER: Self = Self(Fate::Lost, Part::Checker);
    /// Groups and their scores are left out.
    pub(super) const GROUPS: Self = Self(Fate::Lost, Part::Groups);
    /// Everything but test data is left out.
    pub(super) const NOTHING_ELSE: Self = Self(Fate::Lost, Part::Files);
    /// The format of `problem.yaml` changes.
    pub(super) const CONVERTED: Self = Self(Fate::Changed, Part::Metadata);
}

/// A list of remarks without duplicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks(Vec<Remark>);

impl Remarks {
    pub(super) fn add(
        &mut self,
        kind: RemarkKind,
        about: impl Into<String>,
        message: impl Into<String>,
    ) {
        let remark = Remark {
            place: about.into(),
            ..Remark::new(kind.0, kind.1, message)
        };
        if !self.0.contains(&remark) {
            self.0.push(remark);
        }
    }

    /// Returns all remarks in the order of parts.
    pub(super) fn into_sorted(mut self) -> Vec<Remark> {
        self.0
            .sort_by_key(|remark| (remark.part, std::cmp::Reverse(remark.fate)));
        self.0
    }
}
