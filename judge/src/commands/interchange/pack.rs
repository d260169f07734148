//! `judge pack`: packs problems into archives for other judges.
//!
//! Responsible for the place of archives, and for packing only sound packages. Must not know the
//! requirements of any judge.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use judge_event::Finding;
use judge_interchange::pack::{
    Delivery, Output, Package, Purpose, Target, check_targets, pack, samples,
};
use judge_package::LoadedPackage;
use judge_report::{InterchangeReport, Verbosity, noun};
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use super::typeset::statements;
use crate::args::PackArgs;
use crate::commands::check::packages::errors_of_files;
use crate::commands::document::DocumentOutput;
use crate::commands::selection::{load_package, select_packages};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::{print, write};

pub(crate) fn run(config: &Config, args: &PackArgs) -> Result<ExitCode, Failure> {
    require_tex_target(args)?;
    // Signals are handled, so that neither a half-written archive nor temporary files stay behind.
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let selection = select_packages(config, &args.selection.what)?;
    let directories: Vec<PathBuf> = selection
        .packages
        .iter()
        .map(|package| package.directory.clone())
        .collect();
    let is_stopped = || cancel.is_cancelled();
    let reports = DocumentOutput::open(config, &args.reports.targets)?;
    let mut work = Work {
        config,
        args,
        delivery: Delivery {
            force: args.force,
            is_stopped: &is_stopped,
        },
        is_printed: !reports.is_on_stdout(),
        is_of_many: directories.len() > 1,
        code: ExitCode::AsExpected,
        documents: String::new(),
    };
    let packed = work.pack_all(&directories);
    reports.write_after(packed, &work.documents, |_| work.documents.clone())?;
    Ok(work.code)
}

/// Refuses `--tex` for a target that takes no TeX.
fn require_tex_target(args: &PackArgs) -> Result<(), Failure> {
    if args.tex && !args.judge.accepts_tex() {
        let takes = Target::all()
            .filter(|target| target.accepts_tex())
            .map(Target::name)
            .collect::<Vec<_>>()
            .join("`, `");
        let text = format!(
            "`--tex` is for `{takes}`; `{}` gets statements in the form that it needs",
            args.judge
        );
        return Err(Failure::Usage(text));
    }
    Ok(())
}

/// The packing of problems, one after another.
struct Work<'a> {
    config: &'a Config,
    args: &'a PackArgs,
    delivery: Delivery<'a>,
    /// True when reports are printed for people.
    is_printed: bool,
    is_of_many: bool,
    /// The exit code so far.
    code: ExitCode,
    /// The documents so far.
    documents: String,
}

impl Work<'_> {
    /// Packs every problem that is sound, then the samples of all of them.
    fn pack_all(&mut self, directories: &[PathBuf]) -> Result<(), Failure> {
        let Self {
            config,
            args,
            delivery,
            is_of_many,
            ..
        } = *self;
        let mut packages: Vec<LoadedPackage> = Vec::new();
        for directory in directories {
            let loaded =
                check(config, args, directory).and_then(|()| load_package(config, directory));
            packages.extend(self.skip_if_broken(loaded)?);
        }
        let output = Output {
            directory: &config.directory,
            named: args.output.as_deref(),
            is_of_many,
        };
        let targets: Vec<PathBuf> = packages
            .iter()
            .map(|loaded| output.archive(&loaded.problem.name, args.judge))
            .collect();
        let of_samples = args
            .samples
            .as_ref()
            .map(|file| config.directory.join(file));
        let of_judge = targets
            .iter()
            .map(|target| (target.as_path(), Purpose::Judge(args.judge)));
        let all = of_judge.chain(
            of_samples
                .as_deref()
                .map(|target| (target, Purpose::Samples)),
        );
        // All targets are checked before the first archive is written: a name that is taken
        // must not stop the work in the middle.
        check_targets(all, args.force || args.dry_run)?;
        for (loaded, target) in packages.iter().zip(&targets) {
            if (delivery.is_stopped)() {
                return Err(Failure::Interrupted);
            }
            let packed = self.pack_one(loaded, target);
            if self.skip_if_broken(packed)? == Some(false) {
                self.code = ExitCode::PackageFault;
            }
        }
        if let Some(file) =
            of_samples.filter(|_| !args.dry_run && self.code == ExitCode::AsExpected)
        {
            let archive =
                samples(&packages).map_err(|error| Failure::Package(error.to_string()))?;
            archive.deliver(&file, delivery, |_| Ok(()))?;
            write(
                &mut io::stderr(),
                &format!("note: samples: `{}`\n", config.shown(&file)),
            )?;
        }
        Ok(())
    }

    /// Returns the outcome for one problem. With several problems, a broken one is reported and
    /// skipped: `None`.
    fn skip_if_broken<T>(&mut self, outcome: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match outcome {
            Err(Failure::Package(text)) if self.is_of_many => {
                self.code = ExitCode::PackageFault;
                write(&mut io::stderr(), &format!("error: {text}\n")).map(|()| None)
            }
            outcome => outcome.map(Some),
        }
    }

    /// Packs a problem and reports it; adds its document. True when the judge accepts it.
    fn pack_one(&mut self, loaded: &LoadedPackage, target: &Path) -> Result<bool, Failure> {
        let Self {
            config,
            args,
            delivery,
            is_printed,
            is_of_many,
            ..
        } = *self;
        let problem = &loaded.problem;
        let typeset = statements(config, loaded, args.judge)?;
        let packed = pack(
            Package {
                loaded,
                statements: &typeset,
                wants_tex: args.tex,
            },
            args.judge,
        )
        .map_err(|error| Failure::Package(format!("{}: {error}", problem.name)))?;
        let is_written = !args.dry_run && !packed.is_refused();
        if is_written {
            packed.deliver(loaded, &config.workspace, target, delivery)?;
        }
        let (source, shown) = (config.shown(&problem.directory), config.shown(target));
        let document = packed.document(&problem.name, &source, &shown, is_written);
        let _ = writeln!(self.documents, "{}", document.to_json());
        if is_printed {
            let terminal = config.terminal;
            let report = InterchangeReport(&document);
            let text = match (is_of_many, terminal.verbosity) {
                (_, verbosity) if verbosity > Verbosity::Normal => {
                    report.to_text(terminal.look, true)
                }
                (false, Verbosity::Normal) => report.to_text(terminal.look, false),
                _ => report.to_brief_text(terminal.look),
            };
            print(text)?;
        }
        Ok(!packed.is_refused())
    }
}

/// The maximum number of errors that are shown before packing: a fault of the data often affects
/// every test case.
const MAX_ERRORS: usize = 10;

/// Checks the files of a package with the profile of the judge. Nothing is run.
fn check(config: &Config, args: &PackArgs, directory: &Path) -> Result<(), Failure> {
    let profile = args.judge.profile();
    let is_rewritten = |finding: &Finding| {
        args.judge
            .rewrites(directory, &finding.code, Path::new(&finding.file))
    };
    let errors = errors_of_files(config, &[directory.to_owned()], profile, is_rewritten)?;
    if errors.is_empty() {
        return Ok(());
    }
    let count = errors.len() as u64;
    let hint = format!(
        "hint: {count} {} for {}: see `judge check --profile {}`",
        noun(count, "error", "errors"),
        args.judge,
        profile.name()
    );
    let more = errors.len().saturating_sub(MAX_ERRORS);
    let more = if more == 0 {
        String::new()
    } else {
        format!("\nand {more} more")
    };
    let shown = errors
        .iter()
        .take(MAX_ERRORS)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n");
    Err(Failure::Package(format!("{shown}{more}\n{hint}")))
}
