//! Scopes: the test cases and groups that a rule covers, and contradictions between rules.
//!
//! Responsible for matching globs against a problem. Must not read any file.

use judge_model::{Expectation, Problem, Verdict};

use super::globs::Glob;

/// The ids of the test cases and groups that a glob matches: matching groups, and test cases that
/// match or are in a matching directory that is not a group. Empty when it matches nothing.
pub(super) fn resolve(glob: &Glob, problem: &Problem) -> Vec<String> {
    let groups = problem
        .test_groups
        .iter()
        .map(|group| group.id.as_str())
        .filter(|id| glob.matches(id));
    let mut scope: Vec<String> = groups.map(str::to_owned).collect();
    let groups = scope.len();
    for test_case in problem
        .test_cases
        .iter()
        .filter(|test_case| glob.covers(&test_case.id))
    {
        if !scope[..groups]
            .iter()
            .any(|group| is_in(&test_case.id, group))
        {
            scope.push(test_case.id.clone());
        }
    }
    scope
}

/// True if a test case has this id, or is in the group with this id. The empty id is the group
/// `data` of the legacy format, which contains everything.
fn is_in(test_case: &str, id: &str) -> bool {
    test_case
        .strip_prefix(id)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || id.is_empty())
}

/// True when a scope covers any test case of a problem.
pub(super) fn covers_any(scope: &[String], problem: &Problem) -> bool {
    problem
        .test_cases
        .iter()
        .any(|test_case| scope.iter().any(|id| is_in(&test_case.id, id)))
}

/// Finds two rules that no verdict on some test case can meet: the test case, and the indices of
/// the rules.
pub(super) fn contradiction<'p>(
    rules: &[Expectation],
    problem: &'p Problem,
) -> Option<(&'p str, usize, usize)> {
    let apart = |a: &Expectation, b: &Expectation| {
        !a.permitted
            .iter()
            .any(|verdict| b.permitted.contains(verdict))
    };
    for (second, rule) in rules.iter().enumerate() {
        // Only rules that share no verdict can contradict each other. There are few of them,
        // while there may be many test cases.
        for (first, earlier) in rules[..second]
            .iter()
            .enumerate()
            .filter(|(_, earlier)| apart(earlier, rule))
        {
            let both = |id: &&str| earlier.covers(id) && rule.covers(id);
            if let Some(id) = problem
                .test_cases
                .iter()
                .map(|case| case.id.as_str())
                .find(both)
            {
                return Some((id, first, second));
            }
        }
    }
    None
}

/// Verdicts as they are written in a set.
pub(super) fn listed(verdicts: &[Verdict]) -> String {
    verdicts
        .iter()
        .map(|verdict| verdict.code())
        .collect::<Vec<_>>()
        .join(", ")
}
