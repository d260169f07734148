//! Tries an upgrade: applies its steps to a copy, which is compared with the package.
//!
//! Responsible for checking that an upgraded package loads, and that everything that determines
//! verdicts is unchanged. Must not judge anything.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use judge_model::{OutputValidator, Problem, Submission, TestCase};
use judge_package::{LoadedPackage, Workspace, load};

use super::Upgrade;
use crate::scratch::scratch;
use crate::{InterchangeError, IsStopped, Result};

impl Upgrade {
    /// Applies the steps to a copy of the package, and loads it: it must have the same test cases,
    /// submissions, limits, validators and arguments. `workspace` is the package's workspace, which
    /// defines the languages.
    ///
    /// # Errors
    /// If it does not, if the copy cannot be created, or if the work is stopped.
    pub fn try_on_copy(
        &self,
        loaded: &LoadedPackage,
        workspace: &Workspace,
        is_stopped: IsStopped<'_>,
    ) -> Result<()> {
        let problem = &loaded.problem;
        let temporary = scratch()?;
        let copy = temporary.path().join(&problem.name);
        let copied = copy_directory(&problem.directory, &copy, is_stopped);
        if is_stopped() {
            return Err(InterchangeError::Stopped);
        }
        copied.map_err(InterchangeError::unwritable(&copy))?;
        self.apply_to_copy(&copy)?;
        let mut bare = Workspace::bare(&copy);
        bare.languages.clone_from(&workspace.languages);
        let broken = |why: String| InterchangeError::Trial {
            problem: problem.name.clone(),
            why,
        };
        let again = load(&copy, &bare).map_err(|errors| broken(errors.to_string()))?;
        match difference(loaded, &again) {
            Some(what) => Err(broken(format!("{what} would change"))),
            None => Ok(()),
        }
    }
}

/// Returns a difference that may change verdicts, if the loaded packages show one.
fn difference(before: &LoadedPackage, after: &LoadedPackage) -> Option<&'static str> {
    let (old, new) = (&before.problem, &after.problem);
    let cases = |problem: &Problem| -> BTreeSet<String> {
        let cases = problem.test_cases.iter();
        cases.map(|case| case.id.clone()).collect()
    };
    let own = |problem: &Problem| -> Vec<Submission> {
        let mut submissions = problem.submissions.clone();
        submissions.retain(|submission| submission.path.starts_with(&problem.directory));
        submissions
    };
    let submissions = |problem: &Problem| -> BTreeSet<String> {
        let own = own(problem).into_iter();
        own.map(|submission| submission.id).collect()
    };
    let languages = |problem: &Problem| -> BTreeSet<_> {
        let own = own(problem).into_iter();
        own.map(|submission| (submission.id, submission.language, submission.entry_class))
            .collect()
    };
    let programs = |problem: &Problem| {
        let outputs: &[_] = match &problem.output_validator {
            OutputValidator::Custom(programs) => programs,
            OutputValidator::Default => &[],
        };
        let programs = problem.input_validators.iter().chain(outputs);
        programs
            .map(|program| program.language.clone())
            .collect::<Vec<_>>()
    };
    let types = |problem: &Problem| {
        (
            problem.interactive,
            problem.passes,
            problem.submit_answer,
            problem.grading.scores(),
            problem.languages.clone(),
        )
    };
    let arguments = |problem: &Problem| -> Vec<_> {
        let arguments = |case: &TestCase| {
            let of_validator = case.output_validator_args.all.clone();
            (case.id.clone(), case.args.clone(), of_validator)
        };
        problem.test_cases.iter().map(arguments).collect()
    };
    let validators = |problem: &Problem| problem.input_validators.len();
    let custom = |problem: &Problem| matches!(problem.output_validator, OutputValidator::Custom(_));
    let differs = [
        (cases(old) != cases(new), "its test cases"),
        (submissions(old) != submissions(new), "its submissions"),
        (
            languages(old) != languages(new),
            "the languages of submissions",
        ),
        (
            programs(old) != programs(new),
            "the languages of validators",
        ),
        (old.limits != new.limits, "the limits"),
        (types(old) != types(new), "the type or the languages"),
        (
            old.allow_file_writing != new.allow_file_writing,
            "the files that submissions may write",
        ),
        (
            arguments(old) != arguments(new),
            "the arguments of test cases or of the output validator",
        ),
        (
            validators(old) != validators(new) || custom(old) != custom(new),
            "the validators",
        ),
        (
            before.input_args() != after.input_args(),
            "the arguments of input validators",
        ),
    ];
    differs
        .into_iter()
        .find(|(differs, _)| *differs)
        .map(|(_, what)| what)
}

/// Copies a package without `.git`, unless the work is stopped. Links are copied as links, since
/// they do not leave the package.
fn copy_directory(from: &Path, to: &Path, is_stopped: IsStopped<'_>) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        if is_stopped() {
            return Ok(());
        }
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && entry.file_name() != ".git" {
            copy_directory(&entry.path(), &target, is_stopped)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
