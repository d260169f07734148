//! `judge submit`: judges one file as an online judge would.
//!
//! Responsible for finding the problem that a file answers. Must not know how anything is judged or
//! reported.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::Command;
use judge_model::{Expectation, ReportKind, Submission, TestCase, Verdict};
use judge_package::{
    PackageErrors, is_package, load, outside_submission, quoted, remark_on_main_file,
};

use crate::args::SubmitArgs;
use crate::commands::judging::selected_plan::no_samples;
use crate::commands::judging::{JudgingSettings, PlanBuilder, judge};
use crate::commands::selection::select_packages;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;

pub(crate) fn run(config: &Config, args: &SubmitArgs) -> Result<ExitCode, Failure> {
    let (file, package) = file_and_package(config, args)?;
    let settings = args.judging.settings(Command::Submit, args.extent);
    let settings = JudgingSettings {
        time_limit: args.time_limit.seconds,
        ..settings
    };
    let reports = &args.judging.reports;
    let mut loaded = match load(&package, &config.workspace) {
        Ok(loaded) => loaded,
        // An editor that asked for diagnostics gets those of the package in the same form.
        Err(errors) if reports.prints(ReportKind::Short) => {
            let mut builder = PlanBuilder::new(config, settings);
            builder.add_errors(&package, &errors);
            return judge(config, reports, settings, builder.finish());
        }
        Err(errors) => return Err(Failure::package(&errors, &config.workspace.root)),
    };
    if settings.samples && !loaded.problem.test_cases.iter().any(TestCase::is_sample) {
        return Err(no_samples([&loaded.problem.name]));
    }
    let submission = outside_program(config, &file)?;
    note_main_file(config, &submission);
    let submission = must_be_accepted(submission);
    let whole = Arc::new(loaded.problem.clone());
    loaded.problem.submissions = vec![submission];
    let plan = PlanBuilder::plan_of_replaced(config, settings, loaded.problem, whole);
    judge(config, reports, settings, plan)
}

/// The file and the package that the command line names.
pub(crate) fn file_and_package(
    config: &Config,
    args: &SubmitArgs,
) -> Result<(PathBuf, PathBuf), Failure> {
    let file = resolve(config, &args.file)?;
    let package = match &args.problem {
        Some(problem) => package_named(config, problem)?,
        None => guess(config, &file)?,
    };
    Ok((file, package))
}

/// The submission with the only expectation that the exit code depends on.
pub(crate) fn must_be_accepted(submission: Submission) -> Submission {
    let accepted = Expectation {
        origin: "an accepted submission".to_owned(),
        permitted: vec![Verdict::Accepted],
        ..Expectation::default()
    };
    Submission {
        expectations: vec![accepted],
        ..submission
    }
}

/// The real path of a submission on the command line. A link is followed unless it leads to the
/// test data of a package.
pub(crate) fn resolve(config: &Config, file: &Path) -> Result<PathBuf, Failure> {
    let path = config.directory.join(file);
    let unreadable =
        |why: &dyn Display| Failure::Usage(format!("cannot read `{}`: {why}", file.display()));
    let real = path.canonicalize().map_err(|error| unreadable(&error))?;
    if !real.is_file() && !real.is_dir() {
        return Err(unreadable(&"expected a file or a directory"));
    }
    let named = path
        .parent()
        .and_then(|parent| Some(parent.canonicalize().ok()?.join(path.file_name()?)));
    if named.is_some_and(|named| named != real) && is_test_data(&real) {
        return Err(unreadable(&format_args!(
            "the link leads to the test data `{}`",
            config.shown(&real)
        )));
    }
    Ok(real)
}

fn is_test_data(path: &Path) -> bool {
    let packages = path
        .ancestors()
        .skip(1)
        .filter(|ancestor| is_package(ancestor));
    packages
        .into_iter()
        .any(|package| path.starts_with(package.join("data")))
}

/// The program in a file or directory outside of packages.
pub(crate) fn outside_program(config: &Config, path: &Path) -> Result<Submission, Failure> {
    if is_package(path) {
        let name = config.shown(path);
        return Err(Failure::Usage(format!(
            "`{name}` is a problem package, not a program\n\
             hint: `judge run {name}` judges its submissions, `judge submit FILE -p {name}` your program"
        )));
    }
    let from = |errors: PackageErrors| Failure::usage(&errors, &config.directory);
    let languages = &config.workspace.languages;
    outside_submission(path, languages).map_err(from)
}

/// Prints which file of a program is run, if no name decides.
pub(crate) fn note_main_file(config: &Config, submission: &Submission) {
    if let Some(remark) = remark_on_main_file(submission, &config.workspace.languages) {
        note(&remark);
    }
}

/// The one package that a word names.
pub(crate) fn package_named(config: &Config, problem: &str) -> Result<PathBuf, Failure> {
    let selection = select_packages(config, &[problem.to_owned()])?;
    match selection.packages.as_slice() {
        [only] => Ok(only.directory.clone()),
        several => Err(Failure::Usage(format!(
            "`{problem}` names {} problems; expected one",
            several.len()
        ))),
    }
}

/// Guesses the problem that a file answers, by its path: in a package, in the solutions of a
/// problem, in a directory with a problem's name, or a file with a problem's name. Otherwise it is
/// the problem of the current directory.
pub(crate) fn guess(config: &Config, file: &Path) -> Result<PathBuf, Failure> {
    let packages = config
        .workspace
        .packages()
        .map_err(|errors| Failure::usage(&errors, &config.directory))?;
    if let Some(around) = packages.iter().find(|package| file.starts_with(package)) {
        return Ok(around.clone());
    }
    // The nearest directory first, then the name of the file: `fiveup/main.rs` and `fiveup.rs` are
    // both clear.
    let directories = file.ancestors().skip(1).filter_map(Path::file_name);
    let found = directories.chain(file.file_stem()).find_map(|word| {
        let word = word.to_string_lossy().to_lowercase();
        packages.iter().find(|package| name(package) == word)
    });
    let here = || {
        packages
            .iter()
            .find(|package| config.directory.starts_with(package))
    };
    found.or_else(here).cloned().ok_or_else(|| {
        let shown = config.shown(file);
        let names = packages.iter().map(|package| name(package));
        let hint = if packages.is_empty() {
            let examples = examples_directory(&config.directory);
            format!("no package was found; `judge try {shown} -i {examples}` runs it on a directory of examples")
        } else {
            format!("name it with -p PROBLEM; known: {}", quoted(names))
        };
        Failure::Usage(format!("cannot determine the problem of `{shown}`\nhint: {hint}"))
    })
}

/// The directory of examples to suggest: an existing one with a usual name, or else a placeholder.
fn examples_directory(directory: &Path) -> &'static str {
    let usual = ["samples", "sample", "examples", "tests"];
    usual
        .into_iter()
        .find(|name| directory.join(name).is_dir())
        .unwrap_or("EXAMPLES")
}

/// The name of a package, which may be an archive.
fn name(package: &Path) -> String {
    let name = if package.is_dir() {
        package.file_name()
    } else {
        package.file_stem()
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}
