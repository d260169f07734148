//! Commands of LaTeX that stand for characters, and characters that stand for others: signs,
//! accents, quotes and dashes.
//!
//! Must not know where the text stands.

use super::reader::Reader;

/// Names of commands with the text that each stands for, separated by a tab.
const SIGNS: &str = include_str!("signs.tsv");

/// The text of a command that stands for nothing but text.
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

/// Commands that put an accent on a letter: the combining character, the sign without a letter
/// (such as `\^{}`), letters, and the same letters with the accent as one character.
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

/// A letter with the accent of that command.
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

/// The quote or dash that a character and those behind it stand for, which are read too.
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

/// The text of a name: without braces, fonts and dollars.
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
