//! `judge stress`: searches for inputs on which submissions fail or differ.
//!
//! Responsible for the order of the steps, for files and for the exit code. Must not know how
//! inputs are made or examined, nor the layout of reports.

pub(crate) mod target;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_authoring::NewTestCase;
use judge_event::{SearchEnd, SearchResult};
use judge_model::SubmissionIndex;
use judge_report::{SearchBar, SearchReport, Verbosity};
use judge_stress::{
    CostSetting, Occupied, Search, SearchSession, SearchSpec, Step, make_directory, save,
};

use crate::args::{SearchSeed, StressArgs};
use crate::commands::authoring::add::add;
use crate::commands::document::{DocumentOutput, refuse_on_stdout};
use crate::commands::judging::inferring::{
    INTERRUPTED_WHILE_MEASURING, infer_time_limits, require_time_limit,
};
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::stress::target::{SearchProblem, directories};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;

/// The default time of a search.
const DEFAULT_SEARCH_TIME: Duration = Duration::from_secs(30);
/// The time limit of programs that belong to no package: they run on small inputs, and an endless
/// loop must not take up the search.
const TIME_OF_LOOSE_PROGRAM: Duration = Duration::from_secs(2);

/// Searches in the package that the command line names.
pub(crate) fn run(config: &Config, args: &StressArgs) -> Result<ExitCode, Failure> {
    if args.add.is_some() {
        refuse_on_stdout(&args.reports.targets, "--add")?;
    }
    let search_problem = SearchProblem::read(config, args)?;
    let SearchProblem {
        target,
        inputs,
        project,
        input_args,
        ..
    } = &search_problem;
    let settings = settings(args, target.in_package);
    let mut plan = search_problem.plan(config, settings);
    let context = RunContext::open(config, settings, &search_problem.languages(&plan))?;
    if let Some(code) = infer_time_limits(config, &mut plan, &context)? {
        note(INTERRUPTED_WHILE_MEASURING);
        return Ok(code);
    }
    plan.problems.iter().try_for_each(require_time_limit)?;
    let _interrupts = context.listen()?;
    let data_session =
        context.session_of(&directories(&target.problem.directory, project.as_ref()))?;
    let spec = SearchSpec {
        problem: plan.problems[0].timed(),
        reference: target.reference,
        subjects: target.needed(),
        inputs,
        input_args: input_args.clone(),
        costs: match &args.seed {
            Some(SearchSeed {
                costs: Some(costs), ..
            }) => CostSetting::Given(costs.clone()),
            Some(_) => CostSetting::Equal,
            None => CostSetting::Measured,
        },
    };
    let output = DocumentOutput::open(config, &args.reports.targets)?;
    let into = args.save.as_ref().map(|into| config.directory.join(into));
    into.as_deref().map_or(Ok(()), make_directory)?;
    let mut bar = search_bar(config);
    bar.compiling();
    let mut session = SearchSession::open(spec, &data_session, &context.environment)?;
    session.prepare_target(target)?;
    // A seed that was drawn is printed, so that the search can be repeated.
    let drawn = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| u64::from(since.subsec_nanos()));
    let search = Search {
        predicate: &target.predicate,
        seed: args.seed.as_ref().map_or(drawn, |seed| seed.number),
        from: args.from,
        inputs: args.inputs,
        time: args
            .time
            .or_else(|| args.inputs.is_none().then_some(DEFAULT_SEARCH_TIME)),
        slowest: args.slowest.then_some(SubmissionIndex(0)),
    };
    let mut result = session.run(target, inputs, &search, args.shrink, &mut |step| {
        show_step(&mut bar, step);
    })?;
    bar.clear();
    if let Some(into) = &into {
        let prefix = format!("{}-{}", result.problem, result.seed);
        for found in &mut result.found {
            let name = format!("{prefix}-{}", found.number);
            save(found, into, &name, Occupied::Fail, &|path| {
                config.shown(path)
            })?;
        }
    }
    let terminal = config.terminal;
    output.write(
        || {
            SearchReport::new(&result)
                .to_text(terminal.look, terminal.verbosity == Verbosity::Quiet)
        },
        |_| format!("{}\n", result.to_json()),
    )?;
    exit(config, args, &target.problem.directory, &result)
}

/// The progress of a search: a bar on a terminal, and lines elsewhere.
pub(crate) fn search_bar(config: &Config) -> SearchBar {
    SearchBar::new(config.progress_target(), config.terminal.look)
}

/// Shows the progress of a search.
pub(crate) fn show_step(bar: &mut SearchBar, step: Step<'_>) {
    match step {
        Step::Searching {
            tally,
            elapsed,
            spent,
        } => bar.show(tally, elapsed, spent),
        Step::TestCases => bar.test_cases(),
        Step::Minimizing => bar.minimizing(),
    }
}

fn settings(args: &StressArgs, in_package: bool) -> JudgingSettings {
    let time_limit = args
        .time_limit
        .seconds
        .or((!in_package).then_some(TIME_OF_LOOSE_PROGRAM));
    JudgingSettings {
        jobs: args.jobs,
        isolation: args.isolation.level,
        time_limit,
        ..JudgingSettings::default()
    }
}

/// The number of inputs after which a search that judged none counts as broken: a shorter one may
/// only have been cut off.
const MIN_INPUTS: u64 = 10;

/// The exit code of a search. With `--add`, a finding is put into the package first.
fn exit(
    config: &Config,
    args: &StressArgs,
    package: &Path,
    result: &SearchResult,
) -> Result<ExitCode, Failure> {
    if result.end == SearchEnd::Interrupted && result.found.is_empty() {
        return Ok(ExitCode::Interrupted);
    }
    let (Some(name), Some(found)) = (&args.add, result.found.first()) else {
        let nothing = result.found.is_empty() && result.rejected_by.is_empty();
        // A search that judged nothing, such as with a broken generator, does not show that a
        // submission is correct.
        // The same holds if the reference answers no input.
        let tally = &result.tally;
        let is_broken =
            tally.judged_inputs == 0 && (tally.inputs >= MIN_INPUTS || tally.unusable > 0);
        if nothing && !result.is_judge_error && is_broken {
            return Ok(ExitCode::NothingSelected);
        }
        return Ok(match (result.is_judge_error, nothing, &args.add) {
            (true, ..) => ExitCode::PackageFault,
            // With `--add`, finding nothing is a failure.
            (_, false, _) | (_, true, Some(_)) => ExitCode::ExpectationViolated,
            (_, true, None) => ExitCode::AsExpected,
        });
    };
    let settings = JudgingSettings {
        time_limit: None,
        ..settings(args, true)
    };
    let new = NewTestCase {
        required: &found.required,
        ..NewTestCase::found(&found.input.0, name)
    };
    add(config, package, &new, settings, DocumentOutput::default())
}
