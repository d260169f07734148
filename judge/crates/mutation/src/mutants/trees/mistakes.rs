//! The mistakes that a node of a syntax tree has room for.
//!
//! Responsible for one node at a time. Must not know the walk.

use tree_sitter::Node;

use super::{TreeFinder, grammar};
use crate::language::MutantLanguage;
use crate::mutants::expressions::{SYMMETRIC, mistaken, other_operators};
use crate::mutants::mutant::{Differs, SeatKind};
use crate::mutants::operator::Operator;

/// Operators of Python, and how the others write them.
fn common_operator(op: &str) -> &str {
    match op {
        "and" => "&&",
        "or" => "||",
        "//" => "/",
        "//=" => "/=",
        other => other,
    }
}

impl TreeFinder<'_> {
    pub(super) fn mistakes(&mut self, node: Node<'_>) {
        if grammar::is_binary(&node) {
            self.binary(node);
        } else if grammar::is_assignment(&node) {
            self.assignment(node);
        } else if grammar::is_integer(&node) {
            self.integer(node);
        } else if grammar::is_call(&node) {
            self.call(node);
        } else if matches!(node.kind(), "true" | "false") {
            self.truth(node);
        }
        if let Some((condition, repeated)) = grammar::condition(&node) {
            self.condition(condition, repeated);
        }
        self.statement(node);
    }

    fn is_python(&self) -> bool {
        self.language == MutantLanguage::Python
    }

    fn truth_value(&self, value: bool) -> String {
        let words = match self.language {
            MutantLanguage::Python => ("True", "False"),
            MutantLanguage::C => ("1", "0"),
            _ => ("true", "false"),
        };
        if value { words.0 } else { words.1 }.to_owned()
    }

    /// An operator as this language writes it.
    fn own_operator(&self, op: &str) -> String {
        match op {
            "&&" if self.is_python() => "and",
            "||" if self.is_python() => "or",
            other => other,
        }
        .to_owned()
    }

    fn binary(&mut self, node: Node<'_>) {
        let named = (node.child_by_field_name("left"), node.child_by_field_name("operator"));
        let by_place = (node.child(0), node.child(1), node.child(2));
        let parts = (named.0.or(by_place.0), named.1.or(by_place.1), node.child_by_field_name("right").or(by_place.2));
        let (Some(left), Some(place), Some(right)) = parts else { return };
        let op = self.text(place).to_owned();
        if matches!(&*op, "<<" | ">>") && self.is_stream(left) {
            return;
        }
        let whole = (node.byte_range(), SeatKind::Expression);
        let (left_text, right_text) = (self.text(left).to_owned(), self.text(right).to_owned());
        if op == "//" {
            self.add(Operator::Arithmetic, (place.byte_range(), "/".to_owned()), whole.clone(), Differs::Always);
        }
        let (operator, others) = other_operators(common_operator(&op));
        let is_repeated = grammar::is_repeated(node);
        for other in others {
            let other = self.own_operator(other);
            let is_boundary = matches!(&*other, "<=" | ">=" | "<" | ">" | "==") || matches!(&*op, "==" | "!=");
            let is_comparison = operator == Operator::Comparison;
            if is_the_same(&op, &right_text) || is_repeated && is_comparison && !is_boundary {
                continue;
            }
            let is_pure = is_comparison && self.is_pure(left) && self.is_pure(right);
            let differs =
                Differs::When(format!("({left_text} {op} {right_text}) != ({left_text} {other} {right_text})"));
            let differs = if is_pure { differs } else { Differs::Always };
            let is_nested = |of: Option<Node<'_>>| of.is_some_and(|of| grammar::is_binary(&of));
            // Another operator may bind its neighbours more or less: what is meant is this operation alone.
            let edit = if is_nested(node.parent()) || is_nested(Some(left)) || is_nested(Some(right)) {
                (node.byte_range(), format!("(({left_text}) {other} ({right_text}))"))
            } else {
                (place.byte_range(), other)
            };
            self.add(operator, edit, whole.clone(), differs);
        }
        if operator == Operator::Logic {
            self.add(operator, (left.end_byte()..right.end_byte(), String::new()), whole.clone(), Differs::Always);
            self.add(operator, (left.start_byte()..right.start_byte(), String::new()), whole, Differs::Always);
        }
    }

    /// True for a stream, which `<<` and `>>` do not shift.
    fn is_stream(&self, node: Node<'_>) -> bool {
        let mut first = node;
        while let (true, Some(left)) = (grammar::is_binary(&first), first.child_by_field_name("left")) {
            first = left;
        }
        let name = self.text(first);
        matches!(name.rsplit("::").next(), Some("cin" | "cout" | "cerr" | "clog"))
    }

    /// True when evaluating it once more leaves no trace.
    fn is_pure(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut all = || node.named_children(&mut cursor).all(|child| self.is_pure(child));
        match node.kind() {
            "identifier" | "field_identifier" | "number_literal" | "char_literal" | "character" | "this" => true,
            "binary_expression"
            | "parenthesized_expression"
            | "field_expression"
            | "subscript_expression"
            | "subscript_argument_list" => all(),
            "call_expression" => {
                let text = self.text(node);
                let looks = [".size()", ".length()", ".empty()"].iter().any(|end| text.ends_with(end));
                looks && node.child_by_field_name("function").is_some_and(|function| self.is_pure(function))
            }
            _ => false,
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        let fields = (node.child_by_field_name("operator"), node.child_by_field_name("right"));
        let (Some(place), Some(right)) = fields else { return };
        let (op, right) = (self.text(place).to_owned(), self.text(right).to_owned());
        for other in other_operators(common_operator(&op)).1.iter().filter(|_| !is_the_same(&op, &right)) {
            let seat = (node.byte_range(), SeatKind::Expression);
            self.add(Operator::Assignment, (place.byte_range(), (*other).to_owned()), seat, Differs::Always);
        }
    }

    fn integer(&mut self, node: Node<'_>) {
        let text = self.text(node).to_owned();
        let digits = text.trim_end_matches(['l', 'L', 'u', 'U']);
        let is_octal = digits.len() > 1 && digits.starts_with('0');
        let Some(value) = digits.parse::<u128>().ok().filter(|_| !is_octal) else { return };
        let parent = node.parent().map_or("", |parent| parent.kind());
        let is_initial = matches!(parent, "init_declarator" | "variable_declarator" | "assignment");
        let operator = if is_initial { Operator::InitialValue } else { Operator::OffByOne };
        for other in value.checked_add(1).into_iter().chain(value.checked_sub(1)) {
            let other = format!("{other}{}", &text[digits.len()..]);
            self.add(operator, (node.byte_range(), other), (node.byte_range(), SeatKind::Expression), Differs::Always);
        }
    }

    fn truth(&mut self, node: Node<'_>) {
        let other = self.truth_value(!self.text(node).eq_ignore_ascii_case("true"));
        let seat = (node.byte_range(), SeatKind::Expression);
        self.add(Operator::Boolean, (node.byte_range(), other), seat, Differs::Always);
    }

    fn condition(&mut self, condition: Node<'_>, repeated: bool) {
        if matches!(condition.kind(), "true" | "false" | "number_literal" | "integer") {
            return;
        }
        // A loop that always goes on only costs time.
        for value in [true, false].into_iter().filter(|value| !(repeated && *value)) {
            // What is known to be false is a mistake in the eyes of a Java compiler, where it is a loop's condition.
            let text = match (self.language, repeated) {
                (MutantLanguage::Java, true) => "Boolean.FALSE".to_owned(),
                _ => self.truth_value(value),
            };
            let edit = (condition.byte_range(), text);
            let seat = (condition.byte_range(), SeatKind::Condition);
            self.add(Operator::Branch, edit, seat, Differs::UnlessValueIs(value));
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let named = node.child_by_field_name("function").or_else(|| node.child_by_field_name("name"));
        let (Some(function), Some(arguments)) = (named, node.child_by_field_name("arguments")) else { return };
        let last = ["name", "field", "attribute"].iter().find_map(|field| function.child_by_field_name(field));
        let name = last.unwrap_or(function);
        let called = self.text(name).to_owned();
        let seat = (node.byte_range(), SeatKind::Expression);
        let other = match (&*called, self.language) {
            ("popleft", MutantLanguage::Python) => Some("pop"),
            ("appendleft", MutantLanguage::Python) => Some("append"),
            ("sorted", MutantLanguage::Python) => Some("list"),
            ("lower_bound", _) => Some("upper_bound"),
            ("upper_bound", _) => Some("lower_bound"),
            ("bisect_left", _) => Some("bisect_right"),
            ("bisect_right", _) => Some("bisect_left"),
            _ => mistaken(&called),
        };
        if let Some(other) = other {
            self.add(Operator::Method, (name.byte_range(), other.to_owned()), seat.clone(), Differs::Always);
        }
        let mut cursor = arguments.walk();
        let given: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        if called == "equals"
            && given.len() == 1
            && let Some(object) = node.child_by_field_name("object")
        {
            let text = format!("({} == {})", self.text(object), self.text(given[0]));
            self.add(Operator::Comparison, (node.byte_range(), text), seat.clone(), Differs::Always);
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
        if SYMMETRIC.contains(&&*called) {
            return;
        }
        for pair in given.windows(2) {
            let (first, second) = (self.text(pair[0]).to_owned(), self.text(pair[1]).to_owned());
            let is_special = pair.iter().any(|of| {
                let kind = of.kind();
                kind.contains("string") || kind.contains("lambda") || matches!(kind, "keyword_argument" | "comment")
            });
            if first != second && !is_special {
                let between = self.source[pair[0].end_byte()..pair[1].start_byte()].to_owned();
                let edit = (pair[0].start_byte()..pair[1].end_byte(), format!("{second}{between}{first}"));
                self.add(Operator::Arguments, edit, seat.clone(), Differs::Always);
            }
        }
    }

    /// A statement that can be left out, or an `else` of one. A `return` is kept: a function without one may do anything.
    fn statement(&mut self, node: Node<'_>) {
        let nothing = if self.is_python() { "pass" } else { ";" }.to_owned();
        let range = node.byte_range();
        let operator = match node.kind() {
            "break_statement" | "continue_statement" => Operator::Jump,
            "expression_statement" if node.named_child(0).is_some_and(|inner| self.is_left_out(inner)) => {
                Operator::Statement
            }
            "if_statement" => {
                let (then, otherwise) =
                    (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"));
                if let (Some(then), Some(otherwise)) = (then, otherwise) {
                    let edit = (then.end_byte()..otherwise.end_byte(), String::new());
                    self.add(Operator::Branch, edit, (range, SeatKind::Statement), Differs::Always);
                }
                return;
            }
            _ => return,
        };
        self.add(operator, (range.clone(), nothing), (range, SeatKind::Statement), Differs::Always);
    }

    /// True when leaving it out is worth a try: without reading input, nothing works.
    fn is_left_out(&self, inner: Node<'_>) -> bool {
        const READING: [&str; 5] = ["scanf", "getline", "read", "next", "sync_with_stdio"];
        let is_reading = || READING.iter().any(|name| self.text(inner).contains(name));
        match inner.kind() {
            "assignment_expression" | "augmented_assignment" | "update_expression" => true,
            _ => grammar::is_call(&inner) && !is_reading(),
        }
    }
}

/// True when the other operator does the same because of the operand on the right.
fn is_the_same(op: &str, right: &str) -> bool {
    match right {
        "0" => matches!(op, "+" | "-" | "<<" | ">>"),
        "1" => matches!(op, "/" | "/="),
        _ => false,
    }
}
