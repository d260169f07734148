//! Conversions and copies that are left out.
//!
//! Responsible for casts, without which a value keeps its type, and for copies in Python, without
//! which two names refer to the same list. Must not know other calls.

use judge_model::LanguageFamily;
use tree_sitter::Node;

use super::widths::NARROWER_IN_RUST;
use super::{Finder, expression, kinds};
use crate::mutants::mutant::Operator;
use crate::mutants::parse::descendants;

impl Finder<'_> {
    pub(super) fn conversion(&mut self, node: Node<'_>) {
        match self.language {
            LanguageFamily::Python => {
                self.copy(node);
                self.repeated_row(node);
            }
            LanguageFamily::Rust => self.narrow_cast(node),
            _ => self.cast(node),
        }
    }

    /// Adds a cast of Rust through a narrower type.
    fn narrow_cast(&mut self, node: Node<'_>) {
        let Some(value) = node
            .child_by_field_name("value")
            .filter(|_| node.kind() == "type_cast_expression")
        else {
            return;
        };
        let cast_type = self.field(node, "type");
        if let Some((_, narrow)) = NARROWER_IN_RUST.iter().find(|(wide, _)| *wide == cast_type) {
            let end = value.end_byte();
            self.add(
                Operator::IntegerWidth,
                end..end,
                format!(" as {narrow}"),
                expression(node),
            );
        }
    }

    /// Adds a cast that is left out, as in `(double) a / b` and `(int) a.size() - 1`. Casts to 64
    /// bits are mistakes of width.
    fn cast(&mut self, node: Node<'_>) {
        let (value, cast_type) = match node.kind() {
            "cast_expression" => (
                node.child_by_field_name("value"),
                node.child_by_field_name("type"),
            ),
            // `int(a.size())`, `double(a)`, `static_cast<double>(a)`.
            "call_expression" if self.is_conversion(node) => {
                (only_argument(node), node.child_by_field_name("function"))
            }
            _ => return,
        };
        let (Some(value), Some(cast_type)) = (value, cast_type) else {
            return;
        };
        let cast_type = self.text(cast_type).to_lowercase();
        let is_wide = ["long", "64", "ll"]
            .iter()
            .any(|part| cast_type.contains(part))
            && !cast_type.contains("double");
        // The number of elements is unsigned, which only matters in a subtraction.
        let text = self.text(value).trim_matches(['(', ')', ' ']);
        let is_size =
            ["size", "length"].iter().any(|end| text.ends_with(end)) || text.starts_with("strlen");
        let is_subtracted = node
            .parent()
            .is_some_and(|parent| self.field(parent, "operator") == "-");
        // A literal, such as a character, is cast on purpose.
        let is_literal = kinds::is_integer(value)
            || matches!(value.kind(), "char_literal" | "character_literal");
        if !is_wide && !is_literal && (!is_size || is_subtracted) {
            // The mutant has another type, so no expression can choose it.
            self.add(
                Operator::Cast,
                node.byte_range(),
                format!("({})", self.text(value)),
                None,
            );
        }
    }

    fn is_conversion(&self, node: Node<'_>) -> bool {
        let Some(function) = node.child_by_field_name("function") else {
            return false;
        };
        match function.kind() {
            "primitive_type" => true,
            "template_function" => self.field(function, "name") == "static_cast",
            _ => false,
        }
    }

    /// Adds a copy that is left out: `a[:]`, `a.copy()` and `list(a)` become the list itself, and
    /// `a[::-1]` the list in its original order.
    fn copy(&mut self, node: Node<'_>) {
        let original = match node.kind() {
            "subscript" => {
                let slice = node
                    .child_by_field_name("subscript")
                    .filter(|slice| slice.kind() == "slice");
                let is_whole = slice.is_some_and(|slice| matches!(self.text(slice), ":" | "::-1"));
                node.child_by_field_name("value").filter(|_| is_whole)
            }
            "call" => {
                let function = node.child_by_field_name("function");
                let has_arguments = node
                    .child_by_field_name("arguments")
                    .is_some_and(|arguments| arguments.named_child_count() > 0);
                let copied = function.filter(|function| {
                    self.field(*function, "attribute") == "copy" && !has_arguments
                });
                let is_list = self.field(node, "function") == "list";
                let listed = only_argument(node)
                    .filter(|argument| is_list && argument.kind() == "identifier");
                copied
                    .and_then(|function| function.child_by_field_name("object"))
                    .or(listed)
            }
            _ => None,
        };
        if let Some(original) = original {
            self.add(Operator::Copy, node.byte_range(), self.text(original), None);
        }
    }

    /// Adds a repeated row: `[[0] * n] * m` for `[[0] * n for _ in range(m)]` contains the same row
    /// many times.
    fn repeated_row(&mut self, node: Node<'_>) {
        if node.kind() != "list_comprehension" || node.named_child_count() != 2 {
            return;
        }
        let (Some(body), Some(clause)) = (node.child_by_field_name("body"), node.named_child(1))
        else {
            return;
        };
        let fields = (
            clause.child_by_field_name("left"),
            clause.child_by_field_name("right"),
        );
        let (Some(name), Some(range)) = fields else {
            return;
        };
        let is_range = kinds::is_call(range) && self.field(range, "function") == "range";
        let Some(times) = only_argument(range).filter(|_| is_range) else {
            return;
        };
        let is_list = matches!(
            body.kind(),
            "list" | "list_comprehension" | "binary_operator" | "set" | "dictionary"
        );
        let has_list = is_list && self.text(body).starts_with(['[', '{']);
        let is_name =
            |node: Node<'_>| node.kind() == "identifier" && self.text(node) == self.text(name);
        if has_list && name.kind() == "identifier" && !descendants(body).any(is_name) {
            let text = format!("[{}] * ({})", self.text(body), self.text(times));
            self.add(Operator::Copy, node.byte_range(), text, None);
        }
    }
}

fn only_argument(call: Node<'_>) -> Option<Node<'_>> {
    let arguments = call.child_by_field_name("arguments")?;
    arguments
        .named_child(0)
        .filter(|_| arguments.named_child_count() == 1)
}
