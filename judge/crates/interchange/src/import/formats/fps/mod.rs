//! Problems in the XML exchange format Free Problem Set (FPS).
//!
//! Responsible for its elements. Must not know how groups and data of a package are created.
//!
//! Source: zhblue/freeproblemset; hydro-dev/Hydro, packages/fps-importer.

mod html;

use std::fmt::Write as _;
use std::path::Path;

use judge_event::{Fate, Part};
use judge_package::{built_in_languages, head, language_named};
use roxmltree::{Document, Node};

use super::ImportFormat;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, listed, numbered, plural};
use crate::import::draft::parts::Content;
use crate::import::limits::{limit, positive};
use crate::import::settings::read_xml;
use crate::import::signs::{by_file, only_file};
use crate::import::source::Source;
use crate::{InterchangeError, Result};
pub(super) use html::to_markdown;

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "fps",
    "one `.xml` with `<fps>`",
    |source| {
        only_file(source)
            .filter(|file| is_fps(source, file))
            .map(|file| by_file(file, true))
    },
    convert,
);

/// The number of bytes at the beginning that are searched for signs of the format.
const HEAD: u64 = 4096;

/// The maximum number of inputs of a problem.
const MAX_TESTS: usize = 20_000;

/// True for a file that looks like one of this format.
fn is_fps(source: &Source, file: &str) -> bool {
    file.ends_with(".xml")
        && head(&source.path(file), HEAD).is_ok_and(|bytes| {
            let head = String::from_utf8_lossy(&bytes);
            head.contains("<fps") && (head.contains("<item") || head.contains("<generator"))
        })
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let file = source
        .files()
        .find(|file| file.extension().is_some_and(|extension| extension == "xml"))
        .unwrap_or(Path::new(""))
        .to_owned();
    let text = source.text(&file)?;
    draft.mark_used(&file);
    read_xml(&text, &file.display().to_string(), |document| {
        convert_document(document, source, &file, draft)
    })
}

fn convert_document(
    document: &Document<'_>,
    source: &Source,
    file: &Path,
    draft: &mut Draft,
) -> Result<()> {
    let malformed = |why: String| InterchangeError::malformed(file.display().to_string(), why);
    let items: Vec<Node<'_, '_>> = document
        .descendants()
        .filter(|node| node.has_tag_name("item"))
        .collect();
    let [item] = items[..] else {
        let titles: Vec<String> = items
            .iter()
            .filter_map(|item| Some(text_of(*item, "title")?.trim().to_owned()))
            .collect();
        let named = if titles.is_empty() {
            String::new()
        } else {
            format!(" ({})", listed(&titles))
        };
        let why = format!(
            "expected one problem (`item`), found {}{named}: split the file",
            items.len()
        );
        return Err(malformed(why));
    };
    draft.name = source.stem();
    let words = |name: &str| text_of(item, name).filter(|text| !text.trim().is_empty());
    if let Some(title) = words("title") {
        title.trim().clone_into(&mut draft.name);
        draft.set_title(Some(draft.name.clone()));
    }
    draft.metadata.source = words("source").map(|text| text.trim().to_owned());
    limits(item, draft);
    let count = children(item, "test_input").count() + children(item, "sample_input").count();
    if count > MAX_TESTS {
        return Err(malformed(format!(
            "expected at most {MAX_TESTS} inputs, found {count}"
        )));
    }
    tests(item, draft);
    statement(item, draft);
    programs(item, draft);
    Ok(())
}

fn children<'n>(item: Node<'n, 'n>, name: &'static str) -> impl Iterator<Item = Node<'n, 'n>> {
    item.children().filter(move |node| node.has_tag_name(name))
}

fn text_of(item: Node<'_, '_>, name: &str) -> Option<String> {
    let node = item.children().find(|node| node.has_tag_name(name))?;
    Some(all_text(node))
}

/// Returns the text of an element, which may consist of several nodes.
fn all_text(node: Node<'_, '_>) -> String {
    node.children().filter_map(|child| child.text()).collect()
}

fn limits(item: Node<'_, '_>, draft: &mut Draft) {
    let mut read = |name: &'static str, small: &str, factor: f64| {
        let node = children(item, name).next()?;
        let is_small = node
            .attribute("unit")
            .is_some_and(|unit| unit.eq_ignore_ascii_case(small));
        let number = limit(Some(all_text(node)), name, positive, draft)?;
        Some(if is_small { number / factor } else { number })
    };
    let (time, memory) = (
        read("time_limit", "ms", 1e3),
        read("memory_limit", "kb", 1024.0),
    );
    draft.metadata.time_limit = time;
    // Impossible values are reported and dropped later.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is bounded just before"
    )]
    let memory = memory.map(|size| size.ceil().min(1e15) as u64);
    draft.metadata.memory = memory;
}

fn tests(item: Node<'_, '_>, draft: &mut Draft) {
    let texts = |name: &'static str| children(item, name).map(all_text).collect::<Vec<String>>();
    let mut unanswered = 0;
    for (directory, inputs, outputs) in [
        ("sample", texts("sample_input"), texts("sample_output")),
        ("secret", texts("test_input"), texts("test_output")),
    ] {
        let count = inputs.len();
        // Some tools write pairs only as inputs, each followed by its output.
        let pairs: Vec<(String, Option<String>)> =
            if outputs.is_empty() && count > 0 && count % 2 == 0 && directory == "secret" {
                draft.changed(
                    Part::Answers,
                    "only inputs, treated as alternating inputs and outputs",
                );
                inputs
                    .chunks(2)
                    .map(|pair| (pair[0].clone(), Some(pair[1].clone())))
                    .collect()
            } else {
                let mut outputs = outputs.into_iter();
                inputs
                    .into_iter()
                    .map(|input| (input, outputs.next()))
                    .collect()
            };
        unanswered += pairs.iter().filter(|(_, answer)| answer.is_none()).count();
        for (index, (input, answer)) in pairs.iter().enumerate() {
            let place = format!("{directory}/{}", numbered(index + 1, pairs.len()));
            let content = |text: &String| Content::from(with_end(text.replace("\r\n", "\n")));
            draft.put_test(&place, content(input), answer.as_ref().map(content));
        }
    }
    if unanswered > 0 {
        let have = plural(unanswered, "input has", "inputs have");
        draft.lost(Part::Answers, format!("{unanswered} {have} no output"));
    }
    let count = draft.inputs();
    draft.carried(Part::Tests, counted(count, "test case"));
}

/// Adds the end of the last line, which is often lost in XML.
fn with_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Converts the statement, which is HTML.
fn statement(item: Node<'_, '_>, draft: &mut Draft) {
    let mut page = String::new();
    let (mut is_kept, mut has_pictures) = (false, children(item, "img").next().is_some());
    for (name, heading) in [
        ("description", ""),
        ("input", "Input"),
        ("output", "Output"),
        ("hint", "Hint"),
    ] {
        let Some(text) = text_of(item, name).filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        if !heading.is_empty() {
            let _ = writeln!(page, "## {heading}\n");
        }
        has_pictures |= text.to_ascii_lowercase().contains("<img");
        let markdown = to_markdown(text.trim());
        is_kept |= markdown.is_none();
        let _ = writeln!(page, "{}\n", markdown.as_deref().unwrap_or(&text).trim());
    }
    if page.is_empty() {
        draft.lost(Part::Statement, "the problem has no statement");
        return;
    }
    draft.put("statement/problem.en.md", page);
    let how = if is_kept {
        "HTML that is nested too deeply to convert to Markdown"
    } else {
        "HTML, converted to Markdown"
    };
    draft.report(
        if is_kept { Fate::Lost } else { Fate::Changed },
        Part::Statement,
        how,
    );
    if has_pictures {
        draft.lost(Part::Statement, "the pictures of the statement");
    }
}

fn programs(item: Node<'_, '_>, draft: &mut Draft) {
    let mut kept = 0;
    for solution in children(item, "solution") {
        let language = solution.attribute("language").unwrap_or_default();
        let Some(ending) = ending(language) else {
            draft.lost(
                Part::Solutions,
                format!("a solution in the unknown language `{language}`"),
            );
            continue;
        };
        kept += 1;
        let text = all_text(solution);
        // A Java file must be named after its class.
        let name = if ending == "java" {
            "Main".to_owned()
        } else {
            format!("solution_{kept}")
        };
        let place = if ending == "java" {
            format!("submissions/accepted/java_{kept}")
        } else {
            "submissions/accepted".to_owned()
        };
        draft.put(format!("{place}/{name}.{ending}"), text);
    }
    if kept > 0 {
        let text = format!(
            "{}, assumed to be accepted since their expectation is unknown",
            counted(kept, "solution")
        );
        draft.changed(Part::Solutions, text);
    }
    for (name, part) in [
        ("spj", Part::Checker),
        ("tpj", Part::Checker),
        ("prepend", Part::Graders),
        ("append", Part::Graders),
    ] {
        let found = children(item, name).find(|node| !all_text(*node).trim().is_empty());
        if found.is_some() {
            draft.lost(
                part,
                format!("`{name}`: the file does not state the protocol of this program"),
            );
        }
    }
}

/// Returns the file extension of a language, by its name in HUSTOJ or other judges.
fn ending(language: &str) -> Option<String> {
    language_named(&built_in_languages(), language)?
        .extensions
        .first()
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hustoj_language_names_are_recognised() {
        let endings = ["C", "Clang++", "C#", "JavaScript", "Python", "Malbolge", ""].map(ending);
        let endings = endings.each_ref().map(Option::as_deref);
        assert_eq!(
            endings,
            [
                Some("c"),
                Some("cpp"),
                Some("cs"),
                Some("js"),
                Some("py"),
                None,
                None
            ]
        );
    }
}
