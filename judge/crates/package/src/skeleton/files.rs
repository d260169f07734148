//! The files of the built-in templates, and those of a user's directory.
//!
//! Responsible for selecting the files of a kind of problem in a language. Must not know where they
//! are written.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use walkdir::WalkDir;

use super::error::SkeletonError;
use super::kind::{SkeletonKind, SkeletonLanguage};
use crate::disk::bounded::read_within;

/// The contents of files by their paths in the package; true for executable files.
pub(super) type Contents = BTreeMap<PathBuf, (Vec<u8>, bool)>;

/// The maximum size of a template directory, in bytes, and its maximum number of files and
/// directories: a typing error must not copy a disk.
const MAX_BYTES: u64 = 64 << 20;
const MAX_ENTRIES: usize = 10_000;

/// The built-in templates: a directory for each problem, with the files that all languages share,
/// the programs in Rust, and the data that they generate. `cpp`, `cpp-testlib` and `python` contain
/// the replacements for these languages, and `latex` the statements in LaTeX.
static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The template problems that a kind combines, with the prefixes of the paths to use from each.
fn parts(kind: SkeletonKind) -> &'static [(&'static str, &'static [&'static str])] {
    const NUMBERS: &str = "generators/generate.";
    match kind {
        SkeletonKind::PassFail => &[("largest_sum", &[""])],
        SkeletonKind::Float => &[
            ("average", &[""]),
            ("largest_sum", &[NUMBERS, "input_validators/"]),
        ],
        SkeletonKind::Custom => &[
            ("largest_range", &[""]),
            ("largest_sum", &[NUMBERS, "input_validators/"]),
        ],
        SkeletonKind::Interactive => &[("guess", &[""])],
        SkeletonKind::MultiPass => &[("telephone", &[""])],
        SkeletonKind::Scoring => &[
            ("scoring", &[""]),
            ("largest_sum", &[NUMBERS, "submissions/"]),
        ],
    }
}

/// The files of a kind, in order of their paths in the package, with their texts.
pub(super) fn template_files(
    kind: SkeletonKind,
    language: SkeletonLanguage,
) -> BTreeMap<&'static Path, String> {
    let mut files = BTreeMap::new();
    for (problem, beginnings) in parts(kind) {
        let mut add = |root: &str| {
            for (path, text) in below(Path::new(root)) {
                // Every judging system accepts a statement in LaTeX. BAPCtools, for example,
                // typesets no other.
                let is_replaced = language.is_portable()
                    && path
                        .extension()
                        .is_some_and(|extension| extension == "rs" || extension == "md");
                let path_text = path.to_string_lossy();
                if !is_replaced
                    && beginnings
                        .iter()
                        .any(|beginning| path_text.starts_with(beginning))
                {
                    files.insert(
                        path,
                        text.replace("generate.rs", &format!("generate.{}", language.extension())),
                    );
                }
            }
        };
        add(problem);
        language
            .layers()
            .iter()
            .for_each(|layer| add(&format!("{layer}/{problem}")));
    }
    files
}

/// Returns every file of a template directory.
pub(super) fn files_of(source: &Path) -> Result<Contents, SkeletonError> {
    let failed = |path: &Path, cause| SkeletonError::Source {
        path: path.to_owned(),
        cause,
    };
    let invalid = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text);
    let mut files = Contents::new();
    let mut room = MAX_BYTES;
    let is_wanted = |entry: &walkdir::DirEntry| {
        ![".git", ".judge-changes"]
            .iter()
            .any(|name| entry.file_name() == *name)
    };
    let entries = WalkDir::new(source)
        .min_depth(1)
        .into_iter()
        .filter_entry(is_wanted);
    for (number, entry) in entries.enumerate() {
        let entry = entry.map_err(|error| failed(source, error.into()))?;
        let path = entry.path();
        if number >= MAX_ENTRIES {
            return Err(failed(
                source,
                invalid(&format!(
                    "it has more than {MAX_ENTRIES} files and directories"
                )),
            ));
        }
        if entry.file_type().is_file() {
            let bytes = read_within(path, room).map_err(|cause| failed(path, cause))?;
            room -= bytes.len() as u64;
            let mode = entry
                .metadata()
                .map_err(|error| failed(path, error.into()))?
                .permissions()
                .mode();
            let below = path.strip_prefix(source).unwrap_or(path).to_owned();
            files.insert(below, (bytes, mode & 0o111 != 0));
        } else if !entry.file_type().is_dir() {
            return Err(failed(path, invalid("expected a file or a directory")));
        }
    }
    match files.contains_key(Path::new("problem.yaml")) {
        true => Ok(files),
        false => Err(failed(
            source,
            invalid("expected a package, but it contains no `problem.yaml`"),
        )),
    }
}

/// Every file below a directory of the templates, relative to it.
fn below(root: &Path) -> Vec<(&'static Path, &'static str)> {
    let mut files = Vec::new();
    let mut left: Vec<&'static Dir<'static>> = TEMPLATES.get_dir(root).into_iter().collect();
    while let Some(directory) = left.pop() {
        left.extend(directory.dirs());
        for file in directory.files() {
            let path = file
                .path()
                .strip_prefix(root)
                .expect("it was found below it");
            files.push((path, file.contents_utf8().expect("templates are text")));
        }
    }
    files
}
