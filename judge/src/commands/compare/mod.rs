//! `judge compare`: submissions of one problem, the first of which is the reference.
//!
//! Responsible for the order: answers first, times only when the answers are known. Must not know statistics, nor how
//! anything is laid out.

mod first_run;
mod subject;

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_compare::{Settings, compare};
use judge_event::RunState;
use judge_event::comparison::Comparison;
use judge_model::ReportKind;
use judge_report::{ComparisonReport, Reporter, Verbosity};
use judge_runner::Plan;

use crate::args::CompareArgs;
use crate::commands::compare::first_run::{FirstRun, INTERRUPTED, silent_terminal};
use crate::commands::compare::subject::{plan, read_baseline};
use crate::commands::document::DocumentOutput;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::host;
use crate::reporters::{complain, write_stdout};

pub(crate) fn run(config: &Config, args: &CompareArgs) -> Result<ExitCode, Failure> {
    // Wrong words and places that cannot be written are errors before anything takes time.
    let baseline = args.baseline.as_deref().map(|path| read_baseline(config, path)).transpose()?;
    let settings = JudgingSettings {
        jobs: args.jobs,
        isolation: args.isolation.level,
        time_limit: args.time_limit.seconds,
        ..JudgingSettings::default()
    };
    let plan = plan(config, args, settings)?;
    let budget = args.budget.unwrap_or_else(|| Settings::default_budget(plan.submissions()));
    let output = DocumentOutput::open(config, &args.reports)?;
    let context = RunContext::open(config, settings, &plan.languages())?;
    let mut first = FirstRun::new(config);
    context.run(plan.clone(), &mut first)?;
    // Times of programs that were not judged everywhere would say nothing.
    if let Some(code) = first.obstacle() {
        return print_obstacle(first, code, &output);
    }
    let settings = comparison_settings(args, budget, baseline);
    let Some(comparison) = timed(config, &settings, &plan, &first.state, &context)? else {
        complain(INTERRUPTED)?;
        return Ok(ExitCode::Interrupted);
    };
    let report = ComparisonReport::new(&comparison, &first.state.problems[0]);
    let (terminal, is_on_stdout) = (&config.terminal, output.is_on_stdout());
    let written = output.write(
        || report.to_text(terminal.look, terminal.verbosity == Verbosity::Quiet),
        |kind| match kind {
            ReportKind::Markdown => report.to_markdown(),
            ReportKind::Html => report.to_html(),
            _ => format!("{}\n", comparison.to_json()),
        },
    );
    written.map_err(Failure::with_verdict)?;
    if is_on_stdout {
        report.gates().iter().try_for_each(|(_, words)| complain(words))?;
    }
    Ok(match (comparison.answers_differ(), comparison.gates_hold()) {
        (true, _) => ExitCode::ExpectationViolated,
        (false, false) => ExitCode::GateNotHeld,
        (false, true) => ExitCode::AsExpected,
    })
}

/// Prints why nothing can be compared.
fn print_obstacle(first: FirstRun, code: ExitCode, output: &DocumentOutput) -> Result<ExitCode, Failure> {
    let nothing = first.message_about_obstacle(code);
    if code != ExitCode::Interrupted {
        let report = first.report()?;
        // There is no document; a reader of one must not get something else in its place.
        match output.is_on_stdout() {
            true => complain(report.trim_end())?,
            false => write_stdout(&report)?,
        }
    }
    complain(&nothing)?;
    Ok(code)
}

fn comparison_settings(args: &CompareArgs, budget: Duration, baseline: Option<Comparison>) -> Settings {
    let drawn = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()));
    Settings {
        // The first core has the interrupts of most devices.
        core: host::physical_cores().last().copied(),
        budget,
        precision: args.precision,
        margin: Settings::MARGIN,
        host_effect: args.host_effect,
        baseline,
        gate: args.gate.clone(),
        seed: args.seed.unwrap_or(drawn),
        processor: host::processor(),
    }
}

/// Times the programs that were judged before. `None` when it was interrupted.
fn timed(
    config: &Config,
    settings: &Settings,
    plan: &Plan,
    state: &RunState,
    context: &RunContext,
) -> Result<Option<Comparison>, Failure> {
    let _interrupts = context.listen()?;
    let mut bar = silent_terminal(config, Box::new(io::sink())).counting("rounds").within(settings.budget);
    let comparison = compare(&plan.problems[0].timed(), state, &context.environment, settings, &mut |progress| {
        bar.progress(progress)
    });
    bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
    Ok(comparison?)
}
