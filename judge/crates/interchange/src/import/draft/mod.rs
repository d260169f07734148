//! The package that an import creates, before it is written.
//!
//! Responsible for the contents of a package of format 2025-09 and for its files. Must not know any
//! other format, or the target of the package.

pub(crate) mod metadata;
pub(crate) mod naming;
pub(crate) mod parts;
mod submissions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part, Remark};
use judge_package::yaml::to_text;
use judge_package::{GENERATORS_FILE, MIN_MEMORY_MIB, NAMED_FILES, names};

use crate::import::draft::metadata::{Metadata, metadata_text, named_files_text};
use crate::import::draft::naming::safe_name;
use crate::import::draft::parts::{Aggregation, Conflict, Content, Expectation, Group};
use crate::import::rules::DataRules;
use crate::remarks::Remarks;

/// The maximum time limit that is imported, in seconds.
const MAX_SECONDS: f64 = 3600.0;
/// The maximum memory or output limit that is imported, in MiB.
const MAX_MEBIBYTES: u64 = 1 << 20;

/// A package that is being created.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The name of the problem in its source, which need not be valid for a package.
    pub(crate) name: String,
    pub(crate) metadata: Metadata,
    /// True if an input is not in the source and has to be generated.
    pub(crate) has_missing_inputs: bool,
    /// True if the output validator gives partial points.
    pub(crate) gives_shares: bool,
    /// The arguments of the output validator for every test case.
    pub(crate) output_validator_args: Vec<String>,
    /// The arguments of submissions on every test case.
    pub(crate) args: Vec<String>,
    /// Submissions by their paths below `submissions`, with the expectations that their directories
    /// do not imply.
    submissions: BTreeMap<String, Expectation>,
    /// Groups by their directories below `data`.
    groups: BTreeMap<String, Group>,
    files: BTreeMap<PathBuf, Content>,
    /// Tests that are not generated, for the directory of generators.
    manual: BTreeMap<PathBuf, Content>,
    /// The rules that generate the data.
    rules: Option<DataRules>,
    remarks: Remarks,
    conflicts: Vec<Conflict>,
    /// Files of the source that were used, or are known to be irrelevant.
    used: BTreeSet<PathBuf>,
}

impl Draft {
    /// Adds a remark about a part of the problem.
    pub(crate) fn report(&mut self, fate: Fate, part: Part, text: impl Into<String>) {
        self.remarks.add(fate, part, "", text);
    }

    /// Adds a remark with a place in the source.
    pub(crate) fn report_at(
        &mut self,
        fate: Fate,
        part: Part,
        place: &str,
        text: impl Into<String>,
    ) {
        self.remarks.add(fate, part, place, text);
    }

    /// Reports a part that is in the package with the same meaning.
    pub(crate) fn carried(&mut self, part: Part, text: impl Into<String>) {
        self.remarks.add(Fate::Carried, part, "", text);
    }

    /// Reports a part that is in the package with the same meaning, with its place in the source.
    pub(crate) fn carried_at(&mut self, part: Part, place: &str, text: impl Into<String>) {
        self.remarks.add(Fate::Carried, part, place, text);
    }

    /// Reports a part that is in the package in another form.
    pub(crate) fn changed(&mut self, part: Part, text: impl Into<String>) {
        self.remarks.changed(part, "", text);
    }

    /// Reports a part that is in the package in another form, with its place in the source.
    pub(crate) fn changed_at(&mut self, part: Part, place: &str, text: impl Into<String>) {
        self.remarks.changed(part, place, text);
    }

    /// Reports a part that is not in the package.
    pub(crate) fn lost(&mut self, part: Part, text: impl Into<String>) {
        self.remarks.lost(part, "", text);
    }

    /// Reports a part that is not in the package, with its place in the source.
    pub(crate) fn lost_at(&mut self, part: Part, place: &str, text: impl Into<String>) {
        self.remarks.lost(part, place, text);
    }

    /// Puts a file into the package.
    pub(crate) fn put(&mut self, place: impl Into<PathBuf>, content: impl Into<Content>) {
        let content = content.into();
        let place = place.into();
        if let Content::Copy(file) | Content::WithoutCarriageReturns(file) = &content {
            self.used.insert(file.clone());
            if let Some(former) = self
                .files
                .get(&place)
                .and_then(Content::copied)
                .filter(|former| *former != file)
            {
                self.conflicts.push(Conflict {
                    place,
                    former: former.to_owned(),
                    other: file.clone(),
                });
                return;
            }
        }
        self.files.insert(place, content);
    }

    /// Puts a copy of a file of the source into the package.
    pub(crate) fn copy(&mut self, place: impl Into<PathBuf>, file: impl Into<PathBuf>) {
        self.put(place, Content::Copy(file.into()));
    }

    /// True if the package already has this file.
    pub(crate) fn has(&self, place: &str) -> bool {
        self.files.contains_key(Path::new(place))
    }

    /// Returns the file of the source that a file of the package copies.
    pub(crate) fn copies(&self, place: impl AsRef<Path>) -> Option<&Path> {
        self.files.get(place.as_ref())?.copied()
    }

    /// The files of the package so far.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Files of the source that are not in the package, since another file has their place.
    pub(crate) fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Puts a file for contestants into the package, under another name if necessary.
    pub(crate) fn put_attachment(&mut self, file: &str) {
        let name = safe_name(file.rsplit('/').next().unwrap_or(file));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let numbered = |number: u32| match number {
            1 => format!("attachments/{name}"),
            number if extension.is_empty() => format!("attachments/{stem}-{number}"),
            number => format!("attachments/{stem}-{number}.{extension}"),
        };
        let place = (1..)
            .map(numbered)
            .find(|place| !self.has(place))
            .unwrap_or_default();
        self.copy(&place, file);
        self.carried_at(
            Part::Attachments,
            file,
            format!("`{}`", &place["attachments/".len()..]),
        );
    }

    /// Sets the file that replaces standard input or output of submissions. An invalid name is
    /// reported.
    pub(crate) fn name_file(&mut self, is_input: bool, name: String) {
        let what = if is_input { "input" } else { "output" };
        if !names::counts(&name) {
            self.lost(
                Part::Limits,
                format!("the {what} file `{name}`, whose name is not valid in a package"),
            );
            return;
        }
        self.changed(
            Part::Limits,
            format!("the {what} file `{name}`, in `{NAMED_FILES}`, which only `judge` reads"),
        );
        *if is_input {
            &mut self.metadata.input_file
        } else {
            &mut self.metadata.output_file
        } = Some(name);
    }

    /// Sets the English name of the problem, if it is known.
    pub(crate) fn set_title(&mut self, title: Option<String>) {
        let names = &mut self.metadata.names;
        names.extend(title.map(|title| ("en".to_owned(), title)));
    }

    /// Marks a file of the source as used or irrelevant.
    pub(crate) fn mark_used(&mut self, file: impl Into<PathBuf>) {
        self.used.insert(file.into());
    }

    /// Marks several files of the source as used or irrelevant.
    pub(crate) fn mark_all_used(&mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) {
        self.used.extend(files.into_iter().map(Into::into));
    }

    /// True if a file of the source was used or is irrelevant.
    pub(crate) fn is_used(&self, file: &Path) -> bool {
        self.used.contains(file)
    }

    /// Puts a test case at a place below `data`, such as `secret/03`.
    pub(crate) fn put_test(&mut self, place: &str, input: Content, answer: Option<Content>) {
        self.put(format!("data/{place}.in"), input);
        if let Some(answer) = answer {
            self.put(format!("data/{place}.ans"), answer);
        }
    }

    /// True if there is any part of a problem: test cases, generators, programs, a statement.
    pub(crate) fn has_parts(&self) -> bool {
        const PARTS: [&str; 6] = [
            "data",
            "submissions",
            "statement",
            "generators",
            "input_validators",
            "output_validator",
        ];
        self.has_missing_inputs
            || self
                .files()
                .any(|file| PARTS.into_iter().any(|part| file.starts_with(part)))
    }

    /// Returns the number of test cases with an input.
    pub(crate) fn inputs(&self) -> usize {
        let is_input = |file: &&PathBuf| {
            file.starts_with("data") && file.extension().is_some_and(|extension| extension == "in")
        };
        self.files.keys().filter(is_input).count()
    }

    /// Keeps a test that is not generated, so that rules can copy it.
    pub(crate) fn keep_manual(&mut self, place: String, content: Content) {
        self.manual.insert(place.into(), content);
    }

    /// Puts the rules that generate the data, with the tests that they copy. [`Self::finish`] adds
    /// the groups.
    pub(crate) fn put_rules(&mut self, rules: DataRules) {
        self.files.append(&mut self.manual);
        self.rules = Some(rules);
    }

    /// Sets the group of a directory of test cases.
    pub(crate) fn put_group(&mut self, directory: &str, group: Group) {
        self.groups.insert(directory.to_owned(), group);
    }

    /// Adds a name in each language of the statements: the English one, or the first one.
    fn name_all_languages(&mut self) {
        let of_statement = |file: &PathBuf| {
            let name = file
                .strip_prefix("statement")
                .ok()?
                .to_str()?
                .strip_prefix("problem.")?
                .to_owned();
            Some(name.split_once('.')?.0.to_owned())
        };
        // The format requires a name in each language that has a statement, but other formats often
        // have only one name.
        let names = &self.metadata.names;
        let known = names
            .get("en")
            .or_else(|| names.values().next())
            .unwrap_or(&self.name)
            .clone();
        for language in self
            .files
            .keys()
            .filter_map(of_statement)
            .collect::<BTreeSet<_>>()
        {
            self.metadata
                .names
                .entry(language)
                .or_insert_with(|| known.clone());
        }
    }

    /// If the output validator gives partial points, lets groups take the minimum of their test
    /// cases: an all-or-nothing group would lose partial points. Such groups cannot be required by
    /// others (2025-09, "Test Groups").
    fn count_shares(&mut self) {
        if !self.gives_shares || !self.metadata.scoring {
            return;
        }
        let mut lost = Vec::new();
        for (directory, group) in &mut self.groups {
            if group.score_aggregation == Some(Aggregation::PassFail) {
                group.score_aggregation = Some(Aggregation::Min);
            }
            for needed in std::mem::take(&mut group.require_pass) {
                lost.push(format!(
                    "`{directory}` requires `{needed}`, whose test cases give partial points: groups cannot require it"
                ));
            }
        }
        for text in lost {
            self.lost(Part::Groups, text);
        }
    }

    /// Drops limits beyond all bounds, and raises a memory limit in which no program can start,
    /// which packages must not state.
    fn bound_limits(&mut self) {
        if let Some(time) = self
            .metadata
            .time_limit
            .take_if(|time| !(*time > 0.0 && *time <= MAX_SECONDS))
        {
            self.lost(
                Part::Limits,
                format!("the time limit of {time:e} s, which is more than an hour"),
            );
        }
        // A limit that was refused above or by the importer is missing for a reason that is already
        // reported.
        let is_reported = self.remarks.has(Fate::Lost, Part::Limits);
        if self.metadata.time_limit.is_none() && !is_reported && !self.metadata.submit_answer {
            self.lost(
                Part::Limits,
                "no time limit: add `limits.time_limit` to problem.yaml",
            );
        }
        let metadata = &mut self.metadata;
        for (what, limit) in [
            ("memory", &mut metadata.memory),
            ("output", &mut metadata.output),
        ] {
            if let Some(size) = limit.take_if(|size| *size > MAX_MEBIBYTES) {
                let text = format!("the {what} limit of {size} MiB, which is more than 1 TiB");
                self.remarks.lost(Part::Limits, "", text);
            }
        }
        if let Some(memory) = self
            .metadata
            .memory
            .as_mut()
            .filter(|memory| **memory < MIN_MEMORY_MIB)
        {
            let text = format!(
                "memory: {MIN_MEMORY_MIB} MiB instead of {memory} MiB, in which no program can start"
            );
            *memory = MIN_MEMORY_MIB;
            self.changed(Part::Limits, text);
        }
    }

    /// Returns all files of the package, including generated ones, and the remarks in the order of
    /// parts.
    pub(crate) fn finish(mut self, identity: &str) -> (BTreeMap<PathBuf, Content>, Vec<Remark>) {
        self.name_all_languages();
        self.count_shares();
        self.drop_unjudged();
        self.bound_limits();
        let text = metadata_text(&self.metadata, &self.name, identity);
        self.put("problem.yaml", text);
        if let Some(text) = named_files_text(&self.metadata) {
            self.put(NAMED_FILES, text);
        }
        if !self.submissions.is_empty() {
            let rules = std::mem::take(&mut self.submissions);
            self.put("submissions/submissions.yaml", to_text(&rules));
        }
        // Groups in these directories inherit the arguments.
        if !self.output_validator_args.is_empty() || !self.args.is_empty() {
            for directory in ["sample", "secret"] {
                let group = self.groups.entry(directory.to_owned()).or_default();
                group
                    .output_validator_args
                    .clone_from(&self.output_validator_args);
                group.args.clone_from(&self.args);
            }
        }
        if let Some(rules) = self.rules.take() {
            let text = rules.text(&self.groups);
            self.put(GENERATORS_FILE, text);
        }
        for (directory, group) in std::mem::take(&mut self.groups) {
            self.put(format!("data/{directory}/test_group.yaml"), to_text(&group));
        }
        (self.files, self.remarks.into_best_first())
    }
}

#[cfg(test)]
mod tests {
    use judge_model::Verdict;

    use super::*;

    #[test]
    fn drafts_are_converted_to_package_files() {
        let mut draft = Draft {
            name: "sum".to_owned(),
            ..Draft::default()
        };
        draft.metadata.time_limit = Some(1.5);
        draft.metadata.scoring = true;
        let groups = BTreeMap::from([(
            "secret/01".to_owned(),
            Expectation {
                permitted: vec![Verdict::Accepted],
                ..Expectation::default()
            },
        )]);
        let expected = Expectation {
            required: vec![Verdict::WrongAnswer],
            groups,
            ..Expectation::default()
        };
        assert_eq!(
            draft.put_submission("mixed", Path::new("a b.cpp"), expected),
            "mixed/a_b.cpp"
        );
        assert_eq!(
            draft.put_submission("mixed", Path::new("x/a_b.cpp"), Expectation::default()),
            "mixed/a_b-2.cpp"
        );
        let (max_score, score_aggregation) = (
            Some(parts::MaxScore::Points(20)),
            Some(Aggregation::PassFail),
        );
        let require_pass = vec!["sample".to_owned()];
        draft.put_group(
            "secret/01",
            Group {
                max_score,
                score_aggregation,
                require_pass,
                ..Group::default()
            },
        );
        let (files, _) = draft.finish("here");
        let text = |file: &str| match &files[Path::new(file)] {
            Content::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            text("submissions/submissions.yaml"),
            "mixed/a_b.cpp:\n  required:\n  - WA\n  secret/01:\n    permitted:\n    - AC\n"
        );
        assert_eq!(
            text("data/secret/01/test_group.yaml"),
            "max_score: 20\nscore_aggregation: pass-fail\nrequire_pass:\n- sample\n"
        );
        let problem = text("problem.yaml");
        assert!(
            problem.contains("time_limit: 1.5\n  time_resolution: 0.1")
                && problem.contains("- scoring"),
            "{problem}"
        );
    }
}
