//! Expressions that can be evaluated twice without an effect.
//!
//! Must not know the purpose of the evaluation.

use judge_model::LanguageFamily;
use tree_sitter::Node;

use super::{Finder, kinds};

/// Methods without side effects.
const PURE_METHODS: [&str; 11] = [
    "size",
    "length",
    "empty",
    "len",
    "is_empty",
    "abs",
    "is_some",
    "is_none",
    "count_ones",
    "unsigned_abs",
    "as_str",
];

impl Finder<'_> {
    /// Returns true if another evaluation gives the same value, changes nothing and moves nothing.
    pub(super) fn is_pure(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut has_pure_parts = || {
            node.named_children(&mut cursor)
                .all(|part| self.is_pure(part))
        };
        let is_pure = |field: &str| {
            node.child_by_field_name(field)
                .is_some_and(|part| self.is_pure(part))
        };
        match node.kind() {
            // A macro may have side effects.
            "identifier" => !self.constants.contains(self.text(node)),
            "field_identifier" | "scoped_identifier" | "this" | "self" | "char_literal"
            | "character" => true,
            "float_literal" | "boolean_literal" | "string_literal" | "raw_string_literal" => {
                self.is_rust()
            }
            _ if kinds::is_integer(node) => true,
            // `>>` may read from a stream if neither side is a number.
            "binary_expression" => {
                let is_shift = matches!(self.field(node, "operator"), "<<" | ">>");
                let is_number = |field| {
                    node.child_by_field_name(field)
                        .is_some_and(kinds::is_integer)
                };
                let may_read = is_shift && self.language == LanguageFamily::Cpp;
                has_pure_parts() && (!may_read || is_number("left") || is_number("right"))
            }
            "unary_expression"
            | "parenthesized_expression"
            | "condition_clause"
            | "field_expression"
            | "index_expression"
            | "reference_expression"
            | "subscript_expression"
            | "subscript_argument_list"
            | "tuple_expression" => has_pure_parts(),
            "type_cast_expression" => is_pure("value"),
            "call_expression" => {
                let method = self
                    .text(node)
                    .strip_suffix("()")
                    .and_then(|call| call.rsplit_once('.'));
                method.is_some_and(|(_, name)| PURE_METHODS.contains(&name)) && is_pure("function")
            }
            _ => false,
        }
    }
}
