//! Packing: a package as the archive that another judge takes.
//!
//! Responsible for which judges there are, and for what each of them gets. Must not run anything,
//! nor typeset statements: these come ready.

mod archive;
mod checker;
mod data;
mod dmoj;
mod flat;
mod hydro;
mod icpc;
mod legacy;
mod metadata;
mod old_metadata;
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
use judge_package::{Code, LoadedPackage, Profile, Workspace, code};

use archive::read_back;
pub use archive::{Archive, Delivery, Output, Purpose, check_targets};
use remark::Remarks;
pub use statement::{TypesetPdf, TypesetStatement};

use crate::InterchangeError;

/// Every target, in the order of the documentation. A target is one file with its [`PackTarget`],
/// its `mod` line and its row here; command line, help and errors take everything from the table.
static TABLE: [PackTarget; 6] = [
    legacy::KATTIS,
    legacy::DOMJUDGE,
    icpc::TARGET,
    hydro::TARGET,
    dmoj::TARGET,
    flat::TARGET,
];

/// A judge, or a kind of judges, that packages are packed for.
struct PackTarget {
    /// The name on the command line.
    name: &'static str,
    /// What is written, for people.
    description: &'static str,
    /// The profile that packages for it are checked with.
    profile: Profile,
    /// True when its archives are packages that can be read back.
    is_package: bool,
    /// True when everything lies in a directory with the name of the problem.
    has_directory: bool,
    /// True when statements in Markdown can go as TeX.
    takes_tex: bool,
    /// True when statements in TeX can go as a PDF alone.
    takes_pdf: bool,
    /// The edition of Rust that submissions are compiled with there.
    edition: Option<&'static str>,
    /// Codes of findings about what is written otherwise into its archives.
    rewrites: &'static [Code],
    /// Makes the archive of a package.
    assemble: fn(&Package<'_>, &mut Remarks) -> io::Result<Archive>,
}

impl PackTarget {
    /// A target whose archives are no packages.
    const fn new(
        name: &'static str,
        description: &'static str,
        assemble: fn(&Package<'_>, &mut Remarks) -> io::Result<Archive>,
    ) -> Self {
        Self {
            name,
            description,
            profile: Profile::Default,
            is_package: false,
            has_directory: false,
            takes_tex: false,
            takes_pdf: false,
            edition: None,
            rewrites: &[],
            assemble,
        }
    }
}

/// A judge, or a kind of judges, that packages are packed for.
#[derive(Clone, Copy)]
pub struct Target(&'static PackTarget);

/// A word that names no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown judge `{0}`; expected one of {names}", names = Target::all().map(|target| format!("`{target}`")).collect::<Vec<_>>().join(", "))]
pub struct UnknownTarget(String);

impl Target {
    /// Every target, in the order of the documentation.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        TABLE.iter().map(Self)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What is written for it, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.0.description
    }

    /// The profile that packages for it are checked with.
    #[must_use]
    pub fn profile(self) -> Profile {
        self.0.profile
    }

    /// True when statements in Markdown can go to it as TeX.
    #[must_use]
    pub fn takes_tex(self) -> bool {
        self.0.takes_tex
    }

    /// The statement that goes to it as a PDF alone, and has none; by its index in the package.
    #[must_use]
    pub fn statement_to_print(self, package: &Package<'_>) -> Option<usize> {
        if self.0.takes_pdf {
            statement::to_print(package)
        } else {
            None
        }
    }

    /// True when what a finding with this code is about, in this file of a package, is left out of
    /// its archives or written otherwise there.
    #[must_use]
    pub fn rewrites(self, package: &Path, code: &str, file: &Path) -> bool {
        self.0
            .rewrites
            .iter()
            .any(|rewritten| rewritten.to_string() == code)
            || self.leaves_out(package, file)
    }

    /// True for a statement that does not go into its archives, since there is one in TeX beside
    /// it.
    #[must_use]
    pub fn leaves_out(self, package: &Path, file: &Path) -> bool {
        self.0.profile == Profile::Kattis && statement::is_replaced_by_tex(package, file)
    }
}

impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str(self.name())
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
        Self::all()
            .find(|target| target.name() == text)
            .ok_or_else(|| UnknownTarget(text.to_owned()))
    }
}

/// A package with its statements in the forms that other judges want.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// The package.
    pub loaded: &'a LoadedPackage,
    /// Its statements.
    pub statements: &'a [TypesetStatement],
    /// True when statements in Markdown are wanted as TeX in the package's own format, for readers
    /// that take nothing else.
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
        self.remarks
            .iter()
            .any(|remark| remark.fate == Fate::Refused)
    }

    /// Writes the archive as the file `target`; one that is a package is read back before it has
    /// its name. `workspace` is where the package lies, whose languages are known.
    ///
    /// # Errors
    /// Those of [`Archive::deliver`]; and when it cannot be loaded, or is another package than the
    /// one that was packed.
    pub fn deliver(
        &self,
        loaded: &LoadedPackage,
        workspace: &Workspace,
        target: &Path,
        delivery: Delivery<'_>,
    ) -> Result<(), InterchangeError> {
        self.archive
            .deliver(target, delivery, |archive| match self.target.0.is_package {
                true => read_back(loaded, workspace, archive, delivery.is_stopped),
                false => Ok(()),
            })
    }

    /// The document of this packing. `source` and `target` are the package and the archive as they
    /// are shown.
    #[must_use]
    pub fn document(
        &self,
        problem: &str,
        source: &str,
        target: &str,
        written: bool,
    ) -> Interchange {
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
        let text =
            "has files in place of standard input and output, which archives for others cannot say";
        remarks.add(remark::RemarkKind::TYPE, judge_package::NAMED_FILES, text);
    }
    for warning in package
        .loaded
        .warnings
        .iter()
        .filter(|warning| warning.code == code::NAME_IGNORED)
    {
        let place = warning
            .file
            .strip_prefix(&package.loaded.problem.directory)
            .unwrap_or(&warning.file);
        remarks.add(
            remark::RemarkKind::LEFT_OUT,
            place.to_string_lossy(),
            "is left out: its name is not allowed",
        );
    }
    report_edition(package.loaded, target, &mut remarks);
    let mut archive = (target.0.assemble)(&package, &mut remarks)?;
    if target.0.has_directory {
        archive = archive.below(&package.loaded.problem.name);
    }
    let archive = archive.with_purpose(Purpose::Judge(target));
    Ok(Packed {
        archive,
        target,
        remarks: remarks.into_sorted(),
    })
}

/// Names the edition of Rust that submissions are compiled in. Sources: problemtools'
/// `config/languages.yaml`; BAPCtools' `resources/config/languages.yaml`; DOMjudge's
/// `sql/files/defaultdata/rs`, which names none, and so gets the oldest.
fn report_edition(loaded: &LoadedPackage, target: Target, remarks: &mut Remarks) {
    let Some(edition) = target.0.edition else {
        return;
    };
    if loaded.problem.submissions.iter().any(|submission| {
        submission
            .language
            .as_ref()
            .is_some_and(|of| of.0 == "rust")
    }) {
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
    packages
        .into_iter()
        .try_for_each(|loaded| flat::put_samples(loaded, &mut archive))?;
    Ok(archive)
}
