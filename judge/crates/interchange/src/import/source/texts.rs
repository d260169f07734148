//! The texts of a source.
//!
//! Responsible for which of them must be UTF-8: what describes a problem, and not what is only
//! looked at. Must not know what is in them.

use std::path::Path;
use std::string::FromUtf8Error;

use judge_package::read_within;

use super::Source;
use crate::InterchangeError;

/// Bytes of a file that is read as text: descriptions, statements, sources.
const MAX_TEXT_BYTES: u64 = 16 << 20;

impl Source {
    /// The text of a file that says what the problem is, with `\n` at the ends of lines and without
    /// a byte order mark.
    ///
    /// # Errors
    /// When it is not in the source, cannot be read, is larger than texts are, or is not UTF-8:
    /// what it says would be lost.
    pub(crate) fn text(&self, file: impl AsRef<Path>) -> Result<String, InterchangeError> {
        let bytes = self.bytes_of_text(file.as_ref())?;
        let text =
            String::from_utf8(bytes).map_err(|error| self.not_text(file.as_ref(), &error))?;
        Ok(plain(&text))
    }

    /// The same for a text that other ones can stand for; `None` when it is not UTF-8.
    ///
    /// # Errors
    /// When it is not in the source, cannot be read, or is larger than texts are.
    pub(crate) fn text_if_readable(
        &self,
        file: impl AsRef<Path>,
    ) -> Result<Option<String>, InterchangeError> {
        Ok(String::from_utf8(self.bytes_of_text(file.as_ref())?)
            .ok()
            .map(|text| plain(&text)))
    }

    /// The same of a program in which something is looked for: whatever is not UTF-8 in it, such as
    /// a comment, is replaced. It is never what is written.
    ///
    /// # Errors
    /// When it is not in the source, cannot be read, or is larger than texts are.
    pub(crate) fn text_to_look_at(
        &self,
        file: impl AsRef<Path>,
    ) -> Result<String, InterchangeError> {
        Ok(plain(&String::from_utf8_lossy(
            &self.bytes_of_text(file.as_ref())?,
        )))
    }

    fn bytes_of_text(&self, file: &Path) -> Result<Vec<u8>, InterchangeError> {
        let path = self.own(file)?;
        read_within(&path, MAX_TEXT_BYTES).map_err(InterchangeError::unreadable(&path))
    }

    fn not_text(&self, file: &Path, error: &FromUtf8Error) -> InterchangeError {
        let (bytes, valid) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let found = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16".to_owned(),
            _ => format!("the byte 0x{:02x}", bytes[valid]),
        };
        let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        let place = format!("{}:{line}", self.shown(file).display());
        InterchangeError::Malformed {
            place,
            why: format!("expected UTF-8, found {found}\nhint: save the file as UTF-8"),
        }
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
    fn text_is_utf_8_with_plain_ends_of_lines() {
        let tree = Tree::with(&[]);
        tree.write("a", "\u{feff}x\r\ny\n");
        tree.write("b", b"caf\xe9");
        let source = Source::open(&tree.path(""), &|| false).unwrap();
        assert_eq!(source.text("a").unwrap(), "x\ny\n");
        assert_eq!(source.text_if_readable("b").unwrap(), None);
        assert_eq!(source.text_to_look_at("b").unwrap(), "caf\u{fffd}");
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
