//! The output of pages and PDFs of statements: standard output, a file, or a directory.
//!
//! Responsible for replacing only files that `judge statement` wrote. Must not know the content of
//! a page.

use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use judge_files::{ConfinedDirectory, regular_file};
use judge_printing::Engine;
use judge_report::printable_lines;
use judge_statement::is_page;

use crate::config::Config;
use crate::failure::Failure;
use crate::messages::{note, print};
use crate::whole_file::WholeFile;

/// A page or a PDF, and its name in a directory.
pub(crate) struct NamedPage {
    pub(super) name: String,
    pub(crate) content: Vec<u8>,
    /// The program that made it.
    pub(crate) by: Option<Engine>,
}

impl NamedPage {
    pub(super) fn html(name: String, html: String) -> Self {
        Self {
            name,
            content: html.into_bytes(),
            by: None,
        }
    }

    pub(super) fn pdf(name: String, mut content: Vec<u8>, by: Option<Engine>) -> Self {
        content.extend_from_slice(PDF_MARK);
        Self { name, content, by }
    }

    fn is_pdf(&self) -> bool {
        self.content.starts_with(b"%PDF-")
    }
}

/// Writes the pages to their place.
pub(super) fn put(config: &Config, output: &Path, pages: &[NamedPage]) -> Result<(), Failure> {
    if output == Path::new("-") {
        return match pages {
            [] => Ok(()),
            [page] if page.is_pdf() => put_on_stdout(page),
            [page] => print(&page.content),
            several => Err(Failure::Usage(format!(
                "standard output has room for one page, found {}\nhint: name a directory with `--output DIR`",
                several.len()
            ))),
        };
    }
    let path = config.directory.join(output);
    let is_directory =
        path.is_dir() || pages.len() > 1 || output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let place = |page: &NamedPage| {
        if is_directory {
            path.join(&page.name)
        } else {
            path.clone()
        }
    };
    let targets: Vec<(PathBuf, &NamedPage)> =
        pages.iter().map(|page| (place(page), page)).collect();
    // All targets are checked before the first one is written.
    if let Some((kept, _)) = targets.iter().find(|(path, _)| is_other_file(path)) {
        return Err(Failure::Usage(format!(
            "`{}` was not written by `judge statement`, and is left unchanged\nhint: name another place, or remove the file",
            config.shown(kept)
        )));
    }
    if is_directory {
        ConfinedDirectory::for_output(&path)
            .map_err(|source| Failure::write(format!("`{}`", config.shown(&path)), source))?;
    }
    let mut written = String::new();
    for (path, page) in targets {
        WholeFile::create(&path)?.keep_with(&page.content)?;
        let by = page
            .by
            .map(|engine| format!(", by {engine}"))
            .unwrap_or_default();
        written.push_str(&format!("{} is written{by}\n", config.shown(&path)));
    }
    print(printable_lines(&written))
}

fn put_on_stdout(page: &NamedPage) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        return Err(Failure::Usage(
            "a PDF cannot be shown on a terminal\nhint: name a file with `--output FILE`"
                .to_owned(),
        ));
    }
    if let Some(engine) = page.by {
        note(&format!("the PDF is made by {engine}"));
    }
    print(&page.content)
}

/// The end of every PDF that `judge statement` writes: a comment in PDF.
const PDF_MARK: &[u8] = b"\n% Written by `judge statement`.\n";

/// True for a file that `judge statement` did not write.
fn is_other_file(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let mut tail = Vec::new();
    let read = regular_file::open(path).and_then(|mut file| {
        Read::by_ref(&mut file).take(256).read_to_end(&mut head)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(
            length.saturating_sub(PDF_MARK.len() as u64),
        ))?;
        file.take(PDF_MARK.len() as u64).read_to_end(&mut tail)
    });
    let is_own =
        head.is_empty() || is_page(&head) || head.starts_with(b"%PDF-") && tail == PDF_MARK;
    read.is_err() || !is_own
}

/// True for a page or a PDF that `judge statement` wrote.
pub(crate) fn is_own_page(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.len() > 0)
        && !is_other_file(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::commands::statement::output::NamedPage;

    #[test]
    fn only_own_pages_and_empty_files_are_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("page.html");
        assert!(!is_other_file(&path) && !is_other_file(directory.path()));
        for (text, expected) in [
            ("", false),
            ("<p>mine\n", true),
            ("<!DOCTYPE html>\n", true),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(is_other_file(&path), expected, "{text}");
        }
        let html = judge_statement::render(&judge_statement::Page::default(), &mut |_| None).html;
        fs::write(&path, html).unwrap();
        assert!(!is_other_file(&path));
        fs::write(&path, "%PDF-1.5\nmine").unwrap();
        assert!(is_other_file(&path));
        fs::write(
            &path,
            NamedPage::pdf(String::new(), b"%PDF-1.5\nours".to_vec(), None).content,
        )
        .unwrap();
        assert!(!is_other_file(&path));
    }
}
