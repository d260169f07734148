//! The metadata of an imported package: `problem.yaml`.
//!
//! Responsible for the structure of that file. Must not know any other format.

use std::collections::BTreeMap;

use judge_package::yaml::to_text;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::parts::is_default;

/// The content of `problem.yaml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// Names by language.
    pub(crate) names: BTreeMap<String, String>,
    /// True if test cases are worth points.
    pub(crate) scoring: bool,
    pub(crate) interactive: bool,
    /// The number of runs on each test case, if there are several.
    pub(crate) passes: Option<u32>,
    pub(crate) submit_answer: bool,
    pub(crate) authors: Vec<String>,
    pub(crate) source: Option<String>,
    pub(crate) keywords: Vec<String>,
    /// The file that replaces standard input.
    pub(crate) input_file: Option<String>,
    /// The file that replaces standard output.
    pub(crate) output_file: Option<String>,
    /// The time limit in seconds.
    pub(crate) time_limit: Option<f64>,
    /// The memory limit in MiB.
    pub(crate) memory: Option<u64>,
    /// The output limit in MiB.
    pub(crate) output: Option<u64>,
}

/// Returns the text of `.files.yaml`, or `None` if submissions use standard input and output.
pub(crate) fn named_files_text(metadata: &Metadata) -> Option<String> {
    let files: BTreeMap<&str, &String> = [
        ("input", &metadata.input_file),
        ("output", &metadata.output_file),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key, value.as_ref()?)))
    .collect();
    (!files.is_empty()).then(|| to_text(&files))
}

#[derive(Serialize)]
struct ProblemYaml<'a> {
    problem_format_version: &'static str,
    name: &'a BTreeMap<String, String>,
    #[serde(rename = "type", skip_serializing_if = "Vec::is_empty")]
    types: Vec<&'static str>,
    uuid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    credits: Option<CreditsYaml<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: &'a Option<String>,
    license: &'static str,
    #[serde(skip_serializing_if = "is_default")]
    limits: LimitsYaml,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    keywords: &'a [String],
}

#[derive(Serialize)]
struct CreditsYaml<'a> {
    authors: &'a [String],
}

#[derive(Default, PartialEq, Serialize)]
struct LimitsYaml {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<f64>,
    /// The unit of time limits in seconds, if it is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_resolution: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_passes: Option<u32>,
}

/// Returns the largest power of ten that divides a time limit, unless it is a multiple of a second
/// (2025-09, `time_resolution`).
fn resolution(limit: f64) -> Option<f64> {
    // Decimal fractions are not exact in binary: 0.3 is not three times 0.1.
    let is_multiple = |unit: &f64| (limit / unit - (limit / unit).round()).abs() < 1e-6;
    [1.0, 0.1, 0.01, 0.001]
        .into_iter()
        .find(is_multiple)
        .filter(|unit| *unit < 1.0)
}

/// Returns the text of the file for a problem. The same `identity` gives the same UUID.
pub(crate) fn metadata_text(metadata: &Metadata, name: &str, identity: &str) -> String {
    let mut names = metadata.names.clone();
    if names.is_empty() {
        names.insert("en".to_owned(), name.to_owned());
    }
    let types = [
        (metadata.scoring, "scoring"),
        (metadata.interactive, "interactive"),
        (metadata.passes.is_some(), "multi-pass"),
        (metadata.submit_answer, "submit-answer"),
    ];
    to_text(&ProblemYaml {
        problem_format_version: "2025-09",
        name: &names,
        types: types
            .into_iter()
            .filter_map(|(is, name)| is.then_some(name))
            .collect(),
        uuid: uuid_of(identity),
        credits: (!metadata.authors.is_empty()).then_some(CreditsYaml {
            authors: &metadata.authors,
        }),
        source: &metadata.source,
        license: "unknown",
        limits: LimitsYaml {
            time_limit: metadata.time_limit,
            time_resolution: metadata.time_limit.and_then(resolution),
            memory: metadata.memory,
            output: metadata.output,
            validation_passes: metadata.passes,
        },
        keywords: &metadata.keywords,
    })
}

/// Returns a UUID that is the same for every import of the same problem (RFC 9562, section 5.8:
/// version 8).
pub(crate) fn uuid_of(identity: &str) -> String {
    let digest = Sha256::digest(identity.as_bytes());
    let bits = digest[..16]
        .iter()
        .fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    judge_package::uuid_of_bits(bits, 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_depend_only_on_the_identity() {
        assert_eq!(uuid_of("a"), uuid_of("a"));
        assert_ne!(uuid_of("a"), uuid_of("b"));
        assert_eq!(&uuid_of("a")[14..15], "8");
    }

    #[test]
    fn time_limits_use_the_coarsest_exact_unit() {
        assert_eq!(
            [2.0, 1.5, 0.25, 0.001].map(resolution),
            [None, Some(0.1), Some(0.01), Some(0.001)]
        );
    }
}
