//! Checking a package without running anything: what loading finds, and what only looking closely finds.
//!
//! Responsible for putting both together: one walk over the package, each file read once, one list of findings with
//! stable codes. Must not run anything, nor decide how much a finding weighs (see `profile`).

mod bytes;
mod data;
mod files;
mod finding;
mod groups;
mod included;
mod layout;
mod metadata;
mod profile;
mod settings;
mod statement;
mod subject;
mod submissions;
mod text;

use std::collections::BTreeSet;
use std::path::Path;

pub use self::finding::Finding;
pub use self::profile::{Profile, UnknownProfile};
pub use self::settings::{CheckSettings, Silencing};

use self::subject::Subject;
use crate::load::{LoadedPackage, attempt};
use crate::workspace::{Workspace, normal};

/// What checking a package has come to.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The package, if it can be judged.
    pub loaded: Option<LoadedPackage>,
    /// What was found: first what keeps it from being loaded, then the rest in order of files and lines.
    pub findings: Vec<Finding>,
    /// Its uuid, if it states one: no other package may have it.
    pub uuid: Option<String>,
}

/// Loads a package and looks at it closely, with the submissions that the workspace has for it. Never fails: what is
/// wrong is a finding. `threads` is how many files may be read at a time.
#[must_use]
pub fn check(directory: &Path, workspace: &Workspace, threads: usize) -> Checked {
    let directory = normal(directory).unwrap_or_else(|_| directory.to_owned());
    let (loaded, found) = attempt(&directory, workspace);
    let (errors, warnings) = found.into_parts();
    let is_sound = errors.is_empty();
    let mut findings: Vec<Finding> = errors.into_iter().map(Finding::from).collect();
    findings.extend(warnings.into_iter().map(Finding::from));
    let subject = Subject::new(&directory, loaded.as_ref(), threads);
    let mut more = Vec::new();
    layout::check(&subject, &mut more);
    text::check(&subject, &mut more);
    metadata::check(&subject, &mut more);
    statement::check(&subject, &mut more);
    data::check(&subject, &mut more);
    groups::check(&subject, &mut more);
    included::check(&subject, &mut more);
    submissions::check(&subject, &mut more);
    // What loading says of a place with a code of its own it says better: it knows what follows. The same words under
    // the code of an area say less.
    let told: BTreeSet<_> = findings.iter().map(|finding| (finding.code.id(), finding.file.clone())).collect();
    more.retain(|finding| !told.contains(&(finding.code.id(), finding.file.clone())));
    let again: BTreeSet<_> = more.iter().map(|finding| (finding.file.clone(), finding.message.clone())).collect();
    findings.retain(|finding| {
        finding.keeps_from_loading || !again.contains(&(finding.file.clone(), finding.message.clone()))
    });
    findings.extend(more);
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| (!finding.keeps_from_loading, finding.file.clone(), finding.line);
        key(a).cmp(&key(b))
    });
    let uuid = subject.uuid();
    Checked { loaded: loaded.filter(|_| is_sound), findings, uuid }
}

#[cfg(test)]
mod lint_tests;
#[cfg(test)]
mod loading_tests;
