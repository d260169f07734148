//! Names in an imported package, and lists of names for messages.
//!
//! Responsible for making names from other formats valid. Must not know what is named.

use judge_package::names;

/// Lists a few names, and the number of further ones.
pub(crate) fn listed(names: &[String]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Returns the form of a word for a number of things.
pub(crate) fn plural<'w>(count: usize, one: &'w str, many: &'w str) -> &'w str {
    if count == 1 { one } else { many }
}

/// Returns a number of things, such as `1 sample` or `2 samples`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", plural(count, "", "s"))
}

/// The maximum length of a new name. Prefixes and suffixes may be added, and file systems allow 255
/// bytes.
const MAX_LETTERS: usize = 100;
/// The maximum length of an extension that a shortened name keeps, since it identifies the type of
/// the file.
const MAX_EXTENSION: usize = 16;

/// Returns a valid name for a package that is as similar as possible. A name that is too long is
/// cut before its extension.
pub(crate) fn safe_name(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') {
            c
        } else {
            '_'
        }
    };
    let mut safe: String = name.chars().map(allowed).collect();
    if safe.get(..1).is_none_or(|first| !names::counts(first)) {
        safe.insert(0, '_');
    }
    if safe.len() > MAX_LETTERS {
        let ending = safe
            .rfind('.')
            .map(|dot| safe[dot..].to_owned())
            .filter(|ending| ending.len() <= MAX_EXTENSION);
        let ending = ending.unwrap_or_default();
        safe.truncate(MAX_LETTERS - ending.len());
        safe.push_str(&ending);
    }
    safe
}

/// Returns a short name for a package that is as similar as possible, or `None` if no valid
/// character is left.
pub(crate) fn short_name(name: &str) -> Option<String> {
    let letters = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase());
    let short: String = letters.take(MAX_LETTERS).collect();
    (!short.is_empty()).then_some(short)
}

/// True for a valid class name.
pub(crate) fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Returns the name of the item with this number, with the same length for all items: `01` to `12`.
pub(crate) fn numbered(number: usize, count: usize) -> String {
    let width = count.to_string().len().max(2);
    format!("{number:0width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_in_packages() {
        assert_eq!(safe_name("é-1.cpp"), "_-1.cpp");
        assert_eq!(safe_name("-x.py"), "_-x.py");
        // A long name keeps its extension if it is short.
        let long = "é".repeat(300);
        assert_eq!(safe_name(&format!("{long}.cpp")), "_".repeat(96) + ".cpp");
        assert_eq!(
            safe_name(&format!("x.{long}")),
            "x.".to_owned() + &"_".repeat(98)
        );
        assert!(
            names::counts(&safe_name(&long))
                && safe_name(&format!("-{long}.in")).len() == MAX_LETTERS
        );
        assert_eq!(
            short_name("Closest-Pair 2").as_deref(),
            Some("closestpair2")
        );
        assert_eq!(short_name("日本"), None);
        assert_eq!(
            (numbered(3, 9), numbered(3, 120)),
            ("03".to_owned(), "003".to_owned())
        );
    }
}
