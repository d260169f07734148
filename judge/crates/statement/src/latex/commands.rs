//! Commands: what each of them does.
//!
//! Must not know how text is read, nor what environments are.

use super::signs::plain_text;
use super::{Kind, Writer, signs};

/// Commands about looks that a page does not have, with the number of their arguments.
fn without_effect(name: &str) -> Option<usize> {
    Some(match name {
        "noindent" | "indent" | "centering" | "raggedright" | "raggedleft" | "newpage" | "clearpage" | "vfill"
        | "sloppy" | "small" | "normalsize" | "large" | "Large" | "LARGE" | "huge" | "Huge" | "tiny" | "scriptsize"
        | "footnotesize" | "normalfont" | "rm" | "sf" | "pagebreak" | "nopagebreak" | "linebreak"
        | "arraybackslash" | "samepage" | "upshape" | "mdseries" | "hrulefill" | "dotfill" | "displaystyle"
        | "endminipage" | "vtop" | "vbox" | "pause" | "endhead" | "endfoot" | "makeatletter" | "makeatother"
        | "addlinespace" | "endfirsthead" | "endlastfoot" | "onehalfspacing" => 0,
        "rowcolor" | "cellcolor" | "columncolor" | "documentclass" | "geometry" | "hypersetup" | "usemintedstyle"
        | "mdfsetup" | "tcbset" | "arrayrulecolor" | "theoremstyle" | "sisetup" | "phantom" | "hphantom"
        | "vphantom" | "newcounter" | "color" | "newsavebox" => 1,
        "rule" => 2,
        "minipage" | "parbox" | "vspace" | "hspace" | "cline" | "cmidrule" | "usepackage" | "usetikzlibrary"
        | "graphicspath" | "pagestyle" | "thispagestyle" | "captionsetup" | "lstset" | "noalign" => 1,
        "setlength" | "addtolength" | "lstdefinestyle" | "colorlet" | "tcbuselibrary" | "setminted" => 2,
        "specialrule" | "definecolor" => 3,
        _ => return None,
    })
}

const SMALL_CAPITALS: &str = " style=\"font-variant: small-caps\"";

/// Commands about the looks of their last argument, with the number of those before it.
fn before_text(name: &str) -> Option<usize> {
    Some(match name {
        "framebox" | "makebox" => 0,
        "textcolor" | "colorbox" | "rotatebox" | "scalebox" | "raisebox" => 1,
        "resizebox" | "fcolorbox" => 2,
        _ => return None,
    })
}

/// The tag that a font is, with its attributes, and true for a command with an argument.
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
        "uppercase" | "MakeUppercase" => ("span", " style=\"text-transform: uppercase\"", true),
        "textsuperscript" => ("sup", "", true),
        "textsubscript" => ("sub", "", true),
        "mbox" | "hbox" | "text" | "textrm" | "textsf" | "textnormal" | "fbox" | "textmd" | "textup" | "textls"
        | "hl" => ("span", "", true),
        _ => return None,
    })
}

impl Writer<'_, '_> {
    pub(super) fn command(&mut self) {
        let name = self.reader.name();
        if self.reader.expand(&name) {
            return;
        }
        if let Some(text) = signs::sign(&name) {
            return self.sign(text);
        }
        if signs::is_accent(&name) && !(name == "c" && self.reader.peek().is_none()) {
            if self.is_in_tabbing() {
                return self.tab(&name);
            }
            let letter = self.reader.argument();
            // A font on the letter, as in `\\'{\\textbf{e}}`.
            return match letter.trim().strip_prefix('\\').and_then(|inner| inner.split_once('{')) {
                Some((font, inner)) => self.reader.unread(&format!("\\{font}{{\\{name} {inner}")),
                None => self.text(&signs::accented(&name, &letter)),
            };
        }
        if let Some((tag, attributes, has_argument)) = font(&name) {
            return if has_argument { self.styled(tag, attributes.to_owned()) } else { self.style(tag, attributes) };
        }
        if let Some(arguments) = before_text(&name) {
            for _ in 0..arguments {
                self.reader.skip_options();
                self.reader.argument();
            }
            self.reader.skip_options();
            return self.styled("span", String::new());
        }
        if self.is_condition(&name) {
            return;
        }
        if let Some(arguments) = without_effect(&name) {
            // Numbers of points, places of boxes, and the like.
            if arguments > 0 || matches!(name.as_str(), "pagebreak" | "linebreak" | "addlinespace") {
                self.reader.skip_options();
            }
            for _ in 0..arguments {
                self.reader.argument();
            }
            if matches!(name.as_str(), "pause" | "newcounter" | "raisebox") {
                self.reader.option();
            }
            return self.blank |= name == "hspace";
        }
        self.command_of_text(&name);
    }

    fn sign(&mut self, text: &str) {
        if text == " " {
            self.blank = true;
        } else if !text.is_empty() {
            self.text(text);
        }
    }

    fn style(&mut self, tag: &'static str, attributes: &str) {
        if !self.styles.iter().any(|(known, _)| *known == tag) {
            self.styles.push((tag, attributes.to_owned()));
        }
    }

    /// A style for the argument that follows.
    fn styled(&mut self, tag: &'static str, attributes: String) {
        if !self.opens(String::new(), Kind::Plain) {
            return;
        }
        if tag == "a" || !self.styles.iter().any(|(known, _)| *known == tag) {
            self.styles.push((tag, attributes));
        }
    }

    /// Opens the group of the argument that follows; false where groups are too deep.
    pub(super) fn opens(&mut self, end: String, kind: Kind) -> bool {
        if self.reader.peek() != Some('{') {
            let argument = self.reader.argument();
            self.reader.unread(&format!("{{{argument}}}"));
        }
        self.reader.takes('{');
        if self.frames.len() >= super::MOST_DEPTH {
            self.too_deep += 1;
            return false;
        }
        self.enter(None, end, kind);
        true
    }

    /// A heading, or another line with tags of its own.
    pub(super) fn line(&mut self, start: &str, end: &str) {
        self.block();
        self.html.push_str(start);
        if !self.opens(end.to_owned(), Kind::Line) {
            self.html.push_str(end);
        }
        self.styles.clear();
    }

    fn command_of_text(&mut self, name: &str) {
        match name {
            "problemname" => {
                let name = self.reader.argument();
                if plain_text(&name) != self.around.title && !name.trim().is_empty() {
                    self.block();
                    self.reader.unread(&format!("\\begin{{center}}\\textbf{{{name}}}\\end{{center}}"));
                }
            }
            "centerline" => self.line("<div class=\"center\">", "</div>\n"),
            "section" => self.heading("h2"),
            "subsection" => self.heading("h3"),
            "subsubsection" => self.heading("h4"),
            "paragraph" | "subparagraph" => {
                self.reader.option();
                self.paragraph();
                self.styled("strong", String::new());
            }
            "caption" => {
                let is_starred = self.reader.is_starred;
                self.reader.option();
                let start = self.caption_start(is_starred);
                self.line(&start, "</figcaption>\n");
            }
            "begin" => self.begin(),
            "end" => self.end(),
            "item" => self.item(),
            "par" | "smallskip" | "medskip" | "bigskip" => self.paragraph(),
            "\\" | "newline" | "tabularnewline" => self.line_end(name),
            "(" => self.math("\\)", false, "", ""),
            "[" => self.math("\\]", true, "", ""),
            "multicolumn" => self.wide_cell(),
            "hline" | "toprule" | "midrule" | "bottomrule" => self.line_between_rows(),
            "multirow" => {
                self.reader.option();
                self.reader.argument();
                self.reader.option();
                self.reader.argument();
                self.reader.option();
            }
            "makecell" | "shortstack" | "thead" => self.lines_of_cell(),
            "nextsample" | "remainingsamples" => self.sample(name),
            _ => self.command_with_arguments(name),
        }
    }

    /// A heading; a short form of it is for tables of contents.
    fn heading(&mut self, tag: &str) {
        self.reader.option();
        self.line(&format!("<{tag}>"), &format!("</{tag}>\n"));
    }

    /// A part of a cell with line ends of its own.
    fn lines_of_cell(&mut self) {
        self.reader.option();
        self.ready();
        self.opens(String::new(), Kind::Line);
    }

    fn line_end(&mut self, name: &str) {
        self.reader.takes('*');
        self.reader.option();
        if self.table().is_some() && name != "newline" {
            self.next_row();
        } else if self.in_paragraph || self.context().is_some() {
            self.inline("<br>\n");
            self.blank = false;
        }
    }

    fn sample(&mut self, name: &str) {
        self.block();
        if name == "remainingsamples" {
            self.samples.remaining(&mut self.html);
        } else if !self.samples.next(&mut self.html) {
            self.page.faults.push("`\\nextsample` asks for a sample, but no sample remains".to_owned());
        }
    }

    fn command_with_arguments(&mut self, name: &str) {
        match name {
            "newcommand" | "renewcommand" | "providecommand" | "DeclareRobustCommand" => self.reader.define(),
            "newenvironment" | "renewenvironment" => self.reader.define_environment(),
            "newcolumntype" => self.reader.define_column(),
            "def" | "gdef" | "edef" => {
                if let Err(defined) = self.reader.define_plain() {
                    self.unknown(&format!("\\{name}\\{defined}"));
                }
            }
            "let" => self.reader.define_alike(),
            "DeclareMathOperator" => self.reader.define_operator(),
            "url" | "nolinkurl" | "path" => self.url(),
            "href" => self.href(),
            "footnote" => self.footnote(),
            "footnotemark" => self.footnote_mark(),
            "footnotetext" => self.footnote_text(),
            "sbox" | "savebox" => self.reader.define(),
            "setcounter" | "addtocounter" | "stepcounter" | "refstepcounter" => self.count_items(name),
            "setlist" => self.set_list(),
            "arabic" | "alph" | "Alph" | "roman" | "Roman" => self.show_counter(name),
            "usebox" => {
                let name = self.reader.argument();
                self.reader.unread(&name);
            }
            "vskip" | "hskip" => self.reader.skip_length(),
            "hrule" => {
                self.block();
                self.html.push_str("<hr>\n");
            }
            ">" | "<" | "+" | "kill" if self.is_in_tabbing() => self.tab(name),
            _ if self.is_in_algorithm() => self.algorithmic(name),
            "looseness" => {
                self.reader.takes('=');
                self.reader.takes('-');
                while self.reader.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.reader.raw();
                }
            }
            "frametitle" => self.line("<h2>", "</h2>\n"),
            "framesubtitle" => self.line("<h3>", "</h3>\n"),
            "onslide" | "only" | "uncover" | "visible" if self.is_in_slide() => self.overlay(),
            "alert" if self.is_in_slide() => {
                self.overlay();
                self.styled("strong", String::new());
            }
            // Who solved a problem is known of a contest only.
            "solvestats" => {}
            "printsolvestats" | "activitychart" => {
                self.reader.option();
            }
            _ => self.command_about_references(name),
        }
    }

    /// Commands of packages about references, captions and quotes.
    fn command_about_references(&mut self, name: &str) {
        match name {
            "eqref" => {
                self.text("(");
                self.reference(name);
                self.text(")");
            }
            "label" => self.label(),
            "ref" | "autoref" | "cref" | "Cref" => self.reference(name),
            "ensuremath" => {
                let tex = self.reader.argument();
                self.reader.unread(&format!("\\({tex}\\)"));
            }
            "num" | "SI" | "qty" | "si" | "unit" | "numrange" | "SIrange" | "qtyrange" => self.quantity(name),
            "verb" | "Verb" | "lstinline" | "mintinline" => self.code(name),
            "includegraphics" => {
                let options = self.reader.option().unwrap_or_default();
                let width = options.split(',').find_map(|option| option.trim().strip_prefix("width=")).unwrap_or("");
                let name = self.reader.argument();
                self.image(&name, width);
            }
            "illustration" => self.illustration(),
            "problemyamlname" | "problemtitle" => {
                let title = self.around.title;
                self.text(title);
            }
            _ => self.command_of_some_package(name),
        }
    }

    /// Commands of packages, and of other judges.
    fn command_of_some_package(&mut self, name: &str) {
        match name {
            "constant" => {
                let wanted = self.reader.argument();
                let known = self.around.constants.iter().find(|(name, _)| *name == wanted.trim());
                match known {
                    Some((_, value)) => self.text(&value.clone()),
                    None => self.unknown(&format!("\\constant{{{wanted}}}")),
                }
            }
            "problemlabel" => match self.around.letter {
                Some(letter) => self.text(letter),
                None => {
                    self.marked("\\problemlabel");
                    self.count(
                        "`\\problemlabel` is the letter of a problem in a contest, and is shown as it is written"
                            .to_owned(),
                    );
                }
            },
            "timelimit" => match self.around.time_limit {
                Some(seconds) => self.text(seconds),
                None => self.unknown("\\timelimit"),
            },
            "epigraph" => {
                let (text, source) = (self.reader.argument(), self.reader.argument());
                self.reader.unread(&format!("\\begin{{quote}}{text}\\\\ {source}\\end{{quote}}"));
            }
            "captionof" => {
                let is_starred = self.reader.is_starred;
                let what = self.reader.argument();
                self.reader.option();
                let start = self.caption_start_of(Some(what.trim()), is_starred);
                self.line(&start, "</figcaption>\n");
            }
            "numlist" | "SIlist" | "qtylist" => self.list_of_quantities(name),
            "ang" => self.angle(),
            "enquote" => {
                let text = self.reader.argument();
                self.reader.unread(&format!("``{text}''"));
            }
            "texorpdfstring" => {
                let text = self.reader.argument();
                self.reader.argument();
                self.reader.unread(&text);
            }
            "subfloat" | "subcaptionbox" => {
                let caption = self.reader.option();
                let caption = if name == "subfloat" { caption } else { Some(self.reader.argument()) };
                self.reader.option();
                let content = self.reader.argument();
                let caption = caption.map(|text| format!("\\begin{{center}}{text}\\end{{center}}")).unwrap_or_default();
                self.reader.unread(&format!("{content}{caption}"));
            }
            _ => self.unknown(&format!("\\{name}")),
        }
    }
}
