//! Output validators as the checkers and interactors of online judges.
//!
//! Responsible for which protocol a program speaks, and for the default validator as a program of
//! its own. Must not know how a judge names any of it.

use std::io;
use std::path::Path;

use judge_exec::uses_plain_testlib;
use judge_model::{CompareOptions, OutputValidator, Problem};

use super::programs::{ProgramFile, packed_program};
use super::remark::{RemarkKind, Remarks};

/// A program that judges outputs.
#[derive(Clone, Debug)]
pub(super) struct PackedChecker {
    /// Its files, that which is compiled first.
    pub(super) files: Vec<ProgramFile>,
    /// True when it is written with testlib as its author publishes it, and speaks as that does.
    pub(super) is_testlib: bool,
}

/// The options by which outputs are compared; `None` when a program of the package judges them.
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
        remarks.add(
            RemarkKind::ARGUMENTS,
            "data",
            "has test cases whose outputs are compared by other arguments than others",
        );
    }
    Some(CompareOptions::parse(args, problem.format).unwrap_or_default())
}

/// The default output validator with these options, as a program in C++.
pub(super) fn default_validator(options: &CompareOptions) -> String {
    let tolerance =
        |of: Option<f64>| of.map_or_else(|| "-1".to_owned(), |tolerance| format!("{tolerance:e}"));
    include_str!("default_validator.cpp")
        .replace(
            "@CASE@",
            if options.case_sensitive {
                "true"
            } else {
                "false"
            },
        )
        .replace(
            "@SPACE@",
            if options.space_change_sensitive {
                "true"
            } else {
                "false"
            },
        )
        .replace("@ABSOLUTE@", &tolerance(options.float_absolute))
        .replace("@RELATIVE@", &tolerance(options.float_relative))
}

/// The package's own output validator; `None`, with a remark, when no other judge could run it.
pub(super) fn own_checker(
    problem: &Problem,
    remarks: &mut Remarks,
) -> io::Result<Option<PackedChecker>> {
    const ABOUT: &str = "output_validator";
    let OutputValidator::Custom(programs) = &problem.output_validator else {
        return Ok(None);
    };
    let [program] = &programs[..] else {
        remarks.add(
            RemarkKind::OUTPUT_CHECK,
            ABOUT,
            format!("has {} programs; expected one", programs.len()),
        );
        return Ok(None);
    };
    if program.scripts.is_some() {
        remarks.add(
            RemarkKind::OUTPUT_CHECK,
            ABOUT,
            "has scripts of its own to build and run it, which only packages have",
        );
        return Ok(None);
    }
    let packed = packed_program(program, problem)?;
    if packed.has_library {
        remarks.add(RemarkKind::LIBRARY, ABOUT, "contains judge's Rust library");
    }
    let mut files = packed.files;
    if files.iter().any(|file| file.name.contains('/')) {
        remarks.add(
            RemarkKind::OUTPUT_CHECK,
            ABOUT,
            "has files in directories; expected all of them beside one another",
        );
        return Ok(None);
    }
    let main = program
        .sources
        .first()
        .map(|main| main.to_string_lossy().into_owned())
        .unwrap_or_default();
    files.sort_by_key(|file| (file.name != main, file.name.clone()));
    let is_testlib = uses_plain_testlib(
        files
            .iter()
            .map(|file| (Path::new(&file.name), file.bytes.as_slice())),
    );
    if problem
        .test_cases
        .iter()
        .any(|case| !case.output_validator_args.all.is_empty())
    {
        remarks.add(
            RemarkKind::ARGUMENTS,
            ABOUT,
            "is given arguments, which checkers there are not",
        );
    }
    Ok(Some(PackedChecker { files, is_testlib }))
}
