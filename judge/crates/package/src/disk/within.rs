//! Files of a package, including targets of links within it.
//!
//! Responsible for rejecting files outside of the package or above a bound. Must not know what the
//! files mean.

use std::io;
use std::path::Path;

use crate::disk::head::head;

/// Reads a file in the package, of at most `max_bytes`. Links may lead to other files of the
/// package, but not out of it (2025-09, "General requirements").
pub fn read_in_package(package: &Path, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let real = path.canonicalize()?;
    if !real.starts_with(package.canonicalize()?) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is outside of the package",
        ));
    }
    let bytes = head(&real, max_bytes + 1)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("it is larger than {} MiB", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Returns true if a path leads to an existing file or directory in the package.
pub fn lies_within(package: &Path, path: &Path) -> bool {
    matches!((path.canonicalize(), package.canonicalize()), (Ok(real), Ok(root)) if real.starts_with(&root))
}
