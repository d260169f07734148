//! The document of importing a package from another format, or exporting it to another judge.
//!
//! Responsible for the facts: the parts that were carried over, changed or lost. Must not know how
//! they are found or shown. No event: a document of one command.

use serde::Serialize;

/// The fate of a part of a problem in a conversion to another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is in the result with the same meaning.
    Carried,
    /// It is in the result in another form, or with a slightly different meaning.
    Changed,
    /// It is not in the result.
    Lost,
    /// It cannot be in the result, and nothing is written without it.
    Refused,
}

impl Fate {
    /// Every fate, from best to worst.
    pub const ALL: [Self; 4] = [Self::Carried, Self::Changed, Self::Lost, Self::Refused];

    /// Its word, as in the document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Changed => "changed",
            Self::Lost => "lost",
            Self::Refused => "refused",
        }
    }
}

/// The confidence with which a format was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The names of files, which other formats could have too.
    Guess,
    /// A file name of the format that other tools may use too.
    Likely,
    /// A file with content that is specific to the format, or a format that the user named.
    Certain,
}

/// A part of a problem that formats have in some form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Names, authors, licences, tags.
    Metadata,
    /// The statement and its pictures, the editorial.
    Statement,
    /// Limits on time, memory and output.
    Limits,
    /// The inputs of test cases.
    Tests,
    /// The answers of test cases.
    Answers,
    /// Groups of test cases and their points.
    Groups,
    /// The program that judges outputs.
    Checker,
    /// The program that submissions talk with.
    Interactor,
    /// The programs that check inputs.
    Validators,
    /// The programs that make inputs.
    Generators,
    /// Solutions and their expectations.
    Solutions,
    /// The samples that contestants see.
    Samples,
    /// Files that are compiled or run together with submissions.
    Graders,
    /// Files that contestants may download.
    Attachments,
    /// All other files.
    Files,
}

impl Part {
    /// Its word, as in the document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Statement => "statement",
            Self::Limits => "limits",
            Self::Tests => "tests",
            Self::Answers => "answers",
            Self::Groups => "groups",
            Self::Checker => "checker",
            Self::Interactor => "interactor",
            Self::Validators => "validators",
            Self::Generators => "generators",
            Self::Solutions => "solutions",
            Self::Samples => "samples",
            Self::Graders => "graders",
            Self::Attachments => "attachments",
            Self::Files => "files",
        }
    }
}

/// A sentence about something that was carried over, changed or lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The stable code: `JI`, a digit for the fate (1 carried, 2 changed, 3 lost, 4 refused), and
    /// two for the part.
    pub code: String,
    /// The fate.
    pub fate: Fate,
    /// The part of the problem.
    pub part: Part,
    /// The sentence.
    pub text: String,
    /// The place in the source, as `FILE` or `FILE:LINE`; empty if it is unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
}

impl Remark {
    /// A remark with the code of its fate and part.
    #[must_use]
    pub fn new(fate: Fate, part: Part, text: impl Into<String>) -> Self {
        let code = format!("JI{}{:02}", fate as u8 + 1, part as u8 + 1);
        Self {
            code,
            fate,
            part,
            text: text.into(),
            place: String::new(),
        }
    }
}

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From another format into a package.
    Import,
    /// From a package to another judge.
    Export,
    /// From an older version of the package format into the newest.
    Upgrade,
}

/// The conversion of a problem from one format into another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interchange {
    /// The version of this document.
    pub schema: u32,
    /// The direction.
    pub direction: Direction,
    /// The source format, or the target judge.
    pub format: String,
    /// The evidence by which the format was recognised; empty when the user named the format.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// The confidence that this is the format.
    pub confidence: Confidence,
    /// Other possible formats of the source, the most likely first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub could_be: Vec<String>,
    /// The short name of the problem.
    pub problem: String,
    /// The source, as the user typed it.
    pub source: String,
    /// The directory or archive that was written, or that would be.
    pub target: String,
    /// True when it was written.
    pub written: bool,
    /// The files of the target, in order.
    pub files: Vec<String>,
    /// The remarks, in the order of parts.
    pub remarks: Vec<Remark>,
}

impl Interchange {
    /// The current version of the document.
    pub const SCHEMA: u32 = 1;

    /// The document as JSON.
    ///
    /// # Panics
    /// Never: it has string keys only.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a document has string keys only")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every part, in the order of their codes.
    const PARTS: [Part; 15] = [
        Part::Metadata,
        Part::Statement,
        Part::Limits,
        Part::Tests,
        Part::Answers,
        Part::Groups,
        Part::Checker,
        Part::Interactor,
        Part::Validators,
        Part::Generators,
        Part::Solutions,
        Part::Samples,
        Part::Graders,
        Part::Attachments,
        Part::Files,
    ];

    #[test]
    fn codes_of_fates_and_parts_are_unique() {
        let codes = Fate::ALL
            .iter()
            .flat_map(|fate| PARTS.map(|part| Remark::new(*fate, part, "").code));
        assert_eq!(codes.clone().collect::<BTreeSet<_>>().len(), 60);
        assert_eq!(
            (codes.clone().next().unwrap(), codes.last().unwrap()),
            ("JI101".to_owned(), "JI415".to_owned())
        );
    }

    #[test]
    fn names_match_the_document() {
        for fate in Fate::ALL {
            assert_eq!(
                serde_json::to_string(&fate).unwrap(),
                format!("\"{}\"", fate.name())
            );
        }
        for part in PARTS {
            assert_eq!(
                serde_json::to_string(&part).unwrap(),
                format!("\"{}\"", part.name())
            );
        }
    }
}
