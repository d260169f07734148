//! Nesting of YAML texts, found before they are parsed.
//!
//! Must not interpret the texts.

/// The maximum nesting that is parsed. Real files are less deep, and the parser takes quadratic
/// time before it refuses more.
pub(crate) const NESTING_LIMIT: usize = 500;

/// The maximum number of brackets that are ignored because they seem to be in quotes. An attacker
/// can fake the quotes, but the parser is still fast for this number.
const MAX_IN_QUOTES: usize = 10_000;

/// The line on which brackets or items of lists are nested too deeply. Brackets in quotes do not
/// count. Those in unquoted strings do, which is harmless with this limit.
pub(crate) fn too_deep(text: &str) -> Option<u32> {
    let (mut depth, mut in_quotes) = (0_usize, 0_usize);
    let mut quoted = QuoteState::default();
    text.lines().zip(1..).find_map(|(line, number)| {
        let is_in_quotes = quoted.quote.is_some();
        for byte in line.bytes() {
            // Brackets in quotes are text. Only the first ones are ignored, because an apparent
            // quote may not be one, and would hide any nesting.
            let is_passed = quoted.holds(byte) && in_quotes < MAX_IN_QUOTES;
            match byte {
                b'[' | b'{' if is_passed => in_quotes += 1,
                _ if is_passed => {}
                b'[' | b'{' => depth += 1,
                // A closing bracket without an opening one is a syntax error, which the parser
                // reports with its position.
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > NESTING_LIMIT {
                return Some(number);
            }
        }
        // `lines` has removed the line break, which this scan needs: a line that ends outside
        // of quotes is followed by the beginning of a value.
        quoted.holds(b'\n');
        // `- - - x` opens a list for each sign, all on one line.
        let items = line
            .split_whitespace()
            .take_while(|word| matches!(*word, "-" | "?" | ":"));
        (!is_in_quotes && items.count() > NESTING_LIMIT).then_some(number)
    })
}

/// The state of quotes in a text that is read byte by byte. Source: YAML 1.2.2, 7.3.
struct QuoteState {
    quote: Option<u8>,
    /// True after a backslash in double quotes.
    is_escaped: bool,
    /// True where a value begins: quotes elsewhere are signs of a text without quotes.
    is_at_beginning: bool,
}

impl Default for QuoteState {
    fn default() -> Self {
        Self {
            quote: None,
            is_escaped: false,
            is_at_beginning: true,
        }
    }
}

impl QuoteState {
    /// Reads the next byte. True if it is in quotes, or is a quote.
    fn holds(&mut self, byte: u8) -> bool {
        match self.quote {
            Some(_) if std::mem::take(&mut self.is_escaped) => true,
            Some(b'"') if byte == b'\\' => {
                self.is_escaped = true;
                true
            }
            // Two single quotes in a row end a text and begin the next one, which is equivalent.
            Some(quote) => {
                if byte == quote {
                    (self.quote, self.is_at_beginning) = (None, quote == b'\'');
                }
                true
            }
            None if matches!(byte, b'"' | b'\'') && self.is_at_beginning => {
                self.quote = Some(byte);
                true
            }
            None => {
                self.is_at_beginning = match byte {
                    b' ' | b'\t' => self.is_at_beginning,
                    b'\n' | b'[' | b'{' | b',' | b':' | b'-' | b'?' => true,
                    _ => false,
                };
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_simultaneously_open_brackets_count() {
        assert_eq!(too_deep(&"a: [{b: [1]}]\n".repeat(10_000)), None);
        assert_eq!(too_deep(&"- ".repeat(NESTING_LIMIT)), None);
        assert_eq!(
            too_deep(&format!("\n{}", "[".repeat(NESTING_LIMIT + 1))),
            Some(2)
        );
        assert_eq!(too_deep(&"[\n".repeat(NESTING_LIMIT + 1)), Some(501));
    }

    #[test]
    fn brackets_in_quotes_are_text() {
        let many = "[".repeat(NESTING_LIMIT + 1);
        for text in [
            format!("a: '{many}'"),
            format!("a: \"\\\"{many}\""),
            format!("- 'it''s {many}'"),
            format!("a: 'one\n\n  {many}'"),
            format!("a: [\"{many}\", {{'b': '{many}'}}]"),
            format!("\"{many}\": 1"),
            format!("a: '{}'", "- ".repeat(NESTING_LIMIT + 1)),
        ] {
            assert_eq!(too_deep(&text), None, "{text}");
        }
        // Signs of a text, and quotes that have ended.
        for text in [
            format!("a: it's\nb: {many}"),
            format!("a: '\\'\nb: {many}"),
            format!("a: \"x\"\nb: {many}"),
        ] {
            assert_eq!(too_deep(&text), Some(2), "{text}");
        }
    }

    #[test]
    fn unclosed_quotes_are_bounded() {
        // The quote is in a text of several lines, and the brackets are not.
        let text = format!("a: |\n  - '\nb: {}", "[".repeat(200_000));
        assert_eq!(too_deep(&text), Some(3));
        let text = format!("a: |\n  - '\nb: {}", "[".repeat(MAX_IN_QUOTES));
        assert_eq!(too_deep(&text), None);
        let begun = std::time::Instant::now();
        assert!(
            crate::yaml::Document::parse(std::path::Path::new("a"), text.into_bytes()).is_err()
        );
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(60),
            "{:?}",
            begun.elapsed()
        );
    }
}
