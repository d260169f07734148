//! The credits of a package: names, people, sources and licence, for its readers.
//!
//! Responsible for reading them, of every format version. Must not check them: loading reports
//! their faults, and invalid values are left out here.
//!
//! Source: 2025-09, "Name", "Credits", "Source", "License", "Rights owner"; legacy, "Author",
//! "Source".

use std::path::Path;

use crate::disk::discovery::MARKER;
use crate::error::Finding;
use crate::yaml::{Document, Node, Value};

/// Names, people, sources and licence of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credits {
    /// The problem's name by language, in the order of the file.
    pub names: Vec<(String, String)>,
    /// The authors of the problem.
    pub authors: Vec<String>,
    /// The translators, by language.
    pub translators: Vec<(String, Vec<String>)>,
    /// The sources that the problem comes from.
    pub sources: Vec<Source>,
    /// The licence, as the format names it, such as `cc by-sa`.
    pub license: Option<String>,
    /// The owner of the rights.
    pub rights_owner: Option<String>,
}

/// A source of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A contest, a course or a book.
    pub name: String,
    /// An address of a page about it.
    pub url: Option<String>,
}

impl Credits {
    /// Reads the credits of the package in this directory.
    ///
    /// # Errors
    /// When its `problem.yaml` cannot be read at all.
    pub fn read(package: &Path) -> Result<Self, Finding> {
        let document = Document::read(&package.join(MARKER))?;
        let root = document.root();
        let mut credits = Self {
            names: names(&root),
            license: text(&root, "license"),
            rights_owner: text(&root, "rights_owner"),
            ..Self::default()
        };
        match root.entry("credits") {
            Some(people) if people.entries().is_some() => {
                credits.authors = people
                    .entry("authors")
                    .map(|node| persons(&node))
                    .unwrap_or_default();
                let translators = people
                    .entry("translators")
                    .and_then(|node| node.entries())
                    .unwrap_or_default();
                credits.translators = translators
                    .iter()
                    .map(|entry| (entry.name.clone(), persons(&entry.value)))
                    .collect();
            }
            Some(author) => credits.authors = persons(&author),
            // Legacy has one string for all of them.
            None => {
                credits.authors = text(&root, "author")
                    .map(|text| separated(&text))
                    .unwrap_or_default();
            }
        }
        credits.sources = root
            .entry("source")
            .map(|node| sources(&node))
            .unwrap_or_default();
        if let ([only], Some(url)) = (&mut credits.sources[..], text(&root, "source_url")) {
            only.url.get_or_insert(url);
        }
        Ok(credits)
    }

    /// The problem's name in a language, or else in the language without its region.
    #[must_use]
    pub fn name(&self, language: &str) -> Option<&str> {
        let plain = language.split('-').next().unwrap_or(language);
        let named = |requested: &str| {
            self.names
                .iter()
                .find(|(language, _)| language == requested)
        };
        named(language)
            .or_else(|| named(plain))
            .map(|(_, name)| name.as_str())
    }

    /// The translators of the statement in a language.
    #[must_use]
    pub fn translators_of(&self, language: &str) -> &[String] {
        self.translators
            .iter()
            .find(|(of, _)| of == language)
            .map_or(&[], |(_, names)| names.as_slice())
    }
}

fn as_text(node: &Node<'_>) -> Option<String> {
    match node.value() {
        Value::Text(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        _ => None,
    }
}

fn text(node: &Node<'_>, key: &str) -> Option<String> {
    as_text(&node.entry(key)?)
}

/// A name that is a string is the English one (2025-09).
fn names(root: &Node<'_>) -> Vec<(String, String)> {
    let Some(node) = root.entry("name") else {
        return Vec::new();
    };
    match node.entries() {
        Some(entries) => entries
            .into_iter()
            .filter_map(|entry| Some((entry.name, as_text(&entry.value)?)))
            .collect(),
        None => as_text(&node)
            .map(|name| ("en".to_owned(), name))
            .into_iter()
            .collect(),
    }
}

/// The names of people, without their addresses, which pages must not show.
fn persons(node: &Node<'_>) -> Vec<String> {
    let name = |node: &Node<'_>| {
        let text = if node.entries().is_some() {
            text(node, "name")
        } else {
            as_text(node)
        }?;
        Some(text.split('<').next().unwrap_or_default().trim().to_owned())
            .filter(|name| !name.is_empty())
    };
    node.each().iter().filter_map(name).collect()
}

/// Source: legacy, "Author": separated by `,` or `and`.
fn separated(text: &str) -> Vec<String> {
    let parts = text
        .split(',')
        .flat_map(|part| part.split(" and "))
        .map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

fn sources(node: &Node<'_>) -> Vec<Source> {
    let source = |node: &Node<'_>| match node.entries() {
        Some(_) => Some(Source {
            name: text(node, "name")?,
            url: text(node, "url"),
        }),
        None => Some(Source {
            name: as_text(node)?,
            url: None,
        }),
    };
    node.each().iter().filter_map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    fn credits(yaml: &str) -> Credits {
        Credits::read(Tree::with(&[("problem.yaml", yaml)]).root()).unwrap()
    }

    #[test]
    fn credits_of_2025_09_are_read() {
        let credits = credits(
            "name: {en: A, pt-BR: B}\nlicense: cc by\nrights_owner: R\ncredits:\n  authors:\n  - X <x@y.example>\n  - name: Y\n    \
             email: y@y.example\n  translators:\n    da: Z\nsource:\n- N\n- name: M\n  url: https://m.example\n",
        );
        let source = |name: &str, url: Option<&str>| Source {
            name: name.into(),
            url: url.map(str::to_owned),
        };
        assert_eq!(credits.authors, ["X", "Y"]);
        assert_eq!(
            credits.translators,
            [("da".to_owned(), vec!["Z".to_owned()])]
        );
        assert_eq!(
            (credits.translators_of("da"), credits.translators_of("en")),
            (&["Z".to_owned()][..], &[][..])
        );
        assert_eq!(
            credits.sources,
            [source("N", None), source("M", Some("https://m.example"))]
        );
        assert_eq!(
            (credits.license.as_deref(), credits.rights_owner.as_deref()),
            (Some("cc by"), Some("R"))
        );
        assert_eq!(
            [
                credits.name("en"),
                credits.name("pt-BR"),
                credits.name("sv")
            ],
            [Some("A"), Some("B"), None]
        );
        assert_eq!(credits.name("en-GB"), Some("A"));
    }

    #[test]
    fn legacy_credits_are_read_and_wrong_types_are_ignored() {
        let legacy =
            credits("name: A\nauthor: X, Y and Z\nsource: S\nsource_url: https://s.example\n");
        assert_eq!(legacy.authors, ["X", "Y", "Z"]);
        assert_eq!(legacy.sources[0].url.as_deref(), Some("https://s.example"));
        assert_eq!(legacy.name("en"), Some("A"));
        let odd = credits("name: 5\ncredits: [1, {email: x}]\nsource: {url: y}\nlicense: []\n");
        assert_eq!(odd, Credits::default());
        assert_eq!(credits(""), Credits::default());
    }
}
