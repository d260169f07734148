//! `judge import`: converts a problem of another format to a package.
//!
//! Responsible for the place of the package, and for proving it. Must not know any format.

use judge_event::Command;
use judge_interchange::import::{ImportedProblem, Source};
use judge_lint::Extent;
use judge_report::InterchangeReport;
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use crate::args::{ImportArgs, ReportingArgs, SeverityArgs};
use crate::commands::authoring::generate::{Generating, generate_selected};
use crate::commands::document::{DocumentOutput, refuse_on_stdout};
use crate::commands::judging::JudgingSettings;
use crate::commands::judging::verify::verify_selected;
use crate::commands::selection::{expect_outside_packages, select_own};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;
use crate::reporters::{ReportRequest, Reporters};

pub(crate) fn run(config: &Config, args: &ImportArgs) -> Result<ExitCode, Failure> {
    if args.prove {
        refuse_on_stdout(&args.reports.targets, "--prove")?;
    }
    // Signals are handled, so that neither a half-written package nor unpacked files stay behind.
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let is_stopped = || cancel.is_cancelled();
    let source = Source::open(&config.directory.join(&args.source), &is_stopped)?;
    let imported = ImportedProblem::read(source, args.from, args.name.as_deref(), &is_stopped)?;
    let directory = match &args.into {
        Some(into) => config.directory.join(into),
        None => config
            .workspace
            .place_of_new_packages()
            .unwrap_or_else(|| config.directory.clone()),
    };
    expect_outside_packages(&directory)?;
    let target = directory.join(imported.name());
    // Reports are opened first: an unwritable one is an error before there is a package.
    let output = DocumentOutput::open(config, &args.reports.targets)?;
    if !args.dry_run {
        imported.write(&target, &is_stopped)?;
    }
    let document = imported.document(&config.shown(&target), !args.dry_run);
    let terminal = config.terminal;
    let all = terminal.verbosity > judge_report::Verbosity::Normal;
    output.write(
        || InterchangeReport(&document).to_text(terminal.look, all),
        |_| format!("{}\n", document.to_json()),
    )?;
    match args.prove {
        true if cancel.is_cancelled() => Err(Failure::Interrupted),
        true => prove(config, args, &imported, &target),
        false => Ok(ExitCode::AsExpected),
    }
}

/// Generates missing data, checks the package, and judges its solutions.
fn prove(
    config: &Config,
    args: &ImportArgs,
    imported: &ImportedProblem,
    target: &std::path::Path,
) -> Result<ExitCode, Failure> {
    let what = [target.display().to_string()];
    if imported.needs_data() && imported.has_generators() {
        let selection = select_own(config, &what)?;
        let generating = Generating {
            execution: args.execution,
            ..Generating::default()
        };
        let code = generate_selected(config, &selection, generating)?;
        if code != ExitCode::AsExpected {
            // Every other finding would follow from the missing data.
            if code != ExitCode::Interrupted {
                note(
                    "test data is missing, so nothing was checked or judged; run `judge verify` once it is there",
                );
            }
            return Ok(code);
        }
    }
    let selection = select_own(config, &what)?;
    let reports = ReportingArgs::default();
    let request = ReportRequest {
        configured: false,
        ..ReportRequest::new(&reports)
    };
    let reporters = Reporters::open(config, request)?;
    let settings = JudgingSettings {
        command: Some(Command::Verify),
        ..args.execution.into()
    };
    let severity_args = SeverityArgs {
        profile: None,
        strict: false,
    };
    let code = verify_selected(
        config,
        &selection,
        settings,
        &severity_args,
        (Extent::Everything, false),
        reporters,
    )?;
    if !matches!(code, ExitCode::AsExpected | ExitCode::Interrupted) {
        note("the import could not be verified, for the reasons above");
    }
    Ok(code)
}
