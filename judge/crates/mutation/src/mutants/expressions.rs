//! The mistakes that an expression has room for.
//!
//! Responsible for one expression at a time. What is the same for every input by construction (`x + 0` for `x - 0`) is
//! not made. Must not know statements.

use std::ops::Range;

use syn::{Expr, ExprBinary, ExprCall, ExprCast, ExprLit, ExprMethodCall, ExprRange, Lit, RangeLimits, Type, UnOp};

use crate::mutants::find::{MutantFinder, range_of};
use crate::mutants::mutant::{Differs, SeatKind};
use crate::mutants::operator::Operator;
use crate::mutants::purity::is_pure;
use crate::mutants::widths::NARROWER;

/// Methods and functions, and what is taken for them.
const MISTAKEN: [(&str, &str); 10] = [
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
];

/// Calls for which the order of arguments does not matter.
pub(crate) const SYMMETRIC: [&str; 8] = ["min", "max", "swap", "abs_diff", "eq", "ne", "gcd", "hypot"];

pub(crate) fn mistaken(name: &str) -> Option<&'static str> {
    MISTAKEN.iter().find_map(|(one, other)| match name {
        name if name == *one => Some(*other),
        name if name == *other => Some(*one),
        _ => None,
    })
}

/// The other operators that are written in place of one by mistake.
pub(crate) fn other_operators(op: &str) -> (Operator, &'static [&'static str]) {
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

/// The number that a literal is.
fn number(expression: &Expr) -> Option<u128> {
    let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = expression else { return None };
    number.base10_parse().ok()
}

/// True when one operator is the same as the other because of the operand on its right.
fn is_the_same(op: &str, other: &str, right: &Expr) -> bool {
    match number(right) {
        Some(0) => matches!(op, "+" | "-" | "+=" | "-=" | "<<" | ">>" | "<<=" | ">>=") && other != "=",
        Some(1) => matches!((op, other), ("/", "*") | ("/=", "*=")),
        _ => false,
    }
}

/// True when it binds names by a `let`, which must not be lost.
fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        Expr::Paren(inner) => binds(&inner.expr),
        _ => false,
    }
}

/// The range that a loop goes through, perhaps backwards or in steps.
pub(crate) fn head_of(head: &Expr) -> Option<&Expr> {
    match head {
        Expr::Range(_) => Some(head),
        Expr::Paren(inner) => head_of(&inner.expr),
        Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => head_of(&call.receiver),
        _ => None,
    }
}

impl MutantFinder<'_> {
    pub(crate) fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Binary(binary) => self.binary(binary, false),
            Expr::Lit(literal) => self.literal(literal, Operator::OffByOne),
            Expr::If(branch) => self.condition(&branch.cond),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.text(range_of(&unary.expr)).to_owned();
                self.add(Operator::Logic, (range_of(unary), &inner), range_of(unary));
            }
            Expr::Range(range) => self.range(range),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            _ => {}
        }
    }

    /// The condition of a branch.
    pub(crate) fn condition(&mut self, condition: &Expr) {
        if binds(condition) || matches!(condition, Expr::Lit(_)) {
            return;
        }
        for value in [true, false] {
            self.constant(condition, value);
        }
    }

    /// A condition that has one value always. What else it does is left out too.
    fn constant(&mut self, condition: &Expr, value: bool) {
        let (range, text) = (range_of(condition), if value { "true" } else { "false" });
        let seat = (range.clone(), SeatKind::Expression);
        let differs = if is_pure(condition) { Differs::UnlessValueIs(value) } else { Differs::Always };
        self.unless_typed_by(condition, |finder| {
            finder.add_with(Operator::Branch, (range, text), seat, None, differs);
        });
    }

    /// The condition of a loop. One that never holds is a mistake; one that always does only costs time. There `!=`
    /// does what `<` does, in all but strange loops.
    pub(crate) fn repeated_condition(&mut self, condition: &Expr) {
        use syn::visit::Visit as _;
        if !binds(condition) && !matches!(condition, Expr::Lit(_)) {
            self.constant(condition, false);
        }
        if let Expr::Binary(binary) = condition {
            self.binary(binary, true);
            self.visit_expr(&binary.left);
            self.visit_expr(&binary.right);
        } else {
            self.visit_expr(condition);
        }
    }

    fn binary(&mut self, binary: &ExprBinary, repeated: bool) {
        let (whole, place) = (range_of(binary), range_of(&binary.op));
        let op = self.text(place.clone()).to_owned();
        let (left, right) = (range_of(&binary.left), range_of(&binary.right));
        let (operator, others) = other_operators(&op);
        if operator == Operator::Logic {
            self.logic(binary, (&whole, &place), (left, right), others);
            return;
        }
        let pure = operator == Operator::Comparison && is_pure(&binary.left) && is_pure(&binary.right);
        let (left, right) = (self.text(left).to_owned(), self.text(right).to_owned());
        for other in others {
            let boundary = matches!(*other, "<=" | ">=" | "<" | ">");
            if is_the_same(&op, other, &binary.right) || repeated && !boundary && op != "==" && op != "!=" {
                continue;
            }
            let differs = if pure {
                Differs::When(format!("({left} {op} {right}) != ({left} {other} {right})"))
            } else {
                Differs::Always
            };
            let seat = (whole.clone(), SeatKind::Expression);
            self.add_with(operator, (place.clone(), other), seat, None, differs);
            self.in_operation((&left, &op, &right), other);
        }
    }

    fn logic(
        &mut self,
        binary: &ExprBinary,
        (whole, op): (&Range<usize>, &Range<usize>),
        (left, right): (Range<usize>, Range<usize>),
        others: &[&str],
    ) {
        match (binds(&binary.left), binds(&binary.right)) {
            (false, false) => {
                let texts = [left.clone(), op.clone(), right.clone()].map(|part| self.text(part).to_owned());
                let operation = (&*texts[0], &*texts[1], &*texts[2]);
                for other in others {
                    self.add(Operator::Logic, (op.clone(), other), whole.clone());
                    self.in_operation(operation, other);
                }
                self.add(Operator::Logic, (left.end..right.end, ""), whole.clone());
                self.in_operation(operation, operation.0);
                self.add(Operator::Logic, (left.start..right.start, ""), whole.clone());
                self.in_operation(operation, operation.2);
            }
            // Names that a `let` binds stay bound.
            (true, false) => self.add_fixed(Operator::Logic, (left.end..right.end, "")),
            _ => {}
        }
    }

    pub(crate) fn literal(&mut self, literal: &ExprLit, operator: Operator) {
        let range = range_of(literal);
        let seat = range.clone();
        match &literal.lit {
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let around = value.checked_add(1).into_iter().chain(value.checked_sub(1));
                for other in around.map(|other| format!("{other}{}", number.suffix())) {
                    self.add(operator, (range.clone(), &other), seat.clone());
                }
            }
            Lit::Bool(value) => {
                let other = if value.value { "false" } else { "true" };
                let operator = if operator == Operator::OffByOne { Operator::Boolean } else { operator };
                self.add(operator, (range, other), seat);
            }
            _ => {}
        }
    }

    fn range(&mut self, range: &ExprRange) {
        let Some(end) = &range.end else { return };
        let whole = range_of(range);
        let limits = range_of(&range.limits);
        // Elsewhere the one may have methods, or go where the other has none or does not: it is for the compiler to say.
        if !self.heads.contains(&whole) || self.text(range_of(end)).contains("MAX") {
            let other = if matches!(range.limits, RangeLimits::HalfOpen(_)) { "..=" } else { ".." };
            self.add_fixed(Operator::RangeBound, (limits, other));
            return;
        }
        let start = range.start.as_deref().map(|start| self.text(range_of(start)).to_owned());
        let last = self.text(range_of(end)).to_owned();
        // Another type: where one program holds both, something of the same type that means the same.
        let (other, instead) = match (&range.limits, start) {
            (RangeLimits::HalfOpen(_), start) => ("..=", format!("({}..({last}) + 1)", start.unwrap_or_default())),
            (RangeLimits::Closed(_), Some(start)) => {
                let text = format!("{{ let mut range = {start}..={last}; range.next_back(); range }}");
                ("..", text)
            }
            (RangeLimits::Closed(_), None) => {
                self.add_fixed(Operator::RangeBound, (limits, ".."));
                return;
            }
        };
        let seat = (whole, SeatKind::Expression);
        self.add_with(Operator::RangeBound, (limits, other), seat, Some(instead), Differs::Always);
    }

    /// A cast that goes through a narrower type.
    fn cast(&mut self, cast: &ExprCast) {
        let Type::Path(path) = &*cast.ty else { return };
        let narrower = |(wide, narrow): &(&str, &'static str)| path.path.is_ident(wide).then_some(*narrow);
        if let Some(narrow) = NARROWER.iter().find_map(narrower) {
            let end = range_of(&cast.expr).end;
            self.add(Operator::IntegerWidth, (end..end, &format!(" as {narrow}")), range_of(cast));
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let name = if let Expr::Path(path) = &*call.func { path.path.segments.last() } else { None };
        let Some(name) = name else { return };
        if let Some(other) = mistaken(&name.ident.to_string()) {
            self.add(Operator::Method, (range_of(&name.ident), other), range_of(call));
        }
        if !SYMMETRIC.iter().any(|symmetric| name.ident == symmetric) {
            self.swap_arguments(&call.args.iter().collect::<Vec<_>>(), range_of(call));
        }
    }

    fn method_call(&mut self, call: &ExprMethodCall) {
        if let Some(other) = mistaken(&call.method.to_string()) {
            self.add(Operator::Method, (range_of(&call.method), other), range_of(call));
        }
        if !SYMMETRIC.iter().any(|symmetric| call.method == symmetric) {
            self.swap_arguments(&call.args.iter().collect::<Vec<_>>(), range_of(call));
        }
    }

    /// Neighbours change places. Whether their types allow that is for the compiler to say.
    fn swap_arguments(&mut self, arguments: &[&Expr], seat: Range<usize>) {
        for pair in arguments.windows(2) {
            // Types that hardly ever are those of a neighbour.
            let is_special = |of: &Expr| matches!(of, Expr::Closure(_) | Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
            let (one, other) = (range_of(pair[0]), range_of(pair[1]));
            let (first, second) = (self.text(one.clone()).to_owned(), self.text(other.clone()).to_owned());
            if first == second || pair.iter().any(|of| is_special(of)) {
                continue;
            }
            let between = self.text(one.end..other.start).to_owned();
            let text = format!("{second}{between}{first}");
            self.add(Operator::Arguments, (one.start..other.end, &text), seat.clone());
        }
    }
}
