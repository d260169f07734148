//! The facts in the header of a statement: limits, kind, people, source, licence.
//!
//! Must not know the layout of a page.

use std::time::Duration;

use crate::words::Words;
use crate::{Fact, Part};

/// The label of the time limit. Its text consists of seconds and their unit.
pub(crate) const TIME_LIMIT: &str = "Time limit";

/// The label of the memory limit.
pub(crate) const MEMORY_LIMIT: &str = "Memory limit";

/// The label of the kinds. Their texts are in the language of the statement.
pub(crate) const KIND: &str = "Kind";

/// Returns the label of a fact in a language, or `None` if only the English one is known.
pub(crate) fn label_in(label: &str, words: &Words) -> Option<&'static str> {
    match label {
        TIME_LIMIT if words.is_translated => Some(words.time_limit),
        MEMORY_LIMIT if words.is_translated => Some(words.memory_limit),
        _ if !words.is_complete => None,
        KIND => Some(words.kind),
        "Author" => Some(words.author),
        "Translation" => Some(words.translation),
        "Source" => Some(words.source),
        "Licence" => Some(words.licence),
        "Rights owner" => Some(words.rights_owner),
        _ => None,
    }
}

/// The facts about a problem, in addition to its statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemFacts {
    /// The time limit, if one is stated.
    pub time_limit: Option<Duration>,
    /// The memory limit.
    pub memory_bytes: u64,
    /// True if submissions interact with the judge.
    pub interactive: bool,
    /// The maximum number of passes: how often a submission is run on a test case.
    pub passes: u32,
    /// True if answers are submitted instead of programs.
    pub submit_answer: bool,
    /// True if submissions get points.
    pub scoring: bool,
    /// The authors of the problem.
    pub authors: Vec<String>,
    /// The translators of this statement.
    pub translators: Vec<String>,
    /// The sources that the problem comes from.
    pub sources: Vec<Part>,
    /// The licence, by its name in the package format, such as `cc by-sa`.
    pub license: Option<String>,
    /// The owner of the rights.
    pub rights_owner: Option<String>,
}

impl ProblemFacts {
    /// Returns the lines of the header in order, with English labels and texts in the given
    /// language. Unknown facts have no line.
    #[must_use]
    pub fn lines(&self, language: &str) -> Vec<Fact> {
        let time = match self.time_limit {
            Some(time) => format!("{} s", time.as_secs_f64()),
            None => "not stated".to_owned(),
        };
        // `unknown` means that the licence is not stated.
        let license = self
            .license
            .as_ref()
            .filter(|license| *license != "unknown");
        let mut facts = vec![
            plain(TIME_LIMIT, [time]),
            plain(MEMORY_LIMIT, [memory(self.memory_bytes)]),
            plain(KIND, self.kinds(&Words::for_language(language))),
            plain("Author", self.authors.iter().cloned()),
            plain("Translation", self.translators.iter().cloned()),
            Fact {
                label: "Source".to_owned(),
                parts: self.sources.clone(),
            },
            Fact {
                label: "Licence".to_owned(),
                parts: license.map(|key| self::license(key)).into_iter().collect(),
            },
            plain("Rights owner", self.rights_owner.clone()),
        ];
        facts.retain(|fact| !fact.parts.is_empty());
        facts
    }

    /// Returns the kinds that contestants must know. A problem without a kind compares outputs with
    /// answers.
    fn kinds(&self, words: &Words) -> Vec<String> {
        let kinds = [
            (self.interactive, words.interactive.to_owned()),
            (self.passes > 1, words.passes(self.passes)),
            (self.submit_answer, words.answers.to_owned()),
            (self.scoring, words.scoring.to_owned()),
        ];
        kinds
            .into_iter()
            .filter(|(applies, _)| *applies)
            .map(|(_, kind)| kind)
            .collect()
    }
}

fn plain(label: &str, texts: impl IntoIterator<Item = String>) -> Fact {
    let parts = texts
        .into_iter()
        .map(|text| Part { text, url: None })
        .collect();
    Fact {
        label: label.to_owned(),
        parts,
    }
}

fn memory(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

/// The licences of the package format, with the name and address to show. Source: 2025-09,
/// "License".
const LICENSES: [(&str, &str, Option<&str>); 6] = [
    (
        "public domain",
        "public domain",
        Some("https://creativecommons.org/about/pdm"),
    ),
    (
        "cc0",
        "CC0",
        Some("https://creativecommons.org/publicdomain/zero/1.0/"),
    ),
    (
        "cc by",
        "CC BY",
        Some("https://creativecommons.org/licenses/by/4.0/"),
    ),
    (
        "cc by-sa",
        "CC BY-SA",
        Some("https://creativecommons.org/licenses/by-sa/4.0/"),
    ),
    ("educational", "educational use only", None),
    ("permission", "used with permission", None),
];

fn license(key: &str) -> Part {
    let known = LICENSES.iter().find(|(known, ..)| *known == key);
    let (text, url) = known.map_or((key, None), |(_, text, url)| (*text, *url));
    Part {
        text: text.to_owned(),
        url: url.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(facts: &ProblemFacts) -> Vec<String> {
        let text = |fact: &Fact| {
            let parts = fact.parts.iter().map(|part| match &part.url {
                Some(url) => format!("{} <{url}>", part.text),
                None => part.text.clone(),
            });
            format!("{}: {}", fact.label, parts.collect::<Vec<_>>().join(", "))
        };
        facts.lines("en").iter().map(text).collect()
    }

    #[test]
    fn facts_become_lines() {
        let bare = ProblemFacts {
            memory_bytes: 256 << 20,
            passes: 1,
            license: Some("unknown".into()),
            ..ProblemFacts::default()
        };
        assert_eq!(
            texts(&bare),
            ["Time limit: not stated", "Memory limit: 256 MiB"]
        );
        let facts = ProblemFacts {
            time_limit: Some(Duration::from_millis(1500)),
            memory_bytes: 1000,
            interactive: true,
            passes: 2,
            submit_answer: true,
            scoring: true,
            authors: vec!["A".into(), "B".into()],
            translators: vec!["D".into()],
            sources: vec![Part {
                text: "N".into(),
                url: Some("https://n.example".into()),
            }],
            license: Some("cc by-sa".into()),
            rights_owner: Some("R".into()),
        };
        assert_eq!(
            texts(&facts),
            [
                "Time limit: 1.5 s",
                "Memory limit: 1000 bytes",
                "Kind: interactive, run up to 2 times, answers are submitted, scoring",
                "Author: A, B",
                "Translation: D",
                "Source: N <https://n.example>",
                "Licence: CC BY-SA <https://creativecommons.org/licenses/by-sa/4.0/>",
                "Rights owner: R",
            ]
        );
    }
}
