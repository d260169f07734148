//! Checking a package without running anything: the findings of loading, and those of the other
//! checks of files.
//!
//! Responsible for putting both together: one walk over the package, each file read once, one list
//! of findings with stable codes. Must not run anything, nor decide the severity of a finding (see
//! `severity`).

mod bytes;
mod data;
mod entries;
mod findings;
mod groups;
mod included;
mod kattis;
mod layout;
mod metadata;
mod statement;
mod subject;
mod submissions;
mod text;

use std::collections::BTreeSet;
use std::path::Path;

use judge_package::{Finding, LoadedInPart, LoadedPackage, Workspace, load_in_part, normal};

use self::findings::Findings;
use self::subject::Subject;

/// The files of a package, checked.
#[derive(Clone, Debug)]
pub(crate) struct CheckedFiles {
    /// The package, if it can be loaded.
    pub(crate) loaded: Option<LoadedPackage>,
    /// The findings, in order of files and lines.
    pub(crate) findings: Vec<Finding>,
    /// The package's uuid, if it states one: no other package may have the same.
    pub(crate) uuid: Option<String>,
}

/// Loads and checks a package, with the submissions that the workspace has for it. Never fails:
/// faults are findings. `threads` is the number of files that may be read at a time.
pub(crate) fn check(directory: &Path, workspace: &Workspace, threads: usize) -> CheckedFiles {
    let directory = normal(directory).unwrap_or_else(|_| directory.to_owned());
    let LoadedInPart {
        loaded,
        errors: mut findings,
        warnings,
    } = load_in_part(&directory, workspace);
    let is_sound = findings.is_empty();
    findings.extend(warnings);
    let subject = Subject::new(&directory, loaded.as_ref(), threads);
    let mut more = Findings::default();
    layout::check(&subject, &mut more);
    text::check(&subject, &mut more);
    metadata::check(&subject, &mut more);
    kattis::check(&subject, &mut more);
    statement::check(&subject, &mut more);
    data::check(&subject, &mut more);
    groups::check(&subject, &mut more);
    included::check(&subject, &mut more);
    submissions::check(&subject, &mut more);
    let Findings(mut more) = more;
    // If loading and a check report the same code for a file, the finding of loading is kept, since
    // it states the consequences. If a message has the code of an area in one of them, the finding
    // with the specific code is kept.
    let known: BTreeSet<_> = findings
        .iter()
        .map(|finding| (finding.code.id(), finding.file.clone()))
        .collect();
    more.retain(|finding| !known.contains(&(finding.code.id(), finding.file.clone())));
    let again: BTreeSet<_> = more
        .iter()
        .map(|finding| (finding.file.clone(), finding.message.clone()))
        .collect();
    findings.retain(|finding| {
        finding.keeps_from_loading
            || !again.contains(&(finding.file.clone(), finding.message.clone()))
    });
    findings.extend(more);
    sort_by_place(&mut findings);
    let uuid = subject.text("uuid").map(|uuid| uuid.to_ascii_lowercase());
    CheckedFiles {
        loaded: loaded.filter(|_| is_sound),
        findings,
        uuid,
    }
}

/// Sorts findings by files, lines and columns; those about a whole file come first.
pub(crate) fn sort_by_place(findings: &mut [Finding]) {
    findings.sort_by_cached_key(|finding| (finding.file.clone(), finding.line, finding.column));
}

#[cfg(test)]
mod lint_tests;
#[cfg(test)]
mod loading_tests;
#[cfg(test)]
mod statement_tests;
