//! The parser: turns words into commands.
//!
//! Responsible for the syntax of commands and blocks; expressions and tests are read in
//! `parser/expression.rs`. Nesting is bounded, so that no program can exhaust the stack. Must not
//! know what commands do.
//!
//! Source: checktestdata, "Language specification".

mod expression;

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{Excerpt, SyntaxError};
use crate::lexer::{self, Token, TokenKind};
use crate::pattern::Pattern;
use crate::syntax::{
    Bound, Command, CommandKind, Expression, Name, NameUse, Notation, Program, Value, Variable,
};

/// The maximum nesting depth of blocks and brackets.
const MAX_NESTING: u32 = 32;

/// Reads a whole program.
pub(crate) fn parse(source: &[u8]) -> Result<Program, SyntaxError> {
    let tokens = lexer::tokens(source)?;
    let mut parser = Parser {
        source,
        tokens,
        at: 0,
        names: Vec::new(),
        numbers: HashMap::new(),
        nesting: 0,
    };
    let commands = parser.commands()?;
    if parser.peek() != &TokenKind::End {
        return Err(parser.unexpected("a command"));
    }
    let last_line = parser.line();
    Ok(Program {
        commands,
        names: parser.names,
        last_line,
    })
}

struct Parser<'a> {
    source: &'a [u8],
    /// Never empty: the last token is `End`, and `at` never moves past it.
    tokens: Vec<Token>,
    at: usize,
    names: Vec<NameUse>,
    numbers: HashMap<String, Name>,
    nesting: u32,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn peek(&self) -> &TokenKind {
        &self.token().kind
    }

    fn line(&self) -> u32 {
        self.token().line
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let token = &self.tokens[at];
        SyntaxError {
            line: token.line,
            column: token.column,
            message: message.into(),
        }
    }

    fn error(&self, message: String) -> SyntaxError {
        self.error_at(self.at, message)
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let token = self.token();
        let found = match token.kind {
            TokenKind::End => "the end of the program".to_owned(),
            _ => Excerpt(&self.source[token.start..token.end]).to_string(),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(found) if *found == sign)
    }

    /// Skips this sign if it is the next word. Returns true if it was skipped.
    fn skip_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn sign(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.skip_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.peek(), TokenKind::Keyword(found) if found == keyword)
    }

    /// Reads a construct that may contain others of its kind, and bounds their nesting.
    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.nesting == MAX_NESTING {
            return Err(self.error(format!(
                "expected at most {MAX_NESTING} nested blocks and brackets"
            )));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Reads commands up to the end of the program, `END` or `ELSE`.
    fn commands(&mut self) -> Result<Vec<Command>, SyntaxError> {
        let mut commands = Vec::new();
        while self.peek() != &TokenKind::End && !self.is_keyword("END") && !self.is_keyword("ELSE")
        {
            commands.push(self.command()?);
        }
        Ok(commands)
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        let line = self.line();
        let TokenKind::Keyword(keyword) = self.peek() else {
            return Err(self.unexpected("a command"));
        };
        let kind = match keyword.clone().as_str() {
            keyword @ ("REP" | "REPI" | "WHILE" | "WHILEI") => self.repeat(keyword)?,
            "IF" => self.condition()?,
            keyword => self.simple(keyword)?,
        };
        Ok(Command { line, kind })
    }

    /// Reads a command that contains no others.
    fn simple(&mut self, keyword: &str) -> Result<CommandKind, SyntaxError> {
        let start = self.at;
        self.advance();
        let kind = match keyword {
            "SPACE" => return Ok(CommandKind::Space),
            "NEWLINE" => return Ok(CommandKind::Newline),
            "EOF" => return Ok(CommandKind::EndOfFile),
            "INT" | "FLOAT" | "FLOATP" | "STRING" | "REGEX" | "ASSERT" | "SET" | "UNSET" => {
                self.sign("(")?;
                self.arguments(keyword)?
            }
            _ => {
                // The message points to the unknown word.
                self.at = start;
                return Err(self.unexpected("a command"));
            }
        };
        self.sign(")")?;
        Ok(kind)
    }

    fn arguments(&mut self, keyword: &str) -> Result<CommandKind, SyntaxError> {
        match keyword {
            "INT" => {
                let (min, max) = self.bounds()?;
                let into = self.target()?;
                Ok(CommandKind::Integer { min, max, into })
            }
            "FLOAT" | "FLOATP" => {
                let (min, max) = self.bounds()?;
                let mut decimals = None;
                if keyword == "FLOATP" {
                    self.sign(",")?;
                    decimals = Some(self.bounds()?);
                }
                let into = self.target()?;
                // The notation comes after a variable and requires one.
                let notation = if into.is_some() && self.skip_sign(",") {
                    self.notation()?
                } else {
                    Notation::Any
                };
                Ok(CommandKind::Float {
                    min,
                    max,
                    decimals,
                    notation,
                    into,
                })
            }
            "STRING" => self.value().map(CommandKind::Text),
            "REGEX" => self.pattern(),
            "ASSERT" => {
                let start = self.at;
                let test = self.test()?;
                Ok(CommandKind::Assert {
                    test,
                    written: self.written(start),
                })
            }
            "SET" => self.list(Self::assignment).map(CommandKind::Set),
            // `simple` calls this only for the commands that it lists, so this one is `UNSET`.
            _ => self.list(Self::name).map(CommandKind::Unset),
        }
    }

    fn bounds(&mut self) -> Result<(Expression, Expression), SyntaxError> {
        let min = self.expression()?;
        self.sign(",")?;
        Ok((min, self.expression()?))
    }

    /// Reads an optional `, variable` that receives the value.
    fn target(&mut self) -> Result<Option<Variable>, SyntaxError> {
        self.skip_sign(",").then(|| self.assigned()).transpose()
    }

    fn notation(&mut self) -> Result<Notation, SyntaxError> {
        let notation = match self.peek() {
            TokenKind::Keyword(keyword) if keyword == "FIXED" => Notation::Fixed,
            TokenKind::Keyword(keyword) if keyword == "SCIENTIFIC" => Notation::Scientific,
            _ => return Err(self.unexpected("`FIXED` or `SCIENTIFIC`")),
        };
        self.advance();
        Ok(notation)
    }

    fn pattern(&mut self) -> Result<CommandKind, SyntaxError> {
        let start = self.at;
        let pattern = self.value()?;
        let compiled = match &pattern {
            Expression::Constant(Value::Text(written)) => {
                // A constant pattern is compiled once, and its errors are reported before any input
                // is read.
                let compiled = Pattern::parse(written);
                Some(Arc::new(
                    compiled.map_err(|message| self.error_at(start, message))?,
                ))
            }
            _ => None,
        };
        Ok(CommandKind::Pattern {
            pattern,
            compiled,
            into: self.target()?,
        })
    }

    fn assignment(&mut self) -> Result<(Variable, Expression), SyntaxError> {
        let variable = self.assigned()?;
        self.sign("=")?;
        Ok((variable, self.expression()?))
    }

    fn list<T>(
        &mut self,
        item: fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut items = vec![item(self)?];
        while self.skip_sign(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads a loop. A keyword with an `I` at its end has a counter.
    fn repeat(&mut self, keyword: &str) -> Result<CommandKind, SyntaxError> {
        let start = self.at;
        self.advance();
        self.sign("(")?;
        let mut counter = None;
        if keyword.ends_with('I') {
            counter = Some(self.assigned()?);
            self.sign(",")?;
        }
        let bound = if keyword.starts_with("WHILE") {
            Bound::While(self.test()?)
        } else {
            Bound::Count(self.expression()?)
        };
        let separator = self.skip_sign(",").then(|| self.separator()).transpose()?;
        self.sign(")")?;
        let body = self.nested(Self::commands)?;
        self.end_of_block(start)?;
        Ok(CommandKind::Repeat {
            counter,
            bound,
            separator: separator.map(Box::new),
            body,
        })
    }

    fn separator(&mut self) -> Result<Command, SyntaxError> {
        let line = self.line();
        let TokenKind::Keyword(keyword) = self.peek().clone() else {
            return Err(self.unexpected("a command that separates the passes, such as `SPACE`"));
        };
        // `simple` knows no command with a block, so loops and conditions are errors here.
        let kind = self.simple(&keyword)?;
        Ok(Command { line, kind })
    }

    fn condition(&mut self) -> Result<CommandKind, SyntaxError> {
        let start = self.at;
        self.advance();
        self.sign("(")?;
        let test = self.test()?;
        self.sign(")")?;
        let then = self.nested(Self::commands)?;
        let mut otherwise = Vec::new();
        if self.is_keyword("ELSE") {
            self.advance();
            otherwise = self.nested(Self::commands)?;
        }
        self.end_of_block(start)?;
        Ok(CommandKind::If {
            test,
            then,
            otherwise,
        })
    }

    /// Reads the `END` of the block that began with the word at `start`.
    fn end_of_block(&mut self, start: usize) -> Result<(), SyntaxError> {
        if self.is_keyword("END") {
            self.advance();
            return Ok(());
        }
        let token = &self.tokens[start];
        let keyword = String::from_utf8_lossy(&self.source[token.start..token.end]);
        Err(self.unexpected(&format!("`END` of the `{keyword}` in line {}", token.line)))
    }

    /// Reads the name of a variable, without an index.
    fn name(&mut self) -> Result<Name, SyntaxError> {
        let TokenKind::Name(name) = self.peek() else {
            return Err(self.unexpected("the name of a variable"));
        };
        let name = name.clone();
        self.advance();
        // Names become numbers, so that a variable is found without comparing texts while the
        // program runs.
        let new = self.names.len();
        let number = *self.numbers.entry(name.clone()).or_insert(new);
        if number == new {
            // Later uses of the name set the flags, so they are final only after the whole program
            // was parsed.
            self.names.push(NameUse {
                name,
                is_assigned: false,
                is_searched: false,
            });
        }
        Ok(number)
    }

    fn variable(&mut self) -> Result<Variable, SyntaxError> {
        let name = self.name()?;
        let mut index = Vec::new();
        if self.skip_sign("[") {
            index = self.nested(|parser| parser.list(Self::expression))?;
            self.sign("]")?;
        }
        Ok(Variable { name, index })
    }

    /// Reads a variable that receives a value.
    fn assigned(&mut self) -> Result<Variable, SyntaxError> {
        let variable = self.variable()?;
        self.names[variable.name].is_assigned = true;
        Ok(variable)
    }

    /// Returns the program's text from the word at `start` up to the last one read, on one line.
    fn written(&self, start: usize) -> String {
        let words = self.tokens.get(start..self.at).unwrap_or_default();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return String::new();
        };
        let text: Vec<u8> = self.source[first.start..last.end]
            .split(u8::is_ascii_whitespace)
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(&b' ');
        Excerpt(&text).to_string()
    }
}
