//! Formulas of LaTeX in the words that the renderer knows.
//!
//! Responsible for text within formulas, for the package's constants in them, and for commands that say nothing on a page. Must
//! not render anything, nor know where a formula stands. What it does not understand it leaves to the renderer, which says so.

use super::quantities::without_siunitx;
use super::reader::Reader;
use super::signs::{accented, is_accent, plain_text, sign};

/// Formulas within texts within formulas, deeper than this, are none.
const MOST_DEPTH: usize = 8;

/// More columns than an array has.
const MOST_COLUMNS: usize = 100;

type Constants<'c> = &'c [(String, String)];

/// The formula for the renderer, or the end of a sentence that says why there is none.
pub(crate) fn for_renderer(tex: &str, constants: Constants<'_>) -> Result<String, String> {
    let tex = without_siunitx(&with_constants(tex, constants)?);
    let mut written = String::with_capacity(tex.len());
    rewrite(&mut written, &tex, 0)?;
    Ok(written)
}

/// The text with the values of constants in place.
pub(super) fn with_constants(tex: &str, constants: Constants<'_>) -> Result<String, String> {
    const COMMAND: &str = "\\constant{";
    let mut written = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some((before, after)) = rest.split_once(COMMAND) {
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        let known = constants.iter().find(|(known, _)| known == name.trim());
        let Some((_, value)) = known else {
            return Err(format!("has `\\constant{{{name}}}`, which the package lacks"));
        };
        written.push_str(before);
        // A script takes one token.
        let is_script = before.trim_end().ends_with(['^', '_']);
        written.push_str(&if is_script { format!("{{{value}}}") } else { value.clone() });
        rest = behind;
    }
    written.push_str(rest);
    Ok(written)
}

/// A formula that is being read.
struct Scan<'t> {
    rest: &'t str,
}

impl<'t> Scan<'t> {
    /// The next command, with its backslash, or the next character.
    fn token(&mut self) -> Option<&'t str> {
        let first = self.rest.chars().next()?;
        let length = match (first, self.rest[first.len_utf8()..].chars().next()) {
            ('\\', Some(c)) if c.is_ascii_alphabetic() => {
                let name = &self.rest[1..];
                1 + name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len())
            }
            ('\\', Some(c)) => 1 + c.len_utf8(),
            _ => first.len_utf8(),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }

    /// An argument: the text in braces, or one token.
    fn argument(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let Some(inner) = self.rest.strip_prefix('{') else { return self.token().unwrap_or_default() };
        let (mut depth, mut scan) = (0_usize, Scan { rest: inner });
        while let Some(token) = scan.token() {
            match token {
                "}" if depth == 0 => {
                    self.rest = scan.rest;
                    return &inner[..inner.len() - scan.rest.len() - 1];
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
        }
        // The renderer says that a brace is missing.
        self.token().unwrap_or_default()
    }

    /// The name of an environment, in its braces, without the place of its box behind it.
    fn environment(&mut self) -> &'t str {
        let name = self.rest.split_inclusive('}').next().unwrap_or_default();
        self.rest = &self.rest[name.len()..];
        for place in ["[t]", "[b]", "[c]"] {
            self.rest = self.rest.strip_prefix(place).unwrap_or(self.rest);
        }
        name
    }

    fn skip_option(&mut self) {
        if let Some((_, rest)) = self.rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            self.rest = rest;
        }
    }

    fn skip_star(&mut self) {
        self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
    }
}

fn rewrite(written: &mut String, tex: &str, depth: usize) -> Result<(), String> {
    if depth > MOST_DEPTH {
        return Err("is too deeply nested".to_owned());
    }
    let mut scan = Scan { rest: tex };
    // Lines end within environments only.
    let mut environments = 0_usize;
    while let Some(token) = scan.token() {
        let Some(name) = token.strip_prefix('\\').filter(|name| !name.is_empty()) else {
            written.push_str(token);
            continue;
        };
        if let Some(font) = text_font(name) {
            written.push_str(&text(scan.argument(), font, depth)?);
            continue;
        }
        match name {
            "begin" => {
                environments += 1;
                written.push_str(token);
                let environment = scan.environment();
                written.push_str(environment);
                if environment == "{array}" {
                    written.push_str(&format!("{{{}}}", letters(scan.argument())));
                }
            }
            "end" => {
                environments = environments.saturating_sub(1);
                written.push_str(token);
            }
            "\\" if environments == 0 && depth == 0 => {
                scan.skip_star();
                scan.skip_option();
                written.push(' ');
            }
            "limits" | "nolimits" if !takes_limits(tex, scan.rest) => {}
            _ => rewrite_command(written, token, name, &mut scan, depth)?,
        }
    }
    Ok(())
}

/// A command in words of the renderer, with its arguments where they change; else as it is.
fn rewrite_command(
    written: &mut String,
    token: &str,
    name: &str,
    scan: &mut Scan<'_>,
    depth: usize,
) -> Result<(), String> {
    match name {
        "mathop" | "ensuremath" | "boxed" | "smash" | "mathclap" | "mathllap" | "mathrlap" => {
            written.push('{');
            rewrite(written, scan.argument(), depth + 1)?;
            written.push('}');
        }
        // About numbers of formulas and looks, which a page does not have.
        "nonumber" | "notag" | "xspace" | "allowbreak" | "protect" | "noindent" | "nobreak" | "break" | "hfill" => {
            written.push(' ');
        }
        "label" | "vspace" | "phantom" | "hphantom" | "vphantom" => {
            scan.skip_star();
            scan.argument();
            written.push(' ');
        }
        "tag" => {
            scan.skip_star();
            let tag = text(scan.argument(), "text", depth)?;
            written.push_str(&format!("\\qquad({tag})"));
        }
        "operatorname" => {
            scan.skip_star();
            written.push_str(&format!("\\operatorname{{{}}}", plain_text(scan.argument())));
        }
        "hspace" => {
            scan.skip_star();
            let width = scan.argument();
            written.push_str(&if is_width(width) { format!("\\hspace{{{width}}}") } else { "\\quad ".to_owned() });
        }
        "textsuperscript" | "textsubscript" => {
            let script = text(scan.argument(), "text", depth)?;
            written.push_str(&format!("{}{{{script}}}", if name == "textsuperscript" { "^" } else { "_" }));
        }
        "mathds" | "mathbbm" => written.push_str("\\mathbb "),
        "llbracket" => written.push('⟦'),
        "rrbracket" => written.push('⟧'),
        "bm" => written.push_str("\\boldsymbol "),
        "mod" => written.push_str("\\bmod "),
        _ => written.push_str(token),
    }
    Ok(())
}

/// True where limits stand behind a sign that the renderer gives them, such as `\sum`.
fn takes_limits(tex: &str, rest: &str) -> bool {
    let before = tex[..tex.len() - rest.len()].trim_end().trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let before = before.trim_end_matches('\\').trim_end();
    ["\\sum", "\\prod", "\\int", "\\bigcup", "\\bigcap", "\\lim", "\\max", "\\min"]
        .iter()
        .any(|sign| before.ends_with(sign))
}

/// The font of a command for text, as the renderer calls it.
fn text_font(name: &str) -> Option<&'static str> {
    Some(match name {
        "text" | "mbox" | "hbox" | "textnormal" | "textrm" | "textup" | "textmd" | "textsc" | "fbox" | "makebox" => {
            "text"
        }
        "textbf" => "textbf",
        "textit" | "textsl" | "emph" => "textit",
        "textsf" => "textsf",
        "texttt" => "texttt",
        _ => return None,
    })
}

/// The columns of an array in the letters that the renderer knows.
fn letters(description: &str) -> String {
    let mut letters = String::new();
    let mut scan = Scan { rest: description };
    while let Some(token) = scan.token() {
        match token {
            "@" | "!" | ">" | "<" => drop(scan.argument()),
            "p" | "m" | "b" => {
                scan.argument();
                letters.push('l');
            }
            "*" => {
                let times = scan.argument().trim().parse::<usize>().unwrap_or(1).min(MOST_COLUMNS);
                let part = self::letters(scan.argument()).chars().take(MOST_COLUMNS).collect::<String>();
                letters.push_str(&part.repeat(times));
            }
            _ => letters.push_str(token),
        }
    }
    letters.chars().take(MOST_COLUMNS).collect()
}

fn is_width(text: &str) -> bool {
    let number = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim();
    let unit = text.trim()[number.len()..].trim();
    number.parse::<f64>().is_ok() && matches!(unit, "em" | "ex" | "pt" | "mm" | "cm" | "in" | "pc")
}

/// Text within a formula: its characters in words of the renderer, and formulas within it.
fn text(tex: &str, font: &str, depth: usize) -> Result<String, String> {
    if depth > MOST_DEPTH {
        return Err("is too deeply nested".to_owned());
    }
    let mut reader = Reader::new(tex);
    let mut text = Text { font, plain: String::new(), written: String::new(), parts: 0 };
    while let Some(c) = reader.next() {
        match c {
            '$' => text.formula(reader.formula("$"), depth)?,
            '\\' => {
                let name = reader.name();
                if let Some(sign) = sign(&name) {
                    text.plain.push_str(sign);
                } else if is_accent(&name) {
                    text.plain.push_str(&accented(&name, &reader.argument()));
                } else if let Some(font) = text_font(&name) {
                    text.flush();
                    text.push(&self::text(&reader.argument(), font, depth + 1)?);
                } else {
                    match name.as_str() {
                        "(" => text.formula(reader.formula("\\)"), depth)?,
                        "ensuremath" => {
                            let tex = reader.argument();
                            text.formula(Some(tex), depth)?;
                        }
                        "\\" | "newline" => text.plain.push(' '),
                        "bf" | "it" | "rm" | "tt" | "sf" | "em" | "sl" | "bfseries" | "itshape" | "small"
                        | "normalfont" => {}
                        _ => return Err(format!("has `\\{name}` in a text, which is not known there")),
                    }
                }
            }
            '{' | '}' => {}
            '~' => text.plain.push('\u{a0}'),
            '`' if reader.takes('`') => text.plain.push('“'),
            '\'' if reader.takes('\'') => text.plain.push('”'),
            '`' => text.plain.push('‘'),
            '\'' => text.plain.push('’'),
            '-' if reader.takes('-') => text.plain.push(if reader.takes('-') { '—' } else { '–' }),
            c => text.plain.push(c),
        }
    }
    text.flush();
    Ok(if text.parts == 1 { text.written } else { format!("{{{}}}", text.written) })
}

/// A text within a formula that is being written.
struct Text<'f> {
    font: &'f str,
    plain: String,
    written: String,
    parts: usize,
}

impl Text<'_> {
    fn push(&mut self, part: &str) {
        self.written.push_str(part);
        self.parts += 1;
    }

    fn formula(&mut self, tex: Option<String>, depth: usize) -> Result<(), String> {
        let tex = tex.ok_or("has a text with a formula that nothing ends")?;
        self.flush();
        self.written.push('{');
        rewrite(&mut self.written, &tex, depth + 1)?;
        self.push("}");
        Ok(())
    }

    /// Writes the characters that were read. The renderer has no escapes within texts.
    fn flush(&mut self) {
        let plain = std::mem::take(&mut self.plain);
        let mut rest = plain.as_str();
        while !rest.is_empty() {
            let at = rest.find(['{', '}', '%', '\\']).unwrap_or(rest.len());
            if at > 0 {
                let part = format!("\\{}{{{}}}", self.font, &rest[..at]);
                self.push(&part);
            }
            let sign = match rest[at..].chars().next() {
                Some('\\') => "\\backslash ",
                Some('{') => "\\{",
                Some('}') => "\\}",
                Some(_) => "\\%",
                None => break,
            };
            self.push(sign);
            rest = &rest[at + 1..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tex: &str) -> Result<String, String> {
        let constants = [("n".to_owned(), "100".to_owned())];
        for_renderer(tex, &constants)
    }

    #[test]
    fn formulas_are_in_words_of_the_renderer() {
        for (tex, expected) in [
            ("a_1 \\le \\constant{n}", "a_1 \\le 100"),
            ("2^\\constant{n}", "2^{100}"),
            ("\\num{\\constant{n}}", "{100}"),
            ("\\ensuremath{a^{\\ensuremath{b}}}c", "{a^{{b}}}c"),
            ("\\text{if $x$ is \\'even}", "{\\text{if }{x}\\text{ is éven}}"),
            ("\\mbox{a \\textbf{b} 5\\%}", "{\\text{a }\\textbf{b}\\text{ 5}\\%}"),
            ("\\text{a}_\\text{b}", "\\text{a}_\\text{b}"),
            ("a \\\\[1mm] b\\\\", "a   b "),
            ("\\begin{array}[t]{cc}a\\\\b\\end{array}", "\\begin{array}{cc}a\\\\b\\end{array}"),
            ("\\mathop{\\mathrm{lcm}}\\limits_a \\sum\\limits_b", "{\\mathrm{lcm}}_a \\sum\\limits_b"),
            ("\\begin{array}{@{}l|*{2}{c}p{1cm}}", "\\begin{array}{l|ccl}"),
            ("\\operatorname*{arg} a\\nonumber\\label{x} b", "\\operatorname{arg} a   b"),
            ("\\hspace*{2em}\\hspace{0.5\\textwidth}", "\\hspace{2em}\\quad "),
            ("x\\mod K \\model", "x\\bmod  K \\model"),
            ("a \\tag{1}", "a \\qquad(\\text{1})"),
        ] {
            assert_eq!(written(tex).as_deref(), Ok(expected), "{tex}");
        }
        for (tex, expected) in [
            ("\\constant{m}", "has `\\constant{m}`, which the package lacks"),
            ("\\text{\\foo}", "has `\\foo` in a text, which is not known there"),
            ("\\text{a $b}", "has a text with a formula that nothing ends"),
        ] {
            assert_eq!(written(tex).unwrap_err(), expected, "{tex}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_not_rewritten_stays(tex in "[a-z0-9^_{}()&<>=+ \\\\]{0,40}") {
            proptest::prop_assume!(!["\\\\", "tag", "text", "mbox", "hbox", "bm", "mod", "num", "si", "qty", "unit", "break", "label"].iter().any(|name| tex.contains(name)));
            proptest::prop_assert_eq!(written(&tex).unwrap(), tex);
        }
    }
}
