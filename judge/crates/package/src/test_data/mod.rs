//! Test data: the cases below `data/`, their order, and their settings.
//!
//! Responsible for both layouts, legacy and 2025-09. Must not read inputs or answers, or run
//! anything.
//!
//! Order: `sample` before `secret`; in each directory, cases and directories together, by name,
//! byte by byte (the name of a case is its file name without extension). Both formats require
//! lexicographic order by base name.

mod collect;
mod legacy_grading;
mod rules;
pub(crate) mod samples;
mod scoring;
pub(crate) mod settings;
pub(crate) mod shell_words;
mod validator_arguments;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::{Grading, GroupSettings, OutputValidatorArgs, Program, TestCase, TestGroup};

pub(crate) use self::collect::{case_name, split_name};
pub use self::settings::InputValidatorArgs;

use self::collect::{Collector, FoundCase};
use self::rules::Rules;
use self::scoring::FoundGroup;
use self::validator_arguments::{DefaultValidatorArguments, all_args};
use crate::code;
use crate::disk::names;
use crate::disk::sizes;
use crate::disk::tree::{Folder, in_other_case};
use crate::error::{Finding, Findings};
use crate::metadata::{Dialect, Metadata};
use crate::programs::testing_tool::{TESTING_TOOL_TEST, own_inputs};
use crate::suggest::{did_you_mean, quoted};

/// Test cases that test the validators and on which submissions are not run (2025-09, "Invalid
/// Input", "Invalid Output", "Valid Output").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraCases {
    /// Inputs that some input validator must reject.
    pub invalid_input: Vec<ExtraCase>,
    /// Outputs that the output validator must reject.
    pub invalid_output: Vec<ExtraCase>,
    /// Outputs that the output validator must accept.
    pub valid_output: Vec<ExtraCase>,
}

impl ExtraCases {
    /// All of them: those of `valid_output` first, those of `invalid_input` last.
    pub fn iter(&self) -> impl Iterator<Item = &ExtraCase> {
        self.valid_output
            .iter()
            .chain(&self.invalid_output)
            .chain(&self.invalid_input)
    }
}

/// A test case for validators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraCase {
    /// Its name below `data/`, without extension, such as `invalid_input/empty`.
    pub id: String,
    /// The input file, absolute.
    pub input: PathBuf,
    /// The answer file, absolute; missing only in `invalid_input`.
    pub answer: Option<PathBuf>,
    /// The output file, absolute; missing only in `invalid_input`.
    pub output: Option<PathBuf>,
    /// A directory whose contents are copied next to programs that read the case (`.files`),
    /// absolute.
    pub files: Option<PathBuf>,
    /// Command-line arguments for submissions; input validators get them too.
    pub args: Vec<String>,
    /// Arguments for the output validators.
    pub output_validator_args: OutputValidatorArgs,
    /// Arguments for the input validators.
    pub input_validator_args: InputValidatorArgs,
}

/// The directories of test cases in `data/`.
pub(crate) const PARTS: [&str; 5] = [
    "sample",
    "secret",
    "invalid_input",
    "invalid_output",
    "valid_output",
];

/// The contents of `data/`.
#[derive(Debug, Default)]
pub(crate) struct TestData {
    pub(crate) test_cases: Vec<TestCase>,
    pub(crate) groups: Vec<TestGroup>,
    pub(crate) grading: Grading,
    pub(crate) extra_cases: ExtraCases,
    /// The arguments for input validators by id, for the test cases that have any.
    pub(crate) input_validator_args: BTreeMap<String, InputValidatorArgs>,
    /// The inputs that only testing tools use, by name.
    pub(crate) testing_tool_inputs: Vec<(String, PathBuf)>,
}

/// The package's own programs that test data may refer to.
#[derive(Debug, Default)]
pub(crate) struct Programs<'a> {
    /// `None` if the default output validator is used.
    pub(crate) output_validators: Option<&'a [Program]>,
    pub(crate) has_static_validator: bool,
    pub(crate) grader: Option<Program>,
}

/// Checks that every file for programs can be read in a reasonable time. Unless a file may be
/// large, only the total sizes of directories are checked.
pub(crate) fn check_sizes(data: &TestData, may_be_large: bool, findings: &mut Findings) {
    for directory in data
        .test_cases
        .iter()
        .filter_map(|case| case.files.as_ref())
    {
        sizes::check_directory(directory, findings);
    }
    if !may_be_large {
        return;
    }
    let cases = data
        .test_cases
        .iter()
        .flat_map(|case| [Some(&case.input), Some(&case.answer), case.output.as_ref()]);
    let extra_files = data.extra_cases.iter().flat_map(|case| {
        [
            Some(&case.input),
            case.answer.as_ref(),
            case.output.as_ref(),
        ]
    });
    for file in cases.chain(extra_files).flatten() {
        sizes::check_file(file, findings);
    }
}

/// Adds a complete test case, with its own arguments for validators.
fn add_case(data: &mut TestData, metadata: &Metadata, case: FoundCase) {
    let settings = case.settings;
    if settings.input_validator_args != InputValidatorArgs::default() {
        data.input_validator_args
            .insert(case.id.clone(), settings.input_validator_args);
    }
    // A missing answer was reported as an error when the case was collected.
    let Some(answer) = case.answer else { return };
    data.test_cases.push(TestCase {
        id: case.id,
        input: case.input,
        answer,
        args: settings.args,
        output_validator_args: all_args(metadata, settings.output_validator_args),
        input_visualizer_args: settings.input_visualizer_args,
        output_visualizer_args: settings.output_visualizer_args,
        files: case.files,
        output: case.output,
        origin: None,
    });
}

/// Reads `data/`.
pub(crate) fn read(
    package: &Path,
    metadata: &Metadata,
    programs: Programs<'_>,
    findings: &mut Findings,
) -> TestData {
    let mut data = TestData::default();
    let root = package.join("data");
    let Some(folder) = Folder::read(&root, findings) else {
        let message = "expected a directory with test data, found none";
        let error = Finding::new(code::NO_TEST_CASES, &root, message);
        let hint = in_other_case(&root, Path::is_dir).or_else(|| generate_first(package));
        findings.error(error.hint(hint));
        return data;
    };
    // The files of groups changed between drafts. Only the data show which ones a package uses.
    let legacy_groups = metadata.dialect.is_legacy()
        || (metadata.dialect == Dialect::Draft && has_old_groups(&folder));
    let rules = Rules {
        metadata,
        output_validators: programs.output_validators.unwrap_or_default(),
        grader: programs.grader.as_ref(),
        legacy_groups,
    };
    let mut arguments =
        DefaultValidatorArguments::new(package, metadata, programs.output_validators.is_none());
    let mut collector = Collector::new(rules, findings);
    let inherited = collector.top_settings(&folder);
    check_top_level(&folder, metadata, collector.findings);

    for part in ["sample", "secret"] {
        let Some(folder) = folder.folders.get(part) else {
            continue;
        };
        for case in collector.collect(folder, part, &inherited) {
            arguments.check(&case.settings, collector.findings);
            add_case(&mut data, metadata, case);
        }
    }
    // Taken before the cases for validators are collected: their directories may have settings, but
    // are not groups of the judged data.
    let groups = collector.take_groups();
    data.testing_tool_inputs = own_inputs(&folder);
    let extra = &mut data.extra_cases;
    for (part, into) in [
        ("invalid_input", &mut extra.invalid_input),
        ("invalid_output", &mut extra.invalid_output),
        ("valid_output", &mut extra.valid_output),
    ] {
        let Some(folder) = folder.folders.get(part) else {
            continue;
        };
        let found = collector.collect(folder, part, &inherited);
        for case in &found {
            arguments.check(&case.settings, collector.findings);
        }
        into.extend(found.into_iter().map(|case| extra_case(case, metadata)));
    }
    if legacy_groups {
        data.groups = groups.into_iter().map(legacy_group).collect();
        data.grading = legacy_grading::grading(metadata, programs.grader, &mut data.groups);
    } else {
        data.groups =
            scoring::resolve_settings(groups, metadata, programs.has_static_validator, findings);
        data.grading = if metadata.types.scoring {
            Grading::Scores
        } else {
            Grading::PassFail
        };
    }
    // Faulty cases have been reported.
    if data.test_cases.is_empty() {
        let message = "expected at least one complete test case, found none";
        let error = Finding::new(code::NO_TEST_CASES, &root.join("secret"), message);
        findings.error(error.hint(generate_first(package)));
    } else if data.test_cases.iter().all(TestCase::is_sample) {
        let message = "no complete test case in `secret`: only the samples are judged";
        findings
            .warn(Finding::new(code::NO_SECRET_DATA, &root, message).hint(generate_first(package)));
    }
    data
}

/// True if a draft has groups as in legacy: some `testdata.yaml`, and no `test_group.yaml`.
fn has_old_groups(data: &Folder) -> bool {
    fn has(folder: &Folder, name: &str) -> bool {
        folder.files.contains_key(name) || folder.folders.values().any(|folder| has(folder, name))
    }
    has(data, "testdata.yaml") && !has(data, "test_group.yaml")
}

fn legacy_group(group: FoundGroup) -> TestGroup {
    TestGroup {
        id: group.id,
        directory: group.directory,
        settings: GroupSettings::Legacy(group.legacy),
    }
}

/// The hint for a package whose generated test data are missing.
fn generate_first(package: &Path) -> Option<String> {
    let generators = package.join("generators/generators.yaml");
    generators
        .is_file()
        .then(|| "`generators/generators.yaml` exists: generate the test data first".to_owned())
}

fn extra_case(case: FoundCase, metadata: &Metadata) -> ExtraCase {
    ExtraCase {
        id: case.id,
        input: case.input,
        answer: case.answer,
        output: case.output,
        files: case.files,
        args: case.settings.args,
        output_validator_args: all_args(metadata, case.settings.output_validator_args),
        input_validator_args: case.settings.input_validator_args,
    }
}

/// Warns about everything directly in `data/` that is not read.
fn check_top_level(folder: &Folder, metadata: &Metadata, findings: &mut Findings) {
    for (name, path) in &folder.files {
        // Settings are reported where they are read.
        if !matches!(
            (metadata.dialect.is_legacy(), name.as_str()),
            (true, "testdata.yaml") | (false, "test_group.yaml")
        ) {
            // Many setters keep scripts and notes next to the data, which all judges accept.
            let is_data = matches!(names::extension(name), Some("in" | "ans"));
            let code = if is_data {
                code::DATA_MISPLACED
            } else {
                code::FILE_OF_NO_CASE
            };
            let message = "ignored: test data belong in `data/sample` and `data/secret`";
            findings.warn_at(code, path, message);
        }
    }
    for (name, folder) in &folder.folders {
        if !PARTS.contains(&name.as_str()) && name != TESTING_TOOL_TEST {
            let expected = quoted(PARTS);
            let message = format!("ignored: expected one of {expected}");
            findings.warn(
                Finding::new(code::DATA_MISPLACED, &folder.path, message)
                    .hint(did_you_mean(name, PARTS)),
            );
        }
    }
}

#[cfg(test)]
#[path = "test_data_tests.rs"]
mod tests;

#[cfg(test)]
mod grading_tests;
#[cfg(test)]
mod legacy_flags_tests;
#[cfg(test)]
mod legacy_grading_tests;
