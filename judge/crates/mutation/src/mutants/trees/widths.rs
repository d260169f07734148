//! Integers of 32 bits where the program has some of 64.
//!
//! Responsible for types, casts and suffixes of literals. None of these can be chosen as an expression: a choice between
//! two widths has the larger one. Must not know other mistakes.

use std::collections::HashSet;

use tree_sitter::Node;

use crate::language::MutantLanguage;
use crate::mutants::find::{Found, Function};
use crate::mutants::mutant::Edit;
use crate::mutants::operator::Operator;

/// The mistakes of width in a file: in each variable, cast and literal that is wide, and everywhere at once.
pub(super) fn mistakes(root: Node<'_>, source: &str, language: MutantLanguage) -> Vec<Found> {
    if matches!(language, MutantLanguage::Python | MutantLanguage::Rust) {
        return Vec::new();
    }
    let mut widths =
        Widths { source, names: HashSet::new(), everywhere: Vec::new(), single: Vec::new(), functions: Vec::new() };
    widths.walk(root);
    let Widths { everywhere, mut single, .. } = widths;
    if !everywhere.is_empty() {
        // Who thinks that 32 bits are enough thinks so everywhere.
        single.push(Found::of_no_function(Operator::IntegerWidth, everywhere, "64 32".to_owned()));
    }
    single
}

struct Widths<'s> {
    source: &'s str,
    /// The names that the file gives to wide types.
    names: HashSet<&'s str>,
    everywhere: Vec<Edit>,
    single: Vec<Found>,
    functions: Vec<Function>,
}

impl<'s> Widths<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    fn walk(&mut self, node: Node<'_>) {
        if node.kind() == "preproc_def" {
            self.definition(node);
        }
        if node.kind().starts_with("preproc_") || node.is_error() {
            return;
        }
        let is_function = super::grammar::is_function(&node);
        if is_function {
            self.functions.push(super::function_of(node, self.source));
        }
        if let Some(narrow) = self.narrower(node) {
            self.everywhere.push(Edit { range: node.byte_range(), text: narrow });
        }
        self.names_of(node);
        self.one(node);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.walk(child);
        }
        if is_function {
            self.functions.pop();
        }
    }

    /// What is taken for a wide type or literal.
    fn narrower(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            "sized_type_specifier" => narrower_type(self.text(node)).map(str::to_owned),
            "primitive_type" if self.text(node) == "int64_t" => Some("int".to_owned()),
            "primitive_type" if self.text(node) == "uint64_t" => Some("unsigned".to_owned()),
            "integral_type" if self.text(node) == "long" => Some("int".to_owned()),
            "number_literal" | "decimal_integer_literal" => narrower_literal(self.text(node)),
            _ => None,
        }
    }

    /// `#define ll long long`: all of its uses are what it is.
    fn definition(&mut self, node: Node<'_>) {
        let fields = (node.child_by_field_name("name"), node.child_by_field_name("value"));
        let (Some(name), Some(value)) = fields else { return };
        let text = self.text(value);
        if let Some(narrow) = narrower_type(text.trim()) {
            let start = value.start_byte() + text.len() - text.trim_start().len();
            let range = start..start + text.trim().len();
            self.everywhere.push(Edit { range, text: narrow.to_owned() });
            self.names.insert(self.text(name));
        }
    }

    /// `typedef long long ll;` and `using ll = long long;`
    fn names_of(&mut self, node: Node<'_>) {
        let (name, wide) = match node.kind() {
            "type_definition" => (node.child_by_field_name("declarator"), node.child_by_field_name("type")),
            "alias_declaration" => {
                let wide = node.child_by_field_name("type");
                (node.child_by_field_name("name"), wide.and_then(|of| of.child_by_field_name("type")))
            }
            _ => return,
        };
        if let (Some(name), Some(wide)) = (name, wide)
            && self.narrower(wide).is_some()
        {
            self.names.insert(self.text(name));
        }
    }

    /// A variable, a cast or a literal that is wide.
    fn one(&mut self, node: Node<'_>) {
        if node.kind() == "local_variable_declaration" {
            return self.one_in_java(node);
        }
        let place = match node.kind() {
            "declaration" | "cast_expression" => node.child_by_field_name("type"),
            "number_literal" | "decimal_integer_literal" => Some(node),
            // `static_cast<long long>(a)`, `vector<long long> a`.
            "template_argument_list" if node.named_child_count() == 1 => node.named_child(0),
            _ => None,
        };
        let place = place.map(|place| match place.kind() {
            "type_descriptor" => place.child_by_field_name("type").unwrap_or(place),
            _ => place,
        });
        let Some(place) = place else { return };
        let by_name = matches!(place.kind(), "type_identifier") && self.names.contains(self.text(place));
        let Some(text) = self.narrower(place).or_else(|| by_name.then(|| "int".to_owned())) else { return };
        self.add(vec![Edit { range: place.byte_range(), text }]);
    }

    /// A variable in Java, which takes no value of 64 bits without a cast.
    fn one_in_java(&mut self, node: Node<'_>) {
        let fields = (node.child_by_field_name("type"), node.child_by_field_name("declarator"));
        let (Some(place), Some(declarator)) = fields else { return };
        let Some(text) = self.narrower(place) else { return };
        let mut edits = vec![Edit { range: place.byte_range(), text }];
        if let Some(value) = declarator.child_by_field_name("value") {
            let text = format!("(int) ({})", self.text(value));
            edits.push(Edit { range: value.byte_range(), text });
        }
        self.add(edits);
    }

    fn add(&mut self, edits: Vec<Edit>) {
        let function = self.functions.last().cloned();
        let what = String::new();
        self.single.push(Found {
            operator: Operator::IntegerWidth,
            edits,
            seat: None,
            function,
            what,
            operation: None,
        });
    }
}

/// The type of 32 bits for one of 64.
fn narrower_type(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let known = words.iter().all(|word| matches!(*word, "long" | "int" | "unsigned" | "signed"));
    let is_wide = known && words.iter().filter(|word| **word == "long").count() == 2;
    is_wide.then(|| if words.contains(&"unsigned") { "unsigned" } else { "int" })
}

/// The literal without its suffix, when it has one and does not need it.
fn narrower_literal(text: &str) -> Option<String> {
    let digits = text.trim_end_matches(['l', 'L', 'u', 'U']);
    let is_wide = text[digits.len()..].contains(['l', 'L']);
    digits.parse::<i32>().ok().filter(|_| is_wide)?;
    let unsigned = text[digits.len()..].contains(['u', 'U']);
    Some(format!("{digits}{}", if unsigned { "u" } else { "" }))
}
