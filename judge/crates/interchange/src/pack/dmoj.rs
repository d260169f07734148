//! Archives for DMOJ: `init.yml` and the test data of a problem.
//!
//! Responsible for the keys of `init.yml`. Must not know how test cases are assigned to subtasks.
//!
//! Source: DMOJ/docs, "Problem format"; DMOJ/judge-server, dmoj/checkers and dmoj/contrib.

use std::io;

use judge_event::Part;
use judge_model::{Aggregation, CompareOptions, Problem};
use judge_package::yaml::to_text;
use serde::Serialize;

use super::archive::Archive;
use super::checker::{PackedChecker, options, own_checker};
use super::subtasks::{PackedSubtask, put_subtasks, report_uneven, shared};
use super::{PackTarget, Package};
use crate::remarks::Remarks;

/// The points of a problem without scores in DMOJ.
const WHOLE: u64 = 1;

#[derive(Serialize)]
struct InitYml {
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<CheckerYml>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interactive: Option<ProgramYml>,
    test_cases: Vec<CaseYml>,
}

#[derive(Serialize)]
struct CheckerYml {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<ArgsYml>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ArgsYml {
    Floats {
        precision: u32,
        error_mode: &'static str,
    },
    Program(ProgramYml),
}

#[derive(Serialize)]
struct ProgramYml {
    files: Vec<String>,
    lang: &'static str,
    #[serde(rename = "type")]
    protocol: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CaseYml {
    Single {
        #[serde(flatten)]
        files: FilesYml,
        points: u64,
    },
    Batch {
        points: u64,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        dependencies: Vec<usize>,
        batched: Vec<FilesYml>,
    },
}

#[derive(Serialize)]
struct FilesYml {
    r#in: String,
    out: String,
}

pub(super) const TARGET: PackTarget = PackTarget::new("dmoj", "`init.yml` and test data", assemble);

/// Assembles the archive.
fn assemble(package: &Package<'_>, remarks: &mut Remarks) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    let subtasks = put_subtasks(problem, "", WHOLE, &mut archive, remarks);
    report_uneven(&subtasks, remarks);
    if problem.submit_answer || problem.passes > 1 {
        remarks.refused(
            Part::Metadata,
            "problem.yaml",
            "is of a type that DMOJ does not support",
        );
    }
    let mut init = InitYml {
        checker: None,
        interactive: None,
        test_cases: cases(&subtasks, remarks),
    };
    if problem.grading.scores() {
        report_zero_points(&init.test_cases, remarks);
    }
    let is_min = |subtask: &PackedSubtask| subtask.aggregation == Aggregation::Min;
    if subtasks.iter().any(is_min) {
        let text = "has groups that take the minimum of their test cases: batches in DMOJ are all or nothing";
        remarks.changed(Part::Groups, "data", text);
    }
    if let Some(options) = options(problem, remarks) {
        init.checker = compared(&options, remarks);
    } else if let Some(checker) = own_checker(problem, remarks)? {
        put_checker(problem, checker, &mut init, &mut archive, remarks);
    }
    archive.put("init.yml", to_text(&init));
    let time = problem.limits.time_limit.map_or_else(
        || "none".to_owned(),
        |limit| format!("{} s", limit.as_secs_f64()),
    );
    let memory = problem.limits.memory_bytes.div_ceil(1 << 10);
    remarks.lost(
        Part::Limits,
        "",
        format!("limits are in DMOJ's database: time {time}, memory {memory} KiB"),
    );
    remarks.lost(
        Part::Files,
        "",
        "statement, submissions and input validators are not part of DMOJ's format",
    );
    Ok(archive)
}

/// Converts subtasks to batches, or to single test cases if their points are added up.
fn cases(subtasks: &[PackedSubtask], remarks: &mut Remarks) -> Vec<CaseYml> {
    let mut entries: Vec<CaseYml> = Vec::new();
    // The batch number of each group. Dependencies are numbers of batches, from 1
    // (`_resolve_testcases` in dmoj/problem.py). Groups that add up points become single test
    // cases, on which no batch can depend.
    let mut batch_numbers: Vec<Option<usize>> = Vec::new();
    let (mut batches, mut lost) = (0, false);
    for subtask in subtasks {
        let files = |name: &String| FilesYml {
            r#in: format!("{name}.in"),
            out: format!("{name}.out"),
        };
        if subtask.aggregation == Aggregation::Sum {
            let points = shared(subtask.points, subtask.cases.len());
            for (name, points) in subtask.cases.iter().zip(points) {
                let files = files(name);
                entries.push(CaseYml::Single { files, points });
            }
        } else {
            let number = |required: &usize| batch_numbers.get(*required).copied().flatten();
            let numbers: Vec<Option<usize>> = subtask.requires.iter().map(number).collect();
            lost |= numbers.contains(&None);
            entries.push(CaseYml::Batch {
                points: subtask.points,
                dependencies: numbers.into_iter().flatten().collect(),
                batched: subtask.cases.iter().map(files).collect(),
            });
            batches += 1;
        }
        batch_numbers.push((subtask.aggregation != Aggregation::Sum).then_some(batches));
    }
    if lost {
        let text = "has groups that require a group whose test cases are added up: in DMOJ, only batches can be required";
        remarks.changed(Part::Groups, "data", text);
    }
    entries
}

/// Reports groups of 0 points: dmoj/judge.py skips everything after a failed test case of 0 points.
fn report_zero_points(entries: &[CaseYml], remarks: &mut Remarks) {
    let is_worthless = |entry: &CaseYml| {
        matches!(
            entry,
            CaseYml::Single { points: 0, .. } | CaseYml::Batch { points: 0, .. }
        )
    };
    if entries
        .split_last()
        .is_some_and(|(_, before)| before.iter().any(is_worthless))
    {
        let text =
            "has groups of 0 points, such as the samples: DMOJ skips everything after a failed one";
        remarks.changed(Part::Groups, "data", text);
    }
}

/// Returns the checker that is closest to these options, with a remark if it differs. `None` means
/// the checker `standard`.
fn compared(options: &CompareOptions, remarks: &mut Remarks) -> Option<CheckerYml> {
    const ABOUT: &str = "output_validator";
    let exponent = |tolerance: f64| {
        (0..=18_u32)
            .find(|digits| tolerance.to_string() == 10f64.powi(-(digits.cast_signed())).to_string())
    };
    let (tolerance, error_mode) = match (options.float_absolute, options.float_relative) {
        (None, None) if options.space_change_sensitive => {
            if !options.case_sensitive {
                let text = "is compared byte by byte and case-sensitively: DMOJ's `identical`";
                remarks.changed(Part::Checker, ABOUT, text);
            }
            return Some(CheckerYml {
                name: "identical",
                args: None,
            });
        }
        (None, None) => {
            let text = "is compared line by line and case-sensitively: DMOJ's `standard`";
            remarks.changed(Part::Checker, ABOUT, text);
            return None;
        }
        (Some(absolute), None) => (absolute, "absolute"),
        (None, Some(relative)) => (relative, "relative"),
        (Some(absolute), Some(relative)) if absolute.to_bits() == relative.to_bits() => {
            (absolute, "default")
        }
        _ => {
            remarks.refused(
                Part::Checker,
                ABOUT,
                "has two tolerances; DMOJ's `floats` supports one",
            );
            return None;
        }
    };
    let Some(precision) = exponent(tolerance) else {
        let text =
            format!("has the tolerance {tolerance}; DMOJ's `floats` supports only powers of ten");
        remarks.refused(Part::Checker, ABOUT, text);
        return None;
    };
    Some(CheckerYml {
        name: "floats",
        args: Some(ArgsYml::Floats {
            precision,
            error_mode,
        }),
    })
}

fn put_checker(
    problem: &Problem,
    checker: PackedChecker,
    init: &mut InitYml,
    archive: &mut Archive,
    remarks: &mut Remarks,
) {
    const ABOUT: &str = "output_validator";
    let files: Vec<String> = checker.files.iter().map(|file| file.name.clone()).collect();
    let language = files
        .first()
        .and_then(|main| match main.rsplit_once('.')?.1 {
            "cpp" | "cc" | "cxx" => Some("CPP20"),
            "c" => Some("C11"),
            _ => None,
        });
    let Some(lang) = language.filter(|_| checker.is_testlib) else {
        let text = "uses the protocol of packages; DMOJ supports only checkers and interactors in C and C++ with testlib";
        remarks.refused(Part::Checker, ABOUT, text);
        return;
    };
    let program = ProgramYml {
        files,
        lang,
        protocol: "testlib",
    };
    if problem.interactive {
        init.interactive = Some(program);
    } else {
        init.checker = Some(CheckerYml {
            name: "bridged",
            args: Some(ArgsYml::Program(program)),
        });
    }
    for file in checker.files {
        archive.put_program(file.name, file.bytes, file.executable);
    }
}
