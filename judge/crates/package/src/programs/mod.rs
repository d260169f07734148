//! Programs: the sources of a file or directory, their language, and the entry point.
//!
//! Responsible for recognising programs. Must not know what a program is for or how it is compiled.

pub(crate) mod format_languages;
pub(crate) mod included;
mod java;
pub(crate) mod languages;
mod main_file;
pub(crate) mod outside;
pub(crate) mod testing_tool;
pub(crate) mod validators;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_model::{Language, LanguageId, Program, Scripts};

use crate::code;
use crate::disk::names;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings, PackageErrors};
use crate::programs::languages::needs_class;
use crate::programs::main_file::{rank, read};

/// A program whose language is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecognisedProgram {
    /// The source files, relative to the directory, the one with the entry point first; for a
    /// single file, its name.
    pub(crate) sources: Vec<PathBuf>,
    pub(crate) language: LanguageId,
    /// The class with the entry point, if the language needs one and a file has one.
    pub(crate) entry_class: Option<String>,
}

/// The language of a program with scripts, if its files do not determine another one.
const SCRIPTS: &str = "scripts";

/// The reason why the language of a program is not recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecognitionFailure {
    /// No file has an extension of a known language.
    NoSource,
    /// The files are of several languages: one file of each.
    SeveralLanguages(Vec<(LanguageId, PathBuf)>),
    /// The file or class that was named as the entry point is missing.
    NoEntryPoint(String),
}

impl RecognitionFailure {
    pub(crate) fn message(&self) -> String {
        match self {
            Self::NoSource => "no file of a known language".to_owned(),
            Self::SeveralLanguages(files) => {
                let files: Vec<_> = files
                    .iter()
                    .map(|(language, file)| format!("`{}` ({language})", file.display()))
                    .collect();
                format!(
                    "expected files of one language, found {}",
                    files.join(" and ")
                )
            }
            Self::NoEntryPoint(name) => {
                format!("expected the entry point `{name}`, found no such file")
            }
        }
    }
}

impl RecognisedProgram {
    /// Turns it into a program of the package, at `path`.
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

/// Recognises a program of the package that is a file or a directory: unlike a submission, it may
/// have scripts that build and run it.
///
/// Source: 2025-09 and legacy, "Programs". Legacy requires both scripts; one is enough here.
pub(crate) fn recognise_program(
    path: &Path,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<Program, RecognitionFailure> {
    match Folder::read(path, findings) {
        Some(folder) => recognise_program_folder(&folder, languages, findings),
        None => {
            recognise(path, languages, findings).map(|recognised| recognised.into_program(path))
        }
    }
}

/// Recognises a program of the package.
///
/// # Errors
/// The faults, if it is not a program.
pub fn program_at(path: &Path, languages: &[Language]) -> Result<Program, PackageErrors> {
    let mut findings = Findings::default();
    let program = recognise_program(path, languages, &mut findings);
    findings.into_result()?;
    program.map_err(|reason| unrecognised_error(path, "expected a program", &reason).into())
}

/// The program of this name in a directory of the package, with or without its extension;
/// `None` when it is missing.
///
/// # Errors
/// The faults, if it is not a program.
pub fn program_named(
    directory: &Path,
    name: &str,
    languages: &[Language],
) -> Option<Result<Program, PackageErrors>> {
    if name.is_empty() || name.contains('/') || name.starts_with('.') {
        return None;
    }
    let entries = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let is = |part: Option<&OsStr>| part.is_some_and(|part| part == name);
    // If there are several programs, the first by name is used: the order of directory entries
    // differs between hosts.
    let found = entries
        .filter(|path| is(path.file_name()) || is(path.file_stem()))
        .min();
    found.map(|path| program_at(&path, languages))
}

/// Recognises a program of the package in a directory that has been read.
pub(crate) fn recognise_program_folder(
    folder: &Folder,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<Program, RecognitionFailure> {
    let recognised = recognise_folder(folder, languages);
    let mut is_script = |name: &str| {
        let Some(path) = folder.files.get(name) else {
            return false;
        };
        let executable = is_executable(path);
        if !executable {
            let hint = format!("make it executable: `chmod +x {name}`");
            findings.warn(
                Finding::new(
                    code::SCRIPT_NOT_EXECUTABLE,
                    path,
                    "not executable, so it is not treated as a script",
                )
                .hint(Some(hint)),
            );
        }
        executable
    };
    // 2025-09, "Programs": `build` makes the program and `run` starts it, so its language need not
    // be known.
    let scripts = Scripts {
        build: is_script("build"),
        run: is_script("run"),
    };
    if scripts == Scripts::default() {
        let program = recognised?.into_program(&folder.path);
        if let Some(remark) = main_file::remark(
            &program.name,
            &program.sources,
            &program.language,
            languages,
        ) && !main_file::loads_another(&folder.path, &program.sources)
        {
            findings.warn_at(code::MAIN_FILE_UNNAMED, &folder.path, remark);
        }
        return Ok(program);
    }
    // All files, not only those of one language: a `build` script may need any of them.
    let sources = sources_in(folder);
    let (language, entry_class) = match recognised {
        Ok(recognised) => (recognised.language, recognised.entry_class),
        // The scripts decide how the program is built, so files of several languages are not a
        // fault.
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

/// True when a directory is a program because of a script in it.
pub(crate) fn has_scripts(folder: &Folder) -> bool {
    ["build", "run"].iter().any(|script| {
        folder
            .files
            .get(*script)
            .is_some_and(|path| is_executable(path))
    })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

/// The last component of a path. Names that are not UTF-8 are ignored earlier.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The language to which a file name belongs.
pub(crate) fn language_of<'l>(name: &str, languages: &'l [Language]) -> Option<&'l Language> {
    let extension = names::extension(name)?;
    languages
        .iter()
        .find(|language| language.extensions.iter().any(|known| known == extension))
}

/// Recognises a program that is a file or a directory.
pub(crate) fn recognise(
    path: &Path,
    languages: &[Language],
    findings: &mut Findings,
) -> Result<RecognisedProgram, RecognitionFailure> {
    match Folder::read(path, findings) {
        Some(folder) => recognise_folder(&folder, languages),
        None => {
            let name = file_name(path);
            let language = language_of(&name, languages).ok_or(RecognitionFailure::NoSource)?;
            let directory = path.parent().unwrap_or(path);
            Ok(recognise_sources(directory, vec![name.into()], language))
        }
    }
}

/// Recognises a program that is a directory, by the sources in it at any depth. Of several
/// languages, the one with the most files counts, because programs may come with scripts.
///
/// Source: 2025-09 and legacy, "Programs", and the appendix "Languages".
pub(crate) fn recognise_folder(
    folder: &Folder,
    languages: &[Language],
) -> Result<RecognisedProgram, RecognitionFailure> {
    let files: Vec<(&Language, PathBuf)> = sources_in(folder)
        .into_iter()
        .filter_map(|file| Some((language_of(&file_name(&file), languages)?, file)))
        .collect();
    let code = prevailing(
        files
            .iter()
            .map(|(language, file)| (language.id.0.as_str(), file)),
        false,
    )?;
    let Some(language) = languages.iter().find(|language| language.id.0 == code) else {
        return Err(RecognitionFailure::NoSource);
    };
    let sources = files
        .into_iter()
        .filter(|(of, _)| of.id == language.id)
        .map(|(_, file)| file)
        .collect();
    let sources = in_order(sources, language);
    Ok(recognise_sources(&folder.path, sources, language))
}

/// All files of a directory that have valid names, relative to it.
pub(crate) fn sources_in(folder: &Folder) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.files.keys().map(PathBuf::from).collect();
    for (name, inner) in &folder.folders {
        files.extend(
            sources_in(inner)
                .into_iter()
                .map(|file| Path::new(name).join(file)),
        );
    }
    files
}

/// The language of most files; with `only_one`, of all files. C++ compilers accept C, so a mix of
/// both is C++.
pub(crate) fn prevailing<'f>(
    files: impl Iterator<Item = (&'f str, &'f PathBuf)>,
    only_one: bool,
) -> Result<&'f str, RecognitionFailure> {
    // The first file of each language, and the number of its files.
    let mut found: Vec<(&str, &PathBuf, usize)> = Vec::new();
    for (code, file) in files {
        match found.iter_mut().find(|(known, ..)| *known == code) {
            Some((.., count)) => *count += 1,
            None => found.push((code, file, 1)),
        }
    }
    let counts = found.iter().map(|(.., count)| *count);
    let max = counts.max().ok_or(RecognitionFailure::NoSource)?;
    let predominant: Vec<&str> = found
        .iter()
        .filter(|(.., count)| *count == max)
        .map(|(code, ..)| *code)
        .collect();
    match predominant[..] {
        [code] if !only_one || found.len() == 1 => Ok(code),
        ["c", "cpp"] | ["cpp", "c"] if !only_one => Ok("cpp"),
        _ => {
            let first = |(code, file, _): (&str, &PathBuf, usize)| {
                (LanguageId(code.to_owned()), file.clone())
            };
            let files = found.into_iter().map(first).collect();
            Err(RecognitionFailure::SeveralLanguages(files))
        }
    }
}

/// Sorts source files so that the entry point comes first, if names determine it: one of the
/// language's names, or else `main` with any extension.
pub(crate) fn in_order(mut sources: Vec<PathBuf>, language: &Language) -> Vec<PathBuf> {
    sources.sort_by(|a, b| (rank(a, language), a).cmp(&(rank(b, language), b)));
    sources
}

/// Recognises the properties that depend on the contents of the sources: the version of Python, and
/// the class with the entry point.
pub(crate) fn recognise_sources(
    directory: &Path,
    mut sources: Vec<PathBuf>,
    language: &Language,
) -> RecognisedProgram {
    let mut id = language.id.clone();
    // Both versions have the same extension, so only the first line of the entry point
    // distinguishes them.
    if id.0 == "python3"
        && sources
            .first()
            .is_some_and(|source| starts_as_python_2(&read(directory, source)))
    {
        id = LanguageId("python2".to_owned());
    }
    let entry = if needs_class(language) {
        find_entry_class(directory, sources.iter())
    } else {
        None
    };
    let entry_class = entry.map(|(index, class)| {
        let source = sources.remove(index);
        sources.insert(0, source);
        class
    });
    RecognisedProgram {
        sources,
        language: id,
        entry_class,
    }
}

/// The index of the source with the entry point, and its class.
pub(crate) fn find_entry_class<'s>(
    directory: &Path,
    sources: impl Iterator<Item = &'s PathBuf>,
) -> Option<(usize, String)> {
    java::find_entry(sources.map(|source| (source.as_path(), read(directory, source))))
}

/// Source: legacy, "Programs": `^#!.*python2`.
fn starts_as_python_2(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| line.starts_with("#!") && line.contains("python2"))
}

/// Creates the finding about a file that should be a program.
pub(crate) fn unrecognised_error(path: &Path, what: &str, reason: &RecognitionFailure) -> Finding {
    let message = format!("{what}: {}", reason.message());
    Finding::new(code::PROGRAM_UNRECOGNISED, path, message)
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
