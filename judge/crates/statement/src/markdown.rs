//! Markdown statements: CommonMark with tables, footnotes and formulas.
//!
//! Responsible for the markup that authors may use: everything else is text. Must not know the page
//! around it.

use std::ops::Range;

use pulldown_cmark::{
    CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, TextMergeWithOffset, html,
};

use crate::escape::{escaped, is_harmless};
use crate::formula;
use crate::image;
use crate::latex::for_renderer;
use crate::misread::{
    SurplusCells, shortened, surplus_cells, unclosed_formula, without_false_definitions,
};
use crate::raw_html::OpenTags;
use crate::sample::Samples;
use crate::syntax::OPTIONS;
use crate::{Image, Remark, Rendered};

const NEXT_SAMPLE: &str = "{{nextsample}}";
const REMAINING_SAMPLES: &str = "{{remainingsamples}}";

/// Parses a statement. Returns its events with their positions, and the highest level of its
/// headings.
pub(crate) fn parsed(text: &str) -> (Vec<(Event<'_>, Range<usize>)>, Option<HeadingLevel>) {
    let events: Vec<_> =
        TextMergeWithOffset::new(Parser::new_ext(text, OPTIONS).into_offset_iter()).collect();
    let levels = events.iter().filter_map(|(event, _)| match event {
        Event::Start(Tag::Heading { level, .. }) => Some(*level),
        _ => None,
    });
    let highest = levels.min();
    (events, highest)
}

/// Appends the text as HTML to the page.
pub(crate) fn push(
    page: &mut Rendered,
    text: &str,
    samples: &mut Samples<'_>,
    images: &mut dyn FnMut(&str) -> Option<Image>,
) {
    let text = &*without_false_definitions(text);
    let (events, highest) = parsed(text);
    page.remarks.extend(unclosed_formula(text));
    let surplus = surplus_cells(text);
    page.remarks
        .extend(surplus.iter().map(SurplusCells::remark));
    // The first level of headings is for names of problems.
    let shift = 2_isize - highest.map_or(2, |level| (level as usize).cast_signed());
    let mut writer = MarkdownWriter {
        page,
        samples,
        images,
        shift,
        tags: OpenTags::default(),
        inside: Vec::new(),
        image: None,
        line: 1,
    };
    let mut written: Vec<Event<'_>> = Vec::with_capacity(events.len());
    let mut at = 0;
    for (event, range) in events {
        // An end event has the position of its start. Its line is not needed.
        if let Some(passed) = text.get(at..range.start) {
            writer.line += passed.matches('\n').count();
            at = range.start;
        }
        let dropped = surplus
            .iter()
            .find(|cells| event == Event::End(TagEnd::TableRow) && cells.row == range.start);
        if let Some(cells) = dropped {
            let last = written
                .iter()
                .rposition(|event| *event == Event::End(TagEnd::TableCell));
            let html = format!(
                " <mark class=\"unknown\">| {}</mark>",
                escaped(&cells.written)
            );
            written.insert(last.unwrap_or(written.len()), raw(html));
        }
        writer.event(event, &mut written);
    }
    writer.page.remarks.sort_by_key(|remark| remark.line);
    let mut text = String::new();
    html::push_html(&mut text, written.into_iter());
    writer.page.html.push_str(&cleaned(&text));
}

/// Removes empty elements and adds scrolling. Authors cannot write these tags, since each `<` is
/// escaped.
fn cleaned(html: &str) -> String {
    // A sample that was the only content of a paragraph leaves it empty.
    let html = html.replace("<p></p>\n", "").replace("<p></p>", "");
    // Code that is wider than the screen can be scrolled, also with the keyboard.
    let html = html.replace("<pre><code", "<pre tabindex=\"0\"><code");
    // An empty cell must not be a heading.
    [
        "",
        " style=\"text-align: left\"",
        " style=\"text-align: center\"",
        " style=\"text-align: right\"",
    ]
    .iter()
    .fold(html, |html, style| {
        html.replace(&format!("<th{style}></th>"), "<td></td>")
    })
}

/// Converts the events of a statement to those of its page.
struct MarkdownWriter<'w, 's> {
    page: &'w mut Rendered,
    samples: &'w mut Samples<'s>,
    images: &'w mut dyn FnMut(&str) -> Option<Image>,
    /// The difference between the levels of headings on the page and in the text.
    shift: isize,
    /// Raw tags that are open in this paragraph.
    tags: OpenTags,
    /// The elements around the event, outermost first.
    inside: Vec<TagEnd>,
    /// The address of the image whose description is being read, and the description so far.
    image: Option<(String, String)>,
    /// The line of the event.
    line: usize,
}

impl MarkdownWriter<'_, '_> {
    fn event<'e>(&mut self, event: Event<'e>, written: &mut Vec<Event<'e>>) {
        if self.image.is_some() {
            return self.in_image(event, written);
        }
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.image = Some((dest_url.into_string(), String::new()));
            }
            Event::Start(tag) => self.start(tag, written),
            Event::End(tag) => {
                if matches!(
                    tag,
                    TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item
                ) {
                    self.close_tags(written);
                }
                self.inside.pop();
                written.push(Event::End(self.shifted_end(tag)));
                if tag == TagEnd::Table {
                    written.push(raw("</div>\n"));
                }
            }
            Event::InlineMath(tex) => written.push(raw(self.formula(&tex, false))),
            Event::DisplayMath(tex) => written.push(raw(self.formula(&tex, true))),
            Event::Html(text) | Event::InlineHtml(text) => {
                let mut html = String::new();
                self.tags.push(&mut html, &text);
                written.push(raw(html));
            }
            Event::Text(text) => self.text(text, written),
            other => written.push(other),
        }
    }

    fn start<'e>(&mut self, tag: Tag<'e>, written: &mut Vec<Event<'e>>) {
        self.inside.push(tag.to_end());
        if matches!(tag, Tag::Table(_)) {
            // If the table is wider than the screen, it scrolls instead of the page.
            written.push(raw("<div class=\"table\" tabindex=\"0\">"));
        }
        let start = match tag {
            Tag::Heading { level, .. } => Tag::Heading {
                level: self.shifted(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            },
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } => {
                // `<me@example.org>` is a mail address, and has no scheme here.
                let harmless = link_type == LinkType::Email || is_harmless(&dest_url);
                // A link that could run a script leads to the page itself instead.
                let dest_url = if harmless {
                    dest_url
                } else {
                    CowStr::Borrowed("#")
                };
                Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                }
            }
            other => other,
        };
        written.push(Event::Start(start));
    }

    /// Reads the description of an image, which becomes plain text.
    fn in_image<'e>(&mut self, event: Event<'e>, written: &mut Vec<Event<'e>>) {
        match event {
            Event::End(TagEnd::Image) => {
                let (address, description) = self.image.take().unwrap_or_default();
                let found = (self.images)(&address);
                written.push(raw(image::element(found, "", &description, &description)));
            }
            event => {
                let text: &str = match &event {
                    Event::Text(text)
                    | Event::Code(text)
                    | Event::InlineMath(text)
                    | Event::DisplayMath(text)
                    | Event::InlineHtml(text) => text,
                    Event::SoftBreak | Event::HardBreak => " ",
                    _ => "",
                };
                if let Some((_, description)) = &mut self.image {
                    description.push_str(text);
                }
            }
        }
    }

    fn formula(&mut self, tex: &str, is_block: bool) -> String {
        let html = for_renderer(tex, &[]).and_then(|written| formula::typeset(&written, is_block));
        html.unwrap_or_else(|why| {
            let what = format!(
                "the formula `{}` is shown as written: it {why}",
                shortened(tex)
            );
            self.page.remarks.push(Remark::once(self.line, what));
            formula::as_written(tex, is_block)
        })
    }

    /// Inserts samples between paragraphs.
    fn text<'e>(&mut self, text: CowStr<'e>, written: &mut Vec<Event<'e>>) {
        let place = self.inside.last().copied();
        let is_block = matches!(
            place,
            None | Some(TagEnd::Paragraph | TagEnd::Item | TagEnd::DefinitionListDefinition)
        );
        if place != Some(TagEnd::CodeBlock) {
            self.report_braces(&text, is_block);
        }
        if !is_block || !(text.contains(NEXT_SAMPLE) || text.contains(REMAINING_SAMPLES)) {
            return written.push(Event::Text(text));
        }
        let mut rest: &str = &text;
        let in_paragraph = place == Some(TagEnd::Paragraph);
        while let Some((before, word, after)) = first_word(rest) {
            written.push(Event::Text(before.to_owned().into()));
            self.close_tags(written);
            let mut html = String::new();
            if word == REMAINING_SAMPLES {
                self.samples.remaining(&mut html);
            } else if !self.samples.next(&mut html) {
                let fault = format!("`{NEXT_SAMPLE}` requires a sample, but no sample is left");
                self.page.faults.push(fault);
            }
            // A paragraph cannot contain a section, so it ends before the section and begins again.
            written.push(raw(if in_paragraph {
                format!("</p>{html}<p>")
            } else {
                html
            }));
            rest = after;
        }
        written.push(Event::Text(rest.to_owned().into()));
    }

    /// Reports a `{{name}}` that is not a constant, and a sample in a place where none can be
    /// shown.
    fn report_braces(&mut self, text: &str, is_block: bool) {
        for (_, after) in text
            .match_indices("{{")
            .map(|(at, _)| text.split_at(at + 2))
        {
            let Some((name, _)) = after.split_once("}}") else {
                continue;
            };
            let is_name = !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.-".contains(c));
            let what = match name {
                "nextsample" | "remainingsamples" if is_block => continue,
                "nextsample" | "remainingsamples" => "is in a place where no sample can be shown",
                _ if is_name => "is neither a constant of the package nor a command for samples",
                _ => continue,
            };
            let what = format!("`{{{{{name}}}}}` {what}, and is shown as written");
            self.page.remarks.push(Remark::once(self.line, what));
        }
    }

    fn close_tags(&mut self, written: &mut Vec<Event<'_>>) {
        let mut html = String::new();
        self.tags.close(&mut html);
        if !html.is_empty() {
            written.push(raw(html));
        }
    }

    fn shifted(&self, level: HeadingLevel) -> HeadingLevel {
        let level = (level as usize)
            .saturating_add_signed(self.shift)
            .clamp(2, 6);
        HeadingLevel::try_from(level).unwrap_or(HeadingLevel::H6)
    }

    fn shifted_end(&self, tag: TagEnd) -> TagEnd {
        if let TagEnd::Heading(level) = tag {
            TagEnd::Heading(self.shifted(level))
        } else {
            tag
        }
    }
}

/// Returns the first command for samples, with the text before and after it.
fn first_word(text: &str) -> Option<(&str, &'static str, &str)> {
    let found = [NEXT_SAMPLE, REMAINING_SAMPLES]
        .into_iter()
        .filter_map(|word| Some((text.find(word)?, word)));
    let (at, word) = found.min()?;
    Some((&text[..at], word, &text[at + word.len()..]))
}

fn raw<'e>(html: impl Into<String>) -> Event<'e> {
    Event::InlineHtml(CowStr::from(html.into()))
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
