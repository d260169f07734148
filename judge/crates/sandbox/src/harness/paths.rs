//! The paths and strings of slots and executions, as a zygote receives them.
//!
//! Responsible for refusing paths that could lead out of the slot's directories. Must not know what
//! is at a path.

use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::protocol::wire::Writer;
use crate::{SandboxError, SlotSpec};

impl SlotSpec {
    /// Returns an error for a path that is invalid.
    pub(super) fn check(&self) -> Result<(), SandboxError> {
        let view = self.view.iter();
        let view = view.flat_map(|mount| [&mount.source, &mount.target]);
        for path in view.chain(&self.depots) {
            let has_parent = path.components().any(|part| part == Component::ParentDir);
            if !path.is_absolute() || has_parent {
                let shown = path.display();
                return Err(SandboxError::invalid(format!(
                    "expected an absolute path without `..`, found `{shown}`"
                )));
            }
            bytes_without_nul(path.as_os_str())?;
        }
        Ok(())
    }

    /// The depot that contains a host path, and the path below it, or an error.
    pub(super) fn demand_in_depot(&self, path: &Path) -> Result<(u32, CString), SandboxError> {
        self.in_depot(path).ok_or_else(|| {
            let shown = path.display();
            SandboxError::invalid(format!(
                "expected a path below one of the slot's depots, found `{shown}`"
            ))
        })
    }
}

/// The bytes of a string that must not contain a NUL.
pub(super) fn bytes_without_nul(text: &OsStr) -> Result<&[u8], SandboxError> {
    let bytes = text.as_bytes();
    if bytes.contains(&0) {
        return Err(SandboxError::invalid(format!(
            "expected no NUL byte, found one in {text:?}"
        )));
    }
    Ok(bytes)
}

/// Writes the number of strings, then the strings.
pub(super) fn write_list(writer: &mut Writer, list: &[OsString]) -> Result<(), SandboxError> {
    writer.u32(list.len() as u32);
    for text in list {
        writer.string(bytes_without_nul(text)?);
    }
    Ok(())
}

/// Checks that a target is below one of two fixed directories, which contain nothing else, so that
/// no bind can cover a path on which the sandbox relies.
pub(super) fn check_target(target: &Path) -> Result<(), SandboxError> {
    let parts: Vec<_> = target.components().collect();
    let names: Vec<&OsStr> = parts
        .iter()
        .filter_map(|part| {
            if let Component::Normal(name) = part {
                Some(*name)
            } else {
                None
            }
        })
        .collect();
    let fits = match names.as_slice() {
        [top] => *top == "program",
        [top, _] => *top == "program" || *top == "judge",
        _ => false,
    };
    // Written as it will be used: no `.`, no double slash.
    let plain: PathBuf = parts.iter().collect();
    if fits
        && parts.len() == names.len() + 1
        && parts[0] == Component::RootDir
        && plain.as_os_str() == target.as_os_str()
    {
        return Ok(());
    }
    let shown = target.display();
    Err(SandboxError::invalid(format!(
        "expected `/program`, or a name below `/program` or `/judge`, found `{shown}`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_outside_their_two_directories_are_refused() {
        for good in ["/program", "/program/a.out", "/judge/input", "/judge/a b"] {
            assert!(check_target(Path::new(good)).is_ok(), "{good}");
        }
        for bad in [
            "/",
            "/judge",
            "program",
            "/usr",
            "/judge/../usr",
            "/judge/a/b",
            "/judge//a",
            "/judge/a/",
            "/./judge/a",
        ] {
            assert!(check_target(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
