//! The languages that the package format defines, with or without tools here.
//!
//! Responsible for codes and extensions, so that a program in any of them is recognised.
//! `languages.yaml`, which has priority, defines how programs are compiled and run.
//!
//! Source: 2025-09, appendix "Languages".

use judge_model::Language;

/// A code, its extensions, and extensions that do not determine the language on their own.
type LanguageRow = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const ROWS: [LanguageRow; 52] = [
    ("ada", &["adb", "ads"], &[]),
    ("algol68", &["a68"], &[]),
    ("apl", &["apl"], &[]),
    ("bash", &["sh"], &[]),
    ("c", &["c"], &[]),
    ("cgmp", &[], &["c"]),
    ("cobol", &["cob"], &[]),
    ("cpp", &["cc", "cpp", "cxx", "c++", "C"], &[]),
    ("cppgmp", &[], &["cc", "cpp", "cxx", "c++", "C"]),
    ("crystal", &["cr"], &[]),
    ("csharp", &["cs"], &[]),
    ("d", &["d"], &[]),
    ("dart", &["dart"], &[]),
    ("elixir", &["ex"], &[]),
    ("erlang", &["erl"], &[]),
    ("forth", &["fth", "4th", "forth", "frt"], &["fs"]),
    ("fortran", &["f90"], &[]),
    ("fsharp", &["fs"], &[]),
    ("gerbil", &["ss"], &[]),
    ("go", &["go"], &[]),
    ("haskell", &["hs"], &[]),
    ("java", &["java"], &[]),
    ("javaalgs4", &[], &["java"]),
    ("javascript", &["js"], &[]),
    ("julia", &["jl"], &[]),
    ("kotlin", &["kt"], &[]),
    ("lisp", &["lisp", "cl"], &[]),
    ("lua", &["lua"], &[]),
    ("modula2", &["mod", "def"], &[]),
    ("nim", &["nim"], &[]),
    ("objectivec", &["m"], &[]),
    ("ocaml", &["ml"], &[]),
    ("octave", &[], &["m"]),
    ("odin", &["odin"], &[]),
    ("pascal", &["pas"], &[]),
    ("perl", &["pm"], &["pl"]),
    ("php", &["php"], &[]),
    ("prolog", &["pl"], &[]),
    ("python2", &["py2"], &["py"]),
    ("python3", &["py", "py3"], &[]),
    ("python3numpy", &[], &["py", "py3"]),
    ("racket", &["rkt"], &[]),
    ("ruby", &["rb"], &[]),
    ("rust", &["rs"], &[]),
    ("scala", &["scala"], &[]),
    ("simula", &["sim"], &[]),
    ("smalltalk", &["st"], &[]),
    ("snobol", &["sno"], &[]),
    ("swift", &["swift"], &[]),
    ("typescript", &["ts"], &[]),
    ("visualbasic", &["vb"], &[]),
    ("zig", &["zig"], &[]),
];

/// The codes of the languages in a table, and of those of the format.
pub(crate) fn known_codes(languages: &[Language]) -> impl Iterator<Item = &str> {
    let with_tools = languages.iter().map(|language| language.id.0.as_str());
    with_tools.chain(ROWS.iter().map(|(code, ..)| *code))
}

/// True for the code of a known language, with tools or without.
pub(crate) fn is_known(code: &str, languages: &[Language]) -> bool {
    known_codes(languages).any(|known| known == code)
}

/// The language to which an extension belongs.
pub(crate) fn for_extension(extension: &str) -> Option<&'static str> {
    ROWS.iter()
        .find(|(_, extensions, _)| extensions.contains(&extension))
        .map(|(code, ..)| *code)
}

/// True if a file with this extension can be in this language, provided that it was named
/// explicitly.
pub(crate) fn can_be(code: &str, extension: &str) -> bool {
    let row = ROWS.iter().find(|(known, ..)| *known == code);
    row.is_some_and(|(_, own, others)| own.contains(&extension) || others.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::languages::{PYPY, built_in_languages};

    #[test]
    fn codes_and_extensions_are_distinguished() {
        let mut sorted: Vec<_> = known_codes(&[]).collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 52);
        assert_eq!(
            (for_extension("fs"), for_extension("m"), for_extension("C")),
            (Some("fsharp"), Some("objectivec"), Some("cpp"))
        );
        assert_eq!(for_extension("rb.bak"), None);
        assert!(
            can_be("octave", "m")
                && can_be("cppgmp", "cc")
                && !can_be("octave", "ml")
                && !can_be("x", "m")
        );
    }

    #[test]
    fn the_table_with_tools_agrees() {
        for language in built_in_languages()
            .into_iter()
            .filter(|language| language.id.0 != PYPY)
        {
            assert!(is_known(&language.id.0, &[]), "{}", language.id);
            for extension in &language.extensions {
                assert!(
                    can_be(&language.id.0, extension),
                    "{} {extension}",
                    language.id
                );
            }
        }
    }
}
