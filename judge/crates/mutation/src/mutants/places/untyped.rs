//! Variables of Rust whose types the compiler infers from their use, such as
//! `let mut found = Vec::new();`.
//!
//! Responsible for the parts of a program that may determine such a type. Variables are identified
//! by name, in the whole file.

use std::collections::HashSet;

use tree_sitter::Node;

use crate::mutants::parse::descendants;

/// Types of the standard library with a type parameter.
const GENERIC_TYPES: [&str; 15] = [
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "Mutex",
    "Default",
];
/// Methods whose return type depends on the caller.
const GENERIC_METHODS: [&str; 6] = ["collect", "into", "parse", "sum", "product", "try_into"];

/// The names of such variables.
#[derive(Default)]
pub(super) struct Untyped<'s>(HashSet<&'s str>);

impl<'s> Untyped<'s> {
    pub(super) fn new(root: Node<'_>, source: &'s str) -> Self {
        let text = |node: Node<'_>| &source[node.byte_range()];
        let is_generic = |node: &Node<'_>| {
            matches!(node.kind(), "struct_item" | "enum_item")
                && node.child_by_field_name("type_parameters").is_some()
        };
        let names = descendants(root)
            .filter(is_generic)
            .filter_map(|node| node.child_by_field_name("name"));
        let types: HashSet<&str> = names.map(text).chain(GENERIC_TYPES).collect();
        let name = |node: Node<'_>| {
            let is_open = node
                .child_by_field_name("value")
                .is_none_or(|value| is_untyped(value, source, &types));
            let has_type = node.child_by_field_name("type").is_some();
            let name = node
                .child_by_field_name("pattern")
                .filter(|pattern| pattern.kind() == "identifier");
            name.filter(|_| is_open && !has_type).map(text)
        };
        Self(
            descendants(root)
                .filter(|node| node.kind() == "let_declaration")
                .filter_map(name)
                .collect(),
        )
    }

    /// Returns true if the part assigns a value to one of the variables, or passes one to a method
    /// of a variable.
    pub(super) fn may_be_typed_by(&self, part: Node<'_>, source: &str) -> bool {
        let is_variable = |part: Option<Node<'_>>| {
            part.is_some_and(|part| self.0.contains(&source[variable(part).byte_range()]))
        };
        let types_a_variable = |node: Node<'_>| match node.kind() {
            "call_expression" => {
                let receiver = node
                    .child_by_field_name("function")
                    .and_then(|function| function.child_by_field_name("value"));
                let arguments = node.child_by_field_name("arguments");
                let given = arguments.map_or_else(Vec::new, |all| {
                    all.named_children(&mut all.walk()).collect()
                });
                !given.is_empty() && is_variable(receiver)
                    || given.iter().any(|argument| is_variable(Some(*argument)))
            }
            "assignment_expression" | "compound_assignment_expr" | "binary_expression" => {
                is_variable(node.child_by_field_name("left"))
                    || is_variable(node.child_by_field_name("right"))
            }
            _ => false,
        };
        !self.0.is_empty() && descendants(part).any(types_a_variable)
    }
}

/// Returns true for a value whose type depends on its use, such as `Vec::new()` without type
/// arguments.
fn is_untyped(value: Node<'_>, source: &str, generic_types: &HashSet<&str>) -> bool {
    let text = |field: &str| {
        value
            .child_by_field_name(field)
            .map(|part| &source[part.byte_range()])
    };
    let has_untyped_part = || {
        value
            .named_children(&mut value.walk())
            .any(|part| is_untyped(part, source, generic_types))
    };
    match value.kind() {
        "identifier" => &source[value.byte_range()] == "None",
        "scoped_identifier" => {
            let name = text("path").and_then(|path| path.rsplit("::").next());
            name.is_some_and(|name| generic_types.contains(name))
        }
        "array_expression" => value.named_child_count() == 0 || has_untyped_part(),
        // A call with type arguments is a node of another kind.
        "field_expression" => {
            let is_method = value
                .parent()
                .is_some_and(|parent| parent.kind() == "call_expression");
            is_method && text("field").is_some_and(|name| GENERIC_METHODS.contains(&name))
                || has_untyped_part()
        }
        "arguments"
        | "call_expression"
        | "parenthesized_expression"
        | "reference_expression"
        | "try_expression"
        | "tuple_expression" => has_untyped_part(),
        _ => false,
    }
}

/// The variable at the beginning of a place expression: `a` in `a[i]`, `a.b`, `*a` and `&mut a`.
fn variable(mut place: Node<'_>) -> Node<'_> {
    while let Some(inner) = match place.kind() {
        "field_expression" | "reference_expression" => place.child_by_field_name("value"),
        "index_expression" | "unary_expression" | "parenthesized_expression" => {
            place.named_child(0)
        }
        _ => None,
    } {
        place = inner;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::parse::parse;
    use judge_model::LanguageFamily;

    fn may_be_typed(program: &str, part: &str) -> bool {
        let source = format!("{program} fn part() {{ {part}; }}");
        let tree = parse(&source, LanguageFamily::Rust).unwrap();
        let statement = descendants(tree.root_node())
            .filter(|node| node.kind() == "expression_statement")
            .last();
        let part = statement
            .and_then(|statement| statement.named_child(0))
            .unwrap();
        Untyped::new(tree.root_node(), &source).may_be_typed_by(part, &source)
    }

    #[test]
    fn type_determining_uses_are_found() {
        let program = "fn main() { let mut v = Vec::new(); let mut best = None; let n = line.parse().unwrap(); let mut grid = \
                       vec![Vec::new(); 3]; let mut typed: Vec<u8> = Vec::new(); let stated = Vec::<u8>::new(); let w = vec![0; 3]; \
                       let later; let mut line = String::new(); let own = Own::new(); let any = Any::new(); } struct Own(u8); \
                       struct Any<T>(T);";
        for part in [
            "v.push(line)",
            "best = Some(3)",
            "f(n)",
            "n < 3",
            "grid[1].push(3)",
            "v.entry(a).or_insert(3)",
            "later = 3",
            "any.add(3)",
        ] {
            assert!(may_be_typed(program, part), "{part}");
        }
        for part in [
            "typed.push(3)",
            "stated.push(3)",
            "w.push(3)",
            "v.is_empty()",
            "other = 3",
            "v.len() > 0",
            "read(&mut line)",
            "own.add(3)",
        ] {
            assert!(!may_be_typed(program, part), "{part}");
        }
    }
}
