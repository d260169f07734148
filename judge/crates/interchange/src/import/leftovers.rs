//! Leftovers: parts of a source that the package format cannot express, or that the import changed.
//!
//! Responsible for reporting them: nothing is dropped silently. Must not know any format.

use std::collections::BTreeMap;
use std::path::Path;

use judge_event::Part;

use crate::Result;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, listed, plural};
use crate::import::draft::parts::Conflict;
use crate::import::source::Source;

/// Reports everything that the readers of formats do not report.
///
/// # Errors
/// If a file of the source cannot be read.
pub(crate) fn report(source: &Source, draft: &mut Draft) -> Result<()> {
    report_unused(source, draft);
    report_conflicts(source, draft)?;
    report_special_files(source, draft);
    report_letter_case(draft);
    report_encodings(source, draft)
}

/// Reports entries that are neither files nor directories.
fn report_special_files(source: &Source, draft: &mut Draft) {
    let mut by_kind: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, kind) in source.others() {
        by_kind
            .entry(kind)
            .or_default()
            .push(path.display().to_string());
    }
    for (kind, names) in by_kind {
        let each = plural(names.len(), "it is", "each is");
        let text = format!(
            "{} not imported, since {each} {kind} and not a file",
            listed(&names)
        );
        draft.lost(Part::Files, text);
    }
}

/// Reports files of the package whose names differ only in case: on case-insensitive file systems,
/// one replaces the other.
fn report_letter_case(draft: &mut Draft) {
    let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in draft.files().filter_map(Path::to_str) {
        alike
            .entry(file.to_ascii_lowercase())
            .or_default()
            .push(file.to_owned());
    }
    let alike: Vec<String> = alike
        .into_values()
        .filter(|files| files.len() > 1)
        .flatten()
        .collect();
    if !alike.is_empty() {
        let text = format!(
            "the names of {} differ only in case: case-insensitive file systems keep one of them",
            listed(&alike)
        );
        draft.changed(Part::Files, text);
    }
}

/// Reports statements that are not UTF-8, as packages require.
fn report_encodings(source: &Source, draft: &mut Draft) -> Result<()> {
    let is_text = |place: &&Path| {
        place.starts_with("statement")
            && place
                .extension()
                .is_some_and(|extension| extension == "md" || extension == "tex")
    };
    let texts: Vec<_> = draft
        .files()
        .filter(is_text)
        .filter_map(|place| draft.copies(place))
        .map(Path::to_owned)
        .collect();
    for file in texts {
        if source.text_if_readable(&file)?.is_none() {
            let name = file.display().to_string();
            let text = format!("`{name}` is not in UTF-8, which packages require: convert it");
            draft.lost_at(Part::Statement, &name, text);
        }
    }
    Ok(())
}

/// Reports files that are not in the package because another file with different content has their
/// name.
fn report_conflicts(source: &Source, draft: &mut Draft) -> Result<()> {
    for Conflict {
        place,
        former,
        other,
    } in draft.conflicts().to_vec()
    {
        // Formats keep copies of a file in several places. Leaving them out is not a loss.
        if source.bytes(&former)? != source.bytes(&other)? {
            let text = format!(
                "`{}` has the same name as `{}`, which is already `{}`",
                other.display(),
                former.display(),
                place.display()
            );
            draft.lost_at(Part::Files, &other.display().to_string(), text);
        }
    }
    Ok(())
}

/// Reports the files of the source that were not used, a few of them by name.
fn report_unused(source: &Source, draft: &mut Draft) {
    let unseen: Vec<String> = source
        .files()
        .filter(|file| !draft.is_used(file))
        .map(|file| file.display().to_string())
        .collect();
    if unseen.is_empty() {
        return;
    }
    let (files, them) = (
        counted(unseen.len(), "file"),
        plural(unseen.len(), "it", "them"),
    );
    draft.lost(
        Part::Files,
        format!(
            "{files} not imported, since nothing refers to {them}: {}",
            listed(&unseen)
        ),
    );
}
