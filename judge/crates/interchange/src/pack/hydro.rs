//! Archives for Hydro.
//!
//! Responsible for their files and keys. Must not know how test cases are assigned to subtasks.
//!
//! Source: hydro-dev/Hydro, packages/common/types.ts and packages/hydrojudge/src/checkers.ts.

use std::io;

use judge_event::Part;
use judge_model::{Aggregation, Problem};
use judge_package::StatementKind;
use judge_package::yaml::to_text;
use serde::Serialize;

use super::archive::Archive;
use super::checker::{default_validator, options, own_checker};
use super::programs::put_files;
use super::statement::file_name_of;
use super::subtasks::{PackedSubtask, put_subtasks, report_uneven, shared};
use super::{PackTarget, Package, samples_of};
use crate::remarks::Remarks;

const MIB: u64 = 1 << 20;
/// The points of a problem without scores in Hydro.
const WHOLE: u64 = 100;

#[derive(Serialize)]
struct HydroProblem<'a> {
    pid: String,
    title: &'a str,
}

#[derive(Serialize)]
struct Config {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    memory: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interactor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    judge_extra_files: Vec<String>,
    subtasks: Vec<ConfigSubtask>,
}

#[derive(Serialize)]
struct ConfigSubtask {
    id: usize,
    score: u64,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "if", skip_serializing_if = "Vec::is_empty")]
    requires: Vec<usize>,
    cases: Vec<ConfigCase>,
}

#[derive(Serialize)]
struct ConfigCase {
    input: String,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u64>,
}

pub(super) const TARGET: PackTarget = PackTarget {
    has_directory: true,
    ..PackTarget::new("hydro", "Hydro's own format", assemble)
};

/// Assembles the archive.
fn assemble(package: &Package<'_>, remarks: &mut Remarks) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    let pid = problem.name.clone();
    if !pid.starts_with(|c: char| c.is_ascii_lowercase()) {
        remarks.lost(
            Part::Metadata,
            "problem.yaml",
            format!("is called `{pid}`; Hydro requires a letter at the beginning"),
        );
    }
    archive.put(
        "problem.yaml",
        to_text(&HydroProblem {
            pid,
            title: &problem.title,
        }),
    );
    let subtasks = put_subtasks(problem, "testdata/", WHOLE, &mut archive, remarks);
    let subtasks = without_zero_points(subtasks, remarks);
    report_uneven(&subtasks, remarks);
    if !problem.grading.scores() {
        remarks.changed(
            Part::Groups,
            "data",
            format!(
                "becomes one subtask of {WHOLE} points, all or nothing: Hydro always has points"
            ),
        );
    }
    let mut config = Config {
        kind: "default",
        time: problem
            .limits
            .time_limit
            .map(|limit| format!("{}ms", limit.as_millis())),
        memory: format!("{}m", problem.limits.memory_bytes.div_ceil(MIB)),
        checker_type: None,
        checker: None,
        interactor: None,
        judge_extra_files: Vec::new(),
        subtasks: subtasks.iter().enumerate().map(config_subtask).collect(),
    };
    if config.time.is_none() {
        remarks.refused(
            Part::Limits,
            "problem.yaml",
            "has no `limits.time_limit`, which Hydro requires",
        );
    }
    put_checker(problem, &mut config, &mut archive, remarks)?;
    archive.put("testdata/config.yaml", to_text(&config));
    put_statements(package, &mut archive, remarks)?;
    put_solutions(problem, &mut archive)?;
    remarks.lost(
        Part::Files,
        "input_validators",
        "is left out, like all submissions that are not accepted: Hydro does not read them",
    );
    Ok(archive)
}

/// Drops subtasks of 0 points if Hydro would give them the rest of [`WHOLE`], since it treats 0 as
/// unstated.
fn without_zero_points(subtasks: Vec<PackedSubtask>, remarks: &mut Remarks) -> Vec<PackedSubtask> {
    let is_worthless = |subtask: &PackedSubtask| subtask.points == 0;
    if subtasks.iter().map(|subtask| subtask.points).sum::<u64>() >= WHOLE
        || !subtasks.iter().any(is_worthless)
    {
        return subtasks;
    }
    // A subtask that another one requires cannot be dropped.
    let is_required = |index: usize| {
        subtasks
            .iter()
            .any(|subtask| subtask.requires.contains(&index))
    };
    if (0..subtasks.len()).any(|index| is_worthless(&subtasks[index]) && is_required(index)) {
        let text = format!(
            "has a required group of 0 points, and fewer than {WHOLE} points in total: Hydro would assign the remaining points to that group"
        );
        remarks.refused(Part::Groups, "data", text);
        return subtasks;
    }
    let text = format!(
        "has test cases of 0 points, which are left out: Hydro would give them the rest of {WHOLE} points"
    );
    remarks.changed(Part::Groups, "data", text);
    let kept: Vec<usize> = (0..subtasks.len())
        .filter(|index| !is_worthless(&subtasks[*index]))
        .collect();
    let place = |required: &usize| kept.iter().position(|index| index == required);
    let kept_subtask = |index: &usize| {
        let subtask = subtasks[*index].clone();
        PackedSubtask {
            requires: subtask.requires.iter().filter_map(place).collect(),
            ..subtask
        }
    };
    kept.iter().map(kept_subtask).collect()
}

fn config_subtask((index, subtask): (usize, &PackedSubtask)) -> ConfigSubtask {
    let is_sum = subtask.aggregation == Aggregation::Sum;
    let points = is_sum.then(|| shared(subtask.points, subtask.cases.len()));
    let case = |(place, name): (usize, &String)| ConfigCase {
        input: format!("{name}.in"),
        output: format!("{name}.out"),
        score: points.as_ref().map(|points| points[place]),
    };
    ConfigSubtask {
        id: index + 1,
        score: subtask.points,
        kind: if is_sum { "sum" } else { "min" },
        requires: subtask
            .requires
            .iter()
            .map(|required| required + 1)
            .collect(),
        cases: subtask.cases.iter().enumerate().map(case).collect(),
    }
}

fn put_checker(
    problem: &Problem,
    config: &mut Config,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    if problem.submit_answer || problem.passes > 1 {
        remarks.refused(
            Part::Metadata,
            "problem.yaml",
            "is of a type that Hydro's archives do not support",
        );
        return Ok(());
    }
    if let Some(options) = options(problem, remarks) {
        const NAME: &str = "default_validator.cc";
        archive.put(format!("testdata/{NAME}"), default_validator(&options));
        (config.checker_type, config.checker) = (Some("kattis"), Some(NAME.to_owned()));
        remarks.changed(
            Part::Checker,
            "output_validator",
            format!("becomes `{NAME}`, which compares like packages"),
        );
        return Ok(());
    }
    let Some(checker) = own_checker(problem, remarks)? else {
        return Ok(());
    };
    let mut names = checker.files.iter().map(|file| file.name.clone());
    let main = names.next().unwrap_or_default();
    config.judge_extra_files = names.collect();
    if problem.interactive {
        config.kind = "interactive";
        config.interactor = Some(main);
        if !checker.is_testlib {
            let text = "uses the protocol of packages; Hydro's interactors use that of testlib";
            remarks.refused(Part::Checker, "output_validator", text);
        }
    } else {
        config.checker = Some(main);
        config.checker_type = Some(if checker.is_testlib {
            "testlib"
        } else {
            "kattis"
        });
    }
    put_files(checker.files, "testdata", archive);
    Ok(())
}

/// Puts statements in Markdown with samples at their ends, as Hydro requires.
fn put_statements(
    package: &Package<'_>,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let shown = samples_of(&package.loaded.problem)?;
    let mut samples = String::new();
    for (index, sample) in shown.into_iter().enumerate() {
        if let judge_package::ShownContent::Pair { input, output } = sample.content {
            let number = index + 1;
            samples += &format!(
                "\n```input{number}\n{}```\n\n```output{number}\n{}```\n",
                input.text, output.text
            );
        }
    }
    for statement in package.statements {
        let about = file_name_of(&statement.path);
        if statement.kind != StatementKind::Markdown {
            remarks.lost(
                Part::Statement,
                about,
                "is left out: Hydro supports only Markdown",
            );
            continue;
        }
        let text = judge_package::read_within(&statement.path, 4 << 20)?;
        let text = String::from_utf8_lossy(&text).trim_end().to_owned() + "\n";
        archive.put(
            format!("problem_{}.md", statement.language),
            text + &samples,
        );
    }
    Ok(())
}

fn put_solutions(problem: &Problem, archive: &mut Archive) -> io::Result<()> {
    for submission in &problem.submissions {
        let is_accepted = submission.id.starts_with("accepted/") && submission.path.is_file();
        if is_accepted {
            let name = submission.id.trim_start_matches("accepted/");
            archive.put_file(format!("std/{name}"), &submission.path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subtask(points: u64, requires: &[usize]) -> PackedSubtask {
        let cases = vec![format!("worth-{points}")];
        PackedSubtask {
            points,
            aggregation: Aggregation::PassFail,
            requires: requires.to_vec(),
            cases,
        }
    }

    #[test]
    fn groups_of_0_points_are_dropped() {
        let kept = |subtasks: &[PackedSubtask]| {
            let mut remarks = Remarks::default();
            let kept = without_zero_points(subtasks.to_vec(), &mut remarks);
            (
                kept,
                remarks
                    .into_worst_first()
                    .into_iter()
                    .map(|remark| remark.code)
                    .collect::<Vec<_>>(),
            )
        };
        let whole = [subtask(0, &[]), subtask(100, &[0])];
        assert_eq!(kept(&whole), (whole.to_vec(), vec![]), "no points are left");
        let (left, codes) = kept(&[
            subtask(0, &[]),
            subtask(20, &[]),
            subtask(0, &[1]),
            subtask(30, &[1]),
        ]);
        assert_eq!(
            (left, codes.len()),
            (vec![subtask(20, &[]), subtask(30, &[0])], 1)
        );
        let (left, codes) = kept(&[subtask(0, &[]), subtask(20, &[0])]);
        assert_eq!((left.len(), codes), (2, vec!["JI406".to_owned()]));
    }
}
