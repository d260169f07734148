//! Algorithms, in the words of the packages `algorithmic` and `algpseudocode`, and text on tab stops.
//!
//! Responsible for their lines and how far these are indented. Must not know how text is read.

use super::Writer;

impl Writer<'_, '_> {
    fn is_within(&self, name: &str) -> bool {
        self.frames.iter().any(|frame| frame.name.as_deref() == Some(name))
    }

    pub(super) fn is_in_algorithm(&self) -> bool {
        self.is_within("algorithmic")
    }

    pub(super) fn is_in_tabbing(&self) -> bool {
        self.is_within("tabbing")
    }

    /// A command of `tabbing`: a tab stop is some room, for columns are not measured.
    pub(super) fn tab(&mut self, name: &str) {
        match name {
            "=" | ">" => self.text("\u{2003}"),
            "+" | "-" | "<" => {}
            "'" | "`" => self.text(" "),
            _ => self.unknown(&format!("\\{name}")),
        }
    }

    /// A command of an algorithm.
    pub(super) fn algorithmic(&mut self, name: &str) {
        match name.to_ascii_lowercase().as_str() {
            "state" | "statex" | "statement" => self.line_of_algorithm(""),
            "require" | "ensure" => {
                let start = if name.eq_ignore_ascii_case("require") { "Require:" } else { "Ensure:" };
                self.line_of_algorithm(&word(start));
            }
            "return" | "print" => {
                if name == name.to_ascii_uppercase() {
                    self.line_of_algorithm("");
                }
                self.reader.unread(&word(&name.to_ascii_lowercase()));
            }
            "if" | "while" => {
                let condition = self.reader.argument();
                let then = if name.eq_ignore_ascii_case("if") { "then" } else { "do" };
                self.opening(&format!("{}{condition} {}", word(&name.to_ascii_lowercase()), word(then)));
            }
            "elsif" | "elseif" => {
                let condition = self.reader.argument();
                self.indent = self.indent.saturating_sub(1);
                self.opening(&format!("{}{condition} {}", word("else if"), word("then")));
            }
            "else" => {
                self.indent = self.indent.saturating_sub(1);
                self.opening(&word("else"));
            }
            "for" | "forall" => {
                let range = self.reader.argument();
                let start = if name.eq_ignore_ascii_case("for") { "for" } else { "for all" };
                self.opening(&format!("{}{range} {}", word(start), word("do")));
            }
            "loop" => self.opening(&word("loop")),
            "repeat" => self.opening(&word("repeat")),
            "until" => {
                let condition = self.reader.argument();
                self.indent = self.indent.saturating_sub(1);
                self.line_of_algorithm(&format!("{}{condition}", word("until")));
            }
            _ => self.part_of_algorithm(name),
        }
    }

    fn part_of_algorithm(&mut self, name: &str) {
        match name.to_ascii_lowercase().as_str() {
            "function" | "procedure" => {
                let (title, arguments) = (self.reader.argument(), self.reader.argument());
                let start = word(&name.to_ascii_lowercase());
                self.opening(&format!("{start}\\textsc{{{title}}}({arguments})"));
            }
            "call" => {
                let (title, arguments) = (self.reader.argument(), self.reader.argument());
                self.reader.unread(&format!("\\textsc{{{title}}}({arguments})"));
            }
            "comment" => {
                let text = self.reader.argument();
                self.reader.unread(&format!(" \\(\\triangleright\\) {text}"));
            }
            "endif" | "endfor" | "endwhile" | "endloop" | "endfunction" | "endprocedure" => {
                self.indent = self.indent.saturating_sub(1);
                let of = name[3..].to_ascii_lowercase();
                self.line_of_algorithm(&word(&format!("end {of}")));
            }
            "and" | "or" | "not" | "to" | "true" | "false" if name == name.to_ascii_uppercase() => {
                self.reader.unread(&word(&name.to_ascii_lowercase()));
            }
            _ => self.unknown(&format!("\\{name}")),
        }
    }

    /// A line whose followers are indented.
    fn opening(&mut self, text: &str) {
        self.line_of_algorithm(text);
        self.indent = (self.indent + 1).min(20);
    }

    fn line_of_algorithm(&mut self, text: &str) {
        self.block();
        self.html.push_str(&format!("<p style=\"margin-left: {}em\">", self.indent * 2));
        self.in_paragraph = true;
        self.reader.unread(text);
    }

    /// The number of the next algorithm.
    pub(super) fn next_algorithm(&mut self) -> usize {
        self.algorithms += 1;
        self.algorithms
    }
}

/// A word of the language that algorithms are written in.
fn word(text: &str) -> String {
    format!("\\textbf{{{text}}} ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{html, told};

    #[test]
    fn algorithms_have_lines() {
        let page = html(
            "\\begin{algorithm}\\caption{Sum}\\begin{algorithmic}[1]\\Require $n$\\For{$i<n$}\\If{a}\\State add \\Comment{c}\\Else\\State b\\EndIf\\EndFor\\State \\Return x\\end{algorithmic}\\end{algorithm}",
        );
        for part in [
            "<figcaption>Algorithm 1: Sum</figcaption>",
            "<p style=\"margin-left: 0em\"><strong>Require:</strong> <math",
            "<p style=\"margin-left: 2em\"><strong>if</strong> a <strong>then</strong>",
            "<p style=\"margin-left: 4em\">add",
            "<strong>else</strong>",
            "<strong>end for</strong>",
            "<strong>return</strong> x",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        let upper = html("\\begin{algorithmic}\\STATE a\\WHILE{b \\AND c}\\RETURN d\\ENDWHILE\\end{algorithmic}");
        assert!(upper.contains("<strong>while</strong> b <strong>and</strong> c <strong>do</strong>"), "{upper}");
        assert_eq!(told("\\State").len(), 1);
    }

    #[test]
    fn tab_stops_are_no_accents() {
        let page = html("\\begin{tabbing}a\\=b\\\\ c\\>d\\end{tabbing}");
        assert!(page.contains("a\u{2003}b<br>") && page.contains("c\u{2003}d"), "{page}");
    }
}
