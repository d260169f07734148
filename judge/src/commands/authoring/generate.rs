//! `judge generate`: test data from `generators.yaml`.
//!
//! Responsible for the selection, the report and the exit code. Must not know how data is
//! generated, nor when it replaces files.

use std::path::Path;

use judge_authoring::{
    GenerateEnd, GenerateSettings, GeneratedData, Objection, Project, no_generators,
};
use judge_package::{Filter, PackageErrors, Selection};
use judge_report::Generation;

use crate::args::{ExecutionArgs, GenerateArgs};
use crate::commands::authoring::review::review;
use crate::commands::authoring::session::{AuthoringSession, PackageWork, check, watched};
use crate::commands::selection::select_own;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::print;

/// Generates the data of the selected packages, or reviews their answers.
pub(crate) fn run(config: &Config, args: &GenerateArgs) -> Result<ExitCode, Failure> {
    if args.review {
        return review(config, args);
    }
    let selection = select_own(config, &args.selection.what)?;
    let generating = Generating {
        settings: GenerateSettings {
            check: args.check,
            accept_answers: args.accept_answers,
        },
        execution: args.execution,
    };
    generate_selected(config, &selection, generating)
}

/// The settings of generating data and of running programs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Generating {
    pub(crate) settings: GenerateSettings,
    pub(crate) execution: ExecutionArgs,
}

/// Generates the data of packages.
pub(crate) fn generate_selected(
    config: &Config,
    selection: &Selection,
    args: Generating,
) -> Result<ExitCode, Failure> {
    let work = PackageWork {
        config,
        cannot: "its test data cannot be generated",
        dry_run: args.settings.check,
    };
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
        filter.is_everything() || project.planned_ids().any(|id| filter.matches_test_case(id))
    });
    if projects.is_empty() {
        return match code {
            ExitCode::AsExpected => Err(Failure::NothingSelected(
                "no generated test case has that name".to_owned(),
            )),
            code => Ok(code),
        };
    }
    let all: Vec<&Project> = projects.iter().map(|(project, _)| project).collect();
    let session = AuthoringSession::open(config, args.execution.into(), &all, false)?;
    for (project, filter) in &projects {
        let generated = generate(work, args.settings, &session, project, filter)?;
        code = worse(code, generated);
        if generated == ExitCode::Interrupted {
            break;
        }
    }
    Ok(code)
}

/// Generates the data of a package, and prints the report.
fn generate(
    work: PackageWork<'_>,
    settings: GenerateSettings,
    session: &AuthoringSession<'_>,
    project: &Project,
    filter: &Filter,
) -> Result<ExitCode, Failure> {
    let is_selected = |id: &str| filter.is_everything() || filter.matches_test_case(id);
    let generated = watched(work.config, project.name(), |on_progress| {
        judge_authoring::generate(
            project,
            session.observed_resources(on_progress),
            &is_selected,
            settings,
        )
    })?;
    let Some(generated) = generated else {
        return Ok(ExitCode::Interrupted);
    };
    let code = match generated.end {
        GenerateEnd::Faulty => ExitCode::PackageFault,
        GenerateEnd::Refused | GenerateEnd::Outdated => ExitCode::ExpectationViolated,
        GenerateEnd::Unchanged | GenerateEnd::Locked | GenerateEnd::Placed => ExitCode::AsExpected,
    };
    let terminal = work.config.terminal;
    let report = report(
        work.config,
        project,
        &generated,
        code == ExitCode::AsExpected,
    );
    print(report.to_text(terminal.look, terminal.verbosity))?;
    match PackageErrors::check(generated.faults) {
        Ok(()) => Ok(code),
        Err(errors) => work.complain(project.name(), &errors),
    }
}

/// The report on the data of a package. `good` is true without objections and faults.
fn report(config: &Config, project: &Project, generated: &GeneratedData, good: bool) -> Generation {
    let place = |path: &Path| config.shown(&project.directory().join("data").join(path));
    let objection = |objection: &Objection| {
        let (text, hint) = match objection {
            Objection::InTheWay { path } => (
                format!(
                    "`{}` was written by hand, or changed since it was generated",
                    place(path.as_ref())
                ),
                "move it away, or remove its test case from generators.yaml",
            ),
            Objection::OtherAnswers { test_cases } => (
                format!(
                    "the answer changed although the input did not, in {test_cases} of the test cases"
                ),
                "fix the solution that writes them; if it is right, review them with `judge generate --review`, or accept \
                 all of them with `--accept-answers`",
            ),
        };
        (text, hint.to_owned())
    };
    Generation {
        problem: project.name().to_owned(),
        test_cases: generated.test_cases as u64,
        for_validators: generated.for_validators as u64,
        changes: generated
            .changes
            .iter()
            .map(|(word, id)| ((*word).to_owned(), id.clone()))
            .collect(),
        objections: generated.objections.iter().map(objection).collect(),
        notices: generated
            .notices
            .iter()
            .map(|notice| (notice.id.clone(), notice.in_words()))
            .collect(),
        done: generated.end.to_string(),
        good,
    }
}
