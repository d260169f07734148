//! Plans: the work of a run, in the order of its events.
//!
//! Responsible only for that order: a plan is data. Must not know how programs are run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_event::{PackageFault, PackageWarning, RunShard};
use judge_exec::TimedProblem;
use judge_grading::{TimedRun, must_be_accepted};
use judge_model::{LanguageId, Problem, Program, Submission, SubmissionIndex};

/// The source of a problem's time limit.
#[derive(Clone, Debug)]
pub enum TimeLimitSource {
    /// It is stated, by the package or on the command line.
    Stated,
    /// It is to be inferred from the submissions of this problem, which is complete, with all test
    /// cases and submissions.
    ToInfer(Arc<Problem>),
    /// It was inferred.
    Inferred(Inference),
    /// It could not be inferred, for this reason. Nothing of the problem is run.
    Failed(NotInferred),
}

/// The run from which a time limit was inferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    /// The run that determines it.
    pub run: TimedRun,
    /// The time at which the run of the judge that measured it began, in the form of
    /// [`Origin::started_at`](crate::Origin).
    pub measured_at: Option<String>,
    /// True for a cached run ([`RunSettings::measured`](crate::RunSettings)).
    pub cached: bool,
}

/// The reason why a time limit could not be inferred, by the side at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotInferred {
    /// The package states none, and has nothing from which it could be inferred.
    NothingStated(String),
    /// Another fault of the package prevents measuring.
    PackageFault(String),
    /// This host has no tools for the submissions that must be measured.
    NoTools(String),
}

impl NotInferred {
    /// The message.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::NothingStated(message) | Self::PackageFault(message) | Self::NoTools(message) => {
                message
            }
        }
    }
}

/// The consequence of a time limit without the margins that the package requires on both sides of
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Margins {
    /// No consequence.
    Ignored,
    /// A remark, if a run shows it. No run is extended for it.
    #[default]
    Remarked,
    /// A violation, or a remark in legacy packages, which require less. Runs that are too slow
    /// continue for long enough to show the margin.
    Demanded,
}

/// A problem of a plan.
#[derive(Clone, Debug)]
pub struct PlannedProblem {
    /// Its name, unique in the plan.
    pub name: String,
    /// Its directory as it is written in events, relative to the workspace where possible.
    pub path: String,
    /// The problem, with the selected test cases and submissions only, in package order.
    pub problem: Arc<Problem>,
    /// The number of test cases of the problem, selected or not.
    pub test_cases_total: usize,
    /// The number of solutions of the problem, selected or not
    /// ([`PlannedProblem::count_solutions`]).
    pub solutions_total: usize,
    /// The time limit in force; meaningless while it is to be inferred.
    pub time_limit: Duration,
    /// The factor by which this host is slower than the one for which the package's time limit is
    /// stated. `time_limit` already includes it.
    pub time_factor: f64,
    /// The source of the time limit.
    pub time_limit_source: TimeLimitSource,
    /// The consequence of missing margins. The margins of a limit that was inferred are always
    /// demanded.
    pub margins: Margins,
    /// The paths of its submissions as they are written in events, in the order of the submissions.
    pub submission_paths: Vec<String>,
    /// Warnings about the package.
    pub warnings: Vec<PackageWarning>,
}

impl PlannedProblem {
    /// A problem with a stated time limit, with ignored margins.
    #[must_use]
    pub fn new(problem: Arc<Problem>, path: String, time_limit: Duration) -> Self {
        Self {
            name: problem.name.clone(),
            path,
            test_cases_total: problem.test_cases.len(),
            solutions_total: Self::count_solutions(&problem),
            time_limit,
            time_factor: 1.0,
            time_limit_source: TimeLimitSource::Stated,
            margins: Margins::Ignored,
            submission_paths: problem
                .submissions
                .iter()
                .map(|submission| submission.id.clone())
                .collect(),
            warnings: Vec::new(),
            problem,
        }
    }

    /// The number of submissions of a problem that must be accepted.
    #[must_use]
    pub fn count_solutions(problem: &Problem) -> usize {
        let is_solution = |it: &&Submission| must_be_accepted(&it.expectations);
        problem.submissions.iter().filter(is_solution).count()
    }

    /// The problem without submissions, so that nothing is run.
    pub(crate) fn without_submissions(&self) -> Self {
        let problem = Problem {
            submissions: Vec::new(),
            ..Problem::clone(&self.problem)
        };
        Self {
            problem: Arc::new(problem),
            submission_paths: Vec::new(),
            warnings: Vec::new(),
            ..self.clone()
        }
    }

    /// The problem with only some of its submissions, selected by index.
    #[must_use]
    pub fn with_submissions(&self, is_kept: impl Fn(SubmissionIndex) -> bool) -> Self {
        let mut kept = self.clone();
        let problem = Arc::make_mut(&mut kept.problem);
        let indices = SubmissionIndex::first(problem.submissions.len());
        // Submissions and their paths are two lists of one order, so both are filtered by the
        // index.
        let numbered = indices
            .clone()
            .zip(std::mem::take(&mut problem.submissions));
        problem.submissions = numbered
            .filter_map(|(index, submission)| is_kept(index).then_some(submission))
            .collect();
        let numbered = indices.zip(kept.submission_paths);
        kept.submission_paths = numbered
            .filter_map(|(index, path)| is_kept(index).then_some(path))
            .collect();
        kept
    }

    /// The part of the problem that changed files affect: the changed submissions, if only
    /// submissions changed, and otherwise all of it. `None` if they do not affect it.
    fn affected_by(self, changed: &BTreeSet<PathBuf>) -> Option<Self> {
        let submissions = &self.problem.submissions;
        let of_submissions = self.problem.directory.join("submissions");
        // A removed submission leaves nothing to judge.
        let is_shared = |path: &PathBuf| {
            path.starts_with(&self.problem.directory)
                && !path.starts_with(&of_submissions)
                && !submissions
                    .iter()
                    .any(|submission| is_affected_by(submission, path))
        };
        // Data, validators and the configuration concern every submission. The key of the cache
        // still spares those results that do not depend on the file.
        if changed.iter().any(is_shared) {
            return Some(self);
        }
        // Only files of submissions changed, so the results of other submissions are unchanged and
        // need not even be looked up.
        let kept = self.with_submissions(|index| {
            changed
                .iter()
                .any(|path| is_affected_by(&submissions[index], path))
        });
        (!kept.problem.submissions.is_empty()).then_some(kept)
    }

    /// The problem with its time limit, which must be known, for work outside of a run.
    #[must_use]
    pub fn timed(&self) -> TimedProblem {
        TimedProblem {
            name: self.name.clone(),
            problem: Arc::clone(&self.problem),
            time_limit: self.time_limit,
        }
    }
}

/// True when a path is a submission, a part of it, or a directory around it.
fn is_affected_by(submission: &Submission, path: &Path) -> bool {
    path.starts_with(&submission.path) || submission.path.starts_with(path)
}

/// The plan of a run.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Faults of packages that could not be loaded; they are emitted first.
    pub package_faults: Vec<PackageFault>,
    /// The problems, in order.
    pub problems: Vec<PlannedProblem>,
    /// True when judging a submission stops as soon as no result can change its score or whether it
    /// meets its expectations.
    pub fail_fast: bool,
    /// True when a submission that is too slow is neither run again nor run on later test cases.
    pub impatient: bool,
    /// True when events have the hashes of outputs (`output_hash`), because outputs are compared
    /// with each other.
    pub output_hashes: bool,
    /// The consequence of submissions that this host cannot judge.
    pub skipping: Skipping,
    /// The shard, if the plan is that of a shard; `None` for a whole run.
    pub shard: Option<Box<RunShard>>,
}

/// The consequence of submissions in a language that is unknown or has no tools on this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Skipping {
    /// They are skipped, and reported as such.
    #[default]
    Allowed,
    /// Skipping them is a fault, except in these languages.
    AllowedFor(Vec<LanguageId>),
}

impl Skipping {
    /// True when a submission must not be skipped.
    pub(crate) fn forbids(&self, submission: &Submission) -> bool {
        let language = submission.language.as_ref();
        match self {
            Self::Allowed => false,
            Self::AllowedFor(allowed) => language.is_none_or(|it| !allowed.contains(it)),
        }
    }
}

impl Plan {
    /// Restricts the plan to the problems that changed files affect, and to the changed submissions
    /// of a problem in which only submissions changed.
    pub fn narrow(&mut self, changed: &BTreeSet<PathBuf>) {
        let problems = std::mem::take(&mut self.problems).into_iter();
        let affected = problems.filter_map(|planned| planned.affected_by(changed));
        self.problems = affected.collect();
    }

    /// The number of submissions over all problems.
    #[must_use]
    pub fn submissions(&self) -> usize {
        self.problems
            .iter()
            .map(|planned| planned.problem.submissions.len())
            .sum()
    }

    /// The languages for which tools are needed.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        let mut languages = BTreeSet::new();
        let mut add = |problem: &Problem| {
            let programs = problem
                .output_validator
                .programs()
                .iter()
                .chain(&problem.static_validator)
                .chain(problem.grading.grader())
                .chain(&problem.input_visualizer)
                .chain(&problem.output_visualizer);
            languages.extend(programs.flat_map(Program::languages));
            let submissions = problem.submissions.iter();
            languages.extend(submissions.filter_map(|submission| submission.language.clone()));
        };
        for planned in &self.problems {
            add(&planned.problem);
            // The limit is inferred from submissions of the whole problem, which may need languages
            // that the selected part does not.
            if let TimeLimitSource::ToInfer(whole) = &planned.time_limit_source {
                add(whole);
            }
        }
        languages
    }

    /// The number of test runs over all problems, if nothing is stopped early.
    #[must_use]
    pub fn test_runs(&self) -> usize {
        self.problems
            .iter()
            .map(|planned| planned.problem.submissions.len() * planned.problem.test_cases.len())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use judge_model::FormatVersion;

    use super::*;

    /// The names of the remaining submissions of a problem after these files change. It has two
    /// submissions in its package and one outside.
    fn left(changed: &[&str]) -> Option<String> {
        let paths = [
            "/w/sum/submissions/accepted/a.py",
            "/w/sum/submissions/accepted/b",
            "/w/solutions/sum/c.py",
        ];
        let submission = |path: &str| Submission {
            id: path.to_owned(),
            path: path.into(),
            ..Submission::default()
        };
        let problem = Problem {
            submissions: paths.map(submission).into(),
            ..Problem::new("sum", "/w/sum".into(), FormatVersion::V2025_09)
        };
        let planned = PlannedProblem::new(Arc::new(problem), "sum".to_owned(), Duration::ZERO);
        let mut plan = Plan {
            problems: vec![planned],
            ..Plan::default()
        };
        plan.narrow(&changed.iter().map(PathBuf::from).collect());
        let kept = plan.problems.first()?;
        let ids = kept
            .problem
            .submissions
            .iter()
            .map(|submission| submission.id.as_str());
        assert_eq!(
            ids.collect::<Vec<_>>(),
            kept.submission_paths,
            "each with its own path"
        );
        let names = kept
            .submission_paths
            .iter()
            .filter_map(|path| Path::new(path).file_name()?.to_str());
        Some(names.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn only_changed_submissions_are_judged_again() {
        let left = |changed: &[&str]| left(changed).unwrap_or_default();
        assert_eq!(left(&["/w/sum/submissions/accepted/a.py"]), "a.py");
        assert_eq!(
            left(&[
                "/w/sum/submissions/accepted/b/main.cpp",
                "/w/solutions/sum/c.py"
            ]),
            "b c.py",
            "a part of one"
        );
        assert_eq!(
            left(&["/w/sum/submissions/accepted"]),
            "a.py b",
            "a directory around them"
        );
    }

    #[test]
    fn other_changed_files_affect_all_submissions() {
        assert_eq!(
            left(&["/w/sum/data/secret/1.in"]).as_deref(),
            Some("a.py b c.py")
        );
        let both = ["/w/sum/submissions/accepted/a.py", "/w/sum/problem.yaml"];
        assert_eq!(left(&both).as_deref(), Some("a.py b c.py"));
    }

    #[test]
    fn removed_submissions_and_other_problems_have_no_effect() {
        assert_eq!(left(&["/w/sum/submissions/accepted/gone.py"]), None);
        assert_eq!(
            left(&["/w/other/data/secret/1.in", "/w/solutions/other/a.py"]),
            None
        );
        assert_eq!(left(&[]), None);
    }
}
