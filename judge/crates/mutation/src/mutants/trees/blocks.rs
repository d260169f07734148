//! Blocks of C and C++ that a program of many mutants holds several times: once for each mistake in them that cannot be
//! chosen as an expression, such as one in a constant table or in a type, and once as they are.
//!
//! Responsible for which block that is. Must not know mistakes.

use std::ops::Range;

use tree_sitter::Node;

use crate::mutants::find::Found;
use crate::mutants::mutant::{Differs, Seat, SeatKind};

/// The most bytes of all copies of blocks. A compiler takes more than twice as long for a function of twice the length.
const MOST_COPIED: usize = 128 << 10;

/// Gives those mistakes without a seat one that lie in a block, as far as there is room for the copies.
pub(super) fn seat(found: &mut [Found], root: Node<'_>, source: &str) {
    let mut finder = Finder { source, blocks: Vec::new() };
    finder.walk(root, "", false);
    let mut blocks = finder.blocks;
    blocks.sort_by_key(|block| block.start);
    let mut copied = 0;
    for found in found.iter_mut().filter(|found| found.seat.is_none()) {
        let edits = (found.edits.first(), found.edits.last());
        let (Some(first), Some(last)) = edits else { continue };
        let before = blocks.partition_point(|block| block.start <= first.range.start);
        let around = blocks[..before].iter().rev().find(|block| last.range.end <= block.end);
        let Some(range) = around.cloned().filter(|range| copied + range.len() <= MOST_COPIED) else { continue };
        copied += range.len();
        found.seat = Some(Seat { range, kind: SeatKind::Block, instead: None, differs: Differs::Always });
    }
}

struct Finder<'s> {
    source: &'s str,
    /// Those that can stand several times: blocks of functions that run when the program does, entered at their beginning
    /// only, and without instructions to the preprocessor.
    blocks: Vec<Range<usize>>,
}

/// The ways into a part that are not its beginning.
#[derive(Clone, Copy, Default)]
struct Entries {
    /// Labels of a `switch` around it.
    cases: bool,
    /// Labels, and instructions to the preprocessor, after which the same text may be another.
    others: bool,
}

impl Finder<'_> {
    fn walk(&mut self, node: Node<'_>, parent: &str, is_evaluated: bool) -> Entries {
        let kind = node.kind();
        let is_evaluated = is_evaluated || kind == "function_definition" && self.is_evaluated(node);
        let mut entries = Entries { cases: kind == "case_statement", others: is_label_or_instruction(kind) };
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let of_child = self.walk(child, kind, is_evaluated);
            entries.cases |= of_child.cases;
            entries.others |= of_child.others;
        }
        let is_whole = !entries.cases && !entries.others && !node.has_error();
        // `({ f(); 3; })` of GNU has the value of its last statement.
        let is_statement =
            kind == "compound_statement" && !matches!(parent, "switch_statement" | "parenthesized_expression");
        if is_statement && is_whole && !is_evaluated {
            self.blocks.push(node.byte_range());
        }
        entries.cases &= kind != "switch_statement";
        entries
    }

    /// True for a function that the compiler may have to evaluate.
    fn is_evaluated(&self, function: Node<'_>) -> bool {
        let mut cursor = function.walk();
        function.children(&mut cursor).any(|part| matches!(&self.source[part.byte_range()], "constexpr" | "consteval"))
    }
}

fn is_label_or_instruction(kind: &str) -> bool {
    kind == "labeled_statement" || kind.starts_with("preproc_")
}

#[cfg(test)]
mod tests {
    use crate::language::MutantLanguage;
    use crate::mutants::mutants;

    /// The text of the seat of the first mutant of this text in this program.
    fn seat(source: &str, was: &str) -> Option<String> {
        let mutants = mutants(source, MutantLanguage::Cpp).unwrap();
        let mutant = mutants.iter().find(|mutant| mutant.was == was);
        let seat = mutant.unwrap_or_else(|| panic!("{was} in {mutants:?}")).seat.as_ref();
        seat.map(|seat| source[seat.range.clone()].to_owned())
    }

    #[test]
    fn tables_and_types_have_the_smallest_block_around_them() {
        let table = "int f(int i) { if (i) { static const int T[] = {3, 5}; return T[i]; } return i; }";
        assert_eq!(seat(table, "3").as_deref(), Some("{ static const int T[] = {3, 5}; return T[i]; }"));
        let width = "int f() { { int a = g(); } long long b = g(); return h(b); }";
        assert_eq!(seat(width, "long long").as_deref(), Some(&width[8..]));
        assert_eq!(seat("auto f = [](int i) { long long a = i; return h(a); };", "long long").as_deref(), {
            Some("{ long long a = i; return h(a); }")
        });
    }

    #[test]
    fn what_lies_in_no_block_has_none() {
        assert_eq!(seat("const int N = 3; int f(int i) { return g(N + i); }", "3"), None);
        assert_eq!(seat("long long T; int f() { return g(T); }", "long long"), None);
        assert_eq!(seat("constexpr int f() { long long a = 3; return g(a); }", "long long"), None);
    }

    #[test]
    fn blocks_that_are_entered_elsewhere_or_hold_instructions_are_not_copied() {
        let jumps = "int f(int i) { again: long long a = i; if (g(a)) goto again; return 0; }";
        assert_eq!(seat(jumps, "long long"), None);
        let case = "int f(int i) { switch (i) { case 1: { long long a = i; return g(a); } } return 0; }";
        assert_eq!(seat(case, "long long").as_deref(), Some("{ long long a = i; return g(a); }"));
        let of_switch = "int f(int i) { switch (i) { case 1: long long a = i; return g(a); } return 0; }";
        assert_eq!(seat(of_switch, "long long").as_deref(), Some(&of_switch[13..]));
        let device =
            "int f(int i) { switch (i) { case 0: do { case 1: long long a = i; g(a); } while (i); } return 0; }";
        assert_eq!(seat(device, "long long").as_deref(), Some(&device[13..]));
        let value = "int f() { return ({ long long a = 1; a; }); }";
        assert_eq!(seat(value, "long long").as_deref(), Some(&value[8..]));
        let instruction = "int f(int i) {\n#define N 3\nlong long a = i; return g(a, N);\n}";
        assert_eq!(seat(instruction, "long long"), None);
    }

    #[test]
    fn there_is_an_end_to_copies() {
        let long = "h(1, 2, 3);\n".repeat(5000);
        let source =
            format!("int f(int i) {{ long long a = i; long long b = i; long long c = i; {long} return g(a, b, c); }}");
        let mutants = mutants(&source, MutantLanguage::Cpp).unwrap();
        let wide = mutants.iter().filter(|mutant| mutant.was == "long long" && mutant.edits.len() == 1);
        let seated = wide.clone().filter(|mutant| mutant.seat.is_some()).count();
        assert!(wide.count() == 3 && seated == 2, "{seated}");
    }
}
