//! The language and the entry point of a submission.
//!
//! Responsible for the differences from the language of other programs: `submissions.yaml` may name
//! it, it may have no tools, and 2025-09 requires all files in one language. Must not know how
//! programs run.
//!
//! Source: 2025-09 and legacy, "Programs", and the appendix "Languages".

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use judge_model::{Language, LanguageId};

use crate::disk::names;
use crate::disk::tree::Folder;
use crate::error::Findings;
use crate::programs::format_languages;
use crate::programs::languages::needs_class;
use crate::programs::{
    RecognisedProgram, RecognitionFailure, file_name, in_order, language_of, prevailing,
    recognise_sources, sources_in,
};

/// The language and the entry point that are named for a submission.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NamedLanguage<'a> {
    /// The code of its language.
    pub(super) language: Option<&'a str>,
    /// A file, or a class for languages that start one.
    pub(super) entry_point: Option<&'a str>,
    /// True if files of several languages are a fault (2025-09).
    pub(super) only_one: bool,
}

/// True when a file of this name can be a source of a submission.
pub(super) fn is_source(name: &str, languages: &[Language]) -> bool {
    code_of(name, languages).is_some()
}

/// The language of a file by its name. Languages with tools have priority.
fn code_of<'l>(name: &str, languages: &'l [Language]) -> Option<&'l str> {
    let with_tools = language_of(name, languages).map(|language| language.id.0.as_str());
    with_tools.or_else(|| names::extension(name).and_then(format_languages::for_extension))
}

/// Recognises a submission that is a file or a directory.
pub(super) fn recognise_submission(
    path: &Path,
    named: NamedLanguage<'_>,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<RecognisedProgram, RecognitionFailure> {
    let (directory, files) = match Folder::read(path, findings) {
        Some(folder) => (path, sources_in(&folder)),
        None => (
            path.parent().unwrap_or(path),
            vec![PathBuf::from(file_name(path))],
        ),
    };
    let code = match named.language {
        Some(code) => code,
        None => language_of_files(&files, named, languages)?,
    };
    let row = languages.iter().find(|language| language.id.0 == code);
    let belongs = |file: &&PathBuf| {
        let name = file_name(file);
        let Some(extension) = names::extension(&name) else {
            return false;
        };
        row.is_some_and(|row| row.extensions.iter().any(|known| known == extension))
            || (named.language.is_some() && format_languages::can_be(code, extension))
            || (row.is_none() && format_languages::for_extension(extension) == Some(code))
            // C files of a C++ program.
            || (code == "cpp" && extension == "c")
    };
    let mut sources: Vec<PathBuf> = files.iter().filter(belongs).cloned().collect();
    if sources.is_empty() && named.language.is_some() {
        sources.clone_from(&files);
    }
    let Some(row) = row else {
        // No tools can compile it. It is still reported with its language.
        return Ok(RecognisedProgram {
            sources,
            language: LanguageId(code.to_owned()),
            entry_class: None,
        });
    };
    let sources = in_order(sources, row);
    match named.entry_point {
        Some(entry_point) => start_at(entry_point, directory, sources, row),
        None => {
            let mut recognised = recognise_sources(directory, sources, row);
            // The first line of a Python file gives its version in legacy packages only.
            if named.language.is_some() || named.only_one {
                recognised.language = row.id.clone();
            }
            Ok(recognised)
        }
    }
}

/// Returns the language of the files: one without tools counts only when no file has tools.
fn language_of_files<'l>(
    files: &'l [PathBuf],
    named: NamedLanguage<'_>,
    languages: &'l [Language],
) -> Result<&'l str, RecognitionFailure> {
    let with_tools = files.iter().filter_map(|file| {
        let language = language_of(&file_name(file), languages)?;
        Some((language.id.0.as_str(), file))
    });
    match prevailing(with_tools, named.only_one) {
        Err(RecognitionFailure::NoSource) => prevailing(
            files
                .iter()
                .filter_map(|file| Some((code_of(&file_name(file), languages)?, file))),
            named.only_one,
        ),
        found => found,
    }
}

/// Puts the file with the entry point first.
fn start_at(
    entry_point: &str,
    directory: &Path,
    mut sources: Vec<PathBuf>,
    language: &Language,
) -> Result<RecognisedProgram, RecognitionFailure> {
    let is_class = needs_class(language);
    let class = entry_point.rsplit('.').next().unwrap_or(entry_point);
    let position = |fits: &dyn Fn(&PathBuf) -> bool| sources.iter().position(fits);
    let file = position(&|source| source.as_os_str() == entry_point)
        .or_else(|| position(&|source| source.file_name() == Some(OsStr::new(entry_point))));
    let by_stem = || position(&|source| is_class && source.file_stem() == Some(OsStr::new(class)));
    if let Some(index) = file.or_else(by_stem) {
        let first = sources.remove(index);
        sources.insert(0, first);
    } else if !is_class {
        return Err(RecognitionFailure::NoEntryPoint(entry_point.to_owned()));
    }
    let entry_class = if !is_class {
        None
    } else if file.is_some() {
        // The named file is not checked: the compiler or the run time reports its faults.
        let named = sources[0]
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        recognise_sources(directory, vec![sources[0].clone()], language)
            .entry_class
            .or(named)
    } else {
        Some(entry_point.to_owned())
    };
    Ok(RecognisedProgram {
        sources,
        language: language.id.clone(),
        entry_class,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;
    use crate::programs::languages::built_in_languages;

    fn recognised(
        files: &[&str],
        path: &str,
        named: NamedLanguage<'_>,
    ) -> Result<(String, Vec<String>, Option<String>), String> {
        let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
        let tree = Tree::with(&files);
        let mut findings = Findings::default();
        let found = recognise_submission(
            &tree.path(path),
            named,
            &built_in_languages(),
            &mut findings,
        )
        .map_err(|reason| reason.message())?;
        findings.into_result().unwrap();
        let sources = found
            .sources
            .iter()
            .map(|source| source.to_str().unwrap().to_owned())
            .collect();
        Ok((found.language.0, sources, found.entry_class))
    }

    fn by_files(files: &[&str], only_one: bool) -> Result<String, String> {
        recognised(
            files,
            "p",
            NamedLanguage {
                only_one,
                ..NamedLanguage::default()
            },
        )
        .map(|(language, ..)| language)
    }

    #[test]
    fn predominant_language_is_used_unless_one_is_required() {
        let files = ["p/a.py", "p/b.py", "p/help.java"];
        assert_eq!(by_files(&files, false).unwrap(), "python3");
        assert!(
            by_files(&files, true)
                .unwrap_err()
                .starts_with("expected files of one language")
        );
        assert!(
            by_files(&["p/a.py", "p/b.java"], false).is_err(),
            "a tie decides nothing"
        );
        assert_eq!(by_files(&["p/a.c", "p/b.cpp"], false).unwrap(), "cpp");
        let both = recognised(&["p/a.c", "p/b.cpp"], "p", NamedLanguage::default()).unwrap();
        assert_eq!(both.1, ["a.c", "b.cpp"]);
        // A file in a language without tools is ignored if there are others.
        assert_eq!(
            by_files(&["p/a.py", "p/notes.st"], true).unwrap(),
            "python3"
        );
    }

    #[test]
    fn languages_without_tools_are_recognised_by_name() {
        assert_eq!(
            by_files(&["p/a.cob", "p/README.md"], true).unwrap(),
            "cobol"
        );
        assert_eq!(
            recognised(&["a.zig"], "a.zig", NamedLanguage::default())
                .unwrap()
                .0,
            "zig"
        );
        assert_eq!(
            by_files(&["p/README.md"], false).unwrap_err(),
            "no file of a known language"
        );
    }

    #[test]
    fn named_languages_have_priority_over_extensions() {
        let named = |language| NamedLanguage {
            language: Some(language),
            ..NamedLanguage::default()
        };
        assert_eq!(
            recognised(&["p/a.py", "p/b.cpp"], "p", named("python3")).unwrap(),
            ("python3".to_owned(), vec!["a.py".to_owned()], None)
        );
        assert_eq!(
            recognised(&["p/x.py", "p/y.c"], "p", named("cppgmp"))
                .unwrap()
                .1,
            ["x.py", "y.c"],
            "no file fits"
        );
        assert_eq!(
            recognised(&["p/x.py", "p/y.cc"], "p", named("cppgmp"))
                .unwrap()
                .1,
            ["y.cc"]
        );
        assert_eq!(
            recognised(&["a.txt"], "a.txt", named("python3")).unwrap().1,
            ["a.txt"]
        );
    }

    #[test]
    fn named_entry_points_come_first() {
        let at = |entry_point| NamedLanguage {
            entry_point: Some(entry_point),
            ..NamedLanguage::default()
        };
        let files = ["p/main.py", "p/ac.py", "p/sub/x.py"];
        assert_eq!(
            recognised(&files, "p", at("ac.py")).unwrap().1,
            ["ac.py", "main.py", "sub/x.py"]
        );
        assert_eq!(
            recognised(&files, "p", at("sub/x.py")).unwrap().1[0],
            "sub/x.py"
        );
        assert_eq!(
            recognised(&files, "p", at("no.py")).unwrap_err(),
            "expected the entry point `no.py`, found no such file"
        );
        let java = ["p/A.java", "p/B.java"];
        let found = recognised(&java, "p", at("B")).unwrap();
        assert_eq!(
            (found.1[0].as_str(), found.2.as_deref()),
            ("B.java", Some("B"))
        );
        let found = recognised(&java, "p", at("B.java")).unwrap();
        assert_eq!(
            (found.1[0].as_str(), found.2.as_deref()),
            ("B.java", Some("B"))
        );
        assert_eq!(
            recognised(&java, "p", at("org.example.Start"))
                .unwrap()
                .2
                .as_deref(),
            Some("org.example.Start")
        );
    }

    #[test]
    fn main_comes_first_in_any_language() {
        let found = recognised(&["p/a.cpp", "p/Main.cpp"], "p", NamedLanguage::default()).unwrap();
        assert_eq!(found.1, ["Main.cpp", "a.cpp"]);
    }
}
