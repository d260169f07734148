//! The evaluation of expressions and tests.
//!
//! Must not know what commands do with the results.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::Machine;
use crate::error::{CheckError, FaultKind};
use crate::evaluate::{combine, cost, expected, length, negate, size};
use crate::memory::{Array, Index, unique};
use crate::number::{Arithmetic, Integer, Number};
use crate::syntax::{Comparison, Expression, Name, Test, Value, Variable};

impl<'p> Machine<'p> {
    /// Evaluates an expression.
    pub(crate) fn value(
        &mut self,
        expression: &'p Expression,
    ) -> Result<Cow<'p, Value>, CheckError> {
        self.spend(1)?;
        match expression {
            Expression::Constant(value) => Ok(Cow::Borrowed(value)),
            Expression::Variable(variable) => self.variable(variable).map(Cow::Owned),
            Expression::Length(text) => {
                let text = self.value(text)?;
                self.computed(length(&text))
            }
            Expression::Negation(part) => {
                let value = self.value(part)?;
                self.computed(negate(&value))
            }
            Expression::Chain(first, rest) => {
                let mut left = self.value(first)?;
                for (operator, right) in rest {
                    let right = self.value(right)?;
                    self.spend(cost(&left, *operator, &right))?;
                    left = self.computed(combine(&left, *operator, &right))?;
                }
                Ok(left)
            }
        }
    }

    fn computed(&self, result: Result<Value, FaultKind>) -> Result<Cow<'p, Value>, CheckError> {
        result.map(Cow::Owned).map_err(|kind| self.fault(kind))
    }

    /// Evaluates an expression that has to be a number.
    pub(crate) fn number(
        &mut self,
        expression: &'p Expression,
        required: &'static str,
    ) -> Result<Cow<'p, Number>, CheckError> {
        match self.value(expression)? {
            Cow::Borrowed(Value::Number(number)) => Ok(Cow::Borrowed(number)),
            Cow::Owned(Value::Number(number)) => Ok(Cow::Owned(number)),
            other => Err(self.fault(expected(required, &other))),
        }
    }

    /// Evaluates an expression that has to be an integer.
    pub(crate) fn integer(
        &mut self,
        expression: &'p Expression,
        required: &'static str,
    ) -> Result<Cow<'p, Integer>, CheckError> {
        match self.value(expression)? {
            Cow::Borrowed(Value::Number(Number::Integer(integer))) => Ok(Cow::Borrowed(integer)),
            Cow::Owned(Value::Number(Number::Integer(integer))) => Ok(Cow::Owned(integer)),
            other => Err(self.fault(expected(required, &other))),
        }
    }

    fn index(&mut self, variable: &'p Variable) -> Result<Index, CheckError> {
        match variable.index.as_slice() {
            [] => Ok(Index::Plain),
            // One index is the usual case. It needs no vector, which would be allocated for
            // every access.
            [one] => Ok(
                match self.integer(one, "an integer as an index")?.into_owned() {
                    Integer::Small(index) => Index::One(index),
                    index @ Integer::Big(_) => Index::new(vec![index]),
                },
            ),
            many => {
                let mut parts = Vec::with_capacity(many.len());
                for part in many {
                    parts.push(self.integer(part, "an integer as an index")?.into_owned());
                }
                Ok(Index::new(parts))
            }
        }
    }

    fn variable(&mut self, variable: &'p Variable) -> Result<Value, CheckError> {
        let index = self.index(variable)?;
        match self.arrays[variable.name].get(&index) {
            // Small integers are by far the most frequent values. Copying one allocates
            // nothing, so it costs no steps.
            Some(Value::Number(Number::Integer(Integer::Small(value)))) => {
                Ok(Value::Number(Number::Integer(Integer::Small(*value))))
            }
            Some(value) => {
                let value = value.clone();
                self.spend(size(&value))?;
                Ok(value)
            }
            None => Err(self.fault(FaultKind::Undefined(format!(
                "{}{index}",
                self.program.names[variable.name].name
            )))),
        }
    }

    /// Gives a variable a value.
    pub(crate) fn assign(
        &mut self,
        variable: &'p Variable,
        value: Value,
    ) -> Result<(), CheckError> {
        let index = self.index(variable)?;
        // A step must stand for at most a few bytes, since only steps bound the memory of a
        // program.
        self.spend(16 + 4 * size(&value) + 4 * variable.index.len() as u64)?;
        self.arrays[variable.name].set(index, value);
        Ok(())
    }

    /// Evaluates a test.
    pub(crate) fn test(&mut self, test: &'p Test) -> Result<bool, CheckError> {
        self.spend(1)?;
        match test {
            Test::Not(test) => Ok(!self.test(test)?),
            Test::All(tests) => {
                for test in tests {
                    if !self.test(test)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Any(tests) => {
                for test in tests {
                    if self.test(test)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.compare(&left, *comparison, &right)
            }
            Test::EndOfFile => Ok(self.input.is_at_end()),
            Test::Match(characters) => {
                let characters = self.bytes(characters, "a string in `MATCH`")?;
                self.spend(characters.len() as u64 / 64)?;
                let next = self.input.peek();
                Ok(next.is_some_and(|byte| characters.contains(&byte)))
            }
            Test::Unique(names) => self.unique(names),
            Test::InArray(value, array) => {
                let value = self.value(value)?;
                self.spend(1 + size(&value))?;
                // Called only for its error: an array that the program never assigns is a mistake,
                // not an empty array.
                self.array(*array)?;
                Ok(self.arrays[*array].contains(&value))
            }
        }
    }

    fn compare(
        &mut self,
        left: &Value,
        comparison: Comparison,
        right: &Value,
    ) -> Result<bool, CheckError> {
        let order = match (left, right) {
            (Value::Number(left), Value::Number(right)) => {
                // Fractions are compared by multiplying each numerator by the other
                // denominator, so a comparison costs as much as a product.
                self.spend(left.cost(Arithmetic::Multiply, right))?;
                left.compare(right)
            }
            (Value::Text(left), Value::Text(right)) => {
                self.spend(left.len().min(right.len()) as u64 / 64)?;
                left.cmp(right)
            }
            _ => {
                let found = format!("{} and {}", left.kind(), right.kind());
                return Err(self.fault(FaultKind::Type {
                    expected: "two numbers or two strings to compare",
                    found,
                }));
            }
        };
        Ok(match comparison {
            Comparison::Less => order == Ordering::Less,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::LessOrEqual => order != Ordering::Greater,
            Comparison::GreaterOrEqual => order != Ordering::Less,
            Comparison::Equal => order == Ordering::Equal,
            Comparison::NotEqual => order != Ordering::Equal,
        })
    }

    /// Returns an array that the program assigns somewhere, even if it has not done so yet.
    fn array(&self, name: Name) -> Result<&Array, CheckError> {
        let known = &self.program.names[name];
        if known.is_assigned {
            Ok(&self.arrays[name])
        } else {
            Err(self.fault(FaultKind::Undefined(known.name.clone())))
        }
    }

    fn unique(&mut self, names: &[Name]) -> Result<bool, CheckError> {
        let mut cost = 0;
        // All arrays are checked and charged before they are compared: the comparison builds a set
        // as large as the arrays.
        for name in names {
            cost += 8 * self.array(*name)?.len() as u64;
        }
        self.spend(cost)?;
        let arrays: Vec<&Array> = names.iter().map(|name| &self.arrays[*name]).collect();
        let result = unique(&arrays);
        self.remark = result.err();
        Ok(self.remark.is_none())
    }
}
