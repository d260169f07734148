//! A code, and the row of the catalogue that explains it.
//!
//! Responsible for the shape of a row and for what a code says of itself. Must not know which rows there are.

use std::fmt;

use judge_model::Severity;

/// Weights as the rows write them; `OFF` is told only where a profile asks for it.
pub(crate) const ERROR: Option<Severity> = Some(Severity::Error);
pub(crate) const WARNING: Option<Severity> = Some(Severity::Warning);
pub(crate) const OFF: Option<Severity> = None;

/// Makes a constant of each row, and the list of them all.
macro_rules! rows {
    ($list:ident: $($name:ident $id:literal $severity:ident $title:literal, $why:literal, $mending:literal, $example:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code(&Row {
            id: $id, severity: $severity, title: $title, why: $why, mending: $mending, example: $example,
        });)*
        pub(crate) const $list: &[Code] = &[$($name),*];
    };
}
pub(super) use rows;

/// The stable name of one kind of finding, such as `JP301`. A code never changes its meaning; one that goes out of use is
/// not given to anything else.
#[derive(Clone, Copy)]
pub struct Code(pub(super) &'static Row);

/// One row of the catalogue.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// `None`: only told where a profile asks for it.
    pub(super) severity: Option<Severity>,
    pub(super) title: &'static str,
    pub(super) why: &'static str,
    pub(super) mending: &'static str,
    pub(super) example: &'static str,
}

impl Code {
    /// The name itself.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// How much it weighs unless a profile says otherwise; `None`: it is not told.
    #[must_use]
    pub fn default_severity(self) -> Option<Severity> {
        self.0.severity
    }

    /// Whether it is found by running the package's validators only.
    #[must_use]
    pub fn needs_running(self) -> bool {
        self.id() >= "JP800"
    }

    /// What is found, in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// Why it matters.
    #[must_use]
    pub fn why(self) -> &'static str {
        self.0.why
    }

    /// How to mend it.
    #[must_use]
    pub fn mending(self) -> &'static str {
        self.0.mending
    }

    /// What it looks like.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.0.example
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
