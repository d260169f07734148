//! Compiling the Rust library that programs of packages are written with.
//!
//! Responsible for the command that compiles it: the language's own, so that flags which a
//! workspace sets agree between library and program. Must not compile anything itself or know what
//! is in the library.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use judge_model::Language;
use judge_sandbox::Layout;

use crate::ExecError;
use crate::build::command::EntryPoint;
use crate::build::library::SharedCode;
use crate::build::library::testlib_source::{self as library, NAME};
use crate::build::sources::SourceFile;
use crate::build::toolchain::Toolchain;
use crate::store::programs::make_directory;

/// The file that the compiler leaves.
pub(crate) const FILE: &str = "libtestlib.rlib";
/// Its place among a program's sources; no source has such a name (package format, "General
/// requirements").
pub(crate) const PLACE: &str = ".testlib";
/// The edition that the library is written in.
const EDITION: &str = "2021";

/// Returns the library for programs that are compiled with this toolchain and this much memory;
/// `None` when the toolchain is not `rustc`.
pub(crate) fn for_toolchain(toolchain: &Toolchain, memory_bytes: u64) -> Option<SharedCode> {
    // Another Rust compiler may be unable to read this library format, so it gets no library.
    let is_rustc = toolchain
        .language
        .tools
        .iter()
        .any(|tool| tool.names.iter().any(|name| name == "rustc"));
    if !is_rustc {
        return None;
    }
    let language = Language {
        compile: command_of(&toolchain.language.compile)?,
        ..toolchain.language.clone()
    };
    let file = |file: &library::File| SourceFile {
        name: PathBuf::from(file.name),
        bytes: file.text.as_bytes().to_vec(),
        executable: false,
    };
    let entry = EntryPoint {
        main: PathBuf::from(library::ROOT),
        class: NAME.to_owned(),
    };
    let files = library::FILES.iter().map(file).collect();
    Some(SharedCode::new(
        toolchain,
        language,
        entry,
        files,
        memory_bytes,
    ))
}

/// The arguments that are appended to a program's command.
pub(crate) fn arguments(layout: &Layout) -> [OsString; 2] {
    let mut library = OsString::from(format!("{NAME}="));
    library.push(layout.program.join(PLACE).join(FILE));
    ["--extern".into(), library]
}

/// Puts the library next to a program's sources. `from` and `to` are directories of files.
pub(crate) fn put(from: &Path, to: &Path) -> Result<(), ExecError> {
    let (from, place) = (from.join(FILE), to.join(PLACE));
    make_directory(&place, 0o755)?;
    let to = place.join(FILE);
    // Linked if possible: the cache and its staging directory are usually on one file system.
    if fs::hard_link(&from, &to).is_err() {
        fs::copy(&from, &to).map_err(ExecError::io("copy", &from))?;
    }
    Ok(())
}

/// The template of a program's command, with the library in the program's place. `None` when the
/// place of its result is unknown.
fn command_of(template: &[String]) -> Option<Vec<String>> {
    let mut command = Vec::new();
    let mut arguments = template.iter();
    let mut has_output = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // These describe the program. All other flags are kept, because a library that was
            // compiled with other ones may not link.
            "--edition" | "--crate-name" | "--crate-type" => drop(arguments.next()?),
            "-o" => {
                arguments.next()?;
                has_output = true;
                command.extend(["-o".to_owned(), format!("{{output}}/{FILE}")]);
            }
            other
                if ["--edition=", "--crate-name=", "--crate-type="]
                    .iter()
                    .any(|start| other.starts_with(start)) => {}
            _ => command.push(argument.clone()),
        }
    }
    let own = [
        "--edition",
        EDITION,
        "--crate-name",
        NAME,
        "--crate-type",
        "rlib",
    ];
    command.extend(own.map(ToOwned::to_owned));
    has_output.then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn the_librarys_command_has_the_flags_of_programs() {
        let own = "{compiler} -C opt-level=3 --edition 2024 --crate-name main --target x -o {output}/main {main}";
        let made = "{compiler} -C opt-level=3 --target x -o {output}/libtestlib.rlib {main} \
                    --edition 2021 --crate-name testlib --crate-type rlib";
        assert_eq!(command_of(&words(own)), Some(words(made)));
        let joined = "{compiler} --edition=2024 -o {output}/main {main}";
        let made = "{compiler} -o {output}/libtestlib.rlib {main} --edition 2021 --crate-name testlib --crate-type rlib";
        assert_eq!(command_of(&words(joined)), Some(words(made)));
        assert_eq!(
            command_of(&words("{compiler} --out-dir {output} {main}")),
            None
        );
    }
}
