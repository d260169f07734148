//! Expressions and tests, with the usual precedence of operators.
//!
//! From loosest to tightest: `||`, `&&`, `!`, comparisons, `+ -`, `* / %`, the sign `-`, `^`.
//! Operators of the same precedence apply from left to right, including `^`. Brackets may contain
//! an expression or a test, so both are read by the same functions and separated afterwards. Must
//! not know commands.

use crate::decimal::Decimal;
use crate::error::SyntaxError;
use crate::evaluate::fold;
use crate::lexer::TokenKind;
use crate::number::{Arithmetic, Integer, Number};
use crate::syntax::{Comparison, Expression, Test, Value};

use super::Parser;

/// The result of reading: an expression or a test.
enum Read {
    Value(Expression),
    Truth(Test),
}

impl Parser<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Result<Expression, SyntaxError> {
        let start = self.at;
        let read = self.sum()?;
        self.as_value(read, start)
    }

    /// Reads a test.
    pub(super) fn test(&mut self) -> Result<Test, SyntaxError> {
        let start = self.at;
        let read = self.either()?;
        self.as_truth(read, start)
    }

    /// Reads a literal, a variable or a function, without operators.
    pub(super) fn value(&mut self) -> Result<Expression, SyntaxError> {
        let expected = "a number, a string, a variable or `STRLEN`";
        let token = self.token();
        let written = &self.source[token.start..token.end];
        let constant = match &token.kind {
            TokenKind::Integer => {
                Integer::parse(written).map(|value| Value::Number(Number::Integer(value)))
            }
            TokenKind::Float => {
                Decimal::parse(written).map(|value| Value::Number(Number::Float(value.to_float())))
            }
            TokenKind::Text(text) => Some(Value::Text(text.as_slice().into())),
            TokenKind::Name(_) => return self.variable().map(Expression::Variable),
            TokenKind::Keyword(keyword) if keyword == "STRLEN" => {
                self.advance();
                return self.length();
            }
            _ => return Err(self.unexpected(expected)),
        };
        let constant = constant
            .ok_or_else(|| self.unexpected("a float with an exponent from -100000 to 100000"))?;
        self.advance();
        Ok(Expression::Constant(constant))
    }

    fn length(&mut self) -> Result<Expression, SyntaxError> {
        self.sign("(")?;
        let text = self.nested(Self::value)?;
        self.sign(")")?;
        Ok(fold(Expression::Length(Box::new(text))))
    }

    fn as_value(&self, read: Read, start: usize) -> Result<Expression, SyntaxError> {
        match read {
            Read::Value(value) => Ok(value),
            Read::Truth(_) => Err(self.error_at(start, "expected a value, found a test")),
        }
    }

    fn as_truth(&self, read: Read, start: usize) -> Result<Test, SyntaxError> {
        match read {
            Read::Truth(test) => Ok(test),
            Read::Value(_) => {
                let message = "expected a test, such as a comparison, found a value";
                Err(self.error_at(start, message))
            }
        }
    }

    fn either(&mut self) -> Result<Read, SyntaxError> {
        self.logical("||", Self::both, Test::Any)
    }

    fn both(&mut self) -> Result<Read, SyntaxError> {
        self.logical("&&", Self::negated, Test::All)
    }

    fn logical(
        &mut self,
        sign: &str,
        part: fn(&mut Self) -> Result<Read, SyntaxError>,
        combine: fn(Vec<Test>) -> Test,
    ) -> Result<Read, SyntaxError> {
        let mut start = self.at;
        let first = part(self)?;
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let mut tests = vec![self.as_truth(first, start)?];
        while self.skip_sign(sign) {
            start = self.at;
            let next = part(self)?;
            tests.push(self.as_truth(next, start)?);
        }
        Ok(Read::Truth(combine(tests)))
    }

    fn negated(&mut self) -> Result<Read, SyntaxError> {
        if !self.skip_sign("!") {
            return self.comparison();
        }
        let start = self.at;
        let read = self.nested(Self::negated)?;
        let test = self.as_truth(read, start)?;
        Ok(Read::Truth(Test::Not(Box::new(test))))
    }

    fn comparison(&mut self) -> Result<Read, SyntaxError> {
        let start = self.at;
        let left = self.sum()?;
        let comparison = match self.peek() {
            TokenKind::Sign("<") => Comparison::Less,
            TokenKind::Sign(">") => Comparison::Greater,
            TokenKind::Sign("<=") => Comparison::LessOrEqual,
            TokenKind::Sign(">=") => Comparison::GreaterOrEqual,
            TokenKind::Sign("==") => Comparison::Equal,
            TokenKind::Sign("!=") => Comparison::NotEqual,
            _ => return Ok(left),
        };
        let left = self.as_value(left, start)?;
        self.advance();
        let right = self.expression()?;
        Ok(Read::Truth(Test::Compare(left, comparison, right)))
    }

    fn sum(&mut self) -> Result<Read, SyntaxError> {
        self.chain(
            &[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)],
            Self::product,
        )
    }

    fn product(&mut self) -> Result<Read, SyntaxError> {
        let operators = [
            ("*", Arithmetic::Multiply),
            ("/", Arithmetic::Divide),
            ("%", Arithmetic::Modulo),
        ];
        self.chain(&operators, Self::signed)
    }

    fn power(&mut self) -> Result<Read, SyntaxError> {
        // The exponent may have a sign, which then applies to the rest of the chain: `2^-a^b` is
        // `2^(-(a^b))`.
        self.chain(&[("^", Arithmetic::Power)], |parser| {
            if parser.is_sign("-") {
                parser.signed()
            } else {
                parser.primary()
            }
        })
    }

    fn chain(
        &mut self,
        operators: &[(&str, Arithmetic)],
        part: fn(&mut Self) -> Result<Read, SyntaxError>,
    ) -> Result<Read, SyntaxError> {
        let start = self.at;
        let first = part(self)?;
        let mut rest = Vec::new();
        while let Some((sign, operator)) = operators.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.skip_sign(sign);
            let start = self.at;
            let next = part(self)?;
            rest.push((*operator, self.as_value(next, start)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let first = self.as_value(first, start)?;
        Ok(Read::Value(fold(Expression::Chain(Box::new(first), rest))))
    }

    fn signed(&mut self) -> Result<Read, SyntaxError> {
        if !self.skip_sign("-") {
            return self.power();
        }
        let start = self.at;
        let read = self.nested(Self::signed)?;
        let value = self.as_value(read, start)?;
        // Folding turns `-5` into a constant: the lexer has no negative numbers.
        Ok(Read::Value(fold(Expression::Negation(Box::new(value)))))
    }

    fn primary(&mut self) -> Result<Read, SyntaxError> {
        if self.skip_sign("(") {
            // A bracket may hold a value or a test, and only the operator after it decides
            // which one was needed. `Read` keeps both possible without reading twice.
            let read = self.nested(Self::either)?;
            self.sign(")")?;
            return Ok(read);
        }
        let keyword = match self.peek() {
            TokenKind::Keyword(keyword) if keyword != "STRLEN" => keyword.clone(),
            _ => return self.value().map(Read::Value),
        };
        if !["ISEOF", "MATCH", "UNIQUE", "INARRAY"].contains(&keyword.as_str()) {
            return Err(self.unexpected("a value or a test"));
        }
        self.advance();
        if keyword == "ISEOF" {
            return Ok(Read::Truth(Test::EndOfFile));
        }
        self.sign("(")?;
        let test = match keyword.as_str() {
            "MATCH" => Test::Match(self.value()?),
            "UNIQUE" => Test::Unique(self.list(Self::name)?),
            _ => {
                let value = self.nested(Self::expression)?;
                self.sign(",")?;
                let array = self.name()?;
                // Only arrays that are searched count their values, so that other programs do
                // not pay for it.
                self.names[array].is_searched = true;
                Test::InArray(value, array)
            }
        };
        self.sign(")")?;
        Ok(Read::Truth(test))
    }
}
