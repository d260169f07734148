//! Checks the numbers in a description of Polygon.
//!
//! Responsible for errors about invalid numbers. Must not know how they are used.

use std::collections::BTreeSet;

use roxmltree::Node;

use super::description::{Description, Testset};
use super::nodes::{below, child, text};
use crate::import::limits::MAX_POINTS;
use crate::{InterchangeError, Result};

/// The maximum number of runs of a submission on each test.
const MAX_RUNS: u32 = 100;
/// The maximum time limit, in milliseconds.
const MAX_MILLISECONDS: f64 = 3.6e6;
/// The maximum memory limit, in bytes.
const MAX_MEMORY: u64 = 1 << 40;
/// The maximum number of tests in a set.
const MAX_TESTS: usize = 20_000;

/// The maximum number of groups in a set of tests.
const MAX_GROUPS: usize = 1_000;

/// Checks that all numbers are within their bounds.
pub(super) fn check(described: &Description, root: Node<'_, '_>, file: &str) -> Result<()> {
    let malformed = |why: String| Err(InterchangeError::malformed(file, why));
    let runs = child(root, "judging").and_then(|node| node.attribute("run-count"));
    if let Some(runs) = runs.filter(|_| !(1..=MAX_RUNS).contains(&described.run_count)) {
        return malformed(format!(
            "expected `run-count` to be a whole number from 1 to {MAX_RUNS}, found `{runs}`"
        ));
    }
    for set in below(Some(root), &["judging", "testset"]) {
        let (time, memory) = (text(set, "time-limit"), text(set, "memory-limit"));
        let is_time = |limit: &f64| (0.0..=MAX_MILLISECONDS).contains(limit);
        if !time.is_empty() && !time.parse().is_ok_and(|limit| is_time(&limit)) {
            let what = "`time-limit` to be in milliseconds, at most an hour";
            return malformed(format!("expected {what}, found `{time}`"));
        }
        if !memory.is_empty() && !memory.parse().is_ok_and(|limit: u64| limit <= MAX_MEMORY) {
            let what = "`memory-limit` to be in bytes, at most 1 TiB";
            return malformed(format!("expected {what}, found `{memory}`"));
        }
    }
    check_points(root, file)?;
    let max = described
        .testsets
        .iter()
        .map(|set| set.tests.len())
        .max()
        .unwrap_or(0);
    if max > MAX_TESTS {
        return malformed(format!("expected at most {MAX_TESTS} tests, found {max}"));
    }
    let groups = |set: &Testset| {
        let named: BTreeSet<&String> = set.tests.iter().map(|test| &test.group).collect();
        named.len().max(set.groups.len())
    };
    let max = described.testsets.iter().map(groups).max().unwrap_or(0);
    if max > MAX_GROUPS {
        return malformed(format!(
            "expected at most {MAX_GROUPS} groups of tests, found {max}"
        ));
    }
    Ok(())
}

/// Checks that the points of tests and groups are within their bounds.
fn check_points(root: Node<'_, '_>, file: &str) -> Result<()> {
    let is_points = |points: &str| {
        points
            .trim()
            .parse()
            .is_ok_and(|points: f64| (0.0..=MAX_POINTS).contains(&points))
    };
    for path in [
        ["judging", "testset", "tests", "test"],
        ["judging", "testset", "groups", "group"],
    ] {
        let mut all =
            below(Some(root), &path).filter_map(|node| Some((node, node.attribute("points")?)));
        if let Some((node, points)) =
            all.find(|(_, points)| !points.is_empty() && !is_points(points))
        {
            let place = format!(
                "{file}:{}",
                node.document().text_pos_at(node.range().start).row
            );
            let why = format!(
                "expected `points` to be a number from 0 to {MAX_POINTS:e}, found `{points}`"
            );
            return Err(InterchangeError::malformed(place, why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_bounds_are_rejected() {
        let read = |judging: &str| {
            let text = format!("<problem>{judging}</problem>");
            Description::read(&text, "problem.xml").map_err(|error| error.to_string())
        };
        let of_set = |name: &str, limit: &str| {
            read(&format!(
                "<judging><testset><{name}>{limit}</{name}></testset></judging>"
            ))
        };
        for runs in ["0", "4294967295", "99999999999", "-1", "two"] {
            let error = read(&format!("<judging run-count=\"{runs}\"/>")).unwrap_err();
            assert!(
                error.contains(&format!("from 1 to 100, found `{runs}`")),
                "{error}"
            );
        }
        for limit in ["inf", "NaN", "1e300", "-1", "x"] {
            assert!(
                of_set("time-limit", limit)
                    .unwrap_err()
                    .contains("at most an hour, found"),
                "{limit}"
            );
        }
        for limit in ["99999999999999999999", "2199023255552", "-1", "x"] {
            assert!(
                of_set("memory-limit", limit)
                    .unwrap_err()
                    .contains("at most 1 TiB, found"),
                "{limit}"
            );
        }
        for points in ["inf", "NaN", "1e300", "-1", "x"] {
            let set = format!(
                "<judging><testset><tests><test/>\n<test points=\"{points}\"/></tests></testset></judging>"
            );
            let error = read(&set).unwrap_err();
            assert!(
                error.starts_with("problem.xml:2: ")
                    && error.contains(&format!("from 0 to 1e9, found `{points}`")),
                "{error}"
            );
            assert!(
                read(
                    &set.replace("test>", "group>")
                        .replace("<test ", "<group ")
                        .replace("tests>", "groups>")
                )
                .is_err()
            );
        }
        read("<judging><testset><tests><test points=\"0.5\"/><test points=\"\"/></tests></testset></judging>").unwrap();
        assert_eq!(read("<judging run-count=\" 2 \"/>").unwrap().run_count, 2);
        assert_eq!(read("<judging/>").unwrap().run_count, 1);
        of_set("time-limit", "2000").unwrap();
        let many = format!(
            "<judging><testset><tests>{}</tests></testset></judging>",
            "<test/>".repeat(MAX_TESTS + 1)
        );
        assert!(
            read(&many)
                .unwrap_err()
                .contains("at most 20000 tests, found 20001")
        );
        let groups: String = (0..=MAX_GROUPS)
            .map(|group| format!("<test group=\"{group}\"/>"))
            .collect();
        let many = format!("<judging><testset><tests>{groups}</tests></testset></judging>");
        assert!(
            read(&many)
                .unwrap_err()
                .contains("at most 1000 groups of tests, found 1001")
        );
    }
}
