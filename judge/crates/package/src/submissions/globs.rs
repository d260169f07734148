//! The globs of `submissions.yaml`: over submissions, test cases and groups.
//!
//! Responsible for what they match. Must not know what is matched, or touch the file system.
//!
//! Source: 2025-09, "Glob patterns": `*` within a name, `{a,b}`, and nothing else. Other tools also
//! accept several braces, empty alternatives and spaces around them, and packages use these. They
//! are not the globs of the command line, which support more (`**`, `?`, `[…]`).

use std::collections::BTreeSet;

/// A glob, ready to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    parts: Vec<GlobPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum GlobPart {
    /// Literal text.
    Text(String),
    /// Anything within a name.
    Star,
    /// Any of these alternatives.
    Choice(Vec<Vec<GlobPart>>),
}

impl Glob {
    /// Reads a glob. Every text is a valid glob; [`pitfall`] finds patterns that globs do not
    /// support.
    pub(super) fn new(text: &str) -> Self {
        // `dir/` is the same as `dir`.
        let text = text.strip_suffix('/').unwrap_or(text);
        Self {
            parts: read_parts(text),
        }
    }

    /// True when the glob matches this path itself.
    pub(super) fn matches(&self, path: &str) -> bool {
        self.ends(path).contains(&path.len())
    }

    /// True when the glob covers this path: it matches the path or a directory above it.
    pub(super) fn covers(&self, path: &str) -> bool {
        // A path below a match is covered only after a slash: `accepted/a` covers `accepted/a/b`
        // and not `accepted/ab`.
        self.ends(path)
            .into_iter()
            .any(|end| end == path.len() || path[end..].starts_with('/'))
    }

    /// The ends, in the path, of all matches that begin at its start.
    fn ends(&self, path: &str) -> BTreeSet<usize> {
        advance(&self.parts, path, BTreeSet::from([0]))
    }
}

/// Explains a part of a glob that may not mean what it seems to: `**`, `?`, `[…]`, or an unmatched
/// brace.
pub(super) fn pitfall(text: &str) -> Option<&'static str> {
    let (opened, closed) = (text.matches('{').count(), text.matches('}').count());
    if text.contains("**") {
        Some("`**` means the same as `*` here: it stays within a name")
    } else if text.contains(['[', ']', '?']) {
        Some("`[`, `]` and `?` are literal; globs support only `*` and `{a,b}`")
    } else if opened != closed {
        Some("an unmatched brace is literal")
    } else {
        None
    }
}

fn read_parts(mut text: &str) -> Vec<GlobPart> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    while let Some(c) = text.chars().next() {
        let after = &text[c.len_utf8()..];
        let part = match c {
            '*' => Some((GlobPart::Star, after)),
            // An unmatched brace is literal; `pitfall` warns about it.
            '{' => closing_brace(after).map(|end| (read_choice(&after[..end]), &after[end + 1..])),
            _ => None,
        };
        if let Some((part, rest)) = part {
            if !literal.is_empty() {
                parts.push(GlobPart::Text(std::mem::take(&mut literal)));
            }
            parts.push(part);
            text = rest;
        } else {
            literal.push(c);
            text = after;
        }
    }
    if !literal.is_empty() {
        parts.push(GlobPart::Text(literal));
    }
    parts
}

/// Returns the position of the brace that closes the one opened before this text.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 1usize;
    for (index, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
        // No real glob is nested more deeply.
        if depth > 8 {
            return None;
        }
    }
    None
}

/// The alternatives between braces.
fn read_choice(text: &str) -> GlobPart {
    let (mut alternatives, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (index, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                alternatives.push(read_parts(text[start..index].trim()));
                start = index + 1;
            }
            _ => {}
        }
    }
    alternatives.push(read_parts(text[start..].trim()));
    GlobPart::Choice(alternatives)
}

/// Advances from each of these places in the path to every place to which the parts can lead.
/// Keeping the places as a set limits the work to the product of two lengths, for every glob.
fn advance(parts: &[GlobPart], path: &str, mut places: BTreeSet<usize>) -> BTreeSet<usize> {
    for part in parts {
        places = match part {
            GlobPart::Text(text) => {
                let fits = |place: &usize| path[*place..].starts_with(text.as_str());
                places
                    .into_iter()
                    .filter(fits)
                    .map(|place| place + text.len())
                    .collect()
            }
            // 2025-09, "Glob patterns": a star stays within a name, so it ends at a slash.
            GlobPart::Star => {
                let mut reached = BTreeSet::new();
                for place in places {
                    let name = path[place..].split('/').next().unwrap_or_default();
                    reached.extend(name.char_indices().map(|(offset, _)| place + offset));
                    reached.insert(place + name.len());
                }
                reached
            }
            GlobPart::Choice(alternatives) => alternatives
                .iter()
                .flat_map(|parts| advance(parts, path, places.clone()))
                .collect(),
        };
        // Nothing can follow from no place, and most globs fail at their first part.
        if places.is_empty() {
            break;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn covers(glob: &str, path: &str) -> bool {
        Glob::new(glob).covers(path)
    }

    #[test]
    fn globs_cover_whole_names_and_everything_below() {
        for (glob, path) in [
            ("accepted", "accepted/a.py"),
            ("accepted/", "accepted/a.py"),
            ("accepted/*", "accepted/a.py"),
            ("*/a.py", "wrong_answer/a.py"),
            ("*", "secret/group/1"),
            ("secret/*-easy", "secret/03-easy"),
            ("a*b*c", "aXbYbZc"),
        ] {
            assert!(covers(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("accepted", "accepted2/a.py"),
            ("a.py", "accepted/a.py"),
            ("accepted/a", "accepted/a.py"),
            ("*a.py", "accepted/a.py"),
            ("**/b/c", "x/y/b/c"),
            ("accepted/[ab].py", "accepted/a.py"),
            ("", "accepted/a.py"),
        ] {
            assert!(!covers(glob, path), "{glob} {path}");
        }
        assert!(Glob::new("secret").matches("secret") && !Glob::new("secret").matches("secret/1"));
    }

    #[test]
    fn braces_are_alternatives() {
        assert!(covers("e/ac.{py,cpp}", "e/ac.cpp") && !covers("e/ac.{py,cpp}", "e/ac.c"));
        assert!(
            covers("secret/*{,0,1}{0,2}", "secret/12")
                && covers("secret/*{,0,1}{0,2}", "secret/x2")
        );
        assert!(!covers("secret/*{,0,1}{0,2}", "secret/11"));
        assert!(
            covers("secret/*{ 4 }{ 2 }", "secret/42"),
            "spaces around alternatives"
        );
        assert!(
            covers("{a/*,b}/x", "a/y/x")
                && covers("{a,{b,c}d}", "cd")
                && !covers("{a,{b,c}d}", "c")
        );
        assert!(
            covers("a{b", "a{b") && covers("a}b", "a}b"),
            "an unmatched brace is literal"
        );
    }

    #[test]
    fn suspicious_globs_are_reported() {
        for text in ["a/**", "a/[xy]", "a?", "{a", "b}"] {
            assert!(pitfall(text).is_some(), "{text}");
        }
        assert_eq!(pitfall("*/{a,b}-c.{py, cpp}"), None);
    }

    proptest! {
        /// Compares matching with a naive implementation: every alternative expanded, then stars by
        /// backtracking.
        #[test]
        fn matching_agrees_with_expansion(glob in "[ab*/]{0,4}(\\{[ab*]{0,2},[ab]{0,2}\\})?[ab*/]{0,3}", path in "[ab/]{0,8}") {
            fn expanded(glob: &str) -> Vec<String> {
                let Some((head, rest)) = glob.split_once('{') else { return vec![glob.to_owned()] };
                let (inside, tail) = rest.split_once('}').unwrap();
                inside.split(',').map(|choice| format!("{head}{choice}{tail}")).collect()
            }
            fn plain(glob: &[u8], path: &[u8]) -> bool {
                match (glob.first(), path.first()) {
                    (None, None) => true,
                    (Some(b'*'), _) if plain(&glob[1..], path) => true,
                    (Some(b'*'), Some(c)) => *c != b'/' && plain(glob, &path[1..]),
                    (Some(g), Some(p)) => g == p && plain(&glob[1..], &path[1..]),
                    _ => false,
                }
            }
            let trimmed = glob.strip_suffix('/').unwrap_or(&glob);
            let expected = expanded(trimmed).iter().any(|glob| plain(glob.as_bytes(), path.as_bytes()));
            prop_assert_eq!(Glob::new(&glob).matches(&path), expected);
        }

        #[test]
        fn any_text_is_a_glob(glob in ".{0,30}", path in ".{0,30}") {
            Glob::new(&glob).covers(&path);
        }
    }
}
