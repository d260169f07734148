//! Packs a package as an archive for another judge.
//!
//! Responsible for the list of judges and for the contents of their archives. Must not run anything
//! or typeset statements: the caller provides them.

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
mod statement;
mod submissions;
mod subtasks;

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use judge_event::{Confidence, Interchange, Part};
use judge_model::{Problem, TestCase, UnknownName, find_by_name};
use judge_package::{Code, LoadedPackage, Profile, ShownSample, Workspace, code, shown_samples};

use archive::read_back;
pub use archive::{Archive, Delivery, Output, Purpose, check_targets};
pub use statement::{TypesetPdf, TypesetStatement};

use crate::Result;
use crate::remarks::Remarks;

/// All targets, in the order of the documentation. A target is one file with its [`PackTarget`],
/// its `mod` line and its row here; the command line, help and errors use this table.
static TABLE: [PackTarget; 6] = [
    legacy::KATTIS,
    legacy::DOMJUDGE,
    icpc::TARGET,
    hydro::TARGET,
    dmoj::TARGET,
    flat::TARGET,
];

/// A judge or a kind of judges for which packages are packed.
struct PackTarget {
    /// The name on the command line.
    name: &'static str,
    /// A description of the archive for the help.
    description: &'static str,
    /// The lint profile for packages that are packed for it.
    profile: Profile,
    /// True if its archives are packages that can be read back.
    is_package: bool,
    /// True if everything is in a directory with the name of the problem.
    has_directory: bool,
    /// True if Markdown statements can be packed as TeX.
    accepts_tex: bool,
    /// True if TeX statements must be packed as PDF.
    takes_pdf: bool,
    /// The edition of Rust with which the judge compiles submissions.
    edition: Option<&'static str>,
    /// Codes of findings that do not apply to its archives, since they are rewritten.
    rewrites: &'static [Code],
    /// Assembles the archive of a package.
    assemble: fn(&Package<'_>, &mut Remarks) -> io::Result<Archive>,
}

impl PackTarget {
    /// Creates a target whose archives are not packages.
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
            accepts_tex: false,
            takes_pdf: false,
            edition: None,
            rewrites: &[],
            assemble,
        }
    }
}

/// A judge or a kind of judges for which packages are packed.
#[derive(Clone, Copy)]
pub struct Target(&'static PackTarget);

impl Target {
    /// All targets, in the order of the documentation.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        TABLE.iter().map(Self)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A short description of its archives.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.0.description
    }

    /// The lint profile for packages that are packed for it.
    #[must_use]
    pub fn profile(self) -> Profile {
        self.0.profile
    }

    /// True if Markdown statements can be packed for it as TeX.
    #[must_use]
    pub fn accepts_tex(self) -> bool {
        self.0.accepts_tex
    }

    /// Returns the index of a statement without a PDF that must be packed as one.
    #[must_use]
    pub fn statement_to_print(self, package: &Package<'_>) -> Option<usize> {
        if self.0.takes_pdf {
            statement::to_print(package)
        } else {
            None
        }
    }

    /// True if a finding with this code in this file of a package does not apply to its archives,
    /// because the file is left out or rewritten.
    #[must_use]
    pub fn rewrites(self, package: &Path, code: &str, file: &Path) -> bool {
        self.0
            .rewrites
            .iter()
            .any(|rewritten| rewritten.to_string() == code)
            || self.leaves_out(package, file)
    }

    /// True for a statement that is left out of its archives, since there is one in TeX in the same
    /// language.
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
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("judge", Self::all(), Self::name, text)
    }
}

/// A package with its statements in the forms that other judges accept.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// The package.
    pub loaded: &'a LoadedPackage,
    /// Its statements.
    pub statements: &'a [TypesetStatement],
    /// True if Markdown statements must be converted to TeX in the package's own format, for
    /// readers that require it.
    pub wants_tex: bool,
}

/// A packed package: the archive and its remarks.
#[derive(Clone, Debug)]
pub struct PackedProblem {
    archive: Archive,
    target: Target,
    remarks: Remarks,
}

impl PackedProblem {
    /// True if the judge would refuse it or could not judge it.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.remarks.is_refused()
    }

    /// Writes the archive to the file `target`. If it is a package, it is read back before it gets
    /// its name. `workspace` is the package's workspace, which defines the languages.
    ///
    /// # Errors
    /// Those of [`Archive::deliver`]; and if it cannot be loaded, or differs from the package that
    /// was packed.
    pub fn deliver(
        &self,
        loaded: &LoadedPackage,
        workspace: &Workspace,
        target: &Path,
        delivery: Delivery<'_>,
    ) -> Result<()> {
        self.archive
            .deliver(target, delivery, |archive| match self.target.0.is_package {
                true => read_back(loaded, workspace, archive, delivery.is_stopped),
                false => Ok(()),
            })
    }

    /// Returns the document of this packing. `source` and `target` are the paths of the package and
    /// the archive for display.
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
            remarks: self.remarks.clone().into_worst_first(),
        }
    }
}

/// Packs a package for a judge.
///
/// # Errors
/// If a file cannot be read, or is neither a file nor a directory.
pub fn pack(package: Package<'_>, target: Target) -> io::Result<PackedProblem> {
    let mut remarks = Remarks::default();
    if !package.loaded.problem.named_files.are_standard() {
        let text =
            "replaces standard input and output with files, which other judges do not support";
        remarks.refused(Part::Metadata, judge_package::NAMED_FILES, text);
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
        remarks.lost(
            Part::Files,
            place.to_string_lossy(),
            "is left out: its name is not allowed",
        );
    }
    report_edition(package.loaded, target, &mut remarks);
    report_missing_samples(&package.loaded.problem, &mut remarks);
    let mut archive = (target.0.assemble)(&package, &mut remarks)?;
    if target.0.has_directory {
        archive = archive.below(&package.loaded.problem.name);
    }
    let archive = archive.with_purpose(Purpose::Judge(target));
    Ok(PackedProblem {
        archive,
        target,
        remarks,
    })
}

/// Reports the edition of Rust with which submissions are compiled. Sources: problemtools'
/// `config/languages.yaml`; BAPCtools' `resources/config/languages.yaml`; DOMjudge's
/// `sql/files/defaultdata/rs`, which names no edition and therefore gets the oldest.
fn report_edition(loaded: &LoadedPackage, target: Target, remarks: &mut Remarks) {
    let Some(edition) = target.0.edition else {
        return;
    };
    if loaded.problem.submissions.iter().any(|submission| {
        submission
            .language
            .as_ref()
            .is_some_and(|language| language.0 == "rust")
    }) {
        let message = format!("in Rust are compiled with edition {edition}; `judge` uses 2024");
        remarks.changed(Part::Solutions, "submissions", message);
    }
}

/// Reports that contestants get no sample. A sample may be only a log of an interaction.
fn report_missing_samples(problem: &Problem, remarks: &mut Remarks) {
    let has_case = problem.test_cases.iter().any(TestCase::is_sample);
    if !has_case && samples_of(problem).is_ok_and(|shown| shown.is_empty()) {
        remarks.lost(Part::Samples, "data/sample", "has no sample");
    }
}

/// Returns the samples as shown to contestants. Their text may differ from their test cases.
fn samples_of(problem: &Problem) -> io::Result<Vec<ShownSample>> {
    shown_samples(problem).map_err(|errors| io::Error::other(errors.to_string()))
}

/// Creates the archive of the samples of problems, with a directory for each problem.
///
/// # Errors
/// If they cannot be read.
pub fn samples<'p>(packages: impl IntoIterator<Item = &'p LoadedPackage>) -> io::Result<Archive> {
    let mut archive = Archive::default();
    packages
        .into_iter()
        .try_for_each(|loaded| flat::put_samples(loaded, &mut archive))?;
    Ok(archive)
}
