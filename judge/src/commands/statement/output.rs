//! The place where pages of statements go: standard output, a file, or a directory.
//!
//! Responsible for finding it, and for writing over nothing but pages that were written here. Must not know what is on a
//! page.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use judge_report::printable_lines;
use judge_statement::is_page;

use crate::config::Config;
use crate::failure::Failure;
use crate::reporters::write;
use crate::whole_file::WholeFile;

/// A page, and its name in a directory.
pub(super) struct NamedPage {
    pub(super) name: String,
    pub(super) html: String,
}

/// Puts the pages where they were asked for.
pub(super) fn put(config: &Config, output: &Path, pages: &[NamedPage]) -> Result<(), Failure> {
    if output == Path::new("-") {
        return match pages {
            [] => Ok(()),
            [page] => write(&mut io::stdout(), &page.html),
            several => Err(Failure::Usage(format!(
                "standard output has room for one page, found {}\nhint: name a directory with `--output DIR`",
                several.len()
            ))),
        };
    }
    let path = config.directory.join(output);
    let is_directory = path.is_dir() || pages.len() > 1 || output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let place = |page: &NamedPage| if is_directory { path.join(&page.name) } else { path.clone() };
    let targets: Vec<(PathBuf, &str)> = pages.iter().map(|page| (place(page), page.html.as_str())).collect();
    if let Some((strange, _)) = targets.iter().find(|(path, _)| is_strange(path)) {
        return Err(Failure::Usage(format!(
            "`{}` was not written by `judge statement`, and is left as it is\nhint: name another place, or remove the file",
            config.shown(strange)
        )));
    }
    if is_directory {
        fs::create_dir_all(&path)
            .map_err(|source| Failure::Write { what: format!("`{}`", config.shown(&path)), source })?;
    }
    let mut written = String::new();
    for (path, html) in targets {
        WholeFile::create(&path)?.keep_with(html)?;
        written.push_str(&format!("{} is written\n", config.shown(&path)));
    }
    write(&mut io::stdout(), &printable_lines(&written).to_string())
}

/// True when there is a file that is none of our pages.
fn is_strange(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut head));
    read.is_err() || !(head.is_empty() || is_page(&head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_and_empty_files_are_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("page.html");
        assert!(!is_strange(&path) && !is_strange(directory.path()));
        for (text, expected) in [("", false), ("<p>mine\n", true), ("<!DOCTYPE html>\n", true)] {
            fs::write(&path, text).unwrap();
            assert_eq!(is_strange(&path), expected, "{text}");
        }
        let html = judge_statement::render(&judge_statement::Page::default(), &mut |_| None).html;
        fs::write(&path, html).unwrap();
        assert!(!is_strange(&path));
    }
}
