//! The lexer: splits the text of a program into words.
//!
//! Responsible for comments, numbers and strings with their escapes. Must not know in which order
//! words may follow.

use crate::error::{Excerpt, SyntaxError};

/// A word of a program, and its position.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The byte in the line, from 1.
    pub(crate) column: u32,
    /// The first byte of the word.
    pub(crate) start: usize,
    /// The byte after the word.
    pub(crate) end: usize,
}

/// The kinds of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Upper-case letters: a command, a test, a function or an option.
    Keyword(String),
    Name(String),
    /// Digits.
    Integer,
    /// Digits with a point or an exponent.
    Float,
    /// The bytes of a string, with escapes resolved.
    Text(Vec<u8>),
    /// One of the signs of the language.
    Sign(&'static str),
    /// The end of the program.
    End,
}

/// All signs. If one is a prefix of another, the longer one comes first.
const SIGNS: [&str; 21] = [
    "&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "^", "(", ")",
    "[", "]", ",",
];

/// Splits a program into words. The last one is always [`TokenKind::End`].
pub(crate) fn tokens(source: &[u8]) -> Result<Vec<Token>, SyntaxError> {
    let mut lexer = Lexer {
        source,
        at: 0,
        line: 1,
        line_start: 0,
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let (line, column, start) = (lexer.line, lexer.column(lexer.at), lexer.at);
        let kind = lexer.word()?;
        let is_end = kind == TokenKind::End;
        tokens.push(Token {
            kind,
            line,
            column,
            start,
            end: lexer.at,
        });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

impl Lexer<'_> {
    fn column(&self, at: usize) -> u32 {
        u32::try_from(at - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn error(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            line: self.line,
            column: self.column(at),
            message: message.into(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn newline(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.newline();
                }
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.at += 1,
                b'#' => self.skip_while(|byte| byte != b'\n'),
                _ => return,
            }
        }
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(TokenKind::End);
        };
        let taken =
            |lexer: &Self| String::from_utf8_lossy(&lexer.source[start..lexer.at]).into_owned();
        match first {
            b'A'..=b'Z' => {
                self.skip_while(|byte| byte.is_ascii_uppercase());
                Ok(TokenKind::Keyword(taken(self)))
            }
            b'a'..=b'z' => {
                self.skip_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                Ok(TokenKind::Name(taken(self)))
            }
            b'0'..=b'9' | b'.' => self.number(),
            b'"' => self.text(),
            _ => {
                let sign = SIGNS
                    .iter()
                    .find(|sign| self.source[start..].starts_with(sign.as_bytes()));
                let Some(sign) = sign else {
                    return Err(self.unknown());
                };
                self.at += sign.len();
                Ok(TokenKind::Sign(sign))
            }
        }
    }

    fn unknown(&self) -> SyntaxError {
        let rest = &self.source[self.at..];
        // A character of UTF-8 has at most four bytes; the message shows it whole.
        let chunk = rest[..rest.len().min(4)].utf8_chunks().next();
        let length = chunk
            .and_then(|chunk| chunk.valid().chars().next())
            .map_or(1, char::len_utf8);
        let found = Excerpt(&rest[..length]);
        let expected = "expected a command, a value or a sign";
        self.error(self.at, format!("{expected}, found {found}"))
    }

    /// Reads a number without a sign. Digits are required before or after the point.
    fn number(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        let mut kind = TokenKind::Integer;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
            if self.at - start == 1 {
                return Err(self.error(start, "expected digits before or after `.`"));
            }
            kind = TokenKind::Float;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let signed = matches!(self.source.get(self.at + 1), Some(b'+' | b'-'));
            let digits = self.at + 1 + usize::from(signed);
            // An `e` without digits after it is not an exponent but the beginning of the next word.
            if self.source.get(digits).is_some_and(u8::is_ascii_digit) {
                self.at = digits;
                self.skip_while(|byte| byte.is_ascii_digit());
                kind = TokenKind::Float;
            }
        }
        let written = &self.source[start..self.at];
        // In the grammar of checktestdata, an integer is `0|-?[1-9][0-9]*`.
        if kind == TokenKind::Integer && written.len() > 1 && written[0] == b'0' {
            let (expected, found) = ("an integer without leading zeros", Excerpt(written));
            return Err(self.error(start, format!("expected {expected}, found {found}")));
        }
        Ok(kind)
    }

    fn text(&mut self) -> Result<TokenKind, SyntaxError> {
        // The error points to the opening quote: the end of the file would not help.
        let unclosed = self.error(self.at, "this string has no closing `\"`");
        let mut text = Vec::new();
        self.at += 1;
        loop {
            let Some(byte) = self.peek() else {
                return Err(unclosed);
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(TokenKind::Text(text)),
                b'\\' => self.escape(&mut text)?,
                b'\n' => {
                    text.push(byte);
                    self.newline();
                }
                _ => text.push(byte),
            }
        }
    }

    /// Reads the part of an escape that follows the backslash in a string. A backslash before any
    /// other character is a literal backslash.
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), SyntaxError> {
        let resolved = match self.peek() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => b'\x08',
            Some(b'f') => b'\x0c',
            Some(byte @ (b'"' | b'\\')) => byte,
            Some(b'0'..=b'7') => return self.octal(text),
            // A backslash at the end of a line continues the string on the next line without
            // the line feed.
            Some(b'\n') => {
                self.at += 1;
                self.newline();
                return Ok(());
            }
            _ => {
                text.push(b'\\');
                return Ok(());
            }
        };
        text.push(resolved);
        self.at += 1;
        Ok(())
    }

    /// Reads up to three octal digits.
    fn octal(&mut self, text: &mut Vec<u8>) -> Result<(), SyntaxError> {
        let start = self.at;
        let mut value = 0_u32;
        while self.at - start < 3 {
            let Some(digit @ b'0'..=b'7') = self.peek() else {
                break;
            };
            value = value * 8 + u32::from(digit - b'0');
            self.at += 1;
        }
        let byte = u8::try_from(value).map_err(|_| {
            let found = Excerpt(&self.source[start - 1..self.at]);
            let message = format!("expected an octal escape up to `\\377`, found {found}");
            self.error(start - 1, message)
        })?;
        text.push(byte);
        Ok(())
    }
}
