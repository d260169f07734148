//! `judge generate`: test data from `generators.yaml`.
//!
//! Responsible for what is generated, for when it is put in place, and for the exit code. Must not know how data is made.

use std::path::Path;

use judge_authoring::{ChangeKind, Project, Proposal};
use judge_model::TestCase;
use judge_package::{Filter, PackageErrors};
use judge_report::Generation;

use crate::args::GenerateArgs;
use crate::commands::authoring::session::{AuthoringSession, authoring_failure, complain, finish_interrupted};
use crate::commands::judging::name_of;
use crate::commands::judging::run::{select_failure, select_packages};
use crate::commands::list::write;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// What a fault of a package means for it.
const CANNOT: &str = "its test data cannot be generated";

pub(crate) fn carry_out(config: &Config, args: &GenerateArgs) -> Result<ExitCode, Failure> {
    let selection = select_packages(config, &args.what)?;
    let mut projects = Vec::new();
    let mut codes = vec![ExitCode::AsExpected];
    let mut without = Vec::new();
    for package in &selection.packages {
        if !args.check && !args.dry_run {
            finish_interrupted(config, &package.directory)?;
        }
        match Project::open(&package.directory, &config.workspace) {
            Ok(Some(project)) => projects.push((project, &package.filter)),
            Ok(None) => without.push(&package.directory),
            Err(errors) => codes.push(complain(config, &name_of(&package.directory), CANNOT, &errors)?),
        }
    }
    let planned: Vec<_> = projects.iter().map(|(project, _)| as_planned(project)).collect();
    selection.check(planned.iter()).map_err(|error| select_failure(&error))?;
    if projects.is_empty() && codes.len() == 1 {
        let names: Vec<String> = without.iter().map(|directory| judge_authoring::no_generators(directory)).collect();
        return Err(Failure::NothingSelected(names.join("\n")));
    }
    let wanted = |filter: &Filter, project: &Project| {
        filter.is_everything() || project.plan().cases.iter().any(|case| filter.matches_test_case(&case.id))
    };
    projects.retain(|(project, filter)| wanted(filter, project));
    if projects.is_empty() && codes.len() == 1 {
        return Err(Failure::NothingSelected("there is no test case to generate by that name".to_owned()));
    }
    if !projects.is_empty() {
        let all: Vec<&Project> = projects.iter().map(|(project, _)| project).collect();
        let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
        let generating = Generating { config, args, session };
        for (project, filter) in &projects {
            codes.push(generating.generate(project, filter)?);
            if codes.last() == Some(&ExitCode::Interrupted) {
                break;
            }
        }
    }
    Ok(codes.into_iter().reduce(crate::exit_code::worse).unwrap_or(ExitCode::AsExpected))
}

/// The problem with the test cases that it is to have, for finding out whether what was named exists.
pub(crate) fn as_planned(project: &Project) -> judge_model::Problem {
    let mut problem = project.problem().clone();
    let planned = project.plan().cases.iter().map(|case| case.id.clone());
    let included = project.plan().included.iter().map(|(id, _)| id.clone());
    let known = |id: &String| TestCase { id: id.clone(), ..TestCase::default() };
    problem.test_cases.extend(planned.chain(included).map(|id| known(&id)));
    problem
}

/// Generates the data of packages.
struct Generating<'a> {
    config: &'a Config,
    args: &'a GenerateArgs,
    session: AuthoringSession<'a>,
}

impl Generating<'_> {
    fn generate(&self, project: &Project, filter: &Filter) -> Result<ExitCode, Failure> {
        let is_wanted = |id: &str| filter.is_everything() || filter.matches_test_case(id);
        let Some(proposal) = self.session.make(project, &is_wanted)? else { return Ok(ExitCode::Interrupted) };
        let (generation, code) = self.tell(project.directory(), project.name(), &proposal);
        if code == ExitCode::AsExpected && !self.args.check && !self.args.dry_run {
            proposal.put_in_place().map_err(authoring_failure)?;
        }
        let look = self.config.terminal.look;
        let text = generation.to_text(look, self.config.terminal.verbosity);
        write(&mut std::io::stdout(), &text)?;
        if let Err(errors) = PackageErrors::check(proposal.faults) {
            return complain(self.config, project.name(), CANNOT, &errors);
        }
        Ok(code)
    }

    fn tell(&self, directory: &Path, name: &str, proposal: &Proposal<'_>) -> (Generation, ExitCode) {
        let changes = proposal.changes().iter().map(|change| (word(change.kind).to_owned(), change.id.clone()));
        let mut objections = Vec::new();
        let place = |path: &String| self.config.told(&directory.join("data").join(path));
        for path in proposal.in_the_way() {
            let message = format!("`{}` was written by hand, or changed since it was made", place(path));
            objections.push((message, "move it away, or take its test case out of generators.yaml".to_owned()));
        }
        let other_answers = proposal.changes().iter().filter(|change| change.kind == ChangeKind::AnswerChanged).count();
        if other_answers > 0 && !self.args.accept_answers {
            let message = format!("the same input has another answer now, in {other_answers} of the test cases");
            objections
                .push((message, "look at them with `judge accept`, or take them all: `--accept-answers`".to_owned()));
        }
        let mut notices: Vec<_> =
            proposal.notices.iter().map(|notice| (notice.id.clone(), notice.message.clone())).collect();
        notices.extend(
            proposal.kept().iter().map(|path| {
                (path.clone(), "is not asked for any more, but was changed by hand, so it stays".to_owned())
            }),
        );
        let would_change = proposal.changes_anything();
        let (done, code) = if !proposal.faults.is_empty() {
            ("cannot be generated, nothing was changed", ExitCode::PackageFault)
        } else if !objections.is_empty() {
            ("nothing was changed", ExitCode::ExpectationViolated)
        } else if !would_change {
            ("nothing changes", ExitCode::AsExpected)
        } else if self.args.check {
            ("not as generators.yaml says: run `judge generate`", ExitCode::ExpectationViolated)
        } else if self.args.dry_run {
            ("would change", ExitCode::AsExpected)
        } else if proposal.changes().is_empty() {
            ("written down in generators/lock.json", ExitCode::AsExpected)
        } else {
            ("put in place", ExitCode::AsExpected)
        };
        let mut changes: Vec<(String, String)> =
            if proposal.faults.is_empty() { changes.collect() } else { Vec::new() };
        if proposal.faults.is_empty() && changes.is_empty() && proposal.changes_lock() && code != ExitCode::AsExpected {
            changes.push(("changed".to_owned(), judge_authoring::LOCK_FILE.to_owned()));
        }
        let generation = Generation {
            problem: name.to_owned(),
            test_cases: proposal.test_cases as u64,
            changes,
            objections,
            notices,
            done: done.to_owned(),
            good: code == ExitCode::AsExpected,
        };
        (generation, code)
    }
}

fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::InputChanged => "input changed",
        ChangeKind::AnswerChanged => "answer changed",
        ChangeKind::FilesChanged => "files changed",
    }
}
