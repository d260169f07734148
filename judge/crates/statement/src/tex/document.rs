//! Documents for a LaTeX engine, with one or more statements, their facts and samples.
//!
//! Responsible for the frame around the statements. The same statements give the same document.
//! LaTeX statements are untrusted and passed on unchanged, so the engine must run without access to
//! the host. Must not know which engine is used, and must not read files.
//!
//! Source: 2025-09, "Problem Statements", for the commands that statements may use.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::escape::escaped;
use super::markdown::markdown_to_tex;
use super::packages::packages;
use super::samples::sample_tex;
use crate::booklet::Cover;
use crate::facts::label_in;
use crate::words::{Captioned, Words};
use crate::{Body, Fact, Page};

const ARTICLE: &str = include_str!("article.tex");
const SLIDES: &str = include_str!("slides.tex");
const COMMANDS: &str = include_str!("commands.tex");
/// Commands that BAPCtools defines for slides. Statistics exist only for a contest.
const COMMANDS_OF_SLIDES: &str = "\\newcommand\\problemtitle{\\judge@name}\n\
    \\newcommand\\problemauthor{}\n\\newcommand\\solvestats{}\n\\newcommand\\printsolvestats[1][]{}\n\
    \\newcommand\\activitychart[1][]{}\n";

/// A document of several files. The engine is started with the first one. Images belong in the
/// directory of their statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TexDocument {
    /// The files: names, with directories, and texts.
    pub files: Vec<(String, String)>,
    /// The parts of statements that are left out: the index of the page and the end of a sentence
    /// about its statement.
    pub left_out: Vec<(usize, String)>,
}

impl TexDocument {
    /// The directory of a page's files and images, and of `statement.pdf` for a PDF statement.
    #[must_use]
    pub fn directory(page: usize) -> String {
        format!("p{}", page + 1)
    }

    /// Adds a statement as a file, which the first file includes.
    fn push_statement(&mut self, main: &mut String, directory: &str, text: String) {
        let file = format!("{directory}/statement.tex");
        let _ = writeln!(main, "\\input{{{file}}}");
        self.files.push((file, text));
    }
}

/// A part of a document that was written by an author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexPlace {
    /// The statement, or its end, where LaTeX reports unclosed groups.
    Statement,
    /// The sample with this number.
    Sample(usize),
}

impl TexDocument {
    /// Returns the index of the page that a line of a file belongs to, and the part of it.
    #[must_use]
    pub fn place_of(&self, file: &str, line: u32) -> Option<(usize, TexPlace)> {
        let page = |name: &str| {
            name.strip_prefix('p')?
                .parse::<usize>()
                .ok()?
                .checked_sub(1)
        };
        if let Some((directory, name)) = file.split_once('/') {
            let sample = name
                .strip_prefix("sample-")
                .and_then(|name| name.strip_suffix(".tex"));
            let place = sample
                .and_then(|number| number.parse().ok())
                .map_or(TexPlace::Statement, TexPlace::Sample);
            return Some((page(directory)?, place));
        }
        let (_, text) = self.files.iter().find(|(name, _)| name == file)?;
        // An error at the end of a statement has a line of `main.tex`. The last page that
        // begins before this line contains it.
        let before = text.lines().take(usize::try_from(line).ok()?);
        let begun = before
            .filter_map(|line| line.strip_prefix("\\judgebegin{")?.split_once('}'))
            .last()?;
        Some((page(begun.0)?, TexPlace::Statement))
    }
}

/// Creates the document of some pages. With a cover, it is a booklet, and problems have letters.
#[must_use]
pub fn tex_document(pages: &[Page], cover: Option<&Cover>) -> TexDocument {
    let mut document = TexDocument::default();
    let title = cover
        .map(|cover| &cover.title)
        .or_else(|| pages.first().map(|page| &page.title));
    let mut main = preamble(pages, title.map_or("", |title| title));
    if let Some(cover) = cover {
        push_cover(&mut main, pages, cover);
    }
    for (index, page) in pages.iter().enumerate() {
        push_page(&mut main, &mut document, index, page, cover);
    }
    main.push_str("\\end{document}\n");
    document.files.insert(0, ("main.tex".to_owned(), main));
    document
}

fn preamble(pages: &[Page], title: &str) -> String {
    // babel makes the last language in its list the active one, so each page chooses its own.
    let languages: BTreeSet<&str> = pages
        .iter()
        .filter_map(|page| Words::for_language(&page.language).babel)
        .collect();
    let babel = match languages.is_empty() {
        true => String::new(),
        // Shorthands would change the meaning of the author's characters.
        false => format!(
            "\\judgeuse[{},shorthands=off]{{babel}}",
            Vec::from_iter(languages).join(",")
        ),
    };
    // The last font encoding is the active one, so T1 comes after T2A, which has the Cyrillic
    // letters.
    let is_cyrillic = pages
        .iter()
        .any(|page| matches!(main_language(page), "ru" | "uk" | "bg" | "be" | "sr" | "mk"));
    let draws = pages
        .iter()
        .any(|page| in_latex(page, |text| text.contains("tikz")));
    let drawings = if draws {
        "\\judgeuse{tikz}\n\\@ifundefined{usetikzlibrary}{}{\\usetikzlibrary{calc,positioning,arrows,shapes,patterns}}"
    } else {
        ""
    };
    // Slides among other texts are set as articles too.
    let (template, package, commands) = if pages.iter().all(is_slides) && !pages.is_empty() {
        (SLIDES, "", COMMANDS_OF_SLIDES)
    } else if pages.iter().any(has_slides) {
        (ARTICLE, "\\judgeuse{beamerarticle}", COMMANDS_OF_SLIDES)
    } else {
        (ARTICLE, "", "")
    };
    let [before_links, behind_links] = packages(pages);
    template
        .replace("JUDGECOMMANDS\n", COMMANDS)
        .replace("JUDGEPACKAGES\n", &before_links)
        .replace("JUDGELASTPACKAGES\n", &behind_links)
        .replace("JUDGESLIDES\n", &format!("{package}\n"))
        .replace("JUDGESLIDECOMMANDS\n", commands)
        .replace("JUDGEFONTS", if is_cyrillic { "T2A,T1" } else { "T1" })
        .replace("JUDGEBABEL\n", &format!("{babel}\n"))
        .replace(
            "JUDGEDRAWINGS\n",
            &format!("\\makeatletter\n{drawings}\n\\makeatother\n"),
        )
        .replace("JUDGETITLE", &escaped(title))
}

/// True for a page in LaTeX with this property.
fn in_latex(page: &Page, holds: fn(&str) -> bool) -> bool {
    page.body.latex().is_some_and(holds)
}

/// True for a text with slides of the beamer class.
fn has_slides(page: &Page) -> bool {
    in_latex(page, |text| {
        text.contains("\\begin{frame}") || text.contains("\\frame{")
    })
}

/// True for a text that begins with slides.
fn is_slides(page: &Page) -> bool {
    let begins = |text: &str| {
        let mut lines = text.lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
        first.is_some_and(|line| line.starts_with('\\'))
    };
    has_slides(page) && in_latex(page, begins)
}

fn main_language(page: &Page) -> &str {
    page.language.split('-').next().unwrap_or_default()
}

fn push_cover(main: &mut String, pages: &[Page], cover: &Cover) {
    main.push_str("\\judgecover{\\begin{center}\n");
    let _ = writeln!(
        main,
        "{{\\Huge\\bfseries {}\\par}}\\bigskip",
        escaped(&cover.title)
    );
    for line in &cover.lines {
        let _ = writeln!(main, "{{\\Large {}\\par}}\\smallskip", escaped(line));
    }
    main.push_str(
        "\\vspace{2\\baselineskip}\n\\renewcommand\\arraystretch{1.3}\n\\begin{tabular}{rl}\n",
    );
    for (index, page) in pages.iter().enumerate() {
        let _ = writeln!(
            main,
            "\\textbf{{{}}} & {} \\\\",
            cover.letter(index),
            heading(page, page.name())
        );
    }
    main.push_str("\\end{tabular}\n\\end{center}}\n");
}

/// Returns the name to print: the one in a LaTeX statement, or else the given text.
fn heading(page: &Page, text: &str) -> String {
    let written = page.body.latex().and_then(crate::names::written_name);
    let written = written.filter(|name| !name.contains("\\problemyamlname"));
    written.unwrap_or_else(|| escaped(text))
}

/// Defines the names of figures and tables, with and without numbers, since babel does not know all
/// languages.
fn captions(words: &Words) -> String {
    let [figure, table] = [
        (Captioned::Figure, "\\thefigure{}"),
        (Captioned::Table, "\\thetable{}"),
    ]
    .map(|(what, number)| words.numbered(what, number).replace(' ', "~"));
    let [one, other] = [Captioned::Figure, Captioned::Table]
        .map(|what| words.numbered(what, "").trim_matches([' ', '.']).to_owned());
    format!("\\judgecaptions{{{figure}}}{{{table}}}{{{one}}}{{{other}}}\n")
}

fn push_page(
    main: &mut String,
    document: &mut TexDocument,
    index: usize,
    page: &Page,
    cover: Option<&Cover>,
) {
    let directory = TexDocument::directory(index);
    let name = heading(page, &page.title);
    let label = cover.map(|cover| cover.letter(index)).unwrap_or_default();
    let shown = if cover.is_some() {
        format!("{label}\\quad {name}")
    } else {
        name
    };
    let samples = page.samples.len();
    let _ = writeln!(
        main,
        "\\judgebegin{{{directory}}}{{{samples}}}{{{}}}{{{shown}}}{{{}}}{{{label}}}",
        escaped(page.time_limit().unwrap_or_default()),
        escaped(page.name())
    );
    let words = Words::for_language(&page.language);
    if let Some(language) = words.babel {
        let _ = writeln!(
            main,
            "\\ifdefined\\selectlanguage\\selectlanguage{{{language}}}\\fi"
        );
    }
    main.push_str(&captions(&words));
    let Words {
        input,
        output,
        interaction,
        ..
    } = words;
    let _ = writeln!(
        main,
        "\\judgeheadings{{{input}}}{{{output}}}{{{interaction}}}"
    );
    if !page.facts.is_empty() {
        let facts: String = page
            .facts
            .iter()
            .map(|fact| fact_tex(fact, &page.language))
            .collect();
        let _ = writeln!(main, "\\judgefacts{{{facts}}}");
    }
    match &page.body {
        Body::Latex { text, constants } => {
            for (name, value) in constants {
                let _ = writeln!(main, "\\judgeconstant{{{name}}}{{{}}}", escaped(value));
            }
            document.push_statement(main, &directory, text.clone());
        }
        Body::Markdown(text) => {
            let written = markdown_to_tex(&page.title, text);
            let left_out = written.left_out.into_iter();
            document.left_out.extend(left_out.map(|what| (index, what)));
            document.push_statement(main, &directory, written.text);
        }
        Body::Pdf => {
            let _ = writeln!(main, "\\judgepdf{{{directory}/statement.pdf}}");
        }
    }
    for (index, sample) in page.samples.iter().enumerate() {
        let number = index + 1;
        document.files.push((
            format!("{directory}/sample-{number}.tex"),
            sample_tex(number, sample, &words),
        ));
    }
    main.push_str("\\judgeend\n");
}

fn fact_tex(fact: &Fact, language: &str) -> String {
    let label = label_in(&fact.label, &Words::for_language(language)).unwrap_or(&fact.label);
    let parts: Vec<String> = fact.parts.iter().map(|part| escaped(&part.text)).collect();
    format!("\\judgefact{{{}}}{{{}}}", escaped(label), parts.join(", "))
}
