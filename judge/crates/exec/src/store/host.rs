//! Cached facts about this host: its toolchains and its isolation.
//!
//! Responsible for deciding whether they are still valid. Running compilers for their versions and
//! trying the isolation takes longer than a run without changes. Must not run or try anything
//! itself.
//!
//! A toolchain is cached with every file that decided which one was found. If one of these files
//! changes, appears or disappears, the toolchain is searched for again. The tool that the shim of a
//! version manager selects depends on files of the user, which are among these files, and on
//! variables, which are in the key. Files in the current directory have no influence.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use judge_model::{Isolation, Language};
use judge_sandbox::{Mount, host_environment};
use serde::{Deserialize, Serialize};

use crate::build::toolchain::{FoundTool, Toolchain, Toolchains};
use crate::store::checksum::{read_kept, replace};
use crate::store::fingerprint::Fingerprint;
use crate::store::programs::KeyBuilder;

/// The files by which version managers decide, in the home directory.
const AT_HOME: [&str; 4] = [
    ".rustup/settings.toml",
    ".pyenv/version",
    ".tool-versions",
    ".config/mise/config.toml",
];
/// The files by which version managers decide, in a directory that a variable names.
const ELSEWHERE: [(&str, &str); 2] = [("RUSTUP_HOME", "settings.toml"), ("PYENV_ROOT", "version")];
/// The number of toolchains that are cached; each `PATH` has its own.
const MAX_TOOLCHAINS: usize = 256;

/// A file and its fingerprint; `None` when it was missing.
type WatchedFile = (PathBuf, Option<Fingerprint>);

/// A toolchain that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CachedToolchain {
    tools: Vec<FoundTool>,
    mounts: Vec<(PathBuf, PathBuf)>,
    watched: Vec<WatchedFile>,
}

/// An isolation that an earlier run opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FoundIsolation {
    circumstances: String,
    isolation: Isolation,
}

/// The facts about this host, in a directory of the store.
#[derive(Clone, Debug)]
pub struct HostFacts {
    directory: PathBuf,
}

impl HostFacts {
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Returns the isolation that an earlier run opened under these circumstances, which are
    /// everything readable that it depends on.
    #[must_use]
    pub fn isolation(&self, circumstances: &[String]) -> Option<Isolation> {
        let opened: FoundIsolation =
            serde_json::from_slice(&read_kept(&self.directory.join("isolation"))?).ok()?;
        (opened.circumstances == digest(circumstances)).then_some(opened.isolation)
    }

    /// Adds the isolation that this host has under these circumstances.
    pub fn add_isolation(&self, circumstances: &[String], isolation: &Isolation) {
        let opened = FoundIsolation {
            circumstances: digest(circumstances),
            isolation: isolation.clone(),
        };
        let bytes = serde_json::to_vec(&opened).expect("an isolation has string keys only");
        // If this fails, the next run finds it out again.
        let _ = replace(&self.directory.join("isolation"), &bytes);
    }

    /// Removes the cached isolation.
    pub fn forget_isolation(&self) {
        let _ = fs::remove_file(self.directory.join("isolation"));
    }

    /// The toolchains of these languages: those that are cached and have not changed, and the
    /// others, which are searched for.
    #[must_use]
    pub fn toolchains(&self, languages: &[Language], path: &OsString) -> Toolchains {
        let file = self.directory.join("toolchains");
        let mut all: BTreeMap<String, CachedToolchain> = read_kept(&file)
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        for language in languages {
            match all
                .get(&key_of(language, path))
                .filter(|cached| cached.still_holds())
            {
                Some(cached) => known.push(cached.toolchain(language)),
                None => unknown.push(language.clone()),
            }
        }
        if unknown.is_empty() {
            return Toolchains::known(known);
        }
        // Each `PATH` has its own entries, and it is unknown which of them are still in use.
        if all.len() > MAX_TOOLCHAINS {
            all.clear();
        }
        // Only unknown toolchains are probed: starting ten compilers for their versions takes
        // longer than a run without changes.
        let found = Toolchains::probe(&unknown, path);
        for (_, toolchain) in found.iter() {
            if let Ok(toolchain) = toolchain {
                all.insert(
                    key_of(&toolchain.language, path),
                    CachedToolchain::new(toolchain, path),
                );
            }
        }
        // A path that is not text is not cached, and failures to write are ignored.
        if let Ok(bytes) = serde_json::to_vec(&all) {
            let _ = replace(&file, &bytes);
        }
        found.with(known)
    }
}

impl CachedToolchain {
    fn new(toolchain: &Toolchain, path: &OsString) -> Self {
        let watched = watched(toolchain, path).into_iter().map(|file| {
            let fingerprint = Fingerprint::read(&file).ok();
            (file, fingerprint)
        });
        let mounts = toolchain
            .mounts
            .iter()
            .map(|mount| (mount.source.clone(), mount.target.clone()));
        Self {
            tools: toolchain.tools.clone(),
            mounts: mounts.collect(),
            watched: watched.collect(),
        }
    }

    fn still_holds(&self) -> bool {
        self.watched
            .iter()
            .all(|(file, then)| Fingerprint::read(file).ok() == *then)
    }

    fn toolchain(&self, language: &Language) -> Toolchain {
        let mounts = self.mounts.iter().map(|(source, target)| Mount {
            source: source.clone(),
            target: target.clone(),
        });
        Toolchain {
            language: language.clone(),
            tools: self.tools.clone(),
            mounts: mounts.collect(),
        }
    }
}

/// Returns every file that decides which tools are found, including missing ones.
fn watched(toolchain: &Toolchain, path: &OsString) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (tool, found) in toolchain.language.tools.iter().zip(&toolchain.tools) {
        // A tool that is installed later under a preferred name would be found first. So the empty
        // places are watched, too.
        let names = tool
            .names
            .iter()
            .take_while(|name| **name != found.name)
            .chain([&found.name]);
        files.extend(names.flat_map(|name| {
            std::env::split_paths(path).map(move |directory| directory.join(name))
        }));
        files.push(found.executable.clone());
    }
    // Installing a Python package changes the directory that contains it.
    files.extend(
        toolchain
            .mounts
            .iter()
            .flat_map(|mount| python_packages(&mount.source)),
    );
    let home = std::env::var_os("HOME").map(PathBuf::from);
    files.extend(
        home.iter()
            .flat_map(|home| AT_HOME.map(|name| home.join(name))),
    );
    let elsewhere = ELSEWHERE
        .iter()
        .filter_map(|(variable, name)| Some(Path::new(&std::env::var_os(variable)?).join(name)));
    files.extend(elsewhere);
    files
}

/// Returns the directories of an installation or a virtual environment of Python that contain
/// packages.
fn python_packages(prefix: &Path) -> Vec<PathBuf> {
    let below = fs::read_dir(prefix.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    below
        .map(|entry| entry.path().join("site-packages"))
        .filter(|packages| packages.is_dir())
        .collect()
}

/// The key of a toolchain: the language, and the parts of the environment that tools depend on.
fn key_of(language: &Language, path: &OsString) -> String {
    let mut key = KeyBuilder::default();
    key.part(format!("{language:?}").as_bytes());
    key.part(path.as_encoded_bytes());
    // Version managers choose a tool by variables such as `PYENV_VERSION`, so another value
    // may lead to another tool.
    for (name, value) in host_environment() {
        key.part(name.as_encoded_bytes());
        key.part(value.as_encoded_bytes());
    }
    key.finish().name().to_owned()
}

fn digest(parts: &[String]) -> String {
    let mut key = KeyBuilder::default();
    parts.iter().for_each(|part| key.part(part.as_bytes()));
    key.finish().name().to_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use judge_model::{IsolationLevel, LanguageId, Tool};

    use super::*;

    fn language() -> Language {
        let tool = Tool {
            role: "compiler".into(),
            names: vec!["first".into(), "second".into()],
            prefix_args: Vec::new(),
            executable: String::new(),
            version_args: vec!["version".into()],
        };
        Language {
            id: LanguageId("x".into()),
            name: "X".into(),
            tools: vec![tool],
            processes: 1,
            ..Language::default()
        }
    }

    /// Makes a tool that records each call.
    fn tool(path: &Path, version: &str) {
        let log = path.with_extension("log");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(
            path,
            format!(
                "#!/bin/sh\necho asked >> {}\necho {version}\n",
                log.display()
            ),
        )
        .unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn toolchains_are_probed_again_when_a_deciding_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (early, late) = (root.join("early"), root.join("late"));
        fs::create_dir(&early).unwrap();
        tool(&late.join("second"), "1");
        let path = std::env::join_paths([&early, &late]).unwrap();
        let facts = HostFacts::new(root.join("memory"));
        let version = || {
            let found = facts.toolchains(&[language()], &path);
            found.get(&LanguageId("x".into())).unwrap().unwrap().tools[0]
                .version
                .clone()
        };
        let calls_of = |tool: &str| fs::read_to_string(root.join(tool)).unwrap().lines().count();
        assert_eq!((version(), version()), ("1".into(), "1".into()));
        assert_eq!(calls_of("late/second.log"), 1);
        // Another tool is found.
        tool(&late.join("second"), "2 now");
        assert_eq!(
            (version(), calls_of("late/second.log")),
            ("2 now".into(), 2)
        );
        // A tool earlier in `PATH`, and then one with a preferred name.
        tool(&early.join("second"), "3");
        assert_eq!(version(), "3");
        tool(&late.join("first"), "4");
        assert_eq!((version(), version()), ("4".into(), "4".into()));
        fs::remove_file(late.join("first")).unwrap();
        assert_eq!(version(), "3");
        // A different row calls the tool differently.
        let other = Language {
            processes: 2,
            ..language()
        };
        let before = calls_of("early/second.log");
        assert!(
            facts
                .toolchains(&[other], &path)
                .get(&LanguageId("x".into()))
                .unwrap()
                .is_ok()
        );
        assert_eq!(calls_of("early/second.log"), before + 1);
        fs::write(root.join("memory/toolchains"), "{").unwrap();
        assert_eq!(version(), "3");
    }

    #[test]
    fn cached_isolation_depends_on_the_circumstances() {
        let dir = tempfile::tempdir().unwrap();
        let facts = HostFacts::new(dir.path().join("memory"));
        let isolation = Isolation {
            level: IsolationLevel::Full,
            cgroup_version: Some(2),
            gaps: Vec::new(),
        };
        let here = ["boot".to_owned(), "root".to_owned()];
        assert_eq!(facts.isolation(&here), None);
        facts.add_isolation(&here, &isolation);
        assert_eq!(facts.isolation(&here), Some(isolation));
        assert_eq!(facts.isolation(&["bootroot".to_owned()]), None);
        facts.forget_isolation();
        assert_eq!(facts.isolation(&here), None);
    }
}
