//! The addition of a test case to a package: what `judge add` is asked for, or an input that `judge stress` or
//! `judge mutate` has found.
//!
//! Responsible for its session, its report and the exit code. Must not know where the test case comes from, nor what stands
//! against it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use judge_authoring::{AddEnd, AddError, Adding, NewTestCase};
use judge_event::RunState;
use judge_model::ReportKind;
use judge_report::{AdditionReport, printable_lines};

use crate::commands::authoring::packages::PackageWork;
use crate::commands::authoring::progress::watched;
use crate::commands::authoring::session::AuthoringSession;
use crate::commands::document::DocumentOutput;
use crate::commands::judging::{JudgingSettings, name_of};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::write;

/// Adds a test case to a package, unless something stands against it, and prints what it is worth.
pub(crate) fn add(
    config: &Config,
    directory: &Path,
    new: &NewTestCase<'_>,
    settings: JudgingSettings,
    output: DocumentOutput,
) -> Result<ExitCode, Failure> {
    let work = PackageWork { config, cannot: "the test case cannot be added", dry_run: new.dry_run };
    work.take_back_interrupted(directory)?;
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
        adding.carry_out(session.observed_resources(on_progress), &mut judge)
    });
    match end {
        Ok(AddEnd::Interrupted) => Ok(ExitCode::Interrupted),
        Ok(AddEnd::Unfinished(state)) => print_faults(&state),
        Ok(AddEnd::Concluded(addition)) => {
            let report = AdditionReport(&addition);
            output.write(
                || report.to_text(config.terminal.look),
                |kind| match kind {
                    ReportKind::Markdown => report.to_markdown(),
                    _ => report.to_json(),
                },
            )?;
            let good = addition.objections.is_empty();
            Ok(if good { ExitCode::AsExpected } else { ExitCode::ExpectationViolated })
        }
        Err(error) => refuse(error),
    }
}

/// Prints why a run did not come to its end.
fn print_faults(state: &RunState) -> Result<ExitCode, Failure> {
    let host = state.host_faults.iter().map(|fault| fault.message.clone());
    let package = state.package_faults.iter().map(|fault| format!("{}: {}", fault.file, fault.message));
    let faults: Vec<String> = host.chain(package).map(|fault| printable_lines(&format!("error: {fault}\n"))).collect();
    write(&mut io::stderr(), &faults.concat())?;
    Ok(exit_code::of(state))
}
