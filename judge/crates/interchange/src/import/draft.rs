//! The package that an import makes, before anything of it is written.
//!
//! Responsible for what a package of format 2025-09 can say, and for its files. Must not know any foreign format, nor
//! where the package goes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part, Remark};
use judge_model::Verdict;
use judge_package::yaml::to_text;
use judge_package::{GENERATORS_FILE, LEAST_MEMORY_MIB, NAMED_FILES, names};
use serde::Serialize;

use crate::import::metadata::{Metadata, metadata_text, named_files_text};
use crate::import::rules::DataRules;

/// A file of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file of the source, from its root.
    Copy(PathBuf),
    /// The same with `\n` at the ends of lines.
    WithoutCarriageReturns(PathBuf),
    /// A script that can be executed.
    Script(String),
    /// A link to another file of the package, relative to the directory that it lies in.
    Link(PathBuf),
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

/// What is expected of a submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Expectation {
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) model_solution: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "codes")]
    pub(crate) permitted: Vec<Verdict>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "codes")]
    pub(crate) required: Vec<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) use_for_time_limit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<&'static str>,
    /// The class or file that is started, where it is not the submission's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entrypoint: Option<String>,
    /// What is expected on groups, by their names in the source.
    #[serde(skip)]
    pub(crate) on_groups: BTreeMap<String, Expectation>,
    /// The same by their directories below `data`.
    #[serde(flatten)]
    pub(crate) groups: BTreeMap<String, Expectation>,
}

/// The way in which the scores of a group's test cases become its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Aggregation {
    PassFail,
    Sum,
    Min,
}

/// What `test_group.yaml` says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Group {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_score: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score_aggregation: Option<Aggregation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) require_pass: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) input_validator_args: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) output_validator_args: Vec<String>,
}

/// A package that is being made.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The name of the problem in its source, which need not be one for a package.
    pub(crate) name: String,
    pub(crate) metadata: Metadata,
    /// True when an input is not in the source, and a generator has to make it.
    pub(crate) lacks_inputs: bool,
    /// True when the output validator gives parts of the points.
    pub(crate) gives_shares: bool,
    /// The arguments of the output validator for every test case.
    pub(crate) output_validator_args: Vec<String>,
    /// Submissions by their paths below `submissions`, with what is expected of them beyond their directory.
    submissions: BTreeMap<String, Expectation>,
    /// Groups by their directories below `data`.
    groups: BTreeMap<String, Group>,
    files: BTreeMap<PathBuf, Content>,
    /// Tests that nothing makes.
    manual: BTreeMap<PathBuf, Content>,
    /// What makes the data.
    rules: Option<DataRules>,
    remarks: Vec<Remark>,
    /// The remarks again: there may be one for every file.
    told: BTreeSet<(Part, Fate, String, String)>,
    /// Files of the source that were used, or are known to be of no use.
    seen: BTreeSet<PathBuf>,
}

impl Draft {
    /// Says what became of a part of the problem.
    pub(crate) fn say(&mut self, fate: Fate, part: Part, text: impl Into<String>) {
        self.say_at(fate, part, text, "");
    }

    /// Says it with a place in the source.
    pub(crate) fn say_at(&mut self, fate: Fate, part: Part, text: impl Into<String>, place: &str) {
        let remark = Remark { place: place.to_owned(), ..Remark::new(fate, part, text) };
        if self.told.insert((remark.part, remark.fate, remark.text.clone(), remark.place.clone())) {
            self.remarks.push(remark);
        }
    }

    /// Puts a file into the package.
    pub(crate) fn put(&mut self, place: impl Into<PathBuf>, content: impl Into<Content>) {
        let content = content.into();
        if let Content::Copy(file) | Content::WithoutCarriageReturns(file) = &content {
            self.seen.insert(file.clone());
        }
        self.files.insert(place.into(), content);
    }

    /// True when the package has this file already.
    pub(crate) fn has(&self, place: &str) -> bool {
        self.files.contains_key(Path::new(place))
    }

    /// The file of the source that a file of the package is a copy of.
    pub(crate) fn copies(&self, place: &str) -> Option<&Path> {
        match self.files.get(Path::new(place))? {
            Content::Copy(file) | Content::WithoutCarriageReturns(file) => Some(file),
            _ => None,
        }
    }

    /// Has submissions read or write a file in place of standard input or output; a name that cannot be one is told.
    pub(crate) fn name_file(&mut self, is_input: bool, name: String) {
        let what = if is_input { "input" } else { "output" };
        if !names::counts(&name) {
            self.say(
                Fate::Lost,
                Part::Limits,
                format!("the {what} file `{name}`, whose name no file of a package can have"),
            );
            return;
        }
        self.say(
            Fate::Changed,
            Part::Limits,
            format!("the {what} file `{name}`, by `{NAMED_FILES}`, which this judge alone reads"),
        );
        *if is_input { &mut self.metadata.input_file } else { &mut self.metadata.output_file } = Some(name);
    }

    /// Notes that a file of the source was used, or is known to be of no use in a package.
    pub(crate) fn see(&mut self, file: impl Into<PathBuf>) {
        self.seen.insert(file.into());
    }

    /// True when a file of the source was used.
    pub(crate) fn has_seen(&self, file: &Path) -> bool {
        self.seen.contains(file)
    }

    /// Puts a submission into one of the directories below `submissions`, and gives its name there.
    pub(crate) fn put_submission(&mut self, directory: &str, file: &Path, mut expected: Expectation) -> String {
        let name = safe_name(&file.file_name().unwrap_or_default().to_string_lossy());
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let numbered = |number: u32| match number {
            1 => format!("{directory}/{name}"),
            number if extension.is_empty() => format!("{directory}/{stem}-{number}"),
            number => format!("{directory}/{stem}-{number}.{extension}"),
        };
        let free = (1..).map(numbered).find(|id| !self.has(&format!("submissions/{id}")));
        let id = free.unwrap_or_default();
        self.put(format!("submissions/{id}"), Content::Copy(file.to_owned()));
        let entrypoint = expected.entrypoint.take().or_else(|| self.java_grader().filter(|_| extension == "java"));
        expected.entrypoint = entrypoint;
        if expected != Expectation::default() {
            self.submissions.insert(id.clone(), expected);
        }
        id
    }

    /// Says in which directories the groups are that expectations name.
    pub(crate) fn place_groups(&mut self, directories: &BTreeMap<String, Vec<String>>) {
        let mut unknown = Vec::new();
        for (id, expected) in &mut self.submissions {
            for (group, on_group) in std::mem::take(&mut expected.on_groups) {
                let places = directories.get(&group).map(Vec::as_slice).unwrap_or_default();
                if places.is_empty() {
                    unknown
                        .push(format!("what is expected of `{id}` on group `{group}`, which has no tests of its own"));
                }
                expected.groups.extend(places.iter().map(|place| (place.clone(), on_group.clone())));
            }
        }
        unknown.into_iter().for_each(|text| self.say(Fate::Lost, Part::Solutions, text));
    }

    /// Puts a test case at a place below `data`, such as `secret/03`.
    pub(crate) fn put_test(&mut self, place: &str, input: Content, answer: Option<Content>) {
        self.put(format!("data/{place}.in"), input);
        if let Some(answer) = answer {
            self.put(format!("data/{place}.ans"), answer);
        }
    }

    /// The number of test cases that have an input.
    pub(crate) fn inputs(&self) -> usize {
        let is_input = |file: &&PathBuf| file.starts_with("data") && file.extension().is_some_and(|of| of == "in");
        self.files.keys().filter(is_input).count()
    }

    /// Keeps a test that nothing makes, for the rules of generators to copy.
    pub(crate) fn keep_manual(&mut self, place: String, content: Content) {
        self.manual.insert(place.into(), content);
    }

    /// Puts the rules that make the data, with the tests that they copy. They get the groups of the data when all is known.
    pub(crate) fn put_rules(&mut self, rules: DataRules) {
        self.files.append(&mut self.manual);
        self.rules = Some(rules);
    }

    /// The submission that is the solution to be shown, from `submissions`.
    pub(crate) fn main_solution(&self) -> Option<&str> {
        self.submissions.iter().find(|(_, expected)| expected.model_solution).map(|(id, _)| id.as_str())
    }

    /// Says what a group of test cases is worth.
    pub(crate) fn put_group(&mut self, directory: &str, group: Group) {
        self.groups.insert(directory.to_owned(), group);
    }

    /// Has a name in each language of the statements: that in English, or the first there is.
    fn name_all_languages(&mut self) {
        let of_statement = |file: &PathBuf| {
            let name = file.strip_prefix("statement").ok()?.to_str()?.strip_prefix("problem.")?.to_owned();
            Some(name.split_once('.')?.0.to_owned())
        };
        let names = &self.metadata.names;
        let known = names.get("en").or_else(|| names.values().next()).unwrap_or(&self.name).clone();
        for language in self.files.keys().filter_map(of_statement).collect::<BTreeSet<_>>() {
            self.metadata.names.entry(language).or_insert_with(|| known.clone());
        }
    }

    /// Has groups take the least share of their test cases where the output validator gives shares: one that is all or nothing
    /// has no parts, and only that can be required by others (2025-09, "Test Groups").
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
                    "`{directory}` needs `{needed}`, whose test cases give parts of points: groups cannot"
                ));
            }
        }
        lost.into_iter().for_each(|text| self.say(Fate::Lost, Part::Groups, text));
    }

    /// Leaves out what is expected on groups that are not judged, since a group that they need is expected to be rejected.
    fn drop_unjudged(&mut self) {
        let mut dropped = Vec::new();
        for (id, expected) in &mut self.submissions {
            // Groups are in the order in which they are judged.
            let mut closed: BTreeSet<String> = BTreeSet::new();
            for (directory, group) in &self.groups {
                let is_closed = group.require_pass.iter().any(|needed| closed.contains(needed));
                let rule = expected.groups.get(directory);
                if is_closed && rule.is_some() {
                    expected.groups.remove(directory);
                    dropped.push(format!(
                        "what is expected of `{id}` on `{directory}`: it is not judged after another group"
                    ));
                }
                if is_closed || expected.groups.get(directory).is_some_and(|rule| !rule.required.is_empty()) {
                    closed.insert(directory.clone());
                }
            }
        }
        dropped.into_iter().for_each(|text| self.say(Fate::Changed, Part::Solutions, text));
    }

    /// Raises a memory limit below what starting a program takes, which packages may not state.
    fn raise_memory(&mut self) {
        if let Some(memory) = self.metadata.memory.as_mut().filter(|memory| **memory < LEAST_MEMORY_MIB) {
            let text = format!("memory: {LEAST_MEMORY_MIB} MiB instead of {memory}, which no program starts in");
            *memory = LEAST_MEMORY_MIB;
            self.say(Fate::Changed, Part::Limits, text);
        }
    }

    /// The class of a grader in Java, which is what is started.
    fn java_grader(&self) -> Option<String> {
        let mut graders = self.files.keys().filter(|file| file.starts_with("include/java"));
        graders.find_map(|file| Some(file.file_name()?.to_str()?.strip_suffix(".java")?.to_owned()))
    }

    /// The files of the package, those of its own making included, and the remarks in the order of parts.
    pub(crate) fn finish(mut self, identity: &str) -> (BTreeMap<PathBuf, Content>, Vec<Remark>) {
        self.name_all_languages();
        self.count_shares();
        self.drop_unjudged();
        self.raise_memory();
        let text = metadata_text(&self.metadata, &self.name, identity);
        self.put("problem.yaml", text);
        if let Some(text) = named_files_text(&self.metadata) {
            self.put(NAMED_FILES, text);
        }
        if !self.submissions.is_empty() {
            let rules = std::mem::take(&mut self.submissions);
            self.put("submissions/submissions.yaml", to_text(&rules));
        }
        if !self.output_validator_args.is_empty() {
            for directory in ["sample", "secret"] {
                let group = self.groups.entry(directory.to_owned()).or_default();
                group.output_validator_args.clone_from(&self.output_validator_args);
            }
        }
        if let Some(rules) = self.rules.take() {
            let text = rules.text(&self.groups);
            self.put(GENERATORS_FILE, text);
        }
        for (directory, group) in std::mem::take(&mut self.groups) {
            self.put(format!("data/{directory}/test_group.yaml"), to_text(&group));
        }
        self.remarks.sort_by_key(|remark| (remark.part, remark.fate));
        (self.files, self.remarks)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

fn codes<S: serde::Serializer>(verdicts: &[Verdict], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(verdicts.iter().map(|verdict| verdict.code()))
}

/// A name that counts in a package, as like this one as can be.
pub(crate) fn safe_name(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '_' };
    let mut safe: String = name.chars().map(allowed).take(200).collect();
    if !names::counts(&safe) {
        safe.insert(0, '_');
    }
    safe
}

/// A short name for a package, as like this one as can be; `None` when nothing of it is left.
pub(crate) fn short_name(name: &str) -> Option<String> {
    let short: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    (!short.is_empty()).then_some(short)
}

/// The names of so many things that are counted from one, all of the same length: `01` to `12`.
pub(crate) fn numbered(number: usize, count: usize) -> String {
    let width = count.to_string().len().max(2);
    format!("{number:0width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_becomes_files_that_packages_have() {
        let mut draft = Draft { name: "sum".to_owned(), ..Draft::default() };
        draft.metadata.time_limit = Some(1.5);
        draft.metadata.scoring = true;
        let groups = BTreeMap::from([(
            "secret/01".to_owned(),
            Expectation { permitted: vec![Verdict::Accepted], ..Expectation::default() },
        )]);
        let expected = Expectation { required: vec![Verdict::WrongAnswer], groups, ..Expectation::default() };
        assert_eq!(draft.put_submission("mixed", Path::new("a b.cpp"), expected), "mixed/a_b.cpp");
        assert_eq!(draft.put_submission("mixed", Path::new("x/a_b.cpp"), Expectation::default()), "mixed/a_b-2.cpp");
        let (max_score, score_aggregation) = (Some(20), Some(Aggregation::PassFail));
        let require_pass = vec!["sample".to_owned()];
        draft.put_group("secret/01", Group { max_score, score_aggregation, require_pass, ..Group::default() });
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
            problem.contains("time_limit: 1.5\n  time_resolution: 0.1") && problem.contains("- scoring"),
            "{problem}"
        );
    }

    #[test]
    fn names_are_those_of_packages() {
        assert_eq!(safe_name("é-1.cpp"), "_-1.cpp");
        assert_eq!(safe_name("-x.py"), "_-x.py");
        assert_eq!(short_name("Closest-Pair 2").as_deref(), Some("closestpair2"));
        assert_eq!(short_name("日本"), None);
        assert_eq!((numbered(3, 9), numbered(3, 120)), ("03".to_owned(), "003".to_owned()));
    }
}
