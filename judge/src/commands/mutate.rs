//! `judge mutate`: which mistakes in a correct solution the test data notices.
//!
//! Responsible for which solution is meant, for what is argued about its mutants, and for the exit code. Must not know how
//! mutants are made, judged or hunted, nor how anything is laid out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use judge_model::{LanguageId, Submission};
use judge_mutation::{EQUIVALENTS, Equivalent, Mutation, MutationError, RUST, Settings, mutate, parse_equivalents};
use judge_report::{MutationReport, ProgressDrawTarget, Reporter, Terminal, Verbosity};
use judge_runner::{Interrupts, Means, Plan, PlannedProblem, TimeLimitSource};
use judge_sandbox::CancelToken;

use crate::args::{JudgingArgs, MutateArgs, TellingArgs};
use crate::commands::judging::{Ready, make_ready_for};
use crate::commands::mutate_hunt::{Grounds, Hunted, add_all, hunt};
use crate::commands::mutate_report::report;
use crate::commands::run::plan;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::whole_file::WholeFile;

pub(crate) fn carry_out(config: &Config, args: &MutateArgs) -> Result<ExitCode, Failure> {
    let judging = JudgingArgs {
        jobs: args.jobs,
        time_limit: args.time_limit,
        samples: false,
        json: None,
        telling: TellingArgs::default(),
        isolation: args.isolation,
        no_cache: false,
    };
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    if to_stdout && args.add.is_some() {
        let hint = "give the document a file: --json=FILE";
        return Err(Failure::Usage(format!("--json and --add both write to standard output\nhint: {hint}")));
    }
    let plan = plan(config, &args.what, &judging)?;
    let chosen = plan
        .problems
        .iter()
        .map(|planned| Chosen::of(config, args.hunt.is_some(), planned))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(fault) = plan.package_faults.first() {
        return Err(Failure::Package(format!("{}: {}", fault.file, fault.message)));
    }
    let mut languages = only(&chosen).languages();
    languages.extend(chosen.iter().filter_map(|chosen| chosen.grounds.as_ref()).flat_map(Grounds::languages));
    let ready = make_ready_for(config, &judging, &languages, (None, false))?;
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let pages = args.pages.iter().map(|page| WholeFile::create(&config.directory.join(page)));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    let (mut code, mut documents, mut reports) = (ExitCode::AsExpected, String::new(), Vec::new());
    for chosen in &chosen {
        let how = (args.full, args.limit, args.seed);
        let Some(mut mutation) = tried(config, how, chosen, &ready, &cancel)? else {
            return Ok(ExitCode::Interrupted);
        };
        let hunted = match &chosen.grounds {
            Some(grounds) if mutation.score.survived > 0 => {
                Some(hunt(config, args, (grounds, chosen.planned, chosen.solution), &mutation, (&ready, &cancel))?)
            }
            _ => None,
        };
        let report = report(config, args, &mutation, hunted.as_ref());
        mutation.hunt = hunted.as_ref().map(|hunted| hunted.result.clone());
        let _ = writeln!(documents, "{}", mutation.to_json());
        if !to_stdout {
            let quiet = config.terminal.verbosity == Verbosity::Quiet;
            print(&report.to_text(config.terminal.look, quiet))?;
        }
        let enough = if report.is_enough() { ExitCode::AsExpected } else { ExitCode::ExpectationViolated };
        reports.push(report);
        code = worse(code, worse(enough, hunted.as_ref().map_or(ExitCode::AsExpected, Hunted::code)));
        if code != ExitCode::Interrupted
            && let (Some(hunted), Some(name)) = (&hunted, &args.add)
        {
            code = worse(code, add_all(config, args, name, hunted)?);
        }
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

/// What mutants tell about test cases: of each problem by its name.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) mutations: BTreeMap<String, Mutation>,
    /// Problems that nothing is known of, with the reason.
    pub(crate) unknown: Vec<String>,
}

/// Tries every mutant of the problems' first accepted solutions in Rust on every test case. `None` when it was
/// interrupted.
pub(crate) fn try_all(config: &Config, judging: &JudgingArgs, plan: &Plan) -> Result<Option<Tried>, Failure> {
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
    let ready = make_ready_for(config, judging, &only(&chosen).languages(), (None, false))?;
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    for chosen in &chosen {
        let name = &chosen.planned.name;
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
struct Chosen<'a> {
    planned: &'a PlannedProblem,
    solution: &'a Submission,
    path: &'a str,
    equivalents: Vec<Equivalent>,
    /// Where survivors are hunted, if they are.
    grounds: Option<Grounds>,
}

impl<'a> Chosen<'a> {
    /// The first that is written in Rust and must be accepted, of those that were named.
    fn of(config: &Config, with_hunt: bool, planned: &'a PlannedProblem) -> Result<Self, Failure> {
        if !matches!(planned.time_limit_source, TimeLimitSource::Stated) {
            let hint = "give one: --time-limit SECONDS";
            return Err(Failure::Usage(format!("`{}` states no time limit\nhint: {hint}", planned.name)));
        }
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
        Ok(Self { planned, solution, path, equivalents, grounds })
    }
}

/// What the package argues about mutants of this solution.
fn equivalents(config: &Config, planned: &PlannedProblem, solution: &str) -> Result<Vec<Equivalent>, Failure> {
    let file = planned.problem.directory.join(EQUIVALENTS);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::Package(format!("cannot read `{}`: {error}", config.told(&file)))),
    };
    let found =
        parse_equivalents(&text).map_err(|error| Failure::Package(format!("{}:{error}", config.told(&file))))?;
    Ok(found.into_iter().filter(|argued| argued.solution == solution).collect())
}

/// A plan of the chosen solutions alone: for their languages and those of what judges them.
fn only(chosen: &[Chosen<'_>]) -> Plan {
    let problems = chosen.iter().map(|chosen| {
        let mut planned = chosen.planned.clone();
        let mut problem = (*planned.problem).clone();
        problem.submissions = vec![chosen.solution.clone()];
        planned.problem = problem.into();
        planned
    });
    Plan { problems: problems.collect(), ..Plan::default() }
}

/// Tries the mutants of a solution: all of them or so many, drawn with a seed. `None` when it was interrupted.
fn tried(
    config: &Config,
    (full, most, seed): (bool, Option<usize>, u64),
    chosen: &Chosen<'_>,
    ready: &Ready,
    cancel: &CancelToken,
) -> Result<Option<Mutation>, Failure> {
    let settings = Settings { run: ready.settings.clone(), full, most, seed };
    let bar = if config.progress { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let mut bar = Terminal::new(config.terminal, Box::new(io::sink()), bar);
    let means = Means { toolchains: &ready.toolchains, sandbox: &ready.sandbox, cancel };
    let (planned, solution) = (chosen.planned, chosen.solution);
    let mutation = mutate(planned, solution, &chosen.equivalents, means, &settings, &mut |told| bar.progress(told));
    bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
    let path = chosen.path.to_owned();
    Ok(mutation?.map(|mutation| Mutation { path, ..mutation }))
}

fn write_documents(config: &Config, args: &MutateArgs, documents: &str) -> Result<(), Failure> {
    match args.json.as_deref() {
        None => Ok(()),
        Some(path) if path == Path::new("-") => print(documents),
        Some(path) => {
            let file = WholeFile::create(&config.directory.join(path))?;
            let written = write!(file.clone_handle()?, "{documents}");
            written.map_err(|source| Failure::Write { what: format!("`{}`", path.display()), source })?;
            file.keep()
        }
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: "the report".to_owned(), source })
}
