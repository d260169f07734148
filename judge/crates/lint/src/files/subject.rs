//! The subject of the checks: one package, with everything that they read of it.
//!
//! Responsible for reading each file once. Must not report findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::{FormatVersion, Problem};
use judge_package::yaml::{self, Document, Node, Value};
use judge_package::{LoadedPackage, METADATA_FILE, lies_within, read_in_package};

use super::bytes::{Contents, read_all};
use super::entries::{Entry, Kind, walk};

/// The maximum size of a text, in bytes. No real statement or setting is longer.
const MAX_TEXT: u64 = 16 << 20;

/// A package under inspection.
pub(super) struct Subject<'a> {
    /// The absolute path of the package.
    pub(super) directory: &'a Path,
    /// The package, if it could be loaded. Broken parts have defaults.
    pub(super) loaded: Option<&'a LoadedPackage>,
    pub(super) entries: Vec<Entry>,
    /// The contents of the texts and data among the entries, by their ids.
    contents: BTreeMap<String, Contents>,
    metadata: Option<Document>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        directory: &'a Path,
        loaded: Option<&'a LoadedPackage>,
        threads: usize,
    ) -> Self {
        let entries = walk(directory);
        let read: Vec<&Entry> = entries.iter().filter(|entry| is_read(entry)).collect();
        let paths: Vec<&Path> = read.iter().map(|entry| entry.path.as_path()).collect();
        let contents = read_all(&paths, threads);
        let named = read.iter().map(|entry| entry.id.clone());
        let contents = named
            .zip(contents)
            .filter_map(|(id, contents)| Some((id, contents?)))
            .collect();
        let marker = directory.join(METADATA_FILE);
        // Links out of the package are not read: an error could quote the target.
        let metadata = lies_within(directory, &marker)
            .then(|| Document::read(&marker).ok())
            .flatten();
        Self {
            directory,
            loaded,
            entries,
            contents,
            metadata,
        }
    }

    pub(super) fn problem(&self) -> Option<&'a Problem> {
        self.loaded.map(|loaded| &loaded.problem)
    }

    /// Returns true for format legacy. The layout decides when the package cannot be loaded.
    pub(super) fn is_legacy(&self) -> bool {
        match self.problem() {
            Some(problem) => problem.format != FormatVersion::V2025_09,
            // Without a version, the name of this directory is the clearest sign.
            None => self.entry("problem_statement").is_some(),
        }
    }

    pub(super) fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries
            .binary_search_by(|entry| entry.id.as_str().cmp(id))
            .ok()
            .map(|index| &self.entries[index])
    }

    /// The entries directly in a directory of the package.
    pub(super) fn children<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s Entry> {
        self.entries
            .iter()
            .filter(move |entry| entry.parent() == folder)
    }

    /// The contents of a file, if files of this kind are read.
    pub(super) fn contents(&self, entry: &Entry) -> Option<&Contents> {
        self.contents.get(&entry.id)
    }

    /// The contents of a file of the package by its path.
    pub(super) fn contents_at(&self, path: &Path) -> Option<&Contents> {
        let id = path.strip_prefix(self.directory).ok()?.to_str()?;
        self.contents.get(id)
    }

    /// Reads a text file of the package; links within the package are followed. A file that is
    /// unreadable, outside of the package or too large counts as empty: other checks report it.
    pub(super) fn read_text(&self, path: &Path) -> String {
        let bytes = read_in_package(self.directory, path, MAX_TEXT).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The keys of `problem.yaml`, including those without a value.
    pub(super) fn metadata_entries(&self) -> Option<Vec<yaml::Entry<'_>>> {
        self.metadata.as_ref()?.root().entries()
    }

    /// The value of a key of `problem.yaml`, such as `limits.memory`.
    pub(super) fn key(&self, path: &str) -> Option<Node<'_>> {
        let mut node = self.metadata.as_ref()?.root();
        for name in path.split('.') {
            node = node
                .entries()?
                .into_iter()
                .find(|entry| entry.name == name)?
                .value;
        }
        (*node.value() != Value::Null).then_some(node)
    }

    /// The value of a key of `problem.yaml`, as text.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        match self.key(path)?.value() {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    pub(super) fn marker(&self) -> PathBuf {
        self.directory.join(METADATA_FILE)
    }
}

/// Returns true for entries whose bytes are read: test data, statements, submissions and YAML.
/// Targets of links are read at their own places.
fn is_read(entry: &Entry) -> bool {
    let Kind::File(_) = entry.kind else {
        return false;
    };
    let text_of_statement = || {
        matches!(entry.extension(), "md" | "tex")
            && (entry.is_in("statement") || entry.is_in("problem_statement"))
    };
    entry.counts()
        && (entry.is_in("data")
            || entry.is_in("submissions")
            || entry.extension() == "yaml"
            || text_of_statement())
}
