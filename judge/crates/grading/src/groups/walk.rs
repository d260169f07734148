//! The walk through a problem's groups for one submission: the next test case to judge, and the
//! verdict and score at the end.
//!
//! Responsible for the order of judging, for leaving test cases out, and for when a grader or the
//! static validator is run. Must not know how results are produced: they are passed in, in the
//! order in which they were requested.

use std::collections::BTreeMap;
use std::sync::Arc;

use judge_model::{
    Grading, GroupSettings, LegacyGroup, Score, TestCaseIndex, TestGroupIndex, Verdict,
};

use crate::groups::legacy_grader::{Graded, grader_answer, grader_input};
use crate::groups::result::{self, GroupResult, LeftOut, Part};
use crate::groups::tree::{Child, Extent, GroupTree, whole_score};
use crate::test_score::{ScoreFiles, ScoreRule, score_test};

/// The next step of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// This test case is to be run, and its result passed to [`Walk::add_result`].
    Judge {
        /// Its index among the problem's test cases.
        test_case: TestCaseIndex,
        /// True if judging had not stopped before; otherwise the result changes nothing.
        counts: bool,
    },
    /// This test case is not run. No result is passed in.
    Skip {
        /// Its index among the problem's test cases.
        test_case: TestCaseIndex,
        /// True if it is left out only because judging stops early.
        in_haste: bool,
    },
    /// The static validator is to be run for this group, and its answer passed to
    /// [`Walk::validated`].
    Validate {
        /// The index among the problem's groups.
        group: TestGroupIndex,
    },
    /// The package's grader is to be run for this group, and its answer passed to [`Walk::graded`].
    Grade {
        /// The index among the problem's groups; `None` for a root that the package does not
        /// declare.
        group: Option<TestGroupIndex>,
        /// Its arguments.
        flags: Vec<String>,
        /// The input that it reads on standard input.
        input: String,
    },
    /// The walk is complete: see [`Walk::result`].
    Finished,
}

/// The result of a test case that counts: breaking a rule about scores makes it a judge error.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The score, if test cases have one.
    pub score: Option<Score>,
    /// The fault of the output validator, if it caused a judge error.
    pub fault: Option<String>,
}

/// The result of a walk for one submission.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkResult {
    /// The verdict of the whole.
    pub verdict: Verdict,
    /// The index of the test case that decided it, unless it is AC or no test case did.
    pub deciding: Option<TestCaseIndex>,
    /// The score of the whole, in a scoring problem.
    pub score: Option<Score>,
    /// The groups, outer groups before inner ones.
    pub groups: Vec<GroupResult>,
}

/// A group that contains the current place of the walk.
#[derive(Debug)]
struct Open {
    node: usize,
    next: usize,
    parts: Vec<Part>,
    asked_static: bool,
    /// The reason why the rest of it is left out.
    left_out: Option<LeftOut>,
}

impl Open {
    fn new(node: usize, left_out: Option<LeftOut>) -> Self {
        Self {
            node,
            next: 0,
            parts: Vec::new(),
            asked_static: false,
            left_out,
        }
    }
}

/// A walk through a [`GroupTree`].
#[derive(Debug)]
pub struct Walk {
    tree: Arc<GroupTree>,
    open: Vec<Open>,
    /// The requested step, until its result is passed in.
    requested: Option<Step>,
    results: BTreeMap<usize, GroupResult>,
    /// True if a part that counts was rejected.
    rejected: bool,
    /// True for each of the two files with scores that the validator has written so far. It may
    /// write only one kind.
    seen_files: (bool, bool),
    root: Option<Part>,
}

impl Walk {
    /// Starts a walk.
    #[must_use]
    pub fn new(tree: Arc<GroupTree>) -> Self {
        Self {
            tree,
            open: vec![Open::new(0, None)],
            requested: None,
            results: BTreeMap::new(),
            rejected: false,
            seen_files: (false, false),
            root: None,
        }
    }

    /// Returns the next step, and repeats it until its result is passed in.
    pub fn next(&mut self, extent: Extent) -> Step {
        let hurried = extent == Extent::Hurried;
        loop {
            // The caller may call this before it has the answer: the sequencer does so after every
            // result.
            if let Some(step) = &self.requested {
                return step.clone();
            }
            let Some(open) = self.open.last_mut() else {
                return Step::Finished;
            };
            // The static validator comes before the test cases of its group, as in the format: its
            // rejection may leave them out.
            if !open.asked_static {
                open.asked_static = true;
                let node = &self.tree.nodes[open.node];
                let is_validated =
                    open.left_out.is_none() && self.tree.static_validation(open.node).is_some();
                self.requested = node
                    .group
                    .filter(|_| is_validated)
                    .map(|group| Step::Validate { group });
                continue;
            }
            let child = self.tree.nodes[open.node].children.get(open.next).copied();
            open.next += 1;
            match child {
                Some(Child::Test(test_case)) => {
                    // With [`Extent::Every`], a test case after the stop is still judged. It is
                    // marked as not counting, so that the result is the same as without it.
                    let left_out = self.skip_reason(hurried);
                    if let Some(LeftOut { in_haste, .. }) = left_out
                        && extent != Extent::Every
                    {
                        return Step::Skip {
                            test_case,
                            in_haste,
                        };
                    }
                    self.requested = Some(Step::Judge {
                        test_case,
                        counts: left_out.is_none(),
                    });
                }
                Some(Child::Group(node)) => {
                    // The walk also enters a group that is left out, because each of its test cases
                    // has to be reported as skipped.
                    let left_out = self
                        .skip_reason(hurried)
                        .or_else(|| self.requirement_not_met(node));
                    self.open.push(Open::new(node, left_out));
                }
                None => self.leave(),
            }
        }
    }

    /// Takes the result of the requested test case: its verdict, and the files of the output
    /// validator about its score. A test case that does not count has no score.
    pub fn add_result(&mut self, verdict: Verdict, files: &ScoreFiles) -> CountedResult {
        // A test case that does not count must have no effect: it is not a part of the group, and
        // its files of scores do not restrict later test cases.
        let Some(Step::Judge {
            test_case,
            counts: true,
        }) = self.requested.take()
        else {
            return CountedResult {
                verdict,
                score: None,
                fault: None,
            };
        };
        let counted = self.count(self.tree.score_rule(test_case), verdict, files);
        self.rejected |= counted.verdict != Verdict::Accepted;
        self.add(Part {
            verdict: counted.verdict,
            score: counted.score,
            deciding: Some(test_case),
        });
        counted
    }

    /// Takes the answer of the static validator.
    pub fn validated(&mut self, verdict: Verdict, files: &ScoreFiles) -> CountedResult {
        let node = self.open.last().map_or(0, |open| open.node);
        // A static validation counts like a test case of its group, with its own maximum.
        let max = self
            .tree
            .static_validation(node)
            .and_then(|test| test.max_score);
        let rule = match max {
            // Samples and partial selections of test cases have no scores: there, a score of the
            // static validator is ignored.
            _ if !self.tree.scores() || self.tree.nodes[node].id == "sample" => ScoreRule::None,
            Some(max) if result::adds_up(self.tree.score_settings(node)) => {
                ScoreRule::Bounded(whole_score(max))
            }
            _ => ScoreRule::Forbidden,
        };
        self.requested = None;
        let counted = self.count(rule, verdict, files);
        self.add(Part {
            verdict: counted.verdict,
            score: counted.score,
            deciding: None,
        });
        counted
    }

    /// Takes the output of the package's grader, or the reason why it failed, worded to follow "the
    /// grader".
    pub fn graded(&mut self, answer: Result<&[u8], String>) {
        self.requested = None;
        let graded = answer
            .and_then(grader_answer)
            .map_err(|why| format!("the grader {why}"));
        self.close(graded);
    }

    /// Returns the result of the submission; `None` before [`Step::Finished`].
    #[must_use]
    pub fn result(&self) -> Option<WalkResult> {
        let root = self.root?;
        let verdict = root.verdict;
        let score = match self.tree.grading {
            // The score of a submission is that of `secret` (2025-09, "Scoring Problems"); in
            // legacy packages it is that of the root, and a rejected submission has none.
            Grading::Scores => self
                .results
                .values()
                .find(|group| group.group == "secret")
                .and_then(|group| group.score),
            Grading::PassFail => None,
            Grading::Legacy(_) => root.score.filter(|_| verdict == Verdict::Accepted),
        };
        // The root has no name. It is reported only if a fault in it has to be explained.
        let is_reported = |group: &&GroupResult| !group.group.is_empty() || group.fault.is_some();
        Some(WalkResult {
            verdict,
            deciding: root.deciding.filter(|_| verdict != Verdict::Accepted),
            score: score.filter(|_| self.tree.scores() && verdict != Verdict::JudgeError),
            groups: self.results.values().filter(is_reported).cloned().collect(),
        })
    }

    fn add(&mut self, part: Part) {
        if let Some(open) = self.open.last_mut() {
            open.parts.push(part);
        }
    }

    fn count(&mut self, rule: ScoreRule, verdict: Verdict, files: &ScoreFiles) -> CountedResult {
        let is_2025_09 = matches!(
            rule,
            ScoreRule::Bounded(_) | ScoreRule::Unbounded | ScoreRule::Forbidden
        );
        let mut score = score_test(rule, verdict, files);
        if is_2025_09 {
            self.seen_files.0 |= files.score.is_some();
            self.seen_files.1 |= files.multiplier.is_some();
            // The two kinds of files may not be mixed within a problem, even in different test
            // cases. The test case with the second kind gets the judge error, since the intended
            // kind is unknown.
            if self.seen_files == (true, true) && !files.is_empty() && score.is_ok() {
                let both = "wrote `score.txt` for one test case and `score_multiplier.txt` for another; expected one kind";
                score = Err(both.to_owned());
            }
        }
        let (score, fault) = match score {
            // An invalid score of a judge error needs no report.
            _ if verdict == Verdict::JudgeError => (None, None),
            Ok(score) => (score, None),
            Err(why) => (None, Some(format!("the validator {why}"))),
        };
        let verdict = match fault {
            Some(_) => Verdict::JudgeError,
            None => verdict,
        };
        CountedResult {
            verdict,
            score,
            fault,
        }
    }

    /// Returns the reason why the next part of the innermost open group is left out.
    fn skip_reason(&self, hurried: bool) -> Option<LeftOut> {
        let open = self.open.last()?;
        if open.left_out.is_some() {
            return open.left_out.clone();
        }
        match &self.tree.nodes[open.node].settings {
            // `on_reject: break` of legacy packages also stops a complete run. The rest is
            // therefore left out permanently, and not because judging stops early.
            GroupSettings::Legacy(group)
                if !group.goes_on && open.parts.iter().any(Part::is_rejected) =>
            {
                return Some(LeftOut::permanent(
                    "an earlier test case or group was rejected".to_owned(),
                ));
            }
            _ => {}
        }
        // With [`Extent::Hurried`], a group is also left out when it cannot change the result: in a
        // pass-fail problem after any rejection, with scores as soon as a group around it can only
        // get 0.
        let decided = hurried
            && match self.tree.grading {
                Grading::PassFail => self.rejected,
                Grading::Scores => self.open.iter().any(|open| {
                    let node = &self.tree.nodes[open.node];
                    node.id != "sample"
                        && result::is_decided(self.tree.score_settings(open.node), &open.parts)
                }),
                Grading::Legacy(_) => false,
            };
        decided.then(|| LeftOut {
            why: "it cannot change the result".to_owned(),
            in_haste: true,
        })
    }

    /// Returns the reason to leave a node out if a required group was not accepted (2025-09, "Group
    /// dependencies").
    fn requirement_not_met(&self, node: usize) -> Option<LeftOut> {
        // A group without a result was not judged before this one, so it cannot have failed.
        let required = self
            .tree
            .score_settings(node)
            .map(|settings| &settings.require_pass)?;
        let failed = |id: &&String| {
            let result = self.results.values().find(|result| result.group == **id);
            result.is_some_and(|result| result.verdict != Some(Verdict::Accepted))
        };
        required
            .iter()
            .find(failed)
            .map(|id| LeftOut::permanent(format!("`{id}` was not passed")))
    }

    /// Ends the innermost group, or requests its grader first.
    fn leave(&mut self) {
        let Some(open) = self.open.last() else { return };
        let node = &self.tree.nodes[open.node];
        let has_parts = !open.parts.is_empty();
        // A judge error is not passed to a grader of the package: the format has no verdict for it,
        // and grading it would be meaningless.
        if let GroupSettings::Legacy(LegacyGroup {
            custom: true,
            grader_flags,
            ..
        }) = &node.settings
            && has_parts
            && !open
                .parts
                .iter()
                .any(|part| part.verdict == Verdict::JudgeError)
        {
            let parts: Vec<Graded> = open.parts.iter().map(Part::graded).collect();
            let (flags, input) = (grader_flags.clone(), grader_input(&parts));
            self.requested = Some(Step::Grade {
                group: node.group,
                flags,
                input,
            });
            return;
        }
        let graded = result::legacy(&node.settings, &open.parts);
        self.close(graded);
    }

    /// Adds the innermost group's result to the group around it.
    fn close(&mut self, graded: Result<Graded, String>) {
        let Some(open) = self.open.pop() else { return };
        let node = &self.tree.nodes[open.node];
        // The root is graded even if it is empty: the submission needs a verdict in any case.
        let result = if open.parts.is_empty() && open.node != 0 {
            GroupResult::not_judged(&self.tree, open.node, open.left_out)
        } else {
            GroupResult::new(&self.tree, open.node, &open.parts, graded)
        };
        let deciding = result
            .verdict
            .and_then(|verdict| result::deciding(&node.settings, &open.parts, verdict));
        // A group that was left out counts as rejected for the group around it; otherwise a group
        // with only such parts would be accepted.
        let part = Part {
            verdict: result.verdict.unwrap_or(Verdict::WrongAnswer),
            score: result.score,
            deciding,
        };
        // A legacy group that was not judged does not count for its parent; a 2025-09 group counts
        // as not accepted.
        let counts = result.verdict.is_some() || matches!(node.settings, GroupSettings::Scores(_));
        self.results.insert(open.node, result);
        match self.open.last_mut() {
            Some(above) if counts => above.parts.push(part),
            Some(_) => {}
            None => self.root = Some(part),
        }
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "legacy_walk_tests.rs"]
mod legacy_tests;
