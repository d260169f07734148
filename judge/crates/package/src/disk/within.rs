//! Files of a package, wherever in it a link to them leads.
//!
//! Responsible for staying in the package and below a bound. Must not know what the files mean.

use std::io;
use std::path::Path;

use crate::disk::head::head;

/// The bytes of a file in the package, which must not be more than these. Links may lead to other
/// files of the package, and not out of it (2025-09, "General requirements").
pub fn read_in_package(package: &Path, path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let real = path.canonicalize()?;
    if !real.starts_with(package.canonicalize()?) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is outside of the package",
        ));
    }
    let bytes = head(&real, most + 1)?;
    if bytes.len() as u64 > most {
        let message = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Returns true when a path leads to something in the package.
pub fn lies_within(package: &Path, path: &Path) -> bool {
    matches!((path.canonicalize(), package.canonicalize()), (Ok(real), Ok(root)) if real.starts_with(&root))
}
