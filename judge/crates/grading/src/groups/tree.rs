//! The tree of a problem's groups and test cases.
//!
//! Responsible for the nesting of groups and test cases, in package order, and for the rules of a
//! group about its test cases. Must not know results.

use std::ops::Range;

use judge_model::{
    Aggregation, Grading, GroupSettings, LegacyGroup, Objective, Problem, Score, ScoreRange,
    ScoreSettings, TestCaseIndex, TestGroup, TestGroupIndex, Verdict,
};

use crate::groups::legacy_grader;
use crate::test_score::ScoreRule;

/// The extent of judging: the test cases that are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every test case, even after judging of its group has stopped. The result is as if those had
    /// been left out.
    Every,
    /// The test cases that the format requires.
    Counting,
    /// Only test cases that can change the result.
    Hurried,
}

/// The groups and test cases of a problem, computed once and used for all its submissions.
#[derive(Clone, Debug)]
pub struct GroupTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) grading: Grading,
    /// True if the tree contains every test case of the problem. Otherwise there are no scores.
    pub(crate) whole: bool,
    test_cases: usize,
    /// The node of each test case.
    homes: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    Test(TestCaseIndex),
    Group(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: String,
    /// Its index among the problem's groups; `None` for a root that the package does not declare.
    pub(crate) group: Option<TestGroupIndex>,
    parent: Option<usize>,
    pub(crate) settings: GroupSettings,
    pub(crate) children: Vec<Child>,
    /// The indices of the test cases in it and below it.
    tests: Range<TestCaseIndex>,
    /// The number of test cases in it and in no group below it.
    own_tests: usize,
}

impl Default for GroupTree {
    /// Creates an empty tree.
    fn default() -> Self {
        let root = Node::new("", None, None, GroupSettings::Plain);
        Self {
            nodes: vec![root],
            grading: Grading::PassFail,
            whole: false,
            test_cases: 0,
            homes: Vec::new(),
        }
    }
}

impl GroupTree {
    /// Returns the tree of a problem. `whole` is true if all its test cases are selected: parts of
    /// a problem have verdicts, but no scores.
    #[must_use]
    pub fn new(problem: &Problem, whole: bool) -> Self {
        let root = match problem.grading {
            Grading::Legacy(_) => GroupSettings::Legacy(LegacyGroup::default()),
            _ => GroupSettings::Plain,
        };
        // The root and all groups come before the test cases, because each test case is added to
        // the innermost group that already exists.
        let mut tree = Self {
            nodes: vec![Node::new("", None, None, root)],
            grading: problem.grading.clone(),
            whole,
            test_cases: problem.test_cases.len(),
            homes: Vec::new(),
        };
        for (index, group) in TestGroupIndex::enumerate(&problem.test_groups) {
            tree.add_group(index, group);
        }
        for (index, test_case) in TestCaseIndex::enumerate(&problem.test_cases) {
            tree.add_test_case(index, &test_case.id);
        }
        tree.order(problem);
        tree
    }

    fn add_group(&mut self, index: TestGroupIndex, group: &TestGroup) {
        if group.id.is_empty() {
            self.nodes[0] = Node::new("", Some(index), None, group.settings.clone());
            return;
        }
        // Outer groups come first, so the group around this one is already in the tree.
        let parent = self.innermost(&group.id);
        self.nodes.push(Node::new(
            &group.id,
            Some(index),
            Some(parent),
            group.settings.clone(),
        ));
    }

    /// Returns the innermost group so far that contains this id.
    fn innermost(&self, id: &str) -> usize {
        // With the slash, `secret/1` does not contain `secret/10`.
        let holds = |node: &Node| {
            id.strip_prefix(&node.id)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        let holding = self
            .nodes
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, node)| holds(node));
        holding
            .max_by_key(|(_, node)| node.id.len())
            .map_or(0, |(index, _)| index)
    }

    fn add_test_case(&mut self, index: TestCaseIndex, id: &str) {
        let home = self.innermost(id);
        self.homes.push(home);
        self.nodes[home].own_tests += 1;
        self.nodes[home].children.push(Child::Test(index));
        // Test cases come in package order, so those below a group are one range, and only its end
        // moves.
        let mut above = Some(home);
        while let Some(node) = above {
            let tests = &mut self.nodes[node].tests;
            *tests = if tests.is_empty() {
                index..index.next()
            } else {
                tests.start..index.next()
            };
            above = self.nodes[node].parent;
        }
    }

    /// Orders the groups among their siblings: at the place of their first test case, or by name if
    /// they have none (they may still have a static validation). Empty groups are left out.
    fn order(&mut self, problem: &Problem) {
        // The tree has groups by name, and test cases in package order. Both are merged into one
        // order here, which events and reports follow.
        let place = |node: &Node| -> (usize, bool) {
            if node.tests.is_empty() {
                let before = |test_case: &judge_model::TestCase| *test_case.id < *node.id;
                (
                    problem
                        .test_cases
                        .iter()
                        .filter(|test_case| before(test_case))
                        .count(),
                    false,
                )
            } else {
                (node.tests.start.0, true)
            }
        };
        // From the innermost group outwards, because whether a group is empty is known only after
        // its children.
        for index in (1..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            if node.tests.is_empty()
                && node.children.is_empty()
                && self.static_validation(index).is_none()
            {
                continue;
            }
            let parent = node.parent.unwrap_or(0);
            self.nodes[parent].children.push(Child::Group(index));
        }
        for index in 0..self.nodes.len() {
            let mut children = std::mem::take(&mut self.nodes[index].children);
            // By the place of the first test case. A group without test cases sorts before a test
            // case at the same place, and groups at one place keep the order of the package.
            children.sort_by_key(|child| match child {
                Child::Test(test) => (test.0, true, 0),
                Child::Group(group) => {
                    let (place, tests) = place(&self.nodes[*group]);
                    (place, tests, *group)
                }
            });
            self.nodes[index].children = children;
        }
    }

    pub(crate) fn static_validation(&self, node: usize) -> Option<&judge_model::StaticValidation> {
        self.score_settings(node)
            .and_then(|settings| settings.static_validation.as_ref())
    }

    pub(crate) fn score_settings(&self, node: usize) -> Option<&ScoreSettings> {
        match &self.nodes[node].settings {
            GroupSettings::Scores(settings) => Some(settings),
            _ => None,
        }
    }

    /// True if results of groups are reported, because groups are more than directories in this
    /// problem.
    #[must_use]
    pub fn reports_groups(&self) -> bool {
        self.grading != Grading::PassFail
    }

    /// True if the tree contains all test cases of the problem.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// True if submissions get scores.
    #[must_use]
    pub fn scores(&self) -> bool {
        self.whole && self.grading.scores()
    }

    /// Returns the rule for the scores of the test cases of a group (2025-09, "Scoring Problems").
    pub(crate) fn score_rule(&self, test_case: TestCaseIndex) -> ScoreRule {
        let node = &self.nodes[self.homes[test_case.0]];
        if !self.scores() {
            return ScoreRule::None;
        }
        match (&node.settings, &self.grading) {
            (GroupSettings::Scores(_), _) if node.id == "sample" => ScoreRule::None,
            (GroupSettings::Scores(settings), _) => rule_of(settings, node.own_tests),
            (GroupSettings::Legacy(group), Grading::Legacy(grading)) => ScoreRule::Legacy {
                accept: group.accept_score,
                reject: group.reject_score,
                by_validator: grading.validator_scores,
            },
            _ => ScoreRule::None,
        }
    }

    /// Returns the test cases after this one that are certainly not judged when it is rejected,
    /// regardless of other results.
    ///
    /// Depends only on the verdict. Rules about scores decide nothing here, not even a minimum that
    /// has reached 0: parts of a problem have no scores, and neither has a judge error.
    #[must_use]
    pub fn not_judged_after(
        &self,
        test_case: TestCaseIndex,
        verdict: Verdict,
        extent: Extent,
    ) -> Range<TestCaseIndex> {
        let after = test_case.next();
        if verdict == Verdict::Accepted || extent == Extent::Every {
            return after..after;
        }
        let hurried = extent == Extent::Hurried;
        // Groups mean nothing in a pass-fail problem: after a rejection, the rest is left out only
        // if judging stops early, and then all of it.
        if self.grading == Grading::PassFail {
            return after..if hurried {
                TestCaseIndex(self.test_cases)
            } else {
                after
            };
        }
        // The range grows outwards: each decided group leaves out the rest of its test cases.
        let mut end = after;
        let mut at = Some(self.homes[test_case.0]);
        while let Some(node) = at.map(|index| &self.nodes[index]) {
            // From the group of the test case outwards, as long as its rejection decides the
            // group around it.
            let decided = match &node.settings {
                GroupSettings::Plain => break,
                // A rejected sample stops nothing after the samples, because they have no score to
                // lose.
                GroupSettings::Scores(_) if node.id == "sample" => break,
                GroupSettings::Scores(settings) => {
                    hurried && settings.aggregation == Aggregation::PassFail
                }
                GroupSettings::Legacy(group) => !group.goes_on,
            };
            if !decided {
                break;
            }
            end = node.tests.end;
            let continues_outside = match &node.settings {
                // Its grader may still accept this group.
                GroupSettings::Legacy(group) => !rejects_with_any(group),
                // If a required group was rejected, this one is left out, and its results decide
                // nothing.
                GroupSettings::Scores(settings) => !settings.require_pass.is_empty(),
                GroupSettings::Plain => false,
            };
            if continues_outside {
                break;
            }
            at = node.parent;
        }
        after..end
    }

    /// Returns the best possible score of the whole problem; `None` without a bound, or without
    /// scores.
    #[must_use]
    pub fn best_score(&self) -> Option<Score> {
        match &self.grading {
            Grading::PassFail => None,
            Grading::Scores => {
                let secret = self.nodes.iter().position(|node| node.id == "secret")?;
                self.score_settings(secret)
                    .and_then(|settings| settings.max_score)
                    .map(whole_score)
            }
            Grading::Legacy(legacy) if !legacy.scoring => None,
            Grading::Legacy(legacy) => self.nodes[0].best(legacy.objective),
        }
    }
}

impl Node {
    fn new(
        id: &str,
        group: Option<TestGroupIndex>,
        parent: Option<usize>,
        settings: GroupSettings,
    ) -> Self {
        let tests = TestCaseIndex(0)..TestCaseIndex(0);
        Self {
            id: id.to_owned(),
            group,
            parent,
            settings,
            children: Vec::new(),
            tests,
            own_tests: 0,
        }
    }

    fn best(&self, objective: Objective) -> Option<Score> {
        let GroupSettings::Legacy(LegacyGroup {
            range: ScoreRange { min, max },
            ..
        }) = &self.settings
        else {
            return None;
        };
        // In some problems lower scores are better, so the best one is at either end of the range.
        let best = if objective == Objective::Max {
            max
        } else {
            min
        };
        best.0.is_finite().then_some(*best)
    }

    /// Returns the maximum score of the group, if there is one.
    pub(crate) fn max_score(&self) -> Option<Score> {
        match &self.settings {
            GroupSettings::Scores(_) if self.id == "sample" => None,
            GroupSettings::Scores(settings) => settings.max_score.map(whole_score),
            GroupSettings::Legacy(_) => self.best(Objective::Max),
            GroupSettings::Plain => None,
        }
    }
}

/// Returns the rule for the scores of the test cases of a group of 2025-09.
fn rule_of(settings: &ScoreSettings, test_cases: usize) -> ScoreRule {
    match (settings.aggregation, settings.max_score) {
        (Aggregation::PassFail, _) => ScoreRule::Forbidden,
        (_, None) => ScoreRule::Unbounded,
        (Aggregation::Min, Some(most)) => ScoreRule::Bounded(whole_score(most)),
        (Aggregation::Sum, Some(most)) => {
            // The static validation has its own share of the maximum, and the test cases share the
            // rest equally.
            let fixed = settings
                .static_validation
                .as_ref()
                .and_then(|test| test.max_score)
                .unwrap_or(0);
            ScoreRule::Bounded(Score(
                whole_score(most.saturating_sub(fixed)).0 / test_cases.max(1) as f64,
            ))
        }
    }
}

/// True if one rejected test case is enough for a legacy group to be rejected, regardless of other
/// results.
fn rejects_with_any(group: &LegacyGroup) -> bool {
    !group.custom && legacy_grader::rejects_with_any(&group.grader_flags)
}

pub(crate) fn whole_score(score: u64) -> Score {
    Score(score as f64)
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
