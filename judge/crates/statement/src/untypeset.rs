//! Statements that are not typeset: PDF, which is a page already; and the names that statements in LaTeX give.
//!
//! Responsible for what is said of them, and for what can be read off their source. Must not know how anything is typeset.

use crate::Body;

impl Body {
    /// The body of a statement that is a PDF.
    #[must_use]
    pub fn pdf() -> Self {
        Self::NotTypeset { why: "the statement is a PDF, which is not part of the page".to_owned(), source: None }
    }
}

/// The name that a statement in LaTeX gives in plain text (`%% plainproblemname: …`), or else as it is written.
#[must_use]
pub fn name_in_tex(text: &str) -> Option<&str> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let written = || {
        let (_, after) = text.split_once("\\problemname{")?;
        Some(&after[..closing_brace(after)?])
    };
    let name = plain.or_else(written)?.trim();
    (!name.is_empty()).then_some(name)
}

/// The place of the brace that closes the one before the text.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, c)| {
        match c {
            _ if is_escaped => {}
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_tex() {
        assert_eq!(name_in_tex("\\problemname{ A Name }\n"), Some("A Name"));
        assert_eq!(name_in_tex("%% plainproblemname: x^2\n\\problemname{$x^2$}"), Some("x^2"));
        assert_eq!(name_in_tex("\\problemname{}"), None);
        assert_eq!(name_in_tex("text"), None);
        assert_eq!(name_in_tex("\\problemname{Caf\\'{e} \\{x\\}}\n}"), Some("Caf\\'{e} \\{x\\}"));
        assert_eq!(name_in_tex("\\problemname{{x}"), None);
    }
}
