//! A code, and the row of the catalogue that explains it.
//!
//! Responsible for the format of a row and for the properties of a code. Must not know the rows.

use std::fmt;

use judge_model::Severity;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Severities as the rows write them; `OFF` is only reported by profiles that enable it.
pub(super) const ERROR: Option<Severity> = Some(Severity::Error);
pub(super) const WARNING: Option<Severity> = Some(Severity::Warning);
pub(super) const OFF: Option<Severity> = None;

/// Defines a constant for each row, and the list of all constants.
macro_rules! rows {
    ($list:ident: $($name:ident $id:literal $severity:ident $title:literal, $why:literal, $fix:literal, $example:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code(&Row {
            id: $id, severity: $severity, title: $title, why: $why, fix: $fix, example: $example,
        });)*
        pub(crate) const $list: &[Code] = &[$($name),*];
    };
}
pub(super) use rows;

/// The stable name of one kind of finding, such as `JP301`. A code never changes its meaning, and
/// an obsolete one is not used again.
#[derive(Clone, Copy)]
pub struct Code(pub(super) &'static Row);

/// One row of the catalogue.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// The severity; `None` if only profiles that enable it report it.
    pub(super) severity: Option<Severity>,
    pub(super) title: &'static str,
    pub(super) why: &'static str,
    pub(super) fix: &'static str,
    pub(super) example: &'static str,
}

impl Code {
    /// The name of the code, such as `JP301`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// The default severity, from which a profile may differ; `None` when it is not reported by
    /// default.
    #[must_use]
    pub fn default_severity(self) -> Option<Severity> {
        self.0.severity
    }

    /// True if the finding requires running the package's validators.
    #[must_use]
    pub fn needs_running(self) -> bool {
        self.id() >= "JP800"
    }

    /// The title: what is found, in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// The reason why it matters.
    #[must_use]
    pub fn why(self) -> &'static str {
        self.0.why
    }

    /// How to fix it.
    #[must_use]
    pub fn fix(self) -> &'static str {
        self.0.fix
    }

    /// An example of it.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.0.example
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Self::find(&id).ok_or_else(|| D::Error::custom(format_args!("unknown code `{id}`")))
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
