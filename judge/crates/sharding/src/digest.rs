//! Digests of the inputs of a run.
//!
//! Responsible for distinguishing contents by SHA-256. Must not know the meaning of the contents.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use judge_files::regular_file;
use sha2::{Digest, Sha256};

use crate::ShardingError;

/// The maximum depth of directories. A deeper directory is reached through a link to one of its
/// parents.
const MAX_DEPTH: u32 = 32;

/// Computes one digest of several parts in their order.
#[derive(Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Adds a part, preceded by its length, so that different lists of parts have different
    /// digests.
    pub fn part(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds the content of a file, and whether it is executable.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file(&mut self, path: &Path) -> Result<(), ShardingError> {
        let failed = ShardingError::io(path);
        let mut file = regular_file::open(path).map_err(&failed)?;
        let mode = file.metadata().map_err(&failed)?.permissions().mode();
        // A file is hashed separately, because a part needs its length first and a file may grow
        // while it is read.
        let mut content = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(&failed)? {
                0 => break,
                read => content.update(&buffer[..read]),
            }
        }
        // Only the bit of the owner: the others depend on the umask of the user who checked the
        // repository out.
        self.part([u8::from(mode & 0o100 != 0)]);
        self.part(content.finalize());
        Ok(())
    }

    /// The digest, in 64 hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> String {
        self.0
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The digest of everything in a package that affects submissions from outside of it: all files
/// except hidden ones and the package's own submissions.
///
/// # Errors
/// When something cannot be read.
pub fn digest_of_package(package: &Path) -> Result<String, ShardingError> {
    let mut digester = Digester::default();
    add_directory(package, Path::new(""), &mut digester, 0)?;
    Ok(digester.finish())
}

fn add_directory(
    package: &Path,
    relative: &Path,
    digester: &mut Digester,
    depth: u32,
) -> Result<(), ShardingError> {
    let directory = package.join(relative);
    if depth > MAX_DEPTH {
        return Err(ShardingError::unreadable(
            &directory,
            "directories are nested too deeply; a link to itself?",
        ));
    }
    let failed = ShardingError::io(&directory);
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory).map_err(&failed)? {
        names.push(entry.map_err(&failed)?.file_name());
    }
    // The order in which a directory lists its names differs between file systems.
    names.sort();
    for inner in names.into_iter().map(|name| relative.join(name)) {
        let path = package.join(&inner);
        // A package that needs the target of a link out of the package fails to load, so such a
        // link is not content.
        let leaves = path.is_symlink() && !leads_within(package, &path);
        if is_hidden(&inner) || inner == Path::new("submissions") || leaves {
            continue;
        }
        // A link counts as its target, as it does when programs run. A dangling link does not
        // count.
        let Ok(metadata) = fs::metadata(&path) else {
            continue;
        };
        if metadata.is_dir() {
            add_directory(package, &inner, digester, depth + 1)?;
        } else {
            digester.part(inner.as_os_str().as_encoded_bytes());
            if metadata.is_file() {
                digester.file(&path)?;
            }
        }
    }
    Ok(())
}

fn leads_within(root: &Path, link: &Path) -> bool {
    matches!((link.canonicalize(), root.canonicalize()), (Ok(real), Ok(root)) if real.starts_with(&root))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_changes_change_the_digest() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let digest = || digest_of_package(dir.path()).unwrap();
        write("data/1.in", "1\n");
        write("run", "#!/bin/sh\n");
        let mut digests = vec![digest()];
        let mut differs = || {
            let now = digest();
            assert!(!digests.contains(&now), "{} changes", digests.len());
            digests.push(now);
        };
        write("data/1.in", "2\n");
        differs();
        write("data/2.in", "");
        differs();
        fs::rename(dir.path().join("data/2.in"), dir.path().join("data/3.in")).unwrap();
        differs();
        fs::set_permissions(dir.path().join("run"), PermissionsExt::from_mode(0o755)).unwrap();
        differs();
        let before = digest();
        write("submissions/a.c", "x");
        write(".git/x", "x");
        std::os::unix::fs::symlink("nowhere", dir.path().join("link")).unwrap();
        assert_eq!(digest(), before);
    }

    #[test]
    fn recursive_links_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(".", dir.path().join("again")).unwrap();
        let error = digest_of_package(dir.path()).unwrap_err().to_string();
        assert!(error.contains("again"), "{error}");
    }

    #[test]
    fn digests_depend_on_the_boundaries_of_parts() {
        let digest = |parts: &[&str]| {
            let mut digester = Digester::default();
            parts.iter().for_each(|part| digester.part(part));
            digester.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&["a"]).len(), 64);
    }
}
