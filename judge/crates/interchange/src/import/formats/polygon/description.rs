//! The description of a package of Polygon.
//!
//! Responsible for its structure. Must not know its XML form or how it is converted.
//!
//! Source: packages of Polygon; the parsers of ejudge (`polygon_xml`) and CMS, which agree on these
//! names.

/// A description of a problem.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) short_name: String,
    pub(crate) url: String,
    /// Names by language, such as `english`.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) statements: Vec<StatementFile>,
    pub(crate) input_file: String,
    pub(crate) output_file: String,
    /// The number of runs of a submission on each test.
    pub(crate) run_count: u32,
    pub(crate) points_as_percent: bool,
    pub(crate) testsets: Vec<Testset>,
    /// Files that programs and statements may need.
    pub(crate) resources: Vec<Resource>,
    pub(crate) attachments: Vec<String>,
    /// The sources of executables: generators and all other compiled programs.
    pub(crate) executables: Vec<ProgramSource>,
    pub(crate) checker: Option<Checker>,
    pub(crate) interactor: Option<ProgramSource>,
    pub(crate) validators: Vec<ProgramSource>,
    pub(crate) validator_tests: Option<Trial>,
    pub(crate) has_scorer: bool,
    pub(crate) solutions: Vec<Solution>,
    pub(crate) tags: Vec<String>,
    pub(crate) stresses: usize,
}

/// A statement or tutorial as a file.
#[derive(Debug)]
pub(crate) struct StatementFile {
    pub(crate) language: String,
    pub(crate) path: String,
    /// `application/x-tex`, `text/html` or `application/pdf`.
    pub(crate) media: String,
    pub(crate) is_tutorial: bool,
}

/// A source file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramSource {
    pub(crate) path: String,
    /// The compiler that Polygon uses, such as `cpp.g++17`.
    pub(crate) compiler: String,
}

/// A file that others may need.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) path: String,
    /// True if it is compiled with submissions.
    pub(crate) is_of_solutions: bool,
}

/// The checker and its own tests.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) source: ProgramSource,
    pub(crate) tests: Option<Trial>,
}

/// Tests of a checker or a validator: verdicts, and the patterns of their files.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) answer: String,
    pub(crate) verdicts: Vec<String>,
}

/// Test cases with their limits.
#[derive(Debug)]
pub(crate) struct Testset {
    pub(crate) name: String,
    /// The time limit in milliseconds.
    pub(crate) time_limit: Option<f64>,
    /// The memory limit in bytes.
    pub(crate) memory_limit: Option<u64>,
    /// The pattern of input files, such as `tests/%02d`.
    pub(crate) input: String,
    pub(crate) answer: String,
    pub(crate) tests: Vec<PolygonTest>,
    pub(crate) groups: Vec<GroupDescription>,
}

/// A test case.
#[derive(Debug, Default)]
pub(crate) struct PolygonTest {
    /// The command that generates it. Empty for a manual test.
    pub(crate) command: String,
    /// The number of its file, if the command writes several.
    pub(crate) from_file: String,
    pub(crate) is_sample: bool,
    pub(crate) group: String,
    pub(crate) points: Option<f64>,
    pub(crate) description: String,
}

/// A group of test cases.
#[derive(Debug, Default)]
pub(crate) struct GroupDescription {
    pub(crate) name: String,
    pub(crate) points: Option<f64>,
    /// True if all of its tests have to pass for its points.
    pub(crate) is_complete: bool,
    /// `none`, `points`, `icpc` or `complete`.
    pub(crate) feedback: String,
    pub(crate) dependencies: Vec<String>,
}

/// A solution and its expectations.
#[derive(Debug)]
pub(crate) struct Solution {
    pub(crate) source: ProgramSource,
    pub(crate) tag: String,
    /// Tags on groups.
    pub(crate) of_groups: Vec<(String, String)>,
    /// Tags on sets of tests, which have no equivalent in packages.
    pub(crate) of_testsets: Vec<(String, String)>,
}

/// Returns the file for a number by a pattern such as `tests/%02d`, or `None` for any other kind of
/// pattern.
pub(crate) fn numbered_file(pattern: &str, number: usize) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    let width: usize = if width.is_empty() {
        0
    } else {
        width.parse().ok().filter(|width| *width < 20)?
    };
    Some(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printf_patterns_are_supported() {
        assert_eq!(
            numbered_file("tests/%02d.a", 7).as_deref(),
            Some("tests/07.a")
        );
        assert_eq!(
            numbered_file("tests/%02d", 123).as_deref(),
            Some("tests/123")
        );
        assert_eq!(numbered_file("%d.in", 7).as_deref(), Some("7.in"));
        assert_eq!(
            (
                numbered_file("tests/x", 7),
                numbered_file("%99d", 7),
                numbered_file("%xd", 7)
            ),
            (None, None, None)
        );
    }
}
