//! Statements of Polygon: sections of LaTeX, pictures, tutorials.
//!
//! Responsible for combining sections into one statement. Must not know how LaTeX is rendered.

use std::fmt::Write as _;
use std::path::Path;

use judge_event::Part;

use crate::Result;
use crate::import::draft::Draft;
use crate::import::draft::naming::safe_name;
use crate::import::draft::parts::Content;
use crate::import::formats::polygon::description::{Description, StatementFile};
use crate::import::formats::polygon::olymp;
use crate::import::source::Source;

/// The sections of a statement in order, with their headings.
const SECTIONS: [(&str, &str); 6] = [
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
];
const PICTURES: [&str; 8] = ["png", "jpg", "jpeg", "pdf", "eps", "svg", "gif", "mps"];

/// Returns the ISO 639-1 code, which the package format requires, of a language name in Polygon.
pub(crate) fn language_code(word: &str) -> Option<&'static str> {
    // Each word with its code.
    const CODES: &str = "arabic ar armenian hy azerbaijani az belarusian be bengali bn bulgarian bg chinese zh croatian hr \
        czech cs english en estonian et french fr georgian ka german de greek el hebrew he hungarian hu \
        indonesian id italian it japanese ja kazakh kk korean ko kyrgyz ky latvian lv lithuanian lt main en \
        mongolian mn persian fa polish pl portuguese pt romanian ro russian ru spanish es turkish tr \
        ukrainian uk vietnamese vi turkmen tk uzbek uz serbian sr slovak sk other en";
    let mut words = CODES.split_whitespace();
    std::iter::from_fn(|| words.next().zip(words.next()))
        .find(|(name, _)| *name == word)
        .map(|(_, code)| code)
}

/// Puts the statements, their pictures and the tutorials into the package.
pub(crate) fn convert(source: &Source, description: &Description, draft: &mut Draft) -> Result<()> {
    let mut languages: Vec<String> = source
        .files_below("statement-sections")
        .filter_map(|file| Some(file.components().nth(1)?.as_os_str().to_str()?.to_owned()))
        .collect();
    // Files are sorted, so those of a language are consecutive.
    languages.dedup();
    for language in &languages {
        sections(source, description, language, draft)?;
    }
    // Old packages have no sections, and some have a statement from elsewhere. One file for each
    // language is enough, and a PDF is preferred.
    let is_pdf = |file: &&StatementFile| file.media == "application/pdf";
    let (pages, others): (Vec<_>, Vec<_>) = description.statements.iter().partition(is_pdf);
    for file in pages
        .into_iter()
        .chain(others)
        .filter(|file| !languages.contains(&file.language) || file.is_tutorial)
    {
        let ending = match (file.is_tutorial, file.media.as_str()) {
            (false, "application/pdf") => "pdf",
            (false, "application/x-tex") => "tex",
            _ => continue,
        };
        let place = |code: &str| format!("statement/problem.{code}.{ending}");
        if let Some(code) = language_code(&file.language)
            && source.has(&file.path)
            && !draft.has(&place(code))
            && !(ending == "tex" && draft.has(&format!("statement/problem.{code}.pdf")))
        {
            let page = match ending {
                "tex" => source
                    .text_if_readable(&file.path)?
                    .and_then(|text| olymp::statement(&text)),
                _ => None,
            };
            let (content, how) = match page {
                Some(page) => (
                    Content::from(page),
                    "with the commands of packages instead of those of `olymp.sty`",
                ),
                None => (
                    Content::Copy(file.path.clone().into()),
                    "is copied unchanged, since it has no sections",
                ),
            };
            draft.put(place(code), content);
            draft.mark_used(&file.path);
            draft.changed_at(
                Part::Statement,
                &file.path,
                format!("the statement in `{}` {how}", file.language),
            );
            if ending == "tex" {
                let directory = Path::new(&file.path)
                    .parent()
                    .unwrap_or(Path::new(""))
                    .to_owned();
                pictures(source, &directory, draft)?;
            }
        }
    }
    Ok(())
}

/// Combines the sections of a language into one statement.
fn sections(
    source: &Source,
    description: &Description,
    language: &str,
    draft: &mut Draft,
) -> Result<()> {
    let directory = format!("statement-sections/{language}");
    let Some(code) = language_code(language) else {
        let text = format!("the statement in `{language}`: unknown language");
        draft.lost_at(Part::Statement, &directory, text);
        return Ok(());
    };
    let read = |name: &str, draft: &mut Draft| -> Result<String> {
        let file = format!("{directory}/{name}.tex");
        if !source.has(&file) {
            return Ok(String::new());
        }
        draft.mark_used(&file);
        let text = source.text_if_readable(&file)?;
        if text.is_none() {
            draft.lost_at(Part::Statement, &file, format!("`{file}` is not in UTF-8"));
        }
        Ok(text.unwrap_or_default().trim().to_owned())
    };
    let name = read("name", draft)?;
    let named = description
        .names
        .iter()
        .find(|(name, _)| name == language)
        .map(|(_, name)| name.clone());
    let mut text = format!("\\problemname{{{}}}\n", named.unwrap_or(name));
    let mut has_any = false;
    for (section, heading) in SECTIONS {
        let body = read(section, draft)?;
        if body.is_empty() {
            continue;
        }
        has_any = true;
        if !heading.is_empty() {
            let _ = write!(text, "\n\\section*{{{heading}}}");
        }
        let _ = write!(text, "\n{body}\n");
    }
    let tutorial = read("tutorial", draft)?;
    if !tutorial.is_empty() {
        draft.put(
            format!("solution/solution.{code}.tex"),
            format!("{tutorial}\n"),
        );
        draft.carried(
            Part::Statement,
            format!("the tutorial in `{language}`, in `solution/`"),
        );
    }
    if !has_any {
        return Ok(());
    }
    draft.put(format!("statement/problem.{code}.tex"), text);
    draft.carried(
        Part::Statement,
        format!("the statement in `{language}`: its sections in one file"),
    );
    // These files are the displayed samples, which are also among the tests.
    let is_sample = |file: &&Path| {
        file.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("example."))
    };
    let samples = source.files_below(&directory).filter(is_sample);
    draft.mark_all_used(samples);
    pictures(source, Path::new(&directory), draft)
}

/// Copies the pictures below a directory to the directory of the statements.
fn pictures(source: &Source, directory: &Path, draft: &mut Draft) -> Result<()> {
    let ending = |file: &Path| {
        file.extension()
            .map(|extension| extension.to_string_lossy().to_lowercase())
    };
    let is_picture = |file: &&Path| {
        ending(file)
            .is_some_and(|extension| PICTURES.contains(&extension.as_str()) && extension != "pdf")
    };
    for file in source.files_below(directory).filter(is_picture) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        picture(source, file, &safe_name(&name), draft)?;
    }
    Ok(())
}

/// Copies a picture to the directory of the statements. The pictures of all languages are usually
/// the same.
fn picture(source: &Source, file: &Path, name: &str, draft: &mut Draft) -> Result<()> {
    let place = format!("statement/{name}");
    if !draft.has(&place) {
        draft.copy(place, file);
        return Ok(());
    }
    draft.mark_used(file);
    let bytes = source.bytes(file)?;
    let is_same = draft
        .copies(&place)
        .is_some_and(|other| source.bytes(other).is_ok_and(|other| other == bytes));
    if !is_same {
        let text =
            format!("the picture `{name}` of another language: statements share one directory");
        draft.lost_at(Part::Statement, &file.display().to_string(), text);
    }
    Ok(())
}
