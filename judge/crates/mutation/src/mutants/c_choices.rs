//! Choices in C and C++: how one program holds many mutants, and what it needs for that.
//!
//! Responsible for the text of one choice. Must not know where choices stand.
//!
//! No header is included: its names could be those of the program.

use std::fmt::Write as _;

use crate::mutants::combine::{Combined, Node, Purpose, Writer};
use crate::mutants::mutant::{Differs, SeatKind, apply};

/// The text that stands before the program.
pub(super) fn support(purpose: Purpose, mutants: usize) -> String {
    let letters: Vec<String> = Combined::MARK.chars().map(|letter| format!("'{letter}'")).collect();
    let letters = letters.join(",");
    match purpose {
        Purpose::Choosing => CHOOSING.replace("@MARK@", &letters),
        Purpose::Recording => RECORDING.replace("@MARK@", Combined::MARK).replace("@COUNT@", &mutants.to_string()),
    }
}

impl Writer<'_> {
    pub(super) fn choice_in_c(&mut self, node: &Node) {
        let is_statement = node.kind.is_statement();
        self.text.push_str(if is_statement { "{ " } else { "(" });
        for index in &node.mutants {
            // Each on a line of its own: compilers do not count the columns of very long lines.
            let _ = write!(self.text, "\n{}judge_is({})", if is_statement { "if (" } else { "" }, index.number());
            self.text.push_str(if is_statement { ") { " } else { " ? (" });
            let start = self.text.len();
            let mutant = &self.mutants[*index];
            let instead = mutant.seat.as_ref().and_then(|seat| seat.instead.clone());
            self.text += &instead.unwrap_or_else(|| apply(self.source, node.range.clone(), &mutant.edits));
            self.branches.push((start..self.text.len(), *index));
            self.text.push_str(if is_statement { " } else " } else { ") : " });
        }
        self.original_in_c(node);
        self.text.push_str(if is_statement { " }" } else { ")" });
    }

    pub(super) fn record_in_c(&mut self, node: &Node) {
        let is_statement = node.kind.is_statement();
        self.text.push_str(if is_statement { "{ " } else { "(" });
        let mut values = 0;
        for index in &node.mutants {
            let differs = self.mutants[*index].seat.as_ref().map_or(&Differs::Always, |seat| &seat.differs);
            let start = self.text.len();
            let _ = match differs {
                Differs::Always => write!(self.text, "\njudge_saw({index}, 1)"),
                Differs::When(condition) => write!(self.text, "\njudge_saw({index}, ({condition}))"),
                Differs::UnlessValueIs(value) => {
                    values += 1;
                    write!(self.text, "\njudge_value({index}, {}, ", u8::from(*value))
                }
            };
            self.branches.push((start..self.text.len(), *index));
            match differs {
                Differs::UnlessValueIs(_) => {}
                _ => self.text.push_str(if is_statement { "; " } else { ", " }),
            }
        }
        self.original_in_c(node);
        self.text.push_str(&")".repeat(values));
        self.text.push_str(if is_statement { " }" } else { ")" });
    }

    /// The place as it is. A condition becomes a truth value, which a stream for example can be chosen against.
    fn original_in_c(&mut self, node: &Node) {
        let (open, close) = match node.kind {
            SeatKind::Statement | SeatKind::Block => ("\n{ ", " }"),
            SeatKind::Condition => ("\n!!(", ")"),
            SeatKind::Expression => ("\n(", ")"),
        };
        self.text.push_str(open);
        self.part(node.range.clone(), &node.inner);
        self.text.push_str(close);
    }
}

/// The choice of a mutant. `used` keeps it as it is, and what is volatile is read every time.
const CHOOSING: &str = r"
static struct { char mark[24]; volatile unsigned chosen; } judge_mutants __attribute__((used)) = { {@MARK@}, 0 };
static __inline__ __attribute__((unused)) int judge_is(unsigned number) { return judge_mutants.chosen == number; }
";

/// The report is written when the program ends.
const RECORDING: &str = r#"
extern long judge_write(int, const void *, unsigned long) __asm__("write");
static char judge_seen[@COUNT@];
static __inline__ __attribute__((unused)) void judge_saw(int mutant, int differs) {
    if (differs) judge_seen[mutant] = 2; else if (!judge_seen[mutant]) judge_seen[mutant] = 1;
}
static __inline__ __attribute__((unused)) int judge_value(int mutant, int not_this, int value) {
    judge_saw(mutant, value != not_this);
    return value;
}
__attribute__((destructor)) static void judge_report(void) {
    static char line[@COUNT@];
    int i;
    for (i = 0; i < @COUNT@; i++) line[i] = '0' + judge_seen[i];
    judge_write(2, "\n@MARK@ ", 26);
    judge_write(2, line, @COUNT@);
    judge_write(2, "\n", 1);
}
"#;
