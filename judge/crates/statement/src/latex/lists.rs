//! Lists and the numbers or labels of their items.
//!
//! Must not know how text is read.

use super::{Kind, Writer};

/// An open list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    has_item: bool,
    kind: ListKind,
    /// The number of the last item.
    number: u32,
    /// The number that a browser gives to the last item.
    browser_number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    Bullets,
    Numbers,
    Terms,
}

/// Number styles: the LaTeX command and the value of the `type` attribute in HTML.
const STYLES: [(&str, char); 5] = [
    ("\\arabic", '1'),
    ("\\alph", 'a'),
    ("\\Alph", 'A'),
    ("\\roman", 'i'),
    ("\\Roman", 'I'),
];
/// The number style of each nesting level, as in LaTeX.
const LEVELS: [char; 4] = ['1', 'a', 'i', 'A'];

impl List {
    pub(super) fn has_item(&self) -> bool {
        self.has_item
    }

    pub(super) fn open_item(&mut self) {
        self.has_item = true;
        self.browser_number = self.browser_number.saturating_add(1);
    }
}

impl Writer<'_, '_> {
    /// Opens a list.
    pub(super) fn list(&mut self, name: &str) {
        let kind = match name {
            "enumerate" | "compactenum" => ListKind::Numbers,
            "description" | "compactdesc" => ListKind::Terms,
            _ => ListKind::Bullets,
        };
        // LaTeX numbers each level of nested lists in another style.
        let depth = self
            .frames
            .iter()
            .filter(|frame| frame.is_list_with_numbers())
            .count();
        let mut list = List {
            has_item: false,
            kind,
            number: 0,
            browser_number: 0,
        };
        let mut style = LEVELS[depth.min(LEVELS.len() - 1)];
        self.skip_layers();
        while let Some(options) = self.reader.option() {
            for option in options
                .split(',')
                .map(str::trim)
                .filter(|option| !option.is_empty())
            {
                self.list_option(option, &mut list, &mut style);
            }
        }
        let (start, end) = match kind {
            ListKind::Bullets => ("<ul>\n".to_owned(), "</ul>\n"),
            ListKind::Terms => ("<ul class=\"described\">\n".to_owned(), "</ul>\n"),
            ListKind::Numbers if style == '1' => ("<ol>\n".to_owned(), "</ol>\n"),
            ListKind::Numbers => (format!("<ol type=\"{style}\">\n"), "</ol>\n"),
        };
        self.html.push_str(&start);
        self.enter(Some(name), end, Kind::List(list));
    }

    /// Applies an option of a list. Options about distances have no effect, and unknown options are
    /// reported.
    fn list_option(&mut self, option: &str, list: &mut List, style: &mut char) {
        let (key, value) = option
            .split_once('=')
            .map_or((option, None), |(key, value)| (key.trim(), Some(value)));
        let found = match (key, value) {
            ("start", Some(value)) => {
                list.number = value.trim().parse::<u32>().unwrap_or(1).saturating_sub(1);
                return;
            }
            (
                "label" | "label*" | "ref" | "before" | "after" | "resume" | "resume*" | "series",
                value,
            ) => value.filter(|_| key == "label").and_then(style_of_label),
            (_, Some(_)) => return,
            // Layers of slides, and words such as `noitemsep`.
            (word, None)
                if word.starts_with('<')
                    || word.len() > 1 && word.chars().all(char::is_alphabetic) =>
            {
                return;
            }
            (label, None) => style_of_short_label(label),
        };
        match found {
            Some(found) if list.kind == ListKind::Numbers => *style = found,
            _ => self.report(format!("the option `{option}` of a list is not supported")),
        }
    }

    /// Opens an item.
    pub(super) fn item(&mut self) {
        let Some(at) = self
            .frames
            .iter()
            .rposition(|frame| matches!(frame.kind, Kind::List(_)))
        else {
            return self.unknown("\\item");
        };
        self.skip_layers();
        let label = self.reader.option();
        self.leave_to(at + 1);
        self.close_styles(0);
        let Kind::List(list) = &mut self.frames[at].kind else {
            return;
        };
        if list.has_item {
            self.html.push_str("</li>\n");
        }
        list.open_item();
        self.space = false;
        match (label, list.kind) {
            (Some(label), ListKind::Terms) => {
                self.html.push_str("<li>");
                self.reader.unread(&format!("{{\\bf {label}}} "));
            }
            // The label replaces the number, which the next item gets.
            (Some(label), _) => {
                self.html.push_str("<li class=\"own\">");
                self.reader.unread(&format!("{{{label}}} "));
                if self.opens(Kind::Plain, "") {
                    self.styles.push(("span", " class=\"label\"".to_owned()));
                }
            }
            (None, ListKind::Numbers) => {
                list.number = list.number.saturating_add(1);
                // The browser counts as well, so the page states a number only where they differ.
                if list.number == list.browser_number {
                    return self.html.push_str("<li>");
                }
                list.browser_number = list.number;
                self.html
                    .push_str(&format!("<li value=\"{}\">", list.number));
            }
            (None, _) => self.html.push_str("<li>"),
        }
    }
}

impl super::Frame {
    fn is_list_with_numbers(&self) -> bool {
        matches!(&self.kind, Kind::List(list) if list.kind == ListKind::Numbers)
    }
}

/// Returns the style of a label such as `(\alph*)`, or `None` if it contains other text than
/// punctuation, which a page would lose.
fn style_of_label(label: &str) -> Option<char> {
    let (command, style) = STYLES.iter().find(|(command, _)| label.contains(command))?;
    let rest = label.replacen(command, "", 1);
    (!rest.contains(|c: char| c.is_alphanumeric() || c == '\\')).then_some(*style)
}

/// Returns the style of a label of one character such as `(a)`.
fn style_of_short_label(label: &str) -> Option<char> {
    let bare = label.trim_matches(|c: char| c.is_ascii_punctuation() || c.is_whitespace());
    let mut characters = bare.chars();
    let style = characters.next().filter(|_| characters.next().is_none())?;
    STYLES
        .iter()
        .map(|(_, style)| *style)
        .find(|known| *known == style)
}

#[cfg(test)]
mod tests {
    use crate::latex::tests::{html, rendered, reported};

    fn list(options: &str, items: &str) -> String {
        format!("\\begin{{enumerate}}{options}{items}\\end{{enumerate}}")
    }

    /// Returns the HTML tags of a list with two items.
    fn tags(options: &str) -> String {
        let html = html(&list(options, "\\item x\\item y"));
        html.replace("</li>", "")
            .replace("</ol>", "")
            .replace('\n', "")
    }

    #[test]
    fn options_set_the_style_and_start_of_numbers() {
        for (options, expected) in [
            ("", "<ol><li>x<li>y"),
            ("[label=\\arabic*.]", "<ol><li>x<li>y"),
            ("[label=(\\alph*)]", "<ol type=\"a\"><li>x<li>y"),
            (
                "[label=\\Roman*),start=3]",
                "<ol type=\"I\"><li value=\"3\">x<li>y",
            ),
            ("[1.]", "<ol><li>x<li>y"),
            ("[a)]", "<ol type=\"a\"><li>x<li>y"),
            ("[(i)]", "<ol type=\"i\"><li>x<li>y"),
            ("[noitemsep, topsep=0pt]", "<ol><li>x<li>y"),
            ("[<+->]", "<ol><li>x<li>y"),
        ] {
            assert_eq!(tags(options), expected, "{options}");
        }
        let nested = list(
            "",
            &format!(
                "\\item a {}",
                list("", &format!("\\item b {}", list("", "\\item c")))
            ),
        );
        assert!(
            html(&nested).contains("<ol type=\"a\">\n<li>b<ol type=\"i\">"),
            "{}",
            html(&nested)
        );
    }

    #[test]
    fn unsupported_options_are_reported() {
        for option in [
            "label=Case \\arabic*:",
            "Case 1:",
            "resume",
            "label*=\\arabic*",
            "series=s",
        ] {
            let expected = format!("line 1: the option `{option}` of a list is not supported");
            assert_eq!(
                reported(&list(&format!("[{option}]"), "\\item x")),
                [expected]
            );
        }
        assert_eq!(
            reported("\\begin{itemize}[label=--]\\item x\\end{itemize}").len(),
            1
        );
        assert_eq!(
            reported("\\def\\labelenumi{Q}"),
            ["line 1: `\\labelenumi` is not supported"]
        );
        assert_eq!(
            reported("\\setlist{label=x}\\setcounter{enumi}{3}").len(),
            2
        );
    }

    #[test]
    fn labels_of_items_replace_their_numbers() {
        let page = html(&list("", "\\item a\\item[Note] b\\item c"));
        let label = "<li class=\"own\"><span class=\"label\">Note</span> b</li>";
        assert!(
            page.contains(label) && page.contains("<li value=\"2\">c"),
            "{page}"
        );
        assert!(
            html("\\begin{description}\\item[A] b\\end{description}")
                .contains("<li><strong>A</strong> b</li>")
        );
        assert!(
            rendered(&list("[start=4294967295]", "\\item x\\item y"))
                .html
                .len()
                < 200
        );
    }
}
