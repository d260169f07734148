//! `judge check`: checks packages without judging submissions.
//!
//! Responsible for which packages are checked, and for `--data`, which only runs validators. Must
//! not know the checks, nor the severity of findings.

pub(crate) mod packages;
mod saving;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use judge_lint::{Check, Extent, load_data};
use judge_package::{Code, SelectedPackage, Selection};
use judge_report::Explanation;

use crate::args::CheckArgs;
use crate::commands::check::packages::{
    OpenValidators, Scope, check_of, check_packages, run_check,
};
use crate::commands::selection::{narrowed, select_changed, select_packages};
use crate::commands::since::staged::{self, Staged};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::print;
use crate::reporters::{ReportRequest, Reporters};

/// Checks the selected packages, or explains a finding.
pub(crate) fn run(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    check_changed(config, args, None).map(|code| code.unwrap_or(ExitCode::AsExpected))
}

/// Checks the selected packages; with `changed`, only those that contain one of these files. `None`
/// when no package does.
pub(crate) fn check_changed(
    config: &Config,
    args: &CheckArgs,
    changed: Option<&BTreeSet<PathBuf>>,
) -> Result<Option<ExitCode>, Failure> {
    if let Some(word) = &args.explain {
        return explain(config, word).map(Some);
    }
    if args.data_only {
        return check_data(config, args).map(Some);
    }
    let Some(mut selection) = selected(config, args)? else {
        return Ok(Some(ExitCode::AsExpected));
    };
    if let Some(changed) = changed {
        selection.packages.retain(|package| {
            let solutions = config.workspace.solutions_of(&package.directory);
            let belongs_to_package = |path: &PathBuf| {
                path.starts_with(&package.directory)
                    || solutions.as_ref().is_some_and(|own| path.starts_with(own))
            };
            changed.iter().any(belongs_to_package)
        });
        if selection.packages.is_empty() {
            return Ok(None);
        }
    }
    // An archive is unpacked into a temporary directory, where cases would be lost.
    let is_archive = |package: &&SelectedPackage| package.directory.is_file();
    if let Some(archive) = selection
        .packages
        .iter()
        .find(is_archive)
        .filter(|_| args.save)
    {
        let text = format!(
            "`{}` is an archive; unpack it first",
            archive.directory.display()
        );
        return Err(Failure::Usage(text));
    }
    let (jobs, _) = config.jobs_or(args.jobs);
    let mut reporters = Reporters::open(config, ReportRequest::new(&args.reports))?;
    let scope = Scope {
        whole_workspace: args.changes.is_everything() && !args.staged && changed.is_none(),
        extent: if args.files_only {
            Extent::Files
        } else {
            Extent::Everything
        },
        isolation: args.isolation.level,
        jobs,
        no_cache: args.no_cache,
        save: args.save,
    };
    check_packages(
        config,
        &selection,
        &args.severity_args,
        scope,
        &mut reporters,
    )?;
    reporters.finish().map(Some)
}

/// The packages that are checked; `None` when nothing is checked.
fn selected(config: &Config, args: &CheckArgs) -> Result<Option<Selection>, Failure> {
    let changes = &args.changes;
    if !args.staged {
        return select_changed(config, changes);
    }
    match staged::changes_of_hook(config, &changes.selection.what)? {
        Staged::Changes { changes, in_words } => Ok(narrowed(
            config,
            select_packages(config, &[])?,
            &changes,
            in_words,
        )),
        // Files outside of packages are not checked.
        Staged::Packages(packages) if packages.is_empty() => Ok(None),
        Staged::Packages(packages) => Ok(Some(select_packages(config, &packages)?)),
    }
}

/// Runs the validators of the selected packages.
fn check_data(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let selection = select_packages(config, &args.changes.selection.what)?;
    let (jobs, _) = config.jobs_or(args.jobs);
    let packages = load_data(&selection, &config.workspace)?;
    let open = OpenValidators::open(config, args.isolation.level, &packages, args.no_cache)?;
    // The reports in judge.yaml are meant for complete checks.
    let reports = ReportRequest {
        configured: false,
        ..ReportRequest::new(&args.reports)
    };
    let mut reporters = Reporters::open(config, reports)?;
    let check = Check {
        // Every finding of a validator is an error.
        strict: true,
        extent: Extent::OwnData,
        validators: open.as_ref().map(|open| &open.validators),
        ..check_of(config, begun, jobs)
    };
    run_check(&check, &packages, &mut reporters, None)?;
    reporters.finish()
}

/// Explains a code; an empty word lists all codes.
fn explain(config: &Config, word: &str) -> Result<ExitCode, Failure> {
    let look = config.terminal.look;
    let text = if word.is_empty() {
        let all: Vec<Explanation> = Code::all().into_iter().map(explanation).collect();
        Explanation::list(&all, look)
    } else {
        let code = Code::find(word).ok_or_else(|| {
            Failure::Usage(format!(
                "unknown code `{word}`\nhint: `judge check --explain` lists all codes"
            ))
        })?;
        explanation(code).to_text(look)
    };
    print(text)?;
    Ok(ExitCode::AsExpected)
}

fn explanation(code: Code) -> Explanation {
    Explanation {
        code: code.id().to_owned(),
        severity: code.default_severity(),
        title: code.title().to_owned(),
        why: code.why().to_owned(),
        fix: code.fix().to_owned(),
        example: code.example().to_owned(),
    }
}
