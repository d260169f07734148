//! Shell patterns for names.
//!
//! Responsible for bounding the time of a match. Must not know what is named.

/// True if a name matches a pattern with `*` and `?`. Takes at most as many steps as the product of
/// both lengths.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut in_pattern, mut in_name) = (0, 0);
    // The position of the last star, and the end of the part of the name that it matches.
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        match pattern.get(in_pattern) {
            Some('*') => {
                star = Some((in_pattern, in_name));
                in_pattern += 1;
            }
            Some(expected) if *expected == '?' || *expected == name[in_name] => {
                in_pattern += 1;
                in_name += 1;
            }
            _ => {
                let Some((place, taken)) = star.as_mut() else {
                    return false;
                };
                *taken += 1;
                (in_pattern, in_name) = (*place + 1, *taken);
            }
        }
    }
    pattern[in_pattern..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_patterns_are_supported() {
        assert!(
            fits("*", "") && fits("st-*", "st-1") && fits("s?-1", "st-1") && fits("*1", "st-1")
        );
        assert!(!fits("st", "st-1") && !fits("?", "") && !fits("st-*2", "st-1"));
        assert!(
            fits("a?c*", "abc")
                && fits("*b*d", "abcd")
                && fits("é?", "éa")
                && !fits("*b", "abc")
                && !fits("", "a")
        );
        // Trying all combinations of stars would take exponential time.
        assert!(!fits(&("*a".repeat(40) + "b"), &"a".repeat(200)));
    }
}
