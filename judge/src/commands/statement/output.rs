//! The output of pages and PDFs of statements: standard output, a file, or a directory.
//!
//! Responsible for replacing only files that `judge statement` wrote. Must not know the content of
//! a page.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use judge_files::ConfinedDirectory;
use judge_printing::Engine;
use judge_report::printable_lines;

use crate::commands::statement::own_files::{PDF_MARK, is_other_file};
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
