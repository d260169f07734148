//! Commands that are not macros, and their effects.
//!
//! Must not know how text is read.

use super::signs::{accented, is_accent, plain_text, sign};
use super::{Kind, Writer};

const SMALL_CAPITALS: &str = " style=\"font-variant: small-caps\"";
const CAPITALS: &str = " style=\"text-transform: uppercase\"";

/// Returns the tag of a font with its attributes, and true if the command has an argument.
fn font(name: &str) -> Option<(&'static str, &'static str, bool)> {
    Some(match name {
        "textbf" => ("strong", "", true),
        "bf" | "bfseries" => ("strong", "", false),
        "emph" | "textit" | "textsl" => ("em", "", true),
        "em" | "it" | "itshape" | "sl" | "slshape" => ("em", "", false),
        "texttt" | "t" => ("code", "", true),
        "tt" | "ttfamily" => ("code", "", false),
        "underline" | "uline" => ("u", "", true),
        "sout" => ("s", "", true),
        "textsc" => ("span", SMALL_CAPITALS, true),
        "scshape" | "sc" => ("span", SMALL_CAPITALS, false),
        "uppercase" | "MakeUppercase" => ("span", CAPITALS, true),
        "textsuperscript" => ("sup", "", true),
        "textsubscript" => ("sub", "", true),
        _ => return None,
    })
}

impl Writer<'_, '_> {
    pub(super) fn command(&mut self) {
        let name = self.reader.name();
        if self.reader.expand(&name) || self.reads_condition(&name) {
            return;
        }
        if let Some(text) = sign(&name) {
            match text {
                " " => self.space = true,
                "" => {}
                text => self.text(text),
            }
        } else if is_accent(&name) && !(name == "c" && self.reader.peek().is_none()) {
            self.accent(&name);
        } else if let Some((tag, attributes, has_argument)) = font(&name) {
            if !has_argument || self.opens(Kind::Plain, "") {
                self.style(tag, attributes);
            }
        } else if !self.block_command(&name) && !self.text_command(&name) && !self.definition(&name)
        {
            self.unknown(&format!("\\{name}"));
        }
    }

    fn accent(&mut self, name: &str) {
        let letter = self.reader.argument();
        // A font on the letter, as in `\'{\textbf{e}}`.
        match letter
            .trim()
            .strip_prefix('\\')
            .and_then(|inner| inner.split_once('{'))
        {
            Some((font, inner)) => self.reader.unread(&format!("\\{font}{{\\{name} {inner}")),
            None => self.text(&accented(name, &letter)),
        }
    }

    fn style(&mut self, tag: &'static str, attributes: &str) {
        if !self.styles.iter().any(|(known, _)| *known == tag) {
            self.styles.push((tag, attributes.to_owned()));
        }
    }

    /// Opens the group of the argument that follows. Returns false if groups are nested too deeply.
    pub(super) fn opens(&mut self, kind: Kind, end: &'static str) -> bool {
        if self.reader.peek() != Some('{') {
            let argument = self.reader.argument();
            self.reader.unread(&format!("{{{argument}}}"));
        }
        self.reader.takes('{');
        if self.frames.len() >= super::MAX_DEPTH {
            self.too_deep += 1;
            return false;
        }
        self.enter(None, end, kind);
        true
    }

    /// Opens a heading or another line with its own tags.
    pub(super) fn line(&mut self, start: &str, end: &'static str) {
        self.block();
        self.html.push_str(start);
        if !self.opens(Kind::Line, end) {
            self.html.push_str(end);
        }
        self.styles.clear();
    }

    /// Handles commands that end a paragraph and those of tables and lists. Returns false for any
    /// other command.
    fn block_command(&mut self, name: &str) -> bool {
        match name {
            "problemname" => {
                let name = self.reader.argument();
                if plain_text(&name) != self.problem.title && !name.trim().is_empty() {
                    self.reader.unread(&format!(
                        "\\begin{{center}}\\textbf{{{name}}}\\end{{center}}"
                    ));
                }
            }
            "section" | "frametitle" => self.heading("<h2>", "</h2>\n"),
            "subsection" | "framesubtitle" => self.heading("<h3>", "</h3>\n"),
            "subsubsection" => self.heading("<h4>", "</h4>\n"),
            "paragraph" | "subparagraph" => {
                self.reader.option();
                self.paragraph();
                if self.opens(Kind::Plain, "") {
                    self.style("strong", "");
                }
            }
            "caption" => self.caption(),
            "begin" => self.begin(),
            "end" => self.end(),
            "item" => self.item(),
            "par" | "smallskip" | "medskip" | "bigskip" => self.paragraph(),
            "\\" | "newline" | "tabularnewline" => self.line_end(name),
            "[" => self.formula("\\]", true, ["", ""]),
            "multicolumn" => self.wide_cell(),
            "hline" | "toprule" | "midrule" | "bottomrule" => self.line_between_rows(),
            "makecell" | "shortstack" | "thead" => {
                self.reader.option();
                self.prepare_text();
                self.opens(Kind::Line, "");
            }
            "hrule" => {
                self.block();
                self.html.push_str("<hr>\n");
            }
            "nextsample" | "remainingsamples" => self.sample(name),
            "illustration" => self.illustration(),
            _ => return false,
        }
        true
    }

    /// Opens a heading. The short form in brackets is for tables of contents and is skipped.
    fn heading(&mut self, start: &str, end: &'static str) {
        self.reader.option();
        self.line(start, end);
    }

    fn line_end(&mut self, name: &str) {
        self.reader.takes('*');
        self.reader.option();
        if self.table().is_some() && name != "newline" {
            self.next_row();
        } else if self.in_paragraph || self.context().is_some() {
            self.inline("<br>\n");
            self.space = false;
        }
    }

    fn sample(&mut self, name: &str) {
        self.block();
        if name == "remainingsamples" {
            self.samples.remaining(&mut self.html);
        } else if !self.samples.next(&mut self.html) {
            self.page
                .faults
                .push("`\\nextsample` requires a sample, but no sample is left".to_owned());
        }
    }

    /// Handles commands inside of a paragraph. Returns false for any other command.
    fn text_command(&mut self, name: &str) -> bool {
        match name {
            "(" => self.formula("\\)", false, ["", ""]),
            "url" | "nolinkurl" | "path" => self.url(),
            "href" => self.href(),
            "footnote" => self.footnote(),
            "label" => self.label(),
            "ref" | "autoref" | "cref" | "Cref" => self.reference(name),
            "verb" | "Verb" | "lstinline" => self.code(name),
            "includegraphics" => self.include_graphics(),
            "constant" => {
                let key = self.reader.argument();
                match self
                    .problem
                    .constants
                    .iter()
                    .find(|(known, _)| *known == key.trim())
                {
                    Some((_, value)) => self.text(value),
                    None => self.unknown(&format!("\\constant{{{key}}}")),
                }
            }
            "problemlabel" => {
                self.marked("\\problemlabel");
                let what = "`\\problemlabel` is the letter of a problem in a contest, and is shown as written";
                self.report(what.to_owned());
            }
            _ => return false,
        }
        true
    }

    /// Reads definitions of the author. Returns false for any other command.
    fn definition(&mut self, name: &str) -> bool {
        let defined = match name {
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "DeclareRobustCommand"
            | "sbox"
            | "savebox" => self.reader.define(),
            "DeclareMathOperator" => self.reader.define_operator(),
            "newcolumntype" => return self.define_column(),
            "def" | "gdef" | "edef" => match self.reader.define_plain() {
                Ok(defined) => defined,
                Err(defined) => {
                    self.unknown(&format!("\\{name}\\{defined}"));
                    return true;
                }
            },
            _ => return false,
        };
        // These commands change the labels of items, which always follow the nesting level here.
        if ["labelenum", "labelitem", "theenum"]
            .iter()
            .any(|start| defined.starts_with(start))
        {
            self.report(format!("`\\{defined}` is not supported"));
        }
        true
    }
}
