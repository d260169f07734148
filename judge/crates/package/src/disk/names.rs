//! The package format's rules for the names of files and directories.
//!
//! Must not touch the file system.

use std::path::Path;

/// The rule of [`counts`] as a regular expression.
pub(crate) const PATTERN: &str = "^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$";

/// Returns true for a valid name of a file or directory. Other names are allowed, but the judge
/// ignores these files.
///
/// Source: 2025-09 and legacy, "General Requirements": `[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}`. The
/// stricter rule of legacy-icpc is a matter of style that affects no test case, and is not applied
/// here.
pub fn counts(name: &str) -> bool {
    let Some(first) = name.bytes().next() else {
        return false;
    };
    name.len() <= 255
        && (first.is_ascii_alphanumeric() || first == b'_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Returns true for a package's short name: `[a-z0-9]+`.
pub fn is_short_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The part of a file name after its last dot; `None` without one, or when the dot comes first.
pub fn extension(name: &str) -> Option<&str> {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => Some(extension),
        _ => None,
    }
}

/// True if the name of a file is that of a header of C or C++, which is not a program itself.
#[must_use]
pub fn is_header(name: &str) -> bool {
    matches!(extension(name), Some("h" | "hh" | "hpp" | "hxx"))
}

/// True if the name of a file is that of an archive. Letter case is ignored.
pub fn is_archive(path: &Path) -> bool {
    has_extension(path, "kpp") || has_extension(path, "zip") || is_tar(path)
}

/// True if the name of a file is that of a compressed tar archive.
pub(crate) fn is_tar(path: &Path) -> bool {
    let inner = path.file_stem().map(Path::new);
    has_extension(path, "tgz")
        || has_extension(path, "gz") && inner.is_some_and(|inner| has_extension(inner, "tar"))
}

/// The name of an archive without its extensions.
#[must_use]
pub fn archive_stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let is_double = is_tar(path) && has_extension(Path::new(stem), "tar");
    let stem = if is_double {
        Path::new(stem).file_stem().unwrap_or_default()
    } else {
        stem
    };
    stem.to_string_lossy().into_owned()
}

/// True if a file is an archive that can only be a package.
pub(crate) fn is_package_archive(path: &Path) -> bool {
    has_extension(path, "kpp")
}

fn has_extension(path: &Path, expected: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for name in ["a", "_a", "1.in", "A-b_c.tar.gz", "x."] {
            assert!(counts(name), "{name}");
        }
        for name in [
            "",
            ".gitkeep",
            "-a",
            "a b.in",
            "1.in~",
            "é.in",
            &"x".repeat(256),
        ] {
            assert!(!counts(name), "{name}");
        }
    }

    #[test]
    fn short_names_and_extensions_are_recognised() {
        assert!(is_short_name("fiveup2"));
        assert!(!is_short_name("five-up") && !is_short_name("") && !is_short_name("FiveUp"));
        assert_eq!(extension("a.tar.gz"), Some("gz"));
        assert_eq!(extension(".gitkeep"), None);
        assert_eq!(extension("Makefile"), None);
    }
}
