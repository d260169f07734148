//! Tests of the mutants of programs that are hard to parse: macros, templates, jumps, and new
//! features of each language. Must not compile anything.

use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::mutants::combine::combine;
use crate::mutants::parse::tolerant_parse;
use crate::mutants::{Combined, MutantIndex, Purpose};

const PROGRAMS: [(LanguageFamily, &str); 5] = [
    (LanguageFamily::Cpp, include_str!("hostile/macros.cpp")),
    (LanguageFamily::Cpp, include_str!("hostile/modern.cpp")),
    (LanguageFamily::C, include_str!("hostile/old.c")),
    (LanguageFamily::Python, include_str!("hostile/modern.py")),
    (LanguageFamily::Java, include_str!("hostile/Modern.java")),
];

fn tree(language: LanguageFamily, source: &str) -> tree_sitter::Tree {
    tolerant_parse(source, language).unwrap()
}

fn tokens(language: LanguageFamily, source: &str) -> String {
    Tokens::new(tree(language, source).root_node(), source).text(&(0..source.len()))
}

/// The number of places that the grammar cannot parse.
fn errors(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    usize::from(node.is_error() || node.is_missing())
        + node.children(&mut cursor).map(errors).sum::<usize>()
}

/// The parts that the preprocessor or the compiler evaluates.
fn closed(node: Node<'_>, parts: &mut Vec<Range<usize>>) {
    if kinds::is_closed(node) && !node.is_error() {
        parts.push(node.byte_range());
        return;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .for_each(|child| closed(child, parts));
}

/// Returns the program with each kind of line ending.
fn variants(source: &str) -> [String; 2] {
    [source.to_owned(), source.replace('\n', "\r\n")]
}

#[test]
fn mutants_differ_and_parse_like_the_original() {
    for (language, source) in PROGRAMS {
        for source in variants(source) {
            let (own, broken) = (
                tokens(language, &source),
                errors(tree(language, &source).root_node()),
            );
            let found = mutants(&source, language).unwrap();
            assert!(found.len() > 60, "{} of {language:?}", found.len());
            let (mut texts, mut ids) = (HashSet::new(), HashSet::new());
            for mutant in &found {
                let text = mutant.apply(&source);
                let its = tokens(language, &text);
                assert_ne!(own, its, "{mutant:?}");
                assert!(
                    errors(tree(language, &text).root_node()) <= broken,
                    "{mutant:?}"
                );
                assert!(texts.insert(its), "duplicate: {mutant:?}");
                assert!(ids.insert(mutant.id.clone()), "{mutant:?}");
                assert_eq!(mutant.was, source[mutant.edits[0].range.clone()]);
            }
        }
    }
}

#[test]
fn line_ends_and_comments_do_not_change_ids() {
    for (language, source) in PROGRAMS {
        let ids = |source: &str| -> Vec<String> {
            mutants(source, language)
                .unwrap()
                .into_iter()
                .map(|mutant| mutant.id)
                .collect()
        };
        let first = ids(source);
        let comment = if language == LanguageFamily::Python {
            "# first\n"
        } else {
            "// first\n"
        };
        // The line endings in string literals of several lines are part of the program.
        let lines = if source.contains("\"\"\"") {
            source.to_owned()
        } else {
            source.replace('\n', "\r\n")
        };
        assert_eq!(first.len(), ids(&lines).len());
        assert_eq!(first, ids(&format!("{comment}{source}")), "{language:?}");
    }
}

#[test]
fn compile_time_code_is_not_changed() {
    for (language, source) in PROGRAMS {
        let mut parts = Vec::new();
        closed(tree(language, source).root_node(), &mut parts);
        let words = |part: &Range<usize>| source[part.clone()].contains("long");
        for mutant in mutants(source, language).unwrap() {
            // Mutations of integer widths change types and the macros that stand for them.
            if mutant.operator == Operator::IntegerWidth {
                continue;
            }
            for edit in &mutant.edits {
                let lies_in = |part: &&Range<usize>| {
                    part.start <= edit.range.start
                        && edit.range.end <= part.end
                        && *part != &edit.range
                };
                let part = parts.iter().find(lies_in).filter(|part| !words(part));
                assert!(
                    part.is_none(),
                    "{mutant:?} in {:?}",
                    part.map(|part| &source[part.clone()])
                );
            }
        }
    }
    let found = mutants(PROGRAMS[0].1, LanguageFamily::Cpp).unwrap();
    let lines: Vec<&str> = PROGRAMS[0].1.lines().collect();
    for mutant in found
        .iter()
        .filter(|mutant| mutant.operator != Operator::IntegerWidth)
    {
        let line = lines[mutant.line - 1];
        let is_silent = [
            "#",
            "assert",
            "sync_with_stdio",
            "NEXT",
            "debug",
            "VAR",
            "stream >>",
            "stream <<",
        ];
        let inner = |word: &&&str| line.contains(**word) && mutant.edits[0].range.len() < 6;
        let word = is_silent
            .iter()
            .find(inner)
            .filter(|word| **word != "stream <<" && **word != "NEXT");
        assert!(word.is_none(), "{mutant:?} in {line}");
    }
}

#[test]
fn combined_programs_can_be_parsed_with_any_subset() {
    for (language, source) in &PROGRAMS[..3] {
        for source in variants(source) {
            let found = mutants(&source, *language).unwrap();
            for mutant in &found {
                let Some(choice) = &mutant.choice else {
                    continue;
                };
                for edit in &mutant.edits {
                    let holds = choice.range.start <= edit.range.start
                        && edit.range.end <= choice.range.end;
                    assert!(holds, "{mutant:?}");
                }
            }
            for step in [1, 3] {
                let chosen: BTreeSet<MutantIndex> =
                    MutantIndex::first(found.len()).step_by(step).collect();
                for purpose in [Purpose::Choosing, Purpose::Recording] {
                    let Combined {
                        text,
                        branches,
                        choices,
                    } = combine(&source, *language, &found, &chosen, purpose);
                    // Only compilers can decide whether the text is a program, since they know
                    // templates: the tests in `judge/tests` run them.
                    for brackets in [['(', ')'], ['{', '}'], ['[', ']']] {
                        let [open, close] = brackets.map(|bracket| text.matches(bracket).count());
                        assert_eq!(open, close, "{brackets:?} in {text}");
                    }
                    let with_choice = chosen
                        .iter()
                        .filter(|index| found[**index].choice.is_some())
                        .count();
                    assert_eq!(branches.len(), with_choice);
                    assert!(
                        choices
                            .windows(2)
                            .all(|pair| pair[0].0.start <= pair[1].0.start)
                    );
                    // No line endings are added or lost, so that line numbers in messages are
                    // correct.
                    assert_eq!(
                        text.matches('\r').count(),
                        source.matches('\r').count() + repeated(&branches, &text)
                    );
                }
            }
        }
    }
}

/// Returns the number of line endings in the texts of mutants, which are added to those of the
/// original.
fn repeated(branches: &[(Range<usize>, MutantIndex)], text: &str) -> usize {
    branches
        .iter()
        .map(|(range, _)| text[range.clone()].matches('\r').count())
        .sum()
}

#[test]
fn truncated_and_garbled_programs_do_not_panic() {
    for (language, source) in PROGRAMS {
        for at in (0..source.len())
            .step_by(487)
            .filter(|at| source.is_char_boundary(*at))
        {
            let cut = &source[..at];
            let garbled = format!("{}{}", &source[at..], cut.replace([';', ')'], " "));
            for text in [cut, garbled.as_str()] {
                // A text that cannot be parsed is an error.
                let Ok(found) = mutants(text, language) else {
                    continue;
                };
                for mutant in &found {
                    assert_ne!(mutant.apply(text), text);
                }
                let all: BTreeSet<MutantIndex> = MutantIndex::first(found.len()).collect();
                let _ = combine(text, language, &found, &all, Purpose::Recording);
            }
        }
    }
}

#[test]
fn large_tables_are_fast_and_have_unique_ids() {
    let numbers = (0..20_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let source =
        format!("int main() {{ static const int table[] = {{{numbers}}}; return table[0]; }}\n");
    let begun = std::time::Instant::now();
    let found = mutants(&source, LanguageFamily::Cpp).unwrap();
    let names: HashSet<&str> = found.iter().map(|mutant| mutant.id.as_str()).collect();
    assert!(
        found.len() > 39_000 && names.len() == found.len(),
        "{} {}",
        found.len(),
        names.len()
    );
    // The bound is for a debug build on a busy machine. Comparing all pairs would take minutes.
    assert!(
        begun.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}
