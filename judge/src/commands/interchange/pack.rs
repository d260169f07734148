//! `judge pack`: problems as the archives that other judges take.
//!
//! Responsible for where archives go, and for that nothing is packed which is not sound. Must not know what any judge
//! takes.

use std::fs;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use judge_event::{Event, Finding};
use judge_files::{Replacement, ReplacementOptions, regular_file};
use judge_interchange::pack::{Archive, COMMENT, Package, Packed, pack, put_samples};
use judge_lint::{Notice, check_files};
use judge_model::Severity;
use judge_package::{LoadedPackage, Workspace, load, unpack_archive};
use judge_report::{InterchangeReport, Verbosity, noun};
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use super::typeset::statements;
use crate::args::PackArgs;
use crate::commands::check::packages::check_of;
use crate::commands::judging::run::select_packages;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;
use crate::whole_file::failed;

pub(crate) fn carry_out(config: &Config, args: &PackArgs) -> Result<ExitCode, Failure> {
    // A signal is waited for, so that nothing half-written stays: neither an archive nor what was read back.
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let selection = select_packages(config, &args.selection.what)?;
    let directories: Vec<PathBuf> = selection.packages.iter().map(|package| package.directory.clone()).collect();
    check(config, args, &directories)?;
    let work = Work { config, args, cancel: &cancel };
    let mut samples = Archive::default();
    let mut code = ExitCode::AsExpected;
    for directory in &directories {
        work.go_on()?;
        let failure = |errors| Failure::package(&errors, &config.workspace.root);
        let loaded = load(directory, &config.workspace).map_err(failure)?;
        if args.samples.is_some() {
            put_samples(&loaded, &mut samples).map_err(|error| Failure::Package(error.to_string()))?;
        }
        if !pack_one(&work, &loaded, directories.len() > 1)? {
            code = ExitCode::PackageFault;
        }
    }
    if let Some(file) = args.samples.as_ref().filter(|_| !args.dry_run && code == ExitCode::AsExpected) {
        let file = config.directory.join(file);
        put(&work, &samples, &file, |_| Ok(()))?;
        write(&mut io::stderr(), &format!("note: samples: `{}`\n", config.shown(&file)))?;
    }
    Ok(code)
}

/// The surroundings of the work, and its end before time.
struct Work<'a> {
    config: &'a Config,
    args: &'a PackArgs,
    cancel: &'a CancelToken,
}

impl Work<'_> {
    /// # Errors
    /// When a signal came.
    fn go_on(&self) -> Result<(), Failure> {
        if self.cancel.is_cancelled() { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// A file that takes nothing more once a signal came.
struct Stoppable<'a> {
    file: BufWriter<&'a fs::File>,
    cancel: &'a CancelToken,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("a signal came"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Stoppable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Checks the files of packages with the profile of the judge. Nothing is run.
fn check(config: &Config, args: &PackArgs, directories: &[PathBuf]) -> Result<(), Failure> {
    let (jobs, _) = config.jobs_or(None);
    let packages = check_files(directories, &config.workspace, jobs);
    let profile = args.judge.profile();
    let mut errors = Vec::new();
    let check = judge_lint::Check { profile: Some(profile), ..check_of(config, Instant::now(), jobs) };
    let heard = check.run(&packages, &mut |notice| {
        if let Notice::Event(Event::Finding(finding)) = notice
            && finding.severity == Severity::Error
            && finding.silenced.is_none()
        {
            errors.push(told(finding));
        }
        Ok(())
    });
    heard.map_err(|source| Failure::Write { what: "the check".to_owned(), source })?;
    if errors.is_empty() {
        return Ok(());
    }
    let count = errors.len() as u64;
    let hint = format!(
        "hint: {count} {} for {}: `judge check --profile {}` tells more",
        noun(count, "error", "errors"),
        args.judge,
        profile.name()
    );
    Err(Failure::Package(format!("{}\n{hint}", errors.join("\n"))))
}

fn told(finding: &Finding) -> String {
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line}: {} [{}]", finding.file, finding.message, finding.code)
}

/// Packs a problem and tells it. True when the judge takes it.
fn pack_one(work: &Work<'_>, loaded: &LoadedPackage, is_one_of_many: bool) -> Result<bool, Failure> {
    let Work { config, args, .. } = *work;
    let problem = &loaded.problem;
    let typeset = statements(config, problem)?;
    let packed = pack(Package { loaded, statements: &typeset }, args.judge)
        .map_err(|error| Failure::Package(format!("{}: {error}", problem.name)))?;
    let target = target(config, args, &problem.name, is_one_of_many);
    let is_written = !args.dry_run && !packed.is_refused();
    if is_written {
        put(work, &packed.archive, &target, |file| {
            if args.judge.is_package() { read_back(config, loaded, file) } else { Ok(()) }
        })?;
    }
    tell(config, args, loaded, &packed, (&target, is_written))?;
    Ok(!packed.is_refused())
}

/// The archive of a problem.
fn target(config: &Config, args: &PackArgs, name: &str, is_one_of_many: bool) -> PathBuf {
    let file = format!("{name}.zip");
    match &args.output {
        None => config.directory.join(file),
        Some(output) => {
            let path = config.directory.join(output);
            let is_directory = is_one_of_many || path.is_dir() || output.to_string_lossy().ends_with('/');
            if is_directory { path.join(file) } else { path }
        }
    }
}

/// Writes an archive as a whole, once it was looked at.
fn put(
    work: &Work<'_>,
    archive: &Archive,
    target: &Path,
    look: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Ok(metadata) = fs::symlink_metadata(target) {
        let shown = target.display();
        if !metadata.is_file() && !metadata.is_symlink() {
            // Renamed over a device, the archive would be in its place.
            return Err(Failure::Usage(format!("`{shown}` is no file; nothing was written\nhint: name another one")));
        }
        if !work.args.force && !is_packed(target) {
            return Err(Failure::Usage(format!(
                "`{shown}` exists, and was not packed by this command; nothing was written\nhint: `--force` replaces it"
            )));
        }
    }
    if let Some(directory) = target.parent() {
        fs::create_dir_all(directory).map_err(failed(directory))?;
    }
    let options = ReplacementOptions { on_disk: true, ..ReplacementOptions::default() };
    let file = Replacement::begin(target, options).map_err(failed(target))?;
    let into = Stoppable { file: BufWriter::new(file.file()), cancel: work.cancel };
    let written = archive.write(into);
    work.go_on()?;
    written.map_err(failed(target))?;
    look(file.unfinished())?;
    work.go_on()?;
    file.finish().map_err(failed(target))
}

/// True for an archive that an earlier call of this command wrote: its comment stands at its end.
fn is_packed(file: &Path) -> bool {
    let ends_with_comment = || -> io::Result<bool> {
        let mut file = regular_file::open(file)?;
        let mut end = Vec::new();
        let length = COMMENT.len() as u64;
        file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(length)))?;
        file.take(length).read_to_end(&mut end)?;
        Ok(end == COMMENT.as_bytes())
    };
    ends_with_comment().unwrap_or(false)
}

/// Loads what was packed, as whoever takes it does: it must have the same test cases and submissions.
fn read_back(config: &Config, loaded: &LoadedPackage, file: &Path) -> Result<(), Failure> {
    let name = &loaded.problem.name;
    let broken = |why: String| Failure::Package(format!("{name}: what was packed cannot be read back: {why}"));
    let directory = tempfile::tempdir().map_err(failed(file))?;
    let root = directory.path().join(name);
    fs::create_dir(&root).map_err(failed(&root))?;
    unpack_archive(file, &root).map_err(|error| broken(error.to_string()))?;
    let within = root.join(name);
    let root = if judge_package::is_package(&within) { within } else { root };
    let mut workspace = Workspace::bare(&root);
    workspace.languages.clone_from(&config.workspace.languages);
    let again = load(&root, &workspace).map_err(|errors| broken(errors.to_string()))?;
    if again.problem.test_cases.len() < loaded.problem.test_cases.len() {
        let (expected, found) = (loaded.problem.test_cases.len(), again.problem.test_cases.len());
        return Err(broken(format!("expected {expected} test cases, found {found}")));
    }
    Ok(())
}

fn tell(
    config: &Config,
    args: &PackArgs,
    loaded: &LoadedPackage,
    packed: &Packed,
    (target, is_written): (&Path, bool),
) -> Result<(), Failure> {
    let problem = &loaded.problem;
    let source = config.shown(&problem.directory);
    let document = packed.document(&problem.name, args.judge, &source, &config.shown(target), is_written);
    let terminal = config.terminal;
    let text = if args.json {
        format!("{}\n", document.to_json())
    } else {
        InterchangeReport(&document).to_text(terminal.look, terminal.verbosity > Verbosity::Normal)
    };
    write(&mut io::stdout(), &text)
}
