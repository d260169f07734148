//! Rules that generate data: the `generators.yaml` of an imported package.
//!
//! Responsible for its structure. Must not know the format that a command comes from, or where
//! files are put.
//!
//! Source: BAPCtools, doc/generators.md.

use std::collections::BTreeMap;

use judge_package::yaml::to_text;
use serde::Serialize;

use crate::import::draft::Draft;
use crate::import::draft::parts::{Content, Group};

/// A test case of `generators.yaml`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Rule {
    /// The name of a generator and its arguments.
    Command(String),
    /// A file in the directory of the generators, without its extension.
    Copy { copy: String },
    /// A directory of test cases.
    Directory(Directory),
}

/// A directory of `generators.yaml`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Directory {
    #[serde(rename = "test_group.yaml", skip_serializing_if = "Option::is_none")]
    group: Option<Group>,
    data: BTreeMap<String, Rule>,
}

#[derive(Serialize)]
struct GeneratorsYaml<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    generators: &'a BTreeMap<String, Vec<String>>,
    data: BTreeMap<&'static str, Directory>,
}

/// The files of generators, by the names that commands use.
pub(crate) type GeneratorFiles = BTreeMap<String, Vec<String>>;

/// Everything that generates the data of a package.
#[derive(Debug, Default)]
pub(crate) struct DataRules {
    pub(crate) rules: Rules,
    pub(crate) programs: GeneratorFiles,
    /// The solution that generates answers.
    pub(crate) solution: Option<String>,
}

/// The rules of all test cases, by their directories below `data` and their names there.
#[derive(Debug, Default)]
pub(crate) struct Rules(BTreeMap<String, BTreeMap<String, Rule>>);

impl Rules {
    /// Adds the rule of a test case.
    pub(crate) fn add(&mut self, directory: &str, name: &str, rule: Rule) {
        self.0
            .entry(directory.to_owned())
            .or_default()
            .insert(name.to_owned(), rule);
    }

    /// Puts a test case that no command generates into the directory of the generators. The
    /// returned rule copies it into the data.
    pub(crate) fn copied(
        name: &str,
        input: Content,
        answer: Option<Content>,
        draft: &mut Draft,
    ) -> Rule {
        draft.keep_manual(format!("generators/manual/{name}.in"), input);
        if let Some(answer) = answer {
            draft.keep_manual(format!("generators/manual/{name}.ans"), answer);
        }
        Rule::Copy {
            copy: format!("manual/{name}"),
        }
    }
}

impl DataRules {
    /// Returns the text of `generators.yaml`, with the settings of the groups.
    pub(crate) fn text(self, groups: &BTreeMap<String, Group>) -> String {
        let mut data: BTreeMap<&'static str, Directory> = BTreeMap::new();
        let mut secret = Directory {
            group: groups.get("secret").cloned(),
            ..Directory::default()
        };
        for (directory, tests) in self.rules.0 {
            match directory.split_once('/') {
                None if directory == "sample" => {
                    data.insert(
                        "sample",
                        Directory {
                            group: groups.get("sample").cloned(),
                            data: tests,
                        },
                    );
                }
                None => secret.data.extend(tests),
                Some((_, name)) => {
                    let group = Directory {
                        group: groups.get(&directory).cloned(),
                        data: tests,
                    };
                    secret.data.insert(name.to_owned(), Rule::Directory(group));
                }
            }
        }
        if !secret.data.is_empty() {
            data.insert("secret", secret);
        }
        to_text(&GeneratorsYaml {
            solution: self.solution,
            generators: &self.programs,
            data,
        })
    }
}
