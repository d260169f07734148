//! Workspaces: `judge.yaml`, and the defaults without it.
//!
//! Responsible for the directories of problems and solutions, and for the table of languages. Must
//! not know what the command line overrides.

pub(crate) mod check_settings;
pub(crate) mod contest;
pub(crate) mod continuation;
pub(crate) mod filter;
pub(crate) mod part;
pub(crate) mod profile;
mod search;
pub(crate) mod select;
pub(crate) mod select_error;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use judge_model::{Guarantee, IsolationLevel, Language, LanguageId, ReportKind};

use crate::disk::discovery::{Reach, SearchResult, discover};
use crate::disk::trust::{Trust, TrustPolicy};
use crate::disk::unpacked::UnpackedArchives;
use crate::error::{Finding, Findings, PackageErrors};
use crate::programs::languages::{
    CPYTHON, PYPY, built_in_languages, language_named, override_languages,
};
use crate::suggest::did_you_mean;
use crate::workspace::check_settings::CheckSettings;
use crate::workspace::contest::ContestSettings;
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Node};

/// Links are not resolved, because users know their files by these names.
pub use judge_files::without_parents as normal;

/// The file that makes a directory a workspace.
const MARKER: &str = "judge.yaml";
/// A wrong name of the file.
const MISNAMED: &str = "judge.yml";
/// The maximum number of programs at a time, as for `--jobs`; no host has as many cores.
pub(crate) const MAX_JOBS: usize = 1024;
/// The minimum and maximum factor between the speeds of two hosts.
pub(crate) const MIN_FACTOR: f64 = 0.01;
pub(crate) const MAX_FACTOR: f64 = 100.0;
/// The keys of the file.
pub(crate) const KEYS: [&str; 11] = [
    "problems",
    "solutions",
    "languages",
    "python",
    "isolation",
    "jobs",
    "time_factor",
    "check",
    "report",
    "allow_skipped",
    "contest",
];
/// The keys of `isolation`.
pub(crate) const ISOLATION: [&str; 2] = ["level", "require"];

/// A workspace: its problems and solutions, and the way in which programs are compiled and run.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Its directory, absolute.
    pub root: PathBuf,
    /// Its `judge.yaml`; `None` for a directory that is its own workspace.
    pub file: Option<PathBuf>,
    /// The directories that are searched for packages, absolute.
    pub problems: Vec<PathBuf>,
    /// The directory that contains a directory of submissions for each problem, absolute. It need
    /// not exist.
    pub solutions: PathBuf,
    /// The table of languages, in order of their ids.
    pub languages: Vec<Language>,
    /// The languages whose submissions may be skipped if their tools are missing, even if that is
    /// otherwise an error.
    pub allow_skipped: Vec<LanguageId>,
    /// The row of the table that runs programs in Python, if it is stated: `python3` or `pypy3`.
    pub python: Option<LanguageId>,
    /// The nearer `judge.yaml` files that are untrusted and therefore ignored, the nearest first.
    pub ignored_files: Vec<IgnoredFile>,
    /// The nearest `judge.yml`, which has no effect, if it is no farther than the workspace.
    pub misnamed_file: Option<PathBuf>,
    /// The required isolation; `None` means the strongest that the host supports.
    pub isolation: Option<IsolationLevel>,
    /// The guarantees that are required of the isolation, regardless of its level.
    pub required: Vec<Guarantee>,
    /// The number of test cases that may run at a time; `None` means as many as the host has cores.
    pub jobs: Option<NonZeroUsize>,
    /// The factor by which this host is slower than the one for which the packages' time limits are
    /// set.
    pub time_factor: Option<f64>,
    /// The reports that commands write in addition to the printed one.
    pub reports: Vec<ReportFile>,
    /// The archives that were unpacked. They exist as long as the workspace.
    pub(crate) unpacked: UnpackedArchives,
    /// The settings for checking packages.
    pub check: CheckSettings,
    /// The contest of its problems.
    pub contest: ContestSettings,
}

/// A report that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Its form.
    pub kind: ReportKind,
    /// The file, absolute.
    pub file: PathBuf,
}

/// A `judge.yaml` that was ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredFile {
    /// The file.
    pub file: PathBuf,
    /// The user it belongs to; `None` for one in a package.
    pub owner: Option<u32>,
}

impl Workspace {
    /// The workspace to which a file or directory belongs: the nearest directory upwards with a
    /// trusted `judge.yaml`. Files in packages, and files of users who own neither the process nor
    /// the directory, are never trusted. Without one, the directory itself is the workspace.
    ///
    /// # Errors
    /// Every fault of `judge.yaml`.
    pub fn find(from: &Path) -> Result<Self, PackageErrors> {
        let from = normal(from).map_err(|cause| Finding::unreadable(from, &cause))?;
        let directory = if from.is_file() {
            from.parent().unwrap_or(&from)
        } else {
            &from
        };
        Self::find_trusted(directory, &TrustPolicy::for_process())
    }

    fn find_trusted(directory: &Path, trusted: &TrustPolicy) -> Result<Self, PackageErrors> {
        let workspace = Self::find_marked(directory, trusted)?;
        let is_own = |file: &PathBuf| {
            file.is_file()
                && !matches!(
                    trusted.trust_in(file, directory),
                    Trust::InPackage | Trust::OtherUser(_)
                )
        };
        let misnamed_file = directory
            .ancestors()
            .take_while(|ancestor| !ancestor.join(MARKER).is_file())
            .map(|ancestor| ancestor.join(MISNAMED))
            .find(is_own);
        Ok(Self {
            misnamed_file,
            ..workspace
        })
    }

    fn find_marked(directory: &Path, trusted: &TrustPolicy) -> Result<Self, PackageErrors> {
        let roots = directory
            .ancestors()
            .filter(|ancestor| ancestor.join(MARKER).is_file());
        let mut ignored_files = Vec::new();
        for root in roots {
            let file = root.join(MARKER);
            // The nearest trusted file is used. Reports name nearer untrusted ones, because the
            // user may expect them to apply.
            let owner = match trusted.trust_in(&file, directory) {
                Trust::InPackage => None,
                Trust::OtherUser(owner) => Some(owner),
                trust => {
                    return Ok(Self {
                        ignored_files,
                        ..Self::read(root, trust)?
                    });
                }
            };
            ignored_files.push(IgnoredFile { file, owner });
        }
        Ok(Self {
            ignored_files,
            ..Self::bare(directory)
        })
    }

    /// A directory without settings: packages are anywhere in and below it, solutions in
    /// `solutions/`.
    #[must_use]
    pub fn bare(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            file: None,
            ignored_files: Vec::new(),
            misnamed_file: None,
            problems: vec![root.to_owned()],
            solutions: root.join("solutions"),
            languages: built_in_languages(),
            allow_skipped: Vec::new(),
            python: None,
            isolation: None,
            required: Vec::new(),
            jobs: None,
            time_factor: None,
            reports: Vec::new(),
            unpacked: UnpackedArchives::default(),
            check: CheckSettings::default(),
            contest: ContestSettings::default(),
        }
    }

    fn read(root: &Path, trust: Trust) -> Result<Self, PackageErrors> {
        let file = root.join(MARKER);
        let document = Document::read(&file)?;
        let mut findings = Findings::default();
        refuse_acting(&document, trust, &mut findings);
        let workspace = Self::interpret(root, &document, &mut findings);
        findings.into_result()?;
        Ok(Self {
            file: Some(file),
            ..workspace
        })
    }

    pub(crate) fn interpret(root: &Path, document: &Document, findings: &mut Findings) -> Self {
        let mut workspace = Self::bare(root);
        let Some(fields) = Fields::open(&document.root(), &KEYS, findings) else {
            return workspace;
        };
        if let Some(node) = fields.get("problems") {
            let nodes = node.each();
            workspace.problems = nodes
                .iter()
                .filter_map(|node| read_directory(root, node, findings))
                .collect();
        }
        if let Some(node) = fields.get("solutions")
            && let Some(directory) = read_directory(root, node, findings)
        {
            workspace.solutions = directory;
        }
        if let Some(node) = fields.get("languages") {
            workspace.languages = override_languages(workspace.languages, node, findings);
        }
        if let Some(node) = fields.get("allow_skipped") {
            workspace.allow_skipped = read_language_ids(&workspace.languages, node, findings);
        }
        if let Some(node) = fields.get("python")
            && let Some(name) = node.text(findings)
        {
            workspace.python =
                Some(LanguageId(name)).filter(|id| [CPYTHON, PYPY].contains(&id.0.as_str()));
            if workspace.python.is_none() {
                findings.error(node.expected(&format!("`{CPYTHON}` or `{PYPY}`")));
            }
        }
        if let Some(node) = fields.get("isolation") {
            workspace.read_isolation(node, findings);
        }
        if let Some(node) = fields.get("jobs") {
            workspace.jobs = node
                .integer_within(1, MAX_JOBS, findings)
                .and_then(NonZeroUsize::new);
        }
        if let Some(node) = fields.get("time_factor") {
            workspace.time_factor =
                node.number("a factor from 0.01 to 100", is_time_factor, findings);
        }
        if let Some(node) = fields.get("check") {
            workspace.check = CheckSettings::read(node, findings);
        }
        if let Some(node) = fields.get("contest") {
            workspace.contest = ContestSettings::read(node, findings);
        }
        if let Some(node) = fields.get("report") {
            workspace.reports = read_reports(root, node, findings);
        }
        workspace
    }

    /// Reads a level, or a mapping of `level` and `require`.
    fn read_isolation(&mut self, node: &Node<'_>, findings: &mut Findings) {
        if node.entries().is_none() {
            self.isolation = node.named(findings);
            return;
        }
        let Some(fields) = Fields::open(node, &ISOLATION, findings) else {
            return;
        };
        self.isolation = fields.read("level", Node::named, findings);
        let Some(node) = fields.get("require") else {
            return;
        };
        for name in node.text_or_texts(findings).unwrap_or_default() {
            match Guarantee::from_str(&name) {
                Ok(guarantee) => self.required.push(guarantee),
                Err(error) => findings.error(node.invalid(error)),
            }
        }
    }

    /// Every package of the workspace, sorted by path: directories, and archives whose name says
    /// that they are packages.
    ///
    /// # Errors
    /// Directories that cannot be read.
    pub fn packages(&self) -> Result<Vec<PathBuf>, PackageErrors> {
        Ok(self.discover()?.packages)
    }

    /// Like [`Self::packages`], with the clones that were not searched because there is no
    /// `judge.yaml`.
    pub(crate) fn discover(&self) -> Result<SearchResult, PackageErrors> {
        let reach = if self.file.is_some() {
            Reach::Named
        } else {
            Reach::Guessed
        };
        let mut all = SearchResult::default();
        for directory in &self.problems {
            let found = discover(directory, reach)?;
            all.packages.extend(found.packages);
            all.clones.extend(found.clones);
        }
        // Directories of problems may contain each other, so that the same packages are found
        // twice.
        all.packages.sort();
        all.packages.dedup();
        Ok(all)
    }

    /// The default directory for new packages: the first directory of problems in `judge.yaml`, or
    /// else `problems` next to it, if that exists. `None` without a `judge.yaml`.
    #[must_use]
    pub fn place_of_new_packages(&self) -> Option<PathBuf> {
        self.file.as_ref()?;
        let first = self.problems.first()?;
        let usual = self.root.join("problems");
        Some(if *first == self.root && usual.is_dir() {
            usual
        } else {
            first.clone()
        })
    }

    /// The directory with the workspace's submissions for a package, if the package belongs to the
    /// workspace and the directory exists.
    #[must_use]
    pub fn solutions_of(&self, package: &Path) -> Option<PathBuf> {
        // An unpacked package is in a temporary directory, and belongs to the directory of its
        // archive.
        let place = self.unpacked.origin(package).map(|(archive, _)| archive);
        let place = place.as_deref().unwrap_or(package);
        let belongs = self
            .problems
            .iter()
            .any(|problems| place.starts_with(problems));
        let directory = self.solutions.join(package.file_name()?);
        (belongs && directory.is_dir()).then_some(directory)
    }

    /// Returns the path to show to users: the archive of a package is shown as if it were a
    /// directory.
    #[must_use]
    pub fn known_as(&self, path: &Path) -> PathBuf {
        self.unpacked
            .known_as(path)
            .unwrap_or_else(|| path.to_owned())
    }

    /// Returns the path to show in reports: as for users, and relative to the workspace if it is
    /// inside.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let path = self.known_as(path);
        let relative = path.strip_prefix(&self.root).unwrap_or(&path);
        let relative = if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        };
        relative.display().to_string()
    }
}

/// True for a valid factor between the speeds of two hosts.
#[must_use]
pub fn is_time_factor(factor: f64) -> bool {
    (MIN_FACTOR..=MAX_FACTOR).contains(&factor)
}

/// Refuses the keys with effects outside the sandbox in an untrusted file.
fn refuse_acting(document: &Document, trust: Trust, findings: &mut Findings) {
    let why = match trust {
        Trust::Full => return,
        Trust::Place(user) => format!("belongs to the user {user}, who is neither you nor root"),
        Trust::Writable => "can be written by every user".to_owned(),
        Trust::InPackage | Trust::OtherUser(_) => "is untrusted".to_owned(),
    };
    for entry in document.root().entries().unwrap_or_default() {
        if ["languages", "isolation", "report"].contains(&entry.name.as_str()) {
            let message = format!(
                "`{}` has effects outside the sandbox, but this file {why}",
                entry.name
            );
            let other = if trust == Trust::Writable {
                "run `chmod o-w` on it"
            } else {
                "make the file your own"
            };
            let hint =
                format!("if you trust it, name its directory in JUDGE_SAFE_DIRECTORY, or {other}");
            findings.error(entry.value.invalid(message).hint(Some(hint)));
        }
    }
}

/// Reads a mapping from kinds of reports to the file, or the files, for each.
fn read_reports(root: &Path, node: &Node<'_>, findings: &mut Findings) -> Vec<ReportFile> {
    let names = ReportKind::ALL.map(ReportKind::name);
    let Some(fields) = Fields::open(node, &names, findings) else {
        return Vec::new();
    };
    let mut reports: Vec<ReportFile> = Vec::new();
    for kind in ReportKind::ALL {
        let Some(node) = fields.get(kind.name()) else {
            continue;
        };
        for text in node.text_or_texts(findings).unwrap_or_default() {
            let file = normal(&root.join(&text)).unwrap_or_else(|_| root.join(&text));
            if text.is_empty() || text == "-" {
                findings.error(
                    node.invalid(format_args!("expected the name of a file, found `{text}`")),
                );
            // The second report would replace the first one.
            } else if reports.iter().any(|other| other.file == file) {
                findings.error(node.invalid(format_args!(
                    "`{text}` is already the file of another report"
                )));
            } else {
                reports.push(ReportFile { kind, file });
            }
        }
    }
    reports
}

/// Reads ids of languages in the table.
fn read_language_ids(
    table: &[Language],
    node: &Node<'_>,
    findings: &mut Findings,
) -> Vec<LanguageId> {
    let ids = node.text_or_texts(findings).unwrap_or_default();
    for id in ids
        .iter()
        .filter(|id| !table.iter().any(|language| language.id.0 == **id))
    {
        let hint = match language_named(table, id) {
            Some(language) => Some(format!("did you mean `{}`?", language.id)),
            None => did_you_mean(id, table.iter().map(|language| language.id.0.as_str())),
        };
        let hint = hint.unwrap_or_else(|| "`judge doctor` lists the languages".to_owned());
        findings.error(
            node.invalid(format_args!("unknown language `{id}`"))
                .hint(Some(hint)),
        );
    }
    ids.into_iter().map(LanguageId).collect()
}

fn read_directory(root: &Path, node: &Node<'_>, findings: &mut Findings) -> Option<PathBuf> {
    let text = node.text(findings)?;
    let directory = normal(&root.join(&text)).ok()?;
    if !directory.is_dir() {
        return findings
            .fail(node.invalid(format_args!("expected a directory, found none at `{text}`")));
    }
    Some(directory)
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
