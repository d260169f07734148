//! The changes that would put new data in place.
//!
//! Responsible for comparing the generated data, the data of the package and the lock file. Pure.
//! Must not touch any file.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::lock::{HAND_WRITTEN, Lock};
use crate::files::reading::{Content, case_of};

/// The kind of change to a test case, or to another file of `data/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ChangeKind {
    /// The test case is new.
    Added,
    /// The test case existed with the same files, under another name.
    Renamed,
    /// The test case is no longer planned.
    Removed,
    /// The input is different.
    InputChanged,
    /// The input is the same, but the answer is different.
    AnswerChanged,
    /// The test case had no answer.
    AnswerAdded,
    /// Another file of the test case is different.
    FilesChanged,
}

impl ChangeKind {
    /// The kind in words.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Renamed => "renamed",
            Self::Removed => "removed",
            Self::InputChanged => "input changed",
            Self::AnswerChanged => "answer changed",
            Self::AnswerAdded => "answer added",
            Self::FilesChanged => "files changed",
        }
    }
}

/// A change to a test case or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The id of the test case, or the path below `data/` of a file that belongs to none.
    pub(crate) id: String,
    /// The kind of change.
    pub(crate) kind: ChangeKind,
    /// The former id, if the test case was renamed.
    pub(crate) former: Option<String>,
}

impl Change {
    /// The test case in words.
    pub(crate) fn describe(&self) -> String {
        match &self.former {
            Some(former) => format!("{former} to {}", self.id),
            None => self.id.clone(),
        }
    }
}

/// The generated files by path, with their contents and origins.
pub(crate) type GeneratedFiles = BTreeMap<String, (Content, String)>;

/// The difference between the data of the package and the generated data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Files to be written: new ones, and ones that replace generated files.
    pub(crate) write: BTreeSet<String>,
    /// Files to be removed.
    pub(crate) remove: BTreeSet<String>,
    /// Files that were written by hand and would be overwritten.
    pub(crate) conflicts: Vec<String>,
    /// Files that are no longer planned, but were changed by hand after they were generated. They
    /// are kept.
    pub(crate) kept: Vec<String>,
    /// The changes to test cases, in order.
    pub(crate) changes: Vec<Change>,
    /// The lock file afterwards.
    pub(crate) lock: Lock,
}

/// Compares generated data with the data of the package. Test cases that are not selected are left
/// unchanged. `may_replace` is true for files that may be replaced even if they were written by
/// hand.
pub(crate) fn compare(
    generated: &GeneratedFiles,
    existing: &BTreeMap<String, Content>,
    lock: &Lock,
    is_selected: impl Fn(&str) -> bool,
    may_replace: impl Fn(&str) -> bool,
) -> Difference {
    let mut difference = Difference::default();
    for (path, (content, origin)) in generated {
        // Three states of a file are compared: as generated now, as it is in the package, and as
        // generated last according to the lock file. A file in the package that differs from the
        // last state was written or changed by hand.
        let origin = Some(origin.as_str()).filter(|origin| *origin != HAND_WRITTEN);
        match existing.get(path) {
            Some(found) if found == content => {}
            Some(found) if link_target(path, found, generated, existing) == Some(content) => {
                difference.lock.add(path, found.clone(), origin);
                continue;
            }
            Some(found) if lock.generated(path) != Some(found) && !may_replace(path) => {
                difference.conflicts.push(path.clone());
                continue;
            }
            _ => drop(difference.write.insert(path.clone())),
        }
        difference.lock.add(path, content.clone(), origin);
    }
    for (path, found) in existing
        .iter()
        .filter(|(path, _)| !generated.contains_key(*path))
    {
        let id = case_of(path).0;
        match lock.generated(path) {
            // A file that an earlier command generated and that is not selected now. Its entry is
            // kept: otherwise it would count as hand-written next time.
            Some(_) if !is_selected(id) => {
                let origin = lock.cases.get(id).map(|case| case.from.as_str());
                difference.lock.add(path, found.clone(), origin);
            }
            Some(content) if content == found => drop(difference.remove.insert(path.clone())),
            known => {
                // The rule was removed and the content was changed by hand. Keeping the change is
                // more important than a clean directory.
                if known.is_some() {
                    difference.kept.push(path.clone());
                }
                difference.lock.add(path, found.clone(), None);
            }
        }
    }
    difference.changes = merge_renames(changes(&difference, existing), generated, existing);
    difference
}

/// The content of a link's target: the generated data, or else the file in the package. `None` for
/// a file that is not a link, and for a link out of the data.
fn link_target<'a>(
    path: &str,
    found: &Content,
    generated: &'a GeneratedFiles,
    existing: &'a BTreeMap<String, Content>,
) -> Option<&'a Content> {
    let Content::Link { link } = found else {
        return None;
    };
    let mut target: Vec<&str> = path.split('/').collect();
    target.pop();
    for part in link.split('/') {
        match part {
            // A path above `data/` has nothing to compare with.
            ".." => drop(target.pop()?),
            "." => {}
            part => target.push(part),
        }
    }
    let target = target.join("/");
    generated
        .get(&target)
        .map(|(content, _)| content)
        .or_else(|| existing.get(&target))
}

fn changes(difference: &Difference, existing: &BTreeMap<String, Content>) -> Vec<Change> {
    let mut by_case: BTreeMap<&str, BTreeMap<&str, bool>> = BTreeMap::new();
    for (paths, is_written) in [(&difference.write, true), (&difference.remove, false)] {
        for path in paths {
            let (id, extension) = case_of(path);
            by_case.entry(id).or_default().insert(extension, is_written);
        }
    }
    let kind = |id: &str, files: &BTreeMap<&str, bool>| {
        // Files without a test case, such as `test_group.yaml`, have no extension here.
        let main = if files.contains_key("") { "" } else { ".in" };
        let had_input = existing.contains_key(&format!("{id}{main}"));
        let had_answer = existing.contains_key(&format!("{id}.ans"));
        match files.get(main) {
            Some(true) if !had_input => ChangeKind::Added,
            Some(false) => ChangeKind::Removed,
            Some(true) => ChangeKind::InputChanged,
            None if files.contains_key(".ans") && had_answer => ChangeKind::AnswerChanged,
            None if main == ".in" && files.contains_key(".ans") => ChangeKind::AnswerAdded,
            None => ChangeKind::FilesChanged,
        }
    };
    let change = |(id, files): (&&str, _)| Change {
        id: (*id).to_owned(),
        kind: kind(id, files),
        former: None,
    };
    by_case.iter().map(change).collect()
}

/// Merges changes: a test case that is removed and one that is added with exactly the same files
/// become one that is renamed.
fn merge_renames(
    changes: Vec<Change>,
    generated: &GeneratedFiles,
    existing: &BTreeMap<String, Content>,
) -> Vec<Change> {
    fn by_case<'a>(
        files: impl Iterator<Item = (&'a String, &'a Content)>,
    ) -> BTreeMap<&'a str, Vec<(&'a str, &'a Content)>> {
        let mut cases: BTreeMap<&str, Vec<(&str, &Content)>> = BTreeMap::new();
        for (path, content) in files {
            let (id, extension) = case_of(path);
            cases.entry(id).or_default().push((extension, content));
        }
        cases
    }
    let (generated, existing) = (
        by_case(generated.iter().map(|(path, (content, _))| (path, content))),
        by_case(existing.iter()),
    );
    let of_kind = |kind| {
        let changes = changes.iter().filter(move |change| change.kind == kind);
        changes.map(|change| change.id.as_str())
    };
    let mut removed: Vec<&str> = of_kind(ChangeKind::Removed).collect();
    let mut former: BTreeMap<String, String> = BTreeMap::new();
    for added in of_kind(ChangeKind::Added) {
        let files = generated.get(added);
        // Each removed case is used once: of two equal cases, one may be renamed and the other
        // removed.
        if let Some(place) = removed
            .iter()
            .position(|id| files.is_some() && existing.get(*id) == files)
        {
            former.insert(added.to_owned(), removed.remove(place).to_owned());
        }
    }
    let renamed_ids: BTreeSet<String> = former.values().cloned().collect();
    let renamed = changes
        .into_iter()
        .filter(|change| !renamed_ids.contains(&change.id))
        .map(|change| match former.get(&change.id) {
            Some(known) => Change {
                kind: ChangeKind::Renamed,
                former: Some(known.clone()),
                ..change
            },
            None => change,
        });
    renamed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        Content::from_bytes(text.as_bytes())
    }

    fn generated(files: &[(&str, &str)]) -> GeneratedFiles {
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (content(text), "text".to_owned())))
            .collect()
    }

    fn existing(files: &[(&str, &str)]) -> BTreeMap<String, Content> {
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), content(text)))
            .collect()
    }

    fn kinds_of(difference: &Difference) -> Vec<(&str, ChangeKind)> {
        difference
            .changes
            .iter()
            .map(|change| (change.id.as_str(), change.kind))
            .collect()
    }

    /// The lock after these files were generated.
    fn locked(files: &[(&str, &str)]) -> Lock {
        compare(
            &generated(files),
            &BTreeMap::new(),
            &Lock::default(),
            |_| true,
            |_| false,
        )
        .lock
    }

    #[test]
    fn kinds_of_changes_are_distinguished() {
        let before = [
            ("s/a.in", "1"),
            ("s/a.ans", "1"),
            ("s/b.in", "2"),
            ("s/c.in", "3"),
            ("s/c.ans", "3"),
            ("s/d.in", "4"),
        ];
        let after = [
            ("s/a.in", "1"),
            ("s/a.ans", "x"),
            ("s/b.in", "y"),
            ("s/c.in", "3"),
            ("s/c.ans", "3"),
            ("s/e.in", "5"),
            ("s/c.yaml", ""),
        ];
        let difference = compare(
            &generated(&after),
            &existing(&before),
            &locked(&before),
            |_| true,
            |_| false,
        );
        use ChangeKind::{Added, AnswerChanged, FilesChanged, InputChanged, Removed};
        let expected = [
            ("s/a", AnswerChanged),
            ("s/b", InputChanged),
            ("s/c", FilesChanged),
            ("s/d", Removed),
            ("s/e", Added),
        ];
        assert_eq!(kinds_of(&difference), expected);
        assert_eq!(difference.lock, locked(&after));
        // The second time, nothing changes.
        let again = compare(
            &generated(&after),
            &existing(&after),
            &difference.lock,
            |_| true,
            |_| false,
        );
        assert!(kinds_of(&again).is_empty());
        assert_eq!(again.lock, difference.lock);
    }

    #[test]
    fn identical_files_under_another_name_count_as_renamed() {
        let before = [
            ("s/1.in", "1"),
            ("s/1.ans", "2"),
            ("s/2.in", "3"),
            ("s/3.in", "4"),
        ];
        let after = [
            ("s/01.in", "1"),
            ("s/01.ans", "2"),
            ("s/02.in", "other"),
            ("s/03.in", "4"),
            ("s/04.in", "4"),
        ];
        let difference = compare(
            &generated(&after),
            &existing(&before),
            &locked(&before),
            |_| true,
            |_| false,
        );
        use ChangeKind::{Added, Removed, Renamed};
        let expected = [
            ("s/01", Renamed),
            ("s/02", Added),
            ("s/03", Renamed),
            ("s/04", Added),
            ("s/2", Removed),
        ];
        assert_eq!(kinds_of(&difference), expected);
        assert_eq!(difference.changes[0].former.as_deref(), Some("s/1"));
    }

    #[test]
    fn hand_written_files_are_kept() {
        let hand = [("s/a.in", "mine"), ("s/b.in", "mine")];
        let difference = compare(
            &generated(&[("s/a.in", "1")]),
            &existing(&hand),
            &Lock::default(),
            |_| true,
            |_| false,
        );
        assert_eq!(difference.conflicts, ["s/a.in"]);
        assert!(difference.write.is_empty() && difference.remove.is_empty());
        // A file that was generated and then changed by hand.
        let lock = locked(&[("s/a.in", "1"), ("s/b.in", "2")]);
        let difference = compare(
            &generated(&[("s/a.in", "3")]),
            &existing(&hand),
            &lock,
            |_| true,
            |_| false,
        );
        assert_eq!(
            (difference.conflicts, difference.kept),
            (vec!["s/a.in".to_owned()], vec!["s/b.in".to_owned()])
        );
        assert_eq!(difference.lock.cases["s/b"].from, HAND_WRITTEN);
        // With consent, the file is overwritten.
        let difference = compare(
            &generated(&[("s/a.in", "3")]),
            &existing(&hand),
            &lock,
            |_| true,
            |path| path == "s/a.in",
        );
        assert_eq!(
            (
                difference.conflicts.len(),
                difference.write.contains("s/a.in")
            ),
            (0, true)
        );
        // A file with the same bytes is not an obstacle, and counts as generated from now on.
        let difference = compare(
            &generated(&[("s/a.in", "mine")]),
            &existing(&hand[..1]),
            &Lock::default(),
            |_| true,
            |_| false,
        );
        assert!(kinds_of(&difference).is_empty() && difference.conflicts.is_empty());
        assert_eq!(difference.lock.generated("s/a.in"), Some(&content("mine")));
    }

    #[test]
    fn links_to_equal_data_are_not_conflicts() {
        let link = |target: &str| Content::Link {
            link: target.to_owned(),
        };
        let with_link = |target: &str| {
            let mut files = existing(&[("sample/1.in", "1")]);
            files.insert("secret/g/1.in".to_owned(), link(target));
            files
        };
        let after = generated(&[("sample/1.in", "1"), ("secret/g/1.in", "1")]);
        let difference = compare(
            &after,
            &with_link("../../sample/1.in"),
            &Lock::default(),
            |_| true,
            |_| false,
        );
        assert!(kinds_of(&difference).is_empty() && difference.conflicts.is_empty());
        assert_eq!(
            difference.lock.generated("secret/g/1.in"),
            Some(&link("../../sample/1.in"))
        );
        // When the target of a link changes, the link becomes a file.
        let lock = difference.lock;
        let after = generated(&[("sample/1.in", "2"), ("secret/g/1.in", "1")]);
        let difference = compare(
            &after,
            &with_link("../../sample/1.in"),
            &lock,
            |_| true,
            |_| false,
        );
        assert!(difference.conflicts.is_empty() && difference.write.contains("secret/g/1.in"));
        for other in [
            "../../sample/2.in",
            "/sample/1.in",
            "../../../sample/1.in",
            "../1.in",
        ] {
            let difference = compare(
                &after,
                &with_link(other),
                &Lock::default(),
                |_| true,
                |_| false,
            );
            assert!(
                difference.conflicts.contains(&"secret/g/1.in".to_owned()),
                "{other}"
            );
        }
    }

    #[test]
    fn unselected_test_cases_are_unchanged() {
        let before = [("s/a.in", "1"), ("s/b.in", "2")];
        let difference = compare(
            &generated(&[("s/a.in", "x")]),
            &existing(&before),
            &locked(&before),
            |id| id == "s/a",
            |_| false,
        );
        assert_eq!(kinds_of(&difference), [("s/a", ChangeKind::InputChanged)]);
        assert_eq!(difference.lock.generated("s/b.in"), Some(&content("2")));
    }
}
