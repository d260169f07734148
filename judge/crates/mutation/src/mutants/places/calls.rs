//! Mistakes in calls.
//!
//! Responsible for one call at a time, and for the calls that do not depend on test data. Must not
//! know other expressions.

use tree_sitter::Node;

use super::{Finder, expression, kinds};
use crate::mutants::mutant::{Operation, Operator};
use crate::mutants::parse::is_macro_call;

/// Pairs of methods and functions that are mistaken for each other.
const MISTAKEN_PAIRS: [(&str, &str); 12] = [
    ("min", "max"),
    ("any", "all"),
    ("push_front", "push_back"),
    ("pop_front", "pop_back"),
    ("front", "back"),
    ("first", "last"),
    ("min_by_key", "max_by_key"),
    ("min_by", "max_by"),
    ("floor", "ceil"),
    ("take_while", "skip_while"),
    ("lower_bound", "upper_bound"),
    ("bisect_left", "bisect_right"),
];

/// Calls for which the order of arguments does not matter, or is covered by other mistakes.
const SYMMETRIC: [&str; 9] = [
    "min", "max", "swap", "abs_diff", "eq", "ne", "gcd", "hypot", "range",
];

/// Calls that configure reading, writing or allocation: a mistake in them makes a program slower or
/// unable to read.
const CONFIGURING_CALLS: [&str; 12] = [
    "sync_with_stdio",
    "tie",
    "exceptions",
    "reserve",
    "ensureCapacity",
    "setvbuf",
    "setbuf",
    "freopen",
    "fclose",
    "srand",
    "setrecursionlimit",
    "stack_size",
];

/// Calls that read or write. Every program needs them.
const READING_CALLS: [&str; 19] = [
    "scanf",
    "getline",
    "getchar",
    "gets",
    "fgets",
    "read",
    "readLine",
    "readline",
    "readlines",
    "input",
    "ignore",
    "get",
    "unwrap",
    "expect",
    "read_line",
    "read_to_string",
    "read_to_end",
    "flush",
    "next",
];

impl Finder<'_> {
    /// The name of the called function: the last part of its path.
    fn name_of_call<'t>(node: Node<'t>) -> Option<Node<'t>> {
        let function = node
            .child_by_field_name("function")
            .or_else(|| node.child_by_field_name("name"))?;
        // `a.parse::<u8>()`
        let function = match function.kind() {
            "generic_function" => function.child_by_field_name("function")?,
            _ => function,
        };
        let last = ["name", "field", "attribute"]
            .iter()
            .find_map(|field| function.child_by_field_name(field));
        Some(last.unwrap_or(function))
    }

    fn is_macro(&self, name: &str) -> bool {
        self.macros.contains(name) || self.constants.contains(name) || name == "assert"
    }

    /// Returns true for a call that is not changed, because test data could not detect a mistake in
    /// it, or because it is a macro of C or C++.
    pub(super) fn is_ignored_call(&self, node: Node<'_>) -> bool {
        let is_setting_up = |name| CONFIGURING_CALLS.contains(&self.text(name));
        kinds::is_call(node)
            && (self.is_macro(self.field(node, "function"))
                || Self::name_of_call(node).is_some_and(is_setting_up))
    }

    /// Returns true for a call that is worth leaving out. A macro may be a declaration.
    pub(super) fn is_call_left_out(&self, node: Node<'_>) -> bool {
        let Some(name) = Self::name_of_call(node).filter(|_| kinds::is_call(node)) else {
            return false;
        };
        let name = self.text(name);
        let is_reading = READING_CALLS.contains(&name)
            || name.starts_with("next") && node.kind() == "method_invocation";
        !is_reading
            && !self.is_macro(name)
            && !self.is_ignored_call(node)
            && !is_macro_call(node, self.source)
    }

    pub(super) fn call(&mut self, node: Node<'_>) {
        let (Some(name), Some(arguments)) = (
            Self::name_of_call(node),
            node.child_by_field_name("arguments"),
        ) else {
            return;
        };
        // `sum(x for x in y)` has one argument, without separate parentheses.
        let has_list = matches!(arguments.kind(), "argument_list" | "arguments");
        if is_macro_call(node, self.source) {
            return;
        }
        let called = self.text(name);
        let other = MISTAKEN_PAIRS.iter().find_map(|(one, other)| match called {
            "popleft" if self.is_python() => Some("pop"),
            "appendleft" if self.is_python() => Some("append"),
            "sorted" | "reversed" if self.is_python() => Some("list"),
            name if name == *one => Some(*other),
            name if name == *other => Some(*one),
            _ => None,
        });
        if let Some(other) = other {
            self.add(Operator::Method, name.byte_range(), other, expression(node));
        }
        let mut cursor = arguments.walk();
        let given: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|_| has_list)
            .collect();
        match (&given[..], node.child_by_field_name("object")) {
            ([argument], Some(object)) if called == "equals" => {
                let [left, right] = [object, *argument].map(|side| self.text(side).to_owned());
                let text = format!("({left} == {right})");
                let operation = Operation {
                    left,
                    op: "equals".to_owned(),
                    right,
                    other: "==".to_owned(),
                };
                self.add(Operator::Comparison, node.byte_range(), text, None)
                    .operation = Some(operation);
            }
            ([end] | [_, end, ..], _) if called == "range" && self.is_python() => {
                // Numbers already have these mistakes.
                for sign in ["+", "-"].iter().filter(|_| !kinds::is_integer(*end)) {
                    let text = format!("({}) {sign} 1", self.text(*end));
                    self.add(Operator::RangeBound, end.byte_range(), text, None);
                }
            }
            _ => {}
        }
        if !SYMMETRIC.contains(&called) {
            self.swapped_arguments(&given, node);
        }
    }

    /// Adds the swap of two neighbours. The compiler decides whether their types allow it.
    fn swapped_arguments(&mut self, given: &[Node<'_>], call: Node<'_>) {
        // Arguments that cannot be swapped, or rarely have the type of a neighbour.
        let is_special = |argument: Node<'_>| {
            let kinds = [
                "string",
                "lambda",
                "closure",
                "keyword_argument",
                "splat",
                "comment",
            ];
            kinds.iter().any(|kind| argument.kind().contains(kind))
        };
        for pair in given
            .windows(2)
            .filter(|pair| !pair.iter().any(|argument| is_special(*argument)))
        {
            let (first, second) = (self.text(pair[0]), self.text(pair[1]));
            if first != second {
                let between = &self.source[pair[0].end_byte()..pair[1].start_byte()];
                let range = pair[0].start_byte()..pair[1].end_byte();
                self.add(
                    Operator::Arguments,
                    range,
                    format!("{second}{between}{first}"),
                    expression(call),
                );
            }
        }
    }
}
