//! Formulas: TeX between dollars becomes MathML, or is shown as written.
//!
//! Responsible for output that contains only MathML. Must not know the context of a formula.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

use crate::escape::{escaped, push};

/// The maximum length of a formula, in bytes.
const MAX_FORMULA_BYTES: usize = 20_000;
/// The maximum depth of groups and environments.
const MAX_DEPTH: usize = 100;

/// Refused commands. Macros may double their text each time, and are not needed within one formula;
/// `\char` before a non-ASCII character makes pulldown-latex 0.8 panic.
const REFUSED: &str = "char def gdef edef let futurelet newcommand renewcommand providecommand";

/// The elements of MathML in formulas. None of them loads or runs anything.
const ELEMENTS: &str = "\
    math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom menclose msub msup \
    msubsup munder mover munderover mmultiscripts mtable mtr mtd none";

/// Attributes that concern only the appearance of an element.
const ATTRIBUTES: &str = "\
    display style class stretchy symmetric form fence separator lspace rspace minsize maxsize movablelimits \
    largeop accent accentunder linethickness width height depth voffset mathvariant displaystyle scriptlevel \
    columnalign columnspan";

/// Typesets a formula as MathML.
///
/// # Errors
/// If it cannot be typeset: the end of a sentence about it.
pub(crate) fn typeset(tex: &str, is_block: bool) -> Result<String, String> {
    if tex.len() > MAX_FORMULA_BYTES || depth(tex) > MAX_DEPTH {
        return Err("is too long or too deeply nested".to_owned());
    }
    if let Some(command) = REFUSED.split(' ').find(|command| has_command(tex, command)) {
        return Err(format!("uses `\\{command}`, which is not supported"));
    }
    // Depth and commands are checked before this point: the renderer panics on some commands,
    // and deep nesting may exhaust its stack.
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(tex, &storage).collect();
    if let Some(error) = events.iter().find_map(|event| event.as_ref().err()) {
        return Err(reason(tex, &error.to_string()));
    }
    let display_mode = if is_block {
        DisplayMode::Block
    } else {
        DisplayMode::Inline
    };
    let mut mathml = String::new();
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    push_mathml(&mut mathml, events.into_iter(), config).map_err(|error| error.to_string())?;
    // Statements are untrusted, and the renderer passes some markup in texts through.
    let html = sanitized(&mathml);
    // The renderer treats the argument of some commands as text even if it contains commands.
    if html.contains('\\') && !has_command(tex, "backslash") {
        return Err("has a command where the renderer takes only text".to_owned());
    }
    // A formula that is wider than the screen can be scrolled, also with the keyboard.
    Ok(if is_block {
        format!("<span class=\"block\" tabindex=\"0\">{html}</span>")
    } else {
        html
    })
}

/// Converts a message of the renderer to the end of a sentence that says why a formula is not
/// typeset.
fn reason(tex: &str, message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let message = first
        .strip_prefix("parsing error: ")
        .unwrap_or(first)
        .trim();
    let is = |words: &str| message.starts_with(words);
    if is("unknown primitive command") {
        return match unknown_command(tex) {
            Some(name) => format!("has the unknown command `{name}`"),
            None => "has an unknown command".to_owned(),
        };
    }
    let known = [
        (
            "unbalanced group",
            "has a brace or an environment that is not closed",
        ),
        (
            "unkown mathematical environment",
            "has an unknown environment",
        ),
        ("unexpected math `$`", "has a `$` within it"),
        ("unexpected hash sign", "has a `#`"),
        (
            "trying to add a subscript twice",
            "has two subscripts at one place",
        ),
        (
            "trying to add a superscript twice",
            "has two superscripts at one place",
        ),
        (
            "alignment not allowed",
            "has an `&` outside of an alignment",
        ),
        (
            "new line command not allowed",
            "has a `\\\\` where line breaks are not allowed",
        ),
    ];
    let found = known.iter().find(|(words, _)| is(words));
    let other = if is("expected a") {
        "is incomplete"
    } else {
        "cannot be typeset"
    };
    found.map_or_else(
        || format!("{other} ({message})"),
        |(_, sentence)| (*sentence).to_owned(),
    )
}

/// Returns the first command of a formula that the renderer does not know.
fn unknown_command(tex: &str) -> Option<String> {
    /// The maximum number of commands that are tested.
    const MAX_TRIED: usize = 100;
    let names = tex.split('\\').skip(1).take(MAX_TRIED).filter_map(|part| {
        let length = part
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(part.len());
        (length > 0).then(|| format!("\\{}", &part[..length]))
    });
    names.into_iter().find(|name| {
        let (storage, alone) = (Storage::new(), format!("{name}{{x}}{{x}}"));
        let mut events = Parser::new(&alone, &storage);
        events.any(|event| {
            event.is_err_and(|error| error.to_string().contains("unknown primitive command"))
        })
    })
}

/// Returns a formula that is shown as written.
pub(crate) fn as_written(tex: &str, is_block: bool) -> String {
    let code = format!("<code class=\"formula\">{}</code>", escaped(tex));
    if is_block {
        format!("<span class=\"block\">{code}</span>")
    } else {
        code
    }
}

fn depth(tex: &str) -> usize {
    let (mut depth, mut max) = (0_usize, 0);
    for byte in tex.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        max = max.max(depth);
    }
    // These nest without braces: `\left(\left(…`, `\sqrt\sqrt…`, `\begin{cases}…`.
    max.max(tex.matches("\\left").count())
        .max(tex.matches("\\sqrt").count())
        .max(tex.matches("\\begin").count())
}

fn has_command(tex: &str, command: &str) -> bool {
    tex.split('\\')
        .skip(1)
        .filter_map(|part| part.strip_prefix(command))
        .any(|rest| !rest.starts_with(|after: char| after.is_ascii_alphabetic()))
}

/// Returns the MathML with everything outside of the tables above escaped: markup that the renderer
/// passed through, and the `<` that it writes for the less-than relation.
fn sanitized(mathml: &str) -> String {
    // The renderer escapes even the spaces that it writes itself.
    let mathml = mathml.replace("<mtext>&amp;nbsp;</mtext>", "<mtext>\u{a0}</mtext>");
    // There is no space between bars and the term that they enclose.
    let mathml = ["|", "‖"].iter().fold(mathml, |mathml, bar| {
        let tag = "<mo symmetric=\"false\" stretchy=\"false\"";
        mathml.replace(
            &format!("{tag}>{bar}</mo>"),
            &format!("{tag} lspace=\"0\" rspace=\"0\">{bar}</mo>"),
        )
    });
    let mut html = String::with_capacity(mathml.len());
    let mut rest = mathml.as_str();
    while let Some(at) = rest.find(['<', '>']) {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        // Only tags in the two tables are kept. Every other `<` becomes text.
        let tag = rest
            .find('>')
            .and_then(|end| Some((harmless_tag(&rest[..=end])?, end + 1)));
        if let Some((tag, length)) = tag {
            html.push_str(&tag);
            rest = &rest[length..];
        } else {
            push(&mut html, &rest[..1]);
            rest = &rest[1..];
        }
    }
    html.push_str(rest);
    html
}

fn is_in(list: &str, name: &str) -> bool {
    list.split(' ').any(|known| known == name)
}

/// Returns the well-formed tag if its element and attributes are in the tables above.
fn harmless_tag(tag: &str) -> Option<String> {
    let inner = tag.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        return is_in(ELEMENTS, name).then(|| tag.to_owned());
    }
    let open = inner.strip_suffix('/').unwrap_or(inner).trim_end();
    let (name, mut attributes) = open.split_once(' ').unwrap_or((open, ""));
    if !is_in(ELEMENTS, name) {
        return None;
    }
    let mut written = format!("<{name}");
    while !attributes.is_empty() {
        let (name, after) = attributes.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let name = name.trim_start();
        // No value may end its attribute, escape a character, or load anything.
        if !is_in(ATTRIBUTES, name)
            || value.contains(['<', '&', '\\', '@'])
            || value.contains("url(")
        {
            return None;
        }
        written.push_str(&format!(" {name}=\"{value}\""));
        attributes = after;
    }
    written.push_str(if inner.ends_with('/') { " />" } else { ">" });
    Some(written)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word that is common in formulas, or one that may cause trouble.
    fn word() -> impl Strategy<Value = &'static str> {
        proptest::sample::select(vec![
            "a",
            "1",
            "^",
            "_",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "&",
            "\\\\",
            "\\",
            "'",
            "é",
            "𝔸",
            "\"",
            "<",
            ">",
            "/",
            "script",
            "#",
            "%",
            "~",
            "\n",
            "\\frac",
            "\\sqrt",
            "\\text",
            "\\left",
            "\\right",
            "\\not",
            "\\over",
            "\\color{red}",
            "\\operatorname",
            "\\hspace",
            "1em",
            "\\substack",
            "\\begin{cases}",
            "\\end{cases}",
            "\\begin{array}",
            "{c|c}",
            "\\end{array}",
            "\\hline",
            "\\big",
            "\\genfrac",
            "\\unicode",
            "^^",
        ])
    }

    proptest! {
        #[test]
        fn any_formula_gives_mathml_or_a_reason(words in proptest::collection::vec(word(), 0..16)) {
            let tex = words.concat();
            match typeset(&tex, false) {
                Ok(html) => {
                    let tags = html.split('<').skip(1).map(|tag| tag.trim_start_matches('/'));
                    for tag in tags {
                        let name: String = tag.chars().take_while(char::is_ascii_alphabetic).collect();
                        prop_assert!(is_in(ELEMENTS, &name), "{} in {}", name, html);
                    }
                }
                Err(why) => prop_assert!(!why.is_empty() && !why.contains('\n'), "{}", why),
            }
        }
    }

    #[test]
    fn common_formulas_are_typeset() {
        for tex in [
            "1 \\le n \\le 10^{18}",
            "a_i",
            "2\\,000",
            "\\frac{a}{b} + \\sqrt[3]{x}",
            "\\sum_{i=1}^{n} a_i \\bmod 998\\,244\\,353",
            "\\lfloor x \\rfloor, \\mathbb{N}, \\operatorname{lcm}(a, b), \\text{and}",
            "\\begin{cases} a & \\text{if } b < c \\\\ d & \\text{else} \\end{cases}",
        ] {
            let html = typeset(tex, false).unwrap_or_else(|why| panic!("{tex}: {why}"));
            assert!(
                html.starts_with("<math display=\"inline\">") && html.ends_with("</math>"),
                "{html}"
            );
        }
        let bar = "<mo symmetric=\"false\" stretchy=\"false\" lspace=\"0\" rspace=\"0\">|</mo>";
        assert_eq!(
            typeset("\\lvert x\\rvert", false)
                .unwrap()
                .matches(bar)
                .count(),
            2
        );
        assert!(
            typeset("x", true)
                .is_ok_and(|html| html.contains("tabindex=\"0\"><math display=\"block\">"))
        );
    }

    #[test]
    fn reasons_complete_a_sentence() {
        for (tex, expected) in [
            ("a \\le \\foo{b}", "has the unknown command `\\foo`"),
            ("{a", "has a brace or an environment that is not closed"),
            ("a_b_c", "has two subscripts at one place"),
            ("a & b", "has an `&` outside of an alignment"),
            ("\\begin{odd}a\\end{odd}", "has an unknown environment"),
            (
                "\\mathop{\\mathrm{lcm}}",
                "has a command where the renderer takes only text",
            ),
            ("\\frac{a}", "is incomplete (expected a token)"),
        ] {
            assert_eq!(typeset(tex, false).unwrap_err(), expected, "{tex}");
        }
    }

    #[test]
    fn less_than_signs_are_escaped() {
        assert_eq!(
            typeset("a<b>c", false).unwrap(),
            "<math display=\"inline\"><mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mi>c</mi></math>"
        );
    }

    #[test]
    fn formulas_become_mathml_only() {
        for tex in [
            "\\text{<script>alert(1)</script>}",
            "\\text{\\<img src=x onerror=alert(1)>}",
            "<script>x",
        ] {
            let html = typeset(tex, false).unwrap_or_default();
            assert!(
                !html.contains("<script") && !html.contains("<img"),
                "{html}"
            );
        }
        for (untrusted, expected) in [
            (
                "<mi>x</mi><script>y</script>",
                "<mi>x</mi>&lt;script&gt;y&lt;/script&gt;",
            ),
            ("<mi onclick=\"x\">", "&lt;mi onclick=\"x\"&gt;"),
            (
                "<mi style=\"background: url(http://x)\">",
                "&lt;mi style=\"background: url(http://x)\"&gt;",
            ),
            (
                "<mspace width=\"1em\"lspace=\"0\" />",
                "<mspace width=\"1em\" lspace=\"0\" />",
            ),
            ("<mtext>&amp;nbsp;</mtext>", "<mtext>\u{a0}</mtext>"),
            (
                "<maction actiontype=\"x\">",
                "&lt;maction actiontype=\"x\"&gt;",
            ),
            ("<mi", "&lt;mi"),
        ] {
            assert_eq!(sanitized(untrusted), expected);
        }
    }

    #[test]
    fn refused_formulas_have_a_reason() {
        for (tex, part) in [
            ("\\maxn", "unknown command"),
            ("\\def\\a{\\b\\b}\\a", "`\\def`"),
            ("\\newcommand{\\a}{b}", "`\\newcommand`"),
            ("{", "not closed"),
            ("\\charé", "`\\char`"),
        ] {
            let why = typeset(tex, false).unwrap_err();
            assert!(why.contains(part), "{tex}: {why}");
        }
        assert!(
            typeset("\\left(x\\right)", false).is_ok(),
            "`\\left` is not `\\let`"
        );
        assert!(typeset(&"{".repeat(5000), false).is_err());
        assert!(typeset(&"\\left(".repeat(200), false).is_err());
        assert_eq!(
            as_written("a<b", false),
            "<code class=\"formula\">a&lt;b</code>"
        );
    }
}
