//! Statements that are not typeset: PDF, which is a page already; and the names that statements in LaTeX give.
//!
//! Responsible for what is said of them, and for what can be read off their source. Must not know how anything is typeset.

use crate::Body;
use crate::latex::plain_text;

impl Body {
    /// The body of a statement that is a PDF.
    #[must_use]
    pub fn pdf() -> Self {
        Self::NotTypeset { why: "the statement is a PDF, which is not part of the page".to_owned(), source: None }
    }
}

/// The name that a statement in LaTeX gives in plain text (`%% plainproblemname: …`), or else the one that it prints, in plain text.
#[must_use]
pub fn name_in_tex(text: &str) -> Option<String> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let plain = plain.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    plain.or_else(|| written_name(text).map(plain_text)).filter(|name| !name.is_empty())
}

/// The name that a statement in LaTeX gives, in LaTeX.
pub(crate) fn written_name(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("\\problemname{")?;
    let name = after[..closing_brace(after)?].trim();
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
        let name = |text: &str| name_in_tex(text);
        assert_eq!(name("\\problemname{ A Name }\n").as_deref(), Some("A Name"));
        assert_eq!(name("%% plainproblemname: x^2\n\\problemname{$x^2$}").as_deref(), Some("x^2"));
        assert_eq!(name("\\problemname{}"), None);
        assert_eq!(name("text"), None);
        assert_eq!(name("\\problemname{Caf\\'{e} \\{x\\}}\n}").as_deref(), Some("Café {x}"));
        assert_eq!(name("\\problemname{\\AA ngstr\\\"om --- {\\bf a}~\\& $b$}").as_deref(), Some("Ångström — a & b"));
        assert_eq!(name("\\problemname{{x}"), None);
    }
}
