//! Operations on values, and constant folding.
//!
//! Must not know variables or inputs.

use crate::error::FaultKind;
use crate::number::{Arithmetic, Integer, Number};
use crate::syntax::{Expression, Value};

/// The maximum cost of a constant that is computed while a program is parsed, in steps. More
/// expensive constants are computed when the program runs.
const MAX_FOLDING: u64 = 2_000;

impl Value {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Number(Number::Integer(_)) => "an integer",
            Value::Number(Number::Float(_)) => "a float",
            Value::Text(_) => "a string",
        }
    }

    /// Returns a form in which equal values are identical: an integer for a whole float.
    pub(crate) fn canonical(&self) -> Value {
        match self {
            Value::Number(number) => Value::Number(number.canonical()),
            Value::Text(_) => self.clone(),
        }
    }
}

/// Replaces an expression with its value, if it is constant and cheap to compute. An expression
/// that cannot be computed is kept: it is an error only if the program evaluates it.
pub(crate) fn fold(expression: Expression) -> Expression {
    let constant = |part: &Expression| match part {
        Expression::Constant(value) => Some(value.clone()),
        _ => None,
    };
    let folded = match &expression {
        Expression::Constant(_) | Expression::Variable(_) => None,
        Expression::Length(text) => constant(text).and_then(|text| length(&text).ok()),
        Expression::Negation(part) => constant(part).and_then(|value| negate(&value).ok()),
        Expression::Chain(first, rest) => constant(first).and_then(|first| {
            rest.iter().try_fold(first, |left, (operator, right)| {
                let right = constant(right)?;
                let is_affordable = cost(&left, *operator, &right) <= MAX_FOLDING;
                is_affordable
                    .then(|| combine(&left, *operator, &right).ok())
                    .flatten()
            })
        }),
    };
    folded.map_or(expression, Expression::Constant)
}

pub(crate) fn expected(expected: &'static str, found: &Value) -> FaultKind {
    FaultKind::Type {
        expected,
        found: found.kind().to_owned(),
    }
}

pub(crate) fn length(text: &Value) -> Result<Value, FaultKind> {
    match text {
        Value::Text(text) => {
            let length = i64::try_from(text.len()).map_err(|_| FaultKind::TooLarge)?;
            Ok(Value::Number(Number::Integer(Integer::Small(length))))
        }
        Value::Number(_) => Err(expected("a string in `STRLEN`", text)),
    }
}

pub(crate) fn negate(value: &Value) -> Result<Value, FaultKind> {
    match value {
        Value::Number(number) => Ok(Value::Number(number.negate())),
        Value::Text(_) => Err(expected("a number after `-`", value)),
    }
}

pub(crate) fn cost(left: &Value, operator: Arithmetic, right: &Value) -> u64 {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.cost(operator, right),
        _ => 0,
    }
}

pub(crate) fn combine(
    left: &Value,
    operator: Arithmetic,
    right: &Value,
) -> Result<Value, FaultKind> {
    let (Value::Number(a), Value::Number(b)) = (left, right) else {
        let text = if matches!(left, Value::Text(_)) {
            left
        } else {
            right
        };
        return Err(expected("numbers to compute with", text));
    };
    a.combine(operator, b).map(Value::Number)
}

/// The memory that a value takes, in 64-bit words.
pub(crate) fn size(value: &Value) -> u64 {
    match value {
        Value::Number(number) => number.words(),
        Value::Text(text) => 1 + text.len() as u64 / 8,
    }
}
