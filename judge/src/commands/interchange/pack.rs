//! `judge pack`: packs problems into archives for other judges.
//!
//! Responsible for the place of archives, and for packing only sound packages. Must not know the
//! requirements of any judge.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use judge_event::Finding;
use judge_interchange::pack::{
    Delivery, Output, Package, Purpose, Target, TypesetPdf, TypesetStatement, check_targets, pack,
    samples,
};
use judge_package::{
    Credits, LoadedPackage, StatementFile, StatementKind, preferred_statements, quoted,
    statement_files,
};
use judge_printing::{Role, Statement};
use judge_report::{InterchangeReport, Verbosity, noun};
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;
use judge_statement::{TexStatement, markdown_to_tex};

use crate::args::PackArgs;
use crate::commands::check::packages::errors_of_files;
use crate::commands::document::DocumentOutput;
use crate::commands::selection::{directories, load_package, select_packages};
use crate::commands::statement::Remarks;
use crate::commands::statement::page::page;
use crate::commands::statement::pdf::{Press, pdf};
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
    let directories = directories(&selection.packages);
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
        let takes = Target::all().filter(|target| target.accepts_tex());
        let takes = quoted(takes.map(Target::name));
        let text = format!(
            "`--tex` is for {takes}; `{}` gets statements in the form that it needs",
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
        let (config, args) = (self.config, self.args);
        let mut packages: Vec<LoadedPackage> = Vec::new();
        for directory in directories {
            let loaded =
                check(config, args, directory).and_then(|()| load_package(config, directory));
            packages.extend(self.skip_if_broken(loaded)?);
        }
        let output = Output {
            directory: &config.directory,
            named: args.output.as_deref(),
            is_of_many: self.is_of_many,
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
            if (self.delivery.is_stopped)() {
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
            if archive.paths().next().is_none() {
                let text = format!(
                    "there is no sample in `data/sample`, so `{}` is not written",
                    config.shown(&file)
                );
                return Err(Failure::Package(text));
            }
            archive.deliver(&file, self.delivery, |_| Ok(()))?;
            write(
                &mut io::stderr(),
                format!("note: samples: `{}`\n", config.shown(&file)),
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
                write(&mut io::stderr(), format!("error: {text}\n")).map(|()| None)
            }
            outcome => outcome.map(Some),
        }
    }

    /// Packs a problem and reports it; adds its document. True when the judge accepts it.
    fn pack_one(&mut self, loaded: &LoadedPackage, target: &Path) -> Result<bool, Failure> {
        let (config, args) = (self.config, self.args);
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
            packed.deliver(loaded, &config.workspace, target, self.delivery)?;
        }
        let (source, shown) = (config.shown(&problem.directory), config.shown(target));
        let document = packed.document(&problem.name, &source, &shown, is_written);
        let _ = writeln!(self.documents, "{}", document.to_json());
        if self.is_printed {
            let terminal = config.terminal;
            let report = InterchangeReport(&document);
            let text = match (self.is_of_many, terminal.verbosity) {
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

/// The statements of a problem, one per language; as a PDF if the target accepts no other form.
///
/// # Errors
/// When a statement cannot be read, or shows a missing file.
fn statements(
    config: &Config,
    loaded: &LoadedPackage,
    target: Target,
) -> Result<Vec<TypesetStatement>, Failure> {
    let problem = &loaded.problem;
    let files = statement_files(problem);
    let files = preferred_statements(&files, Some("all"));
    let credits = Credits::read(&problem.directory).unwrap_or_default();
    let mut typeset = Vec::new();
    for file in &files {
        let mut statement = TypesetStatement {
            language: file.language.clone(),
            kind: file.kind,
            path: file.path.clone(),
            html: None,
            tex: None,
            not_in_tex: Vec::new(),
            pdf: None,
        };
        if file.kind == StatementKind::Markdown
            && !target.leaves_out(&problem.directory, &file.path)
        {
            let mut remarks = Remarks::default();
            statement.html = page(config, problem, file, &mut remarks);
            if !remarks.errors.is_empty() {
                return Err(Failure::Package(remarks.errors.join("\n")));
            }
            let text = file
                .text(problem)
                .map_err(|error| Failure::Package(error.to_string()))?;
            let title = credits.name(&file.language).unwrap_or(&problem.title);
            let TexStatement { text, left_out } = markdown_to_tex(title, &text);
            (statement.tex, statement.not_in_tex) = (Some(text), left_out);
        }
        typeset.push(statement);
    }
    // Typesetting takes seconds, so only the statement that the target prints is typeset.
    if let Some(index) = target.statement_to_print(&Package {
        loaded,
        statements: &typeset,
        wants_tex: false,
    }) {
        typeset[index].pdf = Some(print_statement(config, loaded, files[index])?);
    }
    Ok(typeset)
}

/// A statement as a PDF, or the reason why it is missing, which does not keep the package from
/// being packed.
fn print_statement(
    config: &Config,
    loaded: &LoadedPackage,
    file: &StatementFile,
) -> Result<TypesetPdf, Failure> {
    let statement = match Statement::read(&loaded.problem, file, Role::Statement) {
        Ok(statement) => statement,
        Err(errors) => {
            return Ok(Err(errors
                .first()
                .map(ToString::to_string)
                .unwrap_or_default()));
        }
    };
    let mut remarks = Remarks::default();
    match pdf(
        config,
        String::new(),
        None,
        &[statement],
        None,
        &mut Press::new(config, None),
        &mut remarks,
    ) {
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(failure) => Ok(Err(one_line(&failure.to_string()))),
        // A PDF that lacks a part of the statement is worse than none: the gap may be noticed only
        // during the contest.
        Ok(page) => Ok(match remarks.errors.first() {
            None => Ok(page.content),
            Some(error) => Err(one_line(error)),
        }),
    }
}

/// Several lines as one.
fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("; ")
}
