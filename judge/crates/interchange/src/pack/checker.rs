//! Converts output validators to checkers and interactors of online judges.
//!
//! Responsible for the protocol of a program, and for the default validator as a separate program.
//! Must not know how a judge names programs.

use std::io;

use judge_event::Part;
use judge_model::{CompareOptions, OutputValidator, Problem};

use super::programs::{ProgramFile, is_plain_testlib, main_file, packed_program};
use crate::remarks::Remarks;

/// A program that judges outputs.
#[derive(Clone, Debug)]
pub(super) struct PackedChecker {
    /// Its files, starting with the main one.
    pub(super) files: Vec<ProgramFile>,
    /// True if it uses the original testlib and its protocol.
    pub(super) is_testlib: bool,
}

/// Returns the options for comparing outputs, or `None` if a program of the package judges them.
pub(super) fn options(problem: &Problem, remarks: &mut Remarks) -> Option<CompareOptions> {
    let OutputValidator::Default = problem.output_validator else {
        return None;
    };
    let mut sets: Vec<&[String]> = problem
        .test_cases
        .iter()
        .map(|case| case.output_validator_args.all.as_slice())
        .collect();
    sets.dedup();
    let args = sets.first().copied().unwrap_or_default();
    if sets.len() > 1 {
        remarks.refused(
            Part::Checker,
            "data",
            "has test cases with different arguments for comparing outputs",
        );
    }
    Some(CompareOptions::parse(args, problem.format).unwrap_or_default())
}

/// Returns the default output validator with these options as a C++ program.
pub(super) fn default_validator(options: &CompareOptions) -> String {
    let tolerance = |value: Option<f64>| {
        value.map_or_else(|| "-1".to_owned(), |tolerance| format!("{tolerance:e}"))
    };
    include_str!("default_validator.cpp")
        .replace("@CASE@", &options.case_sensitive.to_string())
        .replace("@SPACE@", &options.space_change_sensitive.to_string())
        .replace("@ABSOLUTE@", &tolerance(options.float_absolute))
        .replace("@RELATIVE@", &tolerance(options.float_relative))
}

/// True if the output validator gets arguments on some test case.
pub(super) fn has_arguments(problem: &Problem) -> bool {
    let mut cases = problem.test_cases.iter();
    cases.any(|case| !case.output_validator_args.all.is_empty())
}

/// Returns the package's output validator, or `None` with a remark if no other judge could run it.
pub(super) fn own_checker(
    problem: &Problem,
    remarks: &mut Remarks,
) -> io::Result<Option<PackedChecker>> {
    const ABOUT: &str = "output_validator";
    let OutputValidator::Custom(programs) = &problem.output_validator else {
        return Ok(None);
    };
    let [program] = &programs[..] else {
        remarks.refused(
            Part::Checker,
            ABOUT,
            format!("has {} programs; expected one", programs.len()),
        );
        return Ok(None);
    };
    if program.scripts.is_some() {
        remarks.refused(
            Part::Checker,
            ABOUT,
            "has its own scripts `build` or `run`, which only packages support",
        );
        return Ok(None);
    }
    let packed = packed_program(program, problem)?;
    packed.report_library(ABOUT, remarks);
    let mut files = packed.files;
    if files.iter().any(|file| file.name.contains('/')) {
        remarks.refused(
            Part::Checker,
            ABOUT,
            "has files in subdirectories; expected all files in one directory",
        );
        return Ok(None);
    }
    let main = main_file(program).unwrap_or_default();
    files.sort_by_key(|file| (file.name != main, file.name.clone()));
    let is_testlib = is_plain_testlib(&files);
    if has_arguments(problem) {
        remarks.refused(
            Part::Checker,
            ABOUT,
            "gets arguments, which checkers of the other judge do not support",
        );
    }
    Ok(Some(PackedChecker { files, is_testlib }))
}
