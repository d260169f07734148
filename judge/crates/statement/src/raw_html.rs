//! Raw HTML in Markdown: a few tags that change only the style of text are kept, everything else
//! becomes text.
//!
//! Responsible for closing each tag at the end of its paragraph. Must not know Markdown.

use crate::escape::push;

/// Tags that, without attributes, change only the style of text.
const TAGS: [&str; 16] = [
    "b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "code", "kbd", "samp",
    "var", "q",
];

/// The open tags.
#[derive(Debug, Default)]
pub(crate) struct OpenTags(Vec<&'static str>);

impl OpenTags {
    /// Appends raw HTML.
    pub(crate) fn push(&mut self, html: &mut String, raw: &str) {
        let word = raw.trim().to_ascii_lowercase();
        match word.as_str() {
            "<br>" | "<br/>" | "<br />" => html.push_str("<br>"),
            "<hr>" | "<hr/>" | "<hr />" => html.push_str("<hr>"),
            _ if word.starts_with("<!--") && word.ends_with("-->") => {}
            _ => self.push_tag(html, raw, &word),
        }
    }

    fn push_tag(&mut self, html: &mut String, raw: &str, word: &str) {
        let known = |name: &str| TAGS.iter().copied().find(|tag| *tag == name);
        let opens = word
            .strip_prefix('<')
            .and_then(|word| word.strip_suffix('>'))
            .and_then(known);
        let closes = word
            .strip_prefix("</")
            .and_then(|word| word.strip_suffix('>'))
            .and_then(known);
        if let Some(tag) = opens {
            self.0.push(tag);
            html.push_str(&format!("<{tag}>"));
        // Only the tag that was opened last can be closed, so that elements never overlap.
        } else if let Some(tag) = closes.filter(|tag| self.0.last() == Some(tag)) {
            self.0.pop();
            html.push_str(&format!("</{tag}>"));
        } else {
            push(html, raw);
        }
    }

    /// Appends the ends of open tags.
    pub(crate) fn close(&mut self, html: &mut String) {
        while let Some(tag) = self.0.pop() {
            html.push_str(&format!("</{tag}>"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(raw: &[&str]) -> String {
        let mut tags = OpenTags::default();
        let mut html = String::new();
        raw.iter().for_each(|raw| tags.push(&mut html, raw));
        tags.close(&mut html);
        html
    }

    #[test]
    fn style_tags_are_kept_and_others_become_text() {
        assert_eq!(rendered(&["<SUB>", "</sub>", "<br />"]), "<sub></sub><br>");
        assert_eq!(rendered(&["<b>", "<i>"]), "<b><i></i></b>");
        assert_eq!(rendered(&["<b>", "</i>"]), "<b>&lt;/i&gt;</b>");
        assert_eq!(rendered(&["</main>"]), "&lt;/main&gt;");
        assert_eq!(rendered(&["<b onclick=x>"]), "&lt;b onclick=x&gt;");
        assert_eq!(
            rendered(&["<script>", "</script>"]),
            "&lt;script&gt;&lt;/script&gt;"
        );
        assert_eq!(rendered(&["<!-- a remark -->"]), "");
    }
}
