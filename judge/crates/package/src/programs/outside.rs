//! Submissions from outside a package: one file or directory.
//!
//! Responsible for recognising it. Must not know which problem it solves.

use std::path::{Path, PathBuf};

use judge_model::{Language, LanguageId, Submission};

use crate::disk::links::check_submission;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings, PackageErrors};
use crate::programs::{
    RecognitionFailure, file_name, language_of, main_file, recognise, sources_in,
    unrecognised_error,
};

/// Reads a file or directory as a submission without expectations. Its id is its name.
///
/// # Errors
/// When it cannot be read, when a link in it leads out of it, or when its language is not known.
pub fn outside_submission(
    path: &Path,
    languages: &[Language],
) -> Result<Submission, PackageErrors> {
    let mut findings = Findings::default();
    if !check_submission(path, &mut findings) {
        findings.into_result()?;
        return Err(unrecognised(path, &RecognitionFailure::NoSource).into());
    }
    let recognised = recognise(path, languages, &mut findings);
    let first =
        Folder::read(path, &mut findings).map(|folder| first_of_each_language(&folder, languages));
    findings.into_result()?;
    let program = recognised.map_err(|reason| unrecognised(path, &reason))?;
    let found = first.unwrap_or_default();
    // A directory of unrelated attempts is not a program, even if most of them are in one language.
    if found
        .iter()
        .any(|(of, _)| *of != program.language && !(of.0 == "c" && program.language.0 == "cpp"))
    {
        return Err(unrecognised(path, &RecognitionFailure::SeveralLanguages(found)).into());
    }
    Ok(Submission {
        id: file_name(path),
        path: path.to_owned(),
        sources: program.sources,
        language: Some(program.language),
        entry_class: program.entry_class,
        ..Submission::default()
    })
}

/// True if a file, or a file in a directory, has the extension of a known language.
#[must_use]
pub fn has_source(path: &Path, languages: &[Language]) -> bool {
    let recognised = recognise(path, languages, &mut Findings::default());
    !matches!(recognised, Err(RecognitionFailure::NoSource))
}

/// The remark about a submission of several files of which the first by name is run, since none
/// has the name of an entry point. `None` if another rule decides, or all files are compiled.
#[must_use]
pub fn remark_on_main_file(submission: &Submission, languages: &[Language]) -> Option<String> {
    let language = submission.language.as_ref()?;
    main_file::remark(&submission.id, &submission.sources, language, languages)
}

/// The first file of each language in a directory.
fn first_of_each_language(folder: &Folder, languages: &[Language]) -> Vec<(LanguageId, PathBuf)> {
    let mut first: Vec<(LanguageId, PathBuf)> = Vec::new();
    for file in sources_in(folder) {
        if let Some(language) = language_of(&file_name(&file), languages)
            && !first.iter().any(|(known, _)| *known == language.id)
        {
            first.push((language.id.clone(), file));
        }
    }
    first
}

/// The error of a file in an unknown language, with a hint about how languages are recognised.
fn unrecognised(path: &Path, reason: &RecognitionFailure) -> Finding {
    let hint = "the file extension determines the language, such as `.cpp`, `.java` or `.py`; `judge doctor` lists all of them";
    let is_unknown = matches!(reason, RecognitionFailure::NoSource);
    unrecognised_error(path, "submission", reason).hint(is_unknown.then(|| hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::built_in_languages;

    use super::*;

    #[test]
    fn a_file_of_a_known_language_is_a_submission() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.rs");
        std::fs::write(&path, "fn main() {}").unwrap();
        let submission = outside_submission(&path, &built_in_languages()).unwrap();
        assert_eq!(submission.id, "a.rs");
        assert_eq!(submission.sources, [Path::new("a.rs")]);
        assert!(submission.expectations.is_empty());
    }

    #[test]
    fn a_directory_is_a_program_of_one_language() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.cpp", "b.cpp", "c.c", "notes.txt"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        assert_eq!(
            outside_submission(dir.path(), &built_in_languages())
                .unwrap()
                .language
                .unwrap()
                .0,
            "cpp"
        );
        std::fs::write(dir.path().join("d.py"), "").unwrap();
        let error = outside_submission(dir.path(), &built_in_languages())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("expected files of one language, found ")
                && error.contains("`d.py` (python3)"),
            "{error}"
        );
    }

    #[test]
    fn the_file_that_is_run_is_named_if_no_name_decides() {
        let languages = built_in_languages();
        let remark = |files: &[&str]| {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("two");
            std::fs::create_dir(&path).unwrap();
            for name in files {
                std::fs::write(path.join(name), "").unwrap();
            }
            let submission = outside_submission(&path, &languages).unwrap();
            remark_on_main_file(&submission, &languages)
        };
        assert_eq!(
            remark(&["b.py", "a.py"]).unwrap(),
            "`a.py` is run, the first of the 2 source files in `two`; to choose another one, name it `__main__.py`"
        );
        for clear in [
            &["a.py"][..],
            &["a.py", "main.py"],
            &["a.py", "__main__.py"],
            &["a.cpp", "b.cpp"],
        ] {
            assert_eq!(remark(clear), None, "{clear:?}");
        }
    }

    #[test]
    fn an_unknown_language_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.cobol");
        std::fs::write(&path, "").unwrap();
        let error = outside_submission(&path, &built_in_languages()).unwrap_err();
        assert!(
            error.to_string().contains("no file of a known language"),
            "{error}"
        );
        assert!(!has_source(&path, &built_in_languages()));
        std::fs::write(dir.path().join("a.c"), "").unwrap();
        assert!(has_source(dir.path(), &built_in_languages()));
    }
}
