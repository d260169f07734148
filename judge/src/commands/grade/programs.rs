//! Programs of requests, which are written to files.
//!
//! Responsible for the files of a program, which lie in a private directory for as long as they are
//! needed, and for its language. Must not know the purpose of the program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use judge_event::ProgramSource;
use judge_exec::{Unavailable, is_installed};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{Language, LanguageId, Program, Submission, Tool};
use judge_package::{CPYTHON, PYPY, did_you_mean, language_named, names, program_at, quoted};

use crate::commands::grade::no_verdict::NoVerdict;
use crate::commands::judging::submit::{outside_program, resolve};
use crate::config::Config;
use crate::failure::Failure;

/// The maximum number of files of a program.
const MAX_FILES: usize = 1000;

/// A directory for files of requests.
pub(super) fn private_directory() -> Result<LockedDirectory, Failure> {
    LockedDirectory::temporary(TemporaryPurpose::Grading).map_err(unwritable)
}

pub(super) fn unwritable(source: io::Error) -> Failure {
    Failure::write("a directory for temporary files", source)
}

/// The submission that a request describes. Files in the request are written into a new directory
/// at `place`.
pub(super) fn submission(
    config: &Config,
    program: &ProgramSource,
    place: &Path,
) -> Result<Submission, NoVerdict> {
    let language = requested_language(config, program)?;
    let path = path_of(config, program, language, place)?;
    let submission =
        outside_program(config, &path).map_err(|failure| without_place(&failure, place))?;
    let Some(requested) =
        language.filter(|requested| submission.language.as_ref() != Some(&requested.id))
    else {
        return Ok(submission);
    };
    // Several languages may share an extension, and then the name of the file does not determine
    // the language.
    let has_extension = |source: &PathBuf| {
        source.extension().is_some_and(|found| {
            requested
                .extensions
                .iter()
                .any(|extension| found == extension.as_str())
        })
    };
    if !submission.sources.iter().any(has_extension) {
        if requested.extensions.is_empty() {
            let path = std::env::var_os("PATH").unwrap_or_default();
            return Err(without_extensions(requested, &path));
        }
        let names = quoted(submission.sources.iter().map(|source| source.display()));
        let text = format!("{names} is not a file of the language `{}`", requested.id);
        return Err(text.into());
    }
    Ok(Submission {
        language: Some(requested.id.clone()),
        ..submission
    })
}

/// The error of a program in a language that no file name has.
fn without_extensions(language: &Language, path: &OsString) -> NoVerdict {
    let of_tool = |tool: &Tool| Language {
        tools: vec![tool.clone()],
        ..language.clone()
    };
    let missing = (language.tools.iter()).find(|tool| !is_installed(&of_tool(tool), path));
    if let Some(tool) = missing {
        let names = tool.names.clone();
        return NoVerdict::of_host(Unavailable::NotFound { names }.to_string());
    }
    let text = if language.id.0 == PYPY {
        format!(
            "`{PYPY}` is not the language of any file name; request `{CPYTHON}`, which PyPy runs if \
             judge.yaml sets `python: {PYPY}`"
        )
    } else {
        format!(
            "`{}` is not the language of any file name; give it `extensions` with `languages` in \
             judge.yaml",
            language.id
        )
    };
    text.into()
}

/// The checker that a request describes.
pub(super) fn checker(
    config: &Config,
    program: &ProgramSource,
    place: &Path,
) -> Result<Program, NoVerdict> {
    let language = requested_language(config, program)?;
    let path = path_of(config, program, language, place)?;
    program_at(&path, &config.workspace.languages)
        .map_err(|errors| without_place(&Failure::usage(&errors, &config.directory), place))
}

/// The message of a failure without the temporary directory, which no longer exists when it is
/// read.
fn without_place(failure: &Failure, place: &Path) -> NoVerdict {
    failure
        .to_string()
        .replace(&format!("{}/", place.display()), "")
        .replace(&format!("{}: ", place.display()), "")
        .into()
}

fn requested_language<'c>(
    config: &'c Config,
    program: &ProgramSource,
) -> Result<Option<&'c Language>, NoVerdict> {
    let Some(LanguageId(name)) = &program.language else {
        return Ok(None);
    };
    if name.is_empty() {
        return Err("`language` is empty".to_owned().into());
    }
    let found = language_named(&config.workspace.languages, name);
    let unknown = || {
        let names = (config.workspace.languages.iter())
            .flat_map(|row| std::iter::once(&row.id.0).chain(&row.aliases))
            .map(String::as_str);
        let hint = did_you_mean(name, names)
            .unwrap_or_else(|| "`judge doctor` lists all of them".to_owned());
        format!("unknown language `{name}`; {hint}")
    };
    Ok(Some(found.ok_or_else(unknown)?))
}

/// The file or directory of a program, written if the request contains it.
fn path_of(
    config: &Config,
    program: &ProgramSource,
    language: Option<&Language>,
    place: &Path,
) -> Result<PathBuf, NoVerdict> {
    let ProgramSource {
        source,
        files,
        path,
        filename,
        ..
    } = program;
    if filename.is_some() && source.is_none() {
        return Err("`filename` is the name of `source`, which is missing"
            .to_owned()
            .into());
    }
    match (source, files, path) {
        (None, None, Some(path)) if path.is_empty() => Err("`path` is empty".to_owned().into()),
        (None, None, Some(path)) => {
            resolve(config, Path::new(path)).map_err(|failure| failure.to_string().into())
        }
        (Some(source), None, None) => {
            let name = match (filename, language) {
                (Some(name), _) => name.clone(),
                (None, Some(language)) => usual_name(language)?,
                (None, None) => {
                    return Err("expected `language` or `filename` in addition to `source`"
                        .to_owned()
                        .into());
                }
            };
            if Path::new(&name).components().count() != 1 {
                return Err(
                    format!("`filename` is `{name}`; expected a name without directories").into(),
                );
            }
            write_all(place, [(&name, source)])?;
            Ok(place.join(name))
        }
        (None, Some(files), None) => write_files(files, place),
        _ => Err("expected exactly one of `source`, `files` and `path`"
            .to_owned()
            .into()),
    }
}

/// The usual name of the main file of a language.
fn usual_name(language: &Language) -> Result<String, NoVerdict> {
    let Some(extension) = language.extensions.first() else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        return Err(without_extensions(language, &path));
    };
    let name = language.main_file();
    let has_extension = |extension: &String| name.ends_with(&format!(".{extension}"));
    // Versions of a language share the names of its entry points, but not its extensions.
    if language.extensions.iter().any(has_extension) {
        return Ok(name);
    }
    Ok(format!("main.{extension}"))
}

fn write_files(files: &BTreeMap<String, String>, place: &Path) -> Result<PathBuf, NoVerdict> {
    if files.is_empty() || files.len() > MAX_FILES {
        return Err(format!(
            "`files` has {} files; expected 1 to {MAX_FILES}",
            files.len()
        )
        .into());
    }
    // A program in a package has no other names either: such files are ignored.
    let is_allowed = |name: &str| name.split('/').all(names::counts);
    if let Some(name) = files.keys().find(|name| !is_allowed(name)) {
        return Err(format!(
            "the name {name:?} in `files` is not allowed; names have letters, digits, `_`, `.` and \
             `-`, and start with a letter, a digit or `_`"
        )
        .into());
    }
    write_all(place, files)?;
    Ok(place.to_owned())
}

fn write_all<'f>(
    place: &Path,
    files: impl IntoIterator<Item = (&'f String, &'f String)>,
) -> Result<(), NoVerdict> {
    let host = |error| NoVerdict::Host(unwritable(error));
    fs::create_dir(place).map_err(host)?;
    for (name, text) in files {
        // Names are untrusted, like the program.
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let parts = Path::new(name).components();
        // The kernel and the functions of `Path` disagree about `a/.`.
        let is_normal =
            parts.clone().all(is_plain) && parts.collect::<PathBuf>().as_os_str() == name.as_str();
        if name.is_empty() || name.len() > 255 || name.contains('\0') || !is_normal {
            return Err(format!(
                "`{name}` is not a file name; expected a path without `.` and `..`"
            )
            .into());
        }
        let written = create_directories(place, Path::new(name))
            .and_then(|()| fs::write(place.join(name), text));
        written.map_err(|error| match error.kind() {
            // A file and a directory with one name.
            io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::AlreadyExists => {
                format!("`{name}` is both a file and a directory").into()
            }
            _ => host(error),
        })?;
    }
    Ok(())
}

/// Creates the directories of a file below `place`. Does not create `place` itself: if another
/// process has removed it, that is an error of this host.
fn create_directories(place: &Path, file: &Path) -> io::Result<()> {
    let mut directory = place.to_owned();
    for part in file.parent().into_iter().flat_map(Path::components) {
        directory.push(part);
        match fs::create_dir(&directory) {
            // Of another file. If it is not a directory, the file cannot be written.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => created?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn directories_are_created_only_below_their_place() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("place");
        let create = |file: &str| create_directories(&place, Path::new(file));
        for file in ["a.rs", "a/b/c.rs"] {
            let removed = create(file).and_then(|()| fs::write(place.join(file), ""));
            assert_eq!(removed.unwrap_err().kind(), io::ErrorKind::NotFound);
            assert!(!place.exists(), "{file}");
        }
        fs::create_dir(&place).unwrap();
        for file in ["a/b/c.rs", "a/d.rs"] {
            create(file).unwrap();
            fs::write(place.join(file), "").unwrap();
        }
    }

    #[test]
    fn languages_without_extensions_are_explained() {
        let languages = judge_package::built_in_languages();
        let message = |name: &str, path: &Path| {
            let language = language_named(&languages, name).unwrap();
            match without_extensions(language, &path.into()) {
                NoVerdict::Error(error) => error.message,
                NoVerdict::Host(failure) => failure.to_string(),
            }
        };
        let bin = tempfile::tempdir().unwrap();
        assert_eq!(message("pypy", bin.path()), "none of `pypy3` is in PATH");
        for name in ["pypy3", "gcc"] {
            let tool = bin.path().join(name);
            fs::write(&tool, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        }
        assert!(message("pypy3", bin.path()).contains("`python: pypy3`"));
        assert!(message("cgmp", bin.path()).contains("`extensions`"));
    }
}
