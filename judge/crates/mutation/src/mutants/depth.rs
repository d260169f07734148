//! How deep parts of a program lie in one another.
//!
//! Responsible for refusing what is deeper than anybody writes, before it is walked: each level takes some of the stack. Pure.
//! Must not know what the parts are.

use std::thread;

use proc_macro2::{TokenStream, TokenTree};
use tree_sitter::Tree;

use crate::language::MutantLanguage;
use crate::mutants::find::Unreadable;

/// The levels of a program that is read.
const MOST: usize = 2_000;
/// The tokens of one expression in Rust: each operator in it may be a level.
const MOST_TOKENS: usize = 2 * MOST;
/// The stack for programs of so many levels; only what is used of it takes memory.
const STACK: usize = 1 << 30;

/// Reads a program where there is room for so many levels.
pub(super) fn with_room<T: Send>(
    language: MutantLanguage,
    read: impl FnOnce() -> Result<T, Unreadable> + Send,
) -> Result<T, Unreadable> {
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(error) => {
            let reason = format!("no thread with room for deep programs can be started: {error}");
            Err(Unreadable { line: 1, language: language.name(), reason })
        }
    })
}

fn refusal(line: usize, language: &'static str) -> Unreadable {
    Unreadable { line, language, reason: format!("expected at most {MOST} levels of nesting, found more") }
}

/// Refuses a syntax tree with more levels.
pub(super) fn check_tree(tree: &Tree, language: MutantLanguage) -> Result<(), Unreadable> {
    let mut cursor = tree.walk();
    loop {
        if cursor.depth() as usize > MOST {
            return Err(refusal(cursor.node().start_position().row + 1, language.name()));
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
        }
    }
}

/// Refuses tokens in Rust with more levels of brackets, or with so many in a row that the operators among them are as many
/// levels.
pub(super) fn check_tokens(tokens: &TokenStream) -> Result<(), Unreadable> {
    let mut open = vec![(tokens.clone().into_iter(), 0)];
    while let Some((tokens, row)) = open.last_mut() {
        let Some(token) = tokens.next() else {
            open.pop();
            continue;
        };
        let line = token.span().start().line;
        match &token {
            TokenTree::Punct(end) if matches!(end.as_char(), ';' | ',') => *row = 0,
            _ => *row += 1,
        }
        if *row > MOST_TOKENS {
            return Err(refusal(line, MutantLanguage::Rust.name()));
        }
        if let TokenTree::Group(group) = token {
            if group.delimiter() == proc_macro2::Delimiter::Brace {
                *row = 0;
            }
            open.push((group.stream().into_iter(), 0));
        }
        if open.len() > MOST {
            return Err(refusal(line, MutantLanguage::Rust.name()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutants;

    fn nested(language: MutantLanguage, levels: usize) -> String {
        let (open, close) = ("(".repeat(levels), ")".repeat(levels));
        match language {
            MutantLanguage::Rust => format!("fn main() {{\n let a = {open}1{close};\n}}\n"),
            MutantLanguage::C | MutantLanguage::Cpp => format!("int main() {{\n int a = {open}1{close};\n}}\n"),
            MutantLanguage::Java => format!("class A {{\n int a = {open}1{close};\n}}\n"),
            MutantLanguage::Python => format!("\na = {open}1{close}\n"),
        }
    }

    #[test]
    fn what_is_deeper_than_anybody_writes_is_refused_with_its_line() {
        for language in MutantLanguage::ALL {
            assert!(!mutants(&nested(language, 900), language).unwrap().is_empty(), "{language:?}");
            for levels in [2_100, 100_000] {
                let error = mutants(&nested(language, levels), language).unwrap_err();
                assert!(error.to_string().contains("levels of nesting") && error.line == 2, "{language:?}: {error}");
            }
        }
    }

    #[test]
    fn long_chains_are_levels_too() {
        for language in MutantLanguage::ALL {
            let chain = |length: usize| nested(language, 0).replace("= 1", &format!("= 1{}", " + 1".repeat(length)));
            assert!(mutants(&chain(900), language).is_ok(), "{language:?}");
            let error = mutants(&chain(100_000), language).unwrap_err();
            assert!(error.to_string().contains("levels of nesting"), "{language:?}: {error}");
        }
        let not = format!("fn main() {{ let a = {}true; }}\n", "!".repeat(100_000));
        assert!(mutants(&not, MutantLanguage::Rust).is_err());
    }

    #[test]
    fn a_long_table_is_no_deep_one() {
        let table = format!("fn main() {{ let a = [{}]; }}\n", "1, ".repeat(5_000));
        assert!(!mutants(&table, MutantLanguage::Rust).unwrap().is_empty());
        let lines = format!("int main() {{\n{}}}\n", "f(1);\n".repeat(3_000));
        assert!(!mutants(&lines, MutantLanguage::Cpp).unwrap().is_empty());
    }
}
