//! The claims of a statement about numbers: comparisons such as `$1 \le n \le 10^5$`.
//!
//! Pure. Responsible for finding claims in Markdown and TeX, and for parsing their names and
//! numbers. Other formulas are ignored. Must not know the actual bounds.

use super::arithmetic::evaluate;

/// The bounds that a comparison states for one name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    name: String,
    /// The line in the statement, counted from 1.
    pub(crate) line: u32,
    /// The smallest and the largest value, if they are numbers.
    pub(crate) bounds: [Option<Limit>; 2],
}

/// A number that a name is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    value: f64,
    /// 1 when the name must be greater, -1 when it must be less, 0 when it may be equal.
    strict: f64,
}

impl Limit {
    /// The bound as an inclusive value: for `n < 11` it is 10, unless `allowed`, the value to
    /// compare with, is 11 or not an integer.
    pub(crate) fn value_for(self, allowed: f64) -> f64 {
        let next = self.value + self.strict;
        if allowed == self.value || allowed.fract() != 0.0 {
            self.value
        } else {
            next
        }
    }
}

impl Claim {
    /// Returns true when the claim is about the number with this name in a validator. Most
    /// validators call `a_i` just `a`.
    pub(crate) fn is_about(&self, name: &str) -> bool {
        let bare = |name: &str| name.split('_').next().unwrap_or(name).to_owned();
        self.name == name || bare(&self.name) == name
    }
}

/// All claims of a statement.
pub(crate) fn claims(text: &str) -> Vec<Claim> {
    let definitions = definitions(text);
    formulas(text)
        .into_iter()
        .flat_map(|(line, formula)| claims_of(line, &formula, &definitions))
        .collect()
}

/// The formulas between signs of mathematics, each with its first line.
fn formulas(text: &str) -> Vec<(u32, String)> {
    const SIGNS: [(&str, &str); 4] = [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")];
    let mut formulas = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let signs = SIGNS.iter().find(|(begin, _)| rest.starts_with(begin));
        let found = signs.and_then(|(begin, end)| {
            // `$$` is tried before `$`, which it begins with.
            let formula = &rest[begin.len()..];
            // A formula ends with its paragraph at the latest. A dollar without a second one in the
            // paragraph is money.
            let length = formula
                .find(end)
                .filter(|length| !formula[..*length].contains("\n\n"))?;
            Some((&formula[..length], begin.len() + length + end.len()))
        });
        if let Some((formula, length)) = found {
            let before = &text[..text.len() - rest.len()];
            let line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
            formulas.push((line, formula.to_owned()));
            rest = &rest[length..];
        } else {
            // One character, or an escaped one.
            let escaped = rest.starts_with("\\$") || rest.starts_with("\\%");
            let skipped = if escaped {
                2
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            rest = &rest[skipped..];
        }
    }
    formulas
}

/// `\newcommand{\name}{value}`, `\newcommand\name{value}` and `\def\name{value}`, the longest
/// names first.
fn definitions(text: &str) -> Vec<(String, String)> {
    let mut definitions = Vec::new();
    for command in ["\\newcommand", "\\def"] {
        for (place, _) in text.match_indices(command) {
            let rest = text[place + command.len()..].trim_start_matches('{');
            let Some(name) = rest.strip_prefix('\\') else {
                continue;
            };
            let length = name
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(name.len());
            let value = name[length..]
                .trim_start_matches('}')
                .strip_prefix('{')
                .and_then(|value| value.split_once('}'));
            if let Some((value, _)) = value.filter(|_| length > 0) {
                definitions.push((format!("\\{}", &name[..length]), value.to_owned()));
            }
        }
    }
    definitions.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    definitions
}

fn claims_of(line: u32, formula: &str, definitions: &[(String, String)]) -> Vec<Claim> {
    let plain = plain(formula, definitions);
    // A set is rewritten as a comparison, so that the rest of the function need not know sets.
    let plain = membership(&plain).unwrap_or(plain);
    let (parts, signs) = split(&plain);
    let mut claims = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let Some(names) = names(part) else { continue };
        let mut bounds = [None, None];
        // A part is compared with the number to the left of the sign before it, and with the number
        // to the right of the sign after it.
        let before = index.checked_sub(1).map(|left| (signs[left], parts[left]));
        let after = signs
            .get(index)
            .map(|sign| (sign.turned(), parts[index + 1]));
        for (sign, number) in before.into_iter().chain(after) {
            let Some(value) = evaluate(number) else {
                continue;
            };
            let step = if sign.strict { 1.0 } else { 0.0 };
            // `number < name` makes it a lower bound.
            let (end, strict) = if sign.rising { (0, step) } else { (1, -step) };
            bounds[end] = Some(Limit { value, strict });
        }
        if bounds != [None, None] {
            claims.extend(names.into_iter().map(|name| Claim { name, line, bounds }));
        }
    }
    claims
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sign {
    /// The left side is smaller.
    rising: bool,
    strict: bool,
}

impl Sign {
    fn turned(self) -> Self {
        Self {
            rising: !self.rising,
            ..self
        }
    }
}

/// The parts between comparison signs. Other signs, such as `=`, remain in a part, which then is
/// not a name.
fn split(plain: &str) -> (Vec<&str>, Vec<Sign>) {
    let (mut parts, mut signs) = (Vec::new(), Vec::new());
    let mut rest = plain;
    while let Some(place) = rest.find(['<', '>']) {
        // All signs of this meaning were replaced by `<=` before.
        let strict = !rest[place + 1..].starts_with('=');
        parts.push(rest[..place].trim());
        signs.push(Sign {
            rising: rest[place..].starts_with('<'),
            strict,
        });
        rest = &rest[place + if strict { 1 } else { 2 }..];
    }
    parts.push(rest.trim());
    (parts, signs)
}

/// The comparison that `n \in [1, 9]` states. The set may be an interval, open or not, or `\{1,
/// \ldots, 9\}`.
fn membership(plain: &str) -> Option<String> {
    let (names, set) = plain.split_once("∈")?;
    let set = set.trim().replace("\\{", "{").replace("\\}", "}");
    let (open, close) = (set.chars().next()?, set.chars().next_back()?);
    let inner = set.get(open.len_utf8()..set.len() - close.len_utf8())?;
    // `\{1, 2, \ldots, 9\}`: the first and the last element are the bounds.
    let elements: Vec<&str> = inner
        .split(',')
        .map(str::trim)
        .filter(|element| *element != "…")
        .collect();
    let (min, max) = (elements.first()?, elements.last()?);
    let sign = |strict| if strict { "<" } else { "<=" };
    let (below, above) = match (open, close, elements.len()) {
        ('{', '}', 2..) => (false, false),
        ('[' | '(' | ']', ']' | ')' | '[', 2) => (open != '[', close != ']'),
        _ => return None,
    };
    Some(format!(
        "{min} {} {names} {} {max}",
        sign(below),
        sign(above)
    ))
}

/// The formula as plain text: comparisons as `<=`, products as `*`, without commands for spacing.
fn plain(formula: &str, definitions: &[(String, String)]) -> String {
    let mut plain = formula.to_owned();
    // Longer names are replaced first, since one may begin with another.
    for (name, value) in definitions {
        plain = plain.replace(name.as_str(), value);
    }
    // Longer ones come first: `\le` begins `\leq` and `\left`.
    const SIGNS: [(&str, &str); 32] = [
        ("\\leqslant", "<="),
        ("\\geqslant", ">="),
        ("\\leq", "<="),
        ("\\geq", ">="),
        ("\\left", ""),
        ("\\right", ""),
        ("\\le", "<="),
        ("\\ge", ">="),
        ("\\lt", "<"),
        ("\\gt", ">"),
        ("≤", "<="),
        ("≥", ">="),
        ("\\in ", "∈"),
        ("\\cdots", "…"),
        ("\\ldots", "…"),
        ("\\dots", "…"),
        ("\\cdot", "*"),
        ("\\times", "*"),
        ("·", "*"),
        ("×", "*"),
        ("\\lvert", "|"),
        ("\\rvert", "|"),
        ("\\vert", "|"),
        ("\\ell", "l"),
        ("\\mathrm", ""),
        ("\\mathit", ""),
        ("\\text", ""),
        ("{,}", ""),
        ("\\,", ""),
        ("\\;", ""),
        ("\\!", ""),
        ("~", ""),
    ];
    SIGNS
        .iter()
        .fold(plain, |plain, (sign, meaning)| plain.replace(sign, meaning))
}

/// The names of a part, without braces: `x, y`, `a_i`, `|s|`, `\alpha`. `None` for anything else.
fn names(part: &str) -> Option<Vec<String>> {
    let part = part.replace("\\_", "_");
    // Commas in braces belong to an index, as in `a_{i,j}`, and do not separate names.
    let mut depth = 0_i32;
    let of_list = part.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let all: Vec<&str> = of_list.map(str::trim).filter(|name| *name != "…").collect();
    all.into_iter().map(name).collect()
}

fn name(text: &str) -> Option<String> {
    let inner = text
        .strip_prefix('|')
        .and_then(|rest| rest.strip_suffix('|'));
    if let Some(inner) = inner {
        return Some(format!("|{}|", name(inner)?));
    }
    let bare: String = text
        .trim_start_matches('\\')
        .chars()
        .filter(|c| !matches!(c, '{' | '}' | ' '))
        .collect();
    let stem = bare.split('_').next().unwrap_or(&bare);
    let is_name = stem.starts_with(char::is_alphabetic)
        && stem.chars().all(|c| c.is_alphanumeric() || c == '\'')
        && bare
            .chars()
            .all(|c| c.is_alphanumeric() || "_,+-'…".contains(c));
    is_name.then_some(bare)
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;
