//! Mistakes in statements and in the conditions of branches and loops.
//!
//! Responsible for one node at a time. Must not know expressions.

use judge_model::LanguageFamily;
use tree_sitter::Node;

use super::{Finder, kinds};
use crate::mutants::mutant::{Choice, ChoiceKind, Differs, Operator};
use crate::mutants::parse::descendants;

impl Finder<'_> {
    /// Adds a condition that is always or never true.
    pub(super) fn condition(&mut self, condition: Node<'_>, is_loop: bool) {
        if kinds::is_constant_condition(condition) {
            return;
        }
        let (range, is_pure) = (condition.byte_range(), self.is_pure(condition));
        let kind = if self.is_c_family() {
            ChoiceKind::Condition
        } else {
            ChoiceKind::Expression
        };
        // An endless loop only costs time.
        for value in [true, false]
            .into_iter()
            .filter(|value| !(is_loop && *value))
        {
            let text = match self.language {
                // The compiler refuses a loop with a constant condition that is false.
                LanguageFamily::Java if is_loop => "Boolean.FALSE",
                _ => self.written_boolean(value),
            };
            // A mutant also leaves out the side effects of the condition, such as reading.
            let differs = if is_pure {
                Differs::UnlessValueIs(value)
            } else {
                Differs::Always
            };
            let choice = Choice {
                differs,
                ..Choice::new(range.clone(), kind)
            };
            let choice = self.unless_types_depend_on(condition, choice);
            self.add(Operator::Branch, range.clone(), text, choice);
        }
    }

    /// Adds a statement that is left out, or its `else`.
    pub(super) fn statement(&mut self, node: Node<'_>) {
        let inner = node
            .named_child(0)
            .filter(|_| node.kind() == "expression_statement");
        let choice = Choice::new(node.byte_range(), ChoiceKind::Statement);
        let branch = match node.kind() {
            "if_statement" => Some(node),
            _ => inner.filter(|inner| inner.kind() == "if_expression" && !has_value(*inner)),
        };
        let parts = branch.map(|branch| {
            (
                branch.child_by_field_name("consequence"),
                branch.child_by_field_name("alternative"),
            )
        });
        if let Some((Some(then), Some(otherwise))) = parts {
            self.add(
                Operator::Branch,
                then.end_byte()..otherwise.end_byte(),
                "",
                choice,
            );
            return;
        }
        let operator = match node.kind() {
            "break_statement" | "continue_statement" => Some(Operator::Jump),
            // A function with a value needs its `return`: without one its behaviour is undefined.
            "return_statement" => (node.named_child_count() == 0).then_some(Operator::Jump),
            _ => inner.and_then(|inner| self.left_out(node, inner)),
        };
        // Without its statement, an attribute would belong to the next one.
        let has_attribute = || {
            node.prev_sibling()
                .is_some_and(|before| before.kind() == "attribute_item")
        };
        let Some(operator) = operator.filter(|_| !has_attribute()) else {
            return;
        };
        let nothing = match self.language {
            LanguageFamily::Python => "pass",
            LanguageFamily::Rust => "",
            _ => ";",
        };
        let choice = self.unless_types_depend_on(inner.unwrap_or(node), choice);
        self.add(operator, node.byte_range(), nothing, choice);
    }

    /// The kind of mistake when an expression statement is left out. `None` if leaving it out is
    /// not useful.
    fn left_out(&self, statement: Node<'_>, inner: Node<'_>) -> Option<Operator> {
        match inner.kind() {
            // Java requires a statement after the `->` of a case.
            _ if statement
                .parent()
                .is_some_and(|parent| parent.kind() == "switch_rule") =>
            {
                None
            }
            "break_expression" | "continue_expression" | "return_expression" => {
                Some(Operator::Jump)
            }
            "assignment_expression"
            | "augmented_assignment"
            | "compound_assignment_expr"
            | "update_expression" => Some(Operator::Statement),
            // In Python a name without a value is an error for every input.
            "assignment" => {
                let has_value_before =
                    inner
                        .child_by_field_name("left")
                        .is_some_and(|left| match left.kind() {
                            "subscript" | "attribute" => true,
                            "identifier" => self.is_assigned_before(left),
                            _ => false,
                        });
                has_value_before.then_some(Operator::Statement)
            }
            _ => self.is_call_left_out(inner).then_some(Operator::Statement),
        }
    }

    /// Returns true if the same function assigns to the name before this place.
    fn is_assigned_before(&self, name: Node<'_>) -> bool {
        let mut around = name;
        while let Some(parent) = around.parent().filter(|_| !kinds::is_function(around)) {
            around = parent;
        }
        let mut before =
            descendants(around).take_while(|node| node.start_byte() < name.start_byte());
        before.any(|node| {
            let left = node
                .child_by_field_name("left")
                .filter(|_| node.kind() == "assignment");
            left.is_some_and(|left| {
                left.kind() == "identifier" && self.text(left) == self.text(name)
            })
        })
    }

    /// The choice of leaving out a part of a Rust program. `None` if the compiler may need this
    /// part to infer a type: it would refuse the mutant, but not a combined program, which still
    /// has the part.
    fn unless_types_depend_on(&self, part: Node<'_>, choice: Choice) -> Option<Choice> {
        (!self.untyped.may_be_typed_by(part, self.source)).then_some(choice)
    }
}

/// Returns true for a branch of Rust that ends in an expression, and so needs its `else`.
fn has_value(branch: Node<'_>) -> bool {
    let Some(block) = branch.child_by_field_name("consequence") else {
        return false;
    };
    let mut cursor = block.walk();
    let last = block
        .named_children(&mut cursor)
        .filter(|part| !part.kind().contains("comment"))
        .last();
    last.is_some_and(|last| {
        !["_statement", "_declaration", "_item"]
            .iter()
            .any(|end| last.kind().ends_with(end))
    })
}
