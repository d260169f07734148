//! `judge upgrade`: converts a package from the legacy format, or from a draft, to 2025-09.
//!
//! Responsible for trying it on a copy first, and for writing only with `--write`. Must not know
//! the changes.

use std::fmt::Write as _;
use std::path::Path;

use judge_event::Interchange;
use judge_interchange::upgrade::Upgrade;
use judge_report::{FileChanges, InterchangeReport, Verbosity};
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use crate::args::UpgradeArgs;
use crate::commands::authoring::session::revert_interrupted;
use crate::commands::document::DocumentOutput;
use crate::commands::selection::{load_package, select_own};
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::print;
use crate::reporters::print_failure;

/// The maximum size of a text that is upgraded, in bytes.
const MAX_TEXT_BYTES: u64 = 16 << 20;

pub(crate) fn run(config: &Config, args: &UpgradeArgs) -> Result<ExitCode, Failure> {
    // Signals are handled: a package is changed as a whole, and no copy stays behind.
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let selection = select_own(config, &args.selection.what)?;
    let output = DocumentOutput::open(config, &args.reports.targets)?;
    let mut upgrading = Upgrading {
        config,
        args,
        is_printed: !output.is_on_stdout(),
        documents: String::new(),
    };
    let upgraded = selection
        .packages
        .iter()
        .try_fold(ExitCode::AsExpected, |code, package| {
            let of_package = match upgrading.upgrade(&package.directory, &cancel) {
                // One broken package does not keep the others from being upgraded.
                Err(failure @ Failure::Package(_)) if selection.packages.len() > 1 => {
                    print_failure(&failure);
                    Ok(failure.exit_code())
                }
                upgraded => upgraded,
            };
            of_package.map(|of_package| worse(code, of_package))
        });
    output.write_after(upgraded, &upgrading.documents, |_| {
        upgrading.documents.clone()
    })
}

/// The upgrade of packages, one after another.
struct Upgrading<'a> {
    config: &'a Config,
    args: &'a UpgradeArgs,
    /// True when reports are printed for people.
    is_printed: bool,
    /// The documents so far.
    documents: String,
}

impl Upgrading<'_> {
    /// Upgrades a package, or shows what that would change.
    fn upgrade(&mut self, directory: &Path, cancel: &CancelToken) -> Result<ExitCode, Failure> {
        let Self { config, args, .. } = *self;
        if directory.is_file() {
            let text = format!("`{}` is an archive; unpack it first", directory.display());
            return Err(Failure::Usage(text));
        }
        if args.write {
            revert_interrupted(config, directory)?;
        }
        let loaded = load_package(config, directory)?;
        let upgrade = Upgrade::from_package(&loaded)?;
        let is_needed = !upgrade.is_refused() && !upgrade.is_current();
        if is_needed {
            upgrade.try_on_copy(&loaded, &config.workspace, &|| cancel.is_cancelled())?;
        }
        // Checked after the trial, which may have ended early because of the signal.
        if cancel.is_cancelled() {
            return Err(Failure::Interrupted);
        }
        let is_written = args.write && is_needed;
        // Read while the old files are still there.
        let changes = changes(directory, &upgrade);
        if is_written {
            upgrade.apply(directory)?;
        }
        let document = upgrade.document(
            &loaded.problem.name,
            &config.shown(&loaded.problem.directory),
            is_written,
        );
        let _ = writeln!(self.documents, "{}", document.to_json());
        if self.is_printed {
            print(text(config, &document, &upgrade, &changes))?;
        }
        Ok(if upgrade.is_refused() {
            ExitCode::PackageFault
        } else {
            ExitCode::AsExpected
        })
    }
}

fn changes(package: &Path, upgrade: &Upgrade) -> FileChanges {
    let shown = |path: &Path| path.display().to_string();
    // These files were already read as YAML, with a smaller limit.
    let old = |path: &Path| {
        let bytes = judge_files::regular_file::read(&package.join(path), MAX_TEXT_BYTES)
            .unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    };
    FileChanges {
        moves: upgrade
            .moves
            .iter()
            .map(|(from, to)| (shown(from), shown(to)))
            .collect(),
        texts: upgrade
            .texts
            .iter()
            .map(|(path, text)| (shown(path), old(path), text.clone()))
            .collect(),
        removals: upgrade.removals.iter().map(|path| shown(path)).collect(),
    }
}

/// The report for people.
fn text(
    config: &Config,
    document: &Interchange,
    upgrade: &Upgrade,
    changes: &FileChanges,
) -> String {
    let terminal = config.terminal;
    let report =
        InterchangeReport(document).to_text(terminal.look, terminal.verbosity > Verbosity::Normal);
    let hint = if document.written || upgrade.is_refused() || upgrade.is_current() {
        ""
    } else {
        "  nothing was written: `--write` applies the changes\n  `judge verify` before and after shows whether verdicts change\n"
    };
    let changes = if upgrade.is_refused() {
        String::new()
    } else {
        changes.to_text(terminal.look)
    };
    format!("{report}{changes}{hint}")
}
