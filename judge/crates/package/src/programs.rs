//! Programs: which files of a file or directory are its sources, in which language, and where it starts.
//!
//! Responsible for recognising. Must not know what a program is for, nor how it is compiled.

use std::path::{Path, PathBuf};

use judge_model::{Language, LanguageId, Program, Scripts};

use crate::error::{Findings, PackageError};
use crate::java;
use crate::languages::asks_for_class;
use crate::names;
use crate::tree::Folder;

/// A program whose language is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recognised {
    /// Relative to the directory, the one with the entry point first; for a single file: its name.
    pub(crate) sources: Vec<PathBuf>,
    pub(crate) language: LanguageId,
    /// The class with the entry point, if the language asks for one.
    pub(crate) entry_class: Option<String>,
}

/// The language of a program that is made of scripts, when its files do not tell another.
const SCRIPTS: &str = "scripts";

/// Why the language of a program is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unrecognised {
    /// No file has an extension of a known language.
    NoSource,
    /// The files are of several languages: one file of each.
    SeveralLanguages(Vec<(LanguageId, PathBuf)>),
    /// A Python 2 program, by its first line. There is no row for it in the table.
    Python2,
}

impl Unrecognised {
    pub(crate) fn message(&self) -> String {
        match self {
            Self::NoSource => "no file of a known language".to_owned(),
            Self::SeveralLanguages(files) => {
                let files: Vec<_> =
                    files.iter().map(|(language, file)| format!("`{}` ({language})", file.display())).collect();
                format!("expected files of one language, found {}", files.join(" and "))
            }
            Self::Python2 => "written in Python 2, by its first line".to_owned(),
        }
    }
}

impl Recognised {
    /// As a program of the package, at `path`.
    pub(crate) fn into_program(self, path: &Path) -> Program {
        Program {
            name: file_name(path),
            path: path.to_owned(),
            sources: self.sources,
            language: self.language,
            entry_class: self.entry_class,
            scripts: None,
        }
    }
}

/// Recognises a program of the package that is a file or a directory: unlike a submission it may bring scripts that
/// build and run it.
///
/// Source: 2025-09 and legacy, "Programs". Legacy asks for both scripts; one is enough here.
pub(crate) fn recognise_program(
    path: &Path,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<Program, Unrecognised> {
    match Folder::read(path, findings) {
        Some(folder) => recognise_program_folder(&folder, languages, findings),
        None => recognise(path, languages, findings).map(|recognised| recognised.into_program(path)),
    }
}

/// The same for a directory that has been read.
pub(crate) fn recognise_program_folder(
    folder: &Folder,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<Program, Unrecognised> {
    let recognised = recognise_folder(folder, languages);
    let mut is_script = |name: &str| {
        let Some(path) = folder.files.get(name) else { return false };
        let executable = is_executable(path);
        if !executable {
            let hint = format!("make it executable: `chmod +x {name}`");
            findings.warn_with(path, None, "not executable, so it is taken for no script", Some(hint));
        }
        executable
    };
    let scripts = Scripts { build: is_script("build"), run: is_script("run") };
    if scripts == Scripts::default() {
        return recognised.map(|recognised| recognised.into_program(&folder.path));
    }
    let mut sources = Vec::new();
    collect_files(folder, Path::new(""), &mut sources);
    let (language, entry_class) = match recognised {
        Ok(recognised) => (recognised.language, recognised.entry_class),
        Err(_) => (LanguageId(SCRIPTS.to_owned()), None),
    };
    Ok(Program {
        name: file_name(&folder.path),
        path: folder.path.clone(),
        sources,
        language,
        entry_class,
        scripts: Some(scripts),
    })
}

/// Whether a directory is a program by a script in it.
pub(crate) fn has_scripts(folder: &Folder) -> bool {
    ["build", "run"].iter().any(|script| folder.files.get(*script).is_some_and(|path| is_executable(path)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

fn collect_files(folder: &Folder, below: &Path, into: &mut Vec<PathBuf>) {
    into.extend(folder.files.keys().map(|name| below.join(name)));
    for (name, inner) in &folder.folders {
        collect_files(inner, &below.join(name), into);
    }
}

/// The last part of a path. Names that are not UTF-8 do not count and never get here.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The language to which a file name belongs.
pub(crate) fn language_of<'l>(name: &str, languages: &'l [Language]) -> Option<&'l Language> {
    let extension = names::extension(name)?;
    languages.iter().find(|language| language.extensions.iter().any(|known| known == extension))
}

/// Recognises a program that is a file or a directory.
pub(crate) fn recognise(
    path: &Path,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<Recognised, Unrecognised> {
    match Folder::read(path, findings) {
        Some(folder) => recognise_folder(&folder, languages),
        None => {
            let name = file_name(path);
            let language = language_of(&name, languages).ok_or(Unrecognised::NoSource)?;
            recognise_sources(path.parent().unwrap_or(path), vec![PathBuf::from(name)], language)
        }
    }
}

/// Recognises a program that is a directory: all sources in it, at any depth, are of one language.
///
/// Source: 2025-09, "Programs", and the appendix "Languages".
pub(crate) fn recognise_folder(folder: &Folder, languages: &[Language]) -> Result<Recognised, Unrecognised> {
    let mut sources: Vec<(&Language, PathBuf)> = Vec::new();
    collect_sources(folder, Path::new(""), languages, &mut sources);
    let Some((language, _)) = sources.first() else { return Err(Unrecognised::NoSource) };
    let language = *language;
    if sources.iter().any(|(other, _)| other.id != language.id) {
        let mut files: Vec<(LanguageId, PathBuf)> = Vec::new();
        for (language, file) in sources {
            if files.iter().all(|(seen, _)| *seen != language.id) {
                files.push((language.id.clone(), file));
            }
        }
        return Err(Unrecognised::SeveralLanguages(files));
    }
    let mut files: Vec<PathBuf> = sources.into_iter().map(|(_, file)| file).collect();
    let rank = |file: &PathBuf| {
        let by_name = |entry_point: &String| file.as_os_str() == entry_point.as_str();
        language.entry_points.iter().position(by_name).unwrap_or(language.entry_points.len())
    };
    files.sort_by(|a, b| (rank(a), a).cmp(&(rank(b), b)));
    recognise_sources(&folder.path, files, language)
}

fn collect_sources<'l>(
    folder: &Folder,
    below: &Path,
    languages: &'l [Language],
    into: &mut Vec<(&'l Language, PathBuf)>,
) {
    for name in folder.files.keys() {
        if let Some(language) = language_of(name, languages) {
            into.push((language, below.join(name)));
        }
    }
    for (name, inner) in &folder.folders {
        collect_sources(inner, &below.join(name), languages, into);
    }
}

/// What the contents of the sources tell beyond their names.
fn recognise_sources(
    directory: &Path,
    mut sources: Vec<PathBuf>,
    language: &Language,
) -> Result<Recognised, Unrecognised> {
    let read = |source: &PathBuf| {
        let bytes = std::fs::read(directory.join(source)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    if language.id.0 == "python3" && sources.first().is_some_and(|source| starts_as_python_2(&read(source))) {
        return Err(Unrecognised::Python2);
    }
    let entry_class = asks_for_class(language).then(|| {
        let entry = java::find_entry(sources.iter().map(|source| (source.as_path(), read(source))));
        if let Some((index, class)) = entry {
            let source = sources.remove(index);
            sources.insert(0, source);
            return class;
        }
        // The compiler or the run time will say what is wrong with it.
        let stem = sources.first().and_then(|source| source.file_stem());
        stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    });
    Ok(Recognised { sources, language: language.id.clone(), entry_class })
}

/// Source: legacy, "Programs": `^#!.*python2`.
fn starts_as_python_2(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("python2"))
}

/// An error or warning about a file that should be a program.
pub(crate) fn unrecognised_error(path: &Path, what: &str, reason: &Unrecognised) -> PackageError {
    let message = format!("{what}: {}", reason.message());
    match reason {
        Unrecognised::Python2 => PackageError::unsupported(path, None, format!("{what} in Python 2")),
        _ => PackageError::invalid(path, None, message),
    }
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
