//! `judge visualize`: pictures of test cases, and of the output of a submission.
//!
//! Responsible for the selection and for the files of pictures. Must not know how visualizers are
//! run.

use std::path::{Path, PathBuf};

use judge_event::Picture;
use judge_exec::{
    Fault, Illustration, PreparedSubmission, ReadyOutputValidators, Worker, regular_file,
};
use judge_files::ConfinedDirectory;
use judge_model::{Problem, ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex};
use judge_package::{MAX_DATA_BYTES, select_for_problem};
use judge_report::printable_lines;

use crate::args::VisualizeArgs;
use crate::commands::judging::submission_args::named_submissions;
use crate::commands::judging::submit::package_named;
use crate::commands::judging::{JudgingSettings, with_worker};
use crate::commands::selection::{keep_selected_cases, load_package};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::{note, print};
use crate::whole_file::WholeFile;

/// The time limit if the package states none.
const DEFAULT_TIME_LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

pub(crate) fn run(config: &Config, args: &VisualizeArgs) -> Result<ExitCode, Failure> {
    let package = package_named(config, &args.problem)?;
    let (mut loaded, submissions) = match &args.submission {
        Some(word) => named_submissions(config, Some(&args.problem), std::slice::from_ref(word))?,
        None => (load_package(config, &package)?, Vec::new()),
    };
    let selection = select_for_problem(&config.workspace, &package, &args.case, &config.directory)?;
    let problem = &mut loaded.problem;
    keep_selected_cases(&selection, problem)?;
    if submissions.len() > 1 {
        let found = submissions.len();
        return Err(Failure::Usage(format!(
            "expected one submission, found {found}"
        )));
    }
    if problem.input_visualizer.is_none() && problem.output_visualizer.is_none() {
        let place = config.shown(&problem.directory);
        return Err(Failure::Package(format!(
            "{place}: no visualizer found\nhint: `input_visualizer/` draws test cases, `output_visualizer/` the output of submissions"
        )));
    }
    problem.submissions = submissions;
    // A stated limit is scaled by `time_factor` like that of any run; a limit given here would not
    // be.
    let is_unlimited = problem.limits.time_limit.is_none();
    let settings = JudgingSettings {
        isolation: args.isolation.level,
        time_limit: is_unlimited.then_some(DEFAULT_TIME_LIMIT),
        ..JudgingSettings::default()
    };
    let drawn = with_worker(config, settings, loaded.problem, |worker, problem| {
        let mut drawing = Drawing::prepare(worker, problem)?;
        let mut code = ExitCode::AsExpected;
        for (index, case) in TestCaseIndex::enumerate(&problem.test_cases) {
            let Some(found) = drawing.draw(worker, problem, index)? else {
                return Ok(None);
            };
            // A visualizer killed by a signal looks like one that failed.
            if judge_runner::is_interrupted() {
                return Ok(None);
            }
            // Pictures are written immediately: those of all test cases may need much memory. The
            // directory is created with the first one, so that an earlier interrupt leaves nothing.
            let written = make_directory(config, &args.output)
                .and_then(|directory| write_pictures(config, &directory, &case.id, &found));
            match written {
                Ok(()) if found.pictures.is_empty() => code = ExitCode::PackageFault,
                Ok(()) => {}
                Err(failure) => return Ok(Some(Err(failure))),
            }
        }
        Ok(Some(Ok(code)))
    })?;
    drawn.unwrap_or(Ok(ExitCode::Interrupted))
}

/// The subject of the pictures of each test case.
enum Drawing {
    /// The test case, with its answer in place of an output.
    Answer(ReadyOutputValidators),
    /// The output of a submission.
    Submission(PreparedSubmission),
}

impl Drawing {
    fn prepare(worker: &mut Worker<'_>, problem: &Problem) -> Result<Self, Fault> {
        if problem.submissions.is_empty() {
            return Ok(Self::Answer(worker.output_validators(problem)?));
        }
        let place = SubmissionPlace {
            problem: ProblemIndex(0),
            submission: SubmissionIndex(0),
        };
        Ok(Self::Submission(worker.prepare_submission(place)?))
    }

    /// The pictures of a test case; `None` when that was interrupted.
    fn draw(
        &mut self,
        worker: &mut Worker<'_>,
        problem: &Problem,
        index: TestCaseIndex,
    ) -> Result<Option<Illustration>, Fault> {
        let case = &problem.test_cases[index];
        match self {
            Self::Answer(validators) => {
                let path = case.output.as_ref().unwrap_or(&case.answer);
                let output = regular_file::read(path, MAX_DATA_BYTES).map_err(|error| {
                    Fault::of_package(format!("cannot read `{}`: {error}", path.display()))
                })?;
                Ok(Some(
                    worker.illustrate_case(problem, index, validators, &output)?,
                ))
            }
            Self::Submission(prepared) => {
                let Some(result) = worker.illustrated(prepared, index)? else {
                    return Ok(None);
                };
                note(&format!(
                    "{}: the verdict is {}, {}",
                    case.id,
                    result.verdict.code(),
                    result.verdict.name()
                ));
                Ok(Some(Illustration {
                    pictures: result.pictures,
                    remarks: result.picture_remarks,
                }))
            }
        }
    }
}

/// Writes the pictures, each under the name of its test case.
fn write_pictures(
    config: &Config,
    directory: &Path,
    case: &str,
    found: &Illustration,
) -> Result<(), Failure> {
    for remark in &found.remarks {
        note(&format!("{case}: {remark}"));
    }
    let mut written = String::new();
    for picture in &found.pictures {
        let path = keep_picture(config, directory, case, picture)?;
        written.push_str(&format!("{path} is written\n"));
    }
    for old in earlier_pictures(config, directory, case, &written) {
        note(&format!(
            "`{old}` is from an earlier run, and is left unchanged"
        ));
    }
    print(printable_lines(&written))
}

/// The pictures of an earlier run: they have a name of this test case and were not written now.
fn earlier_pictures(config: &Config, directory: &Path, case: &str, written: &str) -> Vec<String> {
    let start = format!("{}.", case.replace('/', "-"));
    let names = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let pictures = names.filter(|name| {
        name.strip_prefix(&start)
            .is_some_and(|rest| rest.contains("image."))
    });
    let mut old: Vec<String> = pictures
        .map(|name| config.shown(&directory.join(name)))
        .collect();
    old.retain(|path| {
        !written
            .lines()
            .any(|line| line == format!("{path} is written"))
    });
    old.sort();
    old
}

/// Creates the directory for pictures that was typed.
fn make_directory(config: &Config, typed: &Path) -> Result<PathBuf, Failure> {
    let directory = config.directory.join(typed);
    ConfinedDirectory::for_output(&directory)
        .map_err(|source| Failure::write(format!("`{}`", config.shown(&directory)), source))?;
    Ok(directory)
}

/// Writes a picture under the name of its test case. Returns the path as it is printed.
fn keep_picture(
    config: &Config,
    directory: &Path,
    test_case: &str,
    picture: &Picture,
) -> Result<String, Failure> {
    let path = directory.join(format!("{}.{}", test_case.replace('/', "-"), picture.name));
    WholeFile::create(&path)?.keep_with(&picture.bytes.0)?;
    Ok(config.shown(&path))
}
