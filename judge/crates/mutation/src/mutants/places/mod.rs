//! The places for mistakes in a program.
//!
//! Responsible for the walk over its syntax tree, and for turning mistakes into mutants. Must not
//! know how mutants are compiled.

mod blocks;
mod calls;
mod conversions;
mod kinds;
mod operators;
mod purity;
mod statements;
mod untyped;
mod widths;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use judge_model::LanguageFamily;
use tree_sitter::Node;

use crate::mutants::identity::{Ids, Tokens, text_in_ids};
use crate::mutants::mutant::{
    Choice, ChoiceKind, Differs, Edit, Function, Mistake, Mutant, Operator,
};
use crate::mutants::parse::{Unreadable, descendants, follows_vec, parse};
use crate::mutants::places::untyped::Untyped;

/// The maximum size of a table outside of functions whose values can be chosen, in bytes. A
/// compiler takes longer for a choice than for a number.
const MAX_TABLE_BYTES: usize = 2 << 10;

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// Fails when the source is not a program in this language.
pub(super) fn mutants(source: &str, language: LanguageFamily) -> Result<Vec<Mutant>, Unreadable> {
    let tree = parse(source, language)?;
    let mut finder = Finder::new(source, language, tree.root_node());
    finder.walk(tree.root_node());
    finder.widths(tree.root_node());
    let mut seen = HashSet::new();
    finder.found.retain(|mistake| {
        let edits: Vec<Edit> = mistake
            .edits
            .iter()
            .filter_map(|edit| smallest(source, edit))
            .collect();
        !edits.is_empty() && seen.insert(edits)
    });
    if finder.is_c_family() {
        blocks::add_choices(&mut finder.found, tree.root_node(), source);
    }
    Ok(with_ids(
        finder.found,
        source,
        &Tokens::new(tree.root_node(), source),
    ))
}

/// The edit without the unchanged text at both ends. `None` when only white space differs.
fn smallest(source: &str, edit: &Edit) -> Option<Edit> {
    let was = &source[edit.range.clone()];
    let without_space = |text: &str| {
        text.chars()
            .filter(|letter| !letter.is_whitespace())
            .collect::<String>()
    };
    if without_space(was) == without_space(&edit.text) {
        return None;
    }
    let is_same = |(one, other): &(char, char)| one == other;
    let before: usize = was
        .chars()
        .zip(edit.text.chars())
        .take_while(is_same)
        .map(|(one, _)| one.len_utf8())
        .sum();
    let (was, text) = (&was[before..], &edit.text[before..]);
    let behind = was
        .chars()
        .rev()
        .zip(text.chars().rev())
        .take_while(is_same);
    let behind: usize = behind.map(|(one, _)| one.len_utf8()).sum();
    let start = edit.range.start + before;
    Some(Edit {
        range: start..start + was.len() - behind,
        text: text[..text.len() - behind].to_owned(),
    })
}

fn with_ids(mut found: Vec<Mistake>, source: &str, tokens: &Tokens<'_>) -> Vec<Mutant> {
    found.sort_by_key(|mistake| mistake.edits[0].range.start);
    let (mut ids, mut functions) = (Ids::default(), HashMap::new());
    let mutant = |Mistake {
                      operator,
                      edits,
                      choice,
                      function,
                      operation,
                  }: Mistake| {
        let Edit { range, text } = &edits[0];
        let around = function.as_ref().map(|function| {
            let text = || text_in_ids(tokens.text(&function.range));
            &*functions.entry(function.range.clone()).or_insert_with(text)
        });
        let name = function.as_ref().map_or("", |function| &function.name);
        let replaced = tokens.text(range);
        let id = ids.id([operator.name(), &replaced, text, name]
            .into_iter()
            .chain(around.map(String::as_str)));
        let line = 1 + source[..range.start].matches('\n').count();
        let (was, function) = (source[range.clone()].to_owned(), name.to_owned());
        Mutant {
            id,
            operator,
            line,
            function,
            was,
            choice,
            edits,
            operation,
        }
    };
    found.into_iter().map(mutant).collect()
}

struct Finder<'s> {
    source: &'s str,
    language: LanguageFamily,
    /// Macros of C and C++ with arguments.
    macros: HashSet<&'s str>,
    /// Macros of C and C++ without arguments, except numbers.
    constants: HashSet<&'s str>,
    untyped: Untyped<'s>,
    found: Vec<Mistake>,
    /// The functions around the current node, the innermost last.
    functions: Vec<Function>,
    /// The number of parts that the compiler evaluates around the current node.
    evaluated: usize,
    /// True inside a table that is outside of functions.
    in_table: bool,
}

impl<'s> Finder<'s> {
    fn new(source: &'s str, language: LanguageFamily, root: Node<'_>) -> Self {
        let (mut macros, mut constants) = (HashSet::new(), HashSet::new());
        for node in descendants(root) {
            let text = |field: &str| {
                node.child_by_field_name(field)
                    .map(|part| &source[part.byte_range()])
            };
            let is_number = || {
                text("value")
                    .is_some_and(|value| value.trim().starts_with(|c: char| c.is_ascii_digit()))
            };
            match node.kind() {
                "preproc_function_def" => macros.extend(text("name")),
                "preproc_def" if !is_number() => constants.extend(text("name")),
                _ => {}
            }
        }
        let untyped = match language {
            LanguageFamily::Rust => Untyped::new(root, source),
            _ => Untyped::default(),
        };
        Self {
            source,
            language,
            macros,
            constants,
            untyped,
            found: Vec::new(),
            functions: Vec::new(),
            evaluated: 0,
            in_table: false,
        }
    }

    fn text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    /// The text of a field of a node; empty if it has none.
    fn field(&self, node: Node<'_>, name: &str) -> &'s str {
        let field = node.child_by_field_name(name);
        field.map_or("", |field| self.text(field))
    }

    fn is_c_family(&self) -> bool {
        matches!(self.language, LanguageFamily::C | LanguageFamily::Cpp)
    }

    fn is_rust(&self) -> bool {
        self.language == LanguageFamily::Rust
    }

    fn is_python(&self) -> bool {
        self.language == LanguageFamily::Python
    }

    fn walk(&mut self, node: Node<'_>) {
        if kinds::is_closed(node) || self.is_ignored_call(node) || kinds::is_test(node, self.source)
        {
            return;
        }
        let is_function = kinds::is_function(node);
        if is_function {
            self.functions.push(function(node, self.source));
        }
        let is_table = self.functions.is_empty()
            && self.language == LanguageFamily::Cpp
            && self.is_table(node);
        let is_evaluated = !is_table && self.is_evaluated(node);
        self.in_table |= is_table;
        self.evaluated += usize::from(is_evaluated);
        if !node.has_error() {
            self.mistakes(node);
        }
        let mut cursor = node.walk();
        let mut has_more = cursor.goto_first_child();
        while has_more {
            let field = cursor.field_name();
            let is_length = field == Some("length") && !follows_vec(node.start_byte(), self.source);
            self.evaluated += usize::from(is_length);
            if !self.is_skipped(node, field) {
                self.walk(cursor.node());
            }
            self.evaluated -= usize::from(is_length);
            has_more = cursor.goto_next_sibling();
        }
        self.evaluated -= usize::from(is_evaluated);
        self.in_table &= !is_table;
        if is_function {
            self.functions.pop();
        }
    }

    /// Returns true for a child that is not evaluated when the program runs.
    fn is_skipped(&self, parent: Node<'_>, field: Option<&str>) -> bool {
        match parent.kind() {
            "case_statement" => field == Some("value"),
            "match_arm" => false,
            "match_pattern" => field != Some("condition"),
            _ => {
                self.is_rust()
                    && matches!(field, Some("pattern" | "type" | "return_type" | "field"))
            }
        }
    }

    /// Returns true for a part that the compiler evaluates, or may have to.
    fn is_evaluated(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut words = node
            .children(&mut cursor)
            .filter(|part| {
                matches!(
                    part.kind(),
                    "type_qualifier" | "storage_class_specifier" | "function_modifiers"
                )
            })
            .map(|part| self.text(part));
        match node.kind() {
            "const_item" | "static_item" | "const_block" => true,
            "function_item" => words.any(|words| words.contains("const")),
            // A `static` function runs like any other.
            "function_definition" => words.any(|word| matches!(word, "constexpr" | "consteval")),
            // A constant that depends on a call is not evaluated before the program runs.
            "declaration" => words.any(|word| match word {
                "constexpr" | "constinit" | "static" => true,
                "const" => !descendants(node).any(kinds::is_computation),
                _ => false,
            }),
            "field_declaration" => {
                words.any(|word| matches!(word, "const" | "constexpr" | "constinit" | "static"))
            }
            "condition_clause" => node.parent().is_some_and(kinds::is_static_if),
            _ => false,
        }
    }

    /// Returns true for a table of C++ that is filled when the program starts, unless all its
    /// values are known before. The compiler may need a constant, but never a value from a table
    /// that is not `constexpr`.
    fn is_table(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let is_evaluated = parts
            .iter()
            .any(|part| matches!(self.text(*part), "constexpr" | "constinit"));
        let is_list = |part: &Node<'_>| {
            let value = part.child_by_field_name("value");
            value.is_some_and(|value| {
                value.kind() == "initializer_list" && value.named_child_count() > 1
            })
        };
        let is_small = node.byte_range().len() <= MAX_TABLE_BYTES;
        let mut variables = parts
            .iter()
            .filter(|part| part.kind() == "init_declarator")
            .peekable();
        let has_lists = variables.peek().is_some() && variables.all(is_list);
        node.kind() == "declaration" && is_small && !is_evaluated && has_lists
    }

    fn mistakes(&mut self, node: Node<'_>) {
        match node.kind() {
            "comparison_operator" if node.child_count() > 3 => self.chained_comparison(node),
            "binary_expression"
            | "binary_operator"
            | "boolean_operator"
            | "comparison_operator" => {
                self.operation(node);
            }
            "assignment_expression" | "augmented_assignment" | "compound_assignment_expr" => {
                self.assignment(node);
            }
            "number_literal" | "decimal_integer_literal" | "integer" | "integer_literal" => {
                self.integer(node);
            }
            "true" | "false" | "boolean_literal" => self.boolean(node),
            "unary_expression" | "not_operator" => self.negation(node),
            "let_chain" => self.let_chain(node),
            "range_expression" => self.range(node),
            _ if kinds::is_call(node) => self.call(node),
            _ => {}
        }
        self.conversion(node);
        if let Some((condition, is_loop)) = kinds::condition(node) {
            self.condition(condition, is_loop);
        }
        self.statement(node);
    }

    /// Adds a mistake, with a choice if a combined program can choose here.
    fn add(
        &mut self,
        operator: Operator,
        range: Range<usize>,
        text: impl Into<String>,
        choice: impl Into<Option<Choice>>,
    ) -> &mut Mistake {
        let runs = self.evaluated == 0 && (self.in_table || !self.functions.is_empty());
        // The tree has no place for the beginning of a call such as `vec![a].len()`.
        let is_whole = |choice: &Choice| !follows_vec(choice.range.start, self.source);
        let choice = choice
            .into()
            .filter(|_| runs && (self.is_c_family() || self.is_rust()))
            .filter(is_whole);
        let text = text.into();
        self.add_edits(operator, vec![Edit { range, text }], choice)
    }

    fn add_edits(
        &mut self,
        operator: Operator,
        edits: Vec<Edit>,
        choice: Option<Choice>,
    ) -> &mut Mistake {
        let (function, index) = (self.functions.last().cloned(), self.found.len());
        self.found.push(Mistake {
            operator,
            edits,
            choice,
            function,
            operation: None,
        });
        &mut self.found[index]
    }
}

/// The choice of an expression.
fn expression(node: Node<'_>) -> Choice {
    Choice::new(node.byte_range(), ChoiceKind::Expression)
}

/// The choice of an expression that has another value in the mutant if this condition is true, or
/// always if nothing is known.
fn expression_if(node: Node<'_>, differs: Option<String>) -> Choice {
    Choice {
        differs: differs.map_or(Differs::Always, Differs::When),
        ..expression(node)
    }
}

/// A function with its name, which includes the type that a method of Rust belongs to.
fn function(node: Node<'_>, source: &str) -> Function {
    let text = |node: Node<'_>| &source[node.byte_range()];
    let mut at = node;
    while let Some(inner) = at
        .child_by_field_name("declarator")
        .or_else(|| at.child_by_field_name("name"))
    {
        at = inner;
    }
    let name = if at == node { "" } else { text(at) };
    let owner = node
        .parent()
        .and_then(|list| list.parent())
        .and_then(|owner| match owner.kind() {
            "impl_item" => owner.child_by_field_name("type"),
            "trait_item" => owner.child_by_field_name("name"),
            _ => None,
        });
    Function {
        name: match owner {
            Some(owner) => format!("{}::{name}", text(owner)),
            None => name.to_owned(),
        },
        range: node.byte_range(),
    }
}

#[cfg(test)]
mod evaluated_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod languages_tests;
#[cfg(test)]
mod rust_tests;
