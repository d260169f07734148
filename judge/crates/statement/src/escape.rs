//! Escapes text for HTML, so that none of it is markup.

/// Appends text so that it can be in an element or between the double quotes of an attribute.
pub(crate) fn push(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // HTML does not allow NUL: browsers replace it, but at different stages.
            '\0' => html.push('\u{fffd}'),
            other => html.push(other),
        }
    }
}

/// Returns the text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    push(&mut html, text);
    html
}

/// True if a link is harmless: it leads to another page, to a mail address, or to a place within
/// this page.
pub(crate) fn is_harmless(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else {
        return url.starts_with('#');
    };
    let known = ["http", "https", "mailto"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    known && !rest.contains(|character: char| character.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(
            escaped("<a b=\"c\" d='e'>&\0"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\u{fffd}"
        );
    }

    #[test]
    fn links_lead_to_pages_only() {
        for harmless in [
            "https://example.org/a:b",
            "HTTP://x",
            "mailto:a@b.example",
            "#fn1",
        ] {
            assert!(is_harmless(harmless), "{harmless}");
        }
        for harmful in [
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            " javascript:x",
            "x.html",
            "//x",
            "",
        ] {
            assert!(!is_harmless(harmful), "{harmful}");
        }
    }
}
