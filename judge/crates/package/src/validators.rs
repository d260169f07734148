//! The package's own programs that look at data: input validators and output validators.
//!
//! Responsible for finding them in each format's layout. Must not know how they are run.

use std::path::Path;

use judge_model::{Language, OutputValidator, Program};

use crate::error::{Findings, PackageError};
use crate::metadata::{Dialect, WantedValidator};
use crate::names;
use crate::programs::{Unrecognised, file_name, language_of, recognise, recognise_folder, unrecognised_error};
use crate::tree::Folder;

/// The input validators, in order of name. One that cannot be used is a warning: submissions are judged without them.
///
/// Source: 2025-09 and legacy, "Input Validators".
pub(crate) fn input_validators(
    package: &Path,
    dialect: Dialect,
    languages: &[Language],
    findings: &mut Findings,
) -> Vec<Program> {
    let mut folder = Folder::read_flat(&package.join("input_validators"), findings);
    if dialect.is_legacy() && folder.is_none() {
        folder = Folder::read_flat(&package.join("input_format_validators"), findings);
        if let Some(folder) = &folder {
            findings.warn(&folder.path, None, "`input_format_validators` is an old name for `input_validators`");
        }
    }
    let Some(folder) = folder else {
        findings.warn(&package.join("input_validators"), None, "no input validators: nothing checks the test data");
        return Vec::new();
    };
    let entries = folder.files.values().chain(folder.folders.values().map(|folder| &folder.path));
    let mut programs: Vec<Program> = entries.filter_map(|path| input_validator(path, languages, findings)).collect();
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

fn input_validator(path: &Path, languages: &[Language], findings: &mut Findings) -> Option<Program> {
    let name = file_name(path);
    let not_run = match names::extension(&name) {
        Some("ctd") => Some("checktestdata programs are not supported yet"),
        Some("viva") => Some("VIVA programs are not supported yet"),
        // Shared by the validators that include them.
        Some("h" | "hpp" | "hh") => return None,
        _ if has_scripts(path) => Some("`build` and `run` scripts are not supported yet"),
        _ => None,
    };
    if let Some(reason) = not_run {
        findings.warn(path, None, format!("this input validator is not run: {reason}"));
        return None;
    }
    match recognise(path, languages, findings) {
        Ok(program) => Some(program.into_program(path)),
        Err(reason) => {
            findings.warn(path, None, format!("this is no input validator that can be run: {}", reason.message()));
            None
        }
    }
}

/// The output validator.
pub(crate) fn output_validator(
    package: &Path,
    dialect: Dialect,
    wanted: WantedValidator,
    languages: &[Language],
    findings: &mut Findings,
) -> OutputValidator {
    let current = package.join("output_validator");
    let program = if !dialect.is_legacy() {
        current_output_validator(package, dialect, languages, findings)
    } else if wanted == WantedValidator::Own && current.is_dir() && !package.join("output_validators").exists() {
        findings.warn(
            &current,
            None,
            "`output_validator` is its name in format 2025-09; taken for `output_validators`",
        );
        current_output_validator(package, dialect, languages, findings)
    } else {
        legacy_output_validator(package, wanted, languages, findings)
    };
    program.map_or(OutputValidator::Default, |program| OutputValidator::Custom(vec![program]))
}

/// Source: 2025-09, "Output Validator", which can be read in two ways: the directory is the program, or it holds the
/// program. Both are in use, and both are taken: sources or scripts directly in it make it the program.
fn current_output_validator(
    package: &Path,
    dialect: Dialect,
    languages: &[Language],
    findings: &mut Findings,
) -> Option<Program> {
    let mut folder = Folder::read(&package.join("output_validator"), findings);
    if folder.is_none() && dialect == Dialect::Draft {
        folder = Folder::read(&package.join("output_validators"), findings);
    }
    let folder = folder?;
    if folder.is_empty() {
        findings.warn(&folder.path, None, "an empty directory: the default output validator is used");
        return None;
    }
    let is_source = |name: &String| language_of(name, languages).is_some();
    let is_program = has_scripts(&folder.path) || folder.files.keys().any(is_source);
    let program = match (is_program, folder.folders.values().next()) {
        (true, _) => &folder,
        (false, Some(inner)) if folder.folders.len() == 1 => inner,
        (false, Some(_)) => {
            let message = format!("expected one output validator, found {} directories", folder.folders.len());
            findings.error(PackageError::invalid(&folder.path, None, message));
            return None;
        }
        (false, None) => &folder,
    };
    if refuse_scripts(&program.path, findings) {
        return None;
    }
    match recognise_folder(program, languages) {
        Ok(recognised) => Some(recognised.into_program(&program.path)),
        Err(reason) => {
            findings.error(unrecognised_error(&program.path, "output validator", &reason));
            None
        }
    }
}

/// Source: legacy, "Output Validators": every file or directory in it is one, and all of them must accept.
fn legacy_output_validator(
    package: &Path,
    wanted: WantedValidator,
    languages: &[Language],
    findings: &mut Findings,
) -> Option<Program> {
    let folder = Folder::read_flat(&package.join("output_validators"), findings).unwrap_or_default();
    if wanted != WantedValidator::Own {
        if !folder.is_empty() {
            let message = "not used: problem.yaml does not say `validation: custom`";
            findings.warn(&folder.path, None, message);
        }
        return None;
    }
    let mut programs = Vec::new();
    for path in folder.files.values().chain(folder.folders.values().map(|folder| &folder.path)) {
        if refuse_scripts(path, findings) {
            return None;
        }
        match recognise(path, languages, findings) {
            Ok(recognised) => programs.push(recognised.into_program(path)),
            // Headers and the like lie beside the program.
            Err(Unrecognised::NoSource) if path.is_file() => {}
            Err(reason) => {
                findings.error(unrecognised_error(path, "output validator", &reason));
                return None;
            }
        }
    }
    if programs.len() > 1 {
        findings.error(PackageError::unsupported(&folder.path, None, "several output validators"));
    } else if programs.is_empty() {
        let message = "problem.yaml says `validation: custom`, but there is no output validator";
        findings.error(PackageError::invalid(&package.join("output_validators"), None, message));
    }
    programs.pop()
}

/// Whether a directory is a program by its scripts.
fn has_scripts(path: &Path) -> bool {
    ["build", "run"].iter().any(|script| path.join(script).is_file())
}

fn refuse_scripts(path: &Path, findings: &mut Findings) -> bool {
    let found = has_scripts(path);
    if found {
        findings.error(PackageError::unsupported(path, None, "programs with `build` and `run` scripts"));
    }
    found
}
