//! `judge mutate --hunt`: from survivors to inputs that kill them.
//!
//! Responsible for putting survivors beside the solution that they come from, as submissions of one problem, for where
//! what was found is kept, and for its part of the document. Must not know how inputs are made or judged, nor how anything
//! is told.
//!
//! Each survivor is compiled by itself: nothing slows it down, so that its time limit is the problem's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_authoring::{NewTestCase, Project};
use judge_event::Bytes;
use judge_exec::TimedProblem;
use judge_model::{LanguageId, Problem, Submission};
use judge_mutation::{FoundInput, FoundKill, HuntEnd, HuntResult, MutantResult, Mutation, RUST, toolchains_of_mutants};
use judge_package::LoadedPackage;
use judge_runner::PlannedProblem;
use judge_sandbox::CancelToken;
use judge_stress::{
    FailureClass, Hunt, InputSources, Killer, Origin, SearchEnd, SearchSpec, Seen, Sweep, Swept, add_placeholder,
};

use crate::args::MutateArgs;
use crate::commands::authoring::add::{Form, add};
use crate::commands::judging::submission_args::load_package;
use crate::commands::judging::{JudgingSettings, Ready};
use crate::commands::stress::holds_another;
use crate::commands::stress::progress::Teller;
use crate::commands::stress::target::{input_args, inputs_of_package};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// How long is looked for each survivor when nothing says how long.
const TIME: Duration = Duration::from_secs(10);

/// A package with all that inputs are made of.
pub(crate) struct Grounds {
    loaded: LoadedPackage,
    project: Option<Project>,
    inputs: InputSources,
}

impl Grounds {
    pub(crate) fn of(config: &Config, package: &Path) -> Result<Self, Failure> {
        let mut loaded = load_package(config, package)?;
        add_placeholder(&mut loaded.problem);
        let project = Project::open(package, &config.workspace)
            .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs_of_package(project.as_ref(), &loaded.problem);
        Ok(Self { loaded, project, inputs })
    }

    /// The languages of what makes and validates inputs.
    pub(crate) fn languages(&self) -> BTreeSet<LanguageId> {
        self.inputs.languages(&self.loaded.problem)
    }

    /// The problem with the solution and its survivors for submissions.
    fn problem(&self, planned: &PlannedProblem, submissions: Vec<Submission>) -> TimedProblem {
        let mut problem: Problem = self.loaded.problem.clone();
        problem.submissions = submissions;
        // What holds for submissions of people does not hold for these.
        problem.languages = None;
        problem.static_validator = None;
        problem.limits.code_bytes = u64::MAX;
        TimedProblem { name: planned.name.clone(), time_limit: planned.time_limit, problem: Arc::new(problem) }
    }
}

/// What a hunt has come to.
pub(crate) struct Hunted<'a> {
    pub(crate) inputs: &'a InputSources,
    pub(crate) problem: &'a Problem,
    /// Survivors, in the order of their numbers from 1.
    ids: Vec<String>,
    /// Those that cannot be run, and why.
    pub(crate) not_ready: Vec<(String, String)>,
    pub(crate) killers: Vec<Killer>,
    /// Where they were written to.
    pub(crate) files: Vec<PathBuf>,
    /// Nothing when there was nothing to search.
    pub(crate) swept: Option<Swept>,
    /// Kinds of calls, and test cases that could be changed.
    pub(crate) sources: (usize, usize),
    pub(crate) is_validated: bool,
    pub(crate) result: HuntResult,
    had_judge_error: bool,
}

impl Hunted<'_> {
    /// The name of the mutant with this number.
    pub(crate) fn id(&self, submission: usize) -> &str {
        submission.checked_sub(1).and_then(|index| self.ids.get(index)).map_or("", String::as_str)
    }

    /// What an input is called: after the first mutant that it kills.
    pub(crate) fn name(&self, index: usize) -> String {
        name(&self.ids, &self.killers[index])
    }

    /// What it means for the exit code.
    pub(crate) fn code(&self) -> ExitCode {
        match self.result.end {
            HuntEnd::Interrupted => ExitCode::Interrupted,
            _ if self.had_judge_error => ExitCode::PackageFault,
            _ => ExitCode::AsExpected,
        }
    }
}

fn name(ids: &[String], killer: &Killer) -> String {
    let first = killer.killed().next().and_then(|number| ids.get(number.checked_sub(1)?));
    format!("mutant-{}", first.map_or("", String::as_str))
}

/// Looks for inputs that kill the survivors.
pub(crate) fn hunt<'a>(
    config: &Config,
    args: &MutateArgs,
    (grounds, planned, solution): (&'a Grounds, &PlannedProblem, &Submission),
    mutation: &Mutation,
    (ready, cancel): (&Ready, &CancelToken),
) -> Result<Hunted<'a>, Failure> {
    let survivors: Vec<&MutantResult> = mutation.survivors().collect();
    let mut hunted = Hunted {
        inputs: &grounds.inputs,
        problem: &grounds.loaded.problem,
        ids: survivors.iter().map(|mutant| mutant.id.clone()).collect(),
        not_ready: Vec::new(),
        killers: Vec::new(),
        files: Vec::new(),
        swept: None,
        sources: (0, 0),
        is_validated: false,
        result: HuntResult { seed: args.seed, end: HuntEnd::Interrupted, ..HuntResult::default() },
        had_judge_error: false,
    };
    let directory = tempfile::tempdir().map_err(failed("sources of mutants"))?;
    let submissions = submissions(solution, &survivors, directory.path()).map_err(failed("sources of mutants"))?;
    let mut directories = vec![grounds.loaded.problem.directory.clone()];
    directories.extend(grounds.project.iter().flat_map(Project::directories));
    let session = ready.session_of(&directories, cancel)?;
    let Some(toolchains) = toolchains_of_mutants(&ready.toolchains) else {
        return Err(Failure::Usage("expected a host with a Rust compiler".to_owned()));
    };
    let environment = ready.settings.environment(&toolchains, &ready.sandbox, cancel);
    let ground = SearchSpec {
        problem: grounds.problem(planned, submissions),
        reference: 0,
        generators: grounds.inputs.generators.clone(),
        templates: grounds.inputs.templates.clone(),
        change_test_cases: true,
        input_args: input_args(&grounds.loaded),
    };
    let mut hunt = match Hunt::open(ground, &session, &environment) {
        // What fails because it was cancelled is nobody's fault.
        Err(_) if cancel.is_cancelled() => return Ok(hunted),
        opened => opened?,
    };
    hunted.sources = hunt.sources();
    hunted.is_validated = hunt.validates();
    if !hunt.has_inputs() {
        hunted.result.end = HuntEnd::Inputs;
        let why =
            "there is nothing to make inputs of: no call of a generator, and no test case with an input validator";
        hunted.result.warnings.push(why.to_owned());
        return Ok(hunted);
    }
    let numbers: Vec<usize> = (1..=survivors.len()).collect();
    let made = hunt.ready_all(&numbers)?;
    if cancel.is_cancelled() {
        return Ok(hunted);
    }
    let refused = numbers.iter().zip(made).filter_map(|(number, made)| Some((*number, made.err()?.to_string())));
    let refused: Vec<(usize, String)> = refused.collect();
    hunted.not_ready = refused.iter().map(|(number, why)| (hunted.id(*number).to_owned(), why.clone())).collect();
    let targets = numbers.into_iter().filter(|number| refused.iter().all(|(other, _)| other != number)).collect();
    search(config, args, &hunt, targets, &mut hunted)?;
    hunted.files = save(config, args, &hunted)?;
    hunted.result.found = (0..hunted.killers.len()).map(|index| found(&hunted, index)).collect();
    Ok(hunted)
}

fn failed(what: &str) -> impl FnOnce(std::io::Error) -> Failure {
    let what = what.to_owned();
    move |source| Failure::Write { what, source }
}

/// The solution, and behind it the survivors, whose sources are written into a directory.
fn submissions(
    solution: &Submission,
    survivors: &[&MutantResult],
    directory: &Path,
) -> std::io::Result<Vec<Submission>> {
    let mut submissions = vec![Submission { expectations: Vec::new(), ..solution.clone() }];
    for mutant in survivors {
        let file = format!("mutant_{}.rs", mutant.id);
        let path = directory.join(&file);
        fs::write(&path, mutant.source.as_deref().unwrap_or_default())?;
        submissions.push(Submission {
            id: file.clone(),
            path,
            sources: vec![file.into()],
            language: Some(LanguageId(RUST.to_owned())),
            of_package: solution.of_package,
            ..Submission::default()
        });
    }
    Ok(submissions)
}

/// Searches and makes small.
fn search(
    config: &Config,
    args: &MutateArgs,
    hunt: &Hunt<'_>,
    targets: Vec<usize>,
    hunted: &mut Hunted<'_>,
) -> Result<(), Failure> {
    let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
    let each = args.hunt.flatten().or_else(|| args.inputs.is_none().then_some(TIME));
    let time = each.map(|each| each.saturating_mul(count));
    let sweep = Sweep { targets, seed: args.seed, inputs: args.inputs, time };
    let mut teller = Teller::new(config, hunted.sources.0, (time, args.inputs));
    let swept = hunt.sweep(&sweep, &mut |tally, elapsed| teller.hear(tally, elapsed))?;
    teller.say("making it small");
    let killers = hunt.killers(&swept.findings, args.shrink);
    teller.clear();
    hunted.killers = killers?;
    hunted.result = result(hunted, &swept);
    hunted.had_judge_error = swept.findings.iter().any(|finding| finding.seen.iter().any(Seen::is_judge_error));
    hunted.swept = Some(swept);
    Ok(())
}

/// The document, without what was found.
fn result(hunted: &Hunted<'_>, swept: &Swept) -> HuntResult {
    let tally = &swept.tally;
    let end = match swept.end {
        SearchEnd::Found => HuntEnd::Found,
        SearchEnd::Inputs => HuntEnd::Inputs,
        SearchEnd::Time => HuntEnd::Time,
        SearchEnd::Interrupted => HuntEnd::Interrupted,
    };
    let is_over = end != HuntEnd::Interrupted && tally.judged > 0;
    let alive = swept.alive.iter().filter(|_| is_over).map(|number| hunted.id(*number).to_owned());
    HuntResult {
        seed: hunted.result.seed,
        next: swept.next,
        end,
        inputs: tally.inputs,
        judged: tally.judged,
        repeated: tally.repeated,
        invalid: tally.invalid,
        refused: tally.failed,
        unusable: tally.unusable,
        kinds: hunted.sources.0 as u64,
        kinds_reached: tally.templates as u64,
        elapsed_us: u64::try_from(swept.elapsed.as_micros()).unwrap_or(u64::MAX),
        found: Vec::new(),
        likely_equivalent: alive.collect(),
        warnings: warnings(hunted, swept),
    }
}

fn warnings(hunted: &Hunted<'_>, swept: &Swept) -> Vec<String> {
    let mut warnings = Vec::new();
    let told = |origin: &Origin| hunted.inputs.describe(origin, hunted.problem);
    if !hunted.is_validated {
        let why = "the package has no input validator that runs: inputs are not validated, test cases are not changed";
        warnings.push(why.to_owned());
    }
    if let Some((finding, tried)) = &swept.unusable {
        let class = FailureClass::of(tried);
        warnings.push(format!("the solution gets {class} on some inputs, such as {}", told(&finding.origin)));
    }
    for finding in &swept.findings {
        for seen in finding.seen.iter().filter(|seen| seen.is_judge_error()) {
            let mutant = hunted.id(seen.submission);
            let origin = told(&finding.origin);
            warnings.push(format!(
                "the output validator failed on the output of the mutant `{mutant}` for input {} ({origin}): it must reject \
                whatever is not right, and not crash",
                finding.number
            ));
        }
    }
    if swept.tally.judged == 0 && swept.end != SearchEnd::Interrupted {
        warnings.push("not one input could be judged".to_owned());
    }
    warnings
}

fn found(hunted: &Hunted<'_>, index: usize) -> FoundInput {
    let Killer { first, small } = &hunted.killers[index];
    let told = |origin: &Origin| hunted.inputs.describe(origin, hunted.problem);
    let kill = |seen: &Seen| FoundKill {
        mutant: hunted.id(seen.submission).to_owned(),
        verdict: seen.class.verdict,
        how: seen.class.how.clone(),
    };
    FoundInput {
        number: first.number,
        made_by: told(&first.origin),
        found_bytes: first.input.len() as u64,
        call: small.call.as_ref().map(|call| told(&call.origin)),
        input: Bytes(small.finding.input.clone()),
        answer: small.answer.clone().map(Bytes),
        is_minimal: small.is_minimal,
        tried: small.tried,
        file: hunted.files.get(index).map(|path| path.display().to_string()),
        kills: small.finding.seen.iter().map(kill).collect(),
    }
}

/// Writes inputs and answers, and nothing over what is there; gives the inputs' files.
fn save(config: &Config, args: &MutateArgs, hunted: &Hunted<'_>) -> Result<Vec<PathBuf>, Failure> {
    let into = config.directory.join(&args.save).join(&hunted.problem.name);
    let mut files = Vec::new();
    for (index, killer) in hunted.killers.iter().enumerate() {
        fs::create_dir_all(&into).map_err(failed(&format!("`{}`", into.display())))?;
        let (name, input) = (hunted.name(index), &killer.small.finding.input);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let answer = killer.small.answer.as_ref();
        let holds = |path: &Path, bytes: &[u8]| !holds_another(path, bytes);
        let is_free = |path: &PathBuf| {
            holds(path, input) && answer.is_none_or(|answer| holds(&path.with_extension("ans"), answer))
        };
        let names = std::iter::once(name.clone()).chain(numbered);
        let path = names.map(|name| into.join(format!("{name}.in"))).find(is_free).unwrap_or_default();
        let answer = answer.map(|answer| (path.with_extension("ans"), answer));
        for (path, bytes) in [(path.clone(), input)].into_iter().chain(answer) {
            fs::write(&path, bytes).map_err(failed(&format!("`{}`", path.display())))?;
        }
        files.push(path);
    }
    Ok(files)
}

/// Adds every input that was found as a test case.
pub(crate) fn add_all(
    config: &Config,
    args: &MutateArgs,
    name: &str,
    hunted: &Hunted<'_>,
) -> Result<ExitCode, Failure> {
    let (group, name) = name.rsplit_once('/').unwrap_or(("secret", name));
    let is_taken = |id: &String| hunted.problem.test_cases.iter().any(|case| case.id == format!("{group}/{id}"));
    let free = (1..).map(|number| format!("{name}-{number:02}")).filter(|id| !is_taken(id));
    let settings = JudgingSettings { jobs: args.jobs, isolation: args.isolation, ..JudgingSettings::default() };
    for (killer, name) in hunted.killers.iter().zip(free) {
        let new = NewTestCase::found(&killer.small.finding.input, group, &name);
        match add(config, &hunted.problem.directory, &new, settings, Form::Text)? {
            ExitCode::AsExpected => {}
            other => return Ok(other),
        }
    }
    Ok(ExitCode::AsExpected)
}
