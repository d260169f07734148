//! LaTeX commands for characters, and character sequences that are typeset as others: signs,
//! accents, quotes and dashes. Must not know the context of the text.

use super::reader::Reader;

/// Names of commands and the text of each, separated by a tab.
const SIGNS: &str = include_str!("signs.tsv");

/// Returns the text of a command that only stands for text.
pub(super) fn sign(name: &str) -> Option<&str> {
    match name {
        "%" | "&" | "$" | "#" | "_" | "{" | "}" => Some(name),
        " " | "\n" | "\t" | "quad" | "qquad" | "enspace" | "hfill" | "space" => Some(" "),
        "," | ";" | ":" | "thinspace" => Some("\u{202f}"),
        "-" | "/" | "!" | "@" | "relax" | "null" | "leavevmode" | "protect" | "xspace" => Some(""),
        _ => SIGNS
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('\t')),
    }
}

/// Commands that put an accent on a letter. Each has the combining character, the sign without a
/// letter (such as `\^{}`), a list of letters, and the same letters as single characters with the
/// accent.
const ACCENTS: [(&str, char, &str, &str, &str); 15] = [
    ("\"", '\u{308}', "¨", "aeiouyAEIOU", "äëïöüÿÄËÏÖÜ"),
    (
        "'",
        '\u{301}',
        "´",
        "aeiouyAEIOUYcnszlCNSZ",
        "áéíóúýÁÉÍÓÚÝćńśźĺĆŃŚŹ",
    ),
    ("`", '\u{300}', "`", "aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
    ("^", '\u{302}', "^", "aeiouAEIOU", "âêîôûÂÊÎÔÛ"),
    ("~", '\u{303}', "~", "anoANOiu", "ãñõÃÑÕĩũ"),
    ("=", '\u{304}', "¯", "aeiouAEIOU", "āēīōūĀĒĪŌŪ"),
    (".", '\u{307}', "˙", "zZeEcg", "żŻėĖċġ"),
    ("c", '\u{327}', "¸", "cCsSt", "çÇşŞţ"),
    ("v", '\u{30c}', "ˇ", "cdenrstzCDENRSTZ", "čďěňřšťžČĎĚŇŘŠŤŽ"),
    ("u", '\u{306}', "˘", "agAGu", "ăğĂĞŭ"),
    ("k", '\u{328}', "˛", "aeiuAEIU", "ąęįųĄĘĮŲ"),
    ("H", '\u{30b}', "˝", "ouOU", "őűŐŰ"),
    ("r", '\u{30a}', "˚", "aAu", "åÅů"),
    ("d", '\u{323}', "", "", ""),
    ("b", '\u{331}', "", "", ""),
];

/// True for a command that puts an accent on a letter.
pub(super) fn is_accent(name: &str) -> bool {
    ACCENTS.iter().any(|(command, ..)| *command == name)
}

/// Returns a letter with the accent of a command.
pub(super) fn accented(name: &str, letter: &str) -> String {
    let accent = ACCENTS.iter().find(|(command, ..)| *command == name);
    let Some((_, mark, alone, plain, composed)) = accent else {
        return letter.to_owned();
    };
    let letter = match letter.trim() {
        "\\i" => "i",
        "\\j" => "j",
        other => other,
    };
    let mut rest = letter.chars();
    let Some(first) = rest.next() else {
        return (*alone).to_owned();
    };
    let composed = plain
        .chars()
        .zip(composed.chars())
        .find(|(plain, _)| *plain == first);
    let mut text = composed.map_or_else(
        || [first, *mark].iter().collect(),
        |(_, one)| one.to_string(),
    );
    text.extend(rest);
    text
}

/// Returns the quote or dash that begins with this character, and reads the rest of it.
pub(super) fn quote_or_dash(reader: &mut Reader, c: char) -> Option<&'static str> {
    Some(match c {
        '?' if reader.takes('`') => "¿",
        '!' if reader.takes('`') => "¡",
        '`' if reader.takes('`') => "“",
        '\'' if reader.takes('\'') => "”",
        '<' if reader.takes('<') => "«",
        '>' if reader.takes('>') => "»",
        ',' if reader.takes(',') => "„",
        '-' if reader.takes('-') => {
            if reader.takes('-') {
                "—"
            } else {
                "–"
            }
        }
        '`' => "‘",
        '\'' => "’",
        _ => return None,
    })
}

/// Returns the plain text of a name, without braces, fonts and dollars.
pub(crate) fn plain_text(tex: &str) -> String {
    let mut reader = Reader::new(tex);
    let mut text = String::new();
    while let Some(c) = reader.next() {
        match c {
            '\\' => {
                let name = reader.name();
                if let Some(sign) = sign(&name) {
                    text.push_str(sign);
                } else if is_accent(&name) {
                    text.push_str(&accented(&name, &reader.argument()));
                }
            }
            '{' | '}' | '$' => {}
            '~' => text.push(' '),
            c => match quote_or_dash(&mut reader, c) {
                Some(sign) => text.push_str(sign),
                None => text.push(c),
            },
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
