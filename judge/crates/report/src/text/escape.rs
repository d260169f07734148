//! Escaping: making any bytes safe and visible on a terminal.
//!
//! Responsible for deciding which characters may reach a terminal unchanged. Must not know colours
//! or layout.
//!
//! Output of submissions and names of files may contain escape sequences that recolour or overwrite
//! the report, characters that reverse the reading order, and bytes that are not text. All of these
//! are rendered as an escape (`\x1b`, `\u{202e}`, `\xff`), and never sent.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The spaces that replace a tab in prose.
const TAB: &str = "    ";

/// True for an unprintable character: a terminal would act on it, or display nothing.
///
/// Control characters (C0, DEL, C1), the line and paragraph separators, and the format characters
/// of Unicode (category Cf, with the fillers and variation selectors, which are invisible as well).
/// Combining marks are printable, because text in many scripts needs them.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1345f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

pub(crate) fn push_escape(out: &mut String, c: char) {
    match c {
        '\r' => out.push_str("\\r"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        // Above ASCII a character is more than one byte, and `\x85` would be read as a byte.
        c if c.is_ascii() => {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        }
        c => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

/// Text with all unprintable characters escaped. Escaping twice changes nothing.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    // Almost every text is harmless and need not be copied.
    if !text.chars().any(is_unprintable) && !text.contains("##[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if is_unprintable(c) => push_escape(&mut out, c),
            // GitHub Actions treats `##[name]` anywhere in a line as a command.
            '[' if out.ends_with("##") => out.push_str("\\x5b"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Text of several lines, such as an error with its hint, escaped except for line breaks. No line
/// is a command to a CI that reads the log (GitHub Actions, Azure Pipelines and TeamCity).
#[must_use]
pub fn printable_lines(text: &str) -> String {
    let line = |line: &str| {
        let line = without_commands(&printable(line)).into_owned();
        line.replace("##vso[", "##vso\\x5b")
            .replace("##teamcity[", "##teamcity\\x5b")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a line that the runner of GitHub Actions treats as plain text. It accepts commands in
/// any output: `::name …::` at the beginning of a line, after optional spaces, and the older
/// `##[name]` anywhere (actions/runner, `ActionCommand.TryParseV2` and `TryParse`).
pub(crate) fn without_commands(line: &str) -> Cow<'_, str> {
    let start = line.trim_start();
    let is_command = start.starts_with("::");
    if !is_command && !line.contains("##[") {
        return Cow::Borrowed(line);
    }
    let mut out = line.replace("##[", "##\\x5b");
    if is_command {
        // One escaped colon is enough, because the runner looks for both. The spaces before it are
        // preserved, so that columns do not move.
        out.replace_range(line.len() - start.len()..=line.len() - start.len(), "\\x3a");
    }
    Cow::Owned(out)
}

/// Returns the lines of an escaped text, none of them a command.
pub(crate) fn lines_without_commands(text: &str) -> String {
    text.split('\n')
        .map(without_commands)
        .collect::<Vec<_>>()
        .join("\n")
}

/// JSON with the same content, in whose strings every character is written as its number if a
/// terminal would act on it or if it would form a command.
pub(crate) fn plain_json(json: &str) -> Cow<'_, str> {
    // A space is the first ASCII character after the control characters, and line ends occur only
    // between strings.
    let is_special = |c: char| is_unprintable(c) && c != '\n';
    if !json.contains("##[")
        && (json.is_ascii() && !json.contains('\u{7f}') || !json.chars().any(is_special))
    {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.replace("##[", "##\\u005b").chars() {
        if is_special(c) {
            // JSON escapes have only four digits: characters beyond the first plane need two
            // escapes.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// One character of the data, or one byte that is not text, in rendered form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The text that is shown.
    pub(crate) shown: String,
    /// The number of bytes of the data that it represents.
    pub(crate) bytes: usize,
}

/// Returns the bytes in pieces, rendered so that different bytes never look the same.
///
/// A run of backslashes is doubled only if the text after it would make it look like an escape.
/// Pictures made of slashes and backslashes stay unchanged.
pub(crate) fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = split(bytes, "\\t");
    break_commands(&mut pieces);
    double_ambiguous_backslashes(&mut pieces);
    pieces
}

/// Escapes the bracket of `##[`, which the runner of GitHub Actions treats as the beginning of a
/// command.
fn break_commands(pieces: &mut [Piece]) {
    // Each piece is one character of the data, so a command of three characters is spread over
    // three pieces.
    for place in 2..pieces.len() {
        if pieces[place].shown == "["
            && pieces[place - 2..place]
                .iter()
                .all(|piece| piece.shown == "#")
        {
            pieces[place].shown = "\\x5b".to_owned();
        }
    }
}

fn split(bytes: &[u8], tab: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut shown = String::new();
            match c {
                '\t' => shown.push_str(tab),
                c if is_unprintable(c) => push_escape(&mut shown, c),
                c => shown.push(c),
            }
            pieces.push(Piece {
                shown,
                bytes: c.len_utf8(),
            });
        }
        pieces.extend(chunk.invalid().iter().map(|byte| Piece {
            shown: format!("\\x{byte:02x}"),
            bytes: 1,
        }));
    }
    pieces
}

fn double_ambiguous_backslashes(pieces: &mut [Piece]) {
    let mut ambiguous = false;
    // From the end, because only the text after a backslash makes it ambiguous, together with the
    // whole run.
    for piece in pieces.iter_mut().rev() {
        if piece.shown != "\\" {
            // An escape itself begins with a backslash; the letters are those that follow one
            // in an escape.
            ambiguous = piece.shown.starts_with(['\\', 'r', 'n', 't', 'x', 'u']);
        } else if ambiguous {
            piece.shown.push('\\');
        }
    }
}

/// Returns a line of a source file. Its backslashes are unchanged, since most of them begin an
/// escape of the language.
pub(crate) fn source_line(line: &str) -> Vec<Piece> {
    let mut pieces = split(line.as_bytes(), TAB);
    break_commands(&mut pieces);
    pieces
}

/// Makes spaces visible.
pub(crate) fn show_spaces<'a>(pieces: impl Iterator<Item = &'a mut Piece>) {
    pieces
        .filter(|piece| piece.shown == " ")
        .for_each(|piece| piece.shown = "\\x20".to_owned());
}

/// Returns the bytes as one line of visible text.
pub(crate) fn data(bytes: &[u8]) -> String {
    pieces(bytes).into_iter().map(|piece| piece.shown).collect()
}

/// Returns the prose of a tool, as lines: tabs become spaces, line endings of any kind end lines,
/// and the rest is as in [`data`], except for backslashes, which are unchanged.
pub(crate) fn prose(bytes: &[u8]) -> Vec<Vec<Piece>> {
    // The line break at the end belongs to the last line. Otherwise an empty line would follow.
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() {
        return Vec::new();
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .map(|line| split(line.strip_suffix(b"\r").unwrap_or(line), TAB))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn terminal_controls_are_escaped() {
        assert_eq!(
            printable("a\u{1b}[2Jb\u{202e}c\u{85}"),
            "a\\x1b[2Jb\\u{202e}c\\u{85}"
        );
        assert_eq!(
            data(b"a\tb\r\n\0\xff\xc3\xa9"),
            "a\\tb\\r\\n\\x00\\xff\u{e9}"
        );
        assert!(matches!(
            printable("plain \u{e9} \u{4e2d}"),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn line_breaks_are_preserved() {
        assert_eq!(
            printable_lines("a\x1b[31m\nhint: b\r\n"),
            "a\\x1b[31m\nhint: b\\r\n"
        );
    }

    #[test]
    fn only_ambiguous_backslashes_are_doubled() {
        assert_eq!(data(b"/\\/\\"), "/\\/\\");
        assert_eq!(data(b"\\r"), "\\\\r");
        assert_eq!(data(b"\r"), "\\r");
        assert_eq!(data(b"\\\r"), "\\\\\\r");
        assert_eq!(data(b"\\\\r"), "\\\\\\\\r");
    }

    #[test]
    fn prose_has_lines_and_no_tabs() {
        let lines: Vec<String> = prose(b"a\r\n\tb\n")
            .iter()
            .map(|line| line.iter().map(|piece| piece.shown.as_str()).collect())
            .collect();
        assert_eq!(lines, ["a", "    b"]);
        assert!(prose(b"").is_empty());
    }

    #[test]
    fn escapes_in_source_lines_are_unchanged() {
        let shown = |line: &str| -> String {
            let pieces = source_line(line).into_iter();
            pieces.map(|piece| piece.shown).collect()
        };
        assert_eq!(shown("\tstd::cout << '\\n';"), "    std::cout << '\\n';");
        assert_eq!(shown("##[error]\x1b"), "##\\x5berror]\\x1b");
    }

    #[test]
    fn log_commands_are_neutralized() {
        assert_eq!(data(b"##[error]x"), "##\\x5berror]x");
        assert_eq!(data(b"##\\x5berror]x"), "##\\\\x5berror]x");
        assert_eq!(data(b"#[a]"), "#[a]");
        assert_eq!(printable(&data(b"###[[")), data(b"###[["));
    }

    proptest! {
        #[test]
        fn terminal_controls_are_always_escaped(bytes: Vec<u8>) {
            let shown = data(&bytes);
            prop_assert!(!shown.chars().any(is_unprintable));
            prop_assert_eq!(printable(&shown), shown.as_str());
            prop_assert_eq!(pieces(&bytes).iter().map(|piece| piece.bytes).sum::<usize>(), bytes.len());
        }
    }

    #[test]
    fn different_bytes_are_displayed_differently() {
        let alphabet = [
            &b"\\"[..],
            b"r",
            b"x",
            b"1",
            b"b",
            b"\r",
            b"\x1b",
            b"a",
            b"\xff",
            b"f",
        ];
        let mut seen: HashMap<String, Vec<u8>> = HashMap::new();
        for number in 0..alphabet.len().pow(5) {
            let mut rest = number;
            let mut bytes = Vec::new();
            for _ in 0..5 {
                bytes.extend_from_slice(alphabet[rest % alphabet.len()]);
                rest /= alphabet.len();
            }
            let shown = data(&bytes);
            if let Some(other) = seen.insert(shown.clone(), bytes.clone()) {
                assert_eq!(other, bytes, "{shown}");
            }
        }
    }
}
