//! Constants of a package: values that replace `{{name}}`.
//!
//! Responsible for recognising mentions and for leaving everything else unchanged. Must not know in
//! which files constants are replaced.
//!
//! Source: 2025-09, "Constants". C++ initialisers such as `{{1,2}}` and undefined names are
//! unchanged.

/// A constant. A variant is named `name.variant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The name between the braces.
    pub name: String,
    /// The text that replaces `{{name}}`.
    pub value: String,
}

/// Returns the text with the constants filled in. Bytes with a NUL are not text and are returned
/// unchanged. `None` if the text would become longer than `max_bytes`: without the bound, a few
/// lines that mention a long value would fill the memory.
#[must_use]
pub fn fill_in(text: &[u8], constants: &[Constant], max_bytes: usize) -> Option<Vec<u8>> {
    if constants.is_empty() || text.contains(&0) {
        return Some(text.to_vec());
    }
    let mut filled = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(2).position(|two| two == b"{{") {
        let (before, from) = rest.split_at(at);
        filled.extend_from_slice(before);
        match mention(from, constants) {
            Some((value, length)) => {
                filled.extend_from_slice(value.as_bytes());
                rest = &from[length..];
                if filled.len() > max_bytes {
                    return None;
                }
            }
            // Only one brace is skipped: in `{{{name}}}` the mention begins at the second.
            None => {
                filled.push(b'{');
                rest = &from[1..];
            }
        }
    }
    filled.extend_from_slice(rest);
    (filled.len() <= max_bytes || filled == text).then_some(filled)
}

/// Returns the value of the constant mentioned at the very beginning, and the length of the
/// mention.
fn mention<'c>(text: &[u8], constants: &'c [Constant]) -> Option<(&'c str, usize)> {
    let name = text.strip_prefix(b"{{")?;
    let length = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte != b'.')?;
    name[length..].starts_with(b"}}").then_some(())?;
    let name = std::str::from_utf8(&name[..length]).ok()?;
    let named = |name: &str| constants.iter().find(|constant| constant.name == name);
    // `{{name}}` and `{{name.value}}` are the same.
    let constant = named(name).or_else(|| named(name.strip_suffix(".value")?))?;
    Some((&constant.value, length + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let constant = |name: &str, value: &str| Constant {
            name: name.into(),
            value: value.into(),
        };
        let constants = [
            constant("n", "100"),
            constant("n.tex", "$10^2$"),
            constant("_x", "{{n}}"),
        ];
        String::from_utf8(fill_in(text.as_bytes(), &constants, 1 << 10).unwrap()).unwrap()
    }

    #[test]
    fn mentions_are_replaced() {
        assert_eq!(
            filled("a {{n}} b {{n.value}}, {{n.tex}}{{n}}"),
            "a 100 b 100, $10^2$100"
        );
        assert_eq!(filled("{{{n}}} {{{{n}}}}"), "{100} {{100}}");
        // The value is not searched for mentions again.
        assert_eq!(filled("{{_x}}"), "{{n}}");
    }

    #[test]
    fn other_text_is_unchanged() {
        for same in [
            "{{1,2}}",
            "{{ n }}",
            "{{m}}",
            "{{n.x}}",
            "{{n",
            "{{n}",
            "{n}",
            "{{}}",
            "{{",
            "{",
            "",
            "{{n.tex.value}",
        ] {
            assert_eq!(filled(same), same);
        }
        let bytes = b"{{n}}\0".to_vec();
        assert_eq!(
            fill_in(
                &bytes,
                &[Constant {
                    name: "n".into(),
                    value: "1".into()
                }],
                1 << 10
            ),
            Some(bytes)
        );
    }

    #[test]
    fn overlong_results_are_refused() {
        let constants = [Constant {
            name: "n".into(),
            value: "x".repeat(1 << 16),
        }];
        let text = "{{n}}".repeat(20_000);
        assert_eq!(fill_in(text.as_bytes(), &constants, 1 << 20), None);
        assert_eq!(
            fill_in(b"{{n}}{{n}}", &constants, 2 << 16).map(|filled| filled.len()),
            Some(2 << 16)
        );
        assert_eq!(fill_in(b"{{n}}{{n}} ", &constants, 2 << 16), None);
        // A long text without mentions is unchanged.
        assert!(fill_in(b"1234567", &constants, 4).is_some());
    }
}
