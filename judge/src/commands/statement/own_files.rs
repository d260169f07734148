//! Recognizes files that `judge statement` wrote.
//!
//! Must not know the content of a page.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use judge_files::regular_file;
use judge_statement::is_page;

/// The end of every PDF that `judge statement` writes: a comment in PDF.
pub(super) const PDF_MARK: &[u8] = b"\n% Written by `judge statement`.\n";

/// True for a file that `judge statement` did not write.
pub(super) fn is_other_file(path: &Path) -> bool {
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
