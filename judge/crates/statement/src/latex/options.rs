//! Options of commands and environments, such as `key=value, other={value, with, commas}`.
//!
//! Must not know what they mean.

/// The parts between commas that stand outside of braces.
pub(super) fn parts(options: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in options.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

/// The value of a key, without its braces; the last one where there are several.
pub(super) fn value_of(options: &str, key: &str) -> Option<String> {
    let parts = parts(options);
    let mut found = parts.iter().filter_map(|part| part.split_once('=')).filter(|(name, _)| name.trim() == key);
    let value = found.next_back()?.1.trim();
    let bare = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')).unwrap_or(value);
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// True where the options name this word alone.
pub(super) fn has(options: &str, word: &str) -> bool {
    parts(options).iter().any(|part| part.trim() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found() {
        let options = "label={(\\alph*), }, start=3 , resume, title = {A, b}, start=4, x={}";
        assert_eq!(value_of(options, "label").as_deref(), Some("(\\alph*), "));
        assert_eq!(value_of(options, "title").as_deref(), Some("A, b"));
        assert_eq!(value_of(options, "start").as_deref(), Some("4"));
        assert_eq!((value_of(options, "x"), value_of(options, "resume")), (None, None));
        assert!(has(options, "resume") && !has(options, "start") && !has(options, "A"));
        assert_eq!(parts("}a{,}"), ["}a{,}"]);
    }
}
