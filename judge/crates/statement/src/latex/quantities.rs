//! Numbers and units, as `siunitx` writes them.
//!
//! Responsible for turning its arguments into TeX that needs no package. Must not know where a quantity stands. What it does
//! not understand it gives back nothing for: a number that is guessed is worse than one that is marked.

use super::Writer;
use super::formulas::with_constants;
use crate::formula;

/// Names of units and their prefixes, with their signs.
const UNITS: [(&str, &str); 45] = [
    ("kilo", "k"),
    ("mega", "M"),
    ("giga", "G"),
    ("tera", "T"),
    ("milli", "m"),
    ("micro", "µ"),
    ("nano", "n"),
    ("centi", "c"),
    ("deci", "d"),
    ("hecto", "h"),
    ("kibi", "Ki"),
    ("mebi", "Mi"),
    ("gibi", "Gi"),
    ("metre", "m"),
    ("meter", "m"),
    ("second", "s"),
    ("gram", "g"),
    ("kilogram", "kg"),
    ("litre", "l"),
    ("liter", "l"),
    ("minute", "min"),
    ("hour", "h"),
    ("day", "d"),
    ("joule", "J"),
    ("watt", "W"),
    ("volt", "V"),
    ("ampere", "A"),
    ("newton", "N"),
    ("hertz", "Hz"),
    ("kelvin", "K"),
    ("celsius", "°C"),
    ("degreeCelsius", "°C"),
    ("degree", "°"),
    ("percent", "%"),
    ("byte", "B"),
    ("bit", "bit"),
    ("bits", "bits"),
    ("km", "km"),
    ("cm", "cm"),
    ("mm", "mm"),
    ("kg", "kg"),
    ("ms", "ms"),
    ("kB", "kB"),
    ("MB", "MB"),
    ("GB", "GB"),
];

/// A number as TeX for a formula: digits as they are written, an exponent after `e` or `E`, `x` as times, `+-` as plus or minus.
pub(super) fn number(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some((one, other)) = text.split_once('x') {
        return Some(format!("{} \\times {}", number(one)?, number(other)?));
    }
    if let Some((value, error)) = text.split_once("+-") {
        return Some(format!("{} \\pm {}", number(value)?, number(error)?));
    }
    let (digits, exponent) = text.split_once(['e', 'E']).map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let is_number = |text: &str| {
        let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
        bare.chars().any(|c| c.is_ascii_digit()) && bare.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
    };
    if !(is_number(digits) || digits.is_empty() && exponent.is_some()) || exponent.is_some_and(|text| !is_number(text))
    {
        return None;
    }
    // A comma within a number is no list.
    let digits = digits.replace(',', "{,}");
    Some(match exponent {
        None => digits,
        Some(exponent) if digits.is_empty() => format!("10^{{{exponent}}}"),
        Some(exponent) => format!("{digits} \\cdot 10^{{{exponent}}}"),
    })
}

/// True for a number that needs no formula.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || " .,".contains(c))
}

/// A unit as text: letters as they are, names by their signs, powers and quotients.
pub(super) fn unit(text: &str) -> Option<String> {
    let mut unit = String::new();
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()).max(1).min(rest.len());
                let (name, after) = rest.split_at_checked(length)?;
                rest = after.trim_start();
                unit.push_str(match name {
                    "per" => "/",
                    "squared" => "²",
                    "cubed" => "³",
                    "," | " " | ";" => "\u{202f}",
                    "%" => "%",
                    _ => UNITS.iter().find(|(known, _)| *known == name)?.1,
                });
            }
            '^' => {
                let (power, after) = match rest.strip_prefix('{') {
                    Some(inner) => inner.split_once('}')?,
                    None => rest.split_at_checked(1)?,
                };
                unit.push_str(match power {
                    "2" => "²",
                    "3" => "³",
                    "-1" => "⁻¹",
                    "-2" => "⁻²",
                    _ => return None,
                });
                rest = after;
            }
            '.' | '~' => unit.push('\u{202f}'),
            '{' | '}' => {}
            c if c.is_alphabetic() || "/%° ".contains(c) => unit.push(c),
            _ => return None,
        }
    }
    Some(unit)
}

/// A formula in which quantities are TeX that every renderer knows. What is not understood stays.
pub(super) fn without_siunitx(tex: &str) -> String {
    const COMMANDS: [&str; 8] = ["num", "SI", "qty", "si", "unit", "numrange", "SIrange", "qtyrange"];
    let mut written = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some(at) = rest.find('\\') {
        let after = &rest[at + 1..];
        let length = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (name, behind) = after.split_at(length);
        written.push_str(&rest[..at]);
        let replaced = COMMANDS.contains(&name).then(|| quantity(name, behind)).flatten();
        if let Some((text, behind)) = replaced {
            written.push_str(&text);
            rest = behind;
        } else {
            // A backslash takes the character behind it along.
            let taken = if length > 0 { length } else { after.chars().next().map_or(0, char::len_utf8) };
            written.push('\\');
            written.push_str(&after[..taken]);
            rest = &after[taken..];
        }
    }
    written.push_str(rest);
    written
}

/// A quantity of a formula, and what follows it.
fn quantity<'t>(name: &str, behind: &'t str) -> Option<(String, &'t str)> {
    let mut rest = behind.trim_start();
    if let Some(options) = rest.strip_prefix('[') {
        rest = options.split_once(']')?.1;
    }
    let mut argument = || {
        let inner = rest.trim_start().strip_prefix('{')?;
        let mut depth = 0_usize;
        let end = inner.char_indices().find_map(|(at, c)| match c {
            '}' if depth == 0 => Some(at),
            '{' => {
                depth += 1;
                None
            }
            '}' => {
                depth -= 1;
                None
            }
            _ => None,
        })?;
        rest = &inner[end + 1..];
        Some(&inner[..end])
    };
    let of_unit = |text: &str| Some(format!("\\,\\text{{{}}}", unit(text)?.replace('%', "\\%")));
    let text = match name {
        "num" => number(argument()?)?,
        "SI" | "qty" => format!("{}{}", number(argument()?)?, of_unit(argument()?)?),
        "si" | "unit" => of_unit(argument()?)?,
        "numrange" => format!("{}\\text{{ to }}{}", number(argument()?)?, number(argument()?)?),
        _ => format!("{}\\text{{ to }}{}{}", number(argument()?)?, number(argument()?)?, of_unit(argument()?)?),
    };
    // The macro would have ended here, whatever letter follows.
    Some((format!("{{{text}}}"), rest))
}

impl Writer<'_, '_> {
    /// A number, with its unit where the command has one: a formula, unless digits say all of it.
    pub(super) fn quantity(&mut self, name: &str) {
        self.reader.option();
        let numbers = match name {
            "si" | "unit" => 0,
            "num" | "SI" | "qty" => 1,
            _ => 2,
        };
        for index in 0..numbers {
            if index > 0 {
                self.text(" – ");
            }
            let written = self.reader.argument();
            let written = with_constants(&written, self.around.constants).unwrap_or(written);
            match number(&written) {
                Some(_) if is_plain(&written) => self.text(written.trim()),
                Some(tex) => self.formula(&tex),
                None => self.unknown(&format!("\\{name}{{{written}}}")),
            }
        }
        if matches!(name, "num" | "numrange") {
            return;
        }
        let written = self.reader.argument();
        if numbers > 0 {
            self.text("\u{202f}");
        }
        match unit(&written) {
            Some(unit) => self.text(&unit),
            // What it is may still be known of text.
            None => self.reader.unread(&written),
        }
    }

    /// `\SIlist{1;2;3}{\metre}`: each number with its unit.
    pub(super) fn list_of_quantities(&mut self, name: &str) {
        self.reader.option();
        let numbers = self.reader.argument();
        let unit = if name == "numlist" { None } else { Some(self.reader.argument()) };
        let parts: Vec<String> = numbers
            .split(';')
            .map(|number| match &unit {
                Some(unit) => format!("\\SI{{{number}}}{{{unit}}}"),
                None => format!("\\num{{{number}}}"),
            })
            .collect();
        // In English, as the package has it unless it is told otherwise.
        let (last, rest) = parts.split_last().map_or((String::new(), &[][..]), |(last, rest)| (last.clone(), rest));
        let whole = if rest.is_empty() { last } else { format!("{} and {last}", rest.join(", ")) };
        self.reader.unread(&whole);
    }

    /// `\ang{12.5}`, or degrees, minutes and seconds between `;`.
    pub(super) fn angle(&mut self) {
        self.reader.option();
        let written = self.reader.argument();
        for (part, sign) in written.split(';').zip(["°", "′", "″"]) {
            if !part.trim().is_empty() {
                self.text(&format!("{}{sign}", part.trim()));
            }
        }
    }

    fn formula(&mut self, tex: &str) {
        match formula::typeset(tex, false) {
            Ok(html) => self.inline(&html),
            Err(_) => self.unknown(tex),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        for (text, expected) in [
            ("1000", Some("1000")),
            ("-1.5", Some("-1.5")),
            ("1,000", Some("1{,}000")),
            ("1e9", Some("1 \\cdot 10^{9}")),
            ("e-6", Some("10^{-6}")),
            ("3 x 4", Some("3 \\times 4")),
            ("1.0 +- 0.1", Some("1.0 \\pm 0.1")),
            ("10^9", None),
            ("n", None),
            ("", None),
            ("1e", None),
        ] {
            assert_eq!(number(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn units_have_signs() {
        for (text, expected) in [
            ("km", Some("km")),
            ("\\kilo\\metre", Some("km")),
            ("m/s^2", Some("m/s²")),
            ("\\metre\\per\\second\\squared", Some("m/s²")),
            ("\\percent", Some("%")),
            ("\\nothing", None),
            ("\\", None),
            ("m^{n}", None),
        ] {
            assert_eq!(unit(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn quantities_of_formulas_become_tex() {
        assert_eq!(without_siunitx("n \\le \\num{1e5} \\\\num{x}"), "n \\le {1 \\cdot 10^{5}} \\\\num{x}");
        assert_eq!(without_siunitx("\\SI[a]{5}{\\km} \\num{n} \\number"), "{5\\,\\text{km}} \\num{n} \\number");
        assert_eq!(without_siunitx("\\num{1"), "\\num{1");
    }
}
