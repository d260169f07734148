//! Precompiled standard headers for C and C++ programs that begin with the same includes.
//!
//! Responsible for the part of a source that is precompiled, for the command that does so, and for
//! deciding when it pays off. Must not run compilers or know what the programs are for.
//!
//! This applies only to GCC, to programs of one file, and to the beginning of that file: `#include
//! <…>`, comments, empty lines. That part is replaced by spaces, and the precompiled header is
//! included in its place, so the compiler sees the same tokens at the same places and makes the
//! same executable, byte for byte. Debugging information is the exception: it names the file that
//! includes a header. GCC ignores a precompiled header that it cannot use (for example, after other
//! flags), and reads the ordinary header with the same text next to it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use judge_files::regular_file;
use judge_model::{Language, LanguageFamily, LanguageId, Submission};
use judge_sandbox::Layout;

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::library::SharedCode;
use crate::build::sources::{SourceFile, SourceTree};
use crate::build::toolchain::Toolchain;
use crate::lock;
use crate::store::programs::{Key, KeyBuilder, ProgramCache, make_directory};

/// The directory of both files among a program's sources; no source has such a name (package
/// format, "General requirements").
const PLACE: &str = ".headers";
/// The header, which has the text of the replaced part.
const HEADER: &str = "headers.h";
/// The file that GCC searches next to the header, and uses instead.
const PRECOMPILED: &str = "headers.h.gch";

/// The number of programs that are compiled without precompiled headers before precompiling pays
/// off. Precompiling `bits/stdc++.h` takes as much time as three to four programs save by it.
const PROGRAMS_BEFORE: u8 = 3;

/// If a run has at least this many submissions with the same includes, these are precompiled for the
/// first one. It is twice the number of programs that save as much as precompiling costs, because
/// other threads compile some of them meanwhile.
const PLANNED_PROGRAMS: usize = 2 * PROGRAMS_BEFORE as usize;
/// The largest part of a source that is searched for includes, in bytes.
const MAX_INCLUDES_BYTES: u64 = 64 << 10;

/// The submissions that a session may compile, by their leading includes.
#[derive(Debug, Default)]
pub(crate) struct PlannedPrograms {
    /// The language of each program of one file, the path of the submission, and its file.
    programs: Vec<(LanguageId, PathBuf, PathBuf)>,
    /// The number of programs with each list of includes, by language. Counted when the first
    /// program in a language is compiled, so a run whose programs are all cached reads none of
    /// them. Cached ones count as well.
    numbers: Mutex<BTreeMap<LanguageId, BTreeMap<Vec<u8>, usize>>>,
}

impl PlannedPrograms {
    pub(crate) fn new<'a>(submissions: impl IntoIterator<Item = &'a Submission>) -> Self {
        let program = |submission: &Submission| {
            let [source] = &submission.sources[..] else {
                return None;
            };
            let language = submission.language.clone()?;
            Some((language, submission.path.clone(), source.clone()))
        };
        Self {
            programs: submissions.into_iter().filter_map(program).collect(),
            numbers: Mutex::default(),
        }
    }

    /// The number of programs in this language with these leading includes. A file that cannot be
    /// read does not count.
    pub(crate) fn number(&self, language: &LanguageId, includes: &[u8]) -> usize {
        let mut numbers = lock(&self.numbers);
        let numbers = numbers
            .entry(language.clone())
            .or_insert_with(|| self.count(language));
        numbers.get(includes).copied().unwrap_or(0)
    }

    fn count(&self, language: &LanguageId) -> BTreeMap<Vec<u8>, usize> {
        let mut numbers = BTreeMap::new();
        let programs = self.programs.iter().filter(|(of, ..)| of == language);
        for (_, path, source) in programs {
            let joined = path.is_dir().then(|| path.join(source));
            let mut start = Vec::new();
            let read = regular_file::open(joined.as_ref().unwrap_or(path))
                .and_then(|file| file.take(MAX_INCLUDES_BYTES).read_to_end(&mut start));
            let (end, includes) = split_includes(&start);
            if read.is_ok() && end > 0 {
                *numbers.entry(includes).or_insert(0) += 1;
            }
        }
        numbers
    }
}

/// The precompiled headers that a session knows.
#[derive(Debug, Default)]
pub(crate) struct PrecompiledHeaders {
    /// The directory of the headers with each key. `None` while a thread precompiles them, when
    /// others compile without them, and after the compiler has refused them.
    known: Mutex<BTreeMap<String, Option<PathBuf>>>,
    /// True when the session compiles many programs with the same includes, whose messages are not
    /// shown: even the headers of the first one are precompiled, and the compiler's messages are
    /// accepted.
    pub(crate) many: bool,
}

impl PrecompiledHeaders {
    /// Creates the headers for a session that compiles many programs.
    pub(crate) fn for_many_programs() -> Self {
        Self {
            many: true,
            ..Self::default()
        }
    }

    /// Returns the directory of the headers with this key. They are known already, are cached, or
    /// are precompiled by the first caller. `None` means that the program is to be compiled without
    /// them.
    pub(crate) fn get(
        &self,
        key: &Key,
        find: impl FnOnce() -> Option<PathBuf>,
        make: impl FnOnce() -> Result<MakeResult, ExecError>,
    ) -> Result<Option<PathBuf>, ExecError> {
        let name = || key.name().to_owned();
        if let Some(known) = lock(&self.known).get(key.name()) {
            return Ok(known.clone());
        }
        // Called without the lock, because the files are read. Several threads may find the same
        // ones.
        if let Some(files) = find() {
            lock(&self.known).insert(name(), Some(files.clone()));
            return Ok(Some(files));
        }
        match lock(&self.known).entry(name()) {
            Entry::Occupied(known) => return Ok(known.get().clone()),
            Entry::Vacant(unknown) => unknown.insert(None),
        };
        let made = make();
        let mut known = lock(&self.known);
        match made {
            Ok(MakeResult::Ready(files)) => {
                known.insert(name(), Some(files.clone()));
                return Ok(Some(files));
            }
            Ok(MakeResult::Refused) => {}
            // The next program counts as well, or tries again.
            Ok(MakeResult::NotYet) | Err(_) => drop(known.remove(key.name())),
        }
        made.map(|_| None)
    }

    /// Counts a program with these headers, of which the session has a planned number. True once
    /// precompiling them pays off; the count is kept for later sessions.
    pub(crate) fn pays_off(
        &self,
        key: &Key,
        planned: usize,
        cache: &ProgramCache,
    ) -> Result<bool, ExecError> {
        if self.many || planned >= PLANNED_PROGRAMS {
            return Ok(true);
        }
        let mut count = KeyBuilder::default();
        count.part(b"programs with these headers");
        count.part(key.name().as_bytes());
        let count = count.finish();
        let before = cache
            .kept(&count)
            .and_then(|bytes| bytes.first().copied())
            .unwrap_or(0);
        if before >= PROGRAMS_BEFORE {
            return Ok(true);
        }
        cache.keep(&count, vec![before + 1])?;
        Ok(false)
    }
}

/// The result of making precompiled headers, if that pays off.
#[derive(Debug)]
pub(crate) enum MakeResult {
    /// They are in this directory.
    Ready(PathBuf),
    /// Too few programs begin with them so far.
    NotYet,
    /// The compiler refuses them.
    Refused,
}

/// Splits a program into its headers and the rest. `None` where nothing can be precompiled.
pub(crate) fn split(
    toolchain: &Toolchain,
    tree: &SourceTree,
    memory_bytes: u64,
) -> Option<(SharedCode, SourceTree)> {
    let kind = match toolchain.language.compile.is_empty() {
        false if toolchain.is_gcc() => kind_of(&toolchain.language)?,
        _ => return None,
    };
    // Only a program of one file is split, because all of its includes are in one place.
    let [source] = &tree.files[..] else {
        return None;
    };
    let (end, includes) = split_includes(&source.bytes);
    if end == 0 {
        return None;
    }
    let language = Language {
        id: LanguageId(kind.to_owned()),
        compile: command_of(&toolchain.language.compile, kind)?,
        ..toolchain.language.clone()
    };
    let header = SourceFile {
        name: HEADER.into(),
        bytes: includes,
        executable: false,
    };
    let entry = EntryPoint {
        main: HEADER.into(),
        ..EntryPoint::default()
    };
    let headers = SharedCode::new(toolchain, language, entry, vec![header], memory_bytes);
    // The lines become spaces and keep their breaks, so that compiler messages have the same
    // line numbers as without precompiled headers.
    let mut rest = tree.clone();
    for byte in rest.files[0].bytes[..end]
        .iter_mut()
        .filter(|byte| !byte.is_ascii_whitespace())
    {
        *byte = b' ';
    }
    Some((headers, rest))
}

/// Puts headers next to a program's sources. `from` and `to` are directories of files. Returns
/// false if they are gone, or cannot be linked in this file system: then the program is compiled
/// without them.
pub(crate) fn put(headers: &SharedCode, from: &Path, to: &Path) -> Result<bool, ExecError> {
    let place = to.join(PLACE);
    make_directory(&place, 0o755)?;
    for file in &headers.tree.files {
        file.write(&place)?;
    }
    // GCC looks for a precompiled header in the directory of the header (its manual, "Using
    // Precompiled Headers"). The header itself is read where the precompiled one does not fit.
    // It is linked and not copied, because it has more than a hundred megabytes.
    let linked = fs::hard_link(from.join(PRECOMPILED), place.join(PRECOMPILED));
    if let Err(error) = &linked {
        tracing::debug!(target: "compile", ?from, %error, "precompiled headers cannot be linked");
    }
    Ok(linked.is_ok())
}

/// The arguments that are inserted after the compiler in a program's command.
pub(crate) fn arguments(layout: &Layout) -> [OsString; 2] {
    [
        "-include".into(),
        layout.program.join(PLACE).join(HEADER).into_os_string(),
    ]
}

/// True when a directory of files has the precompiled header.
pub(crate) fn is_in(files: &Path) -> bool {
    files.join(PRECOMPILED).is_file()
}

/// True when a compiler complains about the precompiled header, and not about the program.
pub(crate) fn is_blamed(output: &[u8]) -> bool {
    [PRECOMPILED.as_bytes(), b" PCH"]
        .iter()
        .any(|word| output.windows(word.len()).any(|part| part == *word))
}

/// Returns the name by which GCC knows headers of a language.
fn kind_of(language: &Language) -> Option<&'static str> {
    match language.family? {
        LanguageFamily::Cpp => Some("c++-header"),
        LanguageFamily::C => Some("c-header"),
        _ => None,
    }
}

/// The template of a program's command, with the header in the program's place. `None` when the
/// places of sources and result in it are unknown.
fn command_of(template: &[String], kind: &str) -> Option<Vec<String>> {
    let mut command = Vec::new();
    let mut arguments = template.iter();
    let (mut has_output, mut has_source) = (false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-o" => {
                arguments.next()?;
                has_output = true;
                command.extend(["-o".to_owned(), format!("{{output}}/{PRECOMPILED}")]);
            }
            "{sources}" | "{main}" => {
                has_source = true;
                command.extend(["-x", kind, "{main}"].map(ToOwned::to_owned));
            }
            // The program is in another language, or something is included before it.
            "-x" | "-include" | "-imacros" => return None,
            // Debugging information would name the precompiled header.
            debugging if debugging.starts_with("-g") => return None,
            // GCC links as soon as a library is named, and a header has no `main`.
            library if library.starts_with("-l") => {}
            _ => command.push(argument.clone()),
        }
    }
    (has_output && has_source).then_some(command)
}

/// Returns the length of the beginning of a source in C or C++ that consists of lines that include
/// a header of the system, and of comments and empty lines between them. 0 when there is no such
/// line.
#[must_use]
pub fn leading_includes(source: &[u8]) -> usize {
    split_includes(source).0
}

/// The length of the leading includes of a source, and the includes alone, each on a line: programs
/// with other comments share precompiled headers.
fn split_includes(source: &[u8]) -> (usize, Vec<u8>) {
    let (mut end, mut includes) = (0, Vec::new());
    let mut at = 0;
    let mut in_comment = false;
    while at < source.len() {
        let next = source[at..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(source.len(), |line| at + line + 1);
        let line = source[at..next].trim_ascii();
        // Lines with a continuation are not precompiled.
        if line.ends_with(b"\\") || line.ends_with(b"??/") {
            break;
        }
        let Some(text) = without_comments(line, &mut in_comment) else {
            break;
        };
        if !text.trim_ascii().is_empty() {
            let Some(name) = header_of_system(text.trim_ascii()) else {
                break;
            };
            // A comment that continues after this line would be cut in two, and an unterminated
            // last line would be joined with the rest.
            if in_comment || !source[..next].ends_with(b"\n") {
                break;
            }
            includes.extend([b"#include <", name, b">\n"].concat());
            end = next;
        }
        at = next;
    }
    (end, includes)
}

/// Returns a line without its comments. `None` when it has quotes, in which comment signs have no
/// meaning.
fn without_comments(line: &[u8], in_comment: &mut bool) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        if *in_comment {
            let closed = rest.windows(2).position(|pair| pair == b"*/");
            *in_comment = closed.is_none();
            rest = closed.map_or(&[][..], |at| &rest[at + 2..]);
            text.push(b' ');
        } else if rest.starts_with(b"//") {
            break;
        } else if rest.starts_with(b"/*") {
            *in_comment = true;
            rest = &rest[2..];
        } else {
            if matches!(rest[0], b'"' | b'\'') {
                return None;
            }
            text.push(rest[0]);
            rest = &rest[1..];
        }
    }
    Some(text)
}

/// Returns the name in `#include <…>`, if the text has this form.
fn header_of_system(text: &[u8]) -> Option<&[u8]> {
    let name = text
        .strip_prefix(b"#")?
        .trim_ascii_start()
        .strip_prefix(b"include")?
        .trim_ascii_start();
    let name = name.strip_prefix(b"<")?.strip_suffix(b">")?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/.+-".contains(byte);
    (!name.is_empty() && name.iter().all(is_plain)).then_some(name)
}

#[cfg(test)]
#[path = "headers_tests.rs"]
mod tests;
