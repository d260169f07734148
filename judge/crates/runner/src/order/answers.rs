//! Evidence against answer files: all solutions of a problem give the same other output.
//!
//! Responsible for comparing the outputs of the submissions that must be accepted. Must not know
//! when events are due.
//!
//! The remark requires results of every solution of the package. A selection, a shard, a solution
//! that is skipped and one that does not compile therefore prevent it.

use judge_model::Verdict;

use crate::plan::PlannedProblem;

/// An output that the answer file does not accept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OtherOutput {
    pub(crate) test_case: String,
    /// The hash of the whole output.
    pub(crate) hash: String,
}

impl OtherOutput {
    /// The output on a test case, by the hash of an output that differs from the answer.
    pub(crate) fn new(test_case: &str, verdict: Verdict, hash: Option<String>) -> Option<Self> {
        Some(Self {
            test_case: test_case.to_owned(),
            hash: hash.filter(|_| verdict == Verdict::WrongAnswer)?,
        })
    }
}

/// The first other outputs of the solutions of one problem so far.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvidence {
    solutions: usize,
    /// The output that all of them gave; `None` once one of them gave another.
    common: Option<OtherOutput>,
}

impl AnswerEvidence {
    /// Adds a submission that must be accepted and has run, with its first other output. Returns
    /// the remark about the answer file after the last solution of the package, when several agree
    /// against it.
    pub(crate) fn add(
        &mut self,
        first: Option<OtherOutput>,
        planned: &PlannedProblem,
    ) -> Option<String> {
        let agrees = self.solutions == 0 || self.common == first;
        self.solutions += 1;
        self.common = first.filter(|_| agrees);
        let (solutions, problem) = (self.solutions, &planned.name);
        let are_all = solutions > 1 && solutions == planned.solutions_total;
        let test_case = &self.common.as_ref().filter(|_| are_all)?.test_case;
        Some(format!(
            "all {solutions} accepted solutions give the same output on `{test_case}`, so the answer file may be wrong: \
             `judge generate --review {problem}/{test_case}` replaces it with their output"
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::Duration;

    use judge_model::{Expectation, FormatVersion, Problem, Submission};

    use super::*;

    fn solution(scope: Option<&str>) -> Submission {
        let rule = Expectation {
            permitted: vec![Verdict::Accepted],
            scope: scope.map(|group| vec![group.to_owned()]),
            ..Expectation::default()
        };
        Submission {
            expectations: vec![rule],
            ..Submission::default()
        }
    }

    fn planned(submissions: Vec<Submission>) -> PlannedProblem {
        let problem = Problem {
            submissions,
            ..Problem::new("p", PathBuf::from("p"), FormatVersion::V2025_09)
        };
        PlannedProblem::new(Arc::new(problem), "p".to_owned(), Duration::ZERO)
    }

    fn output(test_case: &str, hash: &str) -> Option<OtherOutput> {
        OtherOutput::new(test_case, Verdict::WrongAnswer, Some(hash.to_owned()))
    }

    /// True if these outputs of the solutions of a problem lead to a remark.
    fn is_remarked(planned: &PlannedProblem, outputs: &[Option<OtherOutput>]) -> bool {
        let mut evidence = AnswerEvidence::default();
        let mut remarks = outputs
            .iter()
            .map(|output| evidence.add(output.clone(), planned));
        remarks.any(|remark| remark.is_some())
    }

    #[test]
    fn only_equal_outputs_are_evidence() {
        let planned = planned(vec![solution(None); 2]);
        let is_remarked = |outputs: [_; 2]| is_remarked(&planned, &outputs);
        assert!(is_remarked([output("1", "a"), output("1", "a")]));
        assert!(!is_remarked([output("1", "a"), output("1", "b")]));
        assert!(!is_remarked([output("1", "a"), output("2", "a")]));
        assert!(!is_remarked([output("1", "a"), None]));
        assert!(!is_remarked([None, output("1", "a")]));
        assert_eq!(OtherOutput::new("1", Verdict::WrongAnswer, None), None);
    }

    #[test]
    fn every_solution_of_the_package_must_have_run() {
        let mut planned = planned(vec![solution(None); 3]);
        let outputs = [(); 3].map(|()| output("1", "a"));
        assert!(is_remarked(&planned, &outputs));
        // The third one does not compile or is skipped.
        assert!(!is_remarked(&planned, &outputs[..2]));
        // A selection of two; the total is that of the package.
        planned = planned.with_submissions(|index| index.0 < 2);
        assert!(!is_remarked(&planned, &outputs[..2]));
    }

    #[test]
    fn solutions_must_be_accepted_everywhere() {
        let submissions = vec![
            solution(None),
            solution(Some("sample")),
            Submission::default(),
        ];
        assert_eq!(planned(submissions).solutions_total, 1);
    }
}
