//! The facts at the head of a statement: limits, kind, people, source, licence.
//!
//! Responsible for choosing and wording them. Must not know what a page looks like.

use judge_model::{Grading, Problem};
use judge_package::Credits;
use judge_statement::{Fact, Part};

pub(super) fn facts(problem: &Problem, credits: &Credits, language: &str) -> Vec<Fact> {
    let limits = &problem.limits;
    let time = match limits.time_limit {
        Some(time) => format!("{} s", time.as_secs_f64()),
        None => "not stated".to_owned(),
    };
    let translators = credits.translators.iter().find(|(of, _)| of == language).map(|(_, names)| names.as_slice());
    let mut facts = vec![
        plain("Time limit", [time]),
        plain("Memory limit", [memory(limits.memory_bytes)]),
        plain("Kind", kinds(problem)),
        plain("Author", credits.authors.iter().cloned()),
        plain("Translation", translators.unwrap_or_default().iter().cloned()),
    ];
    let sources = credits.sources.iter().map(|source| Part { text: source.name.clone(), url: source.url.clone() });
    facts.push(Fact { label: "Source".to_owned(), parts: sources.collect() });
    // A licence that nobody knows is none.
    let license = credits.license.as_ref().filter(|license| *license != "unknown");
    let license = license.map(|name| Part { text: license_name(name).to_owned(), url: license_url(name) });
    facts.push(Fact { label: "Licence".to_owned(), parts: license.into_iter().collect() });
    facts.push(plain("Rights owner", credits.rights_owner.clone()));
    facts.retain(|fact| !fact.parts.is_empty());
    facts
}

fn plain(label: &str, texts: impl IntoIterator<Item = String>) -> Fact {
    let parts = texts.into_iter().map(|text| Part { text, url: None }).collect();
    Fact { label: label.to_owned(), parts }
}

fn memory(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes.is_multiple_of(MIB) { format!("{} MiB", bytes / MIB) } else { format!("{bytes} bytes") }
}

/// What contestants must know besides; a problem that is none of these has one right way of judging it.
fn kinds(problem: &Problem) -> Vec<String> {
    let mut kinds = Vec::new();
    if problem.interactive {
        kinds.push("interactive".to_owned());
    }
    if problem.passes > 1 {
        kinds.push(format!("run up to {} times", problem.passes));
    }
    if problem.submit_answer {
        kinds.push("answers are submitted".to_owned());
    }
    if !matches!(problem.grading, Grading::PassFail) {
        kinds.push("scoring".to_owned());
    }
    kinds
}

/// Source: 2025-09, "License".
fn license_url(name: &str) -> Option<String> {
    let url = match name {
        "public domain" => "https://creativecommons.org/about/pdm",
        "cc0" => "https://creativecommons.org/publicdomain/zero/1.0/",
        "cc by" => "https://creativecommons.org/licenses/by/4.0/",
        "cc by-sa" => "https://creativecommons.org/licenses/by-sa/4.0/",
        _ => return None,
    };
    Some(url.to_owned())
}

fn license_name(name: &str) -> &str {
    match name {
        "cc0" => "CC0",
        "cc by" => "CC BY",
        "cc by-sa" => "CC BY-SA",
        "educational" => "educational use only",
        "permission" => "used with permission",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use judge_model::FormatVersion;
    use judge_package::Source;

    use super::*;

    fn told(problem: &Problem, credits: &Credits) -> Vec<String> {
        let told = |fact: &Fact| {
            let parts = fact.parts.iter().map(|part| match &part.url {
                Some(url) => format!("{} <{url}>", part.text),
                None => part.text.clone(),
            });
            format!("{}: {}", fact.label, parts.collect::<Vec<_>>().join(", "))
        };
        facts(problem, credits, "da").iter().map(told).collect()
    }

    #[test]
    fn what_is_known_is_told_and_nothing_else() {
        let mut problem = Problem::new("p", PathBuf::from("p"), FormatVersion::V2025_09);
        problem.limits.memory_bytes = 256 << 20;
        assert_eq!(told(&problem, &Credits::default()), ["Time limit: not stated", "Memory limit: 256 MiB"]);
        problem.limits.time_limit = Some(Duration::from_millis(1500));
        problem.limits.memory_bytes = 1000;
        problem.interactive = true;
        problem.passes = 2;
        let credits = Credits {
            authors: vec!["A".into(), "B".into()],
            translators: vec![("sv".into(), vec!["S".into()]), ("da".into(), vec!["D".into()])],
            sources: vec![Source { name: "N".into(), url: Some("https://n.example".into()) }],
            license: Some("cc by-sa".into()),
            rights_owner: Some("R".into()),
            ..Credits::default()
        };
        assert_eq!(
            told(&problem, &credits),
            [
                "Time limit: 1.5 s",
                "Memory limit: 1000 bytes",
                "Kind: interactive, run up to 2 times",
                "Author: A, B",
                "Translation: D",
                "Source: N <https://n.example>",
                "Licence: CC BY-SA <https://creativecommons.org/licenses/by-sa/4.0/>",
                "Rights owner: R",
            ]
        );
    }
}
