//! Syntax trees of programs.
//!
//! Responsible for the grammars, for the requirements on programs, and for walking trees. Must not
//! know mutants.

use std::iter;
use std::ops::Range;
use std::thread;

use judge_model::LanguageFamily;
use tree_sitter::{Language, Node, Parser, Tree, TreeCursor};

/// The maximum depth of a tree: finding mutants takes some of the stack for each level.
const MAX_DEPTH: usize = 2_000;
/// The size of the stack for trees of this depth. Only the used part takes memory.
const STACK_BYTES: usize = 1 << 30;
/// The maximum depth of nested macro calls whose arguments are parsed.
const MAX_MACRO_DEPTH: usize = 8;

/// Macros of Rust that evaluate their arguments in order, like a function.
const EVALUATING_MACROS: [&str; 7] = [
    "print", "println", "write", "writeln", "format", "eprint", "eprintln",
];

/// The error about a text that is not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} cannot be parsed as {language}: {reason}")]
pub(crate) struct Unreadable {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The language.
    pub(crate) language: &'static str,
    /// The fault of the line.
    pub(crate) reason: String,
}

/// Runs `read` with enough stack for trees of the maximum depth.
pub(super) fn with_stack<T: Send>(
    language: LanguageFamily,
    read: impl FnOnce() -> Result<T, Unreadable> + Send,
) -> Result<T, Unreadable> {
    thread::scope(|scope| {
        match thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, read)
        {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let reason = format!("cannot start a thread with enough stack: {error}");
                Err(Unreadable {
                    line: 1,
                    language: language.name(),
                    reason,
                })
            }
        }
    })
}

/// The syntax tree of a program. Parts of it may be errors, except in Rust: macros prevent the
/// other grammars from parsing everything.
///
/// # Errors
/// Fails when the text is not a program in this language, or is nested too deeply.
pub(super) fn parse(source: &str, language: LanguageFamily) -> Result<Tree, Unreadable> {
    let unreadable = |line: usize, reason: String| Unreadable {
        line,
        language: language.name(),
        reason,
    };
    let tree = tolerant_parse(source, language)
        .ok_or_else(|| unreadable(1, "no syntax tree".to_owned()))?;
    for (depth, node) in descendants_with_depth(tree.root_node()) {
        let line = node.start_position().row + 1;
        if depth > MAX_DEPTH {
            return Err(unreadable(
                line,
                format!("expected at most {MAX_DEPTH} levels of nesting, found more"),
            ));
        }
        let is_refused = language == LanguageFamily::Rust || depth == 0;
        if is_refused && (node.is_error() || node.is_missing()) {
            return Err(unreadable(line, "syntax error".to_owned()));
        }
    }
    Ok(tree)
}

/// The syntax tree of a text. Parts that cannot be parsed are error nodes.
pub(super) fn tolerant_parse(source: &str, language: LanguageFamily) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar(language)).ok()?;
    let mut tree = parser.parse(source, None)?;
    if language == LanguageFamily::Rust {
        let mut text = source.as_bytes().to_vec();
        // The arguments of a macro are parsed only after its mark is replaced, so each round
        // reaches the macros one level deeper.
        for _ in 0..MAX_MACRO_DEPTH {
            let marks: Vec<_> = descendants(tree.root_node())
                .filter_map(|node| macro_mark(node, source))
                .collect();
            // Spaces preserve all offsets, because the tree is later used with the original source.
            for (mark, replacement) in &marks {
                text[mark.clone()].fill(b' ');
                text[mark.start] = *replacement;
            }
            let read = parser.parse(&text, None)?;
            // The arguments of a macro need not parse as those of a call. The last tree without
            // errors is then used, in which the arguments are only tokens.
            if marks.is_empty() || read.root_node().has_error() {
                break;
            }
            tree = read;
        }
    }
    Some(tree)
}

fn grammar(language: LanguageFamily) -> Language {
    match language {
        LanguageFamily::Rust => tree_sitter_rust::LANGUAGE.into(),
        LanguageFamily::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        LanguageFamily::C => tree_sitter_c::LANGUAGE.into(),
        LanguageFamily::Java => tree_sitter_java::LANGUAGE.into(),
        LanguageFamily::Python => tree_sitter_python::LANGUAGE.into(),
    }
}

/// The part of a macro call of Rust that is replaced so that its arguments are parsed, which the
/// grammar otherwise leaves as tokens. It parses `print (a, b)` as a call, and `&   [a; n]` as an
/// array that begins at the place of `vec!`.
fn macro_mark(node: Node<'_>, source: &str) -> Option<(Range<usize>, u8)> {
    (node.kind() == "macro_invocation").then_some(())?;
    let (name, mark, arguments) = (
        node.child_by_field_name("macro")?,
        node.child(1)?,
        node.child(2)?,
    );
    match (&source[name.byte_range()], arguments.child(0)?.kind()) {
        ("vec", "[") => Some((name.start_byte()..mark.end_byte(), b'&')),
        (name, "(") => EVALUATING_MACROS
            .contains(&name)
            .then(|| (mark.byte_range(), b' ')),
        _ => None,
    }
}

/// Returns true for a call in a tree that is a macro call in the program.
pub(super) fn is_macro_call(call: Node<'_>, source: &str) -> bool {
    call.child_by_field_name("function")
        .is_some_and(|function| source[function.end_byte()..].starts_with('!'))
}

/// Returns true for a place directly after `vec!`, whose arguments are an array in the tree.
pub(super) fn follows_vec(start: usize, source: &str) -> bool {
    source[..start].ends_with("vec!")
}

/// A node and all of its descendants, in the order of the text.
pub(super) fn descendants(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    descendants_with_depth(node).map(|(_, node)| node)
}

fn descendants_with_depth(node: Node<'_>) -> impl Iterator<Item = (usize, Node<'_>)> {
    let (mut cursor, mut next) = (node.walk(), Some(0));
    iter::from_fn(move || {
        let depth = next?;
        let found = (depth, cursor.node());
        next = next_depth(&mut cursor, depth);
        Some(found)
    })
}

/// Moves to the next node and returns its depth. `None` after the last one.
fn next_depth(cursor: &mut TreeCursor<'_>, mut depth: usize) -> Option<usize> {
    if cursor.goto_first_child() {
        return Some(depth + 1);
    }
    while !cursor.goto_next_sibling() {
        cursor.goto_parent().then_some(())?;
        depth -= 1;
    }
    Some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutants;

    fn nested(language: LanguageFamily, levels: usize) -> String {
        let (open, close) = ("(".repeat(levels), ")".repeat(levels));
        match language {
            LanguageFamily::Rust => format!("fn main() {{\n let a = {open}1{close};\n}}\n"),
            LanguageFamily::C | LanguageFamily::Cpp => {
                format!("int main() {{\n int a = {open}1{close};\n}}\n")
            }
            LanguageFamily::Java => format!("class A {{\n int a = {open}1{close};\n}}\n"),
            LanguageFamily::Python => format!("\na = {open}1{close}\n"),
        }
    }

    #[test]
    fn too_deeply_nested_programs_are_refused_with_a_line() {
        for language in LanguageFamily::ALL {
            assert!(
                !mutants(&nested(language, 900), language)
                    .unwrap()
                    .is_empty(),
                "{language:?}"
            );
            for levels in [2_100, 100_000] {
                let error = mutants(&nested(language, levels), language).unwrap_err();
                assert!(
                    error.to_string().contains("levels of nesting") && error.line == 2,
                    "{language:?}: {error}"
                );
            }
        }
    }

    #[test]
    fn long_chains_count_as_nesting() {
        for language in LanguageFamily::ALL {
            let chain = |length: usize| {
                nested(language, 0).replace("= 1", &format!("= 1{}", " + 1".repeat(length)))
            };
            assert!(mutants(&chain(900), language).is_ok(), "{language:?}");
            let error = mutants(&chain(100_000), language).unwrap_err();
            assert!(
                error.to_string().contains("levels of nesting"),
                "{language:?}: {error}"
            );
        }
        let not = format!("fn main() {{ let a = {}true; }}\n", "!".repeat(100_000));
        assert!(mutants(&not, LanguageFamily::Rust).is_err());
    }

    #[test]
    fn long_tables_are_not_nested() {
        let table = format!("fn main() {{ let a = [{}]; }}\n", "1, ".repeat(5_000));
        assert!(!mutants(&table, LanguageFamily::Rust).unwrap().is_empty());
        let lines = format!("int main() {{\n{}}}\n", "f(1);\n".repeat(3_000));
        assert!(!mutants(&lines, LanguageFamily::Cpp).unwrap().is_empty());
    }
}
