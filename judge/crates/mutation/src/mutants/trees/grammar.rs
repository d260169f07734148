//! The grammars of the languages other than Rust: how the kinds of nodes are called, and what is never looked at.
//!
//! Must not know how a mutant is made.

use tree_sitter::{Language, Node};

use crate::language::MutantLanguage;

/// The grammar of a language; Rust has a parser of its own.
pub(crate) fn grammar(language: MutantLanguage) -> Option<Language> {
    match language {
        MutantLanguage::Rust => None,
        MutantLanguage::Cpp => Some(tree_sitter_cpp::LANGUAGE.into()),
        MutantLanguage::C => Some(tree_sitter_c::LANGUAGE.into()),
        MutantLanguage::Java => Some(tree_sitter_java::LANGUAGE.into()),
        MutantLanguage::Python => Some(tree_sitter_python::LANGUAGE.into()),
    }
}

/// Parts that hold no expression which is evaluated when the program runs, or that the preprocessor may see otherwise
/// than the grammar does.
const CLOSED: [&str; 24] = [
    "template_argument_list",
    "template_parameter_list",
    "type_arguments",
    "type_parameters",
    "type_descriptor",
    "array_declarator",
    "enumerator",
    "bitfield_clause",
    "static_assert_declaration",
    "attribute_declaration",
    "attribute_specifier",
    "requires_clause",
    "concept_definition",
    "decltype",
    "sizeof_expression",
    "noexcept",
    "annotation",
    "marker_annotation",
    "decorator",
    "switch_label",
    "type",
    "case_pattern",
    "assert_statement",
    "import_statement",
];

/// True for a part that is not looked at.
pub(super) fn is_closed(node: &Node<'_>) -> bool {
    node.is_error() || node.kind().starts_with("preproc_") || CLOSED.contains(&node.kind())
}

/// True for two operands with an operator between them.
pub(super) fn is_binary(node: &Node<'_>) -> bool {
    matches!(node.kind(), "binary_expression" | "binary_operator" | "boolean_operator")
        || node.kind() == "comparison_operator" && node.child_count() == 3
}

/// True for an assignment with an operator.
pub(super) fn is_assignment(node: &Node<'_>) -> bool {
    matches!(node.kind(), "assignment_expression" | "augmented_assignment")
}

pub(super) fn is_call(node: &Node<'_>) -> bool {
    matches!(node.kind(), "call_expression" | "call" | "method_invocation")
}

pub(super) fn is_function(node: &Node<'_>) -> bool {
    matches!(
        node.kind(),
        "function_definition" | "method_declaration" | "constructor_declaration" | "compact_constructor_declaration"
    )
}

/// True for an integer as it stands in a source.
pub(super) fn is_integer(node: &Node<'_>) -> bool {
    matches!(node.kind(), "number_literal" | "decimal_integer_literal" | "integer")
}

/// The condition that a node branches on, without parentheses around it, and whether it does so repeatedly.
pub(super) fn condition<'t>(node: &Node<'t>) -> Option<(Node<'t>, bool)> {
    let repeated = match node.kind() {
        "if_statement" | "elif_clause" | "ternary_expression" => false,
        "conditional_expression" => false,
        "while_statement" | "for_statement" | "do_statement" => true,
        _ => return None,
    };
    if is_static(node) {
        return None;
    }
    // In Python the condition has no name: it stands between `if` and `else`.
    let between = || node.child(2).filter(|_| node.kind() == "conditional_expression");
    let mut condition = node.child_by_field_name("condition").or_else(between)?;
    if condition.kind() == "condition_clause" {
        // `if (int x = f(); x > 0)` binds names.
        (condition.named_child_count() == 1).then_some(())?;
        condition = condition.child_by_field_name("value")?;
    }
    while condition.kind() == "parenthesized_expression" {
        condition = condition.named_child(0)?;
    }
    let is_declaration = condition.kind().contains("declaration");
    (!is_declaration && !condition.has_error()).then_some((condition, repeated))
}

/// True for `if constexpr`, which the compiler decides.
fn is_static(node: &Node<'_>) -> bool {
    node.kind() == "if_statement" && node.child(1).is_some_and(|second| second.kind() == "constexpr")
}

/// True for a condition that the compiler decides.
pub(super) fn is_static_condition(node: &Node<'_>) -> bool {
    node.kind() == "condition_clause" && node.parent().is_some_and(|parent| is_static(&parent))
}

/// True for the condition that a loop goes on by.
pub(super) fn is_repeated(node: Node<'_>) -> bool {
    let mut outer = node.parent();
    while let Some(parent) = outer.filter(|of| matches!(of.kind(), "parenthesized_expression" | "condition_clause")) {
        outer = parent.parent();
    }
    outer.and_then(|outer| condition(&outer)).is_some_and(|(condition, repeated)| repeated && condition == node)
}
