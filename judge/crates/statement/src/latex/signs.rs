//! Commands of LaTeX that are characters, signs and accents, and names that are nothing else.
//!
//! Must not know what stands around them.

use super::reader::Reader;

/// The text of a command that is one.
pub(super) fn sign(name: &str) -> Option<&'static str> {
    Some(match name {
        "%" => "%",
        "&" => "&",
        "$" => "$",
        "#" => "#",
        "_" => "_",
        "{" | "textbraceleft" | "lbrace" => "{",
        "}" | "textbraceright" | "rbrace" => "}",
        " " | "\n" | "\t" | "quad" | "qquad" | "enspace" | "hfill" | "space" => " ",
        "," | ";" | ":" | "thinspace" => "\u{202f}",
        "-" | "/" | "!" | "@" | "relax" | "null" | "leavevmode" | "protect" | "xspace" => "",
        "ldots" | "dots" | "textellipsis" => "…",
        "textbackslash" | "backslash" => "\\",
        "textasciicircum" => "^",
        "textasciitilde" => "~",
        "textbar" => "|",
        "textless" => "<",
        "textgreater" => ">",
        "textquotedbl" => "\"",
        "textquotesingle" => "'",
        "textbullet" => "•",
        "textdegree" | "degree" => "°",
        "copyright" | "textcopyright" => "©",
        "texttrademark" => "™",
        "textregistered" => "®",
        "pounds" | "textsterling" => "£",
        "S" => "§",
        "P" => "¶",
        "LaTeX" => "LaTeX",
        "TeX" => "TeX",
        "textendash" => "–",
        "textemdash" => "—",
        "guillemotleft" | "guillemetleft" | "flqq" => "«",
        "guillemotright" | "guillemetright" | "frqq" => "»",
        "glqq" | "quotedblbase" => "„",
        "grqq" | "textquotedblleft" => "“",
        "textquotedblright" => "”",
        "lq" => "‘",
        "rq" => "’",
        "aa" => "å",
        "AA" => "Å",
        "ae" => "æ",
        "AE" => "Æ",
        "oe" => "œ",
        "OE" => "Œ",
        "o" => "ø",
        "O" => "Ø",
        "ss" => "ß",
        "l" => "ł",
        "L" => "Ł",
        "dh" => "ð",
        "DH" => "Ð",
        "th" => "þ",
        "TH" => "Þ",
        "i" => "ı",
        "j" => "ȷ",
        _ => return sign_of_some_package(name),
    })
}

/// The same of a command that LaTeX itself does not have.
fn sign_of_some_package(name: &str) -> Option<&'static str> {
    Some(match name {
        "textunderscore" => "_",
        "textcelsius" => "°C",
        "dag" | "textdagger" => "†",
        "ddag" | "textdaggerdbl" => "‡",
        "og" => "«\u{202f}",
        "fg" => "\u{202f}»",
        "slash" => "/",
        "euro" | "texteuro" => "€",
        _ => return None,
    })
}

/// Letters with their accents, by the command: letters, then the same with the accent.
const COMPOSED: [(&str, &str, &str); 12] = [
    ("\"", "aeiouyAEIOU", "äëïöüÿÄËÏÖÜ"),
    ("'", "aeiouyAEIOUYcnszlCNSZ", "áéíóúýÁÉÍÓÚÝćńśźĺĆŃŚŹ"),
    ("`", "aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
    ("^", "aeiouAEIOU", "âêîôûÂÊÎÔÛ"),
    ("~", "anoANOiu", "ãñõÃÑÕĩũ"),
    ("=", "aeiouAEIOU", "āēīōūĀĒĪŌŪ"),
    (".", "zZeEcg", "żŻėĖċġ"),
    ("c", "cCsSt", "çÇşŞţ"),
    ("v", "cdenrstzCDENRSTZ", "čďěňřšťžČĎĚŇŘŠŤŽ"),
    ("u", "agAGu", "ăğĂĞŭ"),
    ("k", "aeiuAEIU", "ąęįųĄĘĮŲ"),
    ("H", "ouOU", "őűŐŰ"),
];

/// True for a command that puts an accent on a letter.
pub(super) fn is_accent(name: &str) -> bool {
    COMPOSED.iter().any(|(known, _, _)| *known == name) || matches!(name, "r" | "d" | "b")
}

/// A letter with its accent.
pub(super) fn accented(name: &str, letter: &str) -> String {
    let letter = match letter.trim() {
        "\\i" => "i",
        "\\j" => "j",
        other => other,
    };
    let mut rest = letter.chars();
    // An accent on nothing is a sign.
    let Some(first) = rest.next() else { return alone(name).to_owned() };
    let known = COMPOSED.iter().find(|(accent, _, _)| *accent == name);
    let composed = known.and_then(|(_, plain, composed)| {
        let at = plain.chars().position(|plain| plain == first)?;
        composed.chars().nth(at)
    });
    let composed = composed.or(match (name, first) {
        ("r", 'a') => Some('å'),
        ("r", 'A') => Some('Å'),
        ("r", 'u') => Some('ů'),
        _ => None,
    });
    let mark = match name {
        "\"" => '\u{308}',
        "'" => '\u{301}',
        "`" => '\u{300}',
        "^" => '\u{302}',
        "~" => '\u{303}',
        "=" => '\u{304}',
        "." => '\u{307}',
        "c" => '\u{327}',
        "v" => '\u{30c}',
        "u" => '\u{306}',
        "k" => '\u{328}',
        "H" => '\u{30b}',
        "r" => '\u{30a}',
        "d" => '\u{323}',
        _ => '\u{331}',
    };
    let mut text = match composed {
        Some(composed) => composed.to_string(),
        None => [first, mark].iter().collect(),
    };
    text.extend(rest);
    text
}

/// The sign of an accent without a letter, such as `\^{}`.
fn alone(name: &str) -> &'static str {
    match name {
        "^" => "^",
        "~" => "~",
        "`" => "`",
        "\"" => "¨",
        "'" => "´",
        "=" => "¯",
        "." => "˙",
        "c" => "¸",
        "v" => "ˇ",
        "u" => "˘",
        "k" => "˛",
        "H" => "˝",
        "r" => "˚",
        _ => "",
    }
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
            '`' | '\'' if reader.peek() == Some(c) => {
                reader.raw();
                text.push(if c == '`' { '“' } else { '”' });
            }
            '?' | '!' if reader.takes('`') => text.push(if c == '?' { '¿' } else { '¡' }),
            '`' => text.push('‘'),
            '\'' => text.push('’'),
            '-' if reader.peek() == Some('-') => {
                reader.raw();
                text.push(if reader.takes('-') { '—' } else { '–' });
            }
            c => text.push(c),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
