//! `judge add`: a further test case, with what it is worth.
//!
//! Responsible for where the test case comes from and goes to, for what stands against it, and for the exit code. Must not
//! know how data is made or judged.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_authoring::{LOCK_FILE, Project, Proposal};
use judge_event::{End, RunState, SubmissionState};
use judge_grading::{must_be_rejected, rejects};
use judge_model::{Expectation, Problem, Submission, Verdict};
use judge_package::{GENERATORS_FILE, PackageErrors, insert_case, read_generators_text};
use judge_report::{Addition, Others, Rejection};

use crate::args::AddArgs;
use crate::commands::judging::name_of;
use crate::commands::list::write;
use crate::commands::run::select_packages;
use crate::commands::workshop::{Workshop, authoring_failure, complain, finish_interrupted};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;

/// What a fault of the package, or of the test case, means for it.
const CANNOT: &str = "the test case cannot be added";

/// A test case that is to be added.
struct Candidate {
    project: Project,
    id: String,
    /// The new text of `generators.yaml`, when a command makes the test case.
    rules: Option<String>,
}

pub(crate) fn carry_out(config: &Config, args: &AddArgs) -> Result<ExitCode, Failure> {
    let directory = package(config, args)?;
    if !args.dry_run {
        finish_interrupted(config, &directory)?;
    }
    let candidate = match candidate(config, args, &directory) {
        Ok(candidate) => candidate,
        Err(Refusal::Failure(failure)) => return Err(failure),
        Err(Refusal::Package(errors)) => return complain(config, &name_of(&directory), CANNOT, &errors),
    };
    let required = required(&candidate.project, args)?;
    // Anything else that would change with the new rules would be put down to the new test case.
    let before = match candidate.rules.as_ref().map(|_| Project::open(&directory, &config.workspace)).transpose() {
        Ok(before) => before.flatten(),
        Err(errors) => return complain(config, &name_of(&directory), CANNOT, &errors),
    };
    let projects: Vec<&Project> = before.iter().chain([&candidate.project]).collect();
    let mut workshop = Workshop::open(config, args.jobs, args.isolation, &projects, true)?;
    if let Some(before) = &before
        && !is_as_written(&workshop, before)?
    {
        return Ok(ExitCode::Interrupted);
    }
    let by_command = candidate.rules.is_some();
    let is_wanted = |id: &str| by_command || id == candidate.id;
    let Some(mut proposal) = workshop.make(&candidate.project, &is_wanted)? else { return Ok(ExitCode::Interrupted) };
    proposal.rules.clone_from(&candidate.rules);
    let name = candidate.project.name();
    if let Err(errors) = PackageErrors::check(std::mem::take(&mut proposal.faults)) {
        return complain(config, name, CANNOT, &errors);
    }
    let problem = match proposal.load(&config.workspace) {
        Ok(problem) => problem,
        Err(errors) => return complain(config, name, CANNOT, &errors),
    };
    let mut addition = described(&candidate, &proposal, &problem);
    let whole = Arc::new(candidate.project.problem().clone());
    let trial = Trial { problem, whole: &whole, id: &candidate.id, required: &required, quick: args.quick };
    if let Some(code) = trial.judge(&mut workshop, &mut addition)? {
        return Ok(code);
    }
    conclude(config, args, addition, &proposal)
}

/// Writes, unless something stands against it, and tells.
fn conclude(
    config: &Config,
    args: &AddArgs,
    mut addition: Addition,
    proposal: &Proposal<'_>,
) -> Result<ExitCode, Failure> {
    let (done, code) = match (addition.objections.is_empty(), args.dry_run) {
        (false, _) => ("not added", ExitCode::ExpectationViolated),
        (true, true) => ("would be added", ExitCode::AsExpected),
        (true, false) => ("added", ExitCode::AsExpected),
    };
    if code == ExitCode::AsExpected && !args.dry_run {
        proposal.put_in_place().map_err(authoring_failure)?;
    }
    addition.done = done.to_owned();
    let text = match (args.markdown, args.json) {
        (true, _) => addition.to_markdown(),
        (false, true) => addition.to_json(),
        (false, false) => addition.to_text(config.terminal.look),
    };
    write(&mut std::io::stdout(), &text)?;
    Ok(code)
}

/// The one package that it is about.
fn package(config: &Config, args: &AddArgs) -> Result<PathBuf, Failure> {
    let selection = select_packages(config, args.problem.as_slice())?;
    match selection.packages.as_slice() {
        [package] => Ok(package.directory.clone()),
        packages => Err(Failure::Usage(format!(
            "expected one problem, found {}\nhint: name it with `--problem NAME`, or start in its directory",
            packages.len()
        ))),
    }
}

/// Why there is no candidate.
enum Refusal {
    Failure(Failure),
    Package(PackageErrors),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<PackageErrors> for Refusal {
    fn from(errors: PackageErrors) -> Self {
        Self::Package(errors)
    }
}

fn usage(message: impl Into<String>) -> Refusal {
    Refusal::Failure(Failure::Usage(message.into()))
}

fn candidate(config: &Config, args: &AddArgs, directory: &Path) -> Result<Candidate, Refusal> {
    let to = args.to.trim_matches('/');
    if !["sample", "secret"].contains(&to.split('/').next().unwrap_or_default()) {
        return Err(usage(format!("expected `sample`, `secret` or a group in one of them, found `--to {to}`")));
    }
    let known = judge_package::load(directory, &config.workspace)?.problem;
    let taken = |name: &str| known.test_cases.iter().any(|case| case.id == format!("{to}/{name}"));
    let name = match &args.name {
        Some(name) if !is_name(name) => {
            return Err(usage(format!("expected a name of letters, digits, `_`, `-` and `.`, found `{name}`")));
        }
        Some(name) if taken(name) => {
            return Err(usage(format!("there is a test case `{to}/{name}` already\nhint: choose another `--name`")));
        }
        Some(name) => name.clone(),
        None => free_name(&suggested_name(args), taken),
    };
    match (&args.generate, &args.file) {
        (Some(command), None) => by_command(config, directory, to, &name, command),
        (None, Some(file)) => by_hand(config, args, directory, format!("{to}/{name}"), file),
        _ => Err(usage("expected a file, `-` for standard input, or `--generate COMMAND`")),
    }
}

fn by_hand(config: &Config, args: &AddArgs, directory: &Path, id: String, file: &Path) -> Result<Candidate, Refusal> {
    let mut given = BTreeMap::from([("in".to_owned(), read(config, file)?)]);
    if let Some(answer) = &args.answer {
        given.insert("ans".to_owned(), read(config, answer)?);
    }
    let project = Project::by_hand(directory, &config.workspace, &id, &given)?;
    Ok(Candidate { project, id, rules: None })
}

fn by_command(config: &Config, directory: &Path, to: &str, name: &str, command: &str) -> Result<Candidate, Refusal> {
    let path = directory.join(GENERATORS_FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(usage(format!("cannot read `{}`: {error}", path.display()))),
    };
    let inserted = insert_case(directory, text.as_deref(), to, name, command)?;
    let rules = read_generators_text(directory, &inserted.text)?;
    let rules = rules.ok_or_else(|| usage("the rules with the new test case are none"))?;
    let project = Project::of_rules(directory, &config.workspace, &rules)?;
    let planned = project.plan().cases.iter().find(|case| case.line == Some(inserted.line));
    let id = planned.map(|case| case.id.clone()).ok_or_else(|| usage("the command makes no test case"))?;
    Ok(Candidate { project, id, rules: Some(inserted.text) })
}

fn read(config: &Config, file: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| Failure::Usage(format!("cannot read `{}`: {error}", file.display()));
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    std::fs::read(config.directory.join(file)).map_err(failed)
}

/// Names of test cases (2025-09, "General requirements").
fn is_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    first && name.len() <= 200 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// What the test case is called when nobody says: as its file or its generator.
fn suggested_name(args: &AddArgs) -> String {
    let file = args.file.as_deref().filter(|file| *file != Path::new("-")).map(Path::to_owned);
    let program = args.generate.as_deref().and_then(|command| command.split_whitespace().next()).map(PathBuf::from);
    let stem = file.or(program).and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    stem.filter(|stem| is_name(stem)).unwrap_or_else(|| "added".to_owned())
}

fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// The submissions that must be rejected here.
fn required(project: &Project, args: &AddArgs) -> Result<Vec<String>, Failure> {
    let find = |name: &String| {
        let named = |submission: &&Submission| {
            submission.id == *name
                || submission.id.ends_with(&format!("/{name}"))
                || name.ends_with(&format!("/{}", submission.id))
        };
        let mut found = project.problem().submissions.iter().filter(named);
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one.id.clone()),
            (None, _) => {
                Err(Failure::NothingSelected(format!("there is no submission `{name}` for {}", project.name())))
            }
            _ => Err(Failure::Usage(format!(
                "several submissions are called `{name}`\nhint: name it with its directory"
            ))),
        }
    };
    args.require_kill.iter().map(find).collect()
}

/// Makes sure that the data of a package is as its rules say. Not when it was interrupted.
fn is_as_written(workshop: &Workshop<'_>, project: &Project) -> Result<bool, Failure> {
    let Some(proposal) = workshop.make(project, &|_| true)? else { return Ok(false) };
    if !proposal.faults.is_empty() || !proposal.changes().is_empty() || !proposal.in_the_way().is_empty() {
        return Err(Failure::Usage(format!(
            "the data of {} is not as {GENERATORS_FILE} says\nhint: `judge generate {0}` first",
            project.name()
        )));
    }
    Ok(true)
}

fn described(candidate: &Candidate, proposal: &Proposal<'_>, problem: &Problem) -> Addition {
    let id = &candidate.id;
    let input = std::fs::read(proposal.staged(&format!("{id}.in"))).unwrap_or_default();
    let lines = input.split(|byte| *byte == b'\n').count() - usize::from(input.ends_with(b"\n") || input.is_empty());
    let same = |path: &Path| {
        std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == input.len() as u64)
            && std::fs::read(path).is_ok_and(|bytes| bytes == input)
    };
    let others = problem.test_cases.iter().filter(|case| case.id != *id);
    let planned = candidate.project.plan().cases.iter().find(|case| case.id == *id);
    let mut files: Vec<String> = proposal.written().map(|path| format!("data/{path}")).collect();
    files.extend(candidate.rules.iter().map(|_| GENERATORS_FILE.to_owned()));
    files.push(LOCK_FILE.to_owned());
    let in_the_way = proposal.in_the_way().iter().map(|path| {
        let hint = "choose another `--name`, or move it away".to_owned();
        (format!("`data/{path}` is there already, and was written by hand"), hint)
    });
    let notices = proposal.notices.iter().filter(|notice| notice.id == *id && !notice.message.starts_with("is equal"));
    Addition {
        problem: candidate.project.name().to_owned(),
        id: id.clone(),
        input: (input.len() as u64, lines as u64),
        command: planned.and_then(|planned| Some(planned.command.as_ref()?.told())),
        repeats: others.filter(|case| same(&case.input)).map(|case| case.id.clone()).collect(),
        objections: in_the_way.collect(),
        notices: notices.map(|notice| notice.message.clone()).collect(),
        files,
        ..Addition::default()
    }
}

/// Judging submissions on the new test case, and on the others.
struct Trial<'a> {
    /// As it would be.
    problem: Problem,
    /// As it is.
    whole: &'a Arc<Problem>,
    id: &'a str,
    required: &'a [String],
    quick: bool,
}

/// Whether only AC may come of it.
fn must_be_accepted(expectations: &[Expectation]) -> bool {
    expectations.iter().any(|rule| rule.scope.is_none() && rule.permitted == [Verdict::Accepted])
}

impl Trial<'_> {
    /// An exit code when it ends here.
    fn judge(&self, workshop: &mut Workshop<'_>, addition: &mut Addition) -> Result<Option<ExitCode>, Failure> {
        let mut problem = self.problem.clone();
        problem.test_cases.retain(|case| case.id == self.id);
        let state = workshop.judge(problem, self.whole, false)?;
        if let Some(code) = ended(&state) {
            return ended_told(&state, code).map(Some);
        }
        for of in state.problems.iter().flat_map(|problem| &problem.submissions) {
            self.take(of, addition);
        }
        addition.time_limit_us = state.problems.first().map_or(0, |problem| problem.started.time_limit_us);
        for id in self.required.iter().filter(|id| !addition.rejections.iter().any(|of| of.submission == **id)) {
            let message = format!("`{id}` is not rejected, and must be (`--require-kill`)");
            addition.objections.push((message, "the test case does not prove what it is meant to prove".to_owned()));
        }
        if self.quick || addition.rejections.is_empty() {
            return Ok(None);
        }
        self.count_others(workshop, addition)
    }

    fn take(&self, of: &SubmissionState, addition: &mut Addition) {
        let id = of.started.submission.clone();
        let expectations = &of.started.expectations;
        let Some(result) = of.test_cases.first() else {
            // Nothing came of it: no compiler here, or it does not compile, which is what some are for.
            addition.skipped.push(id);
            return;
        };
        let (verdict, is_accepted) = (result.verdict, result.verdict == Verdict::Accepted);
        if verdict == Verdict::JudgeError {
            let reason = result.reason.clone().unwrap_or_default();
            let message = format!("`{id}` cannot be judged on it: {reason}");
            addition.objections.push((message, "see what the output validator makes of this input".to_owned()));
        } else if must_be_accepted(expectations) {
            addition.accepted.push((id.clone(), result.cpu_time_us));
            if !is_accepted {
                let message = format!("`{id}` gets {} on it: the accepted solutions do not agree", verdict.code());
                let hint = "if the answer is wrong, give the right one with `--answer FILE`";
                addition.objections.push((message, hint.to_owned()));
            }
        } else if rejects(verdict) {
            addition.rejections.push(Rejection { submission: id, verdict, others: None });
        } else if must_be_rejected(expectations) {
            addition.passes.push(id);
        }
    }

    /// How many other test cases reject what this one rejects. What is too slow is stopped at the first.
    fn count_others(&self, workshop: &mut Workshop<'_>, addition: &mut Addition) -> Result<Option<ExitCode>, Failure> {
        for slow in [false, true] {
            let is_slow = |of: &Rejection| of.verdict == Verdict::TimeLimitExceeded;
            let wanted = |submission: &Submission| {
                addition.rejections.iter().any(|of| of.submission == submission.id && is_slow(of) == slow)
            };
            let mut problem = Problem::clone(self.whole);
            problem.submissions.retain(wanted);
            let all = problem.test_cases.len() as u64;
            if problem.submissions.is_empty() || all == 0 {
                continue;
            }
            let state = workshop.judge(problem, self.whole, slow)?;
            if let Some(code) = ended(&state) {
                return ended_told(&state, code).map(Some);
            }
            for of in state.problems.iter().flat_map(|problem| &problem.submissions) {
                let rejecting = of.test_cases.iter().filter(|case| rejects(case.verdict)).count() as u64;
                let found = addition.rejections.iter_mut().find(|known| known.submission == of.started.submission);
                if let Some(known) = found {
                    let several = slow && rejecting > 0;
                    known.others = Some(if several { Others::Some } else { Others::Exactly(rejecting, all) });
                }
            }
        }
        if addition.rejections.iter().all(|of| of.others.is_none()) {
            addition.rejections.iter_mut().for_each(|of| of.others = Some(Others::Exactly(0, 0)));
        }
        Ok(None)
    }
}

/// How a run ended, unless it came to its end.
fn ended(state: &RunState) -> Option<ExitCode> {
    let whole = state.end == Some(End::Completed) && state.host_faults.is_empty() && state.package_faults.is_empty();
    (!whole).then(|| exit_code::of(state))
}

fn ended_told(state: &RunState, code: ExitCode) -> Result<ExitCode, Failure> {
    let host = state.host_faults.iter().map(|fault| fault.message.clone());
    let package = state.package_faults.iter().map(|fault| format!("{}: {}", fault.file, fault.message));
    let faults: Vec<String> = host.chain(package).map(|fault| format!("error: {fault}\n")).collect();
    write(&mut std::io::stderr(), &faults.concat())?;
    Ok(code)
}
