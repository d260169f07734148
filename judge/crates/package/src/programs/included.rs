//! `include/`: files that are copied next to submissions before they are compiled.
//!
//! Responsible for matching directories to languages. Must not copy anything, or know how programs
//! are compiled.
//!
//! Source: 2025-09 and legacy, "Included files".

use std::path::{Path, PathBuf};

use judge_model::{IncludedFiles, Language, LanguageId};

use crate::code;
use crate::disk::sizes;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings};
use crate::metadata::Dialect;
use crate::programs::format_languages::{is_known, known_codes};
use crate::programs::languages::needs_class;
use crate::programs::{file_name, find_entry_class, language_of, sources_in};
use crate::suggest::did_you_mean;

/// The directory for languages without their own.
const DEFAULT: &str = "default";

/// The included files of a package, in order of their directories. `allowed` are the languages in
/// which the problem may be solved; `None` means all.
pub(crate) fn included(
    package: &Path,
    dialect: Dialect,
    allowed: Option<&[LanguageId]>,
    languages: &[Language],
    findings: &mut Findings,
) -> Vec<IncludedFiles> {
    let Some(folder) = Folder::read(&package.join("include"), findings) else {
        return Vec::new();
    };
    for path in folder.files.values() {
        let message = "ignored: expected a directory for each language, such as `include/cpp`";
        findings.warn_at(code::INCLUDED_FOR_NO_SUBMISSION, path, message);
    }
    let mut found = Vec::new();
    for (name, inner) in &folder.folders {
        if contains_no_files(inner) {
            let message = "an empty directory: nothing is included";
            findings.warn_at(code::INCLUDED_FOR_NO_SUBMISSION, &inner.path, message);
        } else if name == DEFAULT {
            if dialect.is_legacy() {
                let message =
                    "`include/default` belongs to format 2025-09; its files are still included";
                findings.warn_at(code::INCLUDED_DEFAULT_IN_LEGACY, &inner.path, message);
            }
            found.push(IncludedFiles {
                languages: Vec::new(),
                directory: inner.path.clone(),
                entry_class: None,
            });
        // The format defines languages for which this workspace has no tools; files for them are
        // not a mistake.
        } else if is_known(name, languages) {
            let id = LanguageId(name.clone());
            if allowed.is_some_and(|allowed| !allowed.contains(&id)) {
                let message = format!(
                    "submissions in `{id}` are not permitted: no submission gets these files"
                );
                findings.warn_at(code::INCLUDED_FOR_NO_SUBMISSION, &inner.path, message);
            }
            let entry_class = entry_class(inner, &id, languages);
            found.push(IncludedFiles {
                languages: vec![id],
                directory: inner.path.clone(),
                entry_class,
            });
        } else {
            let message = format!("ignored: unknown language `{name}`");
            findings.warn(
                Finding::new(code::INCLUDED_FOR_NO_SUBMISSION, &inner.path, message)
                    .hint(did_you_mean(name, known_codes(languages).chain([DEFAULT]))),
            );
        }
    }
    for files in &found {
        sizes::check_directory(&files.directory, findings);
    }
    warn_of_replaced(&found, findings);
    found
}

/// The class with the entry point among included files of a language that needs one.
fn entry_class(folder: &Folder, id: &LanguageId, languages: &[Language]) -> Option<String> {
    let language = languages
        .iter()
        .find(|language| language.id == *id)
        .filter(|language| needs_class(language))?;
    let sources = sources_in(folder);
    let is_source = |file: &&PathBuf| {
        language_of(&file_name(file), languages).is_some_and(|found| found.id == language.id)
    };
    find_entry_class(&folder.path, sources.iter().filter(is_source)).map(|(_, class)| class)
}

/// According to the format, the files of a language replace the default ones; other judges add them
/// to the default ones.
fn warn_of_replaced(found: &[IncludedFiles], findings: &mut Findings) {
    let has_default = found.iter().any(|files| files.languages.is_empty());
    for (files, language) in found
        .iter()
        .filter_map(|files| Some((files, files.languages.first()?)))
    {
        if has_default {
            let message = format!(
                "for `{language}`, these files replace all of those in `include/{DEFAULT}`; some judges include both"
            );
            findings.warn_at(code::INCLUDED_REPLACES_DEFAULT, &files.directory, message);
        }
    }
}

fn contains_no_files(folder: &Folder) -> bool {
    folder.files.is_empty() && folder.folders.values().all(contains_no_files)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Tree;

    #[test]
    fn included_files_are_found_by_language_and_default() {
        let tree = Tree::new();
        tree.package("x", "languages: [cpp, java]\n");
        for file in [
            "cpp/runner.cpp",
            "java/unsigned/Long.java",
            "default/data.txt",
            "cobol/x.cob",
        ] {
            tree.write(&format!("x/include/{file}"), "");
        }
        let loaded = tree.load("x").unwrap();
        let found: Vec<(Vec<&str>, _)> = loaded
            .problem
            .included
            .iter()
            .map(|files| {
                (
                    files.languages.iter().map(|id| id.0.as_str()).collect(),
                    files.directory.clone(),
                )
            })
            .collect();
        let directory = |name: &str| tree.path(&format!("x/include/{name}"));
        assert_eq!(
            found,
            [
                (vec!["cobol"], directory("cobol")),
                (vec!["cpp"], directory("cpp")),
                (vec![], directory("default")),
                (vec!["java"], directory("java")),
            ]
        );
        let warnings = tree.warning_lines(&loaded.warnings);
        assert!(warnings.contains(
            &"x/include/cobol: submissions in `cobol` are not permitted: no submission gets these files".to_owned()
        ));
        let replaced = warnings
            .iter()
            .filter(|warning| warning.contains("replace all of those in `include/default`"));
        assert_eq!(replaced.count(), 3, "{warnings:?}");
    }

    #[test]
    fn classes_with_a_main_method_are_found() {
        let tree = Tree::new();
        tree.package("x", "");
        tree.write("x/include/java/Help.java", "class Help { void main() { } }");
        tree.write(
            "x/include/java/run/Grader.java",
            "public class Grader { public static void main(String[] a) { } }",
        );
        tree.write("x/include/cpp/grader.cpp", "int main() { }");
        let loaded = tree.load("x").unwrap();
        let classes: Vec<_> = loaded
            .problem
            .included
            .iter()
            .map(|files| files.entry_class.as_deref())
            .collect();
        assert_eq!(classes, [None, Some("Grader")]);
    }

    #[test]
    fn ignored_included_files_are_reported() {
        let tree = Tree::new();
        tree.package("x", "");
        tree.make_directory("x/include/python3/empty");
        tree.write("x/include/pyton3/main.py", "");
        tree.write("x/include/loose.py", "");
        assert_eq!(
            tree.warnings("x"),
            [
                "x/include/loose.py: ignored: expected a directory for each language, such as `include/cpp`",
                "x/include/python3: an empty directory: nothing is included",
                "x/include/pyton3: ignored: unknown language `pyton3`\nhint: did you mean `python3`?",
            ]
        );
        assert!(tree.load("x").unwrap().problem.included.is_empty());
    }
}
