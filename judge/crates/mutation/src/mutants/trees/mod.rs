//! Finding the places for mistakes in syntax trees: in C++, C, Java and Python.
//!
//! Responsible for the walk and for the mistakes that a node has room for. Must not know how many mutants share a
//! program. The kinds of nodes are in `grammar`.

mod blocks;
mod calls;
mod conversions;
mod grammar;
mod mistakes;
mod widths;

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Parser};

use crate::language::MutantLanguage;
use crate::mutants::depth;
use crate::mutants::find::{Found, Function, Unreadable, named};
use crate::mutants::identity::Tokens;
use crate::mutants::mutant::{Differs, Edit, Mutant, Operation, Seat, SeatKind};
use crate::mutants::operator::Operator;

pub(crate) use grammar::grammar;

/// The longest table outside of functions whose values can be chosen: a choice takes the compiler longer than a number.
const MOST_TABLE_BYTES: usize = 2 << 10;

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// When hardly anything of it can be read.
pub(crate) fn mutants(source: &str, language: MutantLanguage) -> Result<Vec<Mutant>, Unreadable> {
    let unreadable = |line: usize| Unreadable { line, language: language.name(), reason: "no syntax tree".to_owned() };
    let mut parser = Parser::new();
    let grammar = grammar(language).ok_or_else(|| unreadable(1))?;
    parser.set_language(&grammar).map_err(|_| unreadable(1))?;
    let tree = parser.parse(source, None).ok_or_else(|| unreadable(1))?;
    if tree.root_node().is_error() {
        return Err(unreadable(1));
    }
    depth::check_tree(&tree, language)?;
    let mut tokens = Vec::new();
    collect_tokens(tree.root_node(), source, &mut tokens);
    let (mut macros, mut defined) = (HashSet::new(), HashSet::new());
    definitions(tree.root_node(), source, &mut macros, &mut defined);
    let (found, functions) = (Vec::new(), Vec::new());
    let mut finder = TreeFinder { source, language, macros, defined, found, functions, fixed: 0, in_table: false };
    finder.walk(tree.root_node());
    finder.found.extend(widths::mistakes(tree.root_node(), source, language));
    let mut seen = HashSet::new();
    finder.found.retain(|found| {
        let edits: Vec<_> = found.edits.iter().filter_map(|edit| smallest(source, edit)).collect();
        !edits.is_empty() && seen.insert(edits)
    });
    if finder.is_c_family() {
        blocks::seat(&mut finder.found, tree.root_node(), source);
    }
    Ok(named(source, &Tokens::new(tokens), finder.found))
}

/// What an edit really changes, beside space: the part without what is the same at both ends. `None` when that is nothing.
fn smallest(source: &str, edit: &Edit) -> Option<(Range<usize>, String)> {
    let was = &source[edit.range.clone()];
    let without_space = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    if without_space(was) == without_space(&edit.text) {
        return None;
    }
    let same = |(one, other): &(char, char)| one == other;
    let before: usize = was.chars().zip(edit.text.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (was, text) = (&was[before..], &edit.text[before..]);
    let behind = was.chars().rev().zip(text.chars().rev()).take_while(same);
    let behind: usize = behind.map(|(one, _)| one.len_utf8()).sum();
    let start = edit.range.start + before;
    Some((start..start + was.len() - behind, text[..text.len() - behind].to_owned()))
}

/// The names of what the file defines for the preprocessor: with arguments, which may be anything, and without, but for
/// numbers.
fn definitions(node: Node<'_>, source: &str, macros: &mut HashSet<String>, defined: &mut HashSet<String>) {
    let mut cursor = node.walk();
    for node in node.children(&mut cursor).filter(|node| node.kind().starts_with("preproc_")) {
        let name = node.child_by_field_name("name").map(|name| source[name.byte_range()].to_owned());
        let value = node.child_by_field_name("value").map(|value| source[value.byte_range()].trim());
        let is_number = || value.is_some_and(|value| value.starts_with(|first: char| first.is_ascii_digit()));
        match node.kind() {
            "preproc_function_def" => macros.extend(name),
            "preproc_def" if !is_number() => defined.extend(name),
            _ => {}
        }
        definitions(node, source, macros, defined);
    }
}

fn collect_tokens(node: Node<'_>, source: &str, tokens: &mut Vec<(Range<usize>, String)>) {
    if node.kind().contains("comment") {
        return;
    }
    if node.child_count() == 0 {
        tokens.push((node.byte_range(), source[node.byte_range()].to_owned()));
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        collect_tokens(child, source, tokens);
    }
}

struct TreeFinder<'s> {
    source: &'s str,
    language: MutantLanguage,
    /// Macros with arguments.
    macros: HashSet<String>,
    /// Macros without arguments that are no numbers.
    defined: HashSet<String>,
    found: Vec<Found>,
    functions: Vec<Function>,
    /// The number of parts around that the compiler evaluates.
    fixed: usize,
    /// True in the values of a table outside of functions.
    in_table: bool,
}

impl TreeFinder<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        &self.source[node.byte_range()]
    }

    fn is_macro(&self, name: Node<'_>) -> bool {
        let text = self.text(name);
        self.macros.contains(text) || self.defined.contains(text) || text == "assert"
    }

    fn is_c_family(&self) -> bool {
        matches!(self.language, MutantLanguage::C | MutantLanguage::Cpp)
    }

    fn walk(&mut self, node: Node<'_>) {
        let is_macro = |node: Node<'_>| self.is_macro(node);
        let is_call_of_macro = node.child_by_field_name("function").is_some_and(is_macro);
        if grammar::is_closed(&node) || is_call_of_macro || self.is_setting_up(node) {
            return;
        }
        let function = grammar::is_function(&node).then(|| function_of(node, self.source));
        let is_function = function.is_some();
        self.functions.extend(function);
        let is_table = self.functions.is_empty() && self.language == MutantLanguage::Cpp && self.is_table(node);
        let is_fixed = !is_table && self.is_constant(node) || grammar::is_static_condition(&node);
        self.in_table |= is_table;
        self.fixed += usize::from(is_fixed);
        if !node.has_error() {
            self.mistakes(node);
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            // The value of a `case` is known to the compiler.
            let is_label = node.kind() == "case_statement" && node.child_by_field_name("value") == Some(child);
            if !is_label {
                self.walk(child);
            }
        }
        self.fixed -= usize::from(is_fixed);
        self.in_table &= !is_table;
        if is_function {
            self.functions.pop();
        }
    }

    /// True for a declaration that the compiler may have to evaluate.
    fn is_constant(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut words = node
            .children(&mut cursor)
            .filter(|part| matches!(part.kind(), "type_qualifier" | "storage_class_specifier"))
            .map(|part| self.text(part));
        match node.kind() {
            // A function that is `static` runs like any other.
            "function_definition" => words.any(|word| matches!(word, "constexpr" | "consteval")),
            // A constant that is made of what only a running program knows is not evaluated before.
            "declaration" => words.any(|word| match word {
                "constexpr" | "constinit" | "static" => true,
                "const" => !runs(node),
                _ => false,
            }),
            "field_declaration" => words.any(|word| matches!(word, "const" | "constexpr" | "constinit" | "static")),
            _ => false,
        }
    }

    /// True for a table of C++ that is filled when the program starts, unless all its values are known before. The compiler
    /// may need single constants, but never what stands in a table that is not `constexpr`.
    fn is_table(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let is_evaluated = parts.iter().any(|part| matches!(self.text(*part), "constexpr" | "constinit"));
        let of_one = |part: &&Node<'_>| part.kind() == "init_declarator";
        let is_list = |part: &Node<'_>| {
            let value = part.child_by_field_name("value");
            value.is_some_and(|value| value.kind() == "initializer_list" && value.named_child_count() > 1)
        };
        let is_small = node.byte_range().len() <= MOST_TABLE_BYTES;
        let mut all = parts.iter().filter(of_one).peekable();
        node.kind() == "declaration" && is_small && !is_evaluated && all.peek().is_some() && all.all(is_list)
    }

    /// Takes a mistake. It shares a program with others where the language can choose between expressions.
    fn add(
        &mut self,
        operator: Operator,
        (range, text): (Range<usize>, String),
        (seat, kind): (Range<usize>, SeatKind),
        differs: Differs,
    ) {
        let seat = self.is_shared().then_some(Seat { range: seat, kind, instead: None, differs });
        self.take(operator, vec![Edit { range, text }], seat);
    }

    /// Takes a mistake in an expression, for which something else of the same meaning is chosen in a shared program.
    fn add_instead(
        &mut self,
        operator: Operator,
        (range, text): (Range<usize>, String),
        seat: Range<usize>,
        instead: Option<String>,
    ) {
        let (kind, differs) = (SeatKind::Expression, Differs::Always);
        let seat = self.is_shared().then_some(Seat { range: seat, kind, instead, differs });
        self.take(operator, vec![Edit { range, text }], seat);
    }

    /// Takes a mistake that no expression can be chosen for.
    fn add_fixed(&mut self, operator: Operator, (range, text): (Range<usize>, String)) {
        self.take(operator, vec![Edit { range, text }], None);
    }

    /// Notes of the mistake that was taken last what operation it is in.
    fn in_operation(&mut self, operation: (&str, &str, &str), other: &str) {
        if let Some(last) = self.found.last_mut() {
            last.operation = Some(Operation::new(operation, other));
        }
    }

    /// True where one program can choose.
    fn is_shared(&self) -> bool {
        self.is_c_family() && self.fixed == 0 && (self.in_table || !self.functions.is_empty())
    }

    fn take(&mut self, operator: Operator, edits: Vec<Edit>, seat: Option<Seat>) {
        let (function, what) = (self.functions.last().cloned(), String::new());
        self.found.push(Found { operator, edits, seat, function, what, operation: None });
    }
}

/// A function, with its name.
fn function_of(node: Node<'_>, source: &str) -> Function {
    let mut at = node;
    while let Some(inner) = at.child_by_field_name("declarator").or_else(|| at.child_by_field_name("name")) {
        at = inner;
    }
    let name = if at == node { String::new() } else { source[at.byte_range()].to_owned() };
    Function { name, range: node.byte_range() }
}

/// True when something in it is called, or looked up in an array.
fn runs(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    grammar::is_call(&node)
        || matches!(node.kind(), "subscript_expression" | "lambda_expression")
        || node.children(&mut cursor).any(runs)
}

#[cfg(test)]
mod evaluated_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
