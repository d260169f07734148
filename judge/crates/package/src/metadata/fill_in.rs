//! Constants in text: `{{name}}` becomes its value.
//!
//! Source: 2025-09, "Constants". Must not know in which files that is done.

use judge_model::Constant;

/// The text with each `{{name}}` and `{{name.variant}}` of a known constant replaced; everything else stays as it is.
#[must_use]
pub fn fill_in(text: &str, constants: &[Constant]) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let (before, from) = rest.split_at(start);
        replaced.push_str(before);
        let known = constants.iter().find_map(|constant| {
            let after = from[2..].strip_prefix(constant.name.as_str())?.strip_prefix("}}")?;
            Some((constant.value.as_str(), after))
        });
        // A brace that opens no constant may stand before one that does: `{{{n}}`.
        let (put, after) = known.unwrap_or(("{", &from[1..]));
        replaced.push_str(put);
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_replaced_once() {
        let constant = |name: &str, value: &str| Constant { name: name.to_owned(), value: value.to_owned() };
        let constants = [constant("n", "5"), constant("n.tex", "{{n}}"), constant("nn", "6")];
        for (text, expected) in [
            ("a {{n}} {{nn}}{{n.tex}}", "a 5 6{{n}}"),
            ("{{{n}}}", "{5}"),
            ("{{ n }} {{m}} {{1,2}} {{n} {{n", "{{ n }} {{m}} {{1,2}} {{n} {{n"),
            ("{{é}}{{n}}", "{{é}}5"),
            ("", ""),
        ] {
            assert_eq!(fill_in(text, &constants), expected);
        }
    }
}
