//! `judge mutate`: which mistakes in a correct solution the test data notices.
//!
//! Responsible for which solution is meant, for what is argued about its mutants, and for the exit code. Must not know how
//! mutants are made, judged or hunted, nor how anything is laid out.

mod hunt;
mod report;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use judge_model::{LanguageId, Submission};
use judge_mutation::{EQUIVALENTS, Equivalent, Mutation, MutationError, RUST, Settings, mutate, parse_equivalents};
use judge_report::{MutationReport, ProgressDrawTarget, Reporter, Terminal, Verbosity};
use judge_runner::{Interrupts, Plan, PlannedProblem};
use judge_sandbox::CancelToken;

use crate::args::MutateArgs;
use crate::commands::judging::inferring::{infer_time_limits, require_time_limit};
use crate::commands::judging::run::plan;
use crate::commands::judging::{JudgingSettings, Ready};
use crate::commands::mutate::hunt::{Grounds, Hunted, add_all, hunt};
use crate::commands::mutate::report::report;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::write_stdout;
use crate::whole_file::WholeFile;

pub(crate) fn carry_out(config: &Config, args: &MutateArgs) -> Result<ExitCode, Failure> {
    let settings = JudgingSettings {
        jobs: args.jobs,
        isolation: args.isolation,
        time_limit: args.time_limit,
        ..JudgingSettings::default()
    };
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    if to_stdout && args.add.is_some() {
        let hint = "give the document a file: --json=FILE";
        return Err(Failure::Usage(format!("--json and --add both write to standard output\nhint: {hint}")));
    }
    let plan = plan(config, &args.what, settings)?;
    let mut chosen = plan
        .problems
        .iter()
        .map(|planned| Chosen::of(config, args.hunt.is_some(), planned))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(fault) = plan.package_faults.first() {
        return Err(Failure::Package(format!("{}: {}", fault.file, fault.message)));
    }
    let mut languages = only(&chosen).languages();
    languages.extend(chosen.iter().filter_map(|chosen| chosen.grounds.as_ref()).flat_map(Grounds::languages));
    let ready = Ready::open(config, settings, &languages)?;
    if let Some(code) = take_time_limits(config, &mut chosen, &ready)? {
        return Ok(code);
    }
    chosen.iter().try_for_each(|chosen| require_time_limit(&chosen.planned))?;
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let pages = args.pages.iter().map(|page| WholeFile::create(&config.directory.join(page)));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    let (mut code, mut documents, mut reports) = (ExitCode::AsExpected, String::new(), Vec::new());
    for chosen in &chosen {
        let Some((report, document, of_problem)) = measure(config, args, chosen, &ready, &cancel)? else {
            return Ok(ExitCode::Interrupted);
        };
        let _ = writeln!(documents, "{document}");
        reports.push(report);
        code = worse(code, of_problem);
        if code == ExitCode::Interrupted {
            break;
        }
    }
    write_documents(config, args, &documents)?;
    for page in pages {
        page.keep_with(&MutationReport::to_html(&reports))?;
    }
    Ok(code)
}

/// Measures the test data of one problem, prints the report, and adds what a hunt has found. Returns the report, the
/// document and the exit code; `None` when it was interrupted.
fn measure(
    config: &Config,
    args: &MutateArgs,
    chosen: &Chosen,
    ready: &Ready,
    cancel: &CancelToken,
) -> Result<Option<(MutationReport, String, ExitCode)>, Failure> {
    let how = (args.full, args.limit, args.seed);
    let Some(mut mutation) = tried(config, how, chosen, ready, cancel)? else { return Ok(None) };
    let hunted = match &chosen.grounds {
        Some(grounds) if mutation.score.survived > 0 => {
            Some(hunt(config, args, (grounds, &chosen.planned, &chosen.solution), &mutation, (ready, cancel))?)
        }
        _ => None,
    };
    let report = report(config, args, &mutation, hunted.as_ref());
    mutation.hunt = hunted.as_ref().map(|hunted| hunted.result.clone());
    if args.json.as_deref() != Some(Path::new("-")) {
        let quiet = config.terminal.verbosity == Verbosity::Quiet;
        write_stdout(&report.to_text(config.terminal.look, quiet))?;
    }
    let enough = if report.is_enough() { ExitCode::AsExpected } else { ExitCode::ExpectationViolated };
    let mut code = worse(enough, hunted.as_ref().map_or(ExitCode::AsExpected, Hunted::code));
    if code != ExitCode::Interrupted
        && let (Some(hunted), Some(name)) = (&hunted, &args.add)
    {
        code = worse(code, add_all(config, args, name, hunted)?);
    }
    Ok(Some((report, mutation.to_json().to_string(), code)))
}

/// What mutants tell about test cases: of each problem by its name.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) mutations: BTreeMap<String, Mutation>,
    /// Problems that nothing is known of, with the reason.
    pub(crate) unknown: Vec<String>,
}

/// Tries every mutant of the problems' first accepted solutions in Rust on every test case. `None` when it was
/// interrupted.
pub(crate) fn try_all(config: &Config, settings: JudgingSettings, plan: &Plan) -> Result<Option<Tried>, Failure> {
    let (mut tried_all, mut chosen) = (Tried::default(), Vec::new());
    for planned in &plan.problems {
        match Chosen::of(config, false, planned) {
            Ok(found) => chosen.push(found),
            Err(Failure::NothingSelected(why) | Failure::Usage(why)) => tried_all.unknown.push(why),
            Err(other) => return Err(other),
        }
    }
    if chosen.is_empty() {
        return Ok(Some(tried_all));
    }
    let ready = Ready::open(config, settings, &only(&chosen).languages())?;
    if take_time_limits(config, &mut chosen, &ready)?.is_some() {
        return Ok(None);
    }
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    for chosen in &chosen {
        let name = &chosen.planned.name;
        if require_time_limit(&chosen.planned).is_err() {
            // Why is told by the matrix itself.
            tried_all.unknown.push(format!("`{name}` has no time limit: no mutants are judged"));
            continue;
        }
        match tried(config, (true, None, 0), chosen, &ready, &cancel) {
            Ok(Some(mutation)) => drop(tried_all.mutations.insert(name.clone(), mutation)),
            Ok(None) => return Ok(None),
            // What is wrong with a submission is told by the matrix itself.
            Err(Failure::Mutation(MutationError::NotAccepted { .. } | MutationError::NotReady(_))) => {
                let why = format!("`{}` is not accepted: no mutants are made of it", chosen.solution.id);
                tried_all.unknown.push(format!("`{name}`: {why}"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Some(tried_all))
}

/// A solution, and what is argued about it.
struct Chosen {
    planned: PlannedProblem,
    solution: Submission,
    path: String,
    equivalents: Vec<Equivalent>,
    /// Where survivors are hunted, if they are.
    grounds: Option<Grounds>,
}

impl Chosen {
    /// The first that is written in Rust and must be accepted, of those that were named.
    fn of(config: &Config, with_hunt: bool, planned: &PlannedProblem) -> Result<Self, Failure> {
        let rust = LanguageId(RUST.to_owned());
        let is_meant = |of: &&Submission| {
            let must_be_accepted = of
                .expectations
                .iter()
                .any(|rule| rule.scope.is_none() && rule.permitted == [judge_model::Verdict::Accepted]);
            of.language.as_ref() == Some(&rust) && must_be_accepted
        };
        let submissions = planned.problem.submissions.iter();
        let Some((solution, path)) = submissions.zip(&planned.submission_paths).find(|(of, _)| is_meant(of)) else {
            return Err(Failure::NothingSelected(format!(
                "`{}` has no accepted solution in Rust among what was named: mutants are made of one",
                planned.name
            )));
        };
        let equivalents = equivalents(config, planned, &solution.id)?;
        let grounds = with_hunt.then(|| Grounds::of(config, &planned.problem.directory)).transpose()?;
        let (planned, solution, path) = (planned.clone(), solution.clone(), path.clone());
        Ok(Self { planned, solution, path, equivalents, grounds })
    }
}

/// The size of a file of arguments, which people write.
const MOST_EQUIVALENTS: u64 = 16 << 20;

/// What the package argues about mutants of this solution.
fn equivalents(config: &Config, planned: &PlannedProblem, solution: &str) -> Result<Vec<Equivalent>, Failure> {
    let file = planned.problem.directory.join(EQUIVALENTS);
    let text = match judge_package::read_text_within(&file, MOST_EQUIVALENTS) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::Package(format!("cannot read `{}`: {error}", config.told(&file)))),
    };
    let found =
        parse_equivalents(&text).map_err(|error| Failure::Package(format!("{}:{error}", config.told(&file))))?;
    Ok(found.into_iter().filter(|argued| argued.solution == solution).collect())
}

/// A plan of the chosen solutions alone: for their languages and those of what judges them.
fn only(chosen: &[Chosen]) -> Plan {
    let problems = chosen.iter().map(|chosen| {
        let mut planned = chosen.planned.clone();
        let mut problem = (*planned.problem).clone();
        problem.submissions = vec![chosen.solution.clone()];
        planned.problem = problem.into();
        planned
    });
    Plan { problems: problems.collect(), ..Plan::default() }
}

/// Finds the time limits that are to be inferred. An exit code when that was interrupted.
fn take_time_limits(config: &Config, chosen: &mut [Chosen], ready: &Ready) -> Result<Option<ExitCode>, Failure> {
    let mut plan = only(chosen);
    let code = infer_time_limits(config, &mut plan, ready)?;
    for (chosen, planned) in chosen.iter_mut().zip(plan.problems) {
        chosen.planned.time_limit = planned.time_limit;
        chosen.planned.time_limit_source = planned.time_limit_source;
    }
    Ok(code)
}

/// Tries the mutants of a solution: all of them or so many, drawn with a seed. `None` when it was interrupted.
fn tried(
    config: &Config,
    (full, most, seed): (bool, Option<usize>, u64),
    chosen: &Chosen,
    ready: &Ready,
    cancel: &CancelToken,
) -> Result<Option<Mutation>, Failure> {
    let settings = Settings { full, most, seed };
    let bar = if config.progress { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let mut bar = Terminal::new(config.terminal, Box::new(io::sink()), bar);
    let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, cancel);
    let (planned, solution) = (&chosen.planned, &chosen.solution);
    let mutation = mutate(&planned.timed(), solution, &chosen.equivalents, &environment, &settings, &mut |told| {
        bar.progress(told)
    });
    bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
    let path = chosen.path.clone();
    Ok(mutation?.map(|mutation| Mutation { path, ..mutation }))
}

fn write_documents(config: &Config, args: &MutateArgs, documents: &str) -> Result<(), Failure> {
    match args.json.as_deref() {
        None => Ok(()),
        Some(path) if path == Path::new("-") => write_stdout(documents),
        Some(path) => WholeFile::create(&config.directory.join(path))?.keep_with(documents),
    }
}
