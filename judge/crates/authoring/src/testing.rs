//! A small package, and a session in a sandbox that starts no process, for tests.
//!
//! Must not be compiled into the product.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_exec::{Session, Toolchain, Toolchains};
use judge_fixtures::{FakeSandbox, script_language};
use judge_package::Workspace;
use judge_sandbox::CancelToken;

use crate::{Project, Resources};

/// The problem `sum`: one test case, `secret/1`, and one accepted solution, which always writes 3.
pub(crate) struct Package {
    directory: tempfile::TempDir,
    pub(crate) workspace: Workspace,
    pub(crate) cancel: CancelToken,
}

impl Package {
    pub(crate) fn sum() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::find(directory.path()).unwrap();
        workspace.languages = vec![script_language()];
        let package = Self { directory, workspace, cancel: CancelToken::new().unwrap() };
        let uuid = "5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e";
        let yaml = format!("problem_format_version: 2025-09\nname: Sum\nuuid: {uuid}\nlimits: {{time_limit: 1}}\n");
        package.write("problem.yaml", &yaml);
        package.write("data/secret/1.in", "0 3\n");
        package.write("data/secret/1.ans", "3\n");
        package.write("submissions/accepted/right.script", "* print 3\n");
        package
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("sum")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path().join(path)).ok()
    }

    /// A session for the data of these packages.
    pub(crate) fn session(&self, projects: &[&Project]) -> Session {
        let language = Toolchain { language: script_language(), tools: Vec::new(), mounts: Vec::new() };
        let (sandbox, cache) = (Arc::new(FakeSandbox::default()), self.directory.path().join("cache"));
        let directories: Vec<PathBuf> = projects.iter().flat_map(|project| project.directories()).collect();
        let toolchains = Toolchains::known(vec![language]);
        Session::of_packages(&toolchains, sandbox, &cache, &directories, self.cancel.clone()).unwrap()
    }

    pub(crate) fn resources<'a>(&'a self, session: &'a Session) -> Resources<'a> {
        Resources { session, jobs: 1, workspace: &self.workspace }
    }

    /// Writes rules that make `secret/1` from this input and answer.
    pub(crate) fn rule(&self, input: &str, answer: &str) {
        let rules = format!("data:\n  secret:\n    data:\n      '1': {{in: \"{input}\", ans: \"{answer}\"}}\n");
        self.write("generators/generators.yaml", &rules);
    }
}

/// Everything below a directory, by path.
pub(crate) fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}
