//! Conversions and copies that are left out.
//!
//! Responsible for casts, whose value is then of the type that it had before, and in Python for copies, which are then
//! other names for the same list. Must not know calls.

use tree_sitter::Node;

use super::{TreeFinder, grammar};
use crate::language::MutantLanguage;
use crate::mutants::mutant::{Differs, SeatKind};
use crate::mutants::operator::Operator;

impl TreeFinder<'_> {
    pub(super) fn conversion(&mut self, node: Node<'_>) {
        if self.language == MutantLanguage::Python {
            self.copy(node);
            self.repeated(node);
        } else {
            self.cast(node);
        }
    }

    /// A cast. Types that are 32 bits wide for 64 are another mistake; this one is that of `a / b` and `a.size() - 1`.
    fn cast(&mut self, node: Node<'_>) {
        let parts = match node.kind() {
            "cast_expression" => (node.child_by_field_name("value"), node.child_by_field_name("type")),
            // `int(a.size())`, `double(a)`, `static_cast<double>(a)`.
            "call_expression" if self.is_conversion(node) => {
                (self.only_argument(node), node.child_by_field_name("function"))
            }
            _ => return,
        };
        let (Some(value), Some(to)) = parts else { return };
        let to = self.text(to).to_lowercase();
        let is_wide = ["long", "64", "ll"].iter().any(|part| to.contains(part)) && !to.contains("double");
        if is_wide || self.is_number_of_elements(value) && !self.is_taken_from(node) {
            return;
        }
        // What is a number of its own, a character for example, is meant to be seen as another.
        if matches!(value.kind(), "number_literal" | "char_literal" | "decimal_integer_literal" | "character_literal") {
            return;
        }
        // The type is another one then, which nothing that is chosen when the program runs can have.
        let edit = (node.byte_range(), format!("({})", self.text(value)));
        self.add_fixed(Operator::Cast, edit);
    }

    /// True for the number of elements, which has no sign.
    fn is_number_of_elements(&self, value: Node<'_>) -> bool {
        let text = self.text(value).trim_matches(['(', ')', ' ']);
        ["size", "length"].iter().any(|end| text.ends_with(end)) || text.starts_with("strlen")
    }

    /// True where something is subtracted from it, or it is from something: only there its sign can matter.
    fn is_taken_from(&self, node: Node<'_>) -> bool {
        let operator = node.parent().and_then(|parent| parent.child_by_field_name("operator"));
        operator.is_some_and(|operator| self.text(operator) == "-")
    }

    fn is_conversion(&self, node: Node<'_>) -> bool {
        let Some(function) = node.child_by_field_name("function") else { return false };
        match function.kind() {
            "primitive_type" => true,
            "template_function" => {
                function.child_by_field_name("name").is_some_and(|name| self.text(name) == "static_cast")
            }
            _ => false,
        }
    }

    fn only_argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let arguments = node.child_by_field_name("arguments")?;
        arguments.named_child(0).filter(|_| arguments.named_child_count() == 1)
    }

    /// `a[:]`, `a.copy()` and `list(a)`: the same list by another name. `a[::-1]`: the list as it was.
    fn copy(&mut self, node: Node<'_>) {
        let original = match node.kind() {
            "subscript" => {
                let slice = node.child_by_field_name("subscript").filter(|of| of.kind() == "slice");
                let is_whole = slice.is_some_and(|slice| matches!(self.text(slice), ":" | "::-1"));
                node.child_by_field_name("value").filter(|_| is_whole)
            }
            "call" => {
                let function = node.child_by_field_name("function");
                let has_arguments = node.child_by_field_name("arguments").is_some_and(|of| of.named_child_count() > 0);
                let copied = function.filter(|function| {
                    let name = function.child_by_field_name("attribute");
                    name.is_some_and(|name| self.text(name) == "copy") && !has_arguments
                });
                let is_list = function.is_some_and(|function| self.text(function) == "list");
                let listed = self.only_argument(node).filter(|of| is_list && of.kind() == "identifier");
                copied.and_then(|function| function.child_by_field_name("object")).or(listed)
            }
            _ => None,
        };
        if let Some(original) = original {
            let edit = (node.byte_range(), self.text(original).to_owned());
            self.add(Operator::Copy, edit, (node.byte_range(), SeatKind::Expression), Differs::Always);
        }
    }

    /// `[[0] * n for _ in range(m)]`: `[[0] * n] * m` holds the same row many times.
    fn repeated(&mut self, node: Node<'_>) {
        if node.kind() != "list_comprehension" || node.named_child_count() != 2 {
            return;
        }
        let (Some(body), Some(clause)) = (node.child_by_field_name("body"), node.named_child(1)) else { return };
        let fields = (clause.child_by_field_name("left"), clause.child_by_field_name("right"));
        let (Some(name), Some(range)) = fields else { return };
        let is_range = grammar::is_call(&range)
            && range.child_by_field_name("function").is_some_and(|function| self.text(function) == "range");
        let Some(times) = self.only_argument(range).filter(|_| is_range) else { return };
        let is_list = matches!(body.kind(), "list" | "list_comprehension" | "binary_operator" | "set" | "dictionary");
        let holds_a_list = is_list && self.text(body).starts_with(['[', '{']);
        if holds_a_list && name.kind() == "identifier" && !names(body, self.text(name), self.source) {
            let edit = (node.byte_range(), format!("[{}] * ({})", self.text(body), self.text(times)));
            self.add(Operator::Copy, edit, (node.byte_range(), SeatKind::Expression), Differs::Always);
        }
    }
}

/// True when the name stands in it.
fn names(node: Node<'_>, name: &str, source: &str) -> bool {
    let mut cursor = node.walk();
    node.kind() == "identifier" && &source[node.byte_range()] == name
        || node.children(&mut cursor).any(|child| names(child, name, source))
}
