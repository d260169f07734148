//! JSON Schemas of the files that users write. Editors use them to complete keys and to mark
//! mistakes.
//!
//! Responsible for describing the accepted keys and types as JSON Schema (draft 7). The names of
//! keys and words come from the tables that loading uses. Tests give the same files to loading and
//! to the schemas, and so check that they agree on types. A schema accepts everything that loads,
//! even with warnings; rules about several keys or files are left to `judge check`. Must not read
//! any file.

mod generators;
mod metadata;
mod submissions;
mod test_data;
mod types;
mod workspace;

use std::fmt;
use std::str::FromStr;

use judge_model::{UnknownName, find_by_name};
use serde_json::json;

/// A kind of file that has a schema, by the name of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaName {
    /// `problem.yaml`, of every format version.
    Problem,
    /// `submissions.yaml`.
    Submissions,
    /// `generators.yaml`.
    Generators,
    /// `test_group.yaml` (2025-09).
    TestGroup,
    /// `testdata.yaml` (legacy).
    TestData,
    /// `judge.yaml`.
    Workspace,
}

impl SchemaName {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 6] = [
        Self::Problem,
        Self::Submissions,
        Self::Generators,
        Self::TestGroup,
        Self::TestData,
        Self::Workspace,
    ];

    /// The name of the file that it describes.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Problem => "problem.yaml",
            Self::Submissions => "submissions.yaml",
            Self::Generators => "generators.yaml",
            Self::TestGroup => "test_group.yaml",
            Self::TestData => "testdata.yaml",
            Self::Workspace => "judge.yaml",
        }
    }

    /// The schema, as text with a line break at its end.
    #[must_use]
    pub fn schema(self) -> String {
        let mut schema = match self {
            Self::Problem => metadata::schema(),
            Self::Submissions => submissions::schema(),
            Self::Generators => generators::schema(),
            Self::TestGroup => test_data::test_group(),
            Self::TestData => test_data::testdata(),
            Self::Workspace => workspace::schema(),
        };
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema["title"] = json!(format!("`{self}`, as judge reads it"));
        format!("{schema:#}\n")
    }
}

impl fmt::Display for SchemaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.file_name())
    }
}

impl FromStr for SchemaName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("schema", Self::ALL, Self::file_name, text)
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
