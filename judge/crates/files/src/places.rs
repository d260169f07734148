//! Places: directories with a rule about links, and the opening of files in them.
//!
//! Responsible for applying the rule of a place whenever a file in it is opened. Must not know what
//! the rules permit.
//!
//! The links of a package are checked when it is loaded, and its files are opened later. In
//! between, a user who can write to the package can replace a file, or a directory above it, by a
//! link, which the judge would follow with its own rights. Therefore a file is first opened with
//! openat2(2), which refuses every link on the path. If the path contains a link, the file is
//! opened through it, and the rule is applied to the real path of the open file, which cannot be
//! replaced any more. The rules belong to the process, because most readers know only the path of a
//! file.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

/// A rule about links. Called with the path that was requested and with the real path, without
/// links; returns true if the file may be opened.
pub type Rule = Arc<dyn Fn(&Path, &Path) -> bool + Send + Sync>;

/// The rules by directory. The nearest directory above a file decides.
static RULES: RwLock<BTreeMap<PathBuf, Rule>> = RwLock::new(BTreeMap::new());

/// Sets the rule for links at or below a path, for the path as given and for its real path. An
/// earlier rule is replaced.
pub fn set_rule(place: &Path, rule: Rule) {
    let named = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    let real = std::fs::canonicalize(place).unwrap_or_else(|_| named.clone());
    let (below, given, original) = (real.clone(), named.clone(), Arc::clone(&rule));
    // The rule expects the path as it was given.
    let of_real: Rule = Arc::new(move |path, target| {
        path.strip_prefix(&below)
            .is_ok_and(|below| original(&given.join(below), target))
    });
    let mut rules = RULES.write().unwrap_or_else(PoisonError::into_inner);
    rules.insert(real, of_real);
    rules.insert(named, rule);
}

/// The error of a file that was replaced by a link to a forbidden place. Only users who can write
/// to the package can cause it, so it has a type that distinguishes it from faults of the host.
#[derive(Debug, thiserror::Error)]
#[error("a link that was created after loading leads to `{}`", target.display())]
struct ForbiddenLink {
    target: PathBuf,
}

/// True for the error of a file that was replaced by a link which the rule of its place does not
/// permit.
#[must_use]
pub fn is_forbidden_link(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<ForbiddenLink>)
}

/// Refuses a path if the rule of its place does not permit it to lead to this real path.
fn allowed(path: &Path, target: &Path) -> io::Result<()> {
    let path = std::path::absolute(path)?;
    let rules = RULES.read().unwrap_or_else(PoisonError::into_inner);
    match path.ancestors().find_map(|above| rules.get(above)) {
        Some(rule) if !rule(&path, target) => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            ForbiddenLink {
                target: target.to_owned(),
            },
        )),
        _ => Ok(()),
    }
}

/// The file that makes a directory a package.
const PACKAGE_FILE: &str = "problem.yaml";

/// Finds the directory to which output at an absolute path without `..` is confined: the first one
/// on the path that has a rule or is in a package, even if a link leads into it. `None` for output
/// outside packages.
///
/// Links on the path to that directory are the user's own and are followed. Links below it belong
/// to the package and are not.
pub(crate) fn find_confinement(path: &Path) -> Option<PathBuf> {
    let rules = RULES.read().unwrap_or_else(PoisonError::into_inner);
    let mut prefixes: Vec<&Path> = path.ancestors().collect();
    prefixes.reverse();
    let confines = |prefix: &Path| rules.contains_key(prefix) || is_entered_package(prefix);
    prefixes
        .into_iter()
        .find(|prefix| confines(prefix))
        .map(Path::to_owned)
}

/// True for a package, and for a link that leads into one. The parent must not be in a package.
fn is_entered_package(directory: &Path) -> bool {
    let is_package = |directory: &Path| directory.join(PACKAGE_FILE).symlink_metadata().is_ok();
    match directory.symlink_metadata() {
        Ok(found) if found.is_symlink() => directory
            .canonicalize()
            .is_ok_and(|real| real.ancestors().any(is_package)),
        Ok(found) => found.is_dir() && is_package(directory),
        Err(_) => false,
    }
}

/// True if a path lies in a package, without following links: then the package decides what is at
/// this path.
///
/// # Errors
/// When there is no current directory for a relative path.
pub fn is_in_package(path: &Path) -> io::Result<bool> {
    Ok(find_confinement(without_parents(path)?.parent().unwrap_or(Path::new("/"))).is_some())
}

/// Returns the absolute path in which each `..` has removed the name before it. Links are not
/// followed, so the path may lead to another file.
///
/// # Errors
/// When there is no current directory for a relative path.
pub fn without_parents(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    Ok(plain)
}

/// Opens a file for reading. A pipe is opened without waiting for a writer, and a terminal does not
/// become the controlling one.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        // The path contains a link, the kernel lacks the call, or a filter of system calls refuses
        // it.
        Err(Errno::LOOP | Errno::NOSYS | Errno::PERM) => open_by_rule(path, flags),
        opened => Ok(opened?.into()),
    }
}

fn open_by_rule(path: &Path, flags: OFlags) -> io::Result<File> {
    // Opening a device can have side effects, so the path is first checked with a descriptor
    // that does not open it (O_PATH).
    for flags in [OFlags::PATH | OFlags::CLOEXEC, flags] {
        let file = openat(CWD, path, flags, Mode::empty())?;
        allowed(path, &path_of(&file)?)?;
        if !flags.contains(OFlags::PATH) {
            return Ok(file.into());
        }
    }
    Err(Errno::LOOP.into())
}

/// Returns the path of an open file, without links.
fn path_of(file: &impl AsFd) -> io::Result<PathBuf> {
    let path = std::fs::read_link(format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()))?;
    // The kernel appends this to the path of a file that was removed after it was opened
    // (proc_pid_fd(5)).
    let kept = path
        .as_os_str()
        .as_bytes()
        .strip_suffix(b" (deleted)")
        .map(|kept| PathBuf::from(OsStr::from_bytes(kept)));
    Ok(kept.unwrap_or(path))
}

/// Returns the path of a file without links, if these may be followed.
///
/// # Errors
/// Those of the file system; `PermissionDenied` if the rule of the place does not allow it.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    if real != path {
        allowed(path, &real)?;
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;

    use super::*;

    fn text(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// A directory under a second name, with a rule that keeps its links below it, and a file
    /// outside.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/sub")).unwrap();
        fs::write(root.join("real/sub/file"), "inside").unwrap();
        fs::write(root.join("outside"), "outside").unwrap();
        symlink("real", root.join("named")).unwrap();
        let (within, named) = (root.join("real"), root.join("named"));
        let rule = move |path: &Path, target: &Path| {
            path.starts_with(&named) && target.starts_with(&within)
        };
        set_rule(&root.join("named"), Arc::new(rule));
        (directory, root)
    }

    #[test]
    fn files_replaced_by_links_out_of_their_place_are_not_opened() {
        let (_directory, root) = place();
        for place in ["named", "real"] {
            let (file, link) = (
                root.join(place).join("sub/file"),
                root.join(place).join("link"),
            );
            assert_eq!(text(&file).unwrap(), "inside");
            assert_eq!(real_path(&file).unwrap(), root.join("real/sub/file"));
            symlink("sub/file", &link).unwrap();
            assert_eq!(text(&link).unwrap(), "inside");
            fs::remove_file(&link).unwrap();
            symlink(root.join("outside"), &link).unwrap();
            for refused in [text(&link).map(drop), real_path(&link).map(drop)] {
                let error = refused.unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
                assert!(is_forbidden_link(&error));
                assert!(error.to_string().ends_with("/outside`"), "{error}");
            }
            fs::remove_file(&link).unwrap();
        }
    }

    #[test]
    fn directories_replaced_by_links_out_of_their_place_are_not_opened() {
        let (_directory, root) = place();
        fs::rename(root.join("real/sub"), root.join("elsewhere")).unwrap();
        symlink("../elsewhere", root.join("real/sub")).unwrap();
        assert_eq!(
            text(&root.join("real/sub/file")).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        assert!(!is_forbidden_link(
            &text(&root.join("nothing")).unwrap_err()
        ));
        // Other places have no rule.
        symlink("elsewhere", root.join("other")).unwrap();
        assert_eq!(text(&root.join("other/file")).unwrap(), "inside");
    }
}
