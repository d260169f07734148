//! Static linking, which some compilers of this host may not support.
//!
//! Responsible for testing this once for each compiler and its flags. Must not know submissions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_sandbox::{AnswerBounds, Layout, host_answer, host_program};

use crate::build::command::EntryPoint;
use crate::build::program::{PATH_OF_PROGRAMS, compile_command};
use crate::build::toolchain::Toolchain;
use crate::lock;

/// A compiler with the flags and the command of a language.
type Linking = (PathBuf, Vec<String>, Vec<String>);

/// The compilers that were tried, and whether they can link with the flags of their languages.
static CAN_LINK: Mutex<BTreeMap<Linking, bool>> = Mutex::new(BTreeMap::new());

/// Returns the key of a toolchain's compiler, and the result of its trial if it is known.
fn known_of(toolchain: &Toolchain) -> Option<(Linking, Option<bool>)> {
    let language = &toolchain.language;
    let linking = (
        toolchain.tools.first()?.executable.clone(),
        language.static_flags.clone(),
        language.compile.clone(),
    );
    let known = lock(&CAN_LINK).get(&linking).copied();
    Some((linking, known))
}

/// True when it is known that the compiler cannot link statically.
pub(crate) fn is_unable_to_link(toolchain: &Toolchain) -> bool {
    known_of(toolchain).is_some_and(|(_, known)| known == Some(false))
}

/// Tests, after a program did not compile, whether the compiler is unable to link statically, and
/// keeps the result.
pub(crate) fn proves_unable_to_link(toolchain: &Toolchain) -> bool {
    let Some((linking, known)) = known_of(toolchain) else {
        return false;
    };
    let can_link = known.unwrap_or_else(|| {
        // Called without the lock: linking takes a while, and two threads that both try it get the
        // same result.
        let can_link = can_link(toolchain);
        lock(&CAN_LINK).insert(linking, can_link);
        can_link
    });
    !can_link
}

/// True when the compile command links a minimal program, with the linker that programs see. The
/// host's tools are trusted.
fn can_link(toolchain: &Toolchain) -> bool {
    let language = &toolchain.language;
    // Without a minimal program nothing can be tried. The program that failed is compiled once
    // more without the flags.
    if language.minimal.is_empty() {
        return false;
    }
    // Reading the headers of C++ takes ten times as long as linking, and decides nothing.
    let text: String = language
        .minimal
        .split_inclusive('\n')
        .filter(|line| !line.starts_with('#'))
        .collect();
    let Ok(directory) = LockedDirectory::temporary(TemporaryPurpose::Toolchain) else {
        return false;
    };
    let main = PathBuf::from(language.main_file());
    let layout = Layout {
        program: directory.path().to_owned(),
        work: directory.path().to_owned(),
        ..Layout::default()
    };
    let entry = EntryPoint {
        main: main.clone(),
        class: "main".to_owned(),
    };
    let Ok(command) = compile_command(toolchain, &entry, std::slice::from_ref(&main), 0, &layout)
    else {
        return false;
    };
    // A row can name a program that is not one of its tools, which cannot be tested.
    if !Path::new(&command[0]).is_absolute() {
        return true;
    }
    let compile = || {
        std::fs::write(directory.path().join(&main), &text).ok()?;
        let mut child = host_program(Path::new(&command[0]));
        child
            .args(&command[1..])
            .current_dir(directory.path())
            .env("PATH", PATH_OF_PROGRAMS);
        host_answer(child, Vec::new(), AnswerBounds::default()).ok()
    };
    compile().is_some_and(|output| output.status.success())
}
