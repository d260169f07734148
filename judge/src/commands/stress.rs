//! `judge stress`: looking for inputs that submissions fail, or that tell them apart.
//!
//! Responsible for the order: what is looked for, what it takes, the search, making small, telling, keeping. Must not know
//! how inputs are made or judged.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_authoring::Project;
use judge_event::{Event, Progress, RunState};
use judge_model::{LanguageId, Problem, Program, Verdict};
use judge_package::Filter;
use judge_report::Verbosity;
use judge_runner::{Interrupts, Jury, Observer, Plan, TimeLimitSource};
use judge_sandbox::CancelToken;
use judge_strengthening::{Ground, Hunt, Means, Search, SearchEnd, Searched, SmallFinding};

use crate::args::{AddArgs, JudgingArgs, StressArgs, TellingArgs};
use crate::commands::add;
use crate::commands::judging::{PlanBuilder, Ready, make_ready_for};
use crate::commands::search_teller::Teller;
use crate::commands::stress_document::document;
use crate::commands::stress_report::{self, Told};
use crate::commands::stress_sought::{Inputs, Sought, input_args};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::{Failure, RESULT};
use crate::whole_file::WholeFile;

/// How long is looked when nothing says how long.
const TIME: Duration = Duration::from_secs(30);
/// What scripts may count on (2025-09, "Programs").
const OF_SCRIPTS: [&str; 3] = ["python3", "c", "cpp"];

pub(crate) fn carry_out(config: &Config, args: &StressArgs) -> Result<ExitCode, Failure> {
    let sought = Sought::read(config, args)?;
    let project = Project::open(&sought.problem().directory, &config.workspace)
        .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
    let inputs = Inputs::of(args, project.as_ref(), &sought, config)?;
    let judging = JudgingArgs {
        jobs: args.jobs,
        time_limit: args.time_limit,
        samples: false,
        json: None,
        telling: TellingArgs::default(),
        isolation: args.isolation,
        no_cache: false,
    };
    let mut plan = plan(config, &judging, &sought);
    let ready = make_ready_for(config, &judging, &languages(&plan, &sought, &inputs), (None, false))?;
    if let Some(code) = infer_time_limit(&mut plan, &ready, sought.reference)? {
        return Ok(code);
    }
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let mut directories = vec![sought.problem().directory.clone()];
    directories.extend(project.iter().flat_map(Project::directories));
    let cache = &ready.settings.cache_dir;
    let jury = Jury::open(&ready.toolchains, Arc::clone(&ready.sandbox), cache, &directories, cancel.clone())?;
    let (toolchains, sandbox) = (&ready.toolchains, &ready.sandbox);
    let means = Means { jury: &jury, toolchains, sandbox, run: &ready.settings, cancel: &cancel };
    let ground = Ground {
        plan,
        reference: sought.reference,
        generators: inputs.generators.clone(),
        templates: inputs.templates.clone(),
        change_test_cases: inputs.change_test_cases,
        input_args: input_args(&sought.loaded),
    };
    let mut hunt = Hunt::open(ground, &means)?;
    for submission in sought.needed() {
        if let Err(why) = hunt.ready(submission)? {
            return Err(Failure::Usage(format!("`{}` cannot be run: {why}", sought.id(submission))));
        }
    }
    if !hunt.has_inputs() {
        let why =
            "there is nothing to make inputs of: no call of a generator, and no test case with an input validator";
        let hint = "name a generator of the package with --args 'NAME [1..20] {seed}'";
        return Err(Failure::NothingSelected(format!("{why}\nhint: {hint}")));
    }
    look(config, args, (&sought, &inputs), &hunt)
}

/// Searches, makes small, tells and keeps.
fn look(
    config: &Config,
    args: &StressArgs,
    (sought, inputs): (&Sought, &Inputs),
    hunt: &Hunt<'_>,
) -> Result<ExitCode, Failure> {
    let drawn = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()));
    let search = Search {
        finder: &sought.finder,
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
        hunt.make_small(&searched.findings, &sought.finder, args.shrink)?
    };
    teller.clear();
    let told = Told { sought, inputs, search: &search, searched: &searched, small: &small, hunt };
    let saved = args.save.as_deref().map(|into| save(&config.directory.join(into), &told)).transpose()?;
    tell(config, args, &told, saved.as_deref().unwrap_or_default())?;
    exit(config, args, &told)
}

/// One problem with the submissions that matter, of which nothing is expected.
fn plan(config: &Config, judging: &JudgingArgs, sought: &Sought) -> Plan {
    let mut loaded = sought.loaded.clone();
    loaded.warnings.clear();
    for submission in &mut loaded.problem.submissions {
        submission.expectations.clear();
    }
    let mut builder = PlanBuilder::new(config, judging);
    builder.add_instead(loaded, &Filter::default(), Some(Arc::clone(&sought.whole)));
    builder.finish()
}

/// The languages that tools are needed for.
fn languages(plan: &Plan, sought: &Sought, inputs: &Inputs) -> BTreeSet<LanguageId> {
    let mut plan = plan.clone();
    if let Some(planned) = plan.problems.first_mut() {
        let mut problem = Problem::clone(&planned.problem);
        let needed = sought.needed().into_iter().filter_map(|index| problem.submissions.get(index).cloned());
        problem.submissions = needed.collect();
        planned.problem = Arc::new(problem);
    }
    plan.languages().into_iter().chain(languages_of(inputs, sought.problem())).collect()
}

/// The languages of what makes and validates inputs.
pub(crate) fn languages_of(inputs: &Inputs, problem: &Problem) -> BTreeSet<LanguageId> {
    let of = |program: &Program| match program.scripts {
        Some(_) => OF_SCRIPTS.map(|id| LanguageId(id.to_owned())).to_vec(),
        None => vec![program.language.clone()],
    };
    inputs.generators.iter().chain(&problem.input_validators).flat_map(of).collect()
}

/// Finds the time limit, where the package leaves it open. An exit code when that cannot be.
fn infer_time_limit(plan: &mut Plan, ready: &Ready, reference: usize) -> Result<Option<ExitCode>, Failure> {
    let Some(planned) = plan.problems.first_mut() else { return Ok(Some(ExitCode::NothingSelected)) };
    if matches!(planned.time_limit_source, TimeLimitSource::Stated) {
        return Ok(None);
    }
    let mut smallest = Problem::clone(&planned.problem);
    smallest.test_cases.truncate(1);
    smallest.submissions = smallest.submissions.into_iter().skip(reference).take(1).collect();
    let mut first = plan.clone();
    first.problems[0].problem = Arc::new(smallest);
    first.problems[0].submission_paths = vec![String::new()];
    let mut state = Listener::default();
    judge_runner::run(first, &ready.toolchains, Arc::clone(&ready.sandbox), &ready.settings, &mut state)?;
    let code = exit_code::of(&state.0);
    let limit = state.0.problems.first().map(|problem| problem.started.time_limit_us).filter(|limit| *limit > 0);
    match (code, limit) {
        (ExitCode::AsExpected | ExitCode::ExpectationViolated, Some(limit)) => {
            plan.problems[0].time_limit = Duration::from_micros(limit);
            plan.problems[0].time_limit_source = TimeLimitSource::Stated;
            Ok(None)
        }
        (ExitCode::AsExpected, None) => Ok(Some(ExitCode::PackageFault)),
        (other, _) => Ok(Some(other)),
    }
}

/// Keeps what happens and tells nobody.
#[derive(Default)]
struct Listener(RunState);

impl Observer for Listener {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.0.apply(event);
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> io::Result<()> {
        Ok(())
    }
}

/// Writes inputs and answers; gives the inputs' files, as they are told.
fn save(into: &Path, told: &Told<'_>) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path| {
        let what = format!("`{}`", path.display());
        move |source| Failure::Write { what, source }
    };
    std::fs::create_dir_all(into).map_err(failed(into))?;
    let mut files = Vec::new();
    for found in told.found() {
        let name = format!("{}-{}-{}", told.sought.problem().name, told.search.seed, found.number);
        let path = into.join(format!("{name}.in"));
        let answer = found.answer.as_deref().map(|answer| (into.join(format!("{name}.ans")), answer));
        for (path, bytes) in [(path.clone(), found.input)].into_iter().chain(answer) {
            let there = std::fs::read(&path).ok();
            if there.as_deref().is_some_and(|there| there != bytes) {
                let why = format!("`{}` is there already, with something else in it", path.display());
                return Err(Failure::Usage(format!("{why}\nhint: name another directory with --save")));
            }
            std::fs::write(&path, bytes).map_err(failed(&path))?;
        }
        files.push(path);
    }
    Ok(files)
}

fn tell(config: &Config, args: &StressArgs, told: &Told<'_>, saved: &[PathBuf]) -> Result<(), Failure> {
    let document = || document(told, saved);
    if let Some(path) = args.json.as_deref().filter(|path| *path != Path::new("-")) {
        WholeFile::create(&config.directory.join(path))?.keep_with(&format!("{}\n", document()))?;
    }
    let text = if args.json.as_deref() == Some(Path::new("-")) {
        format!("{}\n", document())
    } else {
        let report = stress_report::of(config, told, saved);
        report.to_text(config.terminal.look, config.terminal.verbosity == Verbosity::Quiet)
    };
    let mut stdout = io::stdout();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: RESULT.to_owned(), source })
}

/// What it has come to. With `--add`, a finding is put into the package first.
fn exit(config: &Config, args: &StressArgs, told: &Told<'_>) -> Result<ExitCode, Failure> {
    let Searched { findings, end, .. } = told.searched;
    if *end == SearchEnd::Interrupted && findings.is_empty() {
        return Ok(ExitCode::Interrupted);
    }
    let is_judge_error =
        |found: &SmallFinding| found.finding.seen.iter().any(|of| of.class.verdict == Verdict::JudgeError);
    let is_judge_error = told.small.iter().any(is_judge_error)
        || findings.iter().any(|found| found.seen.iter().any(|of| of.class.verdict == Verdict::JudgeError));
    let (Some(name), Some(found)) = (&args.add, told.found().into_iter().next()) else {
        return Ok(match (is_judge_error, findings.is_empty(), &args.add) {
            (true, ..) => ExitCode::PackageFault,
            // Nothing to add is not what was asked for.
            (_, false, _) | (_, true, Some(_)) => ExitCode::ExpectationViolated,
            (_, true, None) => ExitCode::AsExpected,
        });
    };
    let (group, name) = name.rsplit_once('/').unwrap_or(("secret", name));
    let file = tempfile::Builder::new().prefix("judge-stress-").suffix(".in").tempfile();
    let failed = |source| Failure::Write { what: "the input".to_owned(), source };
    let mut file = file.map_err(failed)?;
    file.write_all(found.input).map_err(failed)?;
    let added = AddArgs {
        file: Some(file.path().to_owned()),
        generate: None,
        problem: Some(told.sought.problem().directory.display().to_string()),
        to: group.to_owned(),
        name: Some(name.to_owned()),
        answer: None,
        require_kill: told.must_be_killed(&found),
        quick: false,
        dry_run: false,
        markdown: false,
        json: false,
        jobs: args.jobs,
        isolation: args.isolation,
    };
    add::carry_out(config, &added)
}
