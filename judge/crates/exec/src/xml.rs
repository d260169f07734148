//! Untrusted XML: drawings of visualizers, and problems of other judges.
//!
//! Responsible for refusing texts that would grow without bound during parsing, before they are
//! parsed. Must not know any element.
//!
//! A document type may declare entities, of which a few lines make gigabytes, so the parser never
//! sees one. The parser compares every attribute of an element with all others, so there must not
//! be many. Source: XML 1.0, 2.8 and 3.1.

use roxmltree::{Document, ParsingOptions};

/// The maximum number of attributes of an element. Descriptions of problems have fewer than ten,
/// drawings some dozens.
const MAX_ATTRIBUTES: usize = 100;

/// An error of a text that is not accepted as XML.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct XmlError {
    /// The line, counted from 1.
    pub line: usize,
    /// The reason, as a sentence.
    pub why: String,
}

/// Parses a text with at most this many elements, texts and comments, and hands the document over.
///
/// # Errors
/// When the text is invalid XML, declares anything, or has too many nodes or attributes.
pub fn read_untrusted_xml<T>(
    text: &str,
    max_nodes: u32,
    read: impl FnOnce(&Document<'_>) -> T,
) -> Result<T, XmlError> {
    let refused = |(at, why): (usize, String)| XmlError {
        line: text[..at].matches('\n').count() + 1,
        why,
    };
    let text = without_document_type(text).map_err(refused)?;
    check_attributes(&text).map_err(refused)?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: max_nodes,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).map_err(|error| XmlError {
        line: error.pos().row as usize,
        why: format!("invalid XML: {error}"),
    })?;
    Ok(read(&document))
}

/// The place in bytes and the reason.
type XmlRefusal = (usize, String);

/// Returns the text with spaces in place of a document type that declares nothing.
fn without_document_type(text: &str) -> Result<String, XmlRefusal> {
    const BEGIN: &str = "<!DOCTYPE";
    let mut at = 0;
    // Only comments and instructions may come before it.
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        at += blank
            + match rest {
                _ if rest.starts_with("<?") => end_of(rest, "?>"),
                _ if rest.starts_with("<!--") => end_of(rest, "-->"),
                _ if rest.starts_with(BEGIN) => {
                    at += blank;
                    break;
                }
                _ => return Ok(text.to_owned()),
            };
    }
    let mut quote = None;
    // Inside quotes, `>` and `[` are part of a name and end nothing.
    for (offset, c) in text[at..].char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(quotation_mark), _) if quotation_mark == c => quote = None,
            (None, '[') => {
                let why =
                    "expected a document type that declares nothing, found declarations in it"
                        .to_owned();
                return Err((at + offset, why));
            }
            (None, '>') => {
                let blank = |c: char| {
                    if c == '\n' {
                        "\n".to_owned()
                    } else {
                        " ".repeat(c.len_utf8())
                    }
                };
                let blanks: String = text[at..=at + offset].chars().map(blank).collect();
                return Ok([&text[..at], &blanks, &text[at + offset + 1..]].concat());
            }
            _ => {}
        }
    }
    Ok(text.to_owned())
}

/// Refuses an element with more attributes than any description has.
fn check_attributes(text: &str) -> Result<(), XmlRefusal> {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        at += if rest.starts_with("<!--") {
            end_of(rest, "-->")
        } else if rest.starts_with("<![CDATA[") {
            end_of(rest, "]]>")
        } else if rest.starts_with("<?") {
            end_of(rest, "?>")
        } else {
            // Counted before parsing: the parser compares each attribute with all earlier
            // ones, which takes quadratic time.
            let (length, attributes) = tag(rest);
            if attributes > MAX_ATTRIBUTES {
                let why = format!(
                    "expected at most {MAX_ATTRIBUTES} attributes of an element, found {attributes}"
                );
                return Err((at, why));
            }
            length
        };
    }
    Ok(())
}

/// The number of bytes up to the end of the first match of this pattern, or of all bytes.
fn end_of(rest: &str, pattern: &str) -> usize {
    rest.find(pattern)
        .map_or(rest.len(), |end| end + pattern.len())
}

/// Returns the length of a tag in bytes, and the number of its attributes.
fn tag(rest: &str) -> (usize, usize) {
    let mut attributes = 0;
    let mut quote = None;
    for (offset, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(quotation_mark), _) if quotation_mark == byte => quote = None,
            // Each attribute has one sign of equality outside of quotes (XML 1.0, 3.1).
            (None, b'=') => attributes += 1,
            (None, b'>') => return (offset + 1, attributes),
            _ => {}
        }
    }
    (rest.len(), attributes)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    /// The maximum time of a refusal on a busy host. Each takes less than a second on an idle one.
    const SOON: Duration = Duration::from_secs(60);

    fn texts(text: &str) -> Result<String, String> {
        let all = |document: &Document<'_>| {
            document
                .descendants()
                .filter_map(|node| node.text().filter(|_| node.is_text()))
                .collect()
        };
        read_untrusted_xml(text, 1 << 20, all)
            .map_err(|error| format!("a.xml:{}: {error}", error.line))
    }

    #[test]
    fn document_types_without_declarations_are_skipped() {
        let plain = "<?xml version=\"1.0\"?>\n<!-- > --><!DOCTYPE fps PUBLIC \"-//x//[y]//EN\"\n 'http://z/>.dtd' >\n<fps>é</fps>";
        assert_eq!(texts(plain).unwrap(), "é");
        assert_eq!(
            texts("<a><![CDATA[<!DOCTYPE a [<!ENTITY b 'c'>]>]]></a>").unwrap(),
            "<!DOCTYPE a [<!ENTITY b 'c'>]>"
        );
        // Lines are those of the file.
        assert!(
            texts("<!DOCTYPE a\n>\n<a>\n<b></a>")
                .unwrap_err()
                .starts_with("a.xml:4: invalid XML")
        );
    }

    #[test]
    fn entity_declarations_are_refused() {
        for text in [
            "<!DOCTYPE a [<!ENTITY e 'xxx'>]>\n<a>&e;</a>",
            "<!-- <a> -->\n<!DOCTYPE a [\n<!ENTITY e 'xxx'>]><a>&e;</a>",
            "<!DOCTYPE a SYSTEM \"<!--\" [<!ENTITY e 'xxx'>]><a>&e;<!-- --></a>",
            "<!DOCTYPE a SYSTEM 'x'>\n<!DOCTYPE a [<!ENTITY e 'xxx'>]><a>&e;</a>",
            "<!DOCTYPE a SYSTEM \"'\" [<!ENTITY e 'xxx'>]><a>&e;</a>",
        ] {
            let error = texts(text).unwrap_err();
            assert!(
                error.starts_with("a.xml:") && !error.contains("xxx"),
                "{error}"
            );
        }
        let error = texts("<!DOCTYPE a [\n<!ENTITY e 'xxx'>]>\n<a>&e;</a>").unwrap_err();
        assert_eq!(
            error,
            "a.xml:1: expected a document type that declares nothing, found declarations in it"
        );
        assert!(texts("<a>&e;</a>").is_err(), "it is not declared");
    }

    #[test]
    fn slowly_parsing_texts_are_refused_quickly() {
        let attributes = |count: usize| {
            (0..count)
                .map(|number| format!(" a{number}='>'"))
                .collect::<String>()
        };
        assert_eq!(
            texts(&format!("<a{}>x</a>", attributes(MAX_ATTRIBUTES))).unwrap(),
            "x"
        );
        let refused = |text: String| {
            let (sender, receiver) = mpsc::channel();
            // A text that is not refused takes the parser far longer than this test waits.
            thread::spawn(move || sender.send(texts(&text)));
            receiver
                .recv_timeout(SOON)
                .expect("it ends soon")
                .unwrap_err()
        };
        let error = refused(format!("<!-- <b{0}> -->\n<a{0}/>", attributes(200_000)));
        assert_eq!(
            error,
            "a.xml:2: expected at most 100 attributes of an element, found 200000"
        );
        assert!(refused("<a>".repeat(200_000)).contains("invalid XML"));
        assert!(
            refused(format!("<a>{}</a>", "<b/>".repeat(1_100_000))).contains("nodes limit reached")
        );
    }

    proptest! {
        #[test]
        fn arbitrary_texts_do_not_panic(text in "[<>!?a\"'= \\[\\]\n&;-]{0,60}", document_type in any::<bool>()) {
            let text = if document_type { format!("<!DOCTYPE a {text}") } else { text };
            let _ = texts(&text);
        }

        #[test]
        fn texts_without_declarations_are_read_as_before(text in "[<>!?ab/\"'= \\[\\]-]{0,40}") {
            let text = format!("<a>{text}</a>");
            let before = Document::parse(&text).map(|document| document.descendants().count()).ok();
            let now = read_untrusted_xml(&text, 1 << 20, |document| document.descendants().count()).ok();
            prop_assert_eq!(before, now);
        }
    }
}
