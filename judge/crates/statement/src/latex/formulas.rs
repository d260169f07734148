//! Rewrites LaTeX formulas in the commands that the renderer knows.
//!
//! Responsible for text and constants within formulas, and for commands without meaning on a page.
//! Must not render anything. Other commands are left to the renderer, which reports unknown ones.

use super::reader::Reader;
use super::signs::{accented, is_accent, plain_text, quote_or_dash, sign};

/// The maximum nesting depth of formulas within texts within formulas.
const MAX_DEPTH: usize = 8;

type Constants<'c> = &'c [(String, String)];

/// Rewrites a formula for the renderer.
///
/// # Errors
/// If it cannot be typeset: the end of a sentence about it.
pub(crate) fn for_renderer(tex: &str, constants: Constants<'_>) -> Result<String, String> {
    let mut written = String::with_capacity(tex.len());
    rewrite(&mut written, &with_constants(tex, constants)?, 0)?;
    Ok(written)
}

/// Returns the formula with constants replaced by their values.
fn with_constants(tex: &str, constants: Constants<'_>) -> Result<String, String> {
    let mut parts = tex.split("\\constant{");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        // An unknown constant is an error: the gap in the formula would go unnoticed.
        let Some((_, value)) = constants.iter().find(|(known, _)| known == name.trim()) else {
            return Err(format!(
                "has `\\constant{{{name}}}`, which the package does not define"
            ));
        };
        // A subscript or superscript is a single token, so a value of several characters needs
        // braces.
        let is_script = written.trim_end().ends_with(['^', '_']);
        written.push_str(&if is_script {
            format!("{{{value}}}")
        } else {
            value.clone()
        });
        written.push_str(rest);
    }
    Ok(written)
}

fn rewrite(written: &mut String, tex: &str, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err("is too deeply nested".to_owned());
    }
    let mut reader = Reader::new(tex);
    let mut environments = 0_usize;
    while let Some(c) = reader.raw() {
        if c != '\\' {
            written.push(c);
            continue;
        }
        let mut name = reader.letters();
        if name.is_empty() {
            name.extend(reader.raw());
        }
        match name.as_str() {
            // Line breaks are allowed only in environments, such as matrices.
            "begin" => environments += 1,
            "end" => environments = environments.saturating_sub(1),
            // Outside of environments, the renderer rejects line breaks.
            "\\" if environments == 0 && depth == 0 => {
                reader.takes('*');
                reader.option();
                written.push(' ');
                continue;
            }
            _ => {}
        }
        rewrite_command(written, &name, &mut reader, depth)?;
    }
    Ok(())
}

/// Writes a command, replaced by others if necessary, with its arguments if they change.
fn rewrite_command(
    written: &mut String,
    name: &str,
    reader: &mut Reader,
    depth: usize,
) -> Result<(), String> {
    if let Some(font) = text_font(name) {
        written.push_str(&text(&reader.argument(), font, depth)?);
        return Ok(());
    }
    match name {
        "mathop" | "ensuremath" | "boxed" | "smash" => {
            written.push('{');
            rewrite(written, &reader.argument(), depth + 1)?;
            written.push('}');
        }
        // Equation numbers and spacing, which formulas on a page do not have.
        "nonumber" | "notag" | "xspace" | "allowbreak" | "protect" | "noindent" | "nobreak"
        | "break" | "hfill" => {
            written.push(' ');
        }
        "label" | "vspace" | "phantom" | "hphantom" | "vphantom" => {
            reader.takes('*');
            reader.argument();
            written.push(' ');
        }
        "operatorname" => {
            reader.takes('*');
            written.push_str(&format!(
                "\\operatorname{{{}}}",
                plain_text(&reader.argument())
            ));
        }
        // As in text, digits stay as written. The renderer rejects exponents and uncertainties.
        "num" => {
            reader.option();
            let number = reader.argument();
            let is_plain = number
                .chars()
                .all(|c| c.is_ascii_digit() || "+-. ".contains(c));
            let command = if is_plain { "" } else { "\\num" };
            written.push_str(&format!("{command}{{{}}}", number.trim()));
        }
        "mathds" | "mathbbm" => written.push_str("\\mathbb "),
        "llbracket" => written.push('⟦'),
        "rrbracket" => written.push('⟧'),
        "bm" => written.push_str("\\boldsymbol "),
        "mod" => written.push_str("\\bmod "),
        _ => written.extend(["\\", name]),
    }
    Ok(())
}

/// Returns the renderer's name for the font of a text command.
fn text_font(name: &str) -> Option<&'static str> {
    Some(match name {
        "text" | "mbox" | "hbox" | "textnormal" | "textrm" | "textup" | "textmd" | "textsc"
        | "fbox" => "text",
        "textbf" => "textbf",
        "textit" | "textsl" | "emph" => "textit",
        "textsf" => "textsf",
        "texttt" => "texttt",
        _ => return None,
    })
}

/// Rewrites text within a formula, including formulas within that text.
fn text(tex: &str, font: &str, depth: usize) -> Result<String, String> {
    if depth > MAX_DEPTH {
        return Err("is too deeply nested".to_owned());
    }
    let mut reader = Reader::new(tex);
    let mut text = Text {
        font,
        plain: String::new(),
        parts: Vec::new(),
    };
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
                    text.parts
                        .push(self::text(&reader.argument(), font, depth + 1)?);
                } else {
                    match name.as_str() {
                        "(" => text.formula(reader.formula("\\)"), depth)?,
                        "\\" | "newline" => text.plain.push(' '),
                        "bf" | "it" | "rm" | "tt" | "sf" | "em" | "sl" | "small" | "normalfont" => {
                        }
                        _ => {
                            return Err(format!("has the unknown command `\\{name}` in a text"));
                        }
                    }
                }
            }
            '{' | '}' => {}
            '~' => text.plain.push('\u{a0}'),
            c => match quote_or_dash(&mut reader, c) {
                Some(sign) => text.plain.push_str(sign),
                None => text.plain.push(c),
            },
        }
    }
    text.flush();
    Ok(if text.parts.len() == 1 {
        text.parts.concat()
    } else {
        format!("{{{}}}", text.parts.concat())
    })
}

/// The text within a formula that is being written.
struct Text<'f> {
    font: &'f str,
    /// Characters that are not written yet.
    plain: String,
    parts: Vec<String>,
}

impl Text<'_> {
    fn formula(&mut self, tex: Option<String>, depth: usize) -> Result<(), String> {
        let tex = tex.ok_or("has a text with an unclosed formula")?;
        self.flush();
        let mut part = "{".to_owned();
        rewrite(&mut part, &tex, depth + 1)?;
        self.parts.push(part + "}");
        Ok(())
    }

    /// Writes the pending characters. Special ones are written outside of texts, where the renderer
    /// has escapes for them.
    fn flush(&mut self) {
        for part in std::mem::take(&mut self.plain).split_inclusive(['{', '}', '%', '\\']) {
            let plain = part.trim_end_matches(['{', '}', '%', '\\']);
            if !plain.is_empty() {
                self.parts.push(format!("\\{}{{{plain}}}", self.font));
            }
            self.parts.extend(match &part[plain.len()..] {
                "" => None,
                "\\" => Some("\\backslash ".to_owned()),
                sign => Some(format!("\\{sign}")),
            });
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
    fn formulas_are_rewritten_for_the_renderer() {
        for (tex, expected) in [
            ("a_1 \\le \\constant{n}", "a_1 \\le 100"),
            ("2^\\constant{n}", "2^{100}"),
            ("\\ensuremath{a^{\\ensuremath{b}}}c", "{a^{{b}}}c"),
            (
                "\\text{if $x$ is \\'even}",
                "{\\text{if }{x}\\text{ is éven}}",
            ),
            (
                "\\mbox{a \\textbf{b} 5\\%}",
                "{\\text{a }\\textbf{b}\\text{ 5}\\%}",
            ),
            ("\\text{a}_\\text{b}", "\\text{a}_\\text{b}"),
            ("a \\\\[1mm] b\\\\", "a   b "),
            (
                "\\begin{array}{cc}a\\\\b\\end{array}",
                "\\begin{array}{cc}a\\\\b\\end{array}",
            ),
            (
                "\\operatorname*{arg} a\\nonumber\\label{x} b",
                "\\operatorname{arg} a   b",
            ),
            ("x\\mod K \\model", "x\\bmod  K \\model"),
            (
                "n \\le \\num[group-digits=true]{ 100000 }^\\num{2}",
                "n \\le {100000}^{2}",
            ),
            ("\\num{1e5}", "\\num{1e5}"),
        ] {
            assert_eq!(written(tex).as_deref(), Ok(expected), "{tex}");
        }
        for (tex, expected) in [
            (
                "\\constant{m}",
                "has `\\constant{m}`, which the package does not define",
            ),
            ("\\text{\\foo}", "has the unknown command `\\foo` in a text"),
            ("\\text{a $b}", "has a text with an unclosed formula"),
        ] {
            assert_eq!(written(tex).unwrap_err(), expected, "{tex}");
        }
    }

    proptest::proptest! {
        #[test]
        fn other_formulas_are_unchanged(tex in "[a-z0-9^_{}()&<>=+ \\\\]{0,40}") {
            let rewritten = ["\\\\", "text", "mbox", "hbox", "fbox", "bm", "mod", "emph", "smash", "break", "label"];
            proptest::prop_assume!(!rewritten.iter().any(|name| tex.contains(name)));
            proptest::prop_assert_eq!(written(&tex).unwrap(), tex);
        }
    }
}
