//! Toolchains: which compilers and interpreters this host has, where they live, and what versions they say they are.
//!
//! Responsible for asking the tools themselves. The tools are the host's and trusted, so they are asked outside the
//! sandbox. Must not know submissions.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use judge_model::{Language, LanguageId, Tool};
use judge_sandbox::Mount;
use serde::{Deserialize, Serialize};

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTool {
    /// How templates refer to it.
    pub role: String,
    /// The name under which it was found in `PATH`.
    pub name: String,
    /// The executable, absolute.
    pub executable: PathBuf,
    /// The first line of what it says of its version.
    pub version: String,
}

/// Everything that a language needs on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The language's row.
    pub language: Language,
    /// Its tools, in the order of the row.
    pub tools: Vec<FoundTool>,
    /// Installation prefixes outside the base system that programs must see.
    pub mounts: Vec<Mount>,
}

impl Toolchain {
    /// What identifies the toolchain in reports: the first tool.
    #[must_use]
    pub fn describe(&self) -> judge_event::Toolchain {
        let tool = self.tools.first();
        judge_event::Toolchain {
            language: self.language.id.clone(),
            version: tool.map(|tool| tool.version.clone()).unwrap_or_default(),
            path: tool.map(|tool| tool.executable.display().to_string()).unwrap_or_default(),
        }
    }
}

/// Why a language cannot be used on this host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// No candidate is in `PATH`.
    #[error("none of {} is in PATH", .names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NotFound {
        /// The candidates.
        names: Vec<String>,
    },
    /// A candidate is there but does not work.
    #[error("`{}` does not work: {reason}", tool.display())]
    Broken {
        /// The candidate.
        tool: PathBuf,
        /// What happened when it was asked.
        reason: String,
    },
    /// A candidate is there, but not for the users that programs run as.
    #[error(
        "`{}` lies below `{}`, which is closed to the users that programs run as at this isolation level; hint: install it where everybody may read, such as below `/opt`, or open the way with `chmod o+x {}`",
        tool.display(), closed.display(), closed.display()
    )]
    OutOfReach {
        /// The candidate.
        tool: PathBuf,
        /// The directory above it that others may not pass through.
        closed: PathBuf,
    },
}

/// The languages whose tools scripts may use.
pub(crate) const SCRIPT_LANGUAGES: [&str; 3] = ["python3", "c", "cpp"];

/// Gives the directory above a path that programs may not pass through, if there is one.
type Closed<'a> = &'a dyn Fn(&Path) -> Option<PathBuf>;

/// The toolchains of this host.
#[derive(Clone, Debug, Default)]
pub struct Toolchains(BTreeMap<LanguageId, Result<Toolchain, Unavailable>>);

impl Toolchains {
    /// Looks for the tools of these languages, all at the same time. `path` is the value of `PATH`.
    #[must_use]
    pub fn probe(languages: &[Language], path: &OsString) -> Self {
        thread::scope(|scope| {
            let probes: Vec<_> = languages
                .iter()
                .map(|language| (language, scope.spawn(|| probe_language(language, path, &|_| None))))
                .collect();
            let found = probes.into_iter().map(|(language, probe)| {
                let result = probe.join().unwrap_or_else(|_| {
                    Err(Unavailable::NotFound { names: language.tools.iter().flat_map(|t| t.names.clone()).collect() })
                });
                (language.id.clone(), result)
            });
            Self(found.collect())
        })
    }

    /// Looks further for languages whose tools programs could not reach: at the isolation level `user`, that is what lies
    /// below directories such as `/root`. `closed` gives the directory that is in the way.
    pub fn keep_reachable(&mut self, path: &OsString, closed: &dyn Fn(&Path) -> Option<PathBuf>) {
        for found in self.0.values_mut() {
            let Ok(toolchain) = found else { continue };
            if toolchain.tools.iter().any(|tool| closed(&tool.executable).is_some()) {
                *found = probe_language(&toolchain.language.clone(), path, closed);
            }
        }
    }

    /// Toolchains that need no probing, such as those of tests.
    #[must_use]
    pub fn known(toolchains: Vec<Toolchain>) -> Self {
        Self(toolchains.into_iter().map(|toolchain| (toolchain.language.id.clone(), Ok(toolchain))).collect())
    }

    /// These, and others that are known.
    pub(crate) fn with(mut self, known: Vec<Toolchain>) -> Self {
        self.0.extend(Self::known(known).0);
        self
    }

    /// The toolchain of a language; `None` when the language was not asked for.
    #[must_use]
    pub fn get(&self, language: &LanguageId) -> Option<Result<&Toolchain, &Unavailable>> {
        self.0.get(language).map(Result::as_ref)
    }

    /// Every language that was asked for, in order of its id.
    pub fn iter(&self) -> impl Iterator<Item = (&LanguageId, Result<&Toolchain, &Unavailable>)> {
        self.0.iter().map(|(id, found)| (id, found.as_ref()))
    }

    /// What programs of a package with scripts of their own are built and run with: whatever of `python3`, `cc` and
    /// `c++` is among these is in their `PATH` (2025-09, "Programs").
    #[must_use]
    pub fn for_scripts(&self) -> Toolchain {
        let found = SCRIPT_LANGUAGES.iter().filter_map(|id| self.0.get(&LanguageId((*id).to_owned()))?.as_ref().ok());
        let mut tools: Vec<FoundTool> = Vec::new();
        let mut directories: Vec<String> = Vec::new();
        for tool in found.flat_map(|toolchain| &toolchain.tools) {
            let directory = tool.executable.parent().unwrap_or(Path::new("/")).display().to_string();
            if !in_base_system(Path::new(&directory)) && !directories.contains(&directory) {
                directories.push(directory);
            }
            tools.push(tool.clone());
        }
        directories.extend(["/usr/local/bin", "/usr/bin", "/bin"].map(ToOwned::to_owned));
        let language = Language {
            id: LanguageId("scripts".to_owned()),
            name: "scripts of a package".to_owned(),
            extensions: Vec::new(),
            entry_points: Vec::new(),
            tools: Vec::new(),
            compile: Vec::new(),
            run: vec!["{program}/run".to_owned()],
            env: vec![format!("PATH={}", directories.join(":"))],
            processes: 64,
            needs_proc: true,
        };
        Toolchain { language, tools, mounts: Vec::new() }
    }

    /// All mounts of all toolchains, without repetition.
    #[must_use]
    pub fn mounts(&self) -> Vec<Mount> {
        let mut mounts: Vec<Mount> = Vec::new();
        for mount in self.0.values().flatten().flat_map(|toolchain| &toolchain.mounts) {
            if !mounts.contains(mount) {
                mounts.push(mount.clone());
            }
        }
        mounts
    }
}

fn probe_language(language: &Language, path: &OsString, closed: Closed<'_>) -> Result<Toolchain, Unavailable> {
    let mut tools = Vec::new();
    let mut mounts = Vec::new();
    for tool in &language.tools {
        let (found, prefix) = probe_tool(tool, path, closed)?;
        mounts.extend(prefix.filter(|prefix| !in_base_system(prefix)).map(|p| Mount { source: p.clone(), target: p }));
        tools.push(found);
    }
    mounts.dedup();
    Ok(Toolchain { language: language.clone(), tools, mounts })
}

/// Whether programs see this path anyway: the sandbox shows the whole of `/usr`.
pub(crate) fn in_base_system(path: &Path) -> bool {
    ["/usr", "/bin", "/lib"].iter().any(|base| path.starts_with(base))
}

fn probe_tool(tool: &Tool, path: &OsString, closed: Closed<'_>) -> Result<(FoundTool, Option<PathBuf>), Unavailable> {
    let mut broken = None;
    for candidate in tool.names.iter().flat_map(|name| in_path(name, path)) {
        match ask(tool, &candidate) {
            Ok((tool, prefix)) => match closed(&tool.executable) {
                None => return Ok((tool, prefix)),
                Some(closed) => {
                    broken = broken.or(Some(Unavailable::OutOfReach { tool: tool.executable, closed }));
                }
            },
            Err(reason) => broken = broken.or(Some(Unavailable::Broken { tool: candidate, reason })),
        }
    }
    Err(broken.unwrap_or_else(|| Unavailable::NotFound { names: tool.names.clone() }))
}

fn in_path(name: &str, path: &OsString) -> Vec<PathBuf> {
    std::env::split_paths(path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .filter(|p| p.is_file())
        .collect()
}

fn ask(tool: &Tool, candidate: &Path) -> Result<(FoundTool, Option<PathBuf>), String> {
    let resolve = |path: &Path| path.canonicalize().map_err(|error| format!("`{}`: {error}", path.display()));
    let (executable, prefix) = if tool.prefix_args.is_empty() {
        let resolved = resolve(candidate)?;
        // A tool may act by the name that it is called by (compiler caches do), so links that programs can follow too
        // are left to them.
        let executable = if in_base_system(candidate) { candidate.to_owned() } else { resolved.clone() };
        let prefix = resolved.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent).map(Path::to_owned);
        (executable, prefix)
    } else {
        let prefix = PathBuf::from(first_line(candidate, &tool.prefix_args)?);
        let prefix = resolve(&prefix)?;
        let executable =
            if tool.executable.is_empty() { resolve(candidate)? } else { resolve(&prefix.join(&tool.executable))? };
        (executable, Some(prefix))
    };
    let version = first_line(&executable, &tool.version_args)?;
    let name = candidate.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((FoundTool { role: tool.role.clone(), name, executable, version }, prefix))
}

fn first_line(program: &Path, args: &[String]) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("it cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default();
        return Err(format!("`{} {}` ended with {}: {said}", program.display(), args.join(" "), output.status));
    }
    // `java -version` and others of its age speak on standard error.
    let text = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    let text = String::from_utf8_lossy(text);
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() {
        return Err(format!("`{} {}` printed nothing", program.display(), args.join(" ")));
    }
    Ok(line.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn language(tool: Tool) -> Language {
        Language {
            id: LanguageId("x".into()),
            name: "X".into(),
            extensions: vec!["x".into()],
            entry_points: Vec::new(),
            tools: vec![tool],
            compile: Vec::new(),
            run: vec!["{compiler}".into()],
            env: Vec::new(),
            processes: 1,
            needs_proc: false,
        }
    }

    fn tool(names: &[&str]) -> Tool {
        Tool {
            role: "compiler".into(),
            names: names.iter().map(ToString::to_string).collect(),
            prefix_args: vec!["prefix".into()],
            executable: "bin/real".into(),
            version_args: vec!["version".into()],
        }
    }

    fn script(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_shim_is_asked_for_the_tool_behind_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        script(&root.join("path/shim"), &format!("echo {}", root.join("opt").display()));
        script(&root.join("opt/bin/real"), "echo 'real 1.2'; echo more");
        let found = Toolchains::probe(&[language(tool(&["absent", "shim"]))], &root.join("path").into_os_string());
        let toolchain = found.get(&LanguageId("x".into())).unwrap().unwrap();
        assert_eq!(toolchain.tools[0].version, "real 1.2");
        assert_eq!(toolchain.tools[0].executable, root.join("opt/bin/real"));
        assert_eq!(found.mounts(), [Mount { source: root.join("opt"), target: root.join("opt") }]);
    }

    #[test]
    fn scripts_find_tools_that_are_not_in_the_base_system() {
        let found_tool = |executable: &str| FoundTool {
            role: "compiler".into(),
            name: "x".into(),
            executable: executable.into(),
            version: "1".into(),
        };
        let of = |id: &str, executable: &str| Toolchain {
            language: Language { id: LanguageId(id.into()), ..language(tool(&[])) },
            tools: vec![found_tool(executable)],
            mounts: Vec::new(),
        };
        let found =
            [of("python3", "/opt/python/bin/python3"), of("c", "/usr/bin/gcc"), of("rust", "/opt/rust/bin/rustc")];
        let scripts = Toolchains::known(found.into()).for_scripts();
        assert_eq!(scripts.language.env, ["PATH=/opt/python/bin:/usr/local/bin:/usr/bin:/bin"]);
        assert_eq!(scripts.tools.len(), 2);
    }

    #[test]
    fn what_programs_cannot_reach_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for place in ["shut", "open"] {
            script(&root.join(place).join("path/shim"), &format!("echo {}", root.join(place).display()));
            script(&root.join(place).join("bin/real"), &format!("echo {place}"));
        }
        let shut = root.join("shut");
        let closed = |path: &Path| path.starts_with(&shut).then(|| shut.clone());
        let (only, both) = (shut.join("path"), [shut.join("path"), root.join("open/path")]);
        let both = std::env::join_paths(both).unwrap();
        let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &both);
        let version =
            |found: &Toolchains| found.get(&LanguageId("x".into())).unwrap().unwrap().tools[0].version.clone();
        assert_eq!(version(&found), "shut");
        found.keep_reachable(&both, &|_| None);
        assert_eq!(version(&found), "shut");
        found.keep_reachable(&both, &closed);
        assert_eq!(version(&found), "open");
        let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &only.clone().into_os_string());
        found.keep_reachable(&only.into_os_string(), &closed);
        let error = found.get(&LanguageId("x".into())).unwrap().unwrap_err().to_string();
        assert!(error.contains(&format!("`chmod o+x {}`", shut.display())), "{error}");
    }

    #[test]
    fn what_is_missing_and_what_is_broken_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().as_os_str().to_owned();
        let found = Toolchains::probe(&[language(tool(&["absent"]))], &path);
        let error = found.get(&LanguageId("x".into())).unwrap().unwrap_err();
        assert_eq!(error.to_string(), "none of `absent` is in PATH");

        script(&dir.path().join("dead"), "echo no such version >&2; exit 127");
        let found = Toolchains::probe(&[language(tool(&["dead"]))], &path);
        let error = found.get(&LanguageId("x".into())).unwrap().unwrap_err().to_string();
        assert!(error.contains("dead` does not work") && error.contains("no such version"), "{error}");
    }
}
