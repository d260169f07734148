//! Samples: inputs next to outputs, and interactions in two columns.
//!
//! Must not know where samples come from.

use crate::escape::push;
use crate::words::Words;
use crate::{Excerpt, Sample, SampleContent};

/// The samples of a page, and how many of them have been shown.
pub(crate) struct Samples<'a> {
    samples: &'a [Sample],
    shown: usize,
    words: Words,
    /// The `lang` attribute of English words on a page in another language.
    english: &'static str,
}

impl<'a> Samples<'a> {
    pub(crate) fn new(samples: &'a [Sample], language: &str) -> Self {
        let is_english = language == "en" || language.starts_with("en-");
        let english = if is_english { "" } else { " lang=\"en\"" };
        Self {
            samples,
            shown: 0,
            words: Words::for_language(language),
            english,
        }
    }

    /// Appends the next sample. Returns false if no sample is left.
    pub(crate) fn next(&mut self, html: &mut String) -> bool {
        let Some(sample) = self.samples.get(self.shown) else {
            return false;
        };
        self.shown += 1;
        let number = self.shown;
        let language = if self.words.is_translated {
            ""
        } else {
            self.english
        };
        html.push_str(&format!("\n<section class=\"sample\"{language}>\n"));
        html.push_str(&format!(
            "<h2 id=\"sample-{number}\">{}</h2>\n",
            self.words.sample(&number.to_string())
        ));
        let english = if self.words.is_complete {
            ""
        } else {
            self.english
        };
        push_sample(html, sample, &self.words, english);
        html.push_str("</section>\n");
        true
    }

    /// Appends the samples that have not been shown.
    pub(crate) fn remaining(&mut self, html: &mut String) {
        while self.next(html) {}
    }
}

fn push_sample(html: &mut String, sample: &Sample, words: &Words, english: &str) {
    if !sample.arguments.is_empty() {
        html.push_str(&format!("<p><span{english}>{}:</span>", words.arguments));
        for argument in &sample.arguments {
            html.push_str(" <code>");
            push(html, argument);
            html.push_str("</code>");
        }
        html.push_str("</p>\n");
    }
    match &sample.content {
        SampleContent::Pair { input, output } => {
            html.push_str("<div class=\"pair\">\n");
            push_text(html, words.input, "", input);
            push_text(html, words.output, "", output);
            html.push_str("</div>\n");
        }
        SampleContent::Interaction(interaction) => {
            push_interaction(html, interaction, words, english);
        }
    }
    for (name, text) in &sample.files {
        push_text(html, &format!("{} {name}", words.file), english, text);
    }
}

fn push_text(html: &mut String, label: &str, language: &str, text: &Excerpt) {
    html.push_str(&format!("<figure><figcaption{language}>"));
    push(html, label);
    // An element with the focus can be scrolled without a mouse.
    html.push_str("</figcaption><pre tabindex=\"0\">");
    // Browsers ignore the first line end after the tag.
    html.push('\n');
    push(html, &text.text);
    html.push_str("</pre>");
    push_left_out(html, text);
    html.push_str("</figure>\n");
}

fn push_left_out(html: &mut String, text: &Excerpt) {
    if text.bytes_left_out > 0 {
        html.push_str(&format!(
            "<p class=\"left-out\">… {} bytes more</p>",
            text.bytes_left_out
        ));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Judge,
    Submission,
}

/// A step of an interaction: consecutive lines of one side, or the border between two passes.
pub(crate) enum Step {
    Lines(Side, Vec<String>),
    Pass,
    /// A line that belongs to neither side.
    Other(String),
}

pub(crate) fn steps(interaction: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in interaction.lines() {
        let (side, rest) = match line.as_bytes().first() {
            Some(b'<') => (Side::Judge, &line[1..]),
            Some(b'>') => (Side::Submission, &line[1..]),
            _ if line.trim_end() == "---" => {
                steps.push(Step::Pass);
                continue;
            }
            _ if line.trim().is_empty() => continue,
            _ => {
                steps.push(Step::Other(line.to_owned()));
                continue;
            }
        };
        match steps.last_mut() {
            // Consecutive lines of one side share a cell of the table.
            Some(Step::Lines(last, lines)) if *last == side => lines.push(rest.to_owned()),
            _ => steps.push(Step::Lines(side, vec![rest.to_owned()])),
        }
    }
    steps
}

fn push_interaction(html: &mut String, interaction: &Excerpt, words: &Words, english: &str) {
    let steps = steps(&interaction.text);
    let several = steps.iter().any(|step| matches!(step, Step::Pass));
    html.push_str(&format!(
        "<table class=\"interaction\"><thead{english}><tr><th scope=\"col\">{}</th>\
         <th scope=\"col\">{}</th></tr></thead>\n<tbody>\n",
        words.judge_writes, words.submission_writes
    ));
    let mut pass = 1;
    if several {
        push_pass(html, &words.pass(pass), english);
    }
    for step in &steps {
        match step {
            Step::Lines(side, lines) => {
                let (before, after) = if *side == Side::Judge {
                    ("", "<td></td>")
                } else {
                    ("<td></td>", "")
                };
                html.push_str(&format!("<tr>{before}<td><pre>\n"));
                push(html, &lines.join("\n"));
                html.push_str(&format!("</pre></td>{after}</tr>\n"));
            }
            Step::Pass => {
                pass += 1;
                html.push_str("</tbody>\n<tbody>\n");
                push_pass(html, &words.pass(pass), english);
            }
            Step::Other(line) => {
                html.push_str("<tr><td colspan=\"2\">");
                push(html, line);
                html.push_str("</td></tr>\n");
            }
        }
    }
    html.push_str("</tbody></table>\n");
    push_left_out(html, interaction);
}

fn push_pass(html: &mut String, pass: &str, english: &str) {
    html.push_str(&format!(
        "<tr><th colspan=\"2\" scope=\"rowgroup\"{english}>{pass}</th></tr>\n"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(content: SampleContent) -> String {
        let sample = Sample {
            arguments: vec!["--a<b".into()],
            files: Vec::new(),
            content,
        };
        let mut html = String::new();
        Samples::new(&[sample], "sv").remaining(&mut html);
        html
    }

    fn excerpt(text: &str) -> Excerpt {
        Excerpt {
            text: text.into(),
            bytes_left_out: 0,
        }
    }

    #[test]
    fn pairs_keep_every_character() {
        let output = Excerpt {
            text: "a &\n".into(),
            bytes_left_out: 7,
        };
        let html = rendered(SampleContent::Pair {
            input: excerpt("\n <1>\n"),
            output,
        });
        assert!(
            html.contains("<pre tabindex=\"0\">\n\n &lt;1&gt;\n</pre>"),
            "{html}"
        );
        assert!(
            html.contains("a &amp;\n</pre><p class=\"left-out\">… 7 bytes more</p>"),
            "{html}"
        );
        assert!(
            html.contains("<span>Argument:</span> <code>--a&lt;b</code>"),
            "{html}"
        );
        assert!(
            html.contains(">Exempel 1</h2>") && html.contains("<figcaption>Indata</figcaption>"),
            "{html}"
        );
    }

    #[test]
    fn interactions_have_columns_for_sides_and_bodies_for_passes() {
        let html = rendered(SampleContent::Interaction(excerpt(
            "<10\n<20\n>5\n---\n>< 7\n\nodd\n",
        )));
        assert!(
            html.contains(
                "<tr><td><pre>\n10\n20</pre></td><td></td></tr>\n<tr><td></td><td><pre>\n5</pre>"
            ),
            "{html}"
        );
        assert!(
            html.contains("<th scope=\"col\">Domaren skriver</th>")
                && html.contains("Omgång 1")
                && html.contains(
                    "</tbody>\n<tbody>\n<tr><th colspan=\"2\" scope=\"rowgroup\">Omgång 2"
                )
        );
        assert!(html.contains("<pre>\n&lt; 7</pre>"), "{html}");
        assert!(html.contains("<td colspan=\"2\">odd</td>"), "{html}");
        let icelandic = Sample {
            arguments: Vec::new(),
            files: Vec::new(),
            content: SampleContent::Interaction(excerpt("<1\n")),
        };
        let mut html = String::new();
        Samples::new(&[icelandic], "is").remaining(&mut html);
        assert!(
            html.contains("Sýnidæmi 1") && html.contains("<thead lang=\"en\">"),
            "{html}"
        );
        let single = rendered(SampleContent::Interaction(excerpt("<1\n>2\n")));
        assert!(!single.contains("Omgång"), "{single}");
    }
}
