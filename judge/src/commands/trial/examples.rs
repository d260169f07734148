//! A program on examples with answers, judged as by `judge submit`.
//!
//! Responsible for the problem that consists of them. Must not know how anything is judged or
//! rendered.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_event::Command;
use judge_interchange::Examples;
use judge_model::{Grading, OutputValidator, Problem, Submission};
use judge_report::Verbosity;

use crate::args::{OutputCheckArgs, ReportingArgs};
use crate::commands::judging::submit::must_be_accepted;
use crate::commands::judging::{JudgingSettings, PlanBuilder, judge};
use crate::commands::loose::problem_of;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;

/// The time limit if none is known: examples are small.
const EXAMPLE_TIME: Duration = Duration::from_secs(5);

/// Judges the program on all of them, with the limits and the output validator of the package, if
/// one was named.
pub(super) fn judge_all(
    config: &Config,
    settings: JudgingSettings,
    (examples, check): (&Examples, &OutputCheckArgs),
    is_record: bool,
    package: Option<Problem>,
    submission: Submission,
) -> Result<ExitCode, Failure> {
    for input in &examples.unanswered {
        let name = input
            .input
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        note(&format!("`{name}` is left out: no output next to it"));
    }
    let submission = must_be_accepted(submission);
    // A user waits, and may run a program again because its results vary.
    let quick = JudgingSettings {
        impatient: true,
        no_cache: true,
        ..settings
    };
    let mut settings = JudgingSettings {
        command: Some(Command::Submit),
        ..quick
    };
    if !examples.named_files.are_standard() {
        note(&named_files_in_words(examples, package.as_ref()));
    }
    let whole = package.clone().map(Arc::new);
    let mut problem = match package {
        // A record of a conversation is replayed, without the interactor.
        Some(package) if package.interactive && is_record => without_interactor(package),
        Some(package) if package.interactive => {
            return Err(Failure::Usage(format!(
                "`{}` is interactive: examples cannot be compared\nhint: name a test case with --input, such as `sample/1`",
                package.name
            )));
        }
        Some(package) => package,
        None => {
            for remark in &examples.remarks {
                note(remark);
            }
            // A checker must be able to read the files. Without one, a temporary directory would be
            // useless in the cache.
            let is_place = examples.are_kept() || check.checker.is_some();
            let kept = examples.test_cases.first().filter(|_| is_place);
            let place = kept.and_then(|case| case.input.parent());
            let place = place.map_or_else(|| config.directory.clone(), PathBuf::from);
            let mut unknown = problem_of(&examples.name, place, vec![submission.clone()]);
            settings.time_limit = settings
                .time_limit
                .or(examples.time_limit)
                .or(Some(EXAMPLE_TIME));
            unknown.named_files.clone_from(&examples.named_files);
            unknown.limits.memory_bytes =
                examples.memory_bytes.unwrap_or(unknown.limits.memory_bytes);
            unknown
        }
    };
    let whole = whole.unwrap_or_else(|| Arc::new(problem.clone()));
    problem.submissions = vec![submission];
    problem.test_cases.clone_from(&examples.test_cases);
    problem.test_groups.clear();
    if !check.is_default() {
        check.apply(config, &mut problem)?;
    }
    // Every example gets a line.
    let mut terminal = config.terminal;
    terminal.verbosity = terminal.verbosity.max(Verbosity::Verbose);
    let config = Config {
        terminal,
        ..config.clone()
    };
    let plan = PlanBuilder::plan_of_replaced(&config, settings, problem, whole);
    judge(&config, &ReportingArgs::default(), settings, plan)
}

/// The problem with its limits, whose submissions read an input and write an output that is
/// compared.
fn without_interactor(problem: Problem) -> Problem {
    Problem {
        interactive: false,
        passes: 1,
        output_validator: OutputValidator::Default,
        grading: Grading::PassFail,
        static_validator: None,
        ..problem
    }
}

/// The sentence about files in place of standard input and output, or why they are not used.
fn named_files_in_words(examples: &Examples, package: Option<&Problem>) -> String {
    let files = &examples.named_files;
    let named = [("reads", &files.input), ("writes", &files.output)];
    let named: Vec<String> = named
        .into_iter()
        .filter_map(|(what, file)| Some(format!("{what} `{}`", file.as_ref()?)))
        .collect();
    match package {
        None => format!(
            "the program {} in its working directory",
            named.join(" and ")
        ),
        Some(package) => format!(
            "the program {} in these examples, but the input and output of `{}` are used",
            named.join(" and "),
            package.name
        ),
    }
}
