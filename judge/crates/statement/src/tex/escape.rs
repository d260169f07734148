//! Escapes text for LaTeX, so that none of it is a command.

/// Returns text in which no character is a command.
pub(crate) fn escaped(text: &str) -> String {
    let mut tex = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => tex.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => tex.extend(['\\', c]),
            '^' => tex.push_str("\\textasciicircum{}"),
            '~' => tex.push_str("\\textasciitilde{}"),
            '<' => tex.push_str("\\textless{}"),
            '>' => tex.push_str("\\textgreater{}"),
            '|' => tex.push_str("\\textbar{}"),
            '"' => tex.push_str("\\textquotedbl{}"),
            '\u{2264}' => tex.push_str("$\\le$"),
            '\u{2265}' => tex.push_str("$\\ge$"),
            '\u{d7}' => tex.push_str("$\\times$"),
            '\u{2026}' => tex.push_str("\\ldots{}"),
            '\u{a0}' => tex.push('~'),
            _ => tex.push(c),
        }
    }
    tex
}

/// Returns text for a monospaced font, in which every space is shown. Long words may be broken
/// anywhere.
pub(super) fn escaped_code(text: &str) -> String {
    /// The maximum number of characters of a word that is not broken.
    const MAX_WORD: usize = 24;
    let mut tex = String::with_capacity(text.len());
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            tex.push_str("\\ ");
        }
        let is_long = word.chars().nth(MAX_WORD).is_some();
        for c in word.chars() {
            match c {
                // LaTeX fonts would form ligatures of these.
                '-' | ',' => tex.extend([c, '{', '}']),
                '\'' => tex.push_str("\\textquotesingle{}"),
                '`' => tex.push_str("\\textasciigrave{}"),
                '\t' => tex.push_str("\\ \\ \\ \\ "),
                c if c.is_control() => tex.push('?'),
                c => tex.push_str(&escaped(c.encode_utf8(&mut [0; 4]))),
            }
            if is_long {
                tex.push_str("\\allowbreak{}");
            }
        }
    }
    tex
}
