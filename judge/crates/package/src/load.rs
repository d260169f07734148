//! Loading: reads a package's directory as a problem.
//!
//! Responsible for combining the parts. Must not interpret any of them.

use std::collections::BTreeMap;
use std::path::Path;

use judge_model::{Language, LanguageId, OutputValidator, Problem, TestCase};

use crate::code;
use crate::disk::archive::UnpackError;
use crate::disk::changing::half_changed;
use crate::disk::discovery::{MARKER, MISNAMED, is_refused};
use crate::disk::entries::Entries;
use crate::disk::links::{READ, check_package, check_solutions};
use crate::disk::names;
use crate::disk::names::is_archive;
use crate::error::{Area, Finding, Findings, PackageErrors};
use crate::metadata::named_files;
use crate::metadata::other_tools;
use crate::metadata::{self, Metadata, ValidatorChoice};
use crate::programs::file_name;
use crate::programs::format_languages;
use crate::programs::included::included;
use crate::programs::testing_tool::{TestingTools, testing_tools};
use crate::programs::validators::ProgramReader;
use crate::submissions::submissions;
use crate::test_data::{self, ExtraCases, InputValidatorArgs, Programs};
use crate::workspace::{Workspace, normal};

/// A loaded package: the problem, and parts that only checks of the package need.
#[derive(Clone, Debug)]
pub struct LoadedPackage {
    /// The problem.
    pub problem: Problem,
    /// Test cases for its validators.
    pub extra_cases: ExtraCases,
    /// Arguments for the input validators by the id of a test case, for test cases that have any.
    pub input_validator_args: BTreeMap<String, InputValidatorArgs>,
    /// The programs with which contestants try solutions.
    pub testing_tools: TestingTools,
    /// The warnings about it, in the order in which they were found.
    pub warnings: Vec<Finding>,
}

impl LoadedPackage {
    /// The arguments of each input validator of the problem, for each of its test cases.
    #[must_use]
    pub fn input_args(&self) -> Vec<Vec<Vec<String>>> {
        let args_for = |case: &TestCase| {
            let own = self.input_validator_args.get(&case.id);
            let validators = self.problem.input_validators.iter();
            validators
                .map(|program| InputValidatorArgs::command_line(own, &program.name, &case.args))
                .collect()
        };
        self.problem.test_cases.iter().map(args_for).collect()
    }
}

/// Loads a package, with the submissions that the workspace has for it.
///
/// # Errors
/// Everything that breaks the format, or is not supported yet. Checking continues after an error,
/// so that as many as possible are reported together.
pub fn load(directory: &Path, workspace: &Workspace) -> Result<LoadedPackage, PackageErrors> {
    let (loaded, findings) = attempt(directory, workspace);
    finished(directory, loaded, findings)
}

/// Loads a package that replaces another one: its links may lead to the original.
///
/// # Errors
/// Everything that breaks the format, or is not supported yet.
pub fn load_in_place_of(
    package: &Path,
    directory: &Path,
    workspace: &Workspace,
) -> Result<LoadedPackage, PackageErrors> {
    let (loaded, findings) = attempt_in_place_of(Some(package), directory, workspace);
    finished(directory, loaded, findings)
}

fn finished(
    directory: &Path,
    loaded: Option<LoadedPackage>,
    findings: Findings,
) -> Result<LoadedPackage, PackageErrors> {
    let warnings = findings.into_result()?;
    match loaded {
        Some(loaded) => Ok(LoadedPackage { warnings, ..loaded }),
        // Never: without metadata there is an error.
        None => Err(Finding::invalid(&directory.join(MARKER), None, "cannot be read").into()),
    }
}

/// Loads a package whose test data may be missing or wrong, such as before they are generated.
///
/// # Errors
/// Everything that breaks the format outside of `data/`.
pub fn load_despite_data(
    directory: &Path,
    workspace: &Workspace,
) -> Result<LoadedPackage, PackageErrors> {
    let (loaded, mut findings) = attempt(directory, workspace);
    findings.forget(Area::TestData);
    finished(directory, loaded, findings)
}

/// The parts of a package that could be loaded, and all of its faults.
#[derive(Clone, Debug)]
pub struct LoadedInPart {
    /// The package, with defaults for missing or wrong values; `None`, with an error, if not even
    /// the format version is known. Without warnings.
    pub loaded: Option<LoadedPackage>,
    /// The errors that prevent it from being loaded.
    pub errors: Vec<Finding>,
    /// The warnings about it.
    pub warnings: Vec<Finding>,
}

/// Loads as much of a package as can be loaded, regardless of its faults.
#[must_use]
pub fn load_in_part(directory: &Path, workspace: &Workspace) -> LoadedInPart {
    let (loaded, findings) = attempt(directory, workspace);
    let (errors, warnings) = findings.into_parts();
    LoadedInPart {
        loaded,
        errors,
        warnings,
    }
}

/// Loads as much as possible.
fn attempt(directory: &Path, workspace: &Workspace) -> (Option<LoadedPackage>, Findings) {
    attempt_in_place_of(None, directory, workspace)
}

fn attempt_in_place_of(
    package: Option<&Path>,
    directory: &Path,
    workspace: &Workspace,
) -> (Option<LoadedPackage>, Findings) {
    let mut findings = Findings::default();
    let directory = &match normal(directory) {
        Ok(directory) => directory,
        Err(cause) => {
            findings.error(Finding::unreadable(directory, &cause));
            return (None, findings);
        }
    };
    if directory.is_file() && is_archive(directory) {
        return attempt_archive(directory, workspace);
    }
    let marker = directory.join(MARKER);
    // A package with incomplete changes of a running or killed command is not read.
    if let Some(error) = not_a_package(directory, &marker).or_else(|| half_changed(directory)) {
        findings.error(error);
        return (None, findings);
    }
    // Links are checked before anything is read: an error could quote the target of a link.
    let solutions = workspace.solutions_of(directory);
    // Reading the description reports whether it is readable.
    let parts: Vec<&str> = READ.into_iter().filter(|part| *part != MARKER).collect();
    let entries = Entries::below(directory, Some(&parts));
    let entries_of_solutions = solutions
        .as_ref()
        .map(|solutions| Entries::below(solutions, None));
    let mut links_stay = check_package(directory, package, &entries.links, &mut findings);
    if let (Some(solutions), Some(entries)) = (&solutions, &entries_of_solutions) {
        links_stay &= check_solutions(solutions, &entries.links, &mut findings);
    }
    for entries in [Some(&entries), entries_of_solutions.as_ref()]
        .into_iter()
        .flatten()
    {
        entries.report_unreadable(&mut findings);
    }
    findings.enter(Area::Metadata);
    // A link that leaves the package has been reported as an error. Reading further could expose
    // its target in another error.
    let metadata = if links_stay {
        metadata::read(&marker, &mut findings)
    } else {
        None
    };
    let loaded = metadata.map(|metadata| {
        assemble(
            directory,
            workspace,
            metadata,
            entries.data_may_be_large,
            &mut findings,
        )
    });
    // A package from an archive is in a temporary directory. Findings name the archive, which the
    // author knows.
    findings.rename(|file| workspace.unpacked.known_as(file));
    (loaded, findings)
}

/// The reason why a directory is not a package.
fn not_a_package(directory: &Path, marker: &Path) -> Option<Finding> {
    let found = marker.metadata();
    if found.as_ref().is_ok_and(std::fs::Metadata::is_file) {
        return None;
    }
    // Missing permissions look like a missing file. The message must not claim that there is no
    // package.
    let refused = [found.err(), directory.read_dir().err()]
        .into_iter()
        .flatten()
        .find(is_refused);
    if let Some(cause) = refused {
        return Some(Finding::unreadable(directory, &cause));
    }
    let message = format!("expected a problem package, found no `{MARKER}` in it");
    let hint = directory
        .join(MISNAMED)
        .is_file()
        .then(|| format!("rename `{MISNAMED}` to `{MARKER}`"));
    Some(Finding::new(code::NOT_A_PACKAGE, directory, message).hint(hint))
}

fn attempt_archive(archive: &Path, workspace: &Workspace) -> (Option<LoadedPackage>, Findings) {
    match workspace.unpacked.package(archive) {
        Ok(package) => attempt(&package, workspace),
        Err(error) => {
            let mut findings = Findings::default();
            findings.error(match error {
                UnpackError::Unsound(error) => error,
                // Selecting packages reports this error. It occurs here only if the disk has become
                // full since then.
                UnpackError::Unwritable { cause, .. } => {
                    Finding::invalid(archive, None, format!("cannot be unpacked: {cause}"))
                }
            });
            (None, findings)
        }
    }
}

fn assemble(
    directory: &Path,
    workspace: &Workspace,
    mut metadata: Metadata,
    data_may_be_large: bool,
    findings: &mut Findings,
) -> LoadedPackage {
    let name = file_name(directory);
    let (languages, dialect) = (&workspace.languages, metadata.dialect);
    findings.enter(Area::Layout);
    if !names::is_short_name(&name) {
        let message = "invalid name: expected only lower-case letters and digits";
        findings.warn_at(code::PACKAGE_NAME, directory, message);
    }
    findings.enter(Area::Metadata);
    check_languages(&metadata, languages, &directory.join(MARKER), findings);
    // After `problem.yaml`, which has priority over the files of other tools.
    read_other_tools(directory, &mut metadata, findings);
    findings.enter(Area::Programs);
    let reader = ProgramReader {
        package: directory,
        metadata: &metadata,
        languages,
    };
    let output_validator = reader.output_validator(findings);
    let static_validator = reader.static_validator(findings);
    let [input_visualizer, output_visualizer] = reader.visualizers(findings);
    // Test data may name output validators and a grader, so these are read first.
    let programs = Programs {
        output_validators: match &output_validator {
            OutputValidator::Custom(programs) => Some(programs.as_slice()),
            OutputValidator::Default => None,
        },
        has_static_validator: static_validator.is_some(),
        grader: reader.grader(findings),
    };
    findings.enter(Area::TestData);
    let data = test_data::read(directory, &metadata, programs, findings);
    test_data::check_sizes(&data, data_may_be_large, findings);
    let solutions = workspace.solutions_of(directory);
    findings.enter(Area::Programs);
    let input_validators = reader.input_validators(findings);
    let mut problem = Problem {
        shown_from: workspace.root.clone(),
        title: metadata.title.take().unwrap_or_else(|| name.clone()),
        limits: metadata.limits,
        languages: metadata.languages.take(),
        allow_file_writing: metadata.allow_file_writing,
        output_validator,
        interactive: metadata.types.interactive,
        passes: metadata.passes,
        submit_answer: metadata.types.submit_answer,
        static_validator,
        input_visualizer,
        output_visualizer,
        constants: std::mem::take(&mut metadata.constants),
        input_validators,
        test_cases: data.test_cases,
        test_groups: data.groups,
        grading: data.grading,
        ..Problem::new(&name, directory.to_owned(), dialect.format())
    };
    findings.enter(Area::Layout);
    problem.named_files = named_files::read(directory, &problem, findings);
    problem.included = included(
        directory,
        dialect,
        problem.languages.as_deref(),
        languages,
        findings,
    );
    findings.enter(Area::Submissions);
    // Submissions come last: expectations name test cases and groups, and depend on the grading.
    problem.submissions = submissions(&problem, solutions.as_deref(), dialect, languages, findings);
    LoadedPackage {
        testing_tools: testing_tools(
            directory,
            &problem.test_cases,
            data.testing_tool_inputs,
            languages,
        ),
        problem,
        extra_cases: data.extra_cases,
        input_validator_args: data.input_validator_args,
        warnings: Vec::new(),
    }
}

/// Reports unknown languages that a problem allows. They are only warnings, because submissions in
/// the other languages still run.
fn check_languages(
    metadata: &Metadata,
    known: &[Language],
    marker: &Path,
    findings: &mut Findings,
) {
    let is_unknown = |id: &&LanguageId| !format_languages::is_known(&id.0, known);
    for id in metadata.languages.iter().flatten().filter(is_unknown) {
        let position = metadata::position_of_language(marker, id);
        findings.warn(
            Finding::new(
                code::LANGUAGE_UNKNOWN,
                marker,
                format!("unknown language `{id}`"),
            )
            .at_position(position),
        );
    }
}

/// Reads the settings that other tools keep in separate files. `problem.yaml` has priority over
/// them.
fn read_other_tools(directory: &Path, metadata: &mut Metadata, findings: &mut Findings) {
    if !metadata.dialect.is_legacy() {
        return;
    }
    let other = other_tools::read(directory, findings);
    metadata.limits.time_limit = metadata.limits.time_limit.or(other.time_limit);
    metadata.title = metadata.title.take().or(other.name);
    if metadata.output_validator == ValidatorChoice::Own {
        return;
    }
    for (key, program) in other.elsewhere {
        let message =
            format!("`{key}` names the program `{program}`, which the package does not have");
        let hint =
            "problem.yaml sets `validation: default`, so the default output validator is used"
                .to_owned();
        findings.warn(
            Finding::new(
                code::VALIDATOR_ELSEWHERE,
                &directory.join("domjudge-problem.ini"),
                message,
            )
            .hint(Some(hint)),
        );
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
