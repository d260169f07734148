//! The settings of the store: the place of results, and everything that they depend on besides the
//! work itself.
//!
//! Must not know what a result is.

use std::path::{Path, PathBuf};

use crate::store::checksum::sweep;
use crate::store::fingerprint::FileHashes;
use crate::store::host::HostFacts;
use crate::store::programs::KeyBuilder;

/// The place of cached results, and the program and the host that they are from.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// The directory of results.
    pub(super) directory: PathBuf,
    judge: String,
    /// The name of the host, or of several whose times can be compared.
    pub(super) host: String,
    /// True when nothing of the store is to be used.
    pub(super) ignore_existing: bool,
}

impl StoreSettings {
    /// Settings for results in a directory, which need not exist yet. `program` is this program:
    /// another one may judge differently. `host` distinguishes hosts whose times cannot be
    /// compared. With `ignore_existing` everything is judged again, and replaces what the store
    /// has. `None` when the program cannot be read.
    #[must_use]
    pub fn new(
        directory: PathBuf,
        program: &Path,
        host: String,
        ignore_existing: bool,
    ) -> Option<Self> {
        ["files", "host"]
            .iter()
            .for_each(|part| sweep(&directory.join(part)));
        let index = directory.join("files").join("judge");
        let mut hashes = FileHashes::load(&index);
        // The hash counts and not the version: two builds of one version may differ while the judge
        // itself is developed.
        let judge = hashes.hash(program).ok()?.hash;
        hashes.save(&index, Path::exists);
        Some(Self {
            directory,
            judge,
            host,
            ignore_existing,
        })
    }

    /// The facts about this host that belong to these results; `None` when nothing of the store is
    /// to be used.
    #[must_use]
    pub fn host_facts(&self) -> Option<HostFacts> {
        (!self.ignore_existing).then(|| HostFacts::new(self.directory.join("host")))
    }

    /// The file with the hashes of a package's files.
    pub(crate) fn hashes_path(&self, package: &Path) -> PathBuf {
        let mut key = KeyBuilder::default();
        key.part(package.as_os_str().as_encoded_bytes());
        self.directory.join("files").join(key.finish().name())
    }

    /// The digest of this program, which distinguishes it from any other version.
    #[must_use]
    pub fn judge(&self) -> &str {
        &self.judge
    }
}
