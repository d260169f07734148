//! `judge mutate`: which mistakes in a correct solution the test data notices.
//!
//! Responsible for what is done with each problem, and for the exit code. Must not know how mutants are made, judged or
//! hunted, nor how reports look.

mod hunt_package;
mod overall;
mod solution;
mod solutions;
pub(crate) mod trying;

use std::fmt::Write as _;
use std::num::NonZero;

use judge_event::{Hunted, Mutation, SearchEnd};
use judge_model::ReportKind;
use judge_mutation::Settings;
use judge_report::{MutationReport, Verbosity};

use crate::args::{MutateArgs, ReportTarget};
use crate::commands::document::DocumentOutput;
use crate::commands::judging::inferring::require_time_limit;
use crate::commands::judging::run::plan;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::hunt_package::add_all;
use crate::commands::mutate::overall::Overall;
use crate::commands::mutate::solution::Solution;
use crate::commands::mutate::solutions::{chosen, languages, passed_over, take_time_limits};
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::{note, write_stdout};

pub(crate) fn run(config: &Config, args: &MutateArgs) -> Result<ExitCode, Failure> {
    let (jobs, isolation, time_limit) = (args.jobs.number, args.isolation.level, args.time_limit.seconds);
    let settings = JudgingSettings { jobs, isolation, time_limit, ..JudgingSettings::default() };
    if args.add.is_some() && args.reports.iter().any(ReportTarget::is_stdout) {
        let hint = "give the report a file, such as `--report json=FILE`";
        return Err(Failure::Usage(format!("`--report` and `--add` both write to standard output\nhint: {hint}")));
    }
    let plan = plan(config, &args.what, settings)?;
    let (mut solutions, mut code) = chosen(config, args.hunt.is_some(), args.all, &plan)?;
    if solutions.is_empty() {
        return Ok(code);
    }
    let context = RunContext::open(config, settings, &languages(&solutions))?;
    if let Some(code) = take_time_limits(config, &mut solutions, &context)? {
        return Ok(code);
    }
    let _interrupts = context.listen()?;
    let output = DocumentOutput::open(config, &args.reports)?;
    let is_printed = !output.is_on_stdout();
    let (mut documents, mut reports) = (String::new(), Vec::new());
    let mut overall = Overall { is_printed, ..Overall::default() };
    for solution in &solutions {
        // The score of the solutions of a problem together comes behind the last of them.
        code = worse(code, overall.print_unless(&solution.planned.name, config, args, &mut documents)?);
        let measured =
            require_time_limit(&solution.planned).and_then(|()| measure(config, args, solution, is_printed, &context));
        let (report, mutation, of_problem) = match measured {
            Ok(Some(measured)) => measured,
            Ok(None) => return Ok(ExitCode::Interrupted),
            Err(failure) => {
                code = worse(code, passed_over(failure)?);
                continue;
            }
        };
        let _ = writeln!(documents, "{}", mutation.to_json());
        reports.push(report);
        overall.mutations.push(mutation);
        code = worse(code, of_problem);
        if code == ExitCode::Interrupted {
            note("interrupted: anything not listed above did not run");
            break;
        }
    }
    if code != ExitCode::Interrupted {
        code = worse(code, overall.print(config, args, &mut documents)?);
    }
    output.write(String::new, |kind| match kind {
        ReportKind::Html => MutationReport::to_html(&reports, &overall.reports),
        _ => documents.clone(),
    })?;
    Ok(code)
}

/// Measures the test data of one problem, prints the report, and adds what a hunt has found. Returns the report, the
/// document and the exit code; `None` when it was interrupted.
fn measure(
    config: &Config,
    args: &MutateArgs,
    solution: &Solution,
    is_printed: bool,
    context: &RunContext,
) -> Result<Option<(MutationReport, Mutation, ExitCode)>, Failure> {
    let settings =
        Settings { full: args.full, apart: args.apart, most: args.sample.map(NonZero::get), seed: args.seed };
    let Some(mut mutation) = solution.mutate(config, &settings, context)? else { return Ok(None) };
    let hunted = match &solution.hunt_package {
        Some(hunt_package) if mutation.score.survived > 0 => {
            Some(hunt_package.hunt(config, args, solution, &mutation, context)?)
        }
        _ => None,
    };
    // Of several solutions it is the mean that counts.
    let min_score = args.min_score.filter(|_| !args.all);
    let report = MutationReport::new(&mutation, hunted.as_ref(), min_score);
    mutation.hunt = hunted.as_ref().map(|hunted| hunted.result.clone());
    if is_printed {
        let quiet = config.terminal.verbosity == Verbosity::Quiet;
        write_stdout(&report.to_text(config.terminal.look, quiet))?;
    }
    let enough = if report.is_enough() { ExitCode::AsExpected } else { ExitCode::ExpectationViolated };
    let mut code = worse(enough, hunted.as_ref().map_or(ExitCode::AsExpected, exit_code));
    if code != ExitCode::Interrupted
        && let (Some(hunted), Some(name)) = (&hunted, &args.add)
    {
        code = worse(code, add_all(config, args, solution, name, hunted)?);
    }
    Ok(Some((report, mutation, code)))
}

/// The exit code of a hunt.
fn exit_code(hunted: &Hunted) -> ExitCode {
    match hunted.result.end {
        SearchEnd::Interrupted => ExitCode::Interrupted,
        _ if hunted.is_judge_error => ExitCode::PackageFault,
        _ => ExitCode::AsExpected,
    }
}
