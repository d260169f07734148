//! Names in LaTeX as plain text.
//!
//! Responsible for letters, signs and quotes; everything else of a name is left out. Must not know where the name stands.

use super::reader::Reader;
use super::signs::{accented, is_accent, sign};

/// The text of a name: without braces, fonts and dollars.
pub(crate) fn plain_text(tex: &str) -> String {
    let mut reader = Reader::new(tex);
    let mut text = String::new();
    while let Some(c) = reader.next() {
        match c {
            '\\' => {
                let name = reader.name();
                if let Some(sign) = sign(&name) {
                    text.push_str(sign);
                } else if is_accent(&name) {
                    text.push_str(&accented(&name, &reader.argument()));
                }
            }
            '{' | '}' | '$' => {}
            '~' => text.push(' '),
            '`' | '\'' if reader.peek() == Some(c) => {
                reader.raw();
                text.push(if c == '`' { '“' } else { '”' });
            }
            '?' | '!' if reader.takes('`') => text.push(if c == '?' { '¿' } else { '¡' }),
            '`' => text.push('‘'),
            '\'' => text.push('’'),
            '-' if reader.peek() == Some('-') => {
                reader.raw();
                text.push(if reader.takes('-') { '—' } else { '–' });
            }
            c => text.push(c),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
