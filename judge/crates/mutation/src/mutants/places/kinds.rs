//! The kinds of nodes in the grammars of all languages.
//!
//! Must not know mistakes.

use tree_sitter::Node;

/// Parts without expressions that are evaluated when the program runs, and parts that the
/// preprocessor or a macro may parse differently from the grammar.
const CLOSED: [&str; 36] = [
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
    // Nodes of Rust.
    "attribute_item",
    "inner_attribute_item",
    "bracketed_type",
    "closure_parameters",
    "enum_item",
    "macro_definition",
    "macro_invocation",
    "parameters",
    "struct_item",
    "union_item",
    "use_declaration",
    "where_clause",
];

/// Returns true for a part that is not changed.
pub(super) fn is_closed(node: Node<'_>) -> bool {
    node.is_error() || node.kind().starts_with("preproc_") || CLOSED.contains(&node.kind())
}

/// Returns true for a test of Rust.
pub(super) fn is_test(node: Node<'_>, source: &str) -> bool {
    let mut before = node
        .prev_sibling()
        .filter(|_| matches!(node.kind(), "function_item" | "mod_item"));
    while let Some(attribute) =
        before.filter(|node| node.kind() == "attribute_item" || node.kind().contains("comment"))
    {
        if matches!(&source[attribute.byte_range()], "#[test]" | "#[cfg(test)]") {
            return true;
        }
        before = attribute.prev_sibling();
    }
    false
}

pub(super) fn is_binary(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "binary_expression" | "binary_operator" | "boolean_operator"
    ) || node.kind() == "comparison_operator" && node.child_count() == 3
}

pub(super) fn is_call(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "call_expression" | "call" | "method_invocation"
    )
}

/// Returns true for a part from which a constant can only be computed when the program runs.
pub(super) fn is_computation(node: Node<'_>) -> bool {
    is_call(node) || matches!(node.kind(), "subscript_expression" | "lambda_expression")
}

pub(super) fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "function_definition"
            | "function_item"
            | "method_declaration"
            | "constructor_declaration"
            | "compact_constructor_declaration"
    )
}

pub(super) fn is_integer(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "number_literal" | "decimal_integer_literal" | "integer" | "integer_literal"
    )
}

/// Returns true for a literal that is a condition.
pub(super) fn is_constant_condition(node: Node<'_>) -> bool {
    is_integer(node) || matches!(node.kind(), "true" | "false" | "boolean_literal")
}

/// The condition that a node branches on, without parentheses, with true for a loop. `None` if it
/// declares names, which would be missing.
pub(super) fn condition<'t>(node: Node<'t>) -> Option<(Node<'t>, bool)> {
    let is_loop = match node.kind() {
        "if_statement" | "elif_clause" | "ternary_expression" | "conditional_expression" => false,
        "if_expression" | "match_pattern" => false,
        "while_statement" | "for_statement" | "do_statement" | "while_expression" => true,
        _ => return None,
    };
    if is_static_if(node) {
        return None;
    }
    // In Python the condition of an expression has no field name: it is between `if` and `else`.
    let between = || {
        node.child(2)
            .filter(|_| node.kind() == "conditional_expression")
    };
    let mut condition = node.child_by_field_name("condition").or_else(between)?;
    if condition.kind() == "condition_clause" {
        // `if (int x = f(); x > 0)` declares names.
        (condition.named_child_count() == 1).then_some(())?;
        condition = condition.child_by_field_name("value")?;
    }
    while condition.kind() == "parenthesized_expression" {
        condition = condition.named_child(0)?;
    }
    let declares = condition.kind().contains("declaration")
        || matches!(condition.kind(), "let_condition" | "let_chain");
    (!declares && !condition.has_error()).then_some((condition, is_loop))
}

/// Returns true for `if constexpr`, which the compiler decides.
pub(super) fn is_static_if(node: Node<'_>) -> bool {
    node.kind() == "if_statement"
        && node
            .child(1)
            .is_some_and(|second| second.kind() == "constexpr")
}

/// Returns true for the condition of a loop.
pub(super) fn is_loop_condition(node: Node<'_>) -> bool {
    let around = node_around(node, &["parenthesized_expression", "condition_clause"]);
    around
        .and_then(condition)
        .is_some_and(|(condition, is_loop)| is_loop && condition == node)
}

/// The innermost node around one that is not of these kinds.
pub(super) fn node_around<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut around = node.parent();
    while let Some(outer) = around.filter(|outer| kinds.contains(&outer.kind())) {
        around = outer.parent();
    }
    around
}
