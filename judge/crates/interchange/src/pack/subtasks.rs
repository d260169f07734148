//! Test data as online judges arrange it: flat file names, and subtasks worth points.
//!
//! Responsible for names, order and points. Must not depend on how a judge writes them.

use judge_event::Part;
use judge_model::{Aggregation, GroupSettings, Problem, ScoreSettings};

use super::archive::Archive;
use crate::remarks::Remarks;

/// A subtask.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackedSubtask {
    pub(super) points: u64,
    pub(super) aggregation: Aggregation,
    /// Indices of earlier subtasks that have to be solved.
    pub(super) requires: Vec<usize>,
    /// The names of its test cases, without `.in` and `.out`.
    pub(super) cases: Vec<String>,
}

/// Puts inputs and outputs into an archive below `prefix`, under names without directories.
pub(super) fn put_cases(
    problem: &Problem,
    prefix: &str,
    archive: &mut Archive,
    remarks: &mut Remarks,
) {
    for case in &problem.test_cases {
        let (name, about) = (flat(&case.id), format!("data/{}", case.id));
        if archive.has(&format!("{prefix}{name}.in")) {
            remarks.refused(
                Part::Tests,
                &about,
                format!("two test cases have the name `{name}`"),
            );
        }
        if !case.args.is_empty() || case.files.is_some() {
            remarks.refused(Part::Tests, &about, "has its own arguments or files");
        }
        archive.put_file(format!("{prefix}{name}.in"), &case.input);
        archive.put_file(format!("{prefix}{name}.out"), &case.answer);
    }
}

/// Puts the test cases into an archive below `prefix`, and returns their subtasks. Without points,
/// there is a single all-or-nothing subtask with `whole` points.
pub(super) fn put_subtasks(
    problem: &Problem,
    prefix: &str,
    whole: u64,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> Vec<PackedSubtask> {
    put_cases(problem, prefix, archive, remarks);
    if !problem.grading.scores() {
        let cases = problem.test_cases.iter();
        return vec![PackedSubtask {
            points: whole,
            aggregation: Aggregation::PassFail,
            requires: Vec::new(),
            cases: cases.map(|case| flat(&case.id)).collect(),
        }];
    }
    scored(problem, remarks)
}

/// Returns the name of a test case without directories. The order of names does not change.
pub(super) fn flat(id: &str) -> String {
    id.replace('/', "-")
}

/// Returns the groups of a scoring problem as subtasks, starting with the samples.
fn scored(problem: &Problem, remarks: &mut Remarks) -> Vec<PackedSubtask> {
    let nothing = ScoreSettings {
        max_score: Some(0),
        aggregation: Aggregation::PassFail,
        require_pass: Vec::new(),
        static_validation: None,
    };
    let in_group = |group: &str| -> Vec<String> {
        let is_in = |id: &&String| {
            id.rsplit_once('/')
                .is_some_and(|(directory, _)| directory == group)
        };
        let ids = problem.test_cases.iter().map(|case| &case.id);
        ids.filter(is_in).map(|id| flat(id)).collect()
    };
    let mut groups: Vec<(&str, &ScoreSettings)> = Vec::new();
    for group in &problem.test_groups {
        match &group.settings {
            GroupSettings::Scores(settings) => groups.push((&group.id, settings)),
            _ if group.id == "sample" => groups.push((&group.id, &nothing)),
            _ => {}
        }
    }
    groups.sort_by_key(|(id, _)| *id);
    groups.retain(|(id, _)| !in_group(id).is_empty());
    let places: Vec<&str> = groups.iter().map(|(id, _)| *id).collect();
    let index = |required: &String| places.iter().position(|place| place == required);
    let subtask = |(id, settings): &(&str, &ScoreSettings)| {
        let about = format!("data/{id}");
        if settings.static_validation.is_some() {
            remarks.refused(Part::Groups, &about, "has points from a static validator");
        }
        let is_sample = *id == "sample";
        if settings.max_score.is_none() && !is_sample {
            remarks.refused(Part::Groups, &about, "has no bound for its score");
        }
        let mut required = settings.require_pass.iter();
        if required.any(|required| index(required).is_none()) {
            let text = "requires a group without its own test cases, which is left out";
            remarks.changed(Part::Groups, &about, text);
        }
        PackedSubtask {
            points: settings.max_score.filter(|_| !is_sample).unwrap_or(0),
            aggregation: settings.aggregation,
            requires: settings.require_pass.iter().filter_map(index).collect(),
            cases: in_group(id),
        }
    };
    groups.iter().map(subtask).collect()
}

/// Distributes points among `count` test cases in integers. Later ones may get one point more.
pub(super) fn shared(points: u64, count: usize) -> Vec<u64> {
    let count = count as u64;
    let more = points % count.max(1);
    (0..count)
        .map(|index| points / count + u64::from(count - index <= more))
        .collect()
}

/// Reports points that are added up and that [`shared`] cannot distribute equally.
pub(super) fn report_uneven(subtasks: &[PackedSubtask], remarks: &mut Remarks) {
    let is_uneven = |subtask: &PackedSubtask| {
        subtask.aggregation == Aggregation::Sum
            && !subtask
                .points
                .is_multiple_of(subtask.cases.len().max(1) as u64)
    };
    if subtasks.iter().any(is_uneven) {
        let text = "has points that are not a multiple of their test cases: they are distributed in integers, and later test cases get more";
        remarks.changed(Part::Groups, "data", text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_are_distributed() {
        assert_eq!(shared(10, 4), [2, 2, 3, 3]);
        assert_eq!((shared(9, 3), shared(5, 0)), (vec![3, 3, 3], vec![]));
    }

    #[test]
    fn uneven_points_are_reported_once() {
        let subtask = |points: u64, aggregation: Aggregation, count: usize| PackedSubtask {
            points,
            aggregation,
            requires: Vec::new(),
            cases: vec!["case".to_owned(); count],
        };
        let codes = |subtasks: &[PackedSubtask]| {
            let mut remarks = Remarks::default();
            report_uneven(subtasks, &mut remarks);
            remarks
                .into_worst_first()
                .into_iter()
                .map(|remark| remark.code)
                .collect::<Vec<_>>()
        };
        use Aggregation::{Min, PassFail, Sum};
        assert_eq!(
            codes(&[subtask(9, Sum, 3), subtask(0, Sum, 4), subtask(5, Sum, 0)]),
            [""; 0]
        );
        assert_eq!(
            codes(&[subtask(10, PassFail, 3), subtask(10, Min, 3)]),
            [""; 0],
            "they are not distributed"
        );
        assert_eq!(
            codes(&[subtask(9, Sum, 3), subtask(10, Sum, 4), subtask(1, Sum, 2)]),
            ["JI206"]
        );
    }
}
