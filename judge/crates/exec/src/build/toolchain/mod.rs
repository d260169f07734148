//! Toolchains: the compilers and interpreters of this host, their directories and versions.
//!
//! Responsible for finding the languages of this host, and for searching again if programs could
//! not reach a tool. Must not know submissions.

mod found;
mod probing;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use judge_model::{Language, LanguageId, SCRIPT_LANGUAGES};
use judge_sandbox::{Mount, programs_in_path};

pub use found::{FoundTool, ToolRestrictions, Toolchain, Unavailable};
use probing::{in_base_system, probe_language};

use crate::Crew;

/// The number of languages that are looked for at the same time. Each tool is a process that starts
/// slowly (a virtual machine, say), so there are more than a host has cores.
const MAX_PARALLEL_PROBES: usize = 8;

/// The toolchains of this host.
#[derive(Clone, Debug, Default)]
pub struct Toolchains {
    found: BTreeMap<LanguageId, Result<Toolchain, Unavailable>>,
    threads_only: bool,
}

impl Toolchains {
    /// Looks for the tools of these languages, several at the same time. `path` is the value of
    /// `PATH`.
    #[must_use]
    pub fn probe(languages: &[Language], path: &OsString) -> Self {
        let probe = |language: &_| probe_language(language, path, ToolRestrictions::NONE);
        let found =
            Crew::new(MAX_PARALLEL_PROBES).map(languages, || (), |(), language| probe(language));
        let found = languages.iter().zip(found).map(|(language, found)| {
            // Where few processes are permitted, the tools have kept each other from starting.
            let is_to_repeat = matches!(&found, Err(error) if error.is_lack_of_processes());
            let found = if is_to_repeat { probe(language) } else { found };
            (language.id.clone(), found)
        });
        Self {
            found: found.collect(),
            threads_only: false,
        }
    }

    /// Searches again for languages whose tools programs could not reach (at the isolation level
    /// `user`, those below directories such as `/root`), and for those whose tools would show them
    /// too much.
    pub fn keep_reachable(&mut self, path: &OsString, restrictions: ToolRestrictions<'_>) {
        self.threads_only = restrictions.threads_only;
        for found in self.found.values_mut() {
            let Ok(toolchain) = found else { continue };
            // Only these are probed again: the first search ran at the same time as that for the
            // isolation level, without knowing what programs would be able to reach.
            if restrictions.refuse(toolchain) {
                *found = probe_language(&toolchain.language.clone(), path, restrictions);
            }
        }
    }

    /// Toolchains that need no probing, such as those of tests.
    #[must_use]
    pub fn known(toolchains: Vec<Toolchain>) -> Self {
        let found = toolchains
            .into_iter()
            .map(|toolchain| (toolchain.language.id.clone(), Ok(toolchain)))
            .collect();
        Self {
            found,
            threads_only: false,
        }
    }

    /// Adds toolchains that need no probing.
    pub(crate) fn with(mut self, known: Vec<Toolchain>) -> Self {
        self.found.extend(Self::known(known).found);
        self
    }

    /// Returns the toolchain of a language; `None` when the language was not requested.
    #[must_use]
    pub fn get(&self, language: &LanguageId) -> Option<Result<&Toolchain, &Unavailable>> {
        self.found.get(language).map(Result::as_ref)
    }

    /// Returns the toolchain of a language for submissions, which may do less than programs of a
    /// package: at the isolation level `landlock` they cannot start processes.
    #[must_use]
    pub fn for_submissions(
        &self,
        language: &LanguageId,
    ) -> Option<Result<&Toolchain, Unavailable>> {
        Some(match self.get(language)? {
            Ok(Toolchain { language, .. }) if self.threads_only && language.starts_processes => {
                Err(Unavailable::StartsProcesses {
                    name: language.name.clone(),
                })
            }
            found => found.map_err(Clone::clone),
        })
    }

    /// Returns every requested language, in order of its id.
    pub fn iter(&self) -> impl Iterator<Item = (&LanguageId, Result<&Toolchain, &Unavailable>)> {
        self.found.iter().map(|(id, found)| (id, found.as_ref()))
    }

    /// Returns the toolchain with which programs of a package that bring their own scripts are
    /// built and run: those of `python3`, `cc` and `c++` that are among these are in their `PATH`
    /// (2025-09, "Programs").
    #[must_use]
    pub fn for_scripts(&self) -> Toolchain {
        let found = SCRIPT_LANGUAGES
            .iter()
            .filter_map(|id| self.found.get(&LanguageId((*id).to_owned()))?.as_ref().ok());
        let mut tools: Vec<FoundTool> = Vec::new();
        let mut directories: Vec<String> = Vec::new();
        // Tools of the base system are found by the usual directories. Others come first,
        // because the user has installed them on purpose.
        for tool in found.flat_map(|toolchain| &toolchain.tools) {
            let directory = tool
                .executable
                .parent()
                .unwrap_or(Path::new("/"))
                .display()
                .to_string();
            if !in_base_system(Path::new(&directory)) && !directories.contains(&directory) {
                directories.push(directory);
            }
            tools.push(tool.clone());
        }
        directories.extend(["/usr/local/bin", "/usr/bin", "/bin"].map(ToOwned::to_owned));
        let language = Language {
            id: LanguageId("scripts".to_owned()),
            name: "scripts of a package".to_owned(),
            run: vec!["{program}/run".to_owned()],
            env: vec![format!("PATH={}", directories.join(":"))],
            processes: 64,
            needs_proc: true,
            starts_processes: true,
            ..Language::default()
        };
        Toolchain {
            language,
            tools,
            ..Toolchain::default()
        }
    }

    /// All mounts of all toolchains, without repetition.
    #[must_use]
    pub fn mounts(&self) -> Vec<Mount> {
        let mut mounts: Vec<Mount> = Vec::new();
        for mount in self
            .found
            .values()
            .flatten()
            .flat_map(|toolchain| &toolchain.mounts)
        {
            if !mounts.contains(mount) {
                mounts.push(mount.clone());
            }
        }
        mounts
    }
}

/// True when there is a candidate in `PATH` for every tool of a language. No candidate is started.
#[must_use]
pub fn is_installed(language: &Language, path: &OsString) -> bool {
    language.tools.iter().all(|tool| {
        tool.names
            .iter()
            .any(|name| !programs_in_path(name, path).is_empty())
    })
}

#[cfg(test)]
#[path = "toolchain_tests.rs"]
mod tests;
