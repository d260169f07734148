//! Tests of the text of combined programs, without compiling them.

use std::collections::BTreeSet;

use super::*;
use crate::mutants::testing::rust_mutants;

fn combined(source: &str, purpose: Purpose) -> (Combined, Vec<Mutant>) {
    let mutants = rust_mutants(source);
    let all: BTreeSet<MutantIndex> = MutantIndex::first(mutants.len()).collect();
    (
        combine(source, LanguageFamily::Rust, &mutants, &all, purpose),
        mutants,
    )
}

fn program(combined: &Combined) -> &str {
    combined
        .text
        .split("\nmod __mutants")
        .next()
        .unwrap_or_default()
}

#[test]
fn nested_choices_occur_only_in_the_original() {
    let (combined, mutants) = combined("fn f() { a + (b + c) }", Purpose::Choosing);
    let expected = "fn f() { (if crate::__mutants::is(1) { a - (b + c) } else { \
        a + ((if crate::__mutants::is(2) { b - c } else { b + c })) }) }";
    assert_eq!(program(&combined), expected);
    assert_eq!(mutants.len(), 2);
    let texts: Vec<_> = combined
        .branches
        .iter()
        .map(|(range, index)| (&combined.text[range.clone()], index.0))
        .collect();
    assert_eq!(texts, [("a - (b + c)", 0), ("b - c", 1)]);
    assert!(
        combined.text[combined.choices[1].0.clone()].starts_with("(if crate::__mutants::is(2)")
    );
    assert!(
        combined.choices[0].0.start < combined.choices[1].0.start
            && combined.choices[1].0.end < combined.choices[0].0.end
    );
}

#[test]
fn choices_replace_entire_statements() {
    let (combined, _) = combined("fn f() { a = 0; }", Purpose::Choosing);
    let expected = "fn f() { if crate::__mutants::is(1) {  } else { \
        a = (if crate::__mutants::is(2) { 1 } else { 0 }); } }";
    assert_eq!(program(&combined), expected);
}

#[test]
fn choices_of_ranges_keep_the_type() {
    let (combined, _) = combined(
        "fn f() { for i in a..b {} for i in c..=d {} }",
        Purpose::Choosing,
    );
    assert!(program(&combined).contains("is(1) { (a..(b) + 1) } else { a..b }"));
    assert!(
        program(&combined).contains(
            "is(2) { { let mut range = c..=d; range.next_back(); range } } else { c..=d }"
        )
    );
}

#[test]
fn recording_includes_the_difference_of_values() {
    let (combined, _) = combined("fn main() { if a < b { c = d + e; } }", Purpose::Recording);
    let expected = "fn main() { let _report = crate::__mutants::Report; if ({ \
        crate::__mutants::saw(2, ((a < b) != (a <= b))); crate::__mutants::saw(3, ((a < b) != (a != b))); \
        crate::__mutants::value(0, true, crate::__mutants::value(1, false, a < b)) }) { \
        crate::__mutants::saw(4, true); c = ({ crate::__mutants::saw(5, true); d + e }); } }";
    assert_eq!(program(&combined), expected);
    assert!(combined.text.contains("[AtomicU8; 6]") && combined.text.contains(Combined::MARK));
}

#[test]
fn combined_programs_contain_only_chosen_mutants_with_a_choice() {
    let source = "const N: u8 = 1; fn f() { a + b - c }";
    let mutants = rust_mutants(source);
    let some = combine(
        source,
        LanguageFamily::Rust,
        &mutants,
        &BTreeSet::from([0, 3, 99].map(MutantIndex)),
        Purpose::Choosing,
    );
    assert_eq!(some.branches.len(), 1);
    assert!(program(&some).contains("is(4)") && !program(&some).contains("is(3)"));
    assert_eq!(Combined::MARK.len(), 24);
}
