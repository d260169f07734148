//! `judge add`: adds a test case, and reports which submissions it rejects.
//!
//! Responsible for the request, the session, the report and the exit code. Must not know how data
//! is generated or run, nor the possible objections.

use std::io;
use std::path::Path;
use std::sync::Arc;

use judge_authoring::{AddError, AddStatus, Adding, CaseSource, GivenFile, NewTestCase};
use judge_event::RunState;
use judge_model::ReportKind;
use judge_report::{AdditionReport, printable_lines};

use crate::args::AddArgs;
use crate::commands::authoring::session::{AuthoringSession, PackageWork, watched};
use crate::commands::document::DocumentOutput;
use crate::commands::judging::submission_args::ids_of;
use crate::commands::judging::{JudgingSettings, name_of};
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::messages::write;

/// Adds the test case that the command line describes.
pub(crate) fn run(config: &Config, args: &AddArgs) -> Result<ExitCode, Failure> {
    if let Some(typed) = &args.file
        && config.directory.join(typed).is_dir()
    {
        let typed = typed.display();
        return Err(Failure::Usage(format!(
            "`{typed}` is a directory; expected the input of a test case\nhint: name a problem with `--problem {typed}`"
        )));
    }
    let selection = select_own(config, args.problem.as_slice())?;
    let [package] = selection.packages.as_slice() else {
        let found = selection.packages.len();
        return Err(Failure::Usage(format!(
            "expected one problem, found {found}\nhint: name it with `--problem NAME`, or start in its directory"
        )));
    };
    let source = match (&args.generate, &args.file) {
        (Some(command), None) => CaseSource::Command(command),
        (None, Some(input)) => CaseSource::Files {
            input: given_file(config, input),
            answer: args
                .answer
                .as_deref()
                .map(|answer| given_file(config, answer)),
        },
        _ => {
            let expected = "expected a file, `-` for standard input, or `--generate COMMAND`";
            return Err(Failure::Usage(expected.to_owned()));
        }
    };
    let required = ids_of(config, &package.directory, &args.require_kill)?;
    let new = NewTestCase {
        source,
        group: args.to.trim_matches('/'),
        name: args.name.as_deref(),
        required: &required,
        dry_run: args.dry_run,
    };
    let output = DocumentOutput::open(config, &args.reports)?;
    add(
        config,
        &package.directory,
        &new,
        args.execution.into(),
        output,
    )
}

/// A file of the command line; `-` is standard input.
fn given_file<'a>(config: &'a Config, typed: &'a Path) -> GivenFile<'a> {
    match typed.as_os_str().as_encoded_bytes() {
        b"-" => GivenFile::Stream(|| Box::new(io::stdin().lock())),
        _ => GivenFile::Named {
            typed,
            within: &config.directory,
        },
    }
}

/// Adds a test case to a package unless there are objections, and prints which submissions it
/// rejects. Shared with `judge stress` and `judge mutate`.
pub(crate) fn add(
    config: &Config,
    directory: &Path,
    new: &NewTestCase<'_>,
    settings: JudgingSettings,
    output: DocumentOutput,
) -> Result<ExitCode, Failure> {
    let work = PackageWork {
        config,
        cannot: "the test case cannot be added",
        dry_run: new.dry_run,
    };
    work.revert_interrupted(directory)?;
    let refuse = |error: AddError| match error {
        AddError::Package(errors) => work.complain(&name_of(directory), &errors),
        AddError::Authoring(error) => Err(error.into()),
        error @ AddError::Repeats { .. } => Err(Failure::Package(error.to_string())),
        error => Err(Failure::Usage(error.to_string())),
    };
    let adding = match Adding::find(directory, &config.workspace, new) {
        Ok(adding) => adding,
        Err(error) => return refuse(error),
    };
    let session = AuthoringSession::open(config, settings, &adding.projects(), true)?;
    let whole = Arc::clone(adding.problem());
    let mut judge = |problem, fail_fast| session.judge(problem, &whole, fail_fast);
    let end = watched(config, &name_of(directory), |on_progress| {
        adding.run(session.observed_resources(on_progress), &mut judge)
    });
    match end {
        Ok(AddStatus::Interrupted) => Ok(ExitCode::Interrupted),
        Ok(AddStatus::Unfinished(state)) => print_faults(&state),
        Ok(AddStatus::Concluded(addition)) => {
            let report = AdditionReport(&addition);
            output.write(
                || report.to_text(config.terminal.look),
                |kind| match kind {
                    ReportKind::Markdown => report.to_markdown(),
                    _ => report.to_json(),
                },
            )?;
            Ok(ExitCode::ExpectationViolated.unless(addition.objections.is_empty()))
        }
        Err(error) => refuse(error),
    }
}

/// Prints the faults that ended a run.
fn print_faults(state: &RunState) -> Result<ExitCode, Failure> {
    let host = state.host_faults.iter().map(|fault| fault.message.clone());
    let package = state
        .package_faults
        .iter()
        .map(|fault| format!("{}: {}", fault.file, fault.message));
    let faults: Vec<String> = host
        .chain(package)
        .map(|fault| printable_lines(&format!("error: {fault}\n")))
        .collect();
    write(&mut io::stderr(), faults.concat())?;
    Ok(exit_code::for_state(state))
}
