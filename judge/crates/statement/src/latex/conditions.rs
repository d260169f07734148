//! Conditions: which branch of them is read.
//!
//! Responsible for that of a condition that is not known both branches are shown, and told. Must not know other commands.

use super::Writer;

impl Writer<'_, '_> {
    /// Reads a command of conditions; false for any other.
    pub(super) fn is_condition(&mut self, name: &str) -> bool {
        let holds = match name {
            "iftrue" | "ifplastex" => Some(true),
            "iffalse" => Some(false),
            "ifdefined" => {
                let name = self.reader.argument();
                Some(name.strip_prefix('\\').is_some_and(|name| self.reader.macros.contains_key(name)))
            }
            "else" => {
                match self.conditions.last() {
                    // Its other branch is shown already.
                    Some(false) => self.unknown("\\else"),
                    _ => {
                        self.reader.skip_branch();
                        self.conditions.pop();
                    }
                }
                return true;
            }
            "fi" => {
                if self.conditions.pop() == Some(false) {
                    self.unknown("\\fi");
                }
                return true;
            }
            "iff" | "ifthenelse" => return false,
            _ if name.starts_with("if") => None,
            _ => return false,
        };
        match holds {
            Some(true) => self.conditions.push(true),
            Some(false) => {
                if self.reader.skip_branch() {
                    self.conditions.push(true);
                }
            }
            None => {
                self.unknown(&format!("\\{name}"));
                self.conditions.push(false);
            }
        }
        true
    }
}
