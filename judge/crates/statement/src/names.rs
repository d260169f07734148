//! The names of problems in statements in LaTeX.

use crate::latex::{first_argument, plain_text};

/// Returns the name of the problem in a LaTeX statement: the plain one (`%% plainproblemname: …`),
/// or else the printed one.
#[must_use]
pub fn name_in_tex(text: &str) -> Option<String> {
    let plain = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let plain = plain
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned);
    plain
        .or_else(|| written_name(text).map(|name| plain_text(&name)))
        .filter(|name| !name.is_empty())
}

/// Returns the printed name in a LaTeX statement, as LaTeX.
pub(crate) fn written_name(text: &str) -> Option<String> {
    let (_, after) = text.split_once("\\problemname")?;
    let name = first_argument(after).trim().to_owned();
    (after.starts_with('{') && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_latex() {
        let name = |text: &str| name_in_tex(text);
        assert_eq!(name("\\problemname{ A Name }\n").as_deref(), Some("A Name"));
        assert_eq!(
            name("%% plainproblemname: x^2\n\\problemname{$x^2$}").as_deref(),
            Some("x^2")
        );
        assert_eq!(name("\\problemname{}"), None);
        assert_eq!(name("text"), None);
        assert_eq!(
            name("\\problemname{Caf\\'{e} \\{x\\}}\n}").as_deref(),
            Some("Café {x}")
        );
        assert_eq!(
            name("\\problemname{\\AA ngstr\\\"om --- {\\bf a}~\\& $b$}").as_deref(),
            Some("Ångström — a & b")
        );
        assert_eq!(name("\\problemname{{x}"), None);
    }
}
