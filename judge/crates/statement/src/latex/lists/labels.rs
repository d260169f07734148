//! Labels of items: numbers in digits, letters and Roman, in a text of the author's.
//!
//! Must not know what a list is on a page.

use std::collections::BTreeMap;

use super::super::macros::Macro;

/// The names that LaTeX has for the counters of lists, by their level.
const LEVELS: [&str; 4] = ["enumi", "enumii", "enumiii", "enumiv"];
/// What a reference says of an item, by its level.
pub(super) const REFERENCES: [&str; 4] = [
    "\\theenumi",
    "\\theenumi\\theenumii",
    "\\theenumi(\\theenumii)\\theenumiii",
    "\\theenumi(\\theenumii)\\theenumiii\\theenumiv",
];
/// The ways to write a number.
const STYLES: [&str; 5] = ["arabic", "alph", "Alph", "roman", "Roman"];
/// Labels within labels deeper than this are left as they are.
const MOST_DEPTH: usize = 6;
/// Longer labels are left as they are.
const MOST_LENGTH: usize = 1000;

type Macros = BTreeMap<String, Macro>;

/// The level of a counter of lists, from 1.
pub(super) fn level_of(counter: &str) -> Option<usize> {
    LEVELS.iter().position(|level| *level == counter).map(|at| at + 1)
}

/// The label that a list has by its level, where it is none of a browser's.
pub(super) fn by_level(macros: &Macros, is_numbered: bool, level: usize) -> Option<String> {
    let name = LEVELS.get(level - 1)?;
    if !is_numbered {
        let label = format!("labelitem{}", &name["enum".len()..]);
        return macros.get(&label).map(|known| known.text.clone());
    }
    if let Some(known) = macros.get(&format!("label{name}")) {
        return Some(known.text.clone());
    }
    let is_own = macros.contains_key(&format!("the{name}"));
    (level > 1 || is_own).then(|| match level {
        2 => format!("(\\the{name})"),
        _ => format!("\\the{name}."),
    })
}

/// The label that is written in short, with one of `1`, `a`, `A`, `i` and `I` in the place of the number.
pub(super) fn short_label(short: &str) -> String {
    let alone = |at: usize, c: char| {
        let before = short[..at].chars().next_back();
        let after = short[at + c.len_utf8()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '\\') && !after.is_some_and(char::is_alphanumeric)
    };
    let mut depth = 0_usize;
    for (at, c) in short.char_indices() {
        let style = match c {
            '1' => "\\arabic*",
            'a' => "\\alph*",
            'A' => "\\Alph*",
            'i' => "\\roman*",
            'I' => "\\Roman*",
            '{' => {
                depth += 1;
                continue;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ => continue,
        };
        if depth == 0 && alone(at, c) {
            return format!("{}{style}{}", &short[..at], &short[at + 1..]);
        }
    }
    short.to_owned()
}

/// The label with numbers in place: `counts` are those of the lists that are open, the outermost first.
pub(super) fn number_in(label: &str, counts: &[u32], macros: &Macros) -> String {
    let mut label = label.to_owned();
    for _ in 0..MOST_DEPTH {
        let written = numbered_once(&label, counts, macros);
        if written == label || written.len() > MOST_LENGTH {
            break;
        }
        label = written;
    }
    label
}

fn numbered_once(label: &str, counts: &[u32], macros: &Macros) -> String {
    let mut written = String::new();
    let mut rest = label;
    while let Some((before, after)) = rest.split_once('\\') {
        written.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (name, behind) = after.split_at(end);
        let counter = |count: usize| counts.get(count - 1).copied();
        let found = if let Some(level) = name.strip_prefix("the").and_then(level_of) {
            let own = macros.get(name).map(|known| known.text.clone());
            let style = ["arabic", "alph", "roman", "Alph"][level - 1];
            Some((own.unwrap_or_else(|| format!("\\{style}{{{}}}", LEVELS[level - 1])), behind))
        } else if STYLES.contains(&name) {
            let (count, behind) = match behind.strip_prefix('*') {
                Some(behind) => (counts.last().copied(), behind),
                None => {
                    let braced = behind.trim_start().strip_prefix('{').and_then(|inner| inner.split_once('}'));
                    let level = braced.and_then(|(counter, _)| level_of(counter.trim()));
                    (level.and_then(counter), braced.map_or(behind, |(_, behind)| behind))
                }
            };
            count.and_then(|count| number(name, count)).map(|text| (text, behind))
        } else {
            None
        };
        match found {
            Some((text, behind)) => {
                written.push_str(&text);
                rest = behind;
            }
            None => {
                written.push('\\');
                written.push_str(name);
                rest = behind;
                // The sign that a backslash makes a command.
                if let Some(c) = behind.chars().next().filter(|_| name.is_empty()) {
                    written.push(c);
                    rest = &behind[c.len_utf8()..];
                }
            }
        }
    }
    written + rest
}

/// A number in the way of `\arabic` and its like; `None` where there is no such way.
pub(super) fn number(style: &str, number: u32) -> Option<String> {
    Some(match style {
        "arabic" => number.to_string(),
        "alph" => char::from(b'a' + u8::try_from(number.checked_sub(1)?).ok().filter(|at| *at < 26)?).to_string(),
        "Alph" => char::from(b'A' + u8::try_from(number.checked_sub(1)?).ok().filter(|at| *at < 26)?).to_string(),
        "roman" => roman(number)?,
        "Roman" => roman(number)?.to_uppercase(),
        _ => return None,
    })
}

fn roman(number: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = Some(number).filter(|number| (1..4000).contains(number))?;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            text.push_str(sign);
            rest -= value;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_written_in_every_way() {
        let all = |count| STYLES.map(|style| number(style, count).unwrap_or_default());
        assert_eq!(all(4), ["4", "d", "D", "iv", "IV"]);
        assert_eq!(all(27), ["27", "", "", "xxvii", "XXVII"]);
        assert_eq!(all(0), ["0", "", "", "", ""]);
        assert_eq!(number("fnsymbol", 1), None);
    }

    #[test]
    fn short_labels_have_one_number() {
        for (short, expected) in [
            ("a)", "\\alph*)"),
            ("(i)", "(\\roman*)"),
            ("Case 1:", "Case \\arabic*:"),
            ("{a} A", "{a} \\Alph*"),
            ("--", "--"),
        ] {
            assert_eq!(short_label(short), expected);
        }
    }

    #[test]
    fn whatever_the_label_is_it_ends() {
        proptest!(|(label in "([a-c{}\\*]|\\\\(arabic|the|enumi|theenumii|alph)|\\{enumii?\\}){0,12}", counts in prop::collection::vec(any::<u32>(), 0..4))| {
            let text = number_in(&label, &counts, &Macros::new());
            prop_assert!(text.len() < MOST_LENGTH + 100);
        });
    }
}
