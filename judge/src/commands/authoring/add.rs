//! `judge add`: a further test case, with what it is worth.
//!
//! Responsible for what is asked for, for how it is told, and for the exit code. Must not know how data is made or judged,
//! nor what stands against a test case.

use std::io;
use std::path::Path;
use std::sync::Arc;

use judge_authoring::{AddEnd, AddError, Adding, CaseSource, GivenFile, NewTestCase};
use judge_event::RunState;
use judge_report::{AdditionReport, printable_lines};

use crate::args::AddArgs;
use crate::commands::authoring::packages::Work;
use crate::commands::authoring::progress::watched;
use crate::commands::authoring::session::{AuthoringSession, authoring_failure};
use crate::commands::judging::run::select_packages;
use crate::commands::judging::submission_args::ids_of;
use crate::commands::judging::{JudgingSettings, name_of};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::write;

/// The form in which it is told.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Text,
    Markdown,
    Json,
}

pub(crate) fn carry_out(config: &Config, args: &AddArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, args.problem.as_slice())?;
    let [package] = selection.packages.as_slice() else {
        let found = selection.packages.len();
        return Err(Failure::Usage(format!(
            "expected one problem, found {found}\nhint: name it with `--problem NAME`, or start in its directory"
        )));
    };
    let source = match (&args.generate, &args.file) {
        (Some(command), None) => CaseSource::Command(command),
        (None, Some(input)) => CaseSource::Files {
            input: given(config, input),
            answer: args.answer.as_deref().map(|answer| given(config, answer)),
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
        quick: args.quick,
        dry_run: args.dry_run,
    };
    let form = match (args.markdown, args.json) {
        (true, _) => Form::Markdown,
        (false, true) => Form::Json,
        (false, false) => Form::Text,
    };
    add(config, &package.directory, &new, args.execution.into(), form)
}

/// A file that was typed; `-` is standard input.
fn given<'a>(config: &'a Config, typed: &'a Path) -> GivenFile<'a> {
    match typed.as_os_str().as_encoded_bytes() {
        b"-" => GivenFile::Stream(|| Box::new(io::stdin().lock())),
        _ => GivenFile::Named { typed, within: &config.directory },
    }
}

/// Adds a test case to a package, unless something stands against it, and tells what it is worth.
pub(crate) fn add(
    config: &Config,
    directory: &Path,
    new: &NewTestCase<'_>,
    settings: JudgingSettings,
    form: Form,
) -> Result<ExitCode, Failure> {
    let work = Work { config, cannot: "the test case cannot be added", dry_run: new.dry_run };
    work.finish_interrupted(directory)?;
    let refuse = |error: AddError| match error {
        AddError::Package(errors) => work.complain(&name_of(directory), &errors),
        AddError::Authoring(error) => Err(authoring_failure(error)),
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
    let end =
        watched(config, &name_of(directory), |hears| adding.carry_out(session.resources_heard(hears), &mut judge));
    match end {
        Ok(AddEnd::Interrupted) => Ok(ExitCode::Interrupted),
        Ok(AddEnd::Unfinished(state)) => tell_end(&state),
        Ok(AddEnd::Concluded(addition)) => {
            let report = AdditionReport(&addition);
            let text = match form {
                Form::Text => report.to_text(config.terminal.look),
                Form::Markdown => report.to_markdown(),
                Form::Json => report.to_json(),
            };
            write(&mut io::stdout(), &text)?;
            let good = addition.objections.is_empty();
            Ok(if good { ExitCode::AsExpected } else { ExitCode::ExpectationViolated })
        }
        Err(error) => refuse(error),
    }
}

/// Tells why a run did not come to its end.
fn tell_end(state: &RunState) -> Result<ExitCode, Failure> {
    let host = state.host_faults.iter().map(|fault| fault.message.clone());
    let package = state.package_faults.iter().map(|fault| format!("{}: {}", fault.file, fault.message));
    let faults: Vec<String> = host.chain(package).map(|fault| printable_lines(&format!("error: {fault}\n"))).collect();
    write(&mut io::stderr(), &faults.concat())?;
    Ok(exit_code::of(state))
}
