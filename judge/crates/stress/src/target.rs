//! The target of a search: the submissions, the predicate, and the reference.
//!
//! Responsible for finding submissions by name, and for the defaults. Pure. Must not know how
//! packages are read.

use std::collections::BTreeSet;
use std::mem;
use std::path::PathBuf;

use judge_grading::must_be_accepted;
use judge_model::{Problem, Submission, SubmissionIndex, TestCase, Verdict};

use crate::predicate::Predicate;
use crate::search::Finding;

/// The target of a search as the user typed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetRequest<'a> {
    /// The predicate. The default is that the submission fails, or that several disagree.
    pub predicate: Option<&'a str>,
    /// The submission that writes the answers.
    pub reference: Option<&'a str>,
    /// The id of the submission that writes the answers according to the rules of the package.
    pub answers_by: Option<&'a str>,
    /// True when the problem belongs to a package.
    pub in_package: bool,
}

/// The target of a search in a problem.
#[derive(Clone, Debug)]
pub struct Target {
    /// The problem. Its submissions are the named ones, followed by the others of the package.
    pub problem: Problem,
    /// The number of named submissions (entrants).
    pub entrants: usize,
    /// The predicate that must hold for an input.
    pub predicate: Predicate,
    /// The predicate as it was typed, or in words.
    pub words: String,
    /// The submission that writes the answers.
    pub reference: SubmissionIndex,
    /// True when the problem belongs to a package; false for loose files.
    pub in_package: bool,
    /// The submissions in the package.
    of_package: BTreeSet<SubmissionIndex>,
}

impl Target {
    /// Chooses the target of a request in a problem with its own submissions and the entrants.
    /// `named` returns the paths of the submissions that a word selects if it is not an id.
    ///
    /// # Errors
    /// Returns a message when a name selects no submission or several, and when another submission
    /// is needed.
    pub fn choose(
        mut problem: Problem,
        entrants: Vec<Submission>,
        request: TargetRequest<'_>,
        named: &dyn Fn(&str) -> Result<Vec<PathBuf>, String>,
    ) -> Result<Self, String> {
        if problem.submit_answer {
            let why = "the submissions of this problem are answers, not programs: there is nothing to run on other inputs";
            return Err(why.to_owned());
        }
        let own = mem::take(&mut problem.submissions);
        let is_own = |submission: &Submission| {
            own.iter()
                .any(|submission_| submission_.path == submission.path)
        };
        let mut of_package: BTreeSet<SubmissionIndex> = SubmissionIndex::enumerate(&entrants)
            .filter(|(_, submission_)| is_own(submission_))
            .map(|(index, _)| index)
            .collect();
        let count = entrants.len();
        let mut candidates = entrants;
        for submission in &own {
            if !candidates.iter().any(|known| known.path == submission.path) {
                of_package.insert(SubmissionIndex(candidates.len()));
                candidates.push(submission.clone());
            }
        }
        let mut find = |name: &str| find(&candidates, name, named);
        let predicate = match request.predicate {
            Some(text) => {
                Predicate::read(text, &mut find).map_err(|why| format!("in `--find`: {why}"))?
            }
            None if count == 1 => Predicate::fails(SubmissionIndex(0)),
            None => Predicate::disagree(&SubmissionIndex::first(count).collect::<Vec<_>>())
                .ok_or("expected at least one submission, or `--find`")?,
        };
        let reference = match request.reference {
            Some(name) => find(name)?,
            None => reference(&problem.name, &candidates, count, request.answers_by)?,
        };
        let words =
            request
                .predicate
                .map(str::to_owned)
                .unwrap_or_else(|| match candidates.as_slice() {
                    [only, ..] if count == 1 => format!("an input on which `{}` fails", only.id),
                    _ => "an input on which verdicts differ".to_owned(),
                });
        problem.submissions = candidates;
        add_placeholder(&mut problem);
        Ok(Self {
            problem,
            entrants: count,
            predicate,
            words,
            reference,
            in_package: request.in_package,
            of_package,
        })
    }

    /// The submissions that must be prepared.
    #[must_use]
    pub fn needed(&self) -> BTreeSet<SubmissionIndex> {
        let mut needed = self.predicate.submissions();
        needed.insert(self.reference);
        needed
    }

    /// The ids of the submissions of the package that fail on a finding. A test case created from
    /// the finding must reject them.
    pub(crate) fn must_be_rejected(&self, finding: &Finding) -> Vec<String> {
        let failed = finding
            .results
            .iter()
            .filter(|result| result.class.verdict != Verdict::Accepted);
        let failed = failed.map(|result| result.submission);
        let required =
            failed.filter(|index| *index != self.reference && self.of_package.contains(index));
        required.map(|index| self.id(index).to_owned()).collect()
    }

    /// The id of a submission.
    #[must_use]
    pub fn id(&self, submission: SubmissionIndex) -> &str {
        self.problem
            .submissions
            .get(submission.0)
            .map_or("", |submission| &submission.id)
    }
}

/// Adds a placeholder test case to a problem without any. Generated inputs use its settings.
pub fn add_placeholder(problem: &mut Problem) {
    if problem.test_cases.is_empty() {
        problem.test_cases.push(TestCase {
            id: "secret/none".to_owned(),
            ..TestCase::default()
        });
    }
}

/// Finds the submission with this id, or else the one that the word selects.
fn find(
    candidates: &[Submission],
    word: &str,
    named: &dyn Fn(&str) -> Result<Vec<PathBuf>, String>,
) -> Result<SubmissionIndex, String> {
    let all = || SubmissionIndex::enumerate(candidates);
    if let Some((index, _)) = all().find(|(_, submission)| submission.id == word) {
        return Ok(index);
    }
    let paths = named(word)?;
    let found: Vec<SubmissionIndex> = all()
        .filter(|(_, submission)| paths.contains(&submission.path))
        .map(|(index, _)| index)
        .collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(format!(
            "`{word}` is neither compared nor part of the package"
        )),
        several => {
            let ids: Vec<String> = several
                .iter()
                .map(|index| format!("`{}`", candidates[*index].id))
                .collect();
            Err(format!(
                "`{word}` matches several submissions: {}",
                ids.join(", ")
            ))
        }
    }
}

/// Chooses the submission that writes the answers: the one in the rules of the package, or else the
/// first that must be accepted. An entrant is chosen only if there is no other and several entrants
/// are compared.
fn reference(
    problem: &str,
    candidates: &[Submission],
    entrants: usize,
    answers_by: Option<&str>,
) -> Result<SubmissionIndex, String> {
    let runs = |index: &SubmissionIndex| candidates[*index].language.is_some();
    let others = SubmissionIndex(entrants)..SubmissionIndex(candidates.len());
    let others: Vec<SubmissionIndex> = SubmissionIndex::each(others).filter(runs).collect();
    let preferred = others
        .iter()
        .find(|index| answers_by == Some(candidates[**index].id.as_str()));
    let first = others
        .iter()
        .find(|index| must_be_accepted(&candidates[**index].expectations));
    match preferred.or(first) {
        Some(index) => Ok(*index),
        None if entrants > 1 => Ok(SubmissionIndex(0)),
        None => Err(format!(
            "expected another accepted submission of `{problem}` that writes the answers\n\
             hint: name one with --reference"
        )),
    }
}

#[cfg(test)]
mod tests {
    use judge_model::{Expectation, FormatVersion, LanguageId};

    use super::*;

    fn submission(id: &str) -> Submission {
        let permitted = if id.starts_with("accepted/") {
            vec![Verdict::Accepted]
        } else {
            Vec::new()
        };
        Submission {
            id: id.to_owned(),
            path: format!("/package/submissions/{id}").into(),
            language: Some(LanguageId("c".to_owned())),
            expectations: vec![Expectation {
                permitted,
                ..Expectation::default()
            }],
            ..Submission::default()
        }
    }

    fn problem() -> Problem {
        let ids = [
            "accepted/a.c",
            "accepted/b.c",
            "wrong_answer/greedy.c",
            "time_limit_exceeded/slow.c",
        ];
        Problem {
            submissions: ids.map(submission).to_vec(),
            ..Problem::new("sum", "/package".into(), FormatVersion::V2025_09)
        }
    }

    fn no_match(word: &str) -> Result<Vec<PathBuf>, String> {
        Err(format!("no submission `{word}`"))
    }

    fn outside(name: &str) -> Submission {
        let path = format!("/elsewhere/{name}").into();
        Submission {
            id: name.to_owned(),
            path,
            expectations: Vec::new(),
            ..submission(name)
        }
    }

    #[test]
    fn the_first_accepted_submission_is_the_reference() {
        let target = Target::choose(
            problem(),
            vec![outside("mine.c")],
            TargetRequest::default(),
            &no_match,
        )
        .unwrap();
        assert_eq!(
            (
                target.entrants,
                target.id(SubmissionIndex(0)),
                target.id(target.reference)
            ),
            (1, "mine.c", "accepted/a.c")
        );
        assert_eq!(target.words, "an input on which `mine.c` fails");
        assert!(target.of_package.iter().map(|index| index.0).eq(1..=4));
        assert_eq!(target.needed(), BTreeSet::from([0, 1].map(SubmissionIndex)));
        assert_eq!(target.problem.test_cases.len(), 1);
    }

    #[test]
    fn entrants_are_the_reference_only_without_other_submissions() {
        let own = vec![submission("accepted/a.c")];
        let target = Target::choose(problem(), own, TargetRequest::default(), &no_match).unwrap();
        assert_eq!(
            (
                target.problem.submissions.len(),
                target.id(target.reference)
            ),
            (4, "accepted/b.c")
        );
        assert!(target.of_package.contains(&SubmissionIndex(0)));
        let by_rules = TargetRequest {
            answers_by: Some("wrong_answer/greedy.c"),
            ..TargetRequest::default()
        };
        let target =
            Target::choose(problem(), vec![outside("mine.c")], by_rules, &no_match).unwrap();
        assert_eq!(target.id(target.reference), "wrong_answer/greedy.c");
        let empty = Problem {
            submissions: Vec::new(),
            ..problem()
        };
        let alone = Target::choose(
            empty.clone(),
            vec![outside("mine.c")],
            TargetRequest::default(),
            &no_match,
        )
        .unwrap_err();
        assert!(
            alone.starts_with("expected another accepted submission of `sum`"),
            "{alone}"
        );
        let several = Target::choose(
            empty,
            vec![outside("a.c"), outside("b.c")],
            TargetRequest::default(),
            &no_match,
        )
        .unwrap();
        assert_eq!(
            (several.reference, several.words.as_str()),
            (SubmissionIndex(0), "an input on which verdicts differ")
        );
    }

    #[test]
    fn words_select_submissions_by_id_or_name() {
        let mut candidates = problem().submissions;
        assert_eq!(
            find(&candidates, "wrong_answer/greedy.c", &no_match),
            Ok(SubmissionIndex(2))
        );
        assert!(
            find(&candidates, "none", &no_match)
                .unwrap_err()
                .starts_with("no submission `none`")
        );
        let paths = |ids: &'static [&'static str]| {
            move |_: &str| {
                Ok(ids
                    .iter()
                    .map(|id| format!("/package/submissions/{id}").into())
                    .collect())
            }
        };
        assert_eq!(
            find(&candidates, "slow", &paths(&["time_limit_exceeded/slow.c"])),
            Ok(SubmissionIndex(3))
        );
        let error = find(
            &candidates,
            "accepted",
            &paths(&["accepted/a.c", "accepted/b.c"]),
        )
        .unwrap_err();
        assert_eq!(
            error,
            "`accepted` matches several submissions: `accepted/a.c`, `accepted/b.c`"
        );
        candidates.truncate(1);
        assert!(find(&candidates, "slow", &paths(&["time_limit_exceeded/slow.c"])).is_err());
    }

    #[test]
    fn invalid_targets_are_refused() {
        let choose = |problem, entrants, request| {
            Target::choose(problem, entrants, request, &no_match).unwrap_err()
        };
        let answers = Problem {
            submit_answer: true,
            ..problem()
        };
        assert!(
            choose(answers, vec![outside("a")], TargetRequest::default())
                .contains("are answers, not programs")
        );
        assert!(
            choose(problem(), Vec::new(), TargetRequest::default())
                .starts_with("expected at least one submission")
        );
        let predicate = TargetRequest {
            predicate: Some("unknown.c ~ WA"),
            ..TargetRequest::default()
        };
        assert!(choose(problem(), Vec::new(), predicate).starts_with("in `--find`: "));
    }
}
