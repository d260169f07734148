//! `judge add`: a further test case, with what it is worth.
//!
//! Responsible for where the test case comes from and goes to, and for the exit code. Must not know how data is made or
//! judged, nor what stands against a test case.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use judge_authoring::{AddError, Assessment, Candidate, Project, Proposal, check_group, name_case, named_submissions};
use judge_event::{Addition, RunState};
use judge_package::{GENERATORS_FILE, PackageErrors, load};
use judge_report::{AdditionReport, printable_lines};

use crate::args::AddArgs;
use crate::commands::authoring::given::given;
use crate::commands::authoring::session::{AuthoringSession, authoring_failure, complain, finish_interrupted};
use crate::commands::judging::run::select_packages;
use crate::commands::judging::{JudgingSettings, name_of};
use crate::commands::list::write;
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;

/// What a fault of the package, or of the test case, means for it.
const CANNOT: &str = "the test case cannot be added";

/// A test case to add to a package.
pub(crate) struct NewTestCase<'a> {
    pub(crate) source: CaseSource<'a>,
    /// `sample`, `secret`, or a group in one of them.
    pub(crate) group: &'a str,
    /// The name in it; as the file or the generator when not given.
    pub(crate) name: Option<&'a str>,
    /// Submissions that it must reject.
    pub(crate) required: &'a [String],
    /// Whether to leave out which other test cases reject the same submissions.
    pub(crate) quick: bool,
    /// Whether to write nothing.
    pub(crate) dry_run: bool,
    pub(crate) form: Form,
    pub(crate) settings: JudgingSettings,
}

impl<'a> NewTestCase<'a> {
    /// An input that another command found, to be called so in its group.
    pub(crate) fn found(input: &'a [u8], (group, name): (&'a str, &'a str), settings: JudgingSettings) -> Self {
        Self {
            source: CaseSource::Bytes(input),
            group,
            name: Some(name),
            required: &[],
            quick: false,
            dry_run: false,
            form: Form::Text,
            settings,
        }
    }
}

/// Where a test case comes from.
pub(crate) enum CaseSource<'a> {
    /// An input, and an answer if there is one; `-` is standard input.
    Files { input: &'a Path, answer: Option<&'a Path> },
    /// An input.
    Bytes(&'a [u8]),
    /// A command of a generator.
    Command(&'a str),
}

/// How it is told.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Text,
    Markdown,
    Json,
}

pub(crate) fn carry_out(config: &Config, args: &AddArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, args.problem.as_slice())?;
    let [package] = selection.packages.as_slice() else {
        let found = selection.packages.len();
        return Err(Failure::Usage(format!(
            "expected one problem, found {found}\nhint: name it with `--problem NAME`, or start in its directory"
        )));
    };
    let source = match (&args.generate, &args.file) {
        (Some(command), None) => CaseSource::Command(command),
        (None, Some(input)) => CaseSource::Files { input, answer: args.answer.as_deref() },
        _ => {
            let expected = "expected a file, `-` for standard input, or `--generate COMMAND`";
            return Err(Failure::Usage(expected.to_owned()));
        }
    };
    let new = NewTestCase {
        source,
        group: args.to.trim_matches('/'),
        name: args.name.as_deref(),
        required: &args.require_kill,
        quick: args.quick,
        dry_run: args.dry_run,
        form: match (args.markdown, args.json) {
            (true, _) => Form::Markdown,
            (false, true) => Form::Json,
            (false, false) => Form::Text,
        },
        settings: args.execution.into(),
    };
    add(config, &package.directory, &new)
}

/// Adds a test case to a package, unless something stands against it, and tells what it is worth.
pub(crate) fn add(config: &Config, directory: &Path, new: &NewTestCase<'_>) -> Result<ExitCode, Failure> {
    if !new.dry_run {
        finish_interrupted(config, directory)?;
    }
    match try_to_add(config, directory, new) {
        Err(Stop::Package(errors)) => complain(config, &name_of(directory), CANNOT, &errors),
        Err(Stop::Failure(failure)) => Err(failure),
        Ok(code) => Ok(code),
    }
}

/// What ends it early.
enum Stop {
    Failure(Failure),
    Package(PackageErrors),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<PackageErrors> for Stop {
    fn from(errors: PackageErrors) -> Self {
        Self::Package(errors)
    }
}

impl From<AddError> for Stop {
    fn from(error: AddError) -> Self {
        match error {
            AddError::Package(errors) => Self::Package(errors),
            error @ AddError::NoSubmission { .. } => Self::Failure(Failure::NothingSelected(error.to_string())),
            error => Self::Failure(Failure::Usage(error.to_string())),
        }
    }
}

fn try_to_add(config: &Config, directory: &Path, new: &NewTestCase<'_>) -> Result<ExitCode, Stop> {
    // Where that is kept which is given as a stream.
    let spool =
        tempfile::tempdir().map_err(|error| Failure::Usage(format!("cannot make a temporary directory: {error}")))?;
    let candidate = candidate(config, directory, new, spool.path())?;
    let (project, id) = (candidate.project(), candidate.id());
    let required = named_submissions(project.problem(), new.required)?;
    // Anything else that would change with the new rules would be put down to the new test case.
    let before = candidate.rules().map(|_| Project::open(directory, &config.workspace)).transpose()?.flatten();
    let projects: Vec<&Project> = before.iter().chain([project]).collect();
    let mut session = AuthoringSession::open(config, new.settings, &projects, true)?;
    if let Some(before) = &before
        && !is_as_written(&session, before)?
    {
        return Ok(ExitCode::Interrupted);
    }
    let is_wanted = |other: &str| candidate.rules().is_some() || other == id;
    let Some(mut proposal) = session.make(project, &is_wanted)? else { return Ok(ExitCode::Interrupted) };
    proposal.rules = candidate.rules().map(str::to_owned);
    PackageErrors::check(std::mem::take(&mut proposal.faults))?;
    let problem = proposal.load(&config.workspace)?;
    let mut addition = candidate.describe(&proposal, &problem);
    let whole = Arc::new(project.problem().clone());
    let assessment = Assessment { problem, whole: &whole, id, required: &required, quick: new.quick };
    let ended =
        assessment.assess(&mut addition, &mut |problem, fail_fast| session.judge(problem, &whole, fail_fast))?;
    match ended {
        Some(state) => Ok(tell_end(&state)?),
        None => Ok(conclude(config, new, addition, &proposal)?),
    }
}

/// Finds a name for the test case, and reads the package with it.
fn candidate(config: &Config, directory: &Path, new: &NewTestCase<'_>, spool: &Path) -> Result<Candidate, Stop> {
    check_group(new.group)?;
    let known = load(directory, &config.workspace)?.problem;
    let name = name_case(&known, new.group, new.name, &suggested_name(&new.source))?;
    let id = format!("{}/{name}", new.group);
    Ok(match &new.source {
        CaseSource::Command(command) => {
            Candidate::by_command(directory, &config.workspace, (new.group, &name), command)?
        }
        CaseSource::Bytes(input) => Candidate::of_input(directory, &config.workspace, &id, input)?,
        CaseSource::Files { input, answer } => {
            let mut files = BTreeMap::from([("in".to_owned(), given(config, input, &spool.join("in"))?)]);
            if let Some(answer) = answer {
                files.insert("ans".to_owned(), given(config, answer, &spool.join("ans"))?);
            }
            Candidate::by_hand(directory, &config.workspace, &id, &files)?
        }
    })
}

/// The name of the file or the generator.
fn suggested_name(source: &CaseSource<'_>) -> String {
    let path = match source {
        CaseSource::Files { input, .. } => Some(*input).filter(|file| *file != Path::new("-")),
        CaseSource::Command(command) => command.split_whitespace().next().map(Path::new),
        CaseSource::Bytes(_) => None,
    };
    path.and_then(Path::file_stem).unwrap_or_default().to_string_lossy().into_owned()
}

/// Makes sure that the data of a package is as its rules say. Not when it was interrupted.
fn is_as_written(session: &AuthoringSession<'_>, project: &Project) -> Result<bool, Failure> {
    let Some(proposal) = session.make(project, &|_| true)? else { return Ok(false) };
    if !proposal.faults.is_empty() || !proposal.changes().is_empty() || !proposal.in_the_way().is_empty() {
        return Err(Failure::Usage(format!(
            "the data of {} is not as {GENERATORS_FILE} says\nhint: `judge generate {0}` first",
            project.name()
        )));
    }
    Ok(true)
}

/// Writes, unless something stands against it, and tells.
fn conclude(
    config: &Config,
    new: &NewTestCase<'_>,
    mut addition: Addition,
    proposal: &Proposal<'_>,
) -> Result<ExitCode, Failure> {
    let (done, code) = match (addition.objections.is_empty(), new.dry_run) {
        (false, _) => ("not added", ExitCode::ExpectationViolated),
        (true, true) => ("would be added", ExitCode::AsExpected),
        (true, false) => ("added", ExitCode::AsExpected),
    };
    if code == ExitCode::AsExpected && !new.dry_run {
        proposal.put_in_place().map_err(authoring_failure)?;
    }
    addition.done = done.to_owned();
    let report = AdditionReport(&addition);
    let text = match new.form {
        Form::Text => report.to_text(config.terminal.look),
        Form::Markdown => report.to_markdown(),
        Form::Json => report.to_json(),
    };
    write(&mut std::io::stdout(), &text)?;
    Ok(code)
}

/// Tells why a run did not come to its end.
fn tell_end(state: &RunState) -> Result<ExitCode, Failure> {
    let host = state.host_faults.iter().map(|fault| fault.message.clone());
    let package = state.package_faults.iter().map(|fault| format!("{}: {}", fault.file, fault.message));
    let faults: Vec<String> = host.chain(package).map(|fault| printable_lines(&format!("error: {fault}\n"))).collect();
    write(&mut std::io::stderr(), &faults.concat())?;
    Ok(exit_code::of(state))
}
