//! Programs of a package in the form that another judge can compile: with constants filled in, and
//! with the library of this judge included.
//!
//! Responsible for the files of one program. Must not know their paths in an archive.

pub(super) mod testlib_protocol;

use std::io;
use std::path::Path;

use judge_event::Part;
use judge_exec::testlib_source::one_file;
use judge_exec::uses_plain_testlib;
use judge_model::{Constant, Problem, Program};
use judge_package::{fill_in_constants, names};

use super::archive::{Archive, files_below};
use crate::remarks::Remarks;

/// The maximum size of a file of a program, in bytes.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramFile {
    /// Its path below the program's directory, or the name of a single file.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) executable: bool,
}

/// A program with everything that it needs.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedProgram {
    pub(super) files: Vec<ProgramFile>,
    /// True if the library was included in it.
    pub(super) has_library: bool,
    /// True for a single file with the headers next to it, which it includes: other judges compile
    /// it alone, so it needs a directory of its own.
    pub(super) needs_directory: bool,
}

impl PackedProgram {
    /// Reports that the library was included in it.
    pub(super) fn report_library(&self, about: &str, remarks: &mut Remarks) {
        if self.has_library {
            remarks.changed(Part::Validators, about, "contains judge's Rust library");
        }
    }
}

/// True for a program that uses the original testlib and its protocol.
pub(super) fn is_plain_testlib(files: &[ProgramFile]) -> bool {
    let files = files.iter();
    uses_plain_testlib(files.map(|file| (Path::new(&file.name), file.bytes.as_slice())))
}

/// Puts the files of a program into a directory of an archive.
pub(super) fn put_files(files: Vec<ProgramFile>, directory: &str, archive: &mut Archive) {
    for file in files {
        let path = format!("{directory}/{}", file.name);
        archive.put_program(path, file.bytes, file.executable);
    }
}

/// Returns the main file of a program.
pub(super) fn main_file(program: &Program) -> Option<String> {
    Some(program.sources.first()?.to_string_lossy().into_owned())
}

/// Reads a program of the package, with constants filled in.
pub(super) fn packed_program(program: &Program, problem: &Problem) -> io::Result<PackedProgram> {
    packed_at(
        &program.path,
        main_file(program).as_deref(),
        &problem.constants,
    )
}

/// Reads the program at a path. `main` is its main file, if it is known.
pub(super) fn packed_at(
    path: &Path,
    main: Option<&str>,
    constants: &[Constant],
) -> io::Result<PackedProgram> {
    let mut files = read_files(path, constants)?;
    let is_own = |name: &str| name.ends_with("testlib.rs") || name.ends_with("testlib/mod.rs");
    let needs_library =
        !files.iter().any(|file| is_own(&file.name)) && files.iter().any(uses_library);
    if needs_library {
        include_library(&mut files, main.unwrap_or("main.rs"));
    }
    let headers = adjacent_headers(path, &files, constants)?;
    let needs_directory = !headers.is_empty();
    files.extend(headers);
    Ok(PackedProgram {
        files,
        has_library: needs_library,
        needs_directory,
    })
}

/// Returns all headers next to a program of one file, if it includes one of them: headers include
/// others.
fn adjacent_headers(
    path: &Path,
    program: &[ProgramFile],
    constants: &[Constant],
) -> io::Result<Vec<ProgramFile>> {
    let (false, [file], Some(directory)) = (path.is_dir(), program, path.parent()) else {
        return Ok(Vec::new());
    };
    if names::is_header(&file.name) {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&file.bytes);
    let includes = |name: &str| {
        let quoted = format!("\"{name}\"");
        text.lines()
            .any(|line| line.trim_start().starts_with('#') && line.contains(&quoted))
    };
    let mut headers = files_below(directory)?;
    headers.retain(|found| !found.name.contains('/') && names::is_header(&found.name));
    if !headers.iter().any(|found| includes(&found.name)) {
        return Ok(Vec::new());
    }
    let read = headers
        .iter()
        .map(|found| read_files(&found.path, constants));
    Ok(read.collect::<io::Result<Vec<_>>>()?.concat())
}

/// Returns the name of the directory for a program of one file: its name without the extension,
/// unless another program has that name too.
pub(super) fn directory_name(path: &Path) -> io::Result<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let entries = std::fs::read_dir(path.parent().unwrap_or(path))?;
    let same = entries
        .flatten()
        .filter(|entry| entry.path().file_stem() == path.file_stem());
    Ok(if same.count() > 1 {
        name.replace('.', "_")
    } else {
        stem.into_owned()
    })
}

fn uses_library(file: &ProgramFile) -> bool {
    names::extension(&file.name) == Some("rs")
        && [&b"testlib::"[..], b"use testlib"]
            .iter()
            .any(|word| file.bytes.windows(word.len()).any(|part| part == *word))
}

/// Reads all files at a path, which is a file or a directory.
pub(super) fn read_files(path: &Path, constants: &[Constant]) -> io::Result<Vec<ProgramFile>> {
    let read = |name: &str, path: &Path, executable: bool| {
        let bytes = judge_package::read_within(path, MAX_SOURCE_BYTES).map_err(|error| {
            io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
        })?;
        Ok(ProgramFile {
            name: name.to_owned(),
            bytes: filled(bytes, constants, path)?,
            executable,
        })
    };
    if path.is_dir() {
        return files_below(path)?
            .iter()
            .map(|found| read(&found.name, &found.path, found.executable))
            .collect();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(vec![read(&name, path, false)?])
}

/// Fills in constants, if the bytes are text.
///
/// # Errors
/// If the file becomes too long.
pub(super) fn filled(bytes: Vec<u8>, constants: &[Constant], path: &Path) -> io::Result<Vec<u8>> {
    let max_bytes = usize::try_from(MAX_SOURCE_BYTES).unwrap_or(usize::MAX);
    match std::str::from_utf8(&bytes) {
        Ok(text) if !constants.is_empty() => match fill_in_constants(text, constants, max_bytes) {
            Some(filled) => Ok(filled.into_bytes()),
            None => Err(io::Error::other(format!(
                "`{}`: too long with its constants filled in",
                path.display()
            ))),
        },
        _ => Ok(bytes),
    }
}

/// Includes the library in a program, as a module at the end of its main file, so that line numbers
/// do not change.
fn include_library(files: &mut [ProgramFile], main: &str) {
    let index = files.iter().position(|file| file.name == main).unwrap_or(0);
    for (at, file) in files.iter_mut().enumerate() {
        if names::extension(&file.name) != Some("rs") {
            continue;
        }
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        let text = if at == index {
            format!(
                "{}\n\n#[allow(dead_code, clippy::all)]\nmod testlib {{\n{}}}\n",
                text.trim_end(),
                one_file()
            )
        } else {
            in_crate(&text)
        };
        file.bytes = text.into_bytes();
    }
}

/// Rewrites a module to use the library as a module of the same crate.
fn in_crate(text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("testlib::") {
        let (before, from) = rest.split_at(at);
        replaced.push_str(before);
        let is_path = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
        replaced.push_str(if is_path {
            "crate::testlib::"
        } else {
            "testlib::"
        });
        rest = &from["testlib::".len()..];
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_included_as_a_module() {
        let file = |name: &str, text: &str| ProgramFile {
            name: name.into(),
            bytes: text.into(),
            executable: false,
        };
        let mut files = [
            file("other.rs", "use testlib::Reader;\nuse crate::testlib::x;\n"),
            file("main.rs", "mod other;\n"),
        ];
        include_library(&mut files, "main.rs");
        assert_eq!(
            files[0].bytes,
            b"use crate::testlib::Reader;\nuse crate::testlib::x;\n"
        );
        let main = String::from_utf8(files[1].bytes.clone()).unwrap();
        assert!(
            main.starts_with("mod other;\n") && main.contains("\nmod testlib {\n//! testlib"),
            "{main}"
        );
        assert!(main.ends_with("}\n"));
    }

    #[test]
    fn constants_are_filled_in_only_in_text() {
        let constants = [Constant {
            name: "n".to_owned(),
            value: "5".to_owned(),
        }];
        assert_eq!(
            filled(b"{{n}}".to_vec(), &constants, Path::new("a")).unwrap(),
            b"5"
        );
        assert_eq!(
            filled(b"\xff{{n}}".to_vec(), &constants, Path::new("a")).unwrap(),
            b"\xff{{n}}"
        );
    }
}
