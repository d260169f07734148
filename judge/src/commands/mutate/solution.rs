//! The solution of a problem that is mutated, and all that is known of it.
//!
//! Responsible for which solution is meant, and for what is argued about its mutants. Must not know how mutants are made
//! or judged, nor what follows from it.

use std::io;

use judge_event::{Mutation, Progress};
use judge_grading::must_be_accepted;
use judge_model::{Expectation, Submission, SubmissionIndex, Verdict};
use judge_mutation::{EQUIVALENTS, Equivalent, MutantLanguage, Settings, mutate, parse_equivalents};
use judge_report::{Reporter, Terminal, noun};
use judge_runner::PlannedProblem;

use crate::commands::judging::RunContext;
use crate::commands::mutate::hunt_package::HuntPackage;
use crate::config::Config;
use crate::failure::Failure;
use crate::reporters::note;

/// A solution, and what is argued about it.
pub(crate) struct Solution {
    /// The problem, of whose submissions this is the only one.
    pub(crate) planned: PlannedProblem,
    pub(crate) submission: Submission,
    equivalents: Vec<Equivalent>,
    /// The package in which survivors are hunted, if they are.
    pub(crate) hunt_package: Option<HuntPackage>,
}

impl Solution {
    /// Those of `all` that must be accepted, of those that were named, or else the first, in the first of the
    /// [languages](MutantLanguage::ALL) that there is one in.
    pub(crate) fn of(
        config: &Config,
        with_hunt: bool,
        all: bool,
        planned: &PlannedProblem,
    ) -> Result<Vec<Self>, Failure> {
        let language = |of: &Submission| of.language.as_ref().and_then(MutantLanguage::of);
        let submissions = &planned.problem.submissions;
        if all {
            let is_meant = |of: &Submission| language(of).is_some() && is_to_be_accepted(of);
            let meant = SubmissionIndex::enumerate(submissions).filter(|(_, submission)| is_meant(submission));
            return meant.map(|(index, _)| Self::at(config, with_hunt, planned, index)).collect();
        }
        let first = MutantLanguage::ALL.into_iter().find_map(|wanted| {
            let is_meant = |of: &Submission| language(of) == Some(wanted) && is_to_be_accepted(of);
            SubmissionIndex::enumerate(submissions).find(|(_, submission)| is_meant(submission))
        });
        first.into_iter().map(|(index, _)| Self::at(config, with_hunt, planned, index)).collect()
    }

    /// The one at this place.
    fn at(config: &Config, with_hunt: bool, planned: &PlannedProblem, index: SubmissionIndex) -> Result<Self, Failure> {
        let submission = planned.problem.submissions[index].clone();
        let equivalents = equivalents(config, planned, &submission.id)?;
        let hunt_package = with_hunt.then(|| HuntPackage::new(config, planned)).transpose()?;
        let planned = planned.with_submissions(|other| other == index);
        Ok(Self { planned, submission, equivalents, hunt_package })
    }

    /// Tries its mutants. `None` when it was interrupted, which has been printed.
    pub(crate) fn mutate(
        &self,
        config: &Config,
        settings: &Settings,
        context: &RunContext,
    ) -> Result<Option<Mutation>, Failure> {
        let mut bar =
            Terminal::new(config.terminal, Box::new(io::sink()), config.progress_target()).counting("mutants");
        let (timed, solution) = (self.planned.timed(), &self.submission);
        let mut reached = Progress::default();
        let mutation = mutate(&timed, solution, &self.equivalents, &context.environment, settings, &mut |progress| {
            reached = furthest(std::mem::take(&mut reached), progress);
            bar.progress(progress)
        });
        bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
        let mutation = mutation?;
        if mutation.is_none() {
            note(&interruption(&format!("{}/{}", self.planned.name, solution.id), &reached));
        }
        let path = self.planned.submission_paths.concat();
        Ok(mutation.map(|mutation| Mutation { path, ..mutation }))
    }
}

/// The progress with the mutants themselves: the survivors, which are compared after that, have a count of their own.
fn furthest(reached: Progress, now: &Progress) -> Progress {
    if (now.total, now.done) < (reached.total, reached.done) { reached } else { now.clone() }
}

/// Says what an interrupt leaves of the mutants of a solution.
fn interruption(solution: &str, reached: &Progress) -> String {
    match reached.done {
        0 => format!("interrupted before any mutant of `{solution}` was tried"),
        done => format!(
            "interrupted with {done} of {} of `{solution}` tried; their results are cached: run again to continue",
            format_args!("{} {}", reached.total, noun(reached.total, "mutant", "mutants"))
        ),
    }
}

/// True for a solution that must be accepted, if only as a whole: in legacy packages with graders nothing is asked of
/// single test cases. One that some test case rejects is no reference for its mutants, which is reported when it runs.
fn is_to_be_accepted(submission: &Submission) -> bool {
    let accepted_as_a_whole = |rule: &Expectation| rule.scope.is_none() && rule.whole == [Verdict::Accepted];
    must_be_accepted(&submission.expectations) || submission.expectations.iter().any(accepted_as_a_whole)
}

/// The size of a file of arguments, which people write.
const MAX_EQUIVALENTS: u64 = 16 << 20;

/// The arguments of the package that mutants of this solution are equivalent to it.
fn equivalents(config: &Config, planned: &PlannedProblem, solution: &str) -> Result<Vec<Equivalent>, Failure> {
    let file = planned.problem.directory.join(EQUIVALENTS);
    let text = match judge_package::read_text_within(&file, MAX_EQUIVALENTS) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::Package(format!("cannot read `{}`: {error}", config.shown(&file)))),
    };
    let found =
        parse_equivalents(&text).map_err(|error| Failure::Package(format!("{}:{error}", config.shown(&file))))?;
    Ok(found.into_iter().filter(|argued| argued.solution == solution).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparing_survivors_leaves_the_count_of_mutants() {
        let of = |done, total| Progress { done, total, ..Progress::default() };
        let steps = [of(0, 20), of(19, 20), of(20, 20), of(0, 7), of(4, 7)];
        let reached = steps.iter().fold(Progress::default(), furthest);
        assert!(interruption("a/b.rs", &reached).starts_with("interrupted with 20 of 20 mutants of `a/b.rs` tried"));
        assert!(interruption("a/b.rs", &of(0, 20)).starts_with("interrupted before"));
    }
}
