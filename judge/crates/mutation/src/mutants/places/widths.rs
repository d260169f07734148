//! Integers with half as many bits as in the program.
//!
//! Responsible for types, casts and literals, one by one and in the whole file: an author who
//! assumes that 32 bits are enough often does so everywhere. None of these mistakes can be chosen
//! as an expression, since a choice between two widths has the larger one.

use std::collections::HashSet;

use judge_model::LanguageFamily;
use tree_sitter::Node;

use super::{Finder, function, kinds};
use crate::mutants::mutant::{Edit, Operator};
use crate::mutants::parse::descendants;

/// Types of Rust, each with the type that is used by mistake.
pub(super) const NARROWER_IN_RUST: [(&str, &str); 4] = [
    ("i64", "i32"),
    ("u64", "u32"),
    ("i128", "i64"),
    ("u128", "u64"),
];

impl<'s> Finder<'s> {
    /// Adds the mistakes of width in a file.
    pub(super) fn widths(&mut self, root: Node<'_>) {
        match self.language {
            LanguageFamily::Python => {}
            LanguageFamily::Rust => self.widths_in_rust(root),
            _ => self.widths_of_64_bits(root),
        }
    }

    /// Adds a mistake for each wide type, everywhere in the file.
    fn widths_in_rust(&mut self, root: Node<'_>) {
        for (wide, narrow) in NARROWER_IN_RUST {
            let edit = |node: Node<'_>| {
                let is_wide = match node.kind() {
                    "primitive_type" | "type_identifier" | "identifier" => self.text(node) == wide,
                    // `1_i64`
                    "integer_literal" => self.text(node).ends_with(wide),
                    _ => false,
                };
                let range = node.end_byte().saturating_sub(wide.len())..node.end_byte();
                is_wide.then(|| Edit {
                    range,
                    text: narrow.to_owned(),
                })
            };
            let edits: Vec<Edit> = descendants(root).filter_map(edit).collect();
            if !edits.is_empty() {
                self.add_edits(Operator::IntegerWidth, edits, None);
            }
        }
    }

    /// Adds a mistake for each variable, cast and literal that is wide, and one for all of them
    /// together.
    fn widths_of_64_bits(&mut self, root: Node<'_>) {
        // The names that the file gives to wide types.
        let mut names = HashSet::new();
        let (mut everywhere, mut skipped) = (Vec::new(), 0);
        for node in descendants(root) {
            let range = node.byte_range();
            if range.start < skipped {
                continue;
            }
            if node.kind().starts_with("preproc_") || node.is_error() {
                skipped = range.end;
                if let Some((name, edit)) = self.wide_macro(node) {
                    names.insert(name);
                    everywhere.push(edit);
                }
                continue;
            }
            while self
                .functions
                .last()
                .is_some_and(|function| function.range.end <= range.start)
            {
                self.functions.pop();
            }
            if kinds::is_function(node) {
                self.functions.push(function(node, self.source));
            }
            everywhere.extend(self.narrower(node).map(|text| Edit { range, text }));
            names.extend(self.wide_name(node));
            let edits = self.narrower_variable(node, &names);
            if !edits.is_empty() {
                self.add_edits(Operator::IntegerWidth, edits, None);
            }
        }
        self.functions.clear();
        if !everywhere.is_empty() {
            self.add_edits(Operator::IntegerWidth, everywhere, None);
        }
    }

    /// The text that is used by mistake for a wide type or literal.
    fn narrower(&self, node: Node<'_>) -> Option<String> {
        match (node.kind(), self.text(node)) {
            ("sized_type_specifier", text) => narrower_type(text).map(str::to_owned),
            ("primitive_type", "int64_t") | ("integral_type", "long") => Some("int".to_owned()),
            ("primitive_type", "uint64_t") => Some("unsigned".to_owned()),
            ("number_literal" | "decimal_integer_literal", text) => narrower_literal(text),
            _ => None,
        }
    }

    /// The name in `#define ll long long`, whose definition is the only place to change.
    fn wide_macro(&self, node: Node<'_>) -> Option<(&'s str, Edit)> {
        let name = node
            .child_by_field_name("name")
            .filter(|_| node.kind() == "preproc_def")?;
        let value = node.child_by_field_name("value")?;
        let text = self.text(value);
        let start = value.start_byte() + text.len() - text.trim_start().len();
        let narrow = narrower_type(text.trim())?;
        Some((
            self.text(name),
            Edit {
                range: start..start + text.trim().len(),
                text: narrow.to_owned(),
            },
        ))
    }

    /// The name in `typedef long long ll;` and `using ll = long long;`.
    fn wide_name(&self, node: Node<'_>) -> Option<&'s str> {
        let (name, wide) = match node.kind() {
            "type_definition" => (
                node.child_by_field_name("declarator"),
                node.child_by_field_name("type")?,
            ),
            "alias_declaration" => (
                node.child_by_field_name("name"),
                node.child_by_field_name("type")?
                    .child_by_field_name("type")?,
            ),
            _ => return None,
        };
        self.narrower(wide)?;
        name.map(|name| self.text(name))
    }

    /// The edits that make one variable, cast or literal narrow; empty if it is not wide.
    fn narrower_variable<'t>(&self, node: Node<'t>, names: &HashSet<&str>) -> Vec<Edit> {
        let place = match node.kind() {
            "declaration" | "cast_expression" | "local_variable_declaration" => {
                node.child_by_field_name("type")
            }
            "number_literal" | "decimal_integer_literal" => Some(node),
            // `static_cast<long long>(a)`, `vector<long long> a`.
            "template_argument_list" if node.named_child_count() == 1 => node.named_child(0),
            _ => None,
        };
        let inner = |place: Node<'t>| {
            place
                .child_by_field_name("type")
                .filter(|_| place.kind() == "type_descriptor")
        };
        let Some(place) = place.map(|place| inner(place).unwrap_or(place)) else {
            return Vec::new();
        };
        let is_name = place.kind() == "type_identifier" && names.contains(self.text(place));
        let narrower = self.narrower(place);
        let Some(text) = narrower.or_else(|| is_name.then(|| "int".to_owned())) else {
            return Vec::new();
        };
        let mut edits = vec![Edit {
            range: place.byte_range(),
            text,
        }];
        // Java does not convert values of 64 bits without a cast.
        if self.language == LanguageFamily::Java
            && let Some(declarator) = node.child_by_field_name("declarator")
            && let Some(value) = declarator.child_by_field_name("value")
        {
            edits.push(Edit {
                range: value.byte_range(),
                text: format!("(int) ({})", self.text(value)),
            });
        }
        edits
    }
}

/// The type of 32 bits that corresponds to one of 64.
fn narrower_type(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_known = words
        .iter()
        .all(|word| matches!(*word, "long" | "int" | "unsigned" | "signed"));
    let is_wide = is_known && words.iter().filter(|word| **word == "long").count() == 2;
    is_wide.then(|| {
        if words.contains(&"unsigned") {
            "unsigned"
        } else {
            "int"
        }
    })
}

/// The literal without its suffix, if it has one and does not need it.
fn narrower_literal(text: &str) -> Option<String> {
    let digits = text.trim_end_matches(['l', 'L', 'u', 'U']);
    let suffix = &text[digits.len()..];
    digits
        .parse::<i32>()
        .ok()
        .filter(|_| suffix.contains(['l', 'L']))?;
    Some(format!(
        "{digits}{}",
        if suffix.contains(['u', 'U']) { "u" } else { "" }
    ))
}
