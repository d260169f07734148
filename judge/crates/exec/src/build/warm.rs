//! Programs that can be run warm ([`judge_sandbox::Slot::warm`]), which searches run hundreds of
//! times.
//!
//! Responsible for preparing them in each language. Must not know when a program is run warm.
//!
//! Only searches compile programs for this: programs whose results count are compiled exactly by
//! the language's row.

use std::ffi::OsString;
use std::path::Path;

use judge_model::{Language, LanguageFamily};
use judge_sandbox::{LINK_FLAGS, Layout, SHIM, WarmStart};

use crate::ExecError;
use crate::build::toolchain::Toolchain;

/// The name of the shim's source next to a program's sources. It must change with the shim: the
/// name is part of the program's key, but the content is not.
const NAME: &str = "judge-warm-2.c";

/// The arguments that add the shim to a program, after the compiler's own; none in languages
/// without the shim. The linker is a driver that compiles C too.
pub(crate) fn arguments(language: &Language, layout: &Layout) -> Vec<OsString> {
    let own = LINK_FLAGS
        .map(OsString::from)
        .into_iter()
        .chain([layout.program.join(NAME).into_os_string()]);
    match language.family {
        // The shim is also valid C++.
        Some(LanguageFamily::C | LanguageFamily::Cpp) => own.collect(),
        Some(LanguageFamily::Rust) => own
            .flat_map(|argument| {
                let mut linked = OsString::from("link-arg=");
                linked.push(argument);
                [OsString::from("-C"), linked]
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Puts the shim next to a program's sources.
pub(crate) fn put(to: &Path) -> Result<(), ExecError> {
    let path = to.join(NAME);
    std::fs::write(&path, SHIM).map_err(ExecError::io("write", &path))
}

/// Returns the way in which a program waits at `main`. With an interpreter of Python, any script
/// can.
pub(crate) fn start(toolchain: &Toolchain, has_shim: bool) -> Option<WarmStart> {
    let language = &toolchain.language;
    // Only possible where the script is the last argument of the interpreter: later arguments would
    // belong to the script, and its place in the command must be known.
    let script = language
        .run
        .len()
        .checked_sub(1)
        .filter(|last| language.run[*last] == "{main}");
    match language.family {
        Some(LanguageFamily::Python) => script.map(|script| WarmStart::Python { script }),
        _ => has_shim.then_some(WarmStart::Shim),
    }
}

/// The place, among the arguments of the interpreter, of the script by which a row of Python checks
/// the syntax of programs (`-c`, followed by its text).
pub(crate) fn script_of_check(toolchain: &Toolchain) -> Option<usize> {
    let language = &toolchain.language;
    (language.family == Some(LanguageFamily::Python))
        .then(|| language.check.iter().position(|word| word == "-c"))
        .flatten()
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    use super::*;

    #[test]
    fn the_name_changes_with_the_shim() {
        let mut hasher = DefaultHasher::new();
        SHIM.hash(&mut hasher);
        assert_eq!(
            (NAME, hasher.finish()),
            ("judge-warm-2.c", 5_870_549_668_477_066_322)
        );
    }

    #[test]
    fn only_three_languages_are_linked_with_the_shim() {
        let arguments = |family| {
            arguments(
                &Language {
                    family,
                    ..Language::default()
                },
                Layout::fixed(),
            )
        };
        assert_eq!(
            arguments(Some(LanguageFamily::Cpp)),
            ["-Wl,--wrap=main", "/program/judge-warm-2.c"]
        );
        let rust = [
            "-C",
            "link-arg=-Wl,--wrap=main",
            "-C",
            "link-arg=/program/judge-warm-2.c",
        ];
        assert_eq!(arguments(Some(LanguageFamily::Rust)), rust);
        assert!(arguments(None).is_empty() && arguments(Some(LanguageFamily::Python)).is_empty());
    }
}
