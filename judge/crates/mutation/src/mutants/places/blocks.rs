//! Blocks of C and C++ that a combined program contains several times: the original, and a copy for
//! each mistake that no expression can choose, such as one in a constant table or in a type.
//!
//! Responsible for finding these blocks. Must not know mistakes.

use std::ops::Range;

use tree_sitter::Node;

use crate::mutants::mutant::{Choice, ChoiceKind, Mistake};

/// The maximum total size of the copies of blocks, in bytes. A compiler takes more than twice as
/// long for a function of twice the length.
const MAX_COPIED_BYTES: usize = 128 << 10;

/// Gives mistakes without a choice the choice of the block around them, up to the maximum size of
/// all copies.
pub(super) fn add_choices(found: &mut [Mistake], root: Node<'_>, source: &str) {
    let mut blocks = Vec::new();
    collect(root, source, "", &mut blocks);
    blocks.sort_by_key(|block| block.start);
    let mut copied = 0;
    for mistake in found.iter_mut().filter(|mistake| mistake.choice.is_none()) {
        let (Some(first), Some(last)) = (mistake.edits.first(), mistake.edits.last()) else {
            continue;
        };
        // The search goes backwards from the edit, so that it finds the innermost block, which is
        // the smallest one to copy.
        let before = blocks.partition_point(|block| block.start <= first.range.start);
        let around = blocks[..before]
            .iter()
            .rev()
            .find(|block| last.range.end <= block.end);
        if let Some(range) = around
            .cloned()
            .filter(|range| copied + range.len() <= MAX_COPIED_BYTES)
        {
            copied += range.len();
            mistake.choice = Some(Choice::new(range, ChoiceKind::Block));
        }
    }
}

/// The ways into a part that are not its beginning.
#[derive(Clone, Copy, Default)]
struct Entries {
    /// Labels of a `switch` around the part.
    cases: bool,
    /// Labels, and directives of the preprocessor, after which the same text may mean something
    /// else.
    others: bool,
}

/// Collects the blocks that can be copied: those that are evaluated when the program runs, are
/// entered only at their beginning, and contain no directives of the preprocessor.
fn collect(node: Node<'_>, source: &str, parent: &str, blocks: &mut Vec<Range<usize>>) -> Entries {
    let (kind, before) = (node.kind(), blocks.len());
    let is_other = kind == "labeled_statement" || kind.starts_with("preproc_");
    let mut entries = Entries {
        cases: kind == "case_statement",
        others: is_other,
    };
    let mut is_evaluated = false;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        let inner = collect(child, source, kind, blocks);
        entries.cases |= inner.cases;
        entries.others |= inner.others;
        is_evaluated |= matches!(&source[child.byte_range()], "constexpr" | "consteval");
    }
    // The compiler may have to evaluate everything in such a function.
    if is_evaluated && kind == "function_definition" {
        blocks.truncate(before);
    }
    // `({ f(); 3; })` of GNU has the value of its last statement.
    let is_statement = kind == "compound_statement"
        && !matches!(parent, "switch_statement" | "parenthesized_expression");
    if is_statement && !entries.cases && !entries.others && !node.has_error() {
        blocks.push(node.byte_range());
    }
    entries.cases &= kind != "switch_statement";
    entries
}

#[cfg(test)]
mod tests {
    use crate::mutants::mutants;
    use judge_model::LanguageFamily;

    /// The text of the choice of the first mutant that replaces this text.
    fn choice(source: &str, was: &str) -> Option<String> {
        let mutants = mutants(source, LanguageFamily::Cpp).unwrap();
        let mutant = mutants.iter().find(|mutant| mutant.was == was);
        let choice = mutant
            .unwrap_or_else(|| panic!("{was} in {mutants:?}"))
            .choice
            .as_ref();
        choice.map(|choice| source[choice.range.clone()].to_owned())
    }

    #[test]
    fn mistakes_in_tables_and_types_use_the_smallest_block() {
        let table =
            "int f(int i) { if (i) { static const int T[] = {3, 5}; return T[i]; } return i; }";
        assert_eq!(
            choice(table, "3").as_deref(),
            Some("{ static const int T[] = {3, 5}; return T[i]; }")
        );
        let width = "int f() { { int a = g(); } long long b = g(); return h(b); }";
        assert_eq!(choice(width, "long long").as_deref(), Some(&width[8..]));
        assert_eq!(
            choice(
                "auto f = [](int i) { long long a = i; return h(a); };",
                "long long"
            )
            .as_deref(),
            { Some("{ long long a = i; return h(a); }") }
        );
    }

    #[test]
    fn places_outside_of_blocks_have_no_choice() {
        assert_eq!(
            choice("const int N = 3; int f(int i) { return g(N + i); }", "3"),
            None
        );
        assert_eq!(
            choice("long long T; int f() { return g(T); }", "long long"),
            None
        );
        assert_eq!(
            choice(
                "constexpr int f() { long long a = 3; return g(a); }",
                "long long"
            ),
            None
        );
    }

    #[test]
    fn blocks_with_labels_or_directives_are_not_copied() {
        let jumps = "int f(int i) { again: long long a = i; if (g(a)) goto again; return 0; }";
        assert_eq!(choice(jumps, "long long"), None);
        let case =
            "int f(int i) { switch (i) { case 1: { long long a = i; return g(a); } } return 0; }";
        assert_eq!(
            choice(case, "long long").as_deref(),
            Some("{ long long a = i; return g(a); }")
        );
        let of_switch =
            "int f(int i) { switch (i) { case 1: long long a = i; return g(a); } return 0; }";
        assert_eq!(
            choice(of_switch, "long long").as_deref(),
            Some(&of_switch[13..])
        );
        let device = "int f(int i) { switch (i) { case 0: do { case 1: long long a = i; g(a); } while (i); } return 0; }";
        assert_eq!(choice(device, "long long").as_deref(), Some(&device[13..]));
        let value = "int f() { return ({ long long a = 1; a; }); }";
        assert_eq!(choice(value, "long long").as_deref(), Some(&value[8..]));
        let directive = "int f(int i) {\n#define N 3\nlong long a = i; return g(a, N);\n}";
        assert_eq!(choice(directive, "long long"), None);
    }

    #[test]
    fn total_size_of_copies_is_limited() {
        let long = "h(1, 2, 3);\n".repeat(5000);
        let source = format!(
            "int f(int i) {{ long long a = i; long long b = i; long long c = i; {long} return g(a, b, c); }}"
        );
        let mutants = mutants(&source, LanguageFamily::Cpp).unwrap();
        let wide = mutants
            .iter()
            .filter(|mutant| mutant.was == "long long" && mutant.edits.len() == 1);
        let chosen = wide
            .clone()
            .filter(|mutant| mutant.choice.is_some())
            .count();
        assert!(wide.count() == 3 && chosen == 2, "{chosen}");
    }
}
