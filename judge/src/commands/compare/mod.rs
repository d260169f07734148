//! `judge compare`: submissions of one problem, the first of which is the reference.
//!
//! Responsible for the order: answers first, times only when the answers are known. Must not know statistics, nor how
//! anything is laid out.

mod cases;
mod first_run;
mod report;
mod subject;

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_compare::{Comparison, Settings, compare};
use judge_event::RunState;
use judge_report::{Reporter, Verbosity};
use judge_runner::{Interrupts, Plan};
use judge_sandbox::CancelToken;

use crate::args::CompareArgs;
use crate::commands::compare::first_run::{FirstRun, INTERRUPTED, silent_terminal};
use crate::commands::compare::subject::{plan, read_baseline};
use crate::commands::document::DocumentOutput;
use crate::commands::judging::{JudgingSettings, Ready};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::host;
use crate::reporters::{complain, write_stdout};

pub(crate) fn carry_out(config: &Config, args: &CompareArgs) -> Result<ExitCode, Failure> {
    // What was typed wrongly is told before anything takes time.
    let baseline = args.baseline.as_deref().map(|path| read_baseline(config, path)).transpose()?;
    let settings = JudgingSettings {
        jobs: args.jobs,
        isolation: args.isolation.level,
        time_limit: args.time_limit.seconds,
        samples: args.samples,
        ..JudgingSettings::default()
    };
    let plan = plan(config, args, settings)?;
    let budget = args.budget.unwrap_or_else(|| Settings::budget_of(plan.submissions()));
    // A place that cannot be written is told before anything takes time.
    let output = DocumentOutput::open(config, args.json.as_deref(), &args.pages)?;
    let ready = Ready::open(config, settings, &plan.languages())?;
    let mut first = FirstRun::new(config);
    ready.run(plan.clone(), &mut first)?;
    if let Some(code) = first.obstacle() {
        let nothing = first.nothing_compared(code);
        let report = first.report()?;
        if code == ExitCode::Interrupted {
            complain(&nothing)?;
            return Ok(code);
        }
        // There is no document; who reads one must not get something else in its place.
        match output.is_on_stdout() || args.markdown {
            true => complain(report.trim_end())?,
            false => write_stdout(&report)?,
        }
        complain(&nothing)?;
        return Ok(code);
    }
    let settings = settings_of(args, budget, baseline.clone());
    let Some(mut comparison) = timed(config, &settings, &plan, &first.state, &ready)? else {
        complain(INTERRUPTED)?;
        return Ok(ExitCode::Interrupted);
    };
    let unusable = baseline.and_then(|baseline| comparison.hold_against(&baseline).err());
    let unusable = unusable.map(|why| format!("the baseline is not used: {why}"));
    let mut report = report::from_comparison(&comparison, &plan, &first.state, args.gate.as_ref());
    report.warnings.extend(unusable);
    let (document, terminal) = (format!("{}\n", comparison.to_json()), &config.terminal);
    let text = match (output.is_on_stdout(), args.markdown) {
        (true, _) => document.clone(),
        (false, true) => report.to_markdown(),
        (false, false) => report.to_text(terminal.look, terminal.verbosity == Verbosity::Quiet),
    };
    let is_document = output.is_on_stdout();
    output.keep(&document, || report.to_html())?;
    write_stdout(&text)?;
    if is_document {
        // The document has the measurements, and no gates.
        report.gates.iter().try_for_each(|(_, words)| complain(words))?;
    }
    let held = args.gate.as_ref().is_none_or(|gate| comparison.holds(gate));
    Ok(match (comparison.answers_differ(), held) {
        (true, _) => ExitCode::ExpectationViolated,
        (false, false) => ExitCode::GateNotHeld,
        (false, true) => ExitCode::AsExpected,
    })
}

fn settings_of(args: &CompareArgs, budget: Duration, baseline: Option<Comparison>) -> Settings {
    let drawn = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()));
    Settings {
        // The first core has the interrupts of most devices.
        core: host::physical_cores().last().copied(),
        budget,
        precision: args.precision,
        margin: Settings::MARGIN,
        host_effect: args.host_effect,
        subtract_start_up: args.subtract_start_up,
        baseline,
        seed: args.seed.unwrap_or(drawn),
        processor: host::processor(),
    }
}

/// Times what was judged. `None` when it was interrupted.
fn timed(
    config: &Config,
    settings: &Settings,
    plan: &Plan,
    state: &RunState,
    ready: &Ready,
) -> Result<Option<Comparison>, Failure> {
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let mut bar = silent_terminal(config, Box::new(io::sink())).counting("rounds").within(settings.budget);
    let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, &cancel);
    let comparison =
        compare(&plan.problems[0].timed(), state, &environment, settings, &mut |progress| bar.progress(progress));
    bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
    Ok(comparison?)
}
