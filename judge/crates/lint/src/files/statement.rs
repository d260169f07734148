//! Statements: one for each language, with the images that they show.
//!
//! Source: 2025-09 and legacy, "Problem Statements". Responsible for names, images, and LaTeX
//! commands that pages do not support. Must not typeset anything.

use std::collections::BTreeMap;
use std::fs;

use judge_package::{code, language_of};
use judge_statement::unknown_in_latex;

use super::entries::{Entry, Kind};
use super::findings::Findings;
use super::subject::Subject;

/// Statements in the legacy format that only DOMjudge accepts. Source: DOMjudge,
/// ImportProblemService.
const DOMJUDGE_STATEMENTS: [&str; 2] = ["problem.html", "problem.txt"];

/// The maximum size of a statement that is checked, in bytes; the same as for `judge statement`.
const MAX_TEXT: usize = 4 << 20;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let legacy = subject.is_legacy();
    let (folder, example) = match legacy {
        true => ("problem_statement", "problem.en.tex"),
        false => ("statement", "problem.en.md"),
    };
    let mut languages: BTreeMap<String, &str> = BTreeMap::new();
    let mut of_domjudge = None;
    for entry in subject
        .children(folder)
        .filter(|entry| entry.kind != Kind::Folder && entry.counts())
    {
        if legacy && DOMJUDGE_STATEMENTS.contains(&entry.name()) {
            of_domjudge = Some(entry.name());
            continue;
        }
        let Some(language) = language_of(entry.name(), legacy) else {
            if looks_like_a_statement(entry.name()) {
                let expected =
                    "expected `problem.LANGUAGE.md`, `.tex` or `.pdf`, such as `problem.en.md`";
                findings.add(code::STATEMENT_FILE_MISNAMED, &entry.path, expected);
            }
            continue;
        };
        if let Some(first) = languages.get(&language) {
            let message = format!("`{first}` is a statement in the same language, `{language}`");
            findings.add(code::STATEMENT_TWICE, &entry.path, message);
        }
        languages.insert(language, entry.name());
        check_text(subject, entry, legacy, findings);
    }
    if !legacy && !languages.is_empty() {
        check_languages(subject, &languages, findings);
    }
    if languages.is_empty() && subject.problem().is_some() {
        let found = of_domjudge.map_or("none".to_owned(), |name| {
            format!("`{name}`, which only DOMjudge accepts")
        });
        let message =
            format!("expected at least one statement, such as `{example}`, found {found}");
        findings.add(code::NO_STATEMENT, &subject.directory.join(folder), message);
    }
}

/// Source: 2025-09, "Problem Metadata", `name`: a text is the English name.
fn check_languages(
    subject: &Subject<'_>,
    statements: &BTreeMap<String, &str>,
    findings: &mut Findings,
) {
    let Some(node) = subject.key("name") else {
        return;
    };
    let line = node.position().map(|position| position.line);
    // A string is the English name; there are no others.
    let names: Vec<String> = match node.entries() {
        Some(entries) => entries.into_iter().map(|entry| entry.name).collect(),
        None => vec!["en".to_owned()],
    };
    let mut add = |message: String| {
        findings.add_at(line, code::NAME_LANGUAGES, &subject.marker(), message);
    };
    for language in statements
        .keys()
        .filter(|language| !names.contains(language))
    {
        add(format!("no name for the statement in `{language}`"));
    }
    for language in names.iter().filter(|name| !statements.contains_key(*name)) {
        add(format!("no statement for the name in `{language}`"));
    }
}

fn looks_like_a_statement(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("problem")
        && [".tex", ".md", ".pdf", ".html", ".txt"]
            .iter()
            .any(|end| lower.ends_with(end))
}

fn check_text(subject: &Subject<'_>, entry: &Entry, legacy: bool, findings: &mut Findings) {
    if fs::metadata(&entry.path).is_ok_and(|metadata| metadata.len() == 0) {
        findings.add(code::STATEMENT_EMPTY, &entry.path, "is empty");
        return;
    }
    if !matches!(entry.extension(), "md" | "tex") {
        return;
    }
    let text = subject.read_text(&entry.path);
    if legacy
        && entry.extension() == "tex"
        && !text.contains("\\problemname{")
        && subject.key("name").is_none()
    {
        let message = "does not state the problem's name with `\\problemname{…}`";
        findings.add(code::NAME_MISSING_IN_TEX, &entry.path, message);
    }
    if entry.extension() == "tex" && text.len() <= MAX_TEXT {
        check_commands(subject, entry, &text, findings);
    }
    // TeX then searches other directories too.
    if text.contains("\\graphicspath") {
        return;
    }
    let images: fn(&str) -> Vec<&str> = if entry.extension() == "md" {
        markdown_images
    } else {
        tex_images
    };
    for (number, line) in (1..).zip(text.lines()) {
        for image in images(line) {
            if !exists(subject, entry, image) {
                let message = format!("shows the image `{image}`, which does not exist");
                findings.add_at(Some(number), code::IMAGE_MISSING, &entry.path, message);
            }
        }
    }
}

/// Reports the commands that a page would show as written, each once, at its first line.
fn check_commands(subject: &Subject<'_>, entry: &Entry, text: &str, findings: &mut Findings) {
    let constants = subject
        .problem()
        .iter()
        .flat_map(|problem| &problem.constants)
        .map(|constant| (constant.name.clone(), constant.value.clone()))
        .collect::<Vec<_>>();
    for unknown in unknown_in_latex(text, &constants) {
        let line = u32::try_from(unknown.line).ok();
        findings.add_at(line, code::TEX_UNKNOWN, &entry.path, unknown.to_string());
    }
}

/// Returns true when the image exists. TeX also finds images without their extensions.
fn exists(subject: &Subject<'_>, entry: &Entry, image: &str) -> bool {
    let folder = entry.path.parent().unwrap_or(subject.directory);
    let extensions = ["", ".png", ".jpg", ".jpeg", ".pdf", ".svg", ".eps"];
    extensions
        .iter()
        .any(|extension| folder.join(format!("{image}{extension}")).is_file())
}

/// The text between `![…](` and the end of the address.
fn markdown_images(line: &str) -> Vec<&str> {
    let mut images = Vec::new();
    let mut rest = line;
    while let Some((_, after)) = rest.split_once("![") {
        rest = after;
        // A title may follow the address after a space.
        let Some((_, address)) = after.split_once("](") else {
            continue;
        };
        let address = address.split([')', ' ']).next().unwrap_or_default();
        if !address.is_empty() && !address.contains("://") && !address.starts_with("data:") {
            images.push(address);
        }
    }
    images
}

/// The files of `\includegraphics[…]{…}` and `\illustration{…}{…}{…}`. Names that contain macros
/// are ignored.
fn tex_images(line: &str) -> Vec<&str> {
    // A comment of TeX shows nothing.
    let code = line.split('%').next().unwrap_or_default();
    let graphics = code.split("\\includegraphics").skip(1).filter_map(|after| {
        let after = after.strip_prefix('*').unwrap_or(after);
        let braces = if after.starts_with('[') {
            after.split_once(']').map_or("", |(_, rest)| rest)
        } else {
            after
        };
        argument(braces)
    });
    let illustrations = code
        .split("\\illustration")
        .skip(1)
        .filter_map(|after| argument(argument(after)?.1));
    let names = graphics.chain(illustrations).map(|(name, _)| name);
    names
        .filter(|name| !name.is_empty() && !name.contains(['\\', '#']))
        .collect()
}

/// The text in the braces at the beginning, and the rest.
fn argument(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('{')?.split_once('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_found_in_both_languages() {
        assert_eq!(
            markdown_images("![a](x.png) and ![](y.svg \"t\") ![](https://z/q.png)"),
            ["x.png", "y.svg"]
        );
        assert_eq!(
            tex_images(
                r"\includegraphics[width=1cm]{a} \includegraphics{b.png} % \includegraphics{c}"
            ),
            ["a", "b.png"]
        );
        assert_eq!(
            tex_images(r"\illustration{0.3}{c.jpg}{By \emph{Ada}}"),
            ["c.jpg"]
        );
        assert!(tex_images(r"\includegraphics{\name} \illustration{0.3}").is_empty());
    }
}
