//! The programs and the test cases of a comparison.
//!
//! Responsible for the meaning of the command line, and for missing answers. Must not time
//! anything.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use judge_exec::{Fault, Refusal, Session};
use judge_files::LockedDirectory;
use judge_interchange::Examples;
use judge_model::{
    OutputValidator, ProblemIndex, Submission, SubmissionIndex, TestCase, TestCaseIndex, Verdict,
};
use judge_package::has_source;
use judge_runner::Plan;

use crate::args::CompareArgs;
use crate::commands::judging::submission_args::named_submissions;
use crate::commands::judging::submit::guess;
use crate::commands::judging::{JudgingSettings, PlanBuilder, RunContext};
use crate::commands::loose::{self, DEFAULT_TIME_LIMIT, LooseProblem, read_input};
use crate::config::Config;
use crate::failure::Failure;

/// The message of a comparison that was interrupted.
pub(super) const INTERRUPTED: &str = "interrupted: nothing was compared";

/// One problem with the programs to compare, which have no expectations.
pub(super) struct ComparedProblem {
    pub(super) plan: Plan,
    /// The test cases whose answers the first program has to write.
    unanswered: Vec<TestCaseIndex>,
    /// Owns the files of a problem of loose files.
    _directory: Option<LockedDirectory>,
}

impl ComparedProblem {
    pub(super) fn read(
        config: &Config,
        args: &CompareArgs,
        settings: JudgingSettings,
    ) -> Result<Self, Failure> {
        if is_loose(config, args)? {
            return Self::of_loose_files(config, args, settings);
        }
        let (mut loaded, submissions) =
            named_submissions(config, args.problem.name.as_deref(), &args.submissions)?;
        expect_two(&submissions)?;
        let whole = Arc::new(loaded.problem.clone());
        loaded.problem.submissions = submissions;
        let plan = PlanBuilder::plan_of_replaced(config, settings, loaded.problem, whole);
        Ok(Self {
            plan: Plan {
                output_hashes: true,
                ..plan
            },
            unanswered: Vec::new(),
            _directory: None,
        })
    }

    fn of_loose_files(
        config: &Config,
        args: &CompareArgs,
        settings: JudgingSettings,
    ) -> Result<Self, Failure> {
        let programs = loose::programs_from_files(config, &args.submissions)?;
        expect_two(&programs)?;
        let loose = LooseProblem::new(config, &args.output_check, programs)?;
        let (mut problem, directory) = (loose.problem, loose.directory);
        let mut unanswered = Vec::new();
        for word in &args.inputs {
            for (id, input, answer) in inputs(config, word)? {
                let number = problem.test_cases.len();
                let file = |extension: &str| directory.path().join(format!("{number}.{extension}"));
                if problem.test_cases.iter().any(|case| case.id == id) {
                    return Err(Failure::Usage(format!("the input `{id}` is named twice")));
                }
                if answer.is_none() {
                    unanswered.push(TestCaseIndex(number));
                }
                let case = LooseProblem::test_case(id, &args.output_check);
                let case = TestCase {
                    input: file("in"),
                    answer: file("ans"),
                    ..case
                };
                // The files are copies: validators see only the directory of their problem, and a
                // file that changes during the comparison would make every ratio meaningless.
                let written = fs::write(&case.input, input)
                    .and_then(|()| fs::write(&case.answer, answer.unwrap_or_default()));
                written.map_err(|source| Failure::write("a copy of the input", source))?;
                problem.test_cases.push(case);
            }
        }
        let settings = JudgingSettings {
            time_limit: settings.time_limit.or(Some(DEFAULT_TIME_LIMIT)),
            ..settings
        };
        let plan = PlanBuilder::plan_of(config, settings, problem);
        Ok(Self {
            plan: Plan {
                output_hashes: true,
                ..plan
            },
            unanswered,
            _directory: Some(directory),
        })
    }

    /// Makes the first program write the missing answers. Returns the reason if it cannot.
    pub(super) fn write_answers(&self, context: &RunContext) -> Result<Option<String>, Failure> {
        let planned = &self.plan.problems[0];
        let has_checker = self._directory.is_some()
            && matches!(planned.problem.output_validator, OutputValidator::Custom(_));
        if self.unanswered.is_empty() && !has_checker {
            return Ok(None);
        }
        let _interrupts = context.listen()?;
        let session = Session::open(vec![planned.timed()], &context.environment, false)?;
        let mut adhoc = session.adhoc_input(ProblemIndex(0), None)?;
        let prepared = match adhoc.prepare_submission(SubmissionIndex(0)) {
            Ok(prepared) => prepared,
            // There is no package: its only program is the checker.
            Err(Fault::Refused(Refusal::Package(why))) => {
                let why = why.replacen("the output validator `", "the checker `", 1);
                return Err(Failure::Package(why));
            }
            // The run that compares answers reports it.
            Err(Fault::Refused(_)) => return Ok(None),
            Err(Fault::Host(error)) => return Err(error.into()),
        };
        for index in &self.unanswered {
            let case = &planned.problem.test_cases[*index];
            let failed = |source| Failure::write("an answer", source);
            adhoc.take(&fs::read(&case.input).map_err(failed)?, *index)?;
            let Some((result, output)) = adhoc.output(&prepared)? else {
                return Ok(Some(INTERRUPTED.to_owned()));
            };
            if result.verdict != Verdict::Accepted {
                let (name, verdict) = (&planned.problem.submissions[0].id, result.verdict.code());
                let why = result
                    .reason
                    .map(|why| format!(" ({why})"))
                    .unwrap_or_default();
                let limit = match result.verdict {
                    Verdict::TimeLimitExceeded => format!(
                        ", or raise --time-limit ({} s)",
                        planned.time_limit.as_secs_f64()
                    ),
                    _ => String::new(),
                };
                return Ok(Some(format!(
                    "nothing was compared: `{name}` comes first and writes the answers, but gets {verdict} on `{}`{why}\n\
                     hint: put a program first that is correct on this input{limit}",
                    case.id
                )));
            }
            fs::write(&case.answer, output).map_err(failed)?;
        }
        Ok(None)
    }
}

/// True when the programs are compared on inputs in place of a package.
fn is_loose(config: &Config, args: &CompareArgs) -> Result<bool, Failure> {
    if !args.inputs.is_empty() {
        return Ok(true);
    }
    // The first program determines the problem of the others.
    let is_outside = |programs: &Vec<Submission>| {
        args.problem.name.is_none() && guess(config, &programs[0].path).is_err()
    };
    let programs = if args.problem.name.is_none() {
        loose::programs(config, &args.submissions)
            .map_err(|failure| with_input_hint(config, &args.submissions, failure))?
    } else {
        None
    };
    let Some(programs) = programs.filter(is_outside) else {
        args.output_check.expect_no_package()?;
        return Ok(false);
    };
    let other = if programs.len() < 2 { "OTHER.cpp " } else { "" };
    Err(Failure::Usage(format!(
        "`{}` belongs to no problem, so `--input` is required\nhint: `{}`; or name the problem with -p PROBLEM",
        config.shown(&programs[0].path),
        loose::command_with(&[&format!("{other}--input FILE")])
    )))
}

/// Adds a hint to the failure of a file that is no program.
fn with_input_hint(config: &Config, words: &[String], failure: Failure) -> Failure {
    let languages = &config.workspace.languages;
    let has_no_source = |word: &&String| !has_source(&config.directory.join(word), languages);
    match (failure, words.iter().find(has_no_source)) {
        // The message ends with a hint about extensions of files.
        (Failure::Usage(text), Some(word)) => {
            Failure::Usage(format!("{text}; for an input, use `--input {word}`"))
        }
        (failure, _) => failure,
    }
}

fn expect_two(programs: &[Submission]) -> Result<(), Failure> {
    match programs {
        [] | [_] => Err(Failure::Usage(format!(
            "expected at least two programs to compare, found {}: `{}`\nhint: `{}`",
            programs.len(),
            programs.first().map_or("", |only| only.id.as_str()),
            loose::command_with(&["OTHER"])
        ))),
        _ => Ok(()),
    }
}

/// An input with its id, and its answer if there is one.
type Input = (String, Vec<u8>, Option<Vec<u8>>);

/// The inputs that a word names: a file, or the examples of a directory, an archive or a file of
/// Competitive Companion.
fn inputs(config: &Config, word: &str) -> Result<Vec<Input>, Failure> {
    let path = config.directory.join(word);
    if word == "-" || !Examples::are_at(&path) {
        return Ok(vec![(word.to_owned(), read_input(config, word)?, None)]);
    }
    let typed = |text: String| Failure::Usage(text.replace(&*path.to_string_lossy(), word));
    let examples = Examples::read_inputs(&path).map_err(|error| typed(error.to_string()))?;
    let read = |path: &Path| read_input(config, &path.to_string_lossy());
    let input = |case: &TestCase, is_answered: bool| {
        let id = format!("{}/{}", word.trim_end_matches('/'), case.id);
        Ok((
            id,
            read(&case.input)?,
            is_answered.then(|| read(&case.answer)).transpose()?,
        ))
    };
    let answered = examples.test_cases.iter().map(|case| input(case, true));
    answered
        .chain(examples.unanswered.iter().map(|case| input(case, false)))
        .collect()
}
