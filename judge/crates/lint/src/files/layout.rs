//! Names, links and directories of a package.
//!
//! Responsible for findings that need no file to be opened. Must not know the meaning of test data
//! or statements.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

use judge_model::FormatVersion;
use judge_package::{Finding, code, did_you_mean, invalid_name, names};

use super::entries::{Entry, Kind};
use super::findings::Findings;
use super::subject::Subject;

/// The entries of a package of format 2025-09, and of one of format legacy ("Problem Package
/// Layout").
const CURRENT: [&str; 16] = [
    "problem.yaml",
    "statement",
    "attachments",
    "solution",
    "data",
    "generators",
    "include",
    "submissions",
    "input_validators",
    "static_validator",
    "output_validator",
    "input_visualizer",
    "output_visualizer",
    "README.md",
    "README",
    "LICENSE",
];
const LEGACY: [&str; 15] = [
    "problem.yaml",
    "problem_statement",
    "attachments",
    "data",
    "include",
    "submissions",
    "input_validators",
    "input_format_validators",
    "output_validators",
    "graders",
    "generators",
    "domjudge-problem.ini",
    "README.md",
    "README",
    "LICENSE",
];
/// Entries that were renamed: the name in 2025-09, then the name in legacy.
const RENAMED: [(&str, &str); 2] = [
    ("statement", "problem_statement"),
    ("output_validator", "output_validators"),
];
/// Names that begin with a dot and have a meaning.
const HIDDEN: [&str; 6] = [
    ".git",
    ".gitignore",
    ".gitattributes",
    ".gitkeep",
    ".timelimit",
    ".editorconfig",
];
const LARGE: u64 = 100 << 20;
const HUGE: u64 = super::bytes::MAX_BYTES;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    check_top_level(subject, findings);
    check_case(subject, findings);
    for entry in &subject.entries {
        // An ignored directory, or a leftover one, is reported once, without the files in it.
        let hidden_above = entry
            .parent()
            .split('/')
            .any(|name| name.starts_with('.') || is_leftover(name));
        if hidden_above {
            continue;
        }
        match &entry.kind {
            Kind::Link(target) => check_link(subject, entry, target, findings),
            Kind::File(size) if *size > LARGE => {
                let message = format!("{} MiB", size >> 20);
                let code = if *size > HUGE {
                    code::FILE_HUGE
                } else {
                    code::FILE_LARGE
                };
                findings.add(code, &entry.path, message);
            }
            _ => {}
        }
        check_name(entry, findings);
        if subject
            .problem()
            .is_some_and(|problem| problem.format == FormatVersion::LegacyIcpc)
        {
            check_icpc_name(entry, findings);
        }
        check_script(entry, findings);
    }
    check_attachments(subject, findings);
}

/// Source: 2025-09, "Attachments": the one directory is `templates`; legacy: no directory.
fn check_attachments(subject: &Subject<'_>, findings: &mut Findings) {
    let known = |entry: &Entry| !subject.is_legacy() && entry.name() == "templates";
    for entry in subject.children("attachments") {
        if entry.kind == Kind::Folder
            && !known(entry)
            && entry.counts()
            && !is_leftover(entry.name())
        {
            findings.add(
                code::ATTACHMENT_DIRECTORY,
                &entry.path,
                "expected a file, found a directory",
            );
        }
    }
}

fn check_top_level(subject: &Subject<'_>, findings: &mut Findings) {
    let legacy = subject.is_legacy();
    // Each version of the format has directories that are meaningless in the other one.
    let known: &[&str] = if legacy { &LEGACY } else { &CURRENT };
    for entry in subject.children("") {
        let name = entry.name();
        let is_known =
            known.contains(&name) || name.starts_with('.') || is_leftover(name) || !entry.counts();
        if let Some(directory) = directory_of_program(entry, legacy) {
            let message = format!("is not used: programs of this kind belong in `{directory}/`");
            let finding = Finding::new(code::ENTRY_UNKNOWN, &entry.path, message);
            findings.push(finding.hint(Some(format!("move it to `{directory}/{name}`"))));
            continue;
        }
        // Any other program or a picture at the top is a working file of the author; only
        // directories and settings look like parts.
        let looks_like_a_part =
            entry.kind == Kind::Folder || matches!(entry.extension(), "yaml" | "yml" | "ini");
        if is_known || !looks_like_a_part {
            continue;
        }
        let renamed = RENAMED
            .iter()
            .find_map(|(current, old)| match (legacy, name) {
                (true, name) if name == *current => Some((*old, "2025-09", "legacy")),
                (false, name) if name == *old => Some((*current, "legacy", "2025-09")),
                _ => None,
            });
        let finding = match renamed {
            Some((here, there, format)) => {
                let message = format!(
                    "`{name}` is its name in format {there}; this package is of format {format}"
                );
                // A package without a format version is read as legacy, and its author may have
                // meant the current one.
                let hint = match subject.key("problem_format_version") {
                    None if legacy => {
                        "problem.yaml does not set `problem_format_version: 2025-09`".to_owned()
                    }
                    _ => format!("rename it to `{here}`"),
                };
                Finding::new(code::ENTRY_UNKNOWN, &entry.path, message).hint(Some(hint))
            }
            None => {
                let message = "not a part of a package, and ignored";
                let hint = did_you_mean(name, known.iter().copied());
                Finding::new(code::ENTRY_UNKNOWN, &entry.path, message).hint(hint)
            }
        };
        findings.push(finding);
    }
}

/// The directory for a program at the top of a package whose name states its role, such as
/// `output_validator.py`.
fn directory_of_program(entry: &Entry, legacy: bool) -> Option<&'static str> {
    const PROGRAMS: [&str; 6] = ["py", "cpp", "cc", "java", "rs", "c"];
    if !matches!(entry.kind, Kind::File(_)) || !PROGRAMS.contains(&entry.extension()) {
        return None;
    }
    let (stem, _) = entry.name().rsplit_once('.')?;
    match stem.to_ascii_lowercase().replace('-', "_").as_str() {
        "output_validator" | "output_validators" | "checker" | "interactor" => Some(match legacy {
            true => "output_validators",
            false => "output_validator",
        }),
        "input_validator" | "input_validators" => Some("input_validators"),
        "generator" | "generators" => Some("generators"),
        _ => None,
    }
}

fn check_name(entry: &Entry, findings: &mut Findings) {
    let name = entry.name();
    if is_leftover(name) {
        findings.add(
            code::LEFTOVER,
            &entry.path,
            "looks like a leftover of a tool",
        );
    } else if !names::counts(name) && !HIDDEN.contains(&name) {
        findings.push(invalid_name(&entry.path));
    }
}

/// Source: legacy-icpc, "General Requirements": `[a-zA-Z0-9][a-zA-Z0-9_.-]{0,253}[a-zA-Z0-9]`.
fn check_icpc_name(entry: &Entry, findings: &mut Findings) {
    let name = entry.name();
    let plain = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let strict = name.len() >= 2 && plain(name.bytes().next()) && plain(name.bytes().last());
    if names::counts(name) && !strict && !is_leftover(name) {
        let message =
            "expected at least two characters, the first and the last a letter or a digit";
        findings.add(code::NAME_NOT_ICPC, &entry.path, message);
    }
}

/// Files that compilers, interpreters, editors and systems leave behind.
fn is_leftover(name: &str) -> bool {
    const NAMES: [&str; 7] = [
        "__pycache__",
        ".DS_Store",
        "Thumbs.db",
        "a.out",
        "core",
        "node_modules",
        "desktop.ini",
    ];
    const ENDS: [&str; 9] = [
        ".pyc", ".class", ".o", ".obj", ".exe", ".orig", ".rej", ".swp", "~",
    ];
    NAMES.contains(&name)
        || ENDS
            .iter()
            .any(|end| name.len() > end.len() && name.ends_with(end))
}

/// Source: 2025-09, "General Requirements": links lead to files of the package.
fn check_link(subject: &Subject<'_>, entry: &Entry, target: &Path, findings: &mut Findings) {
    let shown = target.display();
    if !entry.path.exists() {
        findings.add(
            code::LINK_DANGLING,
            &entry.path,
            format!("leads nowhere: `{shown}`"),
        );
        return;
    }
    let outside = target.is_absolute() || leaves(entry.parent(), target);
    let root = subject.directory.canonicalize();
    let root = root.as_deref().unwrap_or(subject.directory);
    let real = entry.path.canonicalize();
    if outside || !real.is_ok_and(|real| real.starts_with(root)) {
        findings.add(
            code::LINK_OUTSIDE,
            &entry.path,
            format!("leaves the package: `{shown}`"),
        );
    }
}

/// Returns true when a relative path, seen from a directory of the package, passes through a
/// directory above the package.
fn leaves(from: &str, target: &Path) -> bool {
    let mut depth = from.split_terminator('/').count();
    for component in target.components() {
        match component {
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
    }
    false
}

fn check_case(subject: &Subject<'_>, findings: &mut Findings) {
    let mut seen: BTreeMap<String, &PathBuf> = BTreeMap::new();
    for entry in &subject.entries {
        if let Some(first) = seen.insert(entry.id.to_lowercase(), &entry.path) {
            let first = first.file_name().unwrap_or_default().display();
            let message = format!("differs from `{first}` only in letter case");
            findings.add(code::NAMES_DIFFER_IN_CASE, &entry.path, message);
        }
    }
}

/// Source: 2025-09, "Programs": `build` and `run` are executable.
fn check_script(entry: &Entry, findings: &mut Findings) {
    use std::os::unix::fs::PermissionsExt;
    let places = [
        "input_validators",
        "output_validator",
        "output_validators",
        "graders",
        "static_validator",
        "generators",
    ];
    let is_script = matches!(entry.name(), "build" | "run")
        && matches!(entry.kind, Kind::File(_))
        && places.iter().any(|place| entry.is_in(place));
    let is_executable = |metadata: Metadata| metadata.permissions().mode() & 0o111 != 0;
    if is_script
        && entry
            .path
            .metadata()
            .is_ok_and(|found| !is_executable(found))
    {
        findings.add(
            code::SCRIPT_NOT_EXECUTABLE,
            &entry.path,
            "is not executable",
        );
    }
}
