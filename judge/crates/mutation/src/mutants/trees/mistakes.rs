//! The mistakes that a node of a syntax tree has room for.
//!
//! Responsible for one node at a time. Must not know the walk.

use tree_sitter::Node;

use super::{TreeFinder, grammar};
use crate::language::MutantLanguage;
use crate::mutants::expressions::other_operators;
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
        } else if node.kind() == "comparison_operator" {
            self.chain(node);
        }
        self.negation(node);
        self.conversion(node);
        if let Some((condition, repeated)) = grammar::condition(&node) {
            self.condition(condition, repeated);
        }
        self.statement(node);
    }

    pub(super) fn is_python(&self) -> bool {
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
        let is_text = [left, right].iter().any(|of| of.kind().contains("string"));
        if matches!(&*op, "<<" | ">>") && self.is_stream(node) || is_text && matches!(&*op, "+" | "%") {
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
            let shown = other.clone();
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
            self.in_operation((&left_text, common_operator(&op), &right_text), common_operator(&shown));
        }
        if operator == Operator::Logic {
            let operation = (&*left_text, common_operator(&op), &*right_text);
            // Without the right side it is another value where the left one leaves that to the right. The other way round
            // nobody knows: the left side often is what the right one needs to be looked at.
            let is_pure = self.is_pure(left) && self.is_pure(right);
            let condition = match operation.1 {
                "&&" => format!("({left_text}) && !({right_text})"),
                _ => format!("!({left_text}) && ({right_text})"),
            };
            let differs = if is_pure { Differs::When(condition) } else { Differs::Always };
            self.add(operator, (left.end_byte()..right.end_byte(), String::new()), whole.clone(), differs);
            self.in_operation(operation, &left_text);
            self.add(operator, (left.start_byte()..right.start_byte(), String::new()), whole, Differs::Always);
            self.in_operation(operation, &right_text);
        }
    }

    /// `a < b < c` of Python, whose operators are next to one another.
    fn chain(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let places: Vec<Node<'_>> = node.children_by_field_name("operators", &mut cursor).collect();
        for place in places {
            let (operator, others) = other_operators(self.text(place));
            for other in others {
                let edit = (place.byte_range(), (*other).to_owned());
                self.add(operator, edit, (node.byte_range(), SeatKind::Expression), Differs::Always);
            }
        }
    }

    /// A `!` or `not` that is left out.
    fn negation(&mut self, node: Node<'_>) {
        let is_not = match node.kind() {
            "not_operator" => true,
            "unary_expression" => {
                node.child_by_field_name("operator").is_some_and(|operator| matches!(self.text(operator), "!" | "not"))
            }
            _ => false,
        };
        let Some(operand) = node.child_by_field_name("argument").or_else(|| node.child_by_field_name("operand")) else {
            return;
        };
        if is_not {
            let text = self.text(operand).to_owned();
            let instead = format!("!!({text})");
            self.add_instead(Operator::Logic, (node.byte_range(), text), node.byte_range(), Some(instead));
        }
    }

    /// True for a chain that reads from or writes to a stream, which `<<` and `>>` do not shift: it begins with one of the
    /// known ones, holds a text, or is a statement or condition by itself, where a shift would be of no use.
    fn is_stream(&self, node: Node<'_>) -> bool {
        let is_shift = |of: Node<'_>| {
            let operator = of.child_by_field_name("operator");
            of.kind() == "binary_expression" && operator.is_some_and(|of| matches!(self.text(of), "<<" | ">>"))
        };
        let mut last = node;
        while let Some(outer) =
            last.parent().filter(|outer| is_shift(*outer) && outer.child_by_field_name("left") == Some(last))
        {
            last = outer;
        }
        let mut first = last;
        while let (true, Some(left)) = (is_shift(first), first.child_by_field_name("left")) {
            let right = first.child_by_field_name("right");
            if right.is_some_and(|right| right.kind().contains("string") || right.kind() == "char_literal") {
                return true;
            }
            first = left;
        }
        let mut outer = last.parent();
        while let Some(of) = outer.filter(|of| matches!(of.kind(), "parenthesized_expression" | "condition_clause")) {
            outer = of.parent();
        }
        let stands_alone = outer.is_some_and(|of| {
            let is_condition = || grammar::condition(&of).is_some_and(|(condition, _)| condition == last);
            of.kind() == "expression_statement" || is_condition()
        });
        let name = self.text(first);
        stands_alone || matches!(name.rsplit("::").next(), Some("cin" | "cout" | "cerr" | "clog"))
    }

    /// True when evaluating it once more leaves no trace.
    fn is_pure(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut all = || node.named_children(&mut cursor).all(|child| self.is_pure(child));
        match node.kind() {
            // What the preprocessor puts in its place may be anything.
            "identifier" => !self.defined.contains(self.text(node)),
            "field_identifier" | "number_literal" | "char_literal" | "character" | "this" => true,
            // What is shifted by what has a name may be a stream that is read from.
            "binary_expression" => {
                let is_number = |of: &str| node.child_by_field_name(of).is_some_and(|of| of.kind() == "number_literal");
                let is_shift =
                    node.child_by_field_name("operator").is_some_and(|of| matches!(self.text(of), "<<" | ">>"));
                all() && (!is_shift || is_number("left") || is_number("right"))
            }
            "unary_expression"
            | "parenthesized_expression"
            | "condition_clause"
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
            // What else it does, such as reading, is left out too.
            let differs = if self.is_pure(condition) { Differs::UnlessValueIs(value) } else { Differs::Always };
            self.add(Operator::Branch, edit, seat, differs);
        }
    }

    /// A statement that can be left out, or an `else` of one. A `return` is kept: a function without one may do anything.
    fn statement(&mut self, node: Node<'_>) {
        let nothing = if self.is_python() { "pass" } else { ";" }.to_owned();
        let range = node.byte_range();
        let operator = match node.kind() {
            "break_statement" | "continue_statement" => Operator::Jump,
            // Without a value, so that what follows is meant to be left out, and nothing is expected of it.
            "return_statement" if node.named_child_count() == 0 => Operator::Jump,
            // Behind `->` in Java something has to stand.
            "expression_statement" if node.parent().is_some_and(|parent| parent.kind() == "switch_rule") => return,
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

    /// True when leaving it out is worth a try.
    fn is_left_out(&self, inner: Node<'_>) -> bool {
        match inner.kind() {
            "assignment_expression" | "augmented_assignment" | "update_expression" => true,
            // A name that nothing was put into before is an error whatever the input.
            "assignment" => inner.child_by_field_name("left").is_some_and(|left| match left.kind() {
                "subscript" | "attribute" => true,
                "identifier" => self.is_assigned_before(left),
                _ => false,
            }),
            _ => grammar::is_call(&inner) && self.is_call_left_out(inner),
        }
    }

    /// True when the name is put into before, in the same function.
    fn is_assigned_before(&self, name: Node<'_>) -> bool {
        let mut outer = name;
        while let Some(parent) = outer.parent().filter(|_| !grammar::is_function(&outer)) {
            outer = parent;
        }
        assigns(outer, self.text(name), self.source, name.start_byte())
    }
}

/// True when something in it puts a value into the name, in front of a place.
fn assigns(node: Node<'_>, name: &str, source: &str, before: usize) -> bool {
    if node.start_byte() >= before {
        return false;
    }
    let is_it = |of: Node<'_>| of.kind() == "identifier" && &source[of.byte_range()] == name;
    let left = if node.kind() == "assignment" { node.child_by_field_name("left") } else { None };
    let mut cursor = node.walk();
    left.is_some_and(is_it) || node.children(&mut cursor).any(|child| assigns(child, name, source, before))
}

/// True when the other operator does the same because of the operand on the right.
fn is_the_same(op: &str, right: &str) -> bool {
    match right {
        "0" => matches!(op, "+" | "-" | "<<" | ">>"),
        "1" => matches!(op, "/" | "/="),
        _ => false,
    }
}
