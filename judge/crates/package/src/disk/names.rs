//! The package format's rules for the names of files and directories.
//!
//! Must not touch the file system.

/// The rule of [`counts`] as a regular expression.
pub(crate) const PATTERN: &str = "^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$";

/// Returns true for a name of a file or directory that counts. Others are legal, and the judge behaves as if they were
/// not there.
///
/// Source: 2025-09 and legacy, "General Requirements": `[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}`. The stricter rule of
/// legacy-icpc is a matter of style, not of what is judged, and is not applied here.
pub fn counts(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    name.len() <= 255
        && (first.is_ascii_alphanumeric() || first == b'_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Returns true for a package's short name: `[a-z0-9]+`.
pub fn is_short_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The part of a file name after its last dot; `None` without one, or when the dot comes first.
pub fn extension(name: &str) -> Option<&str> {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => Some(extension),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count() {
        for name in ["a", "_a", "1.in", "A-b_c.tar.gz", "x."] {
            assert!(counts(name), "{name}");
        }
        for name in ["", ".gitkeep", "-a", "a b.in", "1.in~", "é.in", &"x".repeat(256)] {
            assert!(!counts(name), "{name}");
        }
    }

    #[test]
    fn short_names_and_extensions() {
        assert!(is_short_name("fiveup2"));
        assert!(!is_short_name("five-up") && !is_short_name("") && !is_short_name("FiveUp"));
        assert_eq!(extension("a.tar.gz"), Some("gz"));
        assert_eq!(extension(".gitkeep"), None);
        assert_eq!(extension("Makefile"), None);
    }
}
