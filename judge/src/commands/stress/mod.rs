//! `judge stress`: looking for inputs that submissions fail, or that tell them apart.
//!
//! Responsible for the order: what is looked for, what it takes, the search, making small, telling, keeping. Must not know
//! how inputs are made or judged.

pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod target;

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_authoring::{NewTestCase, Project};
use judge_model::{LanguageId, Problem};
use judge_package::Filter;
use judge_report::Verbosity;
use judge_runner::{Interrupts, Plan};
use judge_sandbox::CancelToken;
use judge_stress::{Hunt, InputSources, Search, SearchEnd, SearchOutcome, SearchSpec, Searched, Target};

use crate::args::StressArgs;
use crate::commands::authoring::add::{Form, add};
use crate::commands::judging::inferring::{infer_time_limits, require_time_limit};
use crate::commands::judging::{JudgingSettings, PlanBuilder, Ready};
use crate::commands::list::write;
use crate::commands::stress::progress::Teller;
use crate::commands::stress::target::{PackageTarget, input_args, inputs_of};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::whole_file::WholeFile;

/// How long is looked when nothing says how long.
const TIME: Duration = Duration::from_secs(30);

pub(crate) fn carry_out(config: &Config, args: &StressArgs) -> Result<ExitCode, Failure> {
    let wanted = PackageTarget::read(config, args)?;
    let target = &wanted.target;
    let project = Project::open(&target.problem.directory, &config.workspace)
        .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
    let inputs = inputs_of(config, args, project.as_ref(), &target.problem)?;
    let settings = JudgingSettings {
        jobs: args.jobs,
        isolation: args.isolation,
        time_limit: args.time_limit,
        ..JudgingSettings::default()
    };
    let mut plan = plan(config, settings, &wanted);
    let ready = Ready::open(config, settings, &languages(&plan, target, &inputs))?;
    if let Some(code) = infer_time_limits(config, &mut plan, &ready)? {
        return Ok(code);
    }
    plan.problems.iter().try_for_each(require_time_limit)?;
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let mut directories = vec![target.problem.directory.clone()];
    directories.extend(project.iter().flat_map(Project::directories));
    let session = ready.session_of(&directories, &cancel)?;
    let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, &cancel);
    let ground = SearchSpec {
        problem: plan.problems[0].timed(),
        reference: target.reference,
        generators: inputs.generators.clone(),
        templates: inputs.templates.clone(),
        change_test_cases: inputs.change_test_cases,
        input_args: input_args(&wanted.loaded),
    };
    let mut hunt = Hunt::open(ground, &session, &environment)?;
    for submission in target.needed() {
        if let Err(fault) = hunt.ready(submission) {
            let why = fault.refusal()?;
            return Err(Failure::Usage(format!("`{}` cannot be run: {why}", target.id(submission))));
        }
    }
    if !hunt.has_inputs() {
        let why =
            "there is nothing to make inputs of: no call of a generator, and no test case with an input validator";
        let hint = "name a generator of the package with --args 'NAME [1..20] {seed}'";
        return Err(Failure::NothingSelected(format!("{why}\nhint: {hint}")));
    }
    look(config, args, (target, &inputs), &hunt)
}

/// Searches, makes small, tells and keeps.
fn look(
    config: &Config,
    args: &StressArgs,
    (target, inputs): (&Target, &InputSources),
    hunt: &Hunt<'_>,
) -> Result<ExitCode, Failure> {
    let drawn = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()));
    let search = Search {
        finder: &target.finder,
        seed: args.seed.unwrap_or(drawn),
        from: args.from,
        inputs: args.inputs,
        time: args.time.or_else(|| args.inputs.is_none().then_some(TIME)),
        findings: args.findings.get(),
        slowest: args.slowest.then_some(0),
    };
    let mut teller = Teller::new(config, hunt.sources().0, (search.time, search.inputs));
    let searched = hunt.search(&search, &mut |tally, elapsed| teller.hear(tally, elapsed))?;
    teller.say("making it small");
    let small = if args.shrink.is_zero() {
        Vec::new()
    } else {
        hunt.make_small(&searched.findings, &target.finder, args.shrink)?
    };
    teller.clear();
    let told = SearchOutcome {
        target,
        inputs,
        search: &search,
        searched: &searched,
        small: &small,
        sources: hunt.sources(),
        is_validated: hunt.validates(),
    };
    let saved = args.save.as_deref().map(|into| save(&config.directory.join(into), &told)).transpose()?;
    tell(config, args, &told, saved.as_deref().unwrap_or_default())?;
    exit(config, args, &told)
}

/// One problem with the submissions that matter, of which nothing is expected.
fn plan(config: &Config, settings: JudgingSettings, wanted: &PackageTarget) -> Plan {
    let mut loaded = wanted.loaded.clone();
    loaded.warnings.clear();
    for submission in &mut loaded.problem.submissions {
        submission.expectations.clear();
    }
    let mut builder = PlanBuilder::new(config, settings);
    builder.add_instead(loaded, &Filter::default(), Some(Arc::clone(&wanted.whole)));
    builder.finish()
}

/// The languages that tools are needed for.
fn languages(plan: &Plan, target: &Target, inputs: &InputSources) -> BTreeSet<LanguageId> {
    let mut plan = plan.clone();
    if let Some(planned) = plan.problems.first_mut() {
        let mut problem = Problem::clone(&planned.problem);
        let needed = target.needed().into_iter().filter_map(|index| problem.submissions.get(index).cloned());
        problem.submissions = needed.collect();
        planned.problem = Arc::new(problem);
    }
    plan.languages().into_iter().chain(inputs.languages(&target.problem)).collect()
}

/// Writes inputs and answers; gives the inputs' files, as they are told.
fn save(into: &Path, told: &SearchOutcome<'_>) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path| {
        let what = format!("`{}`", path.display());
        move |source| Failure::Write { what, source }
    };
    std::fs::create_dir_all(into).map_err(failed(into))?;
    let mut files = Vec::new();
    for found in told.found() {
        let name = format!("{}-{}-{}", told.target.problem.name, told.search.seed, found.number);
        let path = into.join(format!("{name}.in"));
        let answer = found.answer.as_deref().map(|answer| (into.join(format!("{name}.ans")), answer));
        for (path, bytes) in [(path.clone(), found.input)].into_iter().chain(answer) {
            if holds_another(&path, bytes) {
                let why = format!("`{}` is there already, with something else in it", path.display());
                return Err(Failure::Usage(format!("{why}\nhint: name another directory with --save")));
            }
            std::fs::write(&path, bytes).map_err(failed(&path))?;
        }
        files.push(path);
    }
    Ok(files)
}

/// Tells whether a file is there that holds something else.
pub(super) fn holds_another(path: &Path, bytes: &[u8]) -> bool {
    match judge_package::read_within(path, bytes.len() as u64) {
        Ok(there) => there != bytes,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn tell(config: &Config, args: &StressArgs, told: &SearchOutcome<'_>, saved: &[PathBuf]) -> Result<(), Failure> {
    let document = || told.document(saved);
    if let Some(path) = args.json.as_deref().filter(|path| *path != Path::new("-")) {
        WholeFile::create(&config.directory.join(path))?.keep_with(&format!("{}\n", document()))?;
    }
    let text = if args.json.as_deref() == Some(Path::new("-")) {
        format!("{}\n", document())
    } else {
        let report = report::of(config, told, saved);
        report.to_text(config.terminal.look, config.terminal.verbosity == Verbosity::Quiet)
    };
    write(&mut io::stdout(), &text)
}

/// What it has come to. With `--add`, a finding is put into the package first.
fn exit(config: &Config, args: &StressArgs, told: &SearchOutcome<'_>) -> Result<ExitCode, Failure> {
    let Searched { findings, end, .. } = told.searched;
    if *end == SearchEnd::Interrupted && findings.is_empty() {
        return Ok(ExitCode::Interrupted);
    }
    let (Some(name), Some(found)) = (&args.add, told.found().into_iter().next()) else {
        return Ok(match (told.is_judge_error(), findings.is_empty(), &args.add) {
            (true, ..) => ExitCode::PackageFault,
            // Nothing to add is not what was asked for.
            (_, false, _) | (_, true, Some(_)) => ExitCode::ExpectationViolated,
            (_, true, None) => ExitCode::AsExpected,
        });
    };
    let (group, name) = name.rsplit_once('/').unwrap_or(("secret", name));
    let settings = JudgingSettings { jobs: args.jobs, isolation: args.isolation, ..JudgingSettings::default() };
    let required = told.must_be_killed(&found);
    let new = NewTestCase { required: &required, ..NewTestCase::found(found.input, group, name) };
    add(config, &told.target.problem.directory, &new, settings, Form::Text)
}
