//! Nesting of YAML texts, found before they are parsed.
//!
//! Must not know what the texts say.

/// The deepest nesting that is parsed. Nobody nests this deep; the parser takes quadratic time for it before it
/// refuses.
pub(crate) const NESTING_LIMIT: usize = 500;

/// The line on which brackets or items of lists are nested too deeply. Brackets in texts count as well, which does not
/// matter for so many.
pub(crate) fn too_deep(text: &str) -> Option<u32> {
    let mut depth = 0usize;
    text.lines().zip(1..).find_map(|(line, number)| {
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > NESTING_LIMIT {
                return Some(number);
            }
        }
        let items = line.split_whitespace().take_while(|word| matches!(*word, "-" | "?" | ":"));
        (items.count() > NESTING_LIMIT).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_open_at_one_time_counts() {
        assert_eq!(too_deep(&"a: [{b: [1]}]\n".repeat(10_000)), None);
        assert_eq!(too_deep(&"- ".repeat(NESTING_LIMIT)), None);
        assert_eq!(too_deep(&format!("\n{}", "[".repeat(NESTING_LIMIT + 1))), Some(2));
        assert_eq!(too_deep(&"[\n".repeat(NESTING_LIMIT + 1)), Some(501));
    }
}
