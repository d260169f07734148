//! Statements in archives: TeX for Kattis, a page or a PDF for DOMjudge.
//!
//! Responsible for selecting and naming files. Must not typeset anything: the caller has done so.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use judge_event::Part;
use judge_model::FormatVersion;
use judge_package::{StatementKind, language_of, names};

use super::Package;
use super::archive::{Archive, files_below};
use super::legacy::LegacyJudge;
use crate::remarks::Remarks;

/// The directory of statements in legacy packages.
const DIRECTORY: &str = "problem_statement";

/// A statement as a PDF, or the reason why it could not be created.
pub type TypesetPdf = Result<Vec<u8>, String>;

/// A statement in one language, in the forms that other judges accept.
#[derive(Clone, Debug)]
pub struct TypesetStatement {
    /// The language, such as `en` or `pt-BR`.
    pub language: String,
    /// The kind of its source file.
    pub kind: StatementKind,
    /// The absolute path of its source file.
    pub path: PathBuf,
    /// The HTML page, if it could be created.
    pub html: Option<String>,
    /// The text in TeX, if the source is Markdown.
    pub tex: Option<String>,
    /// The parts that are missing in the TeX, each as the end of a sentence about the statement.
    pub not_in_tex: Vec<String>,
    /// The PDF, if [`Target::statement_to_print`](super::Target::statement_to_print) requires it.
    pub pdf: Option<TypesetPdf>,
}

/// Puts the statements into an archive of the legacy format.
pub(super) fn put(
    package: &Package<'_>,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    if target == LegacyJudge::Kattis {
        return put_tex(package, archive, remarks);
    }
    match statement_at_root(package) {
        Some((name, path)) => archive.put_file(name, &path),
        None => put_page(package, archive, remarks),
    }
    Ok(())
}

/// Returns the statement next to `problem.yaml`, unless DOMjudge prefers another one. Source:
/// DOMjudge, ImportProblemService.php: `problem_statement/problem.*` before `problem.*`, and PDF
/// before HTML and text.
fn statement_at_root(package: &Package<'_>) -> Option<(&'static str, PathBuf)> {
    const NAMES: [&str; 3] = ["problem.pdf", "problem.html", "problem.txt"];
    let directory = &package.loaded.problem.directory;
    let is_shadowed = NAMES
        .iter()
        .any(|name| directory.join("problem_statement").join(name).is_file())
        || package
            .statements
            .iter()
            .any(|statement| statement.path.with_extension("pdf").is_file());
    NAMES
        .into_iter()
        .map(|name| (name, directory.join(name)))
        .find(|(_, path)| !is_shadowed && path.is_file())
}

/// Puts statements as TeX, which the legacy format requires. Source: problemtools,
/// formatversion.py.
fn put_tex(package: &Package<'_>, archive: &mut Archive, remarks: &mut Remarks) -> io::Result<()> {
    let mut found = false;
    for statement in package.statements {
        let name = format!("problem_statement/problem.{}.tex", statement.language);
        let about = file_name_of(&statement.path);
        match (statement.kind, &statement.tex) {
            (StatementKind::Markdown, _) if let Some(path) = existing_tex(package, statement) => {
                put_existing_tex(package, &path, name, archive, remarks)?;
                remarks.lost(
                    Part::Statement,
                    &about,
                    "is left out: there is a TeX statement in the same language",
                );
            }
            (StatementKind::Markdown, Some(tex)) => {
                archive.put(name, tex.clone());
                let text = "is converted to TeX, which Kattis requires";
                remarks.changed(Part::Statement, &about, text);
                report_not_in_tex(statement, &about, remarks);
            }
            (StatementKind::Tex, _) => {
                put_existing_tex(package, &statement.path, name, archive, remarks)?;
            }
            _ => {
                remarks.lost(Part::Statement, &about, "is left out: Kattis requires TeX");
                continue;
            }
        }
        found = true;
        put_images(package, statement, archive)?;
    }
    if !found {
        remarks.refused(
            Part::Statement,
            "statement",
            "has no statement in Markdown or TeX",
        );
    }
    Ok(())
}

/// Returns the TeX statement of a legacy package in the same language as a Markdown statement,
/// which the format does not support.
fn existing_tex(package: &Package<'_>, statement: &TypesetStatement) -> Option<PathBuf> {
    let directory = statement
        .path
        .parent()
        .filter(|_| package.loaded.problem.format != FormatVersion::V2025_09)?;
    tex_in(directory, &statement.language)
}

fn tex_in(directory: &Path, language: &str) -> Option<PathBuf> {
    let mut names = vec![format!("problem.{language}.tex")];
    names.extend((language == "en").then(|| "problem.tex".to_owned()));
    names
        .into_iter()
        .map(|name| directory.join(name))
        .find(|path| path.is_file())
}

/// True for a Markdown statement of a legacy package that is left out for Kattis, since there is
/// one in TeX in its language.
pub(super) fn is_replaced_by_tex(package: &Path, file: &Path) -> bool {
    let is_markdown = file
        .parent()
        .is_some_and(|parent| parent.ends_with(DIRECTORY))
        && file.extension().is_some_and(|extension| extension == "md");
    let language = file
        .file_name()
        .filter(|_| is_markdown)
        .and_then(|name| language_of(&name.to_string_lossy(), true));
    language.is_some_and(|language| tex_in(&package.join(DIRECTORY), &language).is_some())
}

/// Puts an existing TeX statement, with the name of the problem and without options that other
/// engines refuse.
fn put_existing_tex(
    package: &Package<'_>,
    path: &Path,
    name: String,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let text = judge_package::read_within(path, 4 << 20)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let head = if text.contains("\\problemname") {
        String::new()
    } else {
        format!("\\problemname{{{}}}\n", package.loaded.problem.title)
    };
    let text = without_boxes(&text);
    if let Cow::Owned(_) = text {
        let message = "loses the bounding boxes of its images, since Kattis' LuaLaTeX refuses them";
        remarks.changed(Part::Statement, file_name_of(path), message);
    }
    archive.put(name, head + &text);
    Ok(())
}

pub(super) fn file_name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Replaces Markdown statements with TeX. Source: 2025-09, "Problem statements": one file per
/// language.
pub(super) fn replace_by_tex(package: &Package<'_>, archive: &mut Archive, remarks: &mut Remarks) {
    for statement in package.statements {
        let Some(tex) = &statement.tex else { continue };
        let about = file_name_of(&statement.path);
        let stem = about
            .rsplit_once('.')
            .map_or(about.as_str(), |(stem, _)| stem);
        archive.remove(&format!("statement/{about}"));
        archive.put(format!("statement/{stem}.tex"), tex.clone());
        remarks.changed(Part::Statement, &about, "is converted to TeX");
        report_not_in_tex(statement, &about, remarks);
    }
}

/// Reports the parts of a statement that are missing in its TeX.
fn report_not_in_tex(statement: &TypesetStatement, about: &str, remarks: &mut Remarks) {
    for part in &statement.not_in_tex {
        remarks.lost(Part::Statement, about, part);
    }
}

/// Removes the bounding boxes of images from a TeX text: other engines do not accept these options.
fn without_boxes(text: &str) -> Cow<'_, str> {
    const COMMAND: &str = "\\includegraphics[";
    let is_box = |option: &&str| {
        let key = option.split('=').next().unwrap_or_default().trim();
        matches!(
            key,
            "natwidth" | "natheight" | "bb" | "bbllx" | "bblly" | "bburx" | "bbury"
        )
    };
    let mut changed = String::new();
    let mut rest = text;
    let mut is_changed = false;
    while let Some((before, after)) = rest.split_once(COMMAND) {
        let Some((options, after)) = after.split_once(']') else {
            break;
        };
        let kept: Vec<&str> = options
            .split(',')
            .filter(|option| !is_box(option))
            .collect();
        is_changed |= kept.len() < options.split(',').count();
        changed.extend([before, COMMAND, &kept.join(","), "]"]);
        rest = after;
    }
    if is_changed {
        Cow::Owned(changed + rest)
    } else {
        Cow::Borrowed(text)
    }
}

/// Puts the files in the directory of a statement that it may include.
fn put_images(
    package: &Package<'_>,
    statement: &TypesetStatement,
    archive: &mut Archive,
) -> io::Result<()> {
    let Some(directory) = statement.path.parent() else {
        return Ok(());
    };
    let legacy = package.loaded.problem.format != FormatVersion::V2025_09;
    for found in files_below(directory)? {
        let is_image = matches!(
            names::extension(&found.name)
                .map(str::to_ascii_lowercase)
                .as_deref(),
            Some("png" | "jpg" | "jpeg" | "pdf" | "eps" | "tex" | "sty")
        );
        let path = format!("problem_statement/{}", found.name);
        let counts = found.name.split('/').all(names::counts);
        if is_image && counts && language_of(&found.name, legacy).is_none() && !archive.has(&path) {
            archive.put_file(path, &found.path);
        }
    }
    Ok(())
}

/// Returns the index of the statement for judges with only one: the English one, or the first one.
fn preferred(package: &Package<'_>) -> Option<usize> {
    let english = package
        .statements
        .iter()
        .position(|statement| statement.language == "en");
    english.or((!package.statements.is_empty()).then_some(0))
}

/// Returns the index of the statement that must be converted to a PDF, since DOMjudge only shows
/// PDF, HTML and text.
pub(super) fn to_print(package: &Package<'_>) -> Option<usize> {
    let index = preferred(package).filter(|_| statement_at_root(package).is_none())?;
    let TypesetStatement { kind, path, .. } = &package.statements[index];
    (*kind == StatementKind::Tex && !path.with_extension("pdf").is_file()).then_some(index)
}

/// Puts the page or the PDF of the preferred statement.
fn put_page(package: &Package<'_>, archive: &mut Archive, remarks: &mut Remarks) {
    const STEM: &str = "problem_statement/problem";
    let Some(statement) = preferred(package).map(|index| &package.statements[index]) else {
        return remarks.lost(Part::Statement, "statement", "has no statement");
    };
    let about = file_name_of(&statement.path);
    let pdf = statement.path.with_extension("pdf");
    if pdf.is_file() {
        archive.put_file(format!("{STEM}.pdf"), &pdf);
    } else if let (StatementKind::Markdown, Some(html)) = (statement.kind, &statement.html) {
        archive.put(format!("{STEM}.html"), html.clone());
        remarks.changed(Part::Statement, &about, "is converted to HTML");
    } else if let Some(Ok(pdf)) = &statement.pdf {
        archive.put(format!("{STEM}.pdf"), pdf.clone());
        remarks.changed(Part::Statement, &about, "is converted to a PDF");
    } else {
        let why = match &statement.pdf {
            Some(Err(why)) => format!(": {why}"),
            _ => String::new(),
        };
        let message = format!(
            "is left out: DOMjudge does not support TeX, and no PDF could be created; add a `problem.pdf` next to \
             `problem.yaml`{why}"
        );
        remarks.lost(Part::Statement, &about, message);
    }
    let others = package.statements.iter();
    for other in others.filter(|other| other.language != statement.language) {
        let text = "is left out: DOMjudge supports only one statement";
        remarks.lost(Part::Statement, file_name_of(&other.path), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bounding_boxes_are_removed() {
        let text =
            "a\\includegraphics[width=8cm,natwidth=320,natheight=360]{x}\\includegraphics{y}b";
        assert_eq!(
            without_boxes(text),
            "a\\includegraphics[width=8cm]{x}\\includegraphics{y}b"
        );
        for text in [
            "\\includegraphics[scale=2]{x}",
            "\\includegraphics[bb=1",
            "",
        ] {
            assert!(matches!(without_boxes(text), Cow::Borrowed(same) if same == text));
        }
    }
}
