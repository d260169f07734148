//! `judge generate`: test data from `generators.yaml`.
//!
//! Responsible for what is generated, for how it is told, and for the exit code. Must not know how data is made, nor
//! when it is put in place.

use judge_authoring::{GenerateEnd, GenerateSettings, Project, no_generators};
use judge_package::{Filter, PackageErrors, Selection};

use crate::args::{ExecutionArgs, GenerateArgs};
use crate::commands::authoring::generation::report;
use crate::commands::authoring::packages::{PackageWork, check};
use crate::commands::authoring::progress::watched;
use crate::commands::authoring::review::review;
use crate::commands::authoring::session::AuthoringSession;
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::write;

pub(crate) fn carry_out(config: &Config, args: &GenerateArgs) -> Result<ExitCode, Failure> {
    if args.review {
        return review(config, args);
    }
    let selection = select_own(config, &args.selection.what)?;
    let &GenerateArgs { check, dry_run, accept_answers, execution, .. } = args;
    generate_selected(config, &selection, Generating { check, dry_run, accept_answers, execution })
}

/// How test data is generated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Generating {
    /// True to say only whether something would change.
    pub(crate) check: bool,
    /// True to write nothing.
    pub(crate) dry_run: bool,
    /// True to take answers that changed.
    pub(crate) accept_answers: bool,
    /// The options of running programs.
    pub(crate) execution: ExecutionArgs,
}

/// Generates the data of packages.
pub(crate) fn generate_selected(config: &Config, selection: &Selection, args: Generating) -> Result<ExitCode, Failure> {
    let work = PackageWork { config, cannot: "its test data cannot be generated", dry_run: args.check || args.dry_run };
    let opened = work.open(selection, |directory| {
        Ok(Project::open(directory, &config.workspace)?.ok_or_else(|| no_generators(directory)))
    })?;
    let (mut code, mut projects, mut without) = (opened.code, Vec::new(), Vec::new());
    for (project, filter) in opened.packages {
        match project {
            Ok(project) => projects.push((project, filter)),
            Err(why) => without.push(why),
        }
    }
    check(selection, projects.iter().map(|(project, _)| project))?;
    if projects.is_empty() && code == ExitCode::AsExpected {
        return Err(Failure::NothingSelected(without.join("\n")));
    }
    projects.retain(|(project, filter)| {
        filter.is_everything() || project.plan().cases.iter().any(|case| filter.matches_test_case(&case.id))
    });
    if projects.is_empty() {
        return match code {
            ExitCode::AsExpected => {
                Err(Failure::NothingSelected("there is no test case to generate by that name".to_owned()))
            }
            code => Ok(code),
        };
    }
    let all: Vec<&Project> = projects.iter().map(|(project, _)| project).collect();
    let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
    for (project, filter) in &projects {
        let generated = generate(work, args, &session, project, filter)?;
        code = worse(code, generated);
        if generated == ExitCode::Interrupted {
            break;
        }
    }
    Ok(code)
}

/// Generates the data of a package, and prints what was done with it.
fn generate(
    work: PackageWork<'_>,
    args: Generating,
    session: &AuthoringSession<'_>,
    project: &Project,
    filter: &Filter,
) -> Result<ExitCode, Failure> {
    let is_wanted = |id: &str| filter.is_everything() || filter.matches_test_case(id);
    let Generating { check, dry_run, accept_answers, .. } = args;
    let settings = GenerateSettings { check, dry_run, accept_answers };
    let generated = watched(work.config, project.name(), |on_progress| {
        project.generate(session.observed_resources(on_progress), &is_wanted, settings).map_err(Failure::from)
    })?;
    let Some(generated) = generated else { return Ok(ExitCode::Interrupted) };
    let code = match generated.end {
        GenerateEnd::Faulty => ExitCode::PackageFault,
        GenerateEnd::Refused | GenerateEnd::Outdated => ExitCode::ExpectationViolated,
        GenerateEnd::Unchanged | GenerateEnd::WouldChange | GenerateEnd::Locked | GenerateEnd::Placed => {
            ExitCode::AsExpected
        }
    };
    let terminal = work.config.terminal;
    let report = report(work.config, project, &generated, code == ExitCode::AsExpected);
    write(&mut std::io::stdout(), &report.to_text(terminal.look, terminal.verbosity))?;
    match PackageErrors::check(generated.faults) {
        Ok(()) => Ok(code),
        Err(errors) => work.complain(project.name(), &errors),
    }
}
