//! The submissions of an imported package, and their expectations.
//!
//! Responsible for their names and for the groups that expectations name. Must not know the points
//! of groups.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judge_event::Part;

use super::Draft;
use super::naming::{is_identifier, safe_name};
use super::parts::Expectation;

impl Draft {
    /// Puts a submission into one of the directories below `submissions`, and returns its name
    /// there.
    pub(crate) fn put_submission(
        &mut self,
        directory: &str,
        file: &Path,
        mut expected: Expectation,
    ) -> String {
        let name = safe_name(&file.file_name().unwrap_or_default().to_string_lossy());
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let grader = self.java_grader().filter(|_| extension == "java");
        // Java requires the class in a file of its name, and a grader refers to it by the name of
        // the problem.
        let class = grader
            .as_ref()
            .map(|_| self.name.clone())
            .filter(|name| is_identifier(name) && name != stem);
        let ending = if extension.is_empty() || class.is_some() {
            String::new()
        } else {
            format!(".{extension}")
        };
        let numbered = |number: u32| match number {
            1 => format!("{directory}/{stem}{ending}"),
            number => format!("{directory}/{stem}-{number}{ending}"),
        };
        let is_free = |id: &String| match &class {
            Some(class) => !self.has(&format!("submissions/{id}/{class}.java")),
            None => !self.has(&format!("submissions/{id}")),
        };
        let id = (1..).map(numbered).find(is_free).unwrap_or_default();
        let file_in_directory = class
            .map(|class| format!("/{class}.java"))
            .unwrap_or_default();
        self.copy(format!("submissions/{id}{file_in_directory}"), file);
        expected.entrypoint = expected.entrypoint.take().or(grader);
        if expected != Expectation::default() {
            self.submissions.insert(id.clone(), expected);
        }
        id
    }

    /// Puts a submission of which a source states the expectations: into `accepted` if it is right
    /// everywhere, and otherwise into `mixed`. `origin` is where they are stated. Returns its name.
    pub(crate) fn put_stated_submission(
        &mut self,
        file: &str,
        is_right: bool,
        expected: Expectation,
        origin: &str,
    ) -> String {
        let directory = if is_right { "accepted" } else { "mixed" };
        let id = self.put_submission(directory, Path::new(file), expected);
        self.carried_at(Part::Solutions, file, format!("`{id}`, by {origin}"));
        id
    }

    /// Puts a submission of several files into one of the directories below `submissions`, and
    /// returns its name there.
    pub(crate) fn put_submission_directory(
        &mut self,
        directory: &str,
        name: &str,
        files: &[&Path],
        expected: Expectation,
    ) -> String {
        let id = format!("{directory}/{}", safe_name(name));
        for file in files {
            let file_name = safe_name(&file.file_name().unwrap_or_default().to_string_lossy());
            self.copy(format!("submissions/{id}/{file_name}"), *file);
        }
        if expected != Expectation::default() {
            self.submissions.insert(id.clone(), expected);
        }
        id
    }

    /// Sets the directories of the groups that expectations name. Expected scores are in points of
    /// the source, and are multiplied by `factor`.
    pub(crate) fn place_groups(
        &mut self,
        directories: &BTreeMap<String, Vec<String>>,
        factor: f64,
    ) {
        let mut unknown = Vec::new();
        for (id, expected) in &mut self.submissions {
            for (group, mut on_group) in std::mem::take(&mut expected.on_groups) {
                // An expected score of several groups together is not expected of any of them
                // alone.
                let places = directories
                    .get(&group)
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                let score = on_group.score.filter(|_| places.len() == 1);
                on_group.score = score.map(|score| score * factor);
                if places.is_empty() {
                    unknown.push(format!(
                        "the expectation of `{id}` on group `{group}`, which has no tests"
                    ));
                }
                expected
                    .groups
                    .extend(places.iter().map(|place| (place.clone(), on_group.clone())));
            }
        }
        for text in unknown {
            self.lost(Part::Solutions, text);
        }
    }

    /// Reports that an expectation about a submission has no equivalent in a package.
    pub(crate) fn report_lost_expectation(&mut self, id: &str, what: &str, file: &str) {
        let text = format!("the expectation of `{id}`: {what}, which packages cannot express");
        self.lost_at(Part::Solutions, file, text);
    }

    /// Returns the model solution.
    pub(crate) fn main_solution(&self) -> Option<&str> {
        self.submissions
            .iter()
            .find(|(_, expected)| expected.model_solution)
            .map(|(id, _)| id.as_str())
    }

    /// Drops expectations on groups that do not run, because a required group is expected to be
    /// rejected.
    pub(super) fn drop_unjudged(&mut self) {
        let mut dropped = Vec::new();
        for (id, expected) in &mut self.submissions {
            // Groups are in the order in which they run.
            let mut closed: BTreeSet<String> = BTreeSet::new();
            for (directory, group) in &self.groups {
                let is_closed = group
                    .require_pass
                    .iter()
                    .any(|needed| closed.contains(needed));
                let rule = expected.groups.get(directory);
                if is_closed && rule.is_some() {
                    expected.groups.remove(directory);
                    dropped.push(format!(
                        "the expectation of `{id}` on `{directory}`: the group does not run, since a required one fails"
                    ));
                }
                if is_closed
                    || expected
                        .groups
                        .get(directory)
                        .is_some_and(|rule| !rule.required.is_empty())
                {
                    closed.insert(directory.clone());
                }
            }
        }
        for text in dropped {
            self.changed(Part::Solutions, text);
        }
    }

    /// Returns the class of a Java grader, which is started instead of the submission.
    fn java_grader(&self) -> Option<String> {
        let mut graders = self
            .files
            .keys()
            .filter(|file| file.starts_with("include/java"));
        graders.find_map(|file| {
            let name = file.file_name()?.to_str()?;
            Some(name.strip_suffix(".java")?.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::parts::Content;
    use super::*;

    #[test]
    fn java_solutions_are_named_after_the_class_for_the_grader() {
        let mut draft = Draft {
            name: "cup".to_owned(),
            ..Draft::default()
        };
        let put = |draft: &mut Draft, file: &str| {
            draft.put_submission("accepted", Path::new(file), Expectation::default())
        };
        assert_eq!(
            put(&mut draft, "brute.java"),
            "accepted/brute.java",
            "no grader starts it"
        );
        draft.put(
            "include/java/grader.java",
            Content::from("class grader {}".to_owned()),
        );
        assert_eq!(put(&mut draft, "cup.java"), "accepted/cup.java");
        assert_eq!(put(&mut draft, "fast.java"), "accepted/fast");
        assert_eq!(put(&mut draft, "old/fast.java"), "accepted/fast-2");
        assert_eq!(put(&mut draft, "fast.cpp"), "accepted/fast.cpp");
        assert_eq!(
            draft.copies("submissions/accepted/fast-2/cup.java"),
            Some(Path::new("old/fast.java"))
        );
        assert_eq!(
            draft.submissions["accepted/fast"].entrypoint.as_deref(),
            Some("grader")
        );
    }
}
