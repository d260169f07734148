//! The texts of a source.
//!
//! Responsible for deciding which of them must be UTF-8: descriptions of a problem, but not files
//! that are only searched. Must not know their contents.

use std::path::Path;
use std::string::FromUtf8Error;

use judge_package::read_within;

use super::Source;
use crate::{InterchangeError, Result};

/// The maximum size of a file that is read as text (descriptions, statements, sources), in bytes.
const MAX_TEXT_BYTES: u64 = 16 << 20;

impl Source {
    /// Reads a text that describes the problem, with `\n` at the ends of lines and without a byte
    /// order mark.
    ///
    /// # Errors
    /// If it is not in the source, cannot be read, is too large for a text, or is not UTF-8, so
    /// that its content would be lost.
    pub(crate) fn text(&self, file: impl AsRef<Path>) -> Result<String> {
        let bytes = self.bytes_of_text(file.as_ref())?;
        let text =
            String::from_utf8(bytes).map_err(|error| self.not_text(file.as_ref(), &error))?;
        Ok(plain(&text))
    }

    /// Reads a text that is not essential. Returns `None` if it is not UTF-8.
    ///
    /// # Errors
    /// If it is not in the source, cannot be read, or is too large for a text.
    pub(crate) fn text_if_readable(&self, file: impl AsRef<Path>) -> Result<Option<String>> {
        Ok(String::from_utf8(self.bytes_of_text(file.as_ref())?)
            .ok()
            .map(|text| plain(&text)))
    }

    /// Reads a program to search it. Bytes that are not UTF-8, for example in comments, are
    /// replaced, so the text must never be written.
    ///
    /// # Errors
    /// If it is not in the source, cannot be read, or is too large for a text.
    pub(crate) fn text_to_search(&self, file: impl AsRef<Path>) -> Result<String> {
        Ok(plain(&String::from_utf8_lossy(
            &self.bytes_of_text(file.as_ref())?,
        )))
    }

    fn bytes_of_text(&self, file: &Path) -> Result<Vec<u8>> {
        let path = self.checked_path(file)?;
        read_within(&path, MAX_TEXT_BYTES).map_err(InterchangeError::unreadable(&path))
    }

    fn not_text(&self, file: &Path, error: &FromUtf8Error) -> InterchangeError {
        let (bytes, valid) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let found = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16".to_owned(),
            _ => format!("the byte 0x{:02x}", bytes[valid]),
        };
        let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        InterchangeError::malformed(
            format!("{}:{line}", self.shown(file).display()),
            format!("expected UTF-8, found {found}\nhint: save the file as UTF-8"),
        )
    }
}

fn plain(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn texts_are_read_as_utf_8_with_lf_line_ends() {
        let tree = Tree::with(&[]);
        tree.write("a", "\u{feff}x\r\ny\n");
        tree.write("b", b"caf\xe9");
        let source = Source::open(&tree.path(""), &|| false).unwrap();
        assert_eq!(source.text("a").unwrap(), "x\ny\n");
        assert_eq!(source.text_if_readable("b").unwrap(), None);
        assert_eq!(source.text_to_search("b").unwrap(), "caf\u{fffd}");
        let error = source.text("b").unwrap_err().to_string();
        assert!(
            error.ends_with(
                "/b:1: expected UTF-8, found the byte 0xe9\nhint: save the file as UTF-8"
            ),
            "{error}"
        );
        tree.write("c", b"\xff\xfea\0\n\0");
        let source = Source::open(&tree.path("c"), &|| false).unwrap();
        assert_eq!(
            source
                .text("c")
                .unwrap_err()
                .to_string()
                .matches("/c:1: expected UTF-8, found UTF-16")
                .count(),
            1
        );
    }
}
