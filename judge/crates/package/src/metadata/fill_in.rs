//! Constants in text: `{{name}}` becomes its value.
//!
//! Source: 2025-09, "Constants". Must not know in which files constants are replaced.

use judge_model::Constant;

/// Returns the text with each `{{name}}` and `{{name.variant}}` of a known constant replaced, and
/// everything else unchanged. `None` if it would become longer than `max_bytes`.
#[must_use]
pub fn fill_in(text: &str, constants: &[Constant], max_bytes: usize) -> Option<String> {
    judge_model::fill_in(text.as_bytes(), constants, max_bytes)
        .and_then(|filled| String::from_utf8(filled).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_constants_are_replaced_once() {
        let constant = |name: &str, value: &str| Constant {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let constants = [
            constant("n", "5"),
            constant("n.tex", "{{n}}"),
            constant("nn", "6"),
        ];
        for (text, expected) in [
            ("a {{n}} {{nn}}{{n.tex}}", "a 5 6{{n}}"),
            ("{{{n}}}", "{5}"),
            (
                "{{ n }} {{m}} {{1,2}} {{n} {{n",
                "{{ n }} {{m}} {{1,2}} {{n} {{n",
            ),
            ("{{é}}{{n}}", "{{é}}5"),
            ("", ""),
        ] {
            assert_eq!(fill_in(text, &constants, 64).as_deref(), Some(expected));
        }
        assert_eq!(fill_in("{{n}} {{n}}", &constants, 2), None);
    }
}
