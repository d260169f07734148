//! The files of each template, as they are built into the program.
//!
//! Responsible for which of them a kind of problem has in a language. Must not know where they go.

use std::collections::BTreeMap;
use std::path::Path;

use include_dir::{Dir, include_dir};

use super::{SkeletonKind, SkeletonLanguage};

/// A directory for each problem: all that is the same in every language, and the programs in Rust with the data that
/// they make. `cpp` and `python` have the same for these languages, over it, and `latex` their statements.
static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The problems that a kind is put together from, with how the paths begin that are taken of each.
fn parts(kind: SkeletonKind) -> &'static [(&'static str, &'static [&'static str])] {
    const NUMBERS: &str = "generators/generate.";
    match kind {
        SkeletonKind::PassFail => &[("largest_sum", &[""])],
        SkeletonKind::Float => &[("average", &[""]), ("largest_sum", &[NUMBERS, "input_validators/"])],
        SkeletonKind::Interactive => &[("guess", &[""])],
        SkeletonKind::MultiPass => &[("telephone", &[""])],
        SkeletonKind::Scoring => &[("scoring", &[""]), ("largest_sum", &[NUMBERS, "submissions/"])],
    }
}

/// The files of a kind, in order of their paths in the package, with their texts.
pub(super) fn template_files(kind: SkeletonKind, language: SkeletonLanguage) -> BTreeMap<&'static Path, String> {
    let mut files = BTreeMap::new();
    for (problem, beginnings) in parts(kind) {
        let mut add = |root: &str| {
            for (path, text) in below(Path::new(root)) {
                // Every judging system accepts a statement in LaTeX. BAPCtools, for example,
                // typesets no other.
                let foreign = language.is_portable()
                    && path.extension().is_some_and(|extension| extension == "rs" || extension == "md");
                let path_text = path.to_string_lossy();
                if !foreign && beginnings.iter().any(|beginning| path_text.starts_with(beginning)) {
                    files.insert(path, text.replace("generate.rs", &format!("generate.{}", language.extension())));
                }
            }
        };
        add(problem);
        if let Some(over) = language.over() {
            add(&format!("{over}/{problem}"));
            add(&format!("latex/{problem}"));
        }
    }
    files
}

/// Every file below a directory of the templates, relative to it.
fn below(root: &Path) -> Vec<(&'static Path, &'static str)> {
    let mut files = Vec::new();
    let mut left: Vec<&'static Dir<'static>> = TEMPLATES.get_dir(root).into_iter().collect();
    while let Some(directory) = left.pop() {
        left.extend(directory.dirs());
        for file in directory.files() {
            let path = file.path().strip_prefix(root).expect("it was found below it");
            files.push((path, file.contents_utf8().expect("templates are text")));
        }
    }
    files
}
