//! XML: elements, attributes and text.
//!
//! Responsible for well-formed output from any text. Must not know its meaning.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use crate::text::escape::{is_unprintable, push_escape};

/// True for a character that XML 1.0 permits ("Char" in section 2.2), escaped or not.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
}

/// Returns the text as character data or as the value of an attribute. Characters that XML does not
/// permit become U+FFFD.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let acts = |c: char| is_unprintable(c) && !matches!(c, '\t' | '\n');
    let is_plain =
        |c: char| !matches!(c, '&' | '<' | '>' | '"' | '\'' | '\r') && is_allowed(c) && !acts(c);
    if text.chars().all(is_plain) && !text.contains("::") && !text.contains("##[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    // Text follows its tag on the same line.
    let mut is_blank = false;
    while let Some(c) = rest.chars().next() {
        // The beginning of a command, at the start of a line or anywhere in it, is written as its
        // number.
        let begins_command =
            (is_blank && rest.starts_with("::")) || (c == '[' && out.ends_with("##"));
        rest = &rest[c.len_utf8()..];
        // Only spaces may precede a command, so after any other character the rest of the line is
        // safe.
        is_blank = c == '\n' || (is_blank && c.is_whitespace());
        match c {
            ':' | '[' if begins_command => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\r' => out.push_str("&#13;"),
            c if is_allowed(c) && acts(c) => push_escape(&mut out, c),
            c if is_allowed(c) => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    Cow::Owned(out)
}

/// The name and the value of an attribute.
pub(crate) type Attribute<'a> = (&'a str, &'a dyn Display);

/// A document under construction.
#[derive(Debug)]
pub(crate) struct Document {
    text: String,
    open: Vec<&'static str>,
}

impl Document {
    pub(crate) fn new() -> Self {
        Self {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            open: Vec::new(),
        }
    }

    fn tag(&mut self, name: &str, attributes: &[Attribute<'_>], end: &str) {
        self.text.push_str(&"  ".repeat(self.open.len()));
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes {
            // A line break in a value would be normalized to a space (section 3.3.3).
            let value = escaped(&value.to_string())
                .replace('\n', "&#10;")
                .replace('\t', "&#9;");
            let _ = write!(self.text, " {key}=\"{value}\"");
        }
        self.text.push_str(end);
    }

    /// Begins an element that contains others.
    pub(crate) fn begin(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.tag(name, attributes, ">\n");
        self.open.push(name);
    }

    /// Ends the innermost open element.
    pub(crate) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "{}</{name}>", "  ".repeat(self.open.len()));
        }
    }

    /// Writes an element with text, or an empty one.
    pub(crate) fn element(&mut self, name: &str, attributes: &[Attribute<'_>], text: &str) {
        if text.is_empty() {
            self.tag(name, attributes, "/>\n");
        } else {
            self.tag(name, attributes, ">");
            let _ = writeln!(self.text, "{}</{name}>", escaped(text));
        }
    }

    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_outside_xml_are_replaced_and_markup_is_escaped() {
        assert_eq!(
            escaped("a<b>&\"'\0\u{1b}\u{fffe}\t\n"),
            "a&lt;b&gt;&amp;&quot;&apos;\u{fffd}\u{fffd}\u{fffd}\t\n"
        );
        assert_eq!(escaped("]]>"), "]]&gt;");
        assert!(matches!(escaped("plain \u{e9}"), Cow::Borrowed(_)));
    }

    #[test]
    fn elements_nest() {
        let mut document = Document::new();
        document.begin("a", &[("k", &"1\n2")]);
        document.element("b", &[], "");
        document.element("c", &[], "<");
        let text = document.finish();
        assert!(
            text.ends_with("<a k=\"1&#10;2\">\n  <b/>\n  <c>&lt;</c>\n</a>\n"),
            "{text}"
        );
    }

    proptest! {
        #[test]
        fn text_is_never_markup(text: String) {
            let escaped = escaped(&text);
            prop_assert!(!escaped.contains(['<', '>', '"']) && escaped.chars().all(is_allowed));
        }
    }
}
