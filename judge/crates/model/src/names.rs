//! Names of values in files and on the command line.
//!
//! Responsible for finding the value with a name, and for the error of an unknown name.

/// The error of an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{found}`; expected one of {known}")]
pub struct UnknownName {
    kind: &'static str,
    found: String,
    /// The known names, in backticks.
    known: String,
}

/// Finds the value with a name among all values of a kind, such as "isolation level".
///
/// # Errors
/// When none has the name.
pub fn find_by_name<T: Copy>(
    kind: &'static str,
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
    found: &str,
) -> Result<T, UnknownName> {
    let mut known = Vec::new();
    for value in all {
        if name(value) == found {
            return Ok(value);
        }
        known.push(format!("`{}`", name(value)));
    }
    Err(UnknownName {
        kind,
        found: found.to_owned(),
        known: known.join(", "),
    })
}
