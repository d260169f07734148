//! `judge compare`: compares submissions of one problem with the first one.
//!
//! Responsible for the order: answers first, times only when the answers are known. Must not know
//! statistics, nor the layout of reports.

mod subject;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use judge_compare::{Settings, compare};
use judge_event::comparison::Comparison;
use judge_event::{Event, Progress, RunState};
use judge_model::{ReportKind, Submission};
use judge_package::quoted;
use judge_report::{ComparisonReport, Reporter as _, Terminal, Verbosity, printable_lines};
use judge_runner::{Observer, Plan};

use crate::args::CompareArgs;
use crate::commands::compare::subject::{ComparedProblem, INTERRUPTED};
use crate::commands::document::DocumentOutput;
use crate::commands::judging::inferring::finish_bar;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::messages::complain;
use crate::reporters::write_stdout;

pub(crate) fn run(config: &Config, args: &CompareArgs) -> Result<ExitCode, Failure> {
    // Invalid arguments and unwritable files are reported before anything takes time.
    let settings = JudgingSettings {
        isolation: args.isolation.level,
        time_limit: args.time_limit.seconds,
        ..JudgingSettings::default()
    };
    let compared = ComparedProblem::read(config, args, settings)?;
    let plan = &compared.plan;
    let budget = args
        .budget
        .unwrap_or_else(|| Settings::default_budget(plan.submissions()));
    let output = DocumentOutput::open(config, &args.reports)?;
    let context = RunContext::open(config, settings, &plan.languages())?;
    if let Some(why) = compared.write_answers(&context)? {
        let is_interrupted = context.environment.cancel.is_cancelled();
        complain(&why)?;
        return Ok(if is_interrupted {
            ExitCode::Interrupted
        } else {
            ExitCode::ExpectationViolated
        });
    }
    let mut first = FirstRun::new(config);
    context.run(plan.clone(), &mut first)?;
    // Times of programs that were not judged on every test case would be meaningless.
    if let Some(code) = first.failure_code() {
        return print_failure(first, code, &output);
    }
    let settings = comparison_settings(args, budget);
    let Some(mut comparison) = time_programs(config, &settings, plan, &first.state, &context)?
    else {
        complain(INTERRUPTED)?;
        return Ok(ExitCode::Interrupted);
    };
    let same = warnings_about_same_files(&plan.problems[0].problem.submissions);
    comparison.warnings.extend(same);
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
        report
            .gates()
            .iter()
            .try_for_each(|(_, words)| complain(words))?;
    }
    Ok(
        match (comparison.answers_differ(), comparison.gates_hold()) {
            (true, _) => ExitCode::ExpectationViolated,
            (false, false) => ExitCode::GateNotHeld,
            (false, true) => ExitCode::AsExpected,
        },
    )
}

/// Prints why nothing can be compared.
fn print_failure(
    first: FirstRun,
    code: ExitCode,
    output: &DocumentOutput,
) -> Result<ExitCode, Failure> {
    let nothing = first.failure_message(code);
    if code != ExitCode::Interrupted {
        let report = first.report()?;
        // No document was made. A reader of standard output that expects one must not get a
        // report for people.
        match output.is_on_stdout() {
            true => complain(report.trim_end())?,
            false => write_stdout(&report)?,
        }
    }
    complain(&nothing)?;
    Ok(code)
}

fn comparison_settings(args: &CompareArgs, budget: Duration) -> Settings {
    Settings {
        // The first core has the interrupts of most devices.
        core: host::physical_cores().last().copied(),
        budget,
        precision: args.precision,
        margin: Settings::MARGIN,
        gate: args.gate.clone(),
        processor: host::processor(),
    }
}

/// A warning about each program that was named before.
fn warnings_about_same_files(submissions: &[Submission]) -> Vec<String> {
    let earlier = |index: usize, later: &Submission| {
        submissions[..index]
            .iter()
            .find(|earlier| earlier.path == later.path)
            .map(|first| {
                let (one, other) = (&first.id, &later.id);
                format!("`{one}` and `{other}` are the same file: any difference is noise")
            })
    };
    submissions
        .iter()
        .enumerate()
        .filter_map(|(index, later)| earlier(index, later))
        .collect()
}

/// Times the programs that were judged before. `None` when it was interrupted.
fn time_programs(
    config: &Config,
    settings: &Settings,
    plan: &Plan,
    state: &RunState,
    context: &RunContext,
) -> Result<Option<Comparison>, Failure> {
    let _interrupts = context.listen()?;
    let mut bar = config
        .progress_bar()
        .counting("rounds")
        .within(settings.budget);
    let comparison = compare(
        &plan.problems[0].timed(),
        state,
        &context.environment,
        settings,
        &mut |progress| bar.progress(progress),
    );
    finish_bar(&mut bar)?;
    Ok(comparison?)
}

/// The run that compares answers. Only its state matters; its report is printed if the run fails.
struct FirstRun {
    state: RunState,
    terminal: Terminal,
    text: TextBuffer,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct TextBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for TextBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FirstRun {
    fn new(config: &Config) -> Self {
        let text = TextBuffer::default();
        let results = Box::new(text.clone());
        Self {
            state: RunState::default(),
            terminal: Terminal::new(config.terminal, results, config.progress_target()),
            text,
        }
    }

    /// The exit code when nothing can be compared.
    fn failure_code(&self) -> Option<ExitCode> {
        let code = exit_code::for_state(&self.state);
        let skipped = self.state.counts().skipped > 0;
        match code {
            // A wrong answer does not prevent the comparison, but is one of its findings. A skipped
            // submission does prevent it, since it has no answers.
            ExitCode::AsExpected | ExitCode::ExpectationViolated => {
                skipped.then_some(ExitCode::HostFault)
            }
            other => Some(other),
        }
    }

    /// The sentence below the report when nothing can be compared.
    fn failure_message(&self, code: ExitCode) -> String {
        let submissions = self
            .state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions);
        let skipped: Vec<String> = submissions
            .filter(|submission| submission.skipped.is_some())
            .map(|submission| printable_lines(&submission.started.submission))
            .collect();
        match (code, skipped.is_empty()) {
            (ExitCode::Interrupted, _) => INTERRUPTED.to_owned(),
            (_, true) => {
                "nothing was compared: the answers of some submissions are missing".to_owned()
            }
            (_, false) => format!(
                "nothing was compared: {} cannot be run here",
                quoted(skipped)
            ),
        }
    }

    fn report(mut self) -> Result<String, Failure> {
        self.terminal
            .finish()
            .map_err(|source| Failure::write("the report", source))?;
        let bytes = self
            .text
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Observer for FirstRun {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.terminal.event(event)
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.terminal.progress(progress)
    }
}
