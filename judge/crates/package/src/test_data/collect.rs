//! Collecting cases from a directory of test data.
//!
//! Responsible for combining files into cases, and for their order. Must not know what the settings
//! mean.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::legacy_grading::{
    apply, inherited_settings, unused_ignore_sample_reason, without_unused_flags,
};
use super::rules::Rules;
use super::scoring::{FoundGroup, ScoreKeys};
use super::settings::{Settings, SettingsFile};
use crate::code;
use crate::disk::tree::{Folder, in_other_case, invalid_name};
use crate::error::{Finding, Findings};
use crate::metadata::Dialect;

/// The extensions of files that belong to a case besides its input, in 2025-09: longer
/// extensions first. The last three belong to drafts and to legacy.
const EXTENSIONS: [&str; 16] = [
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".in",
    ".ans",
    ".out",
    ".interaction",
    ".yaml",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
    ".args",
    ".hint",
    ".desc",
];

/// Returns the name of a test case's file without its extension.
pub(crate) fn case_name(file_name: &str) -> &str {
    split_name(file_name).map_or(file_name, |(base, _)| base)
}

/// Splits the name of a test case's file into the name of the case and the extension.
pub(crate) fn split_name(file_name: &str) -> Option<(&str, &'static str)> {
    let split = EXTENSIONS
        .iter()
        .find_map(|extension| Some((file_name.strip_suffix(extension)?, *extension)));
    split.filter(|(base, _)| !base.is_empty())
}

/// A case found in the data, for submissions or for validators.
#[derive(Debug)]
pub(super) struct FoundCase {
    pub(super) id: String,
    pub(super) input: PathBuf,
    pub(super) answer: Option<PathBuf>,
    pub(super) output: Option<PathBuf>,
    pub(super) files: Option<PathBuf>,
    pub(super) settings: Settings,
}

/// Collects the cases and groups of one package.
pub(super) struct Collector<'a> {
    rules: Rules<'a>,
    pub(super) findings: &'a mut Findings,
    groups: Vec<FoundGroup>,
}

/// The files of one case, by extension.
type Files = BTreeMap<&'static str, PathBuf>;

/// A listing of a directory of test data: cases and directories by name, in order.
#[derive(Default)]
struct Listing<'f> {
    cases: BTreeMap<String, Files>,
    folders: BTreeMap<String, &'f Folder>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(rules: Rules<'a>, findings: &'a mut Findings) -> Self {
        Self {
            rules,
            findings,
            groups: Vec::new(),
        }
    }

    /// The groups that were found since the last call.
    pub(super) fn take_groups(&mut self) -> Vec<FoundGroup> {
        std::mem::take(&mut self.groups)
    }

    fn dialect(&self) -> Dialect {
        self.rules.metadata.dialect
    }

    /// The settings of `data/` itself. In legacy it is the outermost group. In 2025-09 it should
    /// have no settings, but BAPCtools reads them there too, and packages rely on it.
    pub(super) fn top_settings(&mut self, data: &Folder) -> Settings {
        let mut settings = Settings::default();
        if !self.rules.legacy_groups {
            if let Some(file) = data.files.get("test_group.yaml") {
                let message = "the format has no `test_group.yaml` in `data`; its settings apply to all test cases";
                self.findings.warn_at(code::GROUPS_MISPLACED, file, message);
                settings.read_over(file, SettingsFile::Group, self.rules, self.findings);
                settings.grading = inherited_settings(&settings.grading);
            }
            return settings;
        }
        // Applied even without a `testdata.yaml`: old packages have the keys of grading only in
        // `problem.yaml`.
        apply(&self.rules.metadata.old_grading_keys, &mut settings.grading);
        let file = data.files.get("testdata.yaml");
        if let Some(file) = file {
            settings.read_over(file, SettingsFile::Legacy, self.rules, self.findings);
        }
        self.push_group("", data, file, ScoreKeys::default(), &settings);
        settings.grading = inherited_settings(&settings.grading);
        settings
    }

    fn push_group(
        &mut self,
        id: &str,
        folder: &Folder,
        file: Option<&PathBuf>,
        keys: ScoreKeys,
        settings: &Settings,
    ) {
        if let Some(file) = file
            && let Some(message) = unused_ignore_sample_reason(&settings.grading, id)
        {
            self.findings
                .warn_at(code::IGNORE_SAMPLE_MISPLACED, file, message);
        }
        self.groups.push(FoundGroup {
            id: id.to_owned(),
            directory: folder.path.clone(),
            file: file.cloned(),
            keys,
            legacy: without_unused_flags(&settings.grading, id),
            cases: 0,
        });
    }

    /// The cases of one part of the data (`sample`, `secret`, …), in order.
    pub(super) fn collect(
        &mut self,
        folder: &Folder,
        part: &str,
        inherited: &Settings,
    ) -> Vec<FoundCase> {
        let mut cases = Vec::new();
        self.collect_into(folder, part, inherited, &mut cases);
        cases
    }

    fn collect_into(
        &mut self,
        folder: &Folder,
        id: &str,
        inherited: &Settings,
        cases: &mut Vec<FoundCase>,
    ) {
        let first = cases.len();
        let settings = self.group_settings(folder, id, inherited);
        // If the directory is a group, it has just been added under its id.
        let group = self
            .groups
            .len()
            .checked_sub(1)
            .filter(|last| self.groups[*last].id == id);
        let listing = self.list(folder);
        // Legacy has groups at every level, next to test cases. Only 2025-09 forbids mixing them.
        if id == "secret" && !self.dialect().is_legacy() {
            self.check_groups(folder, &listing);
        }
        // Judges run test cases in the order of names, with directories and files sorted together.
        let names: BTreeSet<&String> = listing.cases.keys().chain(listing.folders.keys()).collect();
        for name in names {
            let id = format!("{id}/{name}");
            if let Some(files) = listing.cases.get(name) {
                cases.extend(self.case(id.clone(), files, &settings));
            }
            if let Some(inner) = listing.folders.get(name) {
                self.collect_into(inner, &id, &settings, cases);
            }
        }
        let Some(group) = group else { return };
        self.groups[group].cases = cases.len() - first;
        // Scoring has stricter rules: see `scoring`.
        let counts = self.rules.legacy_groups || !self.rules.metadata.types.scoring;
        if cases.len() == first && counts && id.contains('/') {
            let message = format!("the group `{id}` has no test cases");
            self.findings
                .warn_at(code::GROUP_EMPTY, &folder.path, message);
        }
    }

    /// The settings of a directory, and the directory as a group if it is one.
    fn group_settings(&mut self, folder: &Folder, id: &str, inherited: &Settings) -> Settings {
        let depth = id.matches('/').count();
        let legacy = [("testdata.yaml", SettingsFile::Legacy)];
        let names: &[(&str, SettingsFile)] = match self.dialect() {
            // A draft whose groups are those of legacy is read as legacy here.
            _ if self.rules.legacy_groups => &legacy,
            Dialect::Draft => &[
                ("test_group.yaml", SettingsFile::Group),
                ("testdata.yaml", SettingsFile::Legacy),
            ],
            _ => &[("test_group.yaml", SettingsFile::Group)],
        };
        // A draft may have the file of either version; the newer one has priority.
        let found = names
            .iter()
            .find_map(|(name, kind)| folder.files.get(*name).map(|file| (file, *kind)));
        // 2025-09, "Test Data Groups": `sample`, `secret`, and directories in `secret`, at one
        // level.
        let is_group_place = depth == 0 || (depth == 1 && id.starts_with("secret/"));
        let mut settings = inherited.clone();
        let mut keys = ScoreKeys::default();
        if let Some((file, kind)) = found {
            let kind = if kind == SettingsFile::Group && id == "sample" {
                SettingsFile::SampleGroup
            } else {
                kind
            };
            if kind == SettingsFile::Group && !is_group_place {
                // In BAPCtools, arguments are inherited from any directory, and packages rely on
                // it. Scores are not.
                let message =
                    "only `sample`, `secret` and the directories directly in `secret` are groups";
                if self.rules.metadata.types.scoring && id.starts_with("secret/") {
                    self.findings
                        .error_at(code::GROUPS_MISPLACED, file, message);
                } else {
                    let message = format!("{message}; its settings apply to its directory");
                    self.findings.warn_at(code::GROUPS_MISPLACED, file, message);
                }
            }
            keys = settings.read_over(file, kind, self.rules, self.findings);
        }
        // In legacy every directory is a group. In 2025-09 a directory in `secret` is a group only
        // if it has the file.
        if self.rules.legacy_groups || depth == 0 || (found.is_some() && is_group_place) {
            self.push_group(id, folder, found.map(|(file, _)| file), keys, &settings);
        }
        settings.grading = inherited_settings(&settings.grading);
        settings
    }

    /// Source: 2025-09, "Test Data Groups": once one directory of `secret` is a group, `secret`
    /// contains only groups.
    fn check_groups(&mut self, secret: &Folder, listing: &Listing<'_>) {
        let is_group = |folder: &&Folder| folder.files.contains_key("test_group.yaml");
        let Some(group) = listing.folders.values().find(|folder| is_group(folder)) else {
            return;
        };
        let because = group
            .path
            .file_name()
            .unwrap_or_default()
            .display()
            .to_string();
        let missing = |folder: &&Folder| {
            let message =
                format!("expected a `test_group.yaml`, because its neighbour `{because}` has one");
            (folder.path.clone(), message)
        };
        let loose_case = listing.cases.keys().next().map(|name| {
            let message =
                format!("`{name}` is next to the test data group `{because}`; expected it in one of the groups");
            (secret.path.clone(), message)
        });
        let without = listing
            .folders
            .values()
            .copied()
            .filter(|folder| !is_group(folder));
        for (path, message) in without.map(|folder| missing(&folder)).chain(loose_case) {
            // Without scores, groups have no effect.
            if self.rules.metadata.types.scoring {
                self.findings
                    .error_at(code::GROUPS_MISPLACED, &path, message);
            } else {
                self.findings
                    .warn_at(code::GROUPS_MISPLACED, &path, message);
            }
        }
    }

    /// Sorts the entries of a directory into cases and directories.
    fn list<'f>(&mut self, folder: &'f Folder) -> Listing<'f> {
        let mut listing = Listing::default();
        let legacy = self.dialect().is_legacy();
        for (name, path) in &folder.files {
            if is_settings(name, self.dialect()) {
                continue;
            }
            match split_name(name) {
                None if !legacy && name.ends_with(".files") => {
                    let message = "expected a directory with files for a test case, found a file";
                    self.findings
                        .error_at(code::CASE_NAME_CLASHES, path, message);
                }
                // `X.yaml` belongs to a case in 2025-09 only.
                Some((base, extension)) if !(legacy && extension == ".yaml") => {
                    let files = listing.cases.entry(base.to_owned()).or_default();
                    files.insert(extension, path.clone());
                }
                _ => {
                    let message = "ignored: it belongs to no test case";
                    let finding = Finding::new(code::FILE_OF_NO_CASE, path, message);
                    self.findings
                        .warn(finding.hint(hidden_extension_hint(name)));
                }
            }
        }
        for (name, inner) in &folder.folders {
            // Legacy does not define `.files`, so such a directory is an ordinary group there.
            if let Some(base) = name.strip_suffix(".files").filter(|_| !legacy) {
                listing
                    .cases
                    .entry(base.to_owned())
                    .or_default()
                    .insert(".files", inner.path.clone());
            } else if let Some(base) = [".in", ".ans"]
                .iter()
                .find_map(|extension| name.strip_suffix(extension))
                .filter(|_| !legacy)
            {
                let message =
                    format!("expected a file of the test case `{base}`, found a directory");
                self.findings
                    .error_at(code::CASE_NAME_CLASHES, &inner.path, message);
                // Otherwise the files next to it would be reported as incomplete too.
                listing.cases.remove(base);
            } else {
                listing.folders.insert(name.clone(), inner);
            }
        }
        for path in &folder.ignored {
            // Other files with invalid names, such as those of editors, are not reported.
            let looks_like_data = path
                .extension()
                .is_some_and(|extension| extension == "in" || extension == "ans");
            if looks_like_data {
                self.findings.warn(invalid_name(path));
            }
        }
        for (name, inner) in listing
            .folders
            .iter()
            .filter(|(name, _)| !legacy && listing.cases.contains_key(*name))
        {
            let message =
                format!("a directory must not have the name of a test case next to it, `{name}`");
            self.findings
                .error_at(code::CASE_NAME_CLASHES, &inner.path, message);
        }
        listing
    }

    /// Collects one case, if its files are complete. A missing file is an error.
    fn case(&mut self, id: String, files: &Files, inherited: &Settings) -> Option<FoundCase> {
        let legacy = self.dialect().is_legacy();
        let get = |extension: &str| files.get(extension).cloned();
        let Some(input) = get(".in") else {
            self.check_orphans(&id, files);
            return None;
        };
        // The settings of a test case with this name would be in `test_group.yaml`, which belongs
        // to the directory.
        if id.ends_with("/test_group") && !legacy {
            let message =
                "a test case must not be named `test_group`, because of `test_group.yaml`";
            self.findings
                .error_at(code::CASE_NAME_CLASHES, &input, message);
        }
        let part = id.split('/').next().unwrap_or_default();
        let (answer, output) = (get(".ans"), get(".out"));
        for (missing, extension) in [
            // 2025-09, "Invalid Input": an input that is to be rejected has no answer.
            (answer.is_none() && part != "invalid_input", ".ans"),
            (
                output.is_none() && matches!(part, "invalid_output" | "valid_output"),
                ".out",
            ),
        ] {
            if missing {
                let message = format!("test case `{id}` has no `{extension}` file");
                let is_judged = matches!(part, "sample" | "secret");
                let doubled = input
                    .file_name()
                    .and_then(|name| doubled_extension_hint(name.to_str()?));
                let hint = doubled.or_else(|| {
                    is_judged.then(|| missing_answer_hint(&id, &input, output.as_deref()))
                });
                self.findings
                    .error(Finding::new(code::CASE_INCOMPLETE, &input, message).hint(hint));
            }
        }
        let mut settings = inherited.clone();
        if let Some(file) = get(".args").filter(|_| self.dialect() == Dialect::Draft) {
            settings.read_draft_args(&file, self.findings);
        }
        // Last, because the settings of the test case itself have priority over the group's.
        if let Some(file) = get(".yaml") {
            settings.read_over(&file, SettingsFile::TestCase, self.rules, self.findings);
        }
        Some(FoundCase {
            id,
            input,
            answer,
            output,
            files: get(".files"),
            settings,
        })
    }

    /// Reports the files of a case that does not exist.
    fn check_orphans(&mut self, id: &str, files: &Files) {
        for (extension, path) in files {
            let matters = match *extension {
                // An answer without an input is an error in every format, like an input without an
                // answer.
                ".ans" => true,
                // A sample may exist only to be shown, especially in interactive problems.
                ".interaction" | ".in.statement" | ".ans.statement" | ".in.download"
                | ".ans.download" => !id.starts_with("sample/") && !self.dialect().is_legacy(),
                _ => !self.dialect().is_legacy(),
            };
            if !matters {
                continue;
            }
            let name = id.rsplit('/').next().unwrap_or(id);
            let message = if (name, *extension) == ("testdata", ".yaml") {
                "`testdata.yaml` is its legacy name; in format 2025-09 it is `test_group.yaml`"
                    .to_owned()
            } else {
                format!("its input `{name}.in` is missing")
            };
            let input = path.with_file_name(format!("{name}.in"));
            let hint = in_other_case(&input, Path::is_file)
                .or_else(|| path.file_name()?.to_str().and_then(doubled_extension_hint))
                .or_else(|| input_with_other_extension(&input));
            self.findings
                .error(Finding::new(code::FILE_WITHOUT_INPUT, path, message).hint(hint));
        }
    }
}

/// The hint for a test case without an answer. Other systems name answers `.out`.
fn missing_answer_hint(id: &str, input: &Path, output: Option<&Path>) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    if let Some(output) = output {
        let (found, answer) = (name(output), name(&output.with_extension("ans")));
        return format!("answers are named `.ans`: rename `{found}` to `{answer}`");
    }
    // `PACKAGE/data/ID.in`
    let package = input.ancestors().nth(id.split('/').count() + 1);
    let package = name(package.unwrap_or(Path::new("")));
    format!("`judge generate --review {package}/{id}` writes it if all accepted solutions agree")
}

/// The hint for a file such as `01.in.txt`: file managers hide the last extension.
fn hidden_extension_hint(name: &str) -> Option<String> {
    let meant = name.strip_suffix(".txt")?;
    let is_meant = matches!(split_name(meant)?.1, ".in" | ".ans");
    is_meant.then(|| format!("rename `{name}` to `{meant}`"))
}

/// The hint for a file such as `01.in.in`.
fn doubled_extension_hint(name: &str) -> Option<String> {
    let meant = [".in", ".ans"].iter().find_map(|extension| {
        let meant = name.strip_suffix(extension)?;
        meant.ends_with(extension).then_some(meant)
    })?;
    Some(format!("rename `{name}` to `{meant}`"))
}

/// The hint for a missing input next to which a file such as `01.in.txt` or `01.in.in` lies.
fn input_with_other_extension(input: &Path) -> Option<String> {
    let meant = input.file_name()?.to_str()?;
    let names = ["txt", "in"].map(|extension| format!("{meant}.{extension}"));
    let name = (names.iter()).find(|name| input.with_file_name(name).is_file())?;
    Some(format!("rename `{name}` to `{meant}`"))
}

fn is_settings(name: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Legacy | Dialect::LegacyIcpc => name == "testdata.yaml",
        Dialect::Draft => matches!(name, "test_group.yaml" | "testdata.yaml"),
        Dialect::V2025_09 => name == "test_group.yaml",
    }
}
