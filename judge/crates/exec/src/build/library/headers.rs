//! Standard headers of C and C++ programs, which the compiler reads once for all programs of a session that begin alike.
//!
//! Responsible for the part of a source that is precompiled, for the command that does so, and for keeping the result.
//! Must not run compilers, nor know what the programs are for.
//!
//! Only GCC, only programs of one file, and only what stands before anything else in it: `#include <…>`, comments, empty
//! lines. That part is replaced by spaces, and the precompiled header is included in its place, so the compiler sees the
//! same tokens at the same places. GCC ignores what it cannot use (after other flags, say), and reads the header of
//! the same text that lies beside it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use judge_model::{Language, LanguageFamily, LanguageId};
use judge_sandbox::Layout;

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::program::compile_command;
use crate::build::sources::{SourceFile, SourceTree};
use crate::build::toolchain::Toolchain;
use crate::store::programs::{Stage, make_directory};

/// The place of both files among a program's sources; no source has such a name (package format, "General
/// requirements").
const PLACE: &str = ".headers";
/// The header, which has the text of the replaced part.
const HEADER: &str = "headers.h";
/// The file that GCC looks for beside the header, and takes instead.
const PRECOMPILED: &str = "headers.h.gch";

/// The precompiled headers of a session, by what they depend on; `None` for those that the compiler refuses.
#[derive(Debug, Default)]
pub(crate) struct PrecompiledHeaders(Mutex<BTreeMap<String, Option<Arc<Stage>>>>);

impl PrecompiledHeaders {
    /// The files with this key, which are made when nobody has done so yet. Others wait for that meanwhile.
    pub(crate) fn get_or_make(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Option<Stage>, ExecError>,
    ) -> Result<Option<Arc<Stage>>, ExecError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(key) {
            return Ok(found.clone());
        }
        let made = make()?.map(Arc::new);
        known.insert(key.to_owned(), made.clone());
        Ok(made)
    }
}

/// The headers of one program.
pub(crate) struct Headers {
    /// The toolchain that precompiles them.
    pub(crate) toolchain: Arc<Toolchain>,
    pub(crate) entry: EntryPoint,
    /// The header, as the only source.
    pub(crate) tree: SourceTree,
    memory_bytes: u64,
}

impl Headers {
    /// Splits a program into its headers and the rest. `None` where nothing can be precompiled.
    pub(crate) fn split(
        toolchain: &Arc<Toolchain>,
        tree: &SourceTree,
        memory_bytes: u64,
    ) -> Option<(Self, SourceTree)> {
        let kind = match toolchain.language.compile.is_empty() {
            false if toolchain.is_gcc() => kind_of(&toolchain.language)?,
            _ => return None,
        };
        // Only a program of one file is split, because all of its includes are in one place.
        let [source] = &tree.files[..] else { return None };
        let end = leading_includes(&source.bytes);
        if end == 0 {
            return None;
        }
        let mut own = Toolchain::clone(toolchain);
        own.language.compile = command_of(&toolchain.language.compile, kind)?;
        own.language.id = LanguageId(kind.to_owned());
        let main = PathBuf::from(HEADER);
        let header = SourceFile { name: main.clone(), bytes: source.bytes[..end].to_vec(), executable: false };
        let headers = SourceTree { files: vec![header], compiled: vec![main.clone()], ..SourceTree::default() };
        // The lines become blanks and keep their breaks, so that messages of the compiler have
        // the same line numbers as without precompiled headers.
        let mut rest = tree.clone();
        for byte in rest.files[0].bytes[..end].iter_mut().filter(|byte| !byte.is_ascii_whitespace()) {
            *byte = b' ';
        }
        let entry = EntryPoint { main, class: String::new() };
        Some((Self { toolchain: Arc::new(own), entry, tree: headers, memory_bytes }, rest))
    }

    /// The command that precompiles them.
    pub(crate) fn command(&self, layout: &Layout) -> Result<Vec<OsString>, ExecError> {
        compile_command(&self.toolchain, &self.entry, &self.tree.compiled, self.memory_bytes, layout)
    }

    /// Puts them beside a program's sources. `from` and `to` are directories of files.
    pub(crate) fn put(&self, from: &Path, to: &Path) -> Result<(), ExecError> {
        let place = to.join(PLACE);
        make_directory(&place, 0o755)?;
        for file in &self.tree.files {
            file.write(&place)?;
        }
        let from = from.join(PRECOMPILED);
        // GCC looks for a precompiled header in the directory of the header (its manual,
        // "Using Precompiled Headers"). The header itself is read where the precompiled one
        // does not fit.
        fs::hard_link(&from, place.join(PRECOMPILED)).map_err(ExecError::io("link", &from))
    }
}

/// The arguments that a program's command gets behind the compiler.
pub(crate) fn arguments(layout: &Layout) -> [OsString; 2] {
    ["-include".into(), layout.program.join(PLACE).join(HEADER).into_os_string()]
}

/// True when a directory of files has what the command was to make.
pub(crate) fn is_in(files: &Path) -> bool {
    files.join(PRECOMPILED).is_file()
}

/// True when a compiler complains of what was precompiled, and not of the program.
pub(crate) fn is_blamed(said: &[u8]) -> bool {
    [PRECOMPILED.as_bytes(), b" PCH"].iter().any(|word| said.windows(word.len()).any(|part| part == *word))
}

/// Returns the name by which GCC knows headers of a language.
fn kind_of(language: &Language) -> Option<&'static str> {
    match language.family? {
        LanguageFamily::Cpp => Some("c++-header"),
        LanguageFamily::C => Some("c-header"),
        _ => None,
    }
}

/// The template of a program's command, with the header in the program's place. `None` when it is not known where sources
/// and result stand in it.
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
            // These concern what is done with the program behind them: there is one header for all.
            "-S" | "-fno-ipa-icf" => {}
            // What is compiled is another language, or it is included before.
            "-x" | "-include" | "-imacros" => return None,
            _ => command.push(argument.clone()),
        }
    }
    (has_output && has_source).then_some(command)
}

/// The length of what stands before anything else in a source in C or C++: lines that include a header of the system, and
/// comments and empty lines between them. 0 when there is no such line.
#[must_use]
pub fn leading_includes(source: &[u8]) -> usize {
    let mut end = 0;
    let mut at = 0;
    let mut in_comment = false;
    while at < source.len() {
        let next = source[at..].iter().position(|byte| *byte == b'\n').map_or(source.len(), |line| at + line + 1);
        let line = source[at..next].trim_ascii();
        // A line that continues in the next one is left to the compiler.
        if line.ends_with(b"\\") || line.ends_with(b"??/") {
            break;
        }
        let Some(text) = without_comments(line, &mut in_comment) else { break };
        match text.trim_ascii() {
            b"" => {}
            text if includes_header_of_system(text) => {
                // A comment that goes on behind it would be cut in two, and a last line without an end runs into what
                // follows.
                if in_comment || !source[..next].ends_with(b"\n") {
                    break;
                }
                end = next;
            }
            _ => break,
        }
        at = next;
    }
    end
}

/// A line without what of it lies in comments. `None` when it has quotes, in which nothing is a comment.
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

/// True for `#include <…>`.
fn includes_header_of_system(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    let name = name.and_then(|rest| rest.strip_prefix(b"include")).map(<[u8]>::trim_ascii_start);
    let name = name.and_then(|rest| rest.strip_prefix(b"<")?.strip_suffix(b">"));
    name.is_some_and(|name| {
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_/.+-".contains(byte))
    })
}

#[cfg(test)]
#[path = "headers_tests.rs"]
mod tests;
