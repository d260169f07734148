//! Words as a shell splits them: quotes of both kinds, and `\`.
//!
//! Must not know how the words are used.

/// The words of a command; `None` if a quote is not closed, or if `\` is the last character.
pub fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            letter if letter.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '"' => break,
                        '\\' => match letters.next()? {
                            escaped @ ('"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(letters.next()?),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_resolved() {
        assert_eq!(shell_words(" a  b\n").unwrap(), ["a", "b"]);
        assert_eq!(
            shell_words(r#"'a b' "c \" d" '' x\ y'z'"#).unwrap(),
            ["a b", "c \" d", "", "x yz"]
        );
        assert_eq!(shell_words("").unwrap(), [""; 0]);
        for open in ["'a", "\"a", "a\\", "\"a\\"] {
            assert_eq!(shell_words(open), None, "{open}");
        }
    }
}
