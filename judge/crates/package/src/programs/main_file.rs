//! The file of a program that is run, and the remark if no name decides which one.
//!
//! Must not know what the program is for.

use std::path::{Path, PathBuf};

use judge_model::{Language, LanguageId};

use crate::disk::bounded::head;

/// The maximum number of bytes that are read from a source file. Real source files are smaller.
const MAX_SOURCE_BYTES: u64 = 4 << 20;

/// Words of the statements with which languages that run from source load another file.
const LOADING: [&str; 5] = ["import", "require", "include", "load", "use"];

/// The remark about the sources of a program whose first file by name is run, since none has the
/// name of an entry point. `None` if another rule decides, or all files are compiled.
pub(super) fn remark(
    name: &str,
    sources: &[PathBuf],
    id: &LanguageId,
    languages: &[Language],
) -> Option<String> {
    let [main, _, ..] = sources else {
        return None;
    };
    let language = languages.iter().find(|language| language.id == *id)?;
    let is_run_from_source = language.run.iter().any(|word| word == "{main}");
    if !is_run_from_source || is_named_as_entry_point(main, language) {
        return None;
    }
    Some(format!(
        "`{}` is run, the first of the {} source files in `{name}`; to choose another one, name it `{}`",
        main.display(),
        sources.len(),
        language.main_file()
    ))
}

/// True if the first source loads one of the others: it is the intended entry point.
pub(super) fn loads_another(directory: &Path, sources: &[PathBuf]) -> bool {
    let Some((main, others)) = sources.split_first() else {
        return false;
    };
    let text = read(directory, main);
    let loads = |line: &str, name: &str| {
        LOADING.iter().any(|word| line.contains(word))
            && line
                .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
                .any(|word| word == name)
    };
    // A file in a directory may be loaded by the name of the directory.
    let mut names = others.iter().filter_map(|other| {
        let first = other.components().next()?;
        Path::new(first.as_os_str()).file_stem()?.to_str()
    });
    names.any(|name| text.lines().any(|line| loads(line, name)))
}

/// True if the name of a source file makes it the entry point.
pub(crate) fn is_named_as_entry_point(file: &Path, language: &Language) -> bool {
    rank(file, language) <= language.entry_points.len()
}

/// The place of a source file among the candidates for the entry point.
pub(super) fn rank(file: &Path, language: &Language) -> usize {
    let last = language.entry_points.len();
    let by_name = |entry_point: &String| file.as_os_str() == entry_point.as_str();
    let is_main =
        // Only at the top: a `main` in a subdirectory belongs to a library or a test of the
        // author.
        file.components().count() == 1 && file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("main"));
    language
        .entry_points
        .iter()
        .position(by_name)
        .unwrap_or(if is_main { last } else { last + 1 })
}

/// The text of a source file of a program.
pub(super) fn read(directory: &Path, source: &Path) -> String {
    // An unreadable file counts as empty here. Compiling reports it.
    let bytes = head(&directory.join(source), MAX_SOURCE_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Tree;

    #[test]
    fn ignored_sources_of_a_program_are_reported() {
        for (main, other, expected) in [
            ("a.py", "b.py", true),
            ("a.py", "main.py", false),
            ("a.cpp", "b.cpp", false),
        ] {
            let tree = Tree::new();
            tree.package("x", "");
            tree.write(&format!("x/output_validator/{main}"), "a, b = 1, 2\n");
            tree.write(&format!("x/output_validator/{other}"), "from a import *\n");
            let reported: &[&str] = if expected {
                &[
                    "x/output_validator: `a.py` is run, the first of the 2 source files in `output_validator`; to choose another one, name it `__main__.py`",
                ]
            } else {
                &[]
            };
            assert_eq!(tree.warnings("x"), reported, "{main} and {other}");
        }
    }

    #[test]
    fn loaded_sources_of_a_program_are_not_reported() {
        for text in [
            "import b\n",
            "from b import read\n",
            "from lib.c import d\n",
        ] {
            let tree = Tree::new();
            tree.package("x", "");
            tree.write("x/output_validator/a.py", text);
            tree.write("x/output_validator/b.py", "");
            tree.write("x/output_validator/lib/c.py", "");
            assert!(tree.warnings("x").is_empty(), "{text}");
        }
    }
}
