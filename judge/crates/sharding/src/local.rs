//! Packages on the disk of a node: copied once from wherever all nodes have them, by content.
//!
//! Responsible for two promises: several shards that start at once make one copy, and a copy is whole or not there.
//! Must not know what the files of a package mean.
//!
//! Layout below the cache: `packages/<digest>`, a copy; `packages/<digest>.lock`, held while it is made in
//! `packages/<digest>.partial`; `digests/<stamps>`, the digest of a package whose files have these sizes and times.

use std::fs::{self, File, Metadata};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use judge_files::{ReplacementOptions, regular_file, replace};
use judge_model::{Grading, OutputValidator, Problem, Program};

use crate::digest::entries;
use crate::{Digester, ShardingError, digest_of_package};

/// Files that changed so shortly before may change again without another time (as in git's "racy" index).
const RACY: Duration = Duration::from_secs(2);

/// The packages that a node has.
#[derive(Clone, Debug)]
pub struct LocalPackages {
    packages: PathBuf,
    digests: PathBuf,
}

impl LocalPackages {
    /// Opens the packages below the directory of a cache, which is made when it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(cache: &Path) -> Result<Self, ShardingError> {
        let this = Self { packages: cache.join("packages"), digests: cache.join("digests") };
        for directory in [&this.packages, &this.digests] {
            fs::create_dir_all(directory).map_err(ShardingError::io("create", directory))?;
        }
        // Submissions of another user's id read test data there.
        set_mode(&this.packages, 0o755)?;
        Ok(this)
    }

    /// The digest of a package's content. Its files are read only if their sizes and times are new here.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn digest_of(&self, package: &Path) -> Result<String, ShardingError> {
        let (stamps, calm) = stamps(package)?;
        let remembered = self.digests.join(&stamps);
        let text = regular_file::read_own(&remembered, 64).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text.filter(|text| is_digest(text)) {
            return Ok(text);
        }
        let digest = digest_of_package(package)?;
        if calm {
            // It is only a shortcut: a digest that cannot be kept is computed again.
            let _ = replace(&remembered, digest.as_bytes(), ReplacementOptions::default());
        }
        Ok(digest)
    }

    /// The node's copy of a package with this digest, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or when the package has another content by now.
    pub fn copy_of(&self, package: &Path, digest: &str) -> Result<PathBuf, ShardingError> {
        let copy = self.packages.join(digest);
        if copy.is_dir() {
            return Ok(copy);
        }
        let lock_path = self.packages.join(format!("{digest}.lock"));
        let lock = File::create(&lock_path).map_err(ShardingError::io("create", &lock_path))?;
        lock.lock().map_err(ShardingError::io("lock", &lock_path))?;
        // Whoever held the lock before has made it, or has died over it.
        if copy.is_dir() {
            return Ok(copy);
        }
        let partial = self.packages.join(format!("{digest}.partial"));
        if partial.exists() {
            fs::remove_dir_all(&partial).map_err(ShardingError::io("remove", &partial))?;
        }
        copy_tree(package, &partial)?;
        if digest_of_package(&partial)? != digest {
            let why = "it has changed while it was copied\nhint: run the shard again when nobody changes the package";
            return Err(ShardingError::unreadable(package, why));
        }
        fs::rename(&partial, &copy).map_err(ShardingError::io("create", &copy))?;
        Ok(copy)
    }
}

/// Lets a problem have its files in a copy of its package. Submissions stay where they are: they are read once.
pub fn relocate(problem: &mut Problem, copy: &Path) {
    let from = std::mem::replace(&mut problem.directory, copy.to_owned());
    let moved = |path: &mut PathBuf| {
        if let Ok(rest) = path.strip_prefix(&from) {
            *path = copy.join(rest);
        }
    };
    if let OutputValidator::Custom(validators) = &mut problem.output_validator {
        validators.iter_mut().for_each(|program: &mut Program| moved(&mut program.path));
    }
    let grader = match &mut problem.grading {
        Grading::Legacy(legacy) => legacy.grader.as_mut(),
        Grading::PassFail | Grading::Scores => None,
    };
    let programs = problem.static_validator.iter_mut().chain(&mut problem.input_validators).chain(grader);
    programs.for_each(|program| moved(&mut program.path));
    problem.included.iter_mut().for_each(|included| moved(&mut included.directory));
    problem.test_groups.iter_mut().for_each(|group| moved(&mut group.directory));
    for test_case in &mut problem.test_cases {
        moved(&mut test_case.input);
        moved(&mut test_case.answer);
        test_case.files.iter_mut().chain(&mut test_case.output).for_each(moved);
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A digest of the sizes and times of everything in a package, and whether nothing changed just now.
fn stamps(package: &Path) -> Result<(String, bool), ShardingError> {
    let mut digester = Digester::default();
    digester.part(package.as_os_str().as_encoded_bytes());
    let now = SystemTime::now();
    let mut calm = true;
    for (relative, metadata) in entries(package)? {
        let times = (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
        digester.part(relative.as_os_str().as_encoded_bytes());
        digester.part(format!("{:?}", (metadata.dev(), metadata.ino(), metadata.len(), metadata.mode(), times)));
        calm &= !is_racy(&metadata, now);
    }
    Ok((digester.finish(), calm))
}

fn is_racy(metadata: &Metadata, now: SystemTime) -> bool {
    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(metadata.ctime()).unwrap_or(0));
    now.duration_since(changed).unwrap_or_default() < RACY
}

fn set_mode(path: &Path, mode: u32) -> Result<(), ShardingError> {
    judge_files::set_mode(path, mode).map_err(ShardingError::io("set the mode of", path))
}

/// Copies what of a package is judged with, readable for every user.
fn copy_tree(package: &Path, to: &Path) -> Result<(), ShardingError> {
    fs::create_dir(to).map_err(ShardingError::io("create", to))?;
    set_mode(to, 0o755)?;
    for (relative, metadata) in entries(package)? {
        let (source, target) = (package.join(&relative), to.join(&relative));
        if metadata.is_dir() {
            fs::create_dir(&target).map_err(ShardingError::io("create", &target))?;
            set_mode(&target, 0o755)?;
        } else if metadata.is_file() {
            let mut file = regular_file::open(&source).map_err(ShardingError::io("read", &source))?;
            let mut copy = File::create_new(&target).map_err(ShardingError::io("create", &target))?;
            std::io::copy(&mut file, &mut copy)
                .and_then(|_| copy.flush())
                .map_err(ShardingError::io("write", &target))?;
            set_mode(&target, if metadata.mode() & 0o100 != 0 { 0o755 } else { 0o644 })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use judge_model::FormatVersion;

    use super::*;

    fn package() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [("data/secret/1.in", "1\n"), ("problem.yaml", "x"), ("submissions/accepted/a.c", "")] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::write(dir.path().join("run"), "#!/bin/sh\n").unwrap();
        set_mode(&dir.path().join("run"), 0o700).unwrap();
        symlink("1.in", dir.path().join("data/secret/2.in")).unwrap();
        dir
    }

    #[test]
    fn many_at_once_make_one_whole_copy() {
        let (package, cache) = (package(), tempfile::tempdir().unwrap());
        let local = LocalPackages::open(cache.path()).unwrap();
        let digest = local.digest_of(package.path()).unwrap();
        // A partial copy that a killed process left.
        fs::create_dir_all(local.packages.join(format!("{digest}.partial/data"))).unwrap();
        let copies: Vec<PathBuf> = std::thread::scope(|scope| {
            let copy =
                || scope.spawn(|| LocalPackages::open(cache.path()).unwrap().copy_of(package.path(), &digest).unwrap());
            let threads: Vec<_> = (0..8).map(|_| copy()).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(copies.iter().all(|copy| *copy == copies[0]));
        assert_eq!(fs::read_to_string(copies[0].join("data/secret/2.in")).unwrap(), "1\n");
        assert_eq!(fs::metadata(copies[0].join("run")).unwrap().mode() & 0o777, 0o755);
        assert!(!copies[0].join("submissions").exists());
        assert_eq!(digest_of_package(&copies[0]).unwrap(), digest);
        assert!(!local.packages.join(format!("{digest}.partial")).exists());
    }

    #[test]
    fn what_changed_has_another_digest_and_is_not_taken_for_what_it_was() {
        let (package, cache) = (package(), tempfile::tempdir().unwrap());
        let local = LocalPackages::open(cache.path()).unwrap();
        let before = local.digest_of(package.path()).unwrap();
        // At once, with the same size: digests of files that are so new are not kept.
        fs::write(package.path().join("data/secret/1.in"), "2\n").unwrap();
        assert_ne!(local.digest_of(package.path()).unwrap(), before);
        let error = local.copy_of(package.path(), &before).unwrap_err().to_string();
        assert!(error.contains("it has changed while it was copied"), "{error}");
    }

    #[test]
    fn a_damaged_memory_is_no_digest() {
        let (package, cache) = (package(), tempfile::tempdir().unwrap());
        let local = LocalPackages::open(cache.path()).unwrap();
        let digest = local.digest_of(package.path()).unwrap();
        let (stamps, _) = stamps(package.path()).unwrap();
        for text in ["", "x", &"z".repeat(64)] {
            fs::write(local.digests.join(&stamps), text).unwrap();
            assert_eq!(local.digest_of(package.path()).unwrap(), digest, "{text}");
        }
        fs::write(local.digests.join(&stamps), "a".repeat(64)).unwrap();
        assert_eq!(local.digest_of(package.path()).unwrap(), "a".repeat(64), "it is not read again");
    }

    #[test]
    fn a_problem_has_its_files_in_the_copy_and_its_submissions_where_they_were() {
        let mut problem = Problem::new("p", PathBuf::from("/shared/p"), FormatVersion::V2025_09);
        let test_case = |root: &str| judge_model::TestCase {
            input: format!("{root}/data/secret/1.in").into(),
            answer: format!("{root}/data/secret/1.ans").into(),
            files: Some(format!("{root}/data/secret/1.files").into()),
            ..judge_model::TestCase::default()
        };
        problem.test_cases = vec![test_case("/shared/p"), test_case("/elsewhere")];
        let path = PathBuf::from("/shared/p/submissions/accepted/a.c");
        problem.submissions =
            vec![judge_model::Submission { path: path.clone(), ..judge_model::Submission::default() }];
        relocate(&mut problem, Path::new("/local/digest"));
        assert_eq!(problem.directory, Path::new("/local/digest"));
        assert_eq!(problem.test_cases, [test_case("/local/digest"), test_case("/elsewhere")]);
        assert_eq!(problem.submissions[0].path, path);
    }
}
