//! Sources: everything that a program is made of, as the compiler sees it.
//!
//! Responsible for reading a submission or a program of the package, for the files that are added
//! to it, and for the constants in it. Must not compile or run anything.

mod reading;
mod remarks;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_event::{Bytes, Excerpt};
use judge_model::{
    Constant, IncludedFiles, Language, LanguageId, Problem, Program, Submission, fill_in,
};

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::library::testlib_source;
use crate::build::places::Places;
use crate::fault::Fault;
use crate::{build::bounds, regular_file};

use reading::{MAX_DEPTH, names_in, read_all, size_of};
pub(crate) use reading::{MAX_SOURCE_BYTES, SourceFile, read_directory};
pub use remarks::source_remark;

/// The part of a source in Java in which its public class is looked for.
const MAX_JAVA_BYTES: u64 = 1 << 20;
/// The name under which programs include the C++ library for checkers, validators and generators.
const TESTLIB_HEADER: &str = "testlib.h";

/// The sources of a program: the places of its files.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// The directory to which the names are relative.
    directory: PathBuf,
    /// The name and the directory of the problem, and the directory that paths in messages are
    /// relative to.
    shown: (String, PathBuf, PathBuf),
    /// The files to compile, the one with the entry point first.
    files: Vec<PathBuf>,
    /// The class with the entry point, for a language that starts a class.
    entry_class: Option<String>,
    /// The extent of the program: the files that belong to it in addition to these.
    extent: Extent,
    /// A directory whose files are added and replace those of the same name.
    included: Option<PathBuf>,
    /// The class among them that is started where the program's own files have none with a `main`
    /// method.
    included_class: Option<String>,
    /// True for a program of the package, which can use the library for such programs.
    of_package: bool,
    /// The constants for the program's own files, and those for the included files.
    constants: [Vec<Constant>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Nothing: it is a single file.
    File,
    /// Header files in the same directory: it is a single file of a package, whose validators share
    /// them.
    FileAndHeaders,
    /// The whole directory, headers and data included.
    Directory,
}

/// Bytes of all files of a program in which constants are filled in.
const MAX_FILLED_BYTES: usize = 64 << 20;

/// A program as the compiler sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceTree {
    /// All files, each name once.
    pub(crate) files: Vec<SourceFile>,
    /// The names of those to compile, the one with the entry point first.
    pub(crate) compiled: Vec<PathBuf>,
    /// The entry point of the program; `None` when there is nothing to compile.
    pub(crate) entry: Option<EntryPoint>,
    /// The size of its own files as submitted: without included files, and before constants are
    /// filled in.
    pub(crate) own_bytes: u64,
    /// True for a checker with testlib as its author publishes it, which does not know the package
    /// format.
    pub(crate) testlib: bool,
    /// True for an input validator with testlib as published: its exit code is 0 for a valid input.
    pub(crate) testlib_validator: bool,
    /// True when it is to be compiled with the Rust library for programs of packages.
    pub(crate) library: bool,
    /// True when it can report which bounds the numbers of an input reach
    /// ([`crate::build::bounds`]).
    pub(crate) reports_bounds: bool,
    /// True when it has files that it may look for in its working directory: data, included files,
    /// or, where sources are not compiled, other sources.
    pub(crate) at_hand: bool,
    /// True when it may open a standard stream by a path such as `/dev/stdin`, which needs `/proc`.
    pub(crate) opens_streams: bool,
}

/// The beginnings of paths that lead to standard streams, such as `/dev/stdin`: all of them are
/// links to `/proc/self/fd`. The rest may be composed while the program runs.
const STREAMS: [&[u8]; 2] = [b"/dev", b"/proc"];

/// Files that C and C++ sources of one directory share.
const HEADERS: [&str; 4] = ["h", "hh", "hpp", "hxx"];

impl Sources {
    /// Returns the sources of a submission in this language, with the files that the problem adds
    /// to it (2025-09 and legacy, "Included Files").
    pub(crate) fn from_submission(
        submission: &Submission,
        problem: &Problem,
        language: &LanguageId,
    ) -> Self {
        let own = if submission.of_package {
            problem.constants.clone()
        } else {
            Vec::new()
        };
        let included = included_in(&problem.included, language);
        Self {
            shown: shown_in(problem),
            included: included.map(|files| files.directory.clone()),
            included_class: included.and_then(|files| files.entry_class.clone()),
            constants: [own, problem.constants.clone()],
            ..Self::new(
                &submission.path,
                &submission.sources,
                submission.entry_class.as_ref(),
            )
        }
    }

    /// Returns the sources of a program of the package.
    pub(crate) fn from_program(program: &Program, problem: &Problem) -> Self {
        let sources = Self::new(
            &program.path,
            &program.sources,
            program.entry_class.as_ref(),
        );
        let extent = if sources.extent == Extent::File {
            Extent::FileAndHeaders
        } else {
            sources.extent
        };
        Self {
            extent,
            shown: shown_in(problem),
            of_package: true,
            constants: [problem.constants.clone(), Vec::new()],
            ..sources
        }
    }

    fn new(path: &Path, files: &[PathBuf], entry_class: Option<&String>) -> Self {
        let (extent, directory) = match path.is_dir() {
            true => (Extent::Directory, path),
            false => (Extent::File, path.parent().unwrap_or(path)),
        };
        Self {
            directory: directory.to_owned(),
            shown: Default::default(),
            files: files.to_vec(),
            entry_class: entry_class.cloned(),
            extent,
            included: None,
            included_class: None,
            of_package: false,
            constants: [Vec::new(), Vec::new()],
        }
    }

    /// Returns the name under which the compiler sees a file. Java wants a public class in a file
    /// of its name, but contestants submit `a.java` with a `public class Main`, and judges have
    /// always renamed it. An included class is started, but does not belong to the submission's
    /// files.
    fn staged_name(&self, name: &Path) -> PathBuf {
        // Only the last part of a qualified name is the name of the file; packages of Java are
        // directories.
        let class = self
            .entry_class
            .as_deref()
            .and_then(|class| class.rsplit('.').next());
        // A nested class is compiled in the file of the class around it.
        let class = class.map(|class| {
            class
                .split_once('$')
                .filter(|(outer, _)| !outer.is_empty())
                .map_or(class, |(outer, _)| outer)
        });
        let is_included = |name: &Path| {
            self.included
                .as_ref()
                .is_some_and(|included| included.join(name).is_file())
        };
        match (class, name.extension()) {
            // Only a public class must be in a file of its name, and another one may be public in
            // this file.
            (Some(class), Some(extension))
                if extension == "java" && !self.may_be_public(name, class) =>
            {
                name.to_owned()
            }
            (Some(class), Some(extension)) if self.extent != Extent::Directory => {
                // A submission of one file has no other class that could need its name. A directory
                // keeps its names: its files may refer to each other.
                let of_class = Path::new(class).with_extension(extension);
                if is_included(&of_class) {
                    name.to_owned()
                } else {
                    of_class
                }
            }
            _ => name.to_owned(),
        }
    }

    /// True unless a source in Java shows that this class of it is not public. Comments count as
    /// well, and may make the class look like a public one.
    fn may_be_public(&self, name: &Path, class: &str) -> bool {
        let text = regular_file::open(&self.directory.join(name)).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(MAX_JAVA_BYTES).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        });
        // A file that cannot be read is an error later. Escapes may spell any word.
        let Some(text) = text.ok().filter(|text| !text.contains("\\u")) else {
            return true;
        };
        // The item before ends with `;` or a brace.
        let text = text.replace(['{', '}'], ";").replace(';', " ; ");
        let is_between = |letter: char| !letter.is_alphanumeric() && !"_$;".contains(letter);
        let words: Vec<&str> = text
            .split(is_between)
            .filter(|word| !word.is_empty())
            .collect();
        words.windows(2).enumerate().any(|(index, pair)| {
            let mut modifiers = words[..index].iter().rev().take_while(|word| **word != ";");
            pair[1] == class
                && ["class", "interface", "enum", "record"].contains(&pair[0])
                && modifiers.any(|word| *word == "public")
        })
    }

    /// The paths by which the author knows the files of a tree that was read from here.
    pub(crate) fn places(&self, tree: &SourceTree) -> Places {
        let own = tree
            .files
            .iter()
            .map(|file| (file.name.clone(), self.shown(&self.origin(&file.name))));
        let of_library = testlib_source::FILES
            .iter()
            .map(|file| Path::new(file.name));
        let of_library = of_library
            .filter(|_| tree.library)
            .map(|name| (name.to_owned(), Path::new("testlib").join(name)));
        Places::new(own.chain(of_library))
    }

    /// Returns the file that the compiler sees under this name.
    fn origin(&self, name: &Path) -> PathBuf {
        let included = self.included.as_ref().map(|included| included.join(name));
        if let Some(included) = included.filter(|path| path.exists()) {
            return included;
        }
        // Compilers report the staged name. The author knows the file by its original name.
        let own = self
            .files
            .iter()
            .find(|file| self.staged_name(file) == name);
        self.directory.join(own.map_or(name, PathBuf::as_path))
    }

    /// Returns a path as it is shown: relative to the workspace, or to the problem for a file from
    /// an archive.
    fn shown(&self, path: &Path) -> PathBuf {
        let (name, package, root) = &self.shown;
        let below = |directory: &Path| {
            path.strip_prefix(directory)
                .ok()
                .filter(|_| !directory.as_os_str().is_empty())
        };
        match (below(root), below(package)) {
            (Some(relative), _) => relative.to_owned(),
            // A package from an archive is in a temporary directory, whose path is meaningless to
            // its author.
            (None, Some(relative)) if !root.as_os_str().is_empty() => {
                Path::new(name).join(relative)
            }
            _ => path.to_owned(),
        }
    }

    /// Reads everything that belongs to the program. Links are followed.
    ///
    /// # Errors
    /// When a file cannot be read, and when its constants make a program too long, which is the
    /// package's fault.
    pub(crate) fn read(&self, language: &Language) -> Result<SourceTree, Fault> {
        let names = self.own_names()?;
        // Metadata come first: a file of terabytes must not be read to find out that it is too
        // large.
        let own_bytes = size_of(&self.directory, &names)?;
        if own_bytes > MAX_SOURCE_BYTES {
            // The compilation refuses it by its size.
            return Ok(SourceTree {
                own_bytes,
                ..SourceTree::default()
            });
        }
        let mut own = self.own_files(&names)?;
        // Done before the files are joined: included files belong to the package and have all of
        // its constants, and a contestant's submission has none.
        fill_in_all(&mut own, &self.constants[0])?;
        let mut compiled: Vec<PathBuf> = self
            .files
            .iter()
            .map(|file| self.staged_name(file))
            .collect();
        let mut class = self
            .entry_class
            .clone()
            .or_else(|| self.included_class.clone());
        let is_source = |name: &Path| {
            extension_of(name).is_some_and(|found| language.extensions.contains(&found))
        };
        // An interpreter looks for other files next to the script, and many programs look in the
        // working directory instead. Compiled programs have their sources in them.
        let interpreted = language.compile.is_empty() && own.len() > 1;
        let mut at_hand = interpreted
            || own
                .iter()
                .any(|file| !is_source(&file.name) && !is_header(&file.name));
        if let Some(included) = &self.included {
            let mut files = read_directory(included)?;
            fill_in_all(&mut files, &self.constants[1])?;
            at_hand |= !files.is_empty();
            // In the format, included files replace those of a submission, so that no submission
            // can swap the grader that calls it.
            own.retain(|file| files.iter().all(|other| other.name != file.name));
            for file in files.iter().filter(|file| is_source(&file.name)) {
                if !compiled.contains(&file.name) {
                    compiled.push(file.name.clone());
                }
            }
            // The package brings `main` itself and calls the submission: then the submission has no
            // entry point, regardless of its name.
            if let Some(main) = included_entry(&files, language) {
                compiled.retain(|name| *name != main);
                compiled.insert(0, main);
                class = None;
            }
            own.extend(files);
        }
        own.sort_by(|a, b| a.name.cmp(&b.name));
        let named = own.iter().map(|file| (&*file.name, &*file.bytes));
        let testlib = uses_plain_testlib(named);
        let library = self.of_package && needs_library(&own);
        Ok(SourceTree {
            entry: entry_of(&compiled, class),
            compiled,
            own_bytes,
            testlib,
            testlib_validator: testlib && registers_validation(&own),
            library,
            reports_bounds: self.of_package
                && (library || own.iter().any(|file| mentions(&file.bytes, bounds::WORD))),
            at_hand,
            // Guessed from the text of the sources, because it is unknown what a program will
            // open. A wrong guess costs a mount, or is named in the report of a crash.
            opens_streams: own.iter().any(|file| names_streams(&file.bytes)),
            files: own,
        })
    }

    /// The names of everything that belongs to the program.
    fn own_names(&self) -> Result<Vec<PathBuf>, ExecError> {
        let mut names = self.files.clone();
        match self.extent {
            Extent::File => {}
            Extent::FileAndHeaders => {
                let beside = names_in(&self.directory, 0)?;
                names.extend(beside.into_iter().filter(|name| is_header(name)));
            }
            Extent::Directory => names = names_in(&self.directory, MAX_DEPTH)?,
        }
        Ok(names)
    }

    fn own_files(&self, names: &[PathBuf]) -> Result<Vec<SourceFile>, ExecError> {
        let mut files = read_all(&self.directory, names)?;
        for file in &mut files {
            if self.files.contains(&file.name) {
                file.name = self.staged_name(&file.name);
            }
        }
        Ok(files)
    }
}

/// The files for a language: its own directory, or else the default one (2025-09, "Included
/// Files").
fn included_in<'p>(
    included: &'p [IncludedFiles],
    language: &LanguageId,
) -> Option<&'p IncludedFiles> {
    // One directory may serve several languages, and the default serves all languages without their
    // own.
    let own = included
        .iter()
        .find(|files| files.languages.contains(language));
    own.or_else(|| included.iter().find(|files| files.languages.is_empty()))
}

/// Returns the included file that begins the program: one at the top with the name of an entry
/// point, or with the name `main` in any case.
fn included_entry(files: &[SourceFile], language: &Language) -> Option<PathBuf> {
    let top = || {
        files
            .iter()
            .filter(|file| file.name.components().count() == 1)
            .map(|file| &file.name)
    };
    let known = language
        .entry_points
        .iter()
        .find_map(|entry| top().find(|name| name.as_os_str() == entry.as_str()));
    let is_main = |name: &&PathBuf| {
        let source = extension_of(name).is_some_and(|found| language.extensions.contains(&found));
        source
            && name
                .file_stem()
                .is_some_and(|stem| stem.eq_ignore_ascii_case("main"))
    };
    known.or_else(|| top().find(is_main)).cloned()
}

/// True when a program with these files, given by name and content, includes a `testlib.h` that has
/// its [original exit codes](has_plain_testlib).
pub fn uses_plain_testlib<'f>(files: impl Iterator<Item = (&'f Path, &'f [u8])> + Clone) -> bool {
    // A checker with another protocol may lie next to the library, for example beside a validator
    // that uses it.
    let includes =
        |(name, bytes): (&Path, &[u8])| !is_testlib_header(name) && mentions(bytes, TESTLIB_HEADER);
    has_plain_testlib(files.clone()) && files.into_iter().any(includes)
}

/// True when one of these files, given by name and content, is a `testlib.h` whose exit codes are
/// not those of the package format. Packages usually bring a version that was adapted, or define
/// the codes before they include it.
pub fn has_plain_testlib<'f>(files: impl Iterator<Item = (&'f Path, &'f [u8])> + Clone) -> bool {
    // Any line that sets `OK_EXIT_CODE` to 42 counts: packages define it in the library, in the
    // source, or in a macro.
    let adapts = |(_, bytes): (&Path, &[u8])| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().any(|line| {
            let mut words = line
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty());
            words.any(|word| word == "OK_EXIT_CODE") && words.next() == Some("42")
        })
    };
    files.clone().any(|(name, _)| is_testlib_header(name)) && !files.into_iter().any(adapts)
}

fn is_testlib_header(name: &Path) -> bool {
    name.file_name().is_some_and(|name| name == TESTLIB_HEADER)
}

/// True when a text has the beginning of such a path in it. One pass: a program's files may be
/// large.
pub(crate) fn names_streams(text: &[u8]) -> bool {
    // A slash is rare in most sources, so only those places are compared.
    let slashes = text.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes
        .into_iter()
        .any(|(at, _)| STREAMS.iter().any(|path| text[at..].starts_with(path)))
}

/// True when a source file, and not only the library itself, declares the program an input
/// validator.
fn registers_validation(files: &[SourceFile]) -> bool {
    files
        .iter()
        .filter(|file| !is_testlib_header(&file.name))
        .any(|file| mentions(&file.bytes, "registerValidation"))
}

/// True when a program needs the Rust library: one of its files names it, and none of them is the
/// library.
fn needs_library(files: &[SourceFile]) -> bool {
    let is_own = |name: &Path| name.ends_with("testlib.rs") || name.ends_with("testlib/mod.rs");
    let names_it = |file: &SourceFile| {
        file.name
            .extension()
            .is_some_and(|extension| extension == "rs")
            && mentions(&file.bytes, testlib_source::NAME)
    };
    files.iter().any(names_it) && !files.iter().any(|file| is_own(&file.name))
}

/// True when a text mentions a word somewhere.
fn mentions(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|part| part == word.as_bytes())
}

fn entry_of(compiled: &[PathBuf], class: Option<String>) -> Option<EntryPoint> {
    let main = compiled.first()?.clone();
    let stem = || {
        main.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    Some(EntryPoint {
        class: class.unwrap_or_else(stem),
        main,
    })
}

fn extension_of(name: &Path) -> Option<String> {
    Some(name.extension()?.to_string_lossy().into_owned())
}

fn is_header(name: &Path) -> bool {
    extension_of(name).is_some_and(|found| HEADERS.contains(&found.as_str()))
}

fn fill_in_all(files: &mut [SourceFile], constants: &[Constant]) -> Result<(), Fault> {
    let mut left = MAX_FILLED_BYTES;
    for file in files {
        let filled = fill_in(&file.bytes, constants, left).ok_or_else(|| {
            let (name, max) = (file.name.display(), MAX_FILLED_BYTES >> 20);
            Fault::of_package(format!(
                "`{name}` is too long with its constants filled in: a program has at most {max} MiB"
            ))
        })?;
        // Only files with constants in them count: the sizes of the others were checked when
        // they were read.
        if filled != file.bytes {
            left = left.saturating_sub(filled.len());
        }
        file.bytes = filled;
    }
    Ok(())
}

/// Returns the output of a submission's run with the paths that its author knows.
#[must_use]
pub fn shown_by_author(output: Excerpt, submission: &Submission, problem: &Problem) -> Excerpt {
    let Some(language) = submission
        .language
        .as_ref()
        .filter(|_| !(output.head.is_empty() && output.tail.is_empty()))
    else {
        return output;
    };
    let sources = Sources::from_submission(submission, problem, language);
    let names = sources.files.iter().map(|file| sources.staged_name(file));
    let places =
        Places::new(names.map(|name| (name.clone(), sources.shown(&sources.origin(&name)))));
    let shown = |bytes: &Bytes| Bytes(places.shown(&bytes.0));
    Excerpt {
        head: shown(&output.head),
        tail: shown(&output.tail),
        ..output
    }
}

/// The facts about a problem that decide how its paths are shown.
fn shown_in(problem: &Problem) -> (String, PathBuf, PathBuf) {
    (
        problem.name.clone(),
        problem.directory.clone(),
        problem.shown_from.clone(),
    )
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod tests;
