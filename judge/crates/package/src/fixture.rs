//! Directory trees for tests.
//!
//! Must not be compiled into the product.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Finding, Findings, PackageErrors};
use crate::load::{LoadedPackage, load};
use crate::workspace::Workspace;

/// A directory that is deleted when it is dropped.
pub(crate) struct Tree {
    directory: TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// A tree with these files, given as path and text.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let tree = Self::new();
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes an executable script.
    pub(crate) fn script(&self, path: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(path, "#!/bin/sh\n");
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn make_directory(&self, path: &str) {
        fs::create_dir_all(self.path(path)).unwrap();
    }

    /// Writes a minimal package of format 2025-09 to `package`, with the lines `more` in its
    /// `problem.yaml`.
    pub(crate) fn package(&self, package: &str, more: &str) {
        let yaml =
            format!("problem_format_version: 2025-09\nname: A Problem\nuuid: some-uuid\n{more}");
        self.write(&format!("{package}/problem.yaml"), &yaml);
        self.cases(package, &["sample/1", "secret/01", "secret/02"]);
        self.write(&format!("{package}/input_validators/validate.py"), "");
        self.write(&format!("{package}/submissions/accepted/good.py"), "");
    }

    /// Writes a minimal package of format legacy.
    pub(crate) fn legacy_package(&self, package: &str, yaml: &str) {
        self.package(package, "");
        self.write(&format!("{package}/problem.yaml"), yaml);
    }

    /// Writes inputs with answers.
    pub(crate) fn cases(&self, package: &str, ids: &[&str]) {
        for id in ids {
            self.write(&format!("{package}/data/{id}.in"), "1\n");
            self.write(&format!("{package}/data/{id}.ans"), "1\n");
        }
    }

    /// Loads a package, in a workspace that is this tree.
    pub(crate) fn load(&self, package: &str) -> Result<LoadedPackage, PackageErrors> {
        load(&self.path(package), &Workspace::find(self.root()).unwrap())
    }

    /// The errors of a package, as they are printed.
    pub(crate) fn errors(&self, package: &str) -> Vec<String> {
        let errors = self.load(package).expect_err("a package with errors");
        errors
            .iter()
            .map(|error| error.display_relative_to(self.root()).to_string())
            .collect()
    }

    /// The warnings of a package that loads, as they are printed.
    pub(crate) fn warnings(&self, package: &str) -> Vec<String> {
        self.warning_lines(
            &self
                .load(package)
                .unwrap_or_else(|errors| panic!("{errors}"))
                .warnings,
        )
    }

    pub(crate) fn warning_lines(&self, warnings: &[Finding]) -> Vec<String> {
        warnings
            .iter()
            .map(|warning| warning.display_relative_to(self.root()).to_string())
            .collect()
    }
}

/// The errors among findings, as they are printed.
pub(crate) fn error_lines(findings: Findings) -> Vec<String> {
    match findings.into_result() {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}
