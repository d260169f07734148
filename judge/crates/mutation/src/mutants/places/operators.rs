//! Mistakes in operators and literals.
//!
//! Responsible for one node at a time. Mutants that are equivalent by construction (`x + 0` for `x
//! - 0`) are omitted. Must not know statements and calls.

use judge_model::LanguageFamily;
use tree_sitter::Node;

use super::{Finder, expression, expression_if, kinds};
use crate::mutants::mutant::{Choice, Operation, Operator};

/// The operators that are written by mistake instead of this one.
fn mistaken_operators(op: &str) -> (Operator, &'static [&'static str]) {
    use Operator::{Arithmetic, Assignment, Comparison, Logic};
    match op {
        "<" => (Comparison, &["<=", "!="]),
        "<=" => (Comparison, &["<", "=="]),
        ">" => (Comparison, &[">=", "!="]),
        ">=" => (Comparison, &[">", "=="]),
        "==" => (Comparison, &["!="]),
        "!=" => (Comparison, &["=="]),
        "+" => (Arithmetic, &["-"]),
        "-" => (Arithmetic, &["+"]),
        "*" => (Arithmetic, &["+"]),
        "/" => (Arithmetic, &["*"]),
        "%" => (Arithmetic, &["/"]),
        "&" => (Arithmetic, &["|"]),
        "|" => (Arithmetic, &["&"]),
        "^" => (Arithmetic, &["|"]),
        "<<" => (Arithmetic, &[">>"]),
        ">>" => (Arithmetic, &["<<"]),
        "+=" => (Assignment, &["-=", "="]),
        "-=" => (Assignment, &["+=", "="]),
        "*=" => (Assignment, &["+="]),
        "/=" => (Assignment, &["*="]),
        "%=" => (Assignment, &["/="]),
        "&=" => (Assignment, &["|="]),
        "|=" => (Assignment, &["&="]),
        "^=" => (Assignment, &["|="]),
        "<<=" => (Assignment, &[">>="]),
        ">>=" => (Assignment, &["<<="]),
        "&&" => (Logic, &["||"]),
        "||" => (Logic, &["&&"]),
        _ => (Comparison, &[]),
    }
}

/// An operator of Python in the notation of the other languages.
fn common_operator(op: &str) -> &str {
    match op {
        "and" => "&&",
        "or" => "||",
        "//" => "/",
        "//=" => "/=",
        other => other,
    }
}

/// Returns true when the other operator gives the same result because of the right operand.
fn is_neutral(op: &str, other: &str, right: Option<u128>) -> bool {
    match right {
        Some(0) => {
            matches!(op, "+" | "-" | "+=" | "-=" | "<<" | ">>" | "<<=" | ">>=") && other != "="
        }
        Some(1) => matches!((op, other), ("/", "*") | ("/=", "*=")),
        _ => false,
    }
}

impl Finder<'_> {
    /// Adds the mistakes in two operands with an operator between them.
    pub(super) fn operation(&mut self, node: Node<'_>) {
        let part = |field: &str, index| {
            node.child_by_field_name(field)
                .or_else(|| node.child(index))
        };
        let (Some(left), Some(place), Some(right)) =
            (part("left", 0), part("operator", 1), part("right", 2))
        else {
            return;
        };
        let (left_text, op, right_text) = (self.text(left), self.text(place), self.text(right));
        let is_string = [left, right]
            .iter()
            .any(|side| side.kind().contains("string"));
        let is_misread = left.kind() == "range_expression";
        if is_misread
            || is_string && matches!(op, "+" | "%")
            || matches!(op, "<<" | ">>") && self.is_stream(node)
        {
            return;
        }
        if op == "//" {
            let range = place.byte_range();
            self.add(Operator::Arithmetic, range, "/", expression(node));
        }
        let common = common_operator(op);
        let operation = |other: &str| {
            let [left, op, right, other] =
                [left_text, common, right_text, other].map(str::to_owned);
            Some(Operation {
                left,
                op,
                right,
                other,
            })
        };
        let is_pure = self.is_pure(left) && self.is_pure(right);
        // Another operator may have another precedence, but only this operation must change.
        let is_nested = [node.parent(), Some(left), Some(right)]
            .into_iter()
            .flatten()
            .any(kinds::is_binary);
        let (operator, others) = mistaken_operators(common);
        for other in others {
            // `!=` and `<` are equivalent in all but unusual loops.
            let is_same_in_loop = *other == "!=" && op != "==" && kinds::is_loop_condition(node);
            if is_neutral(
                common,
                other,
                self.integer_value(right_text).map(|(value, _)| value),
            ) || is_same_in_loop
            {
                continue;
            }
            let written = match *other {
                "&&" if self.is_python() => "and",
                "||" if self.is_python() => "or",
                other => other,
            };
            let (range, text) = match is_nested && !self.is_rust() {
                true => (
                    node.byte_range(),
                    format!("(({left_text}) {written} ({right_text}))"),
                ),
                false => (place.byte_range(), written.to_owned()),
            };
            let differs = (operator == Operator::Comparison && is_pure).then(|| {
                format!("({left_text} {op} {right_text}) != ({left_text} {written} {right_text})")
            });
            self.add(operator, range, text, expression_if(node, differs))
                .operation = operation(other);
        }
        if operator == Operator::Logic {
            let condition = match common {
                "&&" => format!("({left_text}) && !({right_text})"),
                _ => format!("!({left_text}) && ({right_text})"),
            };
            // Without the right side, the value differs when the left side does not decide. When
            // the left side is left out, the difference is unknown: often the right side may only
            // be evaluated after the left one.
            let choice = expression_if(node, is_pure.then_some(condition));
            self.add(operator, left.end_byte()..right.end_byte(), "", choice)
                .operation = operation(left_text);
            let without_left = left.start_byte()..right.start_byte();
            self.add(operator, without_left, "", expression(node))
                .operation = operation(right_text);
        }
    }

    /// Adds the mistakes in a chain of Python such as `a < b < c`.
    pub(super) fn chained_comparison(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for place in node.children_by_field_name("operators", &mut cursor) {
            let (operator, others) = mistaken_operators(self.text(place));
            for other in others {
                self.add(operator, place.byte_range(), *other, None);
            }
        }
    }

    /// Adds the mistakes in a chain of Rust such as `let Some(a) = b && c`: a condition after a
    /// `let` is left out. The names of the `let` are kept.
    pub(super) fn let_chain(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for pair in parts
            .windows(2)
            .skip_while(|pair| pair[0].kind() != "let_condition")
        {
            if pair[1].kind() != "let_condition" {
                let range = pair[0].end_byte()..pair[1].end_byte();
                self.add(Operator::Logic, range, "", None);
            }
        }
    }

    /// Adds a range of Rust with the other kind of end.
    pub(super) fn range(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let Some(place) = parts
            .iter()
            .position(|part| matches!(part.kind(), ".." | "..="))
        else {
            return;
        };
        let Some(end) = parts.get(place + 1).map(|end| self.text(*end)) else {
            // The grammar parses `a..*b` as `(a..) * b`.
            if node.parent().is_some_and(kinds::is_binary) {
                self.add(Operator::RangeBound, parts[place].byte_range(), "..=", None);
            }
            return;
        };
        let start = place.checked_sub(1).map(|before| self.text(parts[before]));
        let is_closed = parts[place].kind() == "..=";
        // The two kinds have different types, and a choice must have a single one.
        let instead = match (is_closed, start) {
            (false, start) => Some(format!("({}..({end}) + 1)", start.unwrap_or_default())),
            (true, Some(start)) => Some(format!(
                "{{ let mut range = {start}..={end}; range.next_back(); range }}"
            )),
            (true, None) => None,
        };
        // A loop depends on no other property of the type. `MAX` has no successor.
        let instead = instead.filter(|_| self.is_loop_range(node) && !end.contains("MAX"));
        let choice = instead.map(|instead| Choice {
            instead: Some(instead),
            ..expression(node)
        });
        self.add(
            Operator::RangeBound,
            parts[place].byte_range(),
            if is_closed { ".." } else { "..=" },
            choice,
        );
    }

    /// Adds a `!` or `not` that is left out.
    pub(super) fn negation(&mut self, node: Node<'_>) {
        let operator = node
            .child_by_field_name("operator")
            .or_else(|| node.child(0));
        let is_not = operator.is_some_and(|operator| matches!(self.text(operator), "!" | "not"));
        let operand = node
            .child_by_field_name("argument")
            .or_else(|| node.child_by_field_name("operand"));
        let Some(operand) = operand.or_else(|| node.named_child(0)).filter(|_| is_not) else {
            return;
        };
        let text = self.text(operand);
        let choice = Choice {
            instead: self.is_c_family().then(|| format!("!!({text})")),
            ..expression(node)
        };
        self.add(Operator::Logic, node.byte_range(), text, choice);
    }

    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let Some(place) = node.child_by_field_name("operator") else {
            return;
        };
        let op = common_operator(self.text(place));
        let right = self.integer_value(self.field(node, "right"));
        let right = right.map(|(value, _)| value);
        let (operator, others) = mistaken_operators(op);
        for other in others.iter().filter(|other| !is_neutral(op, other, right)) {
            self.add(operator, place.byte_range(), *other, expression(node));
        }
    }

    pub(super) fn integer(&mut self, node: Node<'_>) {
        let Some((value, suffix)) = self.integer_value(self.text(node)) else {
            return;
        };
        let operator = if is_initial_value(node) {
            Operator::InitialValue
        } else {
            Operator::OffByOne
        };
        for other in value.checked_add(1).into_iter().chain(value.checked_sub(1)) {
            let text = format!("{other}{suffix}");
            self.add(operator, node.byte_range(), text, expression(node));
        }
    }

    /// The value of an integer literal, and its suffix. `None` for other texts, and for other bases
    /// than ten except in Rust.
    fn integer_value<'t>(&self, text: &'t str) -> Option<(u128, &'t str)> {
        if !self.is_rust() {
            let digits = text.trim_end_matches(['l', 'L', 'u', 'U']);
            let is_octal = digits.len() > 1 && digits.starts_with('0');
            return Some((
                digits.parse().ok().filter(|_| !is_octal)?,
                &text[digits.len()..],
            ));
        }
        let (digits, suffix) = text.split_at(text.find(['i', 'u']).unwrap_or(text.len()));
        let (base, digits) = match digits.get(..2) {
            Some("0x") => (16, &digits[2..]),
            Some("0o") => (8, &digits[2..]),
            Some("0b") => (2, &digits[2..]),
            _ => (10, digits),
        };
        Some((
            u128::from_str_radix(&digits.replace('_', ""), base).ok()?,
            suffix,
        ))
    }

    pub(super) fn boolean(&mut self, node: Node<'_>) {
        let operator = if is_initial_value(node) {
            Operator::InitialValue
        } else {
            Operator::Boolean
        };
        // `print(x, flush=True)` is like a call of `flush`, without which an interactor waits.
        let keyword = node
            .parent()
            .filter(|parent| parent.kind() == "keyword_argument");
        if keyword.is_some_and(|keyword| self.field(keyword, "name") == "flush") {
            return;
        }
        let other = self.written_boolean(!self.text(node).eq_ignore_ascii_case("true"));
        self.add(operator, node.byte_range(), other, expression(node));
    }

    pub(super) fn written_boolean(&self, value: bool) -> &'static str {
        let words = match self.language {
            LanguageFamily::Python => ("True", "False"),
            LanguageFamily::C => ("1", "0"),
            _ => ("true", "false"),
        };
        if value { words.0 } else { words.1 }
    }

    /// Returns true for the range of a loop, perhaps backwards or in steps.
    fn is_loop_range(&self, node: Node<'_>) -> bool {
        node.parent().is_some_and(|parent| match parent.kind() {
            "for_expression" => parent.child_by_field_name("value") == Some(node),
            "parenthesized_expression" => self.is_loop_range(parent),
            "field_expression" => {
                matches!(self.field(parent, "field"), "rev" | "step_by")
                    && self.is_loop_range(parent)
            }
            "call_expression" => {
                parent.child_by_field_name("function") == Some(node) && self.is_loop_range(parent)
            }
            _ => false,
        })
    }

    /// Returns true for a chain that reads from or writes to a stream: it begins with a known
    /// stream, contains a string, or is a whole statement or condition, where a shift would be
    /// useless.
    fn is_stream(&self, node: Node<'_>) -> bool {
        if self.language != LanguageFamily::Cpp {
            return false;
        }
        let is_shift = |node: Node<'_>| {
            node.kind() == "binary_expression"
                && matches!(self.field(node, "operator"), "<<" | ">>")
        };
        let mut last = node;
        while let Some(outer) = last.parent().filter(|outer| is_shift(*outer)) {
            if outer.child_by_field_name("left") != Some(last) {
                break;
            }
            last = outer;
        }
        let mut first = last;
        while let (true, Some(left)) = (is_shift(first), first.child_by_field_name("left")) {
            let right = first.child_by_field_name("right");
            if right.is_some_and(|right| {
                right.kind().contains("string") || right.kind() == "char_literal"
            }) {
                return true;
            }
            first = left;
        }
        let around = kinds::node_around(last, &["parenthesized_expression", "condition_clause"]);
        let is_alone = around.is_some_and(|around| {
            let is_condition =
                || kinds::condition(around).is_some_and(|(condition, _)| condition == last);
            around.kind() == "expression_statement" || is_condition()
        });
        is_alone
            || matches!(
                self.text(first).rsplit("::").next(),
                Some("cin" | "cout" | "cerr" | "clog")
            )
    }
}

/// Returns true for a literal that is the initial value of a variable.
fn is_initial_value(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        "init_declarator" | "variable_declarator" | "assignment" => true,
        // Without `mut` it is a constant.
        "let_declaration" => parent
            .children(&mut parent.walk())
            .any(|part| part.kind() == "mutable_specifier"),
        _ => false,
    }
}
