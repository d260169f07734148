//! `judge upgrade`: a package of the legacy format, or of a draft, in 2025-09.
//!
//! Responsible for trying it on a copy first, and for asking before anything is written. Must not know what changes.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use judge_interchange::upgrade::Upgrade;
use judge_model::{OutputValidator, Problem};
use judge_package::{LoadedPackage, Workspace, load};
use judge_report::{FileChanges, InterchangeReport, Verbosity};
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use super::import::failure;
use crate::args::UpgradeArgs;
use crate::commands::judging::run::select_own;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;
use crate::whole_file::failed;

pub(crate) fn carry_out(config: &Config, args: &UpgradeArgs) -> Result<ExitCode, Failure> {
    // A signal is waited for: a package is changed as a whole, and no copy stays.
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let selection = select_own(config, &args.selection.what)?;
    let mut code = ExitCode::AsExpected;
    for package in &selection.packages {
        let directory = &package.directory;
        if directory.is_file() {
            let text = format!("`{}` is an archive; unpack it first", directory.display());
            return Err(Failure::Usage(text));
        }
        let loaded =
            load(directory, &config.workspace).map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let upgrade = Upgrade::of(&loaded).map_err(failure)?;
        if upgrade.is_refused() {
            code = ExitCode::PackageFault;
        } else {
            on_a_copy(config, &loaded, &upgrade)?;
        }
        if cancel.is_cancelled() {
            return Err(Failure::Interrupted);
        }
        let is_written = args.write && !upgrade.is_refused();
        let changes = changes(directory, &upgrade);
        if is_written {
            upgrade.apply(directory).map_err(failure)?;
        }
        tell(config, args, &loaded.problem, &upgrade, &changes, is_written)?;
    }
    Ok(code)
}

/// Carries the steps out on a copy, and loads it: it must have the same test cases and submissions.
fn on_a_copy(config: &Config, loaded: &LoadedPackage, upgrade: &Upgrade) -> Result<(), Failure> {
    let problem = &loaded.problem;
    let temporary = tempfile::tempdir().map_err(failed(&problem.directory))?;
    let copy = temporary.path().join(&problem.name);
    copy_directory(&problem.directory, &copy).map_err(failed(&copy))?;
    upgrade.apply(&copy).map_err(failure)?;
    let mut workspace = Workspace::bare(&copy);
    workspace.languages.clone_from(&config.workspace.languages);
    let broken = |why: String| {
        let name = &problem.name;
        Failure::Package(format!(
            "{name}: cannot be upgraded, and is as it was: what would come of it has faults: {why}"
        ))
    };
    let again = load(&copy, &workspace).map_err(|errors| broken(errors.to_string()))?;
    let cases = |problem: &Problem| problem.test_cases.iter().map(|case| case.id.clone()).collect::<BTreeSet<_>>();
    let submissions = |of: &Problem| {
        let own = of.submissions.iter().filter(|submission| submission.path.starts_with(&of.directory));
        own.map(|submission| submission.id.clone()).collect::<BTreeSet<_>>()
    };
    if cases(problem) != cases(&again.problem) {
        return Err(broken("its test cases are others".to_owned()));
    }
    if submissions(problem) != submissions(&again.problem) {
        return Err(broken("its submissions are others".to_owned()));
    }
    match difference(loaded, &again) {
        Some(what) => Err(broken(format!("{what} would be others"))),
        None => Ok(()),
    }
}

/// What decides about verdicts and would be another thing than before, as far as it is said in keys.
fn difference(before: &LoadedPackage, after: &LoadedPackage) -> Option<&'static str> {
    let (old, new) = (&before.problem, &after.problem);
    let types = |of: &Problem| (of.interactive, of.passes, of.submit_answer, of.grading.scores(), of.languages.clone());
    let arguments = |of: &Problem| -> Vec<_> {
        let each = of.test_cases.iter();
        each.map(|case| (case.id.clone(), case.args.clone(), case.output_validator_args.all.clone())).collect()
    };
    let validators = |of: &Problem| of.input_validators.len();
    let custom = |of: &Problem| matches!(of.output_validator, OutputValidator::Custom(_));
    let differs = [
        (old.limits != new.limits, "the limits"),
        (types(old) != types(new), "the type or the languages"),
        (old.allow_file_writing != new.allow_file_writing, "the files that submissions may write"),
        (arguments(old) != arguments(new), "the arguments of test cases or of the output validator"),
        (validators(old) != validators(new) || custom(old) != custom(new), "the validators"),
        (before.input_args() != after.input_args(), "the arguments of input validators"),
    ];
    differs.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}

/// Copies what counts of a package. Links are copied as links: they lead to places in it.
fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && entry.file_name() != ".git" {
            copy_directory(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn changes(package: &Path, upgrade: &Upgrade) -> FileChanges {
    let shown = |path: &Path| path.display().to_string();
    let old = |path: &Path| fs::read_to_string(package.join(path)).unwrap_or_default();
    FileChanges {
        moves: upgrade.moves.iter().map(|(from, to)| (shown(from), shown(to))).collect(),
        texts: upgrade.texts.iter().map(|(path, text)| (shown(path), old(path), text.clone())).collect(),
        removals: upgrade.removals.iter().map(|path| shown(path)).collect(),
    }
}

fn tell(
    config: &Config,
    args: &UpgradeArgs,
    problem: &Problem,
    upgrade: &Upgrade,
    changes: &FileChanges,
    is_written: bool,
) -> Result<(), Failure> {
    let document = upgrade.document(&problem.name, &config.shown(&problem.directory), is_written);
    let terminal = config.terminal;
    let text = if args.json {
        format!("{}\n", document.to_json())
    } else {
        let report = InterchangeReport(&document).to_text(terminal.look, terminal.verbosity > Verbosity::Normal);
        let hint = if is_written || upgrade.is_refused() {
            ""
        } else {
            "  nothing was written: `--write` does it; `judge verify` before and after shows that verdicts stay\n"
        };
        let changes = if upgrade.is_refused() { String::new() } else { changes.to_text(terminal.look) };
        format!("{report}{changes}{hint}")
    };
    write(&mut io::stdout(), &text)
}
