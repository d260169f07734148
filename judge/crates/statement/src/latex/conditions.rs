//! Conditions: decides which branch is read. An unknown condition is reported, and both of its
//! branches are shown.
//!
//! Must not know other commands.

use super::Writer;
use super::reader::Reader;

impl Writer<'_, '_> {
    /// Reads a command that belongs to a condition. Returns false for any other command.
    pub(super) fn reads_condition(&mut self, name: &str) -> bool {
        let holds = match name {
            "iftrue" | "ifplastex" => Some(true),
            "iffalse" => Some(false),
            "ifdefined" => {
                let name = self.reader.argument();
                Some(
                    name.strip_prefix('\\')
                        .is_some_and(|name| self.reader.macros.contains_key(name)),
                )
            }
            "else" | "fi" => {
                self.end_branch(name);
                return true;
            }
            "iff" | "ifthenelse" => return false,
            _ if name.starts_with("if") => None,
            _ => return false,
        };
        if holds.is_none() {
            self.unknown(&format!("\\{name}"));
        }
        if holds != Some(false) || self.reader.skip_branch() {
            self.conditions.push(holds.is_some());
        }
        true
    }

    fn end_branch(&mut self, name: &str) {
        // Both branches of an unknown condition are shown, including `\else` and `\fi`.
        if self.conditions.last() == Some(&false) {
            self.unknown(&format!("\\{name}"));
        } else if name == "else" {
            self.reader.skip_branch();
        }
        // `\else` of a known condition is skipped up to `\fi`.
        if name == "fi" || self.conditions.last() != Some(&false) {
            self.conditions.pop();
        }
    }
}

impl Reader {
    /// Skips a branch of a condition. Returns true if it ended with `\else`.
    fn skip_branch(&mut self) -> bool {
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
                // These do not end with `\fi`.
                "iff" | "ifthenelse" => {}
                _ if name.starts_with("if") => depth += 1,
                _ => {}
            }
        }
        self.remark(
            line,
            "missing `\\fi`: the text from here on is left out".to_owned(),
        );
        false
    }
}
