//! Patterns of names, as shells have them.
//!
//! Responsible for the time that a match takes. Must not know what is named.

/// True when a name fits a pattern with `*` and `?`. Takes as many steps as both are long together,
/// times each other at most.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    // The last star, and how much of the name it stands for.
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == name[of] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((place, taken)) = star.as_mut() else {
                    return false;
                };
                *taken += 1;
                (at, of) = (*place + 1, *taken);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_shells() {
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
        // Stars that are tried one by one would take longer than anybody waits.
        assert!(!fits(&("*a".repeat(40) + "b"), &"a".repeat(200)));
    }
}
