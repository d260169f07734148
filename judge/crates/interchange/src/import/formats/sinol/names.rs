//! Names of groups and files that sinol gives a meaning.

/// The group of the samples.
pub(super) const SAMPLES: &str = "0";
/// The file extensions of programs.
pub(super) const ENDINGS: [&str; 8] = ["cpp", "cc", "c", "py", "rs", "pas", "java", "sh"];
