//! The mistakes that a call has room for.
//!
//! Responsible for one call at a time, and for calls that are none of the data's business. Must not know other expressions.

use tree_sitter::Node;

use super::{TreeFinder, grammar};
use crate::language::MutantLanguage;
use crate::mutants::expressions::{SYMMETRIC, mistaken};
use crate::mutants::mutant::{Differs, SeatKind};
use crate::mutants::operator::Operator;

/// Calls that say how to read, write or take memory, and not what to do: with mistakes in them a program is slower, or
/// does not read at all.
const SETTING_UP: [&str; 12] = [
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

/// Calls that read: without them nothing works.
const READING: [&str; 12] = [
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
];

impl TreeFinder<'_> {
    /// The name of what is called, which is the last part of it.
    fn called<'t>(node: Node<'t>) -> Option<Node<'t>> {
        let function = node.child_by_field_name("function").or_else(|| node.child_by_field_name("name"))?;
        let last = ["name", "field", "attribute"].iter().find_map(|field| function.child_by_field_name(field));
        Some(last.unwrap_or(function))
    }

    /// True for a call that is not looked at: nothing that the data could notice hangs on it.
    pub(super) fn is_setting_up(&self, node: Node<'_>) -> bool {
        grammar::is_call(&node) && Self::called(node).is_some_and(|name| SETTING_UP.contains(&self.text(name)))
    }

    /// True when leaving the call out is worth a try. A macro may be a declaration.
    pub(super) fn is_call_left_out(&self, node: Node<'_>) -> bool {
        let Some(name) = Self::called(node) else { return false };
        let called = self.text(name);
        let is_reading = READING.contains(&called) || called.starts_with("next") && node.kind() == "method_invocation";
        !is_reading && !self.is_macro(name) && !self.is_setting_up(node)
    }

    pub(super) fn call(&mut self, node: Node<'_>) {
        let (Some(name), Some(arguments)) = (Self::called(node), node.child_by_field_name("arguments")) else { return };
        let called = self.text(name).to_owned();
        let seat = (node.byte_range(), SeatKind::Expression);
        let other = match (&*called, self.language) {
            ("popleft", MutantLanguage::Python) => Some("pop"),
            ("appendleft", MutantLanguage::Python) => Some("append"),
            ("sorted" | "reversed", MutantLanguage::Python) => Some("list"),
            ("lower_bound", _) => Some("upper_bound"),
            ("upper_bound", _) => Some("lower_bound"),
            ("bisect_left", _) => Some("bisect_right"),
            ("bisect_right", _) => Some("bisect_left"),
            _ => mistaken(&called),
        };
        if let Some(other) = other {
            self.add(Operator::Method, (name.byte_range(), other.to_owned()), seat.clone(), Differs::Always);
        }
        // `sum(x for x in y)` has one argument, without parentheses of its own.
        if arguments.kind() != "argument_list" {
            return;
        }
        let mut cursor = arguments.walk();
        let given: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        if called == "equals"
            && given.len() == 1
            && let Some(object) = node.child_by_field_name("object")
        {
            let text = format!("({} == {})", self.text(object), self.text(given[0]));
            let sides = (self.text(object).to_owned(), self.text(given[0]).to_owned());
            self.add(Operator::Comparison, (node.byte_range(), text), seat.clone(), Differs::Always);
            self.in_operation((&sides.0, "equals", &sides.1), "==");
        }
        if called == "range"
            && self.is_python()
            && let Some(end) = given.get(usize::from(given.len() > 1))
        {
            for text in [format!("({}) + 1", self.text(*end)), format!("({}) - 1", self.text(*end))] {
                // A number has these mistakes already.
                if !grammar::is_integer(end) {
                    self.add(Operator::RangeBound, (end.byte_range(), text), seat.clone(), Differs::Always);
                }
            }
        }
        self.swap_arguments(&called, &given, node);
    }

    /// Two neighbours change places.
    fn swap_arguments(&mut self, called: &str, given: &[Node<'_>], node: Node<'_>) {
        if SYMMETRIC.contains(&called) || called == "range" {
            return;
        }
        let seat = (node.byte_range(), SeatKind::Expression);
        for pair in given.windows(2) {
            let (first, second) = (self.text(pair[0]).to_owned(), self.text(pair[1]).to_owned());
            let is_special = pair.iter().any(|of| {
                let kind = of.kind();
                let is_unpacked = matches!(kind, "keyword_argument" | "list_splat" | "dictionary_splat" | "comment");
                kind.contains("string") || kind.contains("lambda") || is_unpacked
            });
            if first != second && !is_special {
                let between = self.source[pair[0].end_byte()..pair[1].start_byte()].to_owned();
                let edit = (pair[0].start_byte()..pair[1].end_byte(), format!("{second}{between}{first}"));
                self.add(Operator::Arguments, edit, seat.clone(), Differs::Always);
            }
        }
    }
}
