//! Toolchains: the compilers and interpreters of this host, their directories and versions.
//!
//! Responsible for running the tools to find out. They belong to the host and are trusted, so they
//! run outside the sandbox. Their output decides which directories programs see, and no file of a
//! package may influence it: they start in the root directory and with few variables
//! ([`host_program`]). Must not know submissions.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;

use judge_model::{Language, LanguageId, SCRIPT_LANGUAGES, Tool};
use judge_sandbox::{AnswerBounds, Mount, host_answer, host_program, programs_in_path};
use serde::{Deserialize, Serialize};

/// A tool that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTool {
    /// The role by which templates refer to it.
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
    /// True for GCC. Other compilers take its name, and say which they are.
    pub(crate) fn is_gcc(&self) -> bool {
        let named = |tool: &FoundTool| tool.name.contains("gcc") || tool.name.contains("g++");
        self.tools
            .first()
            .is_some_and(|tool| named(tool) && !tool.version.contains("clang"))
    }

    /// Describes the toolchain for reports, by its first tool.
    #[must_use]
    pub fn describe(&self) -> judge_event::Toolchain {
        let tool = self.tools.first();
        judge_event::Toolchain {
            language: self.language.id.clone(),
            version: tool.map(|tool| tool.version.clone()).unwrap_or_default(),
            path: tool
                .map(|tool| tool.executable.display().to_string())
                .unwrap_or_default(),
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
        /// The reason: what happened when its version was asked for.
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
    /// A candidate is there, but needs a directory that would show programs what is not theirs.
    #[error(
        "`{}` is installed in `{}`, which holds `{}`: programs would see all of it; hint: install it in a directory of its own, such as below `/opt`",
        tool.display(), prefix.display(), private.display()
    )]
    TooWide {
        /// The candidate.
        tool: PathBuf,
        /// The directory that it says it is installed in.
        prefix: PathBuf,
        /// The private directory in there, which must not be seen.
        private: PathBuf,
    },
    /// A candidate is there, where programs have a directory of their own.
    #[error(
        "`{}` needs `{}`, which programs do not see at this isolation level: they have a `{}` of their own; hint: install it elsewhere, such as below `/opt`",
        tool.display(), place.display(), covered.display()
    )]
    Covered {
        /// The candidate.
        tool: PathBuf,
        /// What it needs to be seen: itself, or a directory that it is installed in.
        place: PathBuf,
        /// The directory of the host that another one covers.
        covered: PathBuf,
    },
    /// The tools are there, but not what submissions in this language do.
    #[error(
        "programs in {name} start other processes, which submissions may not do at the isolation level `landlock`; hint: `judge doctor` says what gives a stronger level"
    )]
    StartsProcesses {
        /// The name of the language.
        name: String,
    },
}

/// The restrictions that can keep programs from using a tool.
#[derive(Clone, Copy)]
pub struct Bars<'a> {
    /// Gives the directory above a path that programs may not pass through, if there is one.
    pub closed: &'a dyn Fn(&Path) -> Option<PathBuf>,
    /// Directories that programs must not see: no tool is installed in one above them. The root is
    /// always one.
    pub private: &'a [PathBuf],
    /// Directories of the host in whose place programs see others.
    pub covered: &'a [&'a str],
    /// True where submissions may start threads and no processes.
    pub threads_only: bool,
}

impl Bars<'_> {
    const NONE: Bars<'static> = Bars {
        closed: &|_| None,
        private: &[],
        covered: &[],
        threads_only: false,
    };

    /// The private directory that would be exposed by showing this directory to programs.
    fn exposed_by(&self, directory: &Path) -> Option<PathBuf> {
        let root = Path::new("/");
        if directory == root {
            return Some(root.to_owned());
        }
        self.private
            .iter()
            .find(|private| private.starts_with(directory))
            .cloned()
    }

    /// The directory in whose place programs see another one, if this path leads below one.
    fn covering(&self, place: &Path) -> Option<PathBuf> {
        self.covered
            .iter()
            .find(|covered| place.starts_with(covered))
            .map(PathBuf::from)
    }

    /// True for a place that programs may not see or cannot reach.
    fn hides(&self, place: &Path) -> bool {
        self.exposed_by(place).is_some() || self.bars(place)
    }

    /// True for a place that programs cannot reach.
    fn bars(&self, place: &Path) -> bool {
        (self.closed)(place).is_some() || self.covering(place).is_some()
    }

    fn refuse(&self, toolchain: &Toolchain) -> bool {
        toolchain
            .tools
            .iter()
            .any(|tool| self.bars(&tool.executable))
            || toolchain
                .mounts
                .iter()
                .any(|mount| self.hides(&mount.source))
    }
}

/// The toolchains of this host.
#[derive(Clone, Debug, Default)]
pub struct Toolchains {
    found: BTreeMap<LanguageId, Result<Toolchain, Unavailable>>,
    threads_only: bool,
}

impl Toolchains {
    /// Looks for the tools of these languages, all at the same time. `path` is the value of `PATH`.
    #[must_use]
    pub fn probe(languages: &[Language], path: &OsString) -> Self {
        thread::scope(|scope| {
            // Each tool is a process that starts slowly (a virtual machine, say). Side by side they
            // take as long as the slowest one.
            let probes: Vec<_> = languages
                .iter()
                .map(|language| {
                    (
                        language,
                        scope.spawn(|| probe_language(language, path, Bars::NONE)),
                    )
                })
                .collect();
            // A probe that panics counts as a language that is not there: one strange tool
            // must not end a run in another language.
            let found = probes.into_iter().map(|(language, probe)| {
                let result = probe.join().unwrap_or_else(|_| {
                    Err(Unavailable::NotFound {
                        names: language
                            .tools
                            .iter()
                            .flat_map(|t| t.names.clone())
                            .collect(),
                    })
                });
                (language.id.clone(), result)
            });
            Self {
                found: found.collect(),
                threads_only: false,
            }
        })
    }

    /// Looks further for languages whose tools programs could not reach (at the isolation level
    /// `user`, that is what lies below directories such as `/root`), and for those whose tools
    /// would show them too much.
    pub fn keep_reachable(&mut self, path: &OsString, bars: Bars<'_>) {
        self.threads_only = bars.threads_only;
        for found in self.found.values_mut() {
            let Ok(toolchain) = found else { continue };
            // Only these are probed again: the first search ran beside that for the isolation
            // level, without knowing what programs would be able to reach.
            if bars.refuse(toolchain) {
                *found = probe_language(&toolchain.language.clone(), path, bars);
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

    /// These, and others that are known.
    pub(crate) fn with(mut self, known: Vec<Toolchain>) -> Self {
        self.found.extend(Self::known(known).found);
        self
    }

    /// The toolchain of a language; `None` when the language was not asked for.
    #[must_use]
    pub fn get(&self, language: &LanguageId) -> Option<Result<&Toolchain, &Unavailable>> {
        self.found.get(language).map(Result::as_ref)
    }

    /// The same for submissions, which may do less than programs of a package: at the isolation
    /// level `landlock` they cannot start processes.
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

    /// Every language that was asked for, in order of its id.
    pub fn iter(&self) -> impl Iterator<Item = (&LanguageId, Result<&Toolchain, &Unavailable>)> {
        self.found.iter().map(|(id, found)| (id, found.as_ref()))
    }

    /// The toolchain that programs of a package with scripts of their own are built and run with:
    /// those of `python3`, `cc` and `c++` that are among these are in their `PATH` (2025-09,
    /// "Programs").
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
            mounts: Vec::new(),
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

fn probe_language(
    language: &Language,
    path: &OsString,
    bars: Bars<'_>,
) -> Result<Toolchain, Unavailable> {
    let mut tools = Vec::new();
    let mut mounts = Vec::new();
    for tool in &language.tools {
        let (found, shown) = probe_tool(tool, path, bars)?;
        // Distributions name the directory of a tool by the language, by the command or by the
        // program behind a link. All three are tried.
        let named = found.executable.canonicalize().ok();
        let names = [
            Some(&*language.id.0),
            Some(&*found.name),
            named.as_deref().and_then(file_name),
        ];
        let led_to = linked_places(&shown, &names.map(Option::unwrap_or_default), bars);
        for place in shown
            .into_iter()
            .chain(led_to)
            .filter(|place| !in_base_system(place))
        {
            if !mounts
                .iter()
                .any(|mount: &Mount| place.starts_with(&mount.source))
            {
                // The outer directory shows the inner one too, and a slot takes fewer mounts.
                mounts.retain(|mount| !mount.source.starts_with(&place));
                mounts.push(Mount {
                    source: place.clone(),
                    target: place,
                });
            }
        }
        tools.push(found);
    }
    Ok(Toolchain {
        language: language.clone(),
        tools,
        mounts,
    })
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// Bounds on the search for links in the directories of a tool.
const MAX_ENTRIES: usize = 4096;
const MAX_LINKED_PLACES: usize = 16;
/// Directories of the base system in which packages have one of their own.
const PACKAGE_PARENTS: [&str; 3] = ["/usr/lib", "/usr/share", "/usr/local/lib"];
/// Other rules decide which parts of these programs see.
const NEVER_LINKED: [&str; 8] = [
    "/etc", "/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/box",
];

/// The places outside that links in the directories of a tool lead to: distributions keep in
/// `/var/lib` what changes, such as the packages of GHC. `shown` are the directories that it says
/// it needs; in the base system it has those of its names.
///
/// Only what belongs to root or to us, and cannot be written by everybody, is one; nothing private
/// is shown either.
fn linked_places(shown: &[PathBuf], names: &[&str], bars: Bars<'_>) -> Vec<PathBuf> {
    let named = PACKAGE_PARENTS
        .iter()
        .flat_map(|parent| names.iter().map(move |name| Path::new(parent).join(name)));
    let is_own = |place: &PathBuf| {
        !PACKAGE_PARENTS
            .iter()
            .any(|parent| Path::new(parent).starts_with(place))
    };
    let mut directories: Vec<PathBuf> = shown.iter().cloned().chain(named).filter(is_own).collect();
    let mut places: Vec<PathBuf> = Vec::new();
    // One budget for all directories of a tool, since some of them hold thousands of files.
    let mut left = MAX_ENTRIES;
    // The places that links lead to may contain links themselves.
    for _ in 0..2 {
        let links = directories
            .iter()
            .flat_map(|directory| links_in(directory, &mut left))
            .collect::<Vec<_>>();
        let mut found = Vec::new();
        for link in links {
            let Ok(place) = link.canonicalize() else {
                continue;
            };
            // A place that is shown already needs no mount of its own, and those of the last list
            // are decided elsewhere.
            let is_seen = in_base_system(&place)
                || shown
                    .iter()
                    .chain(&places)
                    .chain(&found)
                    .any(|seen| place.starts_with(seen))
                || NEVER_LINKED.iter().any(|never| place.starts_with(never));
            if !is_seen && is_trusted(&place) && !bars.hides(&place) {
                found.push(place);
            }
        }
        places.extend(found.iter().cloned());
        directories = found;
    }
    places.truncate(MAX_LINKED_PLACES);
    places
}

/// The links in a directory and in those directly below it.
fn links_in(directory: &Path, left: &mut usize) -> Vec<PathBuf> {
    let mut links = Vec::new();
    let mut directories = vec![(directory.to_owned(), true)];
    while let Some((directory, has_lower)) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            // A tool may lie beside thousands of other files, and looking for links must stay
            // cheaper than a run.
            if *left == 0 {
                return links;
            }
            *left -= 1;
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() => links.push(entry.path()),
                Ok(kind) if kind.is_dir() && has_lower => directories.push((entry.path(), false)),
                _ => {}
            }
        }
    }
    links
}

fn is_trusted(place: &Path) -> bool {
    let us = rustix::process::geteuid().as_raw();
    place
        .metadata()
        .is_ok_and(|found| (found.uid() == 0 || found.uid() == us) && found.mode() & 0o002 == 0)
}

/// True for a path in the base system, which programs see anyway: the sandbox shows the whole of
/// `/usr`.
fn in_base_system(path: &Path) -> bool {
    ["/usr", "/bin", "/lib"]
        .iter()
        .any(|base| path.starts_with(base))
}

/// The tool, and what programs must see for it: the directories that it is installed in, or itself
/// alone.
fn probe_tool(
    tool: &Tool,
    path: &OsString,
    bars: Bars<'_>,
) -> Result<(FoundTool, Vec<PathBuf>), Unavailable> {
    let mut broken = None;
    for candidate in tool
        .names
        .iter()
        .flat_map(|name| programs_in_path(name, path))
    {
        match ask(tool, &candidate) {
            Ok((found, shown)) => {
                let exposed = shown
                    .iter()
                    .find_map(|shown| Some((shown, bars.exposed_by(shown)?)));
                let needed = || [&found.executable].into_iter().chain(&shown);
                let closed = needed().find_map(|path| (bars.closed)(path));
                let covered = needed().find_map(|path| Some((path.clone(), bars.covering(path)?)));
                let why = match (covered, closed, exposed) {
                    (Some((place, covered)), ..) => Unavailable::Covered {
                        tool: candidate,
                        place,
                        covered,
                    },
                    (None, Some(closed), _) => Unavailable::OutOfReach {
                        tool: found.executable,
                        closed,
                    },
                    (None, None, None) => return Ok((found, shown)),
                    // A tool that does not print where it is installed is shown alone. Wrappers
                    // work in this way.
                    (None, None, Some(_)) if tool.prefix_args.is_empty() => {
                        let alone = found.executable.clone();
                        return Ok((found, vec![alone]));
                    }
                    (None, None, Some((prefix, private))) => Unavailable::TooWide {
                        tool: found.executable,
                        prefix: prefix.clone(),
                        private,
                    },
                };
                // The first reason is reported: it belongs to the tool that the user meant, the
                // first in `PATH`.
                broken = broken.or(Some(why));
            }
            Err(reason) => {
                broken = broken.or(Some(Unavailable::Broken {
                    tool: candidate,
                    reason,
                }));
            }
        }
    }
    Err(broken.unwrap_or_else(|| Unavailable::NotFound {
        names: tool.names.clone(),
    }))
}

/// True when there is a candidate in `PATH` for every tool of a language. Nothing is asked of any.
#[must_use]
pub fn is_installed(language: &Language, path: &OsString) -> bool {
    language.tools.iter().all(|tool| {
        tool.names
            .iter()
            .any(|name| !programs_in_path(name, path).is_empty())
    })
}

fn ask(tool: &Tool, candidate: &Path) -> Result<(FoundTool, Vec<PathBuf>), String> {
    let resolve = |path: &Path| {
        path.canonicalize()
            .map_err(|error| format!("`{}`: {error}", path.display()))
    };
    let (executable, shown) = if tool.prefix_args.is_empty() {
        let resolved = resolve(candidate)?;
        // A tool may act by the name that it is called by (compiler caches do), so links that
        // programs can follow too are left to them.
        let executable = if in_base_system(candidate) {
            candidate.to_owned()
        } else {
            resolved.clone()
        };
        let bin = resolved
            .parent()
            .filter(|bin| bin.ends_with("bin") && !in_base_system(bin));
        let prefix = bin.and_then(Path::parent).map(Path::to_owned);
        (executable, prefix.into_iter().collect())
    } else {
        let answer = answer(candidate, &tool.prefix_args)?;
        let mut lines = answer.lines().map(|line| Path::new(line.trim()));
        let prefix = resolve(lines.next().unwrap_or(Path::new("")))?;
        let executable = match &*tool.executable {
            "" => resolve(candidate)?,
            below => {
                let (named, resolved) = (prefix.join(below), resolve(&prefix.join(below))?);
                // A virtual environment of Python is found by the path of a link to an interpreter
                // elsewhere.
                if resolved.starts_with(&prefix) {
                    resolved
                } else {
                    named
                }
            }
        };
        let mut shown = vec![prefix];
        // The path as it is printed may have links in it that programs follow.
        for named in lines
            .filter(|line| line.is_absolute() && line.is_dir())
            .take(MAX_LINKED_PLACES)
        {
            shown.extend([resolve(named)?, named.to_owned()]);
        }
        (executable, shown)
    };
    let version = first_line(&executable, &tool.version_args)?;
    let name = candidate
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok((
        FoundTool {
            role: tool.role.clone(),
            name,
            executable,
            version,
        },
        shown,
    ))
}

/// The first line of a tool's answer that is no warning: `kotlin` passes on those of the Java
/// virtual machine.
fn first_line(program: &Path, args: &[String]) -> Result<String, String> {
    let answer = answer(program, args)?;
    let line = answer
        .lines()
        .find(|line| !line.contains("warning:"))
        .or(answer.lines().next());
    // A compiler that is asked for a header answers with a rule for `make`, whose target is the
    // header.
    let line = line.unwrap_or_default().trim();
    Ok(line.strip_suffix(": /dev/null").unwrap_or(line).to_owned())
}

/// The answer of a tool, which begins with a line that is not empty.
fn answer(program: &Path, args: &[String]) -> Result<String, String> {
    let mut command = host_program(program);
    command.args(args);
    let output = host_answer(command, Vec::new(), AnswerBounds::default()).map_err(|error| {
        let command = format!("`{} {}`", program.display(), args.join(" "));
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::FileTooLarge => {
                format!("{command} was ended: {error}")
            }
            _ => format!("it cannot be started: {error}"),
        }
    })?;
    if !output.status.success() {
        // A version manager's shim ends like a shell that does not find a command.
        if output.status.code() == Some(127)
            && program
                .parent()
                .is_some_and(|parent| parent.ends_with("shims"))
        {
            return Err(
                "it is a shim, and the version manager has no version selected that has this tool"
                    .to_owned(),
            );
        }
        let message = String::from_utf8_lossy(&output.stderr);
        let is_traceback = message.starts_with("Traceback");
        let line = if is_traceback {
            message.trim_end().lines().next_back()
        } else {
            message.lines().next()
        };
        let message = line.unwrap_or_default();
        return Err(format!(
            "`{} {}` ended with {}: {message}",
            program.display(),
            args.join(" "),
            output.status
        ));
    }
    // `java -version` and others of its age speak on standard error.
    let text = if output.stdout.trim_ascii().is_empty() {
        &output.stderr
    } else {
        &output.stdout
    };
    let text = String::from_utf8_lossy(text).into_owned();
    if text
        .lines()
        .next()
        .is_none_or(|line| line.trim().is_empty())
    {
        return Err(format!(
            "`{} {}` printed nothing",
            program.display(),
            args.join(" ")
        ));
    }
    Ok(text)
}

#[cfg(test)]
#[path = "toolchain_tests.rs"]
mod tests;
