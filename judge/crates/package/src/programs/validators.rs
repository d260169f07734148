//! The package's own programs that check data: input validators, output validators, graders, the
//! static validator.
//!
//! Responsible for finding them in each format's layout. Must not know how they are run.

use std::path::Path;

use judge_model::{CHECKTESTDATA, Language, LanguageId, OutputValidator, Program};

use crate::code;
use crate::disk::names;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings, PackageErrors};
use crate::metadata::{Dialect, Metadata, ValidatorChoice};
use crate::programs::{
    RecognitionFailure, file_name, has_scripts, is_executable, language_of, program_at,
    recognise_program, recognise_program_folder, unrecognised_error,
};

/// Reads the programs of a package.
#[derive(Clone, Copy)]
pub(crate) struct ProgramReader<'a> {
    pub(crate) package: &'a Path,
    pub(crate) metadata: &'a Metadata,
    pub(crate) languages: &'a [Language],
}

impl ProgramReader<'_> {
    /// The input validators, in order of name. An unusable one is a warning: submissions are judged
    /// without them.
    ///
    /// Source: 2025-09 and legacy, "Input Validators".
    pub(crate) fn input_validators(self, findings: &mut Findings) -> Vec<Program> {
        let mut folder = Folder::read_flat(&self.package.join("input_validators"), findings);
        if self.metadata.dialect.is_legacy() && folder.is_none() {
            folder = Folder::read_flat(&self.package.join("input_format_validators"), findings);
            if let Some(folder) = &folder {
                let message = "`input_format_validators` is an old name for `input_validators`";
                findings.warn_at(code::VALIDATOR_DIRECTORY_OLD, &folder.path, message);
            }
        }
        let Some(folder) = folder else {
            let message = "no input validators: nothing checks the test data";
            let directory = self.package.join("input_validators");
            findings.warn_at(code::NO_INPUT_VALIDATOR, &directory, message);
            return Vec::new();
        };
        // Files and directories come from two maps, so the programs are sorted together below.
        let mut programs: Vec<Program> = findings.as_warnings(|findings| {
            folder
                .paths()
                .filter_map(|path| self.input_validator(path, findings))
                .collect()
        });
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        programs
    }

    fn input_validator(self, path: &Path, findings: &mut Findings) -> Option<Program> {
        let name = file_name(path);
        match names::extension(&name) {
            Some("ctd") if path.is_file() => return Some(checktestdata(name, path)),
            Some("viva") => {
                let message = "this input validator is not run: no VIVA interpreter is available";
                findings.warn_at(code::VIVA_NOT_RUN, path, message);
                return None;
            }
            // The legacy format defines no shell language. Source: problemtools, run/__init__.py:
            // such a file is not a program of any language.
            Some("sh" | "bash")
                if self.metadata.dialect.is_legacy() && path.is_file() && !is_executable(path) =>
            {
                let message = "ignored: a script must be executable to be an input validator";
                findings.warn_at(code::INPUT_VALIDATOR_UNRECOGNISED, path, message);
                return None;
            }
            // Headers are shared by the validators that include them.
            _ if names::is_header(&name) => return None,
            _ => {}
        }
        match recognise_program(path, self.languages, findings) {
            Ok(program) => Some(program),
            Err(reason) => {
                let message = format!("this input validator cannot be run: {}", reason.message());
                findings.warn_at(code::INPUT_VALIDATOR_UNRECOGNISED, path, message);
                None
            }
        }
    }

    /// The output validator.
    pub(crate) fn output_validator(self, findings: &mut Findings) -> OutputValidator {
        let current = self.package.join("output_validator");
        let programs = if !self.metadata.dialect.is_legacy() {
            self.current_output_validators(findings)
        } else if self.metadata.output_validator == ValidatorChoice::Own
            && current.is_dir()
            && !self.package.join("output_validators").exists()
        {
            let message =
                "`output_validator` is its name in format 2025-09; read as `output_validators`";
            findings.warn_at(code::ENTRY_UNKNOWN, &current, message);
            self.one_program(&current, "output validator", findings)
                .into_iter()
                .collect()
        } else {
            self.legacy_output_validators(findings)
        };
        if programs.is_empty() {
            OutputValidator::Default
        } else {
            OutputValidator::Custom(programs)
        }
    }

    /// Source: 2025-09, "Output Validator"; interactive and multi-pass problems need one.
    fn current_output_validators(self, findings: &mut Findings) -> Vec<Program> {
        const WHAT: &str = "output validator";
        let directory = self.package.join("output_validator");
        let plural = self.package.join("output_validators");
        let types = self.metadata.types;
        let program = if !directory.exists() && plural.is_dir() {
            if self.metadata.dialect != Dialect::Draft {
                let message =
                    "`output_validators` is its name in format legacy; read as `output_validator`";
                findings.warn_at(code::ENTRY_UNKNOWN, &plural, message);
            }
            self.one_program(&plural, WHAT, findings)
        } else {
            let errors = findings.error_count();
            let program = self.one_program(&directory, WHAT, findings);
            // An unusable validator was reported already, and must not be reported as missing as
            // well.
            if program.is_none()
                && errors == findings.error_count()
                && (types.interactive || types.multi_pass)
            {
                let kind = if types.interactive {
                    "interactive"
                } else {
                    "multi-pass"
                };
                let message =
                    format!("expected an output validator, which {kind} problems need, found none");
                let hint = format!(
                    "put the program that acts as the judge into `{}/`",
                    file_name(&directory)
                );
                let error = Finding::new(code::OUTPUT_VALIDATOR_MISSING, &directory, message);
                findings.error(error.hint(Some(hint)));
            }
            program
        };
        program.into_iter().collect()
    }

    /// The static validator, if there is one (2025-09, "Static Validator").
    pub(crate) fn static_validator(self, findings: &mut Findings) -> Option<Program> {
        let directory = self.package.join("static_validator");
        if self.metadata.dialect.is_legacy() {
            return None;
        }
        let program = self.one_program(&directory, "static validator", findings)?;
        if self.metadata.types.submit_answer {
            let message = "problems of type `submit-answer` have no static validator";
            findings.error_at(code::STATIC_VALIDATOR_IDLE, &directory, message);
        }
        Some(program)
    }

    /// The visualizers of inputs and of outputs. A missing visualizer is not an error: then there
    /// are no pictures.
    ///
    /// Source: 2025-09, "Input visualizer" and "Output visualizer". Packages have them in every
    /// format, and under older names of tools too.
    pub(crate) fn visualizers(self, findings: &mut Findings) -> [Option<Program>; 2] {
        const NAMES: [(&str, &[&str]); 2] = [
            (
                "input visualizer",
                &["input_visualizer", "input_visualizers", "visualizers"],
            ),
            (
                "output visualizer",
                &["output_visualizer", "output_visualizers"],
            ),
        ];
        NAMES.map(|(what, names)| {
            let directory = names
                .iter()
                .map(|name| self.package.join(name))
                .find(|directory| directory.is_dir())?;
            findings.as_warnings(|findings| self.one_program(&directory, what, findings))
        })
    }

    /// Reads a directory for one program, as in 2025-09. The specification can be read in two ways:
    /// the directory is the program, or it contains the program. Packages use both, and both are
    /// accepted: sources or scripts directly in it make it the program.
    fn one_program(self, directory: &Path, what: &str, findings: &mut Findings) -> Option<Program> {
        let folder = Folder::read(directory, findings)?;
        if folder.is_empty() {
            let message = format!("an empty directory, without any {what}");
            findings.warn_at(code::PROGRAM_DIRECTORY_EMPTY, &folder.path, message);
            return None;
        }
        let is_source = |name: &String| language_of(name, self.languages).is_some();
        let is_program = has_scripts(&folder) || folder.files.keys().any(is_source);
        let program = match (is_program, folder.folders.values().next()) {
            (true, _) => &folder,
            (false, Some(inner)) if folder.folders.len() == 1 => inner,
            (false, Some(_)) => {
                let message = format!(
                    "expected one {what}, found {} directories",
                    folder.folders.len()
                );
                findings.error_at(code::SEVERAL_PROGRAMS, &folder.path, message);
                return None;
            }
            (false, None) => &folder,
        };
        match recognise_program_folder(program, self.languages, findings) {
            Ok(program) => Some(program),
            Err(reason) => findings.fail(unrecognised_error(&program.path, what, &reason)),
        }
    }

    /// Source: legacy, "Output Validators": every file or directory in it is one, and all of them
    /// must accept.
    fn legacy_output_validators(self, findings: &mut Findings) -> Vec<Program> {
        let directory = self.package.join("output_validators");
        if self.metadata.output_validator != ValidatorChoice::Own {
            if Folder::read_flat(&directory, findings).is_some_and(|folder| !folder.is_empty()) {
                let message = "not used: problem.yaml does not set `validation: custom`";
                findings.warn_at(code::OUTPUT_VALIDATOR_UNUSED, &directory, message);
            }
            return Vec::new();
        }
        let errors = findings.error_count();
        let programs = self.programs_in(&directory, "output validator", findings);
        if programs.is_empty() && errors == findings.error_count() {
            let message =
                "problem.yaml sets `validation: custom`, but the package has no output validator";
            let hint = "put it into `output_validators/`, or set `validation: default`".to_owned();
            let error = Finding::new(code::OUTPUT_VALIDATOR_MISSING, &directory, message);
            findings.error(error.hint(Some(hint)));
        }
        programs
    }

    /// The grader (legacy, "Graders"): at most one. The groups decide whether it is used.
    pub(crate) fn grader(self, findings: &mut Findings) -> Option<Program> {
        let directory = self.package.join("graders");
        if !self.metadata.dialect.is_legacy() {
            return None;
        }
        let mut programs = self.programs_in(&directory, "grader", findings);
        if programs.len() > 1 {
            let names: Vec<String> = programs
                .iter()
                .map(|program| format!("`{}`", program.name))
                .collect();
            let message = format!("expected one grader, found {}", names.join(" and "));
            findings.error_at(code::SEVERAL_PROGRAMS, &directory, message);
        }
        programs.pop()
    }

    /// All programs in a directory, in order of name. Files in no known language, such as headers,
    /// are ignored.
    fn programs_in(self, directory: &Path, what: &str, findings: &mut Findings) -> Vec<Program> {
        let Some(folder) = Folder::read_flat(directory, findings) else {
            return Vec::new();
        };
        let mut programs = Vec::new();
        for path in folder.paths() {
            match recognise_program(path, self.languages, findings) {
                Ok(program) => programs.push(program),
                // Headers and notes are placed next to their programs.
                Err(RecognitionFailure::NoSource) if path.is_file() => {}
                Err(reason) => findings.error(unrecognised_error(path, what, &reason)),
            }
        }
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        programs
    }
}

/// Reads a file or directory outside of packages as an input validator.
///
/// # Errors
/// The faults, if it is not a program.
pub fn input_validator_at(path: &Path, languages: &[Language]) -> Result<Program, PackageErrors> {
    match path.extension() {
        Some(extension) if extension == "ctd" && path.is_file() => {
            Ok(checktestdata(file_name(path), path))
        }
        _ => program_at(path, languages),
    }
}

/// Source: 2025-09 and legacy, "Input Validators"; the language is that of the tool
/// `checktestdata`.
fn checktestdata(name: String, path: &Path) -> Program {
    Program {
        sources: vec![name.clone().into()],
        name,
        path: path.to_owned(),
        language: LanguageId(CHECKTESTDATA.to_owned()),
        entry_class: None,
        scripts: None,
    }
}
