//! Statements in archives: as TeX for Kattis, as one page or PDF for DOMjudge.
//!
//! Responsible for which files are there and under which names. Must not typeset anything: that was
//! done before.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use judge_model::FormatVersion;
use judge_package::{StatementKind, language_of, names};

use super::Package;
use super::archive::{Archive, files_below};
use super::legacy::LegacyJudge;
use super::remark::{RemarkKind, Remarks};

/// The place of statements in legacy packages.
const DIRECTORY: &str = "problem_statement";

/// A statement as a PDF, or the reason why no engine made one.
pub type TypesetPdf = Result<Vec<u8>, String>;

/// A statement in one language, in the forms that other judges want.
#[derive(Clone, Debug)]
pub struct TypesetStatement {
    /// The language, such as `en` or `pt-BR`.
    pub language: String,
    /// The kind of file that it is written in.
    pub kind: StatementKind,
    /// The file, absolute.
    pub path: PathBuf,
    /// The page, where one could be made.
    pub html: Option<String>,
    /// The text in TeX, where it is written in Markdown.
    pub tex: Option<String>,
    /// The parts that are not in the text in TeX, each as the end of a sentence about the
    /// statement.
    pub not_in_tex: Vec<String>,
    /// The PDF, where [`Target::statement_to_print`](super::Target::statement_to_print) asks for
    /// it.
    pub pdf: Option<TypesetPdf>,
}

/// Puts the statements into an archive in the legacy format.
pub(super) fn put(
    package: &Package<'_>,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    match target {
        LegacyJudge::Kattis => put_tex(package, archive, remarks),
        _ => match statement_at_root(package) {
            Some((name, path)) => {
                archive.put_file(name, &path, false);
                Ok(())
            }
            None => put_page(package, "problem_statement/problem", archive, remarks),
        },
    }
}

/// The statement beside `problem.yaml`, unless there is one where DOMjudge looks first. Source:
/// DOMjudge, ImportProblemService.php: `problem_statement/problem.*` before `problem.*`, of each a
/// PDF before HTML and text.
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

/// Source: problemtools, formatversion.py: a statement of the legacy format is TeX.
fn put_tex(package: &Package<'_>, archive: &mut Archive, remarks: &mut Remarks) -> io::Result<()> {
    let mut found = false;
    for statement in package.statements {
        let name = format!("problem_statement/problem.{}.tex", statement.language);
        let about = file_name_of(&statement.path);
        match (statement.kind, &statement.tex) {
            (StatementKind::Markdown, _) if let Some(path) = tex_beside(package, statement) => {
                put_tex_as_it_is(package, &path, name, archive, remarks)?;
                remarks.add(
                    RemarkKind::STATEMENT,
                    &about,
                    "is left out: there is a statement in TeX beside it",
                );
            }
            (StatementKind::Markdown, Some(tex)) => {
                archive.put(name, tex.clone(), false);
                remarks.add(
                    RemarkKind::TYPESET,
                    &about,
                    "is written as TeX: Kattis takes nothing else",
                );
                for part in &statement.not_in_tex {
                    remarks.add(RemarkKind::STATEMENT, &about, part.clone());
                }
            }
            (StatementKind::Tex, _) => {
                put_tex_as_it_is(package, &statement.path, name, archive, remarks)?;
            }
            _ => {
                remarks.add(
                    RemarkKind::STATEMENT,
                    &about,
                    "is left out: Kattis takes statements in TeX",
                );
                continue;
            }
        }
        found = true;
        put_images(package, statement, archive)?;
    }
    if !found {
        remarks.add(
            RemarkKind::NO_STATEMENT,
            "statement",
            "has no statement in Markdown or TeX",
        );
    }
    Ok(())
}

/// The statement in TeX that a legacy package has in the language of one in Markdown, which the
/// format does not know.
fn tex_beside(package: &Package<'_>, statement: &TypesetStatement) -> Option<PathBuf> {
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

/// True for a statement of a legacy package that Kattis does not get, since there is one in TeX in
/// its language.
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

/// Puts a statement in TeX, with the name of the problem and without what other engines refuse.
fn put_tex_as_it_is(
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
        let message = "loses the bounding boxes of its images, which Kattis' LuaLaTeX refuses";
        remarks.add(RemarkKind::TYPESET, file_name_of(path), message);
    }
    archive.put(name, head + &text, false);
    Ok(())
}

fn file_name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Puts statements in TeX in the places of those in Markdown. Source: 2025-09, "Problem
/// statements": one file per language.
pub(super) fn replace_by_tex(package: &Package<'_>, archive: &mut Archive, remarks: &mut Remarks) {
    for statement in package.statements {
        let Some(tex) = &statement.tex else { continue };
        let about = file_name_of(&statement.path);
        let stem = about
            .rsplit_once('.')
            .map_or(about.as_str(), |(stem, _)| stem);
        archive.remove(&format!("statement/{about}"));
        archive.put(format!("statement/{stem}.tex"), tex.clone(), false);
        remarks.add(RemarkKind::TYPESET, &about, "is written as TeX");
        for part in &statement.not_in_tex {
            remarks.add(RemarkKind::STATEMENT, &about, part.clone());
        }
    }
}

/// A text in TeX without the bounding boxes of images, which other engines read from their options.
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

/// The files beside a statement, which it may show.
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
            archive.put_file(path, &found.path, false);
        }
    }
    Ok(())
}

/// The statement that is taken where one is: the English one, or the first one.
fn preferred(package: &Package<'_>) -> Option<usize> {
    let english = package
        .statements
        .iter()
        .position(|statement| statement.language == "en");
    english.or((!package.statements.is_empty()).then_some(0))
}

/// The index of the statement that has to become a PDF: DOMjudge shows PDF, HTML and text.
pub(super) fn to_print(package: &Package<'_>) -> Option<usize> {
    let index = preferred(package).filter(|_| statement_at_root(package).is_none())?;
    let TypesetStatement { kind, path, .. } = &package.statements[index];
    (*kind == StatementKind::Tex && !path.with_extension("pdf").is_file()).then_some(index)
}

/// The page of the English statement, or of the first one; a PDF as it is.
pub(super) fn put_page(
    package: &Package<'_>,
    stem: &str,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<()> {
    let Some(statement) = preferred(package).map(|index| &package.statements[index]) else {
        remarks.add(RemarkKind::STATEMENT, "statement", "has no statement");
        return Ok(());
    };
    let about = file_name_of(&statement.path);
    let pdf = statement.path.with_extension("pdf");
    if pdf.is_file() {
        archive.put_file(format!("{stem}.pdf"), &pdf, false);
    } else if let (StatementKind::Markdown, Some(html)) = (statement.kind, &statement.html) {
        archive.put(format!("{stem}.html"), html.clone(), false);
        remarks.add(RemarkKind::TYPESET, &about, "is a page of HTML");
    } else if let Some(Ok(pdf)) = &statement.pdf {
        archive.put(format!("{stem}.pdf"), pdf.clone(), false);
        remarks.add(RemarkKind::TYPESET, &about, "is typeset as a PDF");
    } else {
        let why = match &statement.pdf {
            Some(Err(why)) => format!(": {why}"),
            _ => String::new(),
        };
        let message = format!(
            "is left out: DOMjudge takes no TeX, and no PDF could be made; put one as `problem.pdf` beside \
             `problem.yaml`{why}"
        );
        remarks.add(RemarkKind::STATEMENT, &about, message);
    }
    for other in package
        .statements
        .iter()
        .filter(|other| other.language != statement.language)
    {
        let about = file_name_of(&other.path);
        remarks.add(
            RemarkKind::STATEMENT,
            about,
            "is left out: one statement is taken",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounding_boxes_are_taken_out_and_nothing_else() {
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
