//! Lists: their items, and what stands before each.
//!
//! Responsible for labels that are not those of a browser: they are text, so that none is lost. Must not know how text is read.

mod labels;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::options::{has, parts, value_of};
use super::signs::plain_text;
use super::{Kind, Writer};
use labels::{by_level, number_in, short_label};

/// A list that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    is_open: bool,
    of: Of,
    /// How deep it is in lists of its kind, from 1.
    level: usize,
    /// The number of the last item.
    count: u32,
    /// The number that a browser gives to the last item.
    shown: u32,
    /// The label of its items, where it is not the browser's.
    label: Option<String>,
    /// True where the label is the author's for this list, and references say all of it.
    is_own: bool,
    /// The names under which a later list goes on.
    series: Vec<String>,
}

/// What stands before the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Bullets,
    Numbers,
    Words,
}

/// What is known of lists and counters.
#[derive(Default)]
pub(super) struct Lists {
    /// Options of `\setlist`, with the lists that they are for.
    settings: Vec<(String, String)>,
    /// The last number of lists that have ended, and their label, by their series.
    ended: BTreeMap<String, (u32, Option<String>)>,
    /// Counters of the author's own.
    counters: BTreeMap<String, u32>,
}

impl List {
    pub(super) fn has_item(&self) -> bool {
        self.is_open
    }

    pub(super) fn open_item(&mut self) {
        self.is_open = true;
        self.shown += 1;
    }
}

impl Writer<'_, '_> {
    /// Opens a list.
    pub(super) fn list(&mut self, name: &str, bare: &str) {
        let (of, family) = match bare.trim_start_matches("compact").trim_start_matches("inpara") {
            "enumerate" | "enum" => (Of::Numbers, "enumerate"),
            "description" | "desc" => (Of::Words, "description"),
            _ => (Of::Bullets, "itemize"),
        };
        let level = 1 + self.lists_open().filter(|list| list.of == of).count();
        self.overlay();
        let mut own = String::new();
        while let Some(option) = self.reader.option() {
            // Layers of slides.
            if !option.starts_with('<') {
                own.push_str(&option);
                own.push(',');
            }
        }
        own.pop();
        let is_label = of != Of::Words && !own.contains('=') && !parts(&own).iter().all(|part| is_word(part.trim()));
        let mut label = is_label.then(|| short_label(&own));
        if is_label {
            own = String::new();
        }
        let options = format!("{},{own}", self.lists.options_for(family, level));
        label = label.or_else(|| value_of(&options, "label"));
        if let Some(more) = value_of(&options, "label*") {
            let above = self.lists_open().filter(|list| list.of == of).last();
            let above = above.map(|list| list.label.clone().unwrap_or_else(|| "\\arabic*.".to_owned()));
            let above = above.map(|above| self.label_text(&above)).unwrap_or_default();
            label = Some(above + &more);
        }
        let series = [format!("{family} {level}")].into_iter().chain(value_of(&options, "series")).collect();
        let resumed = value_of(&options, "resume").or_else(|| value_of(&options, "resume*"));
        let resumed = match (resumed, has(&options, "resume") || has(&options, "resume*")) {
            (Some(name), _) => self.lists.ended.get(&name).cloned(),
            (None, true) => self.lists.ended.get(&format!("{family} {level}")).cloned(),
            (None, false) => None,
        };
        let (mut count, before) = resumed.unwrap_or_default();
        if options.contains("resume*") {
            label = label.or(before);
        }
        if let Some(start) = value_of(&options, "start").and_then(|start| start.trim().parse::<u32>().ok()) {
            count = start.saturating_sub(1);
        }
        let is_own = label.is_some();
        let label = match label {
            // So browsers have it.
            Some(label) if of == Of::Numbers && label == "\\arabic*." => None,
            None if of != Of::Words => by_level(&self.reader.macros, of == Of::Numbers, level),
            label => label,
        };
        let tag = match of {
            Of::Bullets => "<ul>\n",
            Of::Numbers => "<ol>\n",
            Of::Words => "<ul class=\"described\">\n",
        };
        self.html.push_str(tag);
        let end = if of == Of::Numbers { "</ol>\n" } else { "</ul>\n" };
        let list = List { is_open: false, of, level, count, shown: 0, label, is_own, series };
        self.enter(Some(name.to_owned()), end.to_owned(), Kind::List(list));
    }

    /// Ends the last item of a list.
    pub(super) fn end_list(&mut self, list: &List) {
        if list.is_open {
            self.html.push_str("</li>\n");
        }
        for series in &list.series {
            self.lists.ended.insert(series.clone(), (list.count, list.label.clone()));
        }
    }

    fn lists_open(&self) -> impl Iterator<Item = &List> {
        self.frames.iter().filter_map(|frame| match &frame.kind {
            Kind::List(list) => Some(list),
            _ => None,
        })
    }

    pub(super) fn is_in_list(&self) -> bool {
        self.lists_open().next().is_some()
    }

    /// A label with the numbers of the lists that are open.
    fn label_text(&self, label: &str) -> String {
        let counts: Vec<u32> = self.lists_open().filter(|list| list.of == Of::Numbers).map(|list| list.count).collect();
        number_in(label, &counts, &self.reader.macros)
    }

    pub(super) fn item(&mut self) {
        let Some(at) = self.frames.iter().rposition(|frame| matches!(frame.kind, Kind::List(_))) else {
            return self.unknown("\\item");
        };
        self.overlay();
        let own = self.reader.option();
        self.leave_to(at + 1);
        self.close_styles(0);
        let Kind::List(list) = &mut self.frames[at].kind else { return };
        if list.is_open {
            self.html.push_str("</li>\n");
        }
        list.open_item();
        let list = match (&own, list.of) {
            // A label of its own is in the place of a number.
            (None, Of::Numbers) => {
                list.count = list.count.saturating_add(1);
                list.clone()
            }
            _ => list.clone(),
        };
        let label = match (own, &list.label) {
            (Some(own), _) if list.of == Of::Words => {
                self.html.push_str("<li>");
                self.blank = false;
                return self.reader.unread(&format!("{{\\bf {own}}} "));
            }
            (Some(own), _) => Some(own),
            (None, Some(label)) => Some(self.label_text(label)),
            (None, None) => None,
        };
        self.refer_to_item(&list, label.as_deref());
        self.blank = false;
        match label {
            Some(label) => {
                self.html.push_str("<li class=\"own\">");
                self.reader.unread(&format!("{{{label}}} "));
                if self.opens(String::new(), Kind::Plain) {
                    self.styles.push(("span", " class=\"label\"".to_owned()));
                }
            }
            None if list.of == Of::Numbers && list.shown != list.count => {
                self.html.push_str(&format!("<li value=\"{}\">", list.count));
                if let Kind::List(list) = &mut self.frames[at].kind {
                    list.shown = list.count;
                }
            }
            None => self.html.push_str("<li>"),
        }
    }

    /// What a reference to this item says: all of a label that the author chose, or else the numbers without what surrounds them.
    fn refer_to_item(&mut self, list: &List, label: Option<&str>) {
        let text = match label {
            _ if list.of != Of::Numbers => return,
            Some(label) if list.is_own => label.to_owned(),
            _ if list.is_own => format!("{}.", list.count),
            _ => self.label_text(labels::REFERENCES.get(list.level - 1).copied().unwrap_or_default()),
        };
        self.references.set_item(plain_text(&text));
    }

    /// `\setlist[enumerate,1]{label=…}`.
    pub(super) fn set_list(&mut self) {
        let of = self.reader.option().unwrap_or_default();
        let options = self.reader.argument();
        self.lists.settings.push((of, options));
    }

    /// Sets a counter, or adds to it; those of lists are the numbers of their items.
    pub(super) fn count_items(&mut self, name: &str) {
        let counter = self.reader.argument().trim().to_owned();
        let written = if name.ends_with("stepcounter") { "1".to_owned() } else { self.reader.argument() };
        let value = written.trim().parse::<i64>().ok().or_else(|| {
            let name = written.trim().strip_prefix("\\value")?.trim().strip_prefix('{')?.strip_suffix('}')?;
            self.count_of(name.trim()).map(i64::from)
        });
        let is_of_list = labels::level_of(&counter).is_some();
        let Some(value) = value else {
            if is_of_list {
                self.unknown(&format!("\\{name}{{{counter}}}{{{written}}}"));
            }
            return;
        };
        let before = if name == "setcounter" { 0 } else { i64::from(self.count_of(&counter).unwrap_or(0)) };
        let value = u32::try_from(before.saturating_add(value)).unwrap_or(0);
        match labels::level_of(&counter) {
            Some(level) => {
                let lists = self.frames.iter_mut().rev().filter_map(|frame| match &mut frame.kind {
                    Kind::List(list) if list.of == Of::Numbers && list.level == level => Some(list),
                    _ => None,
                });
                if let Some(list) = lists.into_iter().next() {
                    list.count = value;
                }
            }
            None => {
                self.lists.counters.insert(counter, value);
            }
        }
    }

    fn count_of(&self, counter: &str) -> Option<u32> {
        match labels::level_of(counter) {
            Some(level) => self
                .lists_open()
                .filter(|list| list.of == Of::Numbers && list.level == level)
                .last()
                .map(|list| list.count),
            None => self.lists.counters.get(counter).copied(),
        }
    }

    /// Shows a counter as `\arabic` and its like do.
    pub(super) fn show_counter(&mut self, name: &str) {
        let counter = self.reader.argument();
        match self.count_of(counter.trim()).and_then(|count| labels::number(name, count)) {
            Some(text) => self.text(&text),
            None => self.unknown(&format!("\\{name}{{{counter}}}")),
        }
    }
}

impl Lists {
    /// The options that lists of a kind have at a level.
    fn options_for(&self, family: &str, level: usize) -> String {
        let is_for = |of: &str| {
            let words: Vec<String> =
                parts(of).iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
            let levels: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_ok()).collect();
            let names: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_err()).collect();
            (names.is_empty() || names.iter().any(|name| *name == family))
                && (levels.is_empty() || levels.iter().any(|known| **known == level.to_string()))
        };
        let settings: Vec<&str> =
            self.settings.iter().filter(|(of, _)| is_for(of)).map(|(_, options)| options.as_str()).collect();
        settings.join(",")
    }
}

/// True for an option without a value, which is no label.
fn is_word(option: &str) -> bool {
    matches!(
        option,
        "" | "noitemsep"
            | "nosep"
            | "resume"
            | "resume*"
            | "wide"
            | "nolistsep"
            | "align"
            | "unboxed"
            | "sepwidth"
            | "left"
            | "right"
            | "parleft"
            | "nextline"
            | "compact"
            | "flushleft"
    )
}
