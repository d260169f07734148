//! A strict reader of XML: elements, attributes, text, and the five named entities.
//!
//! Responsible for refusing malformed documents. Must not know the meaning of a document.

/// An element with its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Self>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        let number = self.attribute(name).and_then(|number| number.parse().ok());
        number.unwrap_or_else(|| panic!("no number `{name}` in {self:?}"))
    }

    pub(crate) fn all(&self, name: &str) -> Vec<&Self> {
        self.children
            .iter()
            .filter(|child| child.name == name)
            .collect()
    }
}

/// Returns the root element of a document. Panics if the document is malformed.
pub(crate) fn read(text: &str) -> Element {
    let rest = text
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .expect("a declaration");
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(
        rest.chars().all(allowed),
        "a character that XML does not have"
    );
    let (root, rest) = element(rest);
    assert_eq!(rest.trim(), "");
    root
}

fn element(text: &str) -> (Element, &str) {
    let text = text
        .strip_prefix('<')
        .unwrap_or_else(|| panic!("expected an element: {text:.40}"));
    // Attributes contain no `>`, because it is escaped there.
    let (tag, mut rest) = text.split_once('>').expect("a tag ends");
    let empty = tag.ends_with('/');
    let tag = tag.trim_end_matches('/');
    let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    assert!(is_name(name), "a name: {name}");
    let mut read = Element {
        name: name.to_owned(),
        ..Element::default()
    };
    while let Some((key, after)) = attributes.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("a value ends");
        assert!(
            is_name(key.trim()) && !value.contains('<'),
            "an attribute: {key}={value}"
        );
        assert!(read.attribute(key.trim()).is_none(), "twice: {key}");
        read.attributes
            .push((key.trim().to_owned(), unescaped(value)));
        attributes = after;
    }
    assert_eq!(attributes.trim(), "", "in <{tag}>");
    if empty {
        return (read, rest);
    }
    loop {
        let (text, after) = rest.split_once('<').expect("an element ends");
        read.text.push_str(&unescaped(text));
        rest = &rest[text.len()..];
        if let Some(after) = after.strip_prefix('/') {
            let (end, after) = after.split_once('>').expect("a tag ends");
            assert_eq!(end, name);
            return (read, after);
        }
        let (child, after) = element(rest);
        read.children.push(child);
        rest = after;
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (entity, after) = after.split_once(';').expect("an entity ends");
        let c = match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => {
                let number: u32 = number
                    .strip_prefix('#')
                    .expect("a known entity")
                    .parse()
                    .expect("a number");
                char::from_u32(number).expect("a character")
            }
        };
        out.push_str(before);
        out.push(c);
        rest = after;
    }
    out + rest
}
