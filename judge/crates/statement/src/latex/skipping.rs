//! Text that says nothing on a page: lengths, layers of slides, branches that are left out.
//!
//! Must not know which commands it belongs to.

use super::reader::Reader;

impl Reader {
    /// Skips a length without braces, such as `1em`, `-2\baselineskip` or `1em plus 2pt`.
    pub(super) fn skip_length(&mut self) {
        loop {
            while self.peek().is_some_and(|c| c.is_ascii_digit() || "+-., ".contains(c)) {
                self.raw();
            }
            if self.takes('\\') {
                self.name();
            } else {
                // A unit has two letters, and an infinite one more.
                let word = self.word();
                let unit = ["filll", "fill", "fil", "pt", "mm", "cm", "em", "ex", "in", "pc", "bp"]
                    .into_iter()
                    .find(|unit| word.starts_with(unit))
                    .unwrap_or_default();
                self.unread(&word[unit.len()..]);
            }
            self.blanks();
            let rest = self.ahead();
            let Some(stretch) = ["plus", "minus"].into_iter().find(|stretch| rest.starts_with(stretch)) else { return };
            for _ in stretch.chars() {
                self.raw();
            }
        }
    }

    /// Skips layers of a slide, such as `<2->` or `<+-| alert@2>`.
    pub(super) fn skip_layers(&mut self) {
        if !self.takes('<') {
            return;
        }
        let mut layers = "<".to_owned();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || "+-,.|@:() ".contains(*c)) {
            layers.push(c);
            self.raw();
        }
        if self.takes('>') {
            self.blanks();
        } else {
            self.unread(&layers);
        }
    }

    /// Skips a branch of a condition; true when it ended with `\else`.
    pub(super) fn skip_branch(&mut self) -> bool {
        let line = self.line;
        let mut depth = 0_usize;
        while let Some(c) = self.next() {
            if c != '\\' {
                continue;
            }
            let name = self.name();
            match name.as_str() {
                "fi" if depth == 0 => return false,
                "else" if depth == 0 => return true,
                "fi" => depth -= 1,
                // Of these, no `\fi` is the end.
                "iff" | "ifthenelse" => {}
                _ if name.starts_with("if") => depth += 1,
                _ => {}
            }
        }
        self.remark(line, "no `\\fi` ends what is left out from here on".to_owned());
        false
    }
}
