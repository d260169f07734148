//! Archives in 2025-09: the package itself, with everything that it needs.
//!
//! Responsible for making the archive self-contained: it includes submissions of the workspace, the
//! library of the judge, and limits that are not stated. Must not convert anything.

use std::io;
use std::path::Path;

use judge_event::Part;
use judge_model::{FormatVersion, OutputValidator, Problem};
use judge_package::yaml::Document;
use judge_package::{METADATA_FILE, Profile, names, read_text_within};

use super::archive::{Archive, files_below};
use super::metadata::common_limits;
use super::programs::testlib_protocol::{Role, translate};
use super::programs::{directory_name, main_file, packed_at, put_files, read_files};
use super::{PackTarget, Package, statement};
use crate::remarks::Remarks;

/// The directories of a package. Source: 2025-09, "Overview", and that of legacy.
const DIRECTORIES: [&str; 18] = [
    "attachments",
    "data",
    "generators",
    "graders",
    "include",
    "input_format_validators",
    "input_validators",
    "input_visualizer",
    "output_validator",
    "output_validators",
    "output_visualizer",
    "problem_statement",
    "solution",
    "statement",
    "static_validator",
    "submissions",
    "visualizers",
    "input_visualizers",
];
/// The directories whose entries are programs.
const PROGRAM_DIRECTORIES: [&str; 3] = ["generators", "input_validators", "output_validators"];
/// The directories that are programs themselves.
const PROGRAMS: [&str; 4] = [
    "output_validator",
    "static_validator",
    "input_visualizer",
    "output_visualizer",
];

/// The files next to these directories. Those without a meaning in 2025-09 have one in legacy
/// packages.
const FILES: [&str; 4] = [
    METADATA_FILE,
    ".timelimit",
    "domjudge-problem.ini",
    "problem.pdf",
];

pub(super) const TARGET: PackTarget = PackTarget {
    profile: Profile::Icpc,
    is_package: true,
    has_directory: true,
    accepts_tex: true,
    edition: Some("2018 by BAPCtools, and 2021 by problemtools"),
    ..PackTarget::new("icpc", "the package itself, self-contained", assemble)
};

/// Assembles the archive of a package in its own format.
fn assemble(package: &Package<'_>, remarks: &mut Remarks) -> io::Result<Archive> {
    let problem = &package.loaded.problem;
    let mut archive = Archive::default();
    if problem.format != FormatVersion::V2025_09 {
        let message = "is packed in the legacy format: tools that only read 2025-09 cannot read it";
        remarks.changed(Part::Metadata, METADATA_FILE, message);
    }
    for found in files_below(&problem.directory)? {
        // The rules of names also leave out what editors and version control add. `.timelimit`
        // begins with a dot, and still is a file that legacy judges read.
        if !found.name.split('/').all(names::counts) && found.name != ".timelimit" {
            continue;
        }
        match found.name.split_once('/') {
            Some((directory, _)) if !DIRECTORIES.contains(&directory) => {
                remarks.lost(
                    Part::Files,
                    directory,
                    "is left out: not a directory of the format",
                );
            }
            // For example an archive that was packed into the package earlier.
            None if !FILES.contains(&found.name.as_str()) => {
                remarks.lost(
                    Part::Files,
                    &found.name,
                    "is left out: not a file of the format",
                );
            }
            _ => archive.put_found(&found.name, &found),
        }
    }
    if package.wants_tex {
        statement::replace_by_tex(package, &mut archive, remarks);
    }
    put_programs(problem, &mut archive, remarks)?;
    put_solutions(problem, &mut archive, remarks)?;
    if problem.format == FormatVersion::V2025_09 {
        let text = read_text_within(&problem.directory.join(METADATA_FILE), 4 << 20)?;
        archive.put(
            METADATA_FILE,
            with_limits(&text, &stated_limits(problem), problem, remarks),
        );
    }
    Ok(archive)
}

/// Writes the library of the judge into the programs that use it.
fn put_programs(problem: &Problem, archive: &mut Archive, remarks: &mut Remarks) -> io::Result<()> {
    let mut programs: Vec<std::path::PathBuf> = PROGRAMS
        .iter()
        .map(|directory| problem.directory.join(directory))
        .filter(|path| path.is_dir())
        .collect();
    for directory in PROGRAM_DIRECTORIES {
        let Ok(entries) = std::fs::read_dir(problem.directory.join(directory)) else {
            continue;
        };
        programs.extend(entries.flatten().map(|entry| entry.path()));
    }
    programs.sort();
    for path in programs {
        let name = below(&path, &problem.directory);
        if !name.split('/').all(names::counts) || (names::is_header(&name) && path.is_file()) {
            continue;
        }
        let role = role_of(problem, &name);
        let main = main_of(problem, &path);
        let mut packed = packed_at(&path, main.as_deref(), &[])?;
        packed.report_library(&name, remarks);
        // testlib programs have their own exit codes, which this judge supports but others do not.
        let is_translated = role.is_some_and(|role| {
            let has_scripts = packed
                .files
                .iter()
                .any(|file| ["build", "run"].contains(&file.name.as_str()));
            translate(&mut packed, role, has_scripts, &name, remarks)
        });
        // Generators stay where `generators.yaml` names them.
        let is_moved = packed.needs_directory && role.is_some();
        if !packed.has_library && !is_translated && !is_moved {
            continue;
        }
        let parent = name.rsplit_once('/').map_or("", |(parent, _)| parent);
        let directory = if is_moved {
            format!("{parent}/{}", directory_name(&path)?)
        } else if path.is_dir() {
            name.clone()
        } else {
            parent.to_owned()
        };
        // Every other program that includes a header gets a copy of it too.
        for file in packed.files.iter().filter(|_| is_moved) {
            archive.remove(&format!("{parent}/{}", file.name));
        }
        put_files(packed.files, &directory, archive);
    }
    Ok(())
}

/// Returns the role of the program at a path, if it is a validator.
fn role_of(problem: &Problem, name: &str) -> Option<Role> {
    match name.split('/').next()? {
        "input_validators" => Some(Role::InputValidator),
        "output_validator" | "output_validators" if problem.interactive => Some(Role::Interactor),
        "output_validator" | "output_validators" => Some(Role::Checker),
        _ => None,
    }
}

fn below(path: &Path, directory: &Path) -> String {
    path.strip_prefix(directory)
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}

/// Returns the main file of a validator.
fn main_of(problem: &Problem, path: &Path) -> Option<String> {
    let outputs: &[_] = match &problem.output_validator {
        OutputValidator::Custom(programs) => programs,
        OutputValidator::Default => &[],
    };
    let mut known = problem
        .input_validators
        .iter()
        .chain(outputs)
        .chain(&problem.static_validator);
    let program = known.find(|program| program.path == path)?;
    main_file(program)
}

/// Adds the submissions of the workspace to those of the package.
fn put_solutions(
    problem: &Problem,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let mut rules: Option<std::path::PathBuf> = None;
    for submission in problem
        .submissions
        .iter()
        .filter(|submission| !submission.path.starts_with(&problem.directory))
    {
        let place = format!("submissions/{}", submission.id);
        let files = read_files(&submission.path, &[])?;
        if submission.path.is_dir() {
            put_files(files, &place, archive);
        } else {
            for file in files {
                archive.put_program(&place, file.bytes, file.executable);
            }
        }
        // `solutions/NAME/DIRECTORY/FILE`.
        rules = submission
            .path
            .ancestors()
            .nth(submission.id.matches('/').count() + 1)
            .map(|directory| directory.join("submissions.yaml"));
    }
    if let Some(rules) = rules.filter(|rules| rules.is_file()) {
        let place = "submissions/submissions.yaml";
        if archive.has(place) {
            remarks.refused(
                Part::Files,
                place,
                "exists in the package and in the solutions of the workspace; expected one of them",
            );
        } else {
            archive.put_file(place, &rules);
        }
    }
    Ok(())
}

/// Returns the text of `problem.yaml` with unstated limits added, since other judges have other
/// defaults.
fn with_limits(text: &str, stated: &[String], problem: &Problem, remarks: &mut Remarks) -> String {
    let mut missing = common_limits(&problem.limits);
    if problem.limits.time_limit.is_none() {
        let message =
            "states no `limits.time_limit`: each judge chooses its own; `judge run` suggests one";
        remarks.lost(Part::Limits, METADATA_FILE, message);
    }
    // Stated limits are never changed.
    missing.retain(|(key, _)| !stated.iter().any(|name| name == key));
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| {
        line.strip_prefix("limits:")
            .is_some_and(|rest| rest.trim().is_empty() || rest.trim_start().starts_with('#'))
    };
    let added = |indentation: &str| -> Vec<String> {
        missing
            .iter()
            .map(|(key, value)| format!("{indentation}{key}: {value}"))
            .collect()
    };
    // Lines are added to the text, so that the author's comments and order are kept.
    if let Some(at) = lines.iter().position(is_head) {
        // All keys of a YAML mapping must have the same indentation.
        let mut inside = lines[at + 1..]
            .iter()
            .take_while(|line| !line.starts_with(|c: char| !matches!(c, ' ' | '#')));
        let first =
            inside.find(|line| line.starts_with(' ') && !line.trim_start().starts_with('#'));
        let indentation = first.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
        let added = added(indentation);
        let all = lines[..=at]
            .iter()
            .copied()
            .chain(added.iter().map(String::as_str))
            .chain(lines[at + 1..].iter().copied());
        return all.collect::<Vec<_>>().join("\n") + "\n";
    }
    // Lines cannot be added to a mapping in braces or a document with an end marker.
    let is_in_braces = text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{');
    let has_end = lines.iter().any(|line| line.trim_end() == "...");
    if stated.is_empty() && !is_in_braces && !has_end && !mentions_limits(&lines) {
        return format!("{}\nlimits:\n{}\n", text.trim_end(), added("  ").join("\n"));
    }
    if !missing.is_empty() {
        let message = "does not state every limit, and has a form to which none can be added: write `limits:` on a separate line";
        remarks.lost(Part::Limits, METADATA_FILE, message);
    }
    text.to_owned()
}

/// True if `limits` is a key in another form, such as with quotes.
fn mentions_limits(lines: &[&str]) -> bool {
    lines.iter().any(|line| {
        let key = line.split(':').next().unwrap_or_default().trim_end();
        key.trim_matches(['"', '\'']) == "limits"
    })
}

/// Returns the names of the limits that a package states.
fn stated_limits(problem: &Problem) -> Vec<String> {
    let Ok(document) = Document::read(&problem.directory.join(METADATA_FILE)) else {
        return Vec::new();
    };
    let limits = document.root().entry("limits");
    let limits = limits.and_then(|limits| limits.entries());
    limits
        .unwrap_or_default()
        .into_iter()
        .map(|entry| entry.name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unstated_limits_are_added() {
        let mut problem = Problem::new("x", "x".into(), FormatVersion::V2025_09);
        problem.limits.memory_bytes = 512 << 20;
        let mut remarks = Remarks::default();
        let mut completed = |text: &str, stated: &[&str]| {
            let stated: Vec<String> = stated.iter().map(|name| (*name).to_owned()).collect();
            with_limits(text, &stated, &problem, &mut remarks)
        };
        let text = completed(
            "name: x\nlimits:\n    # slow\n    memory: 512\nkeywords: [a]\n",
            &["memory"],
        );
        assert!(
            text.contains("limits:\n    output: ")
                && text.ends_with("    # slow\n    memory: 512\nkeywords: [a]\n"),
            "{text}"
        );
        assert_eq!(text.matches("memory:").count(), 1 + 2, "{text}");
        assert!(
            completed("limits: # much\n  \"memory\": 512\n", &["memory"])
                .starts_with("limits: # much\n  output: ")
        );
        assert!(completed("name: x\n", &[]).contains("\nlimits:\n  memory: 512\n"));
        for (text, stated) in [
            ("limits: {memory: 5}\n", &["memory"][..]),
            ("\"limits\":\n  memory: 5\n", &["memory"]),
            ("limits: &l\n  memory: 5\n", &["memory"]),
            ("{name: x}\n", &[]),
            ("name: x\n...\n", &[]),
        ] {
            assert_eq!(completed(text, stated), text);
        }
        assert_eq!(
            remarks.into_worst_first().len(),
            2,
            "the time limit is missing, and nothing can be added to some forms"
        );
    }
}
