//! Packing: a package as the archive that another judge takes.
//!
//! Responsible for which judges there are, and for what each of them gets. Must not run anything, nor typeset statements:
//! these come ready.

mod archive;
mod checker;
mod data;
mod dmoj;
mod flat;
mod hydro;
mod icpc;
mod legacy;
mod metadata;
mod programs;
mod remark;
mod statement;
mod submissions;
mod subtasks;

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use judge_event::{Confidence, Fate, Interchange, Remark};
use judge_package::{LoadedPackage, Profile, Workspace, code};

use archive::read_back;
pub use archive::{Archive, Delivery, Output, Purpose, check_targets};
use remark::Remarks;
pub use statement::TypesetStatement;

use crate::InterchangeError;

/// A judge, or a kind of judges, that packages are packed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Kattis, which installs the legacy format.
    Kattis,
    /// DOMjudge: the legacy format with its own rules.
    Domjudge,
    /// Whoever reads 2025-09: the package itself, with everything in it.
    Icpc,
    /// Hydro, by its own format.
    Hydro,
    /// DMOJ: test data with `init.yml`.
    Dmoj,
    /// Whoever wants test data alone: inputs and outputs.
    Plain,
}

/// A word that names no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown judge `{0}`; expected one of `kattis`, `domjudge`, `icpc`, `hydro`, `dmoj`, `plain`")]
pub struct UnknownTarget(String);

impl Target {
    /// Every target, in the order of the documentation.
    pub const ALL: [Self; 6] = [Self::Kattis, Self::Domjudge, Self::Icpc, Self::Hydro, Self::Dmoj, Self::Plain];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kattis => "kattis",
            Self::Domjudge => "domjudge",
            Self::Icpc => "icpc",
            Self::Hydro => "hydro",
            Self::Dmoj => "dmoj",
            Self::Plain => "plain",
        }
    }

    /// The profile that packages for it are checked with.
    #[must_use]
    pub fn profile(self) -> Profile {
        match self {
            Self::Kattis => Profile::Kattis,
            Self::Domjudge => Profile::DomJudge,
            Self::Icpc => Profile::Icpc,
            Self::Hydro | Self::Dmoj | Self::Plain => Profile::Default,
        }
    }

    /// True when its archives are packages that can be read back.
    #[must_use]
    pub fn is_package(self) -> bool {
        matches!(self, Self::Kattis | Self::Domjudge | Self::Icpc)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(text: &str) -> Result<Self, UnknownTarget> {
        Self::ALL.into_iter().find(|target| target.name() == text).ok_or_else(|| UnknownTarget(text.to_owned()))
    }
}

/// A package with its statements in the forms that other judges want.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// The package.
    pub loaded: &'a LoadedPackage,
    /// Its statements.
    pub statements: &'a [TypesetStatement],
    /// True when statements in Markdown are wanted as TeX in the package's own format, for readers that take nothing else.
    pub wants_tex: bool,
}

/// A package as an archive, and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Packed {
    archive: Archive,
    target: Target,
    remarks: Vec<Remark>,
}

impl Packed {
    /// True when the judge would not take it, or could not judge it.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.remarks.iter().any(|remark| remark.fate == Fate::Refused)
    }

    /// Writes the archive as the file `target`; one that is a package is read back before it has its name. `workspace` is where the
    /// package lies, whose languages are known.
    ///
    /// # Errors
    /// Those of [`Archive::deliver`]; and when it cannot be loaded, or is another package than the one that was packed.
    pub fn deliver(
        &self,
        loaded: &LoadedPackage,
        workspace: &Workspace,
        target: &Path,
        delivery: Delivery<'_>,
    ) -> Result<(), InterchangeError> {
        self.archive.deliver(target, delivery, |archive| match self.target.is_package() {
            true => read_back(loaded, workspace, archive, delivery.is_stopped),
            false => Ok(()),
        })
    }

    /// The document of this packing. `source` and `target` are the package and the archive as they are shown.
    #[must_use]
    pub fn document(&self, problem: &str, source: &str, target: &str, written: bool) -> Interchange {
        Interchange {
            schema: Interchange::SCHEMA,
            direction: judge_event::Direction::Export,
            format: self.target.name().to_owned(),
            evidence: String::new(),
            confidence: Confidence::Certain,
            could_be: Vec::new(),
            problem: problem.to_owned(),
            source: source.to_owned(),
            target: target.to_owned(),
            written,
            files: self.archive.paths().map(str::to_owned).collect(),
            remarks: self.remarks.clone(),
        }
    }
}

/// Packs a package for a judge.
///
/// # Errors
/// When a file cannot be read, or is neither a file nor a directory.
pub fn pack(package: Package<'_>, target: Target) -> io::Result<Packed> {
    let mut remarks = Remarks::default();
    if !package.loaded.problem.named_files.are_standard() {
        let text = "has files in place of standard input and output, which archives for others cannot say";
        remarks.add(remark::RemarkKind::TYPE, judge_package::NAMED_FILES, text);
    }
    for warning in package.loaded.warnings.iter().filter(|warning| warning.code == code::NAME_IGNORED) {
        let place = warning.file.strip_prefix(&package.loaded.problem.directory).unwrap_or(&warning.file);
        remarks.add(remark::RemarkKind::LEFT_OUT, place.to_string_lossy(), "is left out: its name is not allowed");
    }
    tell_edition(package.loaded, target, &mut remarks);
    let archive = match target {
        Target::Kattis => legacy::assemble(&package, target, &mut remarks)?.below(&package.loaded.problem.name),
        Target::Domjudge => legacy::assemble(&package, target, &mut remarks)?,
        Target::Icpc => icpc::assemble(&package, &mut remarks)?.below(&package.loaded.problem.name),
        Target::Hydro => hydro::assemble(&package, &mut remarks)?.below(&package.loaded.problem.name),
        Target::Dmoj => dmoj::assemble(&package, &mut remarks)?,
        Target::Plain => flat::assemble(&package, &mut remarks)?,
    };
    let archive = archive.with_purpose(Purpose::Judge(target));
    Ok(Packed { archive, target, remarks: remarks.into_sorted() })
}

/// Names the edition of Rust that submissions are compiled in. Sources: problemtools' `config/languages.yaml`; BAPCtools'
/// `resources/config/languages.yaml`; DOMjudge's `sql/files/defaultdata/rs`, which names none, and so gets the oldest.
fn tell_edition(loaded: &LoadedPackage, target: Target, remarks: &mut Remarks) {
    let edition = match target {
        Target::Kattis => "2021 there",
        Target::Domjudge => "2015 there, unless its script names another",
        Target::Icpc => "2018 by BAPCtools, and 2021 by problemtools",
        Target::Hydro | Target::Dmoj | Target::Plain => return,
    };
    if loaded.problem.submissions.iter().any(|submission| submission.language.as_ref().is_some_and(|of| of.0 == "rust"))
    {
        let message = format!("in Rust are compiled with edition {edition}; here it is 2024");
        remarks.add(remark::RemarkKind::EDITION, "submissions", message);
    }
}

/// The archive of the samples of problems, those of each in a directory of its own.
///
/// # Errors
/// When they cannot be read.
pub fn samples<'p>(packages: impl IntoIterator<Item = &'p LoadedPackage>) -> io::Result<Archive> {
    let mut archive = Archive::default();
    packages.into_iter().try_for_each(|loaded| flat::put_samples(loaded, &mut archive))?;
    Ok(archive)
}
