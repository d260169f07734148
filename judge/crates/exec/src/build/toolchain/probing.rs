//! Requests the installation directories and versions of a language's tools.
//!
//! Responsible for the directories that programs must see for a tool. Tools belong to the host and
//! are trusted, so they run outside the sandbox. Their output decides which directories programs
//! see, and no file of a package may influence it: they start in the root directory and with few
//! variables ([`host_program`]).

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use judge_model::{Language, Tool};
use judge_sandbox::{AnswerBounds, Mount, host_answer, host_program, programs_in_path};

use super::found::{FoundTool, ToolRestrictions, Toolchain, Unavailable};

pub(super) fn probe_language(
    language: &Language,
    path: &OsString,
    restrictions: ToolRestrictions<'_>,
) -> Result<Toolchain, Unavailable> {
    let mut tools = Vec::new();
    let mut mounts = Vec::new();
    for tool in &language.tools {
        let (found, shown) = probe_tool(tool, path, restrictions)?;
        // Distributions name the directory of a tool by the language, by the command or by the
        // program behind a link. All three are tried.
        let named = found.executable.canonicalize().ok();
        let names = [
            Some(&*language.id.0),
            Some(&*found.name),
            named.as_deref().and_then(file_name),
        ];
        let led_to = linked_places(&shown, &names.map(Option::unwrap_or_default), restrictions);
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
/// Directories of the base system in which packages have their own directories.
const PACKAGE_PARENTS: [&str; 3] = ["/usr/lib", "/usr/share", "/usr/local/lib"];
/// Directories whose visible parts are decided by other rules.
const NEVER_LINKED: [&str; 8] = [
    "/etc", "/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/box",
];

/// Returns the outside places to which links in the directories of a tool lead: distributions keep
/// changing files in `/var/lib`, such as the packages of GHC. `shown` are the directories that the
/// tool reports; in the base system it also has those of its names.
///
/// A place counts only if it belongs to root or to this user and is not writable for every user.
/// Private places are not shown either.
fn linked_places(
    shown: &[PathBuf],
    names: &[&str],
    restrictions: ToolRestrictions<'_>,
) -> Vec<PathBuf> {
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
            // A place that is already visible needs no separate mount, and those of the last list
            // are decided elsewhere.
            let is_seen = in_base_system(&place)
                || shown
                    .iter()
                    .chain(&places)
                    .chain(&found)
                    .any(|seen| place.starts_with(seen))
                || NEVER_LINKED.iter().any(|never| place.starts_with(never));
            if !is_seen && is_trusted(&place) && !restrictions.hides(&place) {
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
            // A tool may be next to thousands of other files, and searching for links must remain
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

/// True for a path in the base system, which programs always see: the sandbox shows the whole of
/// `/usr`.
pub(super) fn in_base_system(path: &Path) -> bool {
    ["/usr", "/bin", "/lib"]
        .iter()
        .any(|base| path.starts_with(base))
}

/// Returns the tool, and the paths that programs must see for it: the directories that it is
/// installed in, or only itself.
fn probe_tool(
    tool: &Tool,
    path: &OsString,
    restrictions: ToolRestrictions<'_>,
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
                    .find_map(|shown| Some((shown, restrictions.exposed_by(shown)?)));
                let needed = || [&found.executable].into_iter().chain(&shown);
                let closed = needed().find_map(|path| (restrictions.closed)(path));
                let covered =
                    needed().find_map(|path| Some((path.clone(), restrictions.covering(path)?)));
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
                    // A tool that does not print its installation directory is shown alone.
                    // Wrappers work in this way.
                    (None, None, Some(_)) if tool.prefix_args.is_empty() => {
                        let executable = found.executable.clone();
                        return Ok((found, vec![executable]));
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

fn ask(tool: &Tool, candidate: &Path) -> Result<(FoundTool, Vec<PathBuf>), String> {
    let resolve = |path: &Path| {
        path.canonicalize()
            .map_err(|error| format!("`{}`: {error}", path.display()))
    };
    let (executable, shown) = if tool.prefix_args.is_empty() {
        let resolved = resolve(candidate)?;
        // A tool may depend on the name by which it is called (compiler caches do), so links that
        // programs can follow are not resolved.
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

/// Returns the first line of a tool's output that is not a warning: `kotlin` passes on warnings of
/// the Java virtual machine.
fn first_line(program: &Path, args: &[String]) -> Result<String, String> {
    let answer = answer(program, args)?;
    let line = answer
        .lines()
        .find(|line| !line.contains("warning:"))
        .or(answer.lines().next());
    // For the request for a header, a compiler prints a rule for `make`, whose target is the
    // header.
    let line = line.unwrap_or_default().trim();
    Ok(line.strip_suffix(": /dev/null").unwrap_or(line).to_owned())
}

/// Returns the output of a tool, which begins with a line that is not empty.
fn answer(program: &Path, args: &[String]) -> Result<String, String> {
    let mut started = host_program(program);
    started.args(args);
    let command = format!("`{} {}`", program.display(), args.join(" "));
    let output = host_answer(started, Vec::new(), AnswerBounds::default()).map_err(|error| {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::FileTooLarge => {
                format!("{command} was killed: {error}")
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
                "it is a shim, and the version selected in the version manager does not provide this tool"
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
        return Err(format!("{command} ended with {}: {message}", output.status));
    }
    // `java -version` and other old tools write to standard error.
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
        return Err(format!("{command} printed nothing"));
    }
    Ok(text)
}
