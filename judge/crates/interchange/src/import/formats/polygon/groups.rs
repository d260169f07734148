//! Converts groups and points of Polygon to groups of a package.
//!
//! Responsible for the directories of test cases and their points. Must not know where test cases
//! come from.
//!
//! Source: 2025-09, "Test Groups": scores are integers, groups do not nest, and a group
//! requires groups that come earlier by name and are all or nothing.

use std::collections::{BTreeMap, BTreeSet};

use judge_event::Part;

use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, numbered, safe_name};
use crate::import::draft::parts::{Aggregation, Group, MaxScore};
use crate::import::formats::polygon::description::{PolygonTest, Testset};
use crate::import::limits::{integer_factor, scaled};

/// The directories of tests, and the groups.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The directory below `data` for each test, in order; `None` for a test that is only a sample.
    pub(crate) directories: Vec<Option<String>>,
    /// The directories of each Polygon group: several if its tests are worth different points.
    pub(crate) of_group: BTreeMap<String, Vec<String>>,
    /// The groups by their directories.
    pub(crate) groups: BTreeMap<String, Group>,
}

/// A planned group, with the indices of its tests.
struct PlannedGroup<'a> {
    name: &'a str,
    is_complete: bool,
    points: Option<f64>,
    dependencies: &'a [String],
    tests: Vec<usize>,
}

/// True if a test or group has points.
pub(crate) fn is_scoring(testset: &Testset) -> bool {
    stated_points(testset).any(|points| points > 0.0)
}

/// True if points are enabled. If all of them are 0, the checker gives the points.
pub(crate) fn has_points(testset: &Testset) -> bool {
    stated_points(testset).next().is_some()
}

/// Returns the points of tests and groups that have some.
fn stated_points(testset: &Testset) -> impl Iterator<Item = f64> {
    let tests = testset.tests.iter().filter_map(|test| test.points);
    tests.chain(testset.groups.iter().filter_map(|group| group.points))
}

/// Returns a group of tests whose points the checker gives.
fn unbounded() -> Group {
    Group {
        max_score: Some(MaxScore::Unbounded),
        score_aggregation: Some(Aggregation::Sum),
        ..Group::default()
    }
}

/// Determines the directory of every test.
pub(crate) fn places(testset: &Testset, draft: &mut Draft) -> Places {
    let names: BTreeSet<&str> = testset
        .tests
        .iter()
        .map(|test| test.group.as_str())
        .collect();
    let is_scoring = is_scoring(testset);
    let is_unbounded = !is_scoring && draft.metadata.scoring;
    let flat = names.iter().all(|name| name.is_empty());
    if flat && !is_scoring {
        // The checker gives points for samples too, so they are also secret tests: samples of
        // packages have no points.
        let place =
            |test: &PolygonTest| (!test.is_sample || is_unbounded).then(|| "secret".to_owned());
        let mut places = Places {
            directories: testset.tests.iter().map(place).collect(),
            ..Places::default()
        };
        if is_unbounded {
            places.groups.insert("secret".to_owned(), unbounded());
        }
        return places;
    }
    let points: Vec<f64> = stated_points(testset).collect();
    let factor = integer_factor(&points, draft);
    let planned = in_order(testset, draft);
    let has_own_tests = |plan: &PlannedGroup<'_>| {
        let total: f64 = plan
            .tests
            .iter()
            .filter_map(|index| testset.tests[*index].points)
            .sum();
        total > 0.0
            || is_unbounded
            || plan
                .tests
                .iter()
                .any(|index| !testset.tests[*index].is_sample)
    };
    let mut places = Places {
        directories: vec![None; testset.tests.len()],
        ..Places::default()
    };
    let count = planned.iter().filter(|plan| has_own_tests(plan)).count();
    let mut index = 0;
    for plan in &planned {
        let label = if plan.name.is_empty() {
            "ungrouped".to_owned()
        } else {
            safe_name(plan.name)
        };
        let directory = format!("secret/{}_{label}", numbered(index + 1, count));
        place_group(
            testset,
            plan,
            &directory,
            is_scoring.then_some(factor),
            &mut places,
            draft,
        );
        index += usize::from(has_own_tests(plan));
    }
    if is_scoring {
        // Without a maximum score for `secret`, the groups would have to add up to 100.
        let points = places
            .groups
            .values()
            .filter_map(|group| group.max_score?.points());
        let secret = Group::with_points(points.sum());
        places.groups.insert("secret".to_owned(), secret);
    } else if is_unbounded {
        let directories: Vec<String> = places.of_group.values().flatten().cloned().collect();
        places.groups.extend(
            directories
                .into_iter()
                .map(|directory| (directory, unbounded())),
        );
        places.groups.insert("secret".to_owned(), unbounded());
    }
    report(&places, is_scoring, draft);
    places
}

fn report(places: &Places, is_scoring: bool, draft: &mut Draft) {
    let total = places
        .groups
        .get("secret")
        .and_then(|secret| secret.max_score?.points())
        .unwrap_or(0);
    let count = places.of_group.values().map(Vec::len).sum::<usize>();
    let groups = counted(count, "group");
    let text = if is_scoring {
        format!("{groups}, {total} points in all")
    } else {
        format!("{groups} without points")
    };
    draft.carried(Part::Groups, text);
}

/// Sorts the groups so that they come after those that they depend on.
fn in_order<'a>(testset: &'a Testset, draft: &mut Draft) -> Vec<PlannedGroup<'a>> {
    const NONE: &[String] = &[];
    let described = |name: &str| testset.groups.iter().find(|group| group.name == name);
    let mut remaining: Vec<PlannedGroup<'a>> = Vec::new();
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, test) in testset.tests.iter().enumerate() {
        match indices.get(test.group.as_str()) {
            Some(place) => remaining[*place].tests.push(index),
            None => remaining.push({
                indices.insert(&test.group, remaining.len());
                PlannedGroup {
                    name: &test.group,
                    // Tests without a group have their own points.
                    is_complete: described(&test.group).is_some_and(|group| group.is_complete)
                        && !test.group.is_empty(),
                    points: described(&test.group).and_then(|group| group.points),
                    dependencies: described(&test.group).map_or(NONE, |group| &group.dependencies),
                    tests: vec![index],
                }
            }),
        }
    }
    // Groups keep the order of Polygon if dependencies permit.
    let mut unplaced: BTreeSet<&str> = remaining.iter().map(|plan| plan.name).collect();
    let mut ordered: Vec<PlannedGroup<'a>> = Vec::new();
    while !remaining.is_empty() {
        let is_blocked = |plan: &PlannedGroup<'_>| {
            plan.dependencies
                .iter()
                .any(|name| *name != plan.name && unplaced.contains(name.as_str()))
        };
        // A group can only require groups before it (2025-09, "Group Dependencies"). The first one
        // that is ready goes next, so groups without dependencies are not moved.
        let ready = remaining.iter().position(|plan| !is_blocked(plan));
        if ready.is_none() {
            draft.lost(
                Part::Groups,
                "groups with circular dependencies: the last dependency is dropped",
            );
        }
        let next = remaining.remove(ready.unwrap_or(0));
        unplaced.remove(next.name);
        ordered.push(next);
    }
    let feedback: BTreeSet<&str> = testset
        .groups
        .iter()
        .map(|group| group.feedback.as_str())
        .filter(|feedback| !matches!(*feedback, "" | "complete"))
        .collect();
    if !feedback.is_empty() {
        let policies = feedback
            .into_iter()
            .map(|policy| format!("`{policy}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let text =
            format!("feedback policies of groups ({policies}): packages have only `full_feedback`");
        draft.lost(Part::Groups, text);
    }
    ordered
}

/// Puts the tests of a group into one directory, or each into its own directory if they are worth
/// different points.
fn place_group(
    testset: &Testset,
    plan: &PlannedGroup<'_>,
    directory: &str,
    factor: Option<f64>,
    places: &mut Places,
    draft: &mut Draft,
) {
    let points: Vec<f64> = plan
        .tests
        .iter()
        .map(|index| testset.tests[*index].points.unwrap_or(0.0))
        .collect();
    let total = plan
        .points
        .filter(|total| *total > 0.0)
        .unwrap_or_else(|| points.iter().sum());
    // Samples without points are only samples, unless the checker gives points for them.
    let is_unbounded = factor.is_none() && draft.metadata.scoring;
    let counts = |index: &usize| !testset.tests[*index].is_sample || total > 0.0 || is_unbounded;
    let tests: Vec<usize> = plan.tests.iter().copied().filter(counts).collect();
    if tests.is_empty() {
        places.of_group.insert(plan.name.to_owned(), Vec::new());
        return;
    }
    let require_pass = required(plan, places, draft);
    let whole = |points: f64| scaled(points, factor.unwrap_or(1.0));
    // A group of a package distributes its points equally, so test cases with different points need
    // separate groups.
    let is_even = points.iter().all(|value| (value - points[0]).abs() < 1e-9);
    if factor.is_none() || plan.is_complete || is_even || total <= 0.0 {
        let score_aggregation = if plan.is_complete || total <= 0.0 {
            Aggregation::PassFail
        } else {
            Aggregation::Sum
        };
        for index in tests {
            places.directories[index] = Some(directory.to_owned());
        }
        places
            .of_group
            .insert(plan.name.to_owned(), vec![directory.to_owned()]);
        if factor.is_some() {
            let group = Group {
                score_aggregation: Some(score_aggregation),
                require_pass,
                ..Group::with_points(whole(total))
            };
            places.groups.insert(directory.to_owned(), group);
        }
        return;
    }
    let mut directories = Vec::new();
    for (number, index) in tests.iter().enumerate() {
        let own = format!("{directory}_{}", numbered(number + 1, tests.len()));
        let group = Group {
            score_aggregation: Some(Aggregation::PassFail),
            require_pass: require_pass.clone(),
            ..Group::with_points(whole(testset.tests[*index].points.unwrap_or(0.0)))
        };
        places.groups.insert(own.clone(), group);
        places.directories[*index] = Some(own.clone());
        directories.push(own);
    }
    let which = if plan.name.is_empty() {
        "without a group".to_owned()
    } else {
        format!("of group `{}`", plan.name)
    };
    let text =
        format!("the tests {which} are worth different points: each becomes a separate group");
    draft.changed(Part::Groups, text);
    places.of_group.insert(plan.name.to_owned(), directories);
}

/// The groups that must be passed before this one.
fn required(plan: &PlannedGroup<'_>, places: &Places, draft: &mut Draft) -> Vec<String> {
    let mut required = Vec::new();
    for dependency in plan.dependencies {
        let Some(directories) = places.of_group.get(dependency) else {
            draft.lost(
                Part::Groups,
                format!(
                    "`{}` depends on `{dependency}`, which is not an earlier group",
                    plan.name
                ),
            );
            continue;
        };
        // A group with only samples corresponds to the group `sample` of packages.
        if directories.is_empty() {
            required.push("sample".to_owned());
        }
        for directory in directories {
            let is_all = places
                .groups
                .get(directory)
                .is_none_or(|group| group.score_aggregation != Some(Aggregation::Sum));
            if is_all {
                required.push(directory.clone());
            } else {
                let text = format!(
                    "`{}` depends on `{dependency}`, whose tests have separate points: only groups that are all or nothing can be required",
                    plan.name
                );
                draft.lost(Part::Groups, text);
            }
        }
    }
    required
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::formats::polygon::description::GroupDescription;

    fn testset(tests: &[(&str, f64, bool)], groups: Vec<GroupDescription>) -> Testset {
        let test = |(group, points, is_sample): &(&str, f64, bool)| PolygonTest {
            group: (*group).to_owned(),
            points: Some(*points),
            is_sample: *is_sample,
            ..PolygonTest::default()
        };
        let tests = tests.iter().map(test).collect();
        Testset {
            name: String::new(),
            time_limit: None,
            memory_limit: None,
            input: String::new(),
            answer: String::new(),
            tests,
            groups,
        }
    }

    fn group(name: &str, is_complete: bool, dependencies: &[&str]) -> GroupDescription {
        let dependencies = dependencies.iter().map(|name| (*name).to_owned()).collect();
        GroupDescription {
            name: name.to_owned(),
            is_complete,
            dependencies,
            ..GroupDescription::default()
        }
    }

    #[test]
    fn groups_are_sorted_after_their_dependencies() {
        let groups = vec![
            group("0", true, &[]),
            group("a", true, &["b", "0"]),
            group("b", true, &["0"]),
        ];
        let testset = testset(
            &[
                ("0", 0.0, true),
                ("a", 5.0, false),
                ("b", 2.5, false),
                ("b", 2.5, false),
            ],
            groups,
        );
        let mut draft = Draft::default();
        let places = places(&testset, &mut draft);
        let directory = |index: usize| places.directories[index].as_deref();
        assert_eq!(
            (directory(0), directory(1), directory(2)),
            (None, Some("secret/02_a"), Some("secret/01_b"))
        );
        let a = &places.groups["secret/02_a"];
        assert_eq!(
            (a.max_score, a.score_aggregation),
            (Some(MaxScore::Points(10)), Some(Aggregation::PassFail)),
            "points are doubled"
        );
        assert_eq!(a.require_pass, ["secret/01_b", "sample"]);
        assert!(is_scoring(&testset));
    }

    #[test]
    fn tests_with_different_points_get_separate_groups() {
        let groups = || vec![group("x", false, &[])];
        let even = testset(&[("x", 3.0, false), ("x", 3.0, false)], groups());
        let places_of_even = places(&even, &mut Draft::default());
        let x = &places_of_even.groups["secret/01_x"];
        assert_eq!(
            (x.max_score, x.score_aggregation),
            (Some(MaxScore::Points(6)), Some(Aggregation::Sum))
        );
        let uneven = testset(&[("x", 3.0, false), ("x", 4.0, false)], groups());
        let places = places(&uneven, &mut Draft::default());
        assert_eq!(
            places.groups.keys().collect::<Vec<_>>(),
            ["secret", "secret/01_x_01", "secret/01_x_02"]
        );
        assert_eq!(
            places.groups["secret/01_x_02"].max_score,
            Some(MaxScore::Points(4))
        );
    }

    #[test]
    fn tests_without_a_group_are_named_in_remarks() {
        let uneven = testset(&[("", 3.0, false), ("", 4.0, false)], Vec::new());
        let mut draft = Draft::default();
        places(&uneven, &mut draft);
        let (_, remarks) = draft.finish("here");
        assert!(
            remarks.iter().any(|remark| remark
                .text
                .starts_with("the tests without a group are worth")),
            "{remarks:?}"
        );
        assert!(
            !remarks.iter().any(|remark| remark.text.contains("``")),
            "{remarks:?}"
        );
    }

    #[test]
    fn checker_points_are_unbounded() {
        for tests in [
            &[("", 0.0, true), ("", 0.0, false)][..],
            &[("a", 0.0, true), ("b", 0.0, false)],
        ] {
            let testset = testset(tests, Vec::new());
            assert!(has_points(&testset) && !is_scoring(&testset));
            let mut draft = Draft::default();
            assert!(
                places(&testset, &mut draft).groups.is_empty(),
                "the checker gives no points"
            );
            draft.metadata.scoring = true;
            let places = places(&testset, &mut draft);
            assert!(
                places.directories.iter().all(Option::is_some),
                "samples are worth points in Polygon: {places:?}"
            );
            assert!(
                places.groups.values().all(|group| *group == unbounded()),
                "{places:?}"
            );
            assert!(places.groups.contains_key("secret"));
        }
    }
}
