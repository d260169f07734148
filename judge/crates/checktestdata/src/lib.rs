//! The checktestdata language: programs that say what test data looks like, and check it.
//!
//! Input validators of problem packages with the extension `.ctd` are such programs.
//! [`Program::parse`] reads one, and [`Program::check`] checks an input against it.
//!
//! Pure: the same arguments give the same answer. No program or input causes a panic or an endless
//! loop. Must not know files, packages, or what a rejection means for a verdict.
//!
//! Source: checktestdata, "Language specification" of the reference implementation by DOMjudge.
//! Where the specification is silent, or its implementations differ:
//!
//! - `&&` binds tighter than `||`, and `!` applies to one test. (The reference gives all of them
//!   the same precedence.)
//! - `^` applies from left to right; `-2^2` is `-(2^2)`. Integer division truncates towards zero.
//! - Floats are exact fractions. `1` and `1.0` are equal, also for `UNIQUE` and `INARRAY`.
//! - `UNIQUE` of variables with different indices is false. Arrays without elements are unique and
//!   contain nothing. A name that no command assigns is an error.
//! - `-0` is not an `INT`, but `-0.0` is a `FLOAT`. Exponents have no leading zeros.
//! - With `FLOATP`, a float with an exponent has exactly one digit, not zero, before its point; the
//!   point may be missing if zero decimals are allowed.
//! - Regular expressions take the longest match, also among alternatives. In brackets, a backslash
//!   escapes punctuation; in POSIX it is a literal backslash.
//! - Keywords must be separated: `SPACEINT` is not two commands.
//!
//! # Example
//!
//! ```
//! use judge_checktestdata::Program;
//!
//! let program = Program::parse("INT(1, 100, n) NEWLINE REP(n, SPACE) INT(0, 9) END NEWLINE EOF")?;
//! assert!(program.check(b"3\n1 2 3\n").is_ok());
//! let error = program.check(b"3\n1 2\n").unwrap_err().to_string();
//! assert!(error.contains('2'), "the error names the line: {error}");
//! # Ok::<(), judge_checktestdata::SyntaxError>(())
//! ```

mod decimal;
mod error;
mod evaluate;
mod fraction;
mod input;
mod lexer;
mod memory;
mod number;
mod parser;
mod pattern;
mod reach;
mod run;
mod syntax;

pub use error::{CheckError, Fault, FaultKind, Rejection, SyntaxError};
pub use reach::Reach;
pub use syntax::Program;

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    ///
    /// The first syntax error in the program.
    pub fn parse<S: AsRef<[u8]> + ?Sized>(source: &S) -> Result<Program, SyntaxError> {
        parser::parse(source.as_ref())
    }

    /// Checks an input against the program, exactly.
    ///
    /// # Errors
    ///
    /// [`CheckError::Rejected`] if the input does not match the program; [`CheckError::Faulty`] if
    /// the program itself is wrong and cannot decide.
    pub fn check(&self, input: &[u8]) -> Result<(), CheckError> {
        run::Machine::new(self, input, None).run()
    }

    /// Checks an input against the program, in at most this number of steps. A step is roughly a
    /// command, an operator or a few bytes. [`Program::check`] takes up to 100 million, plus 64 for
    /// each byte of the input.
    ///
    /// # Errors
    ///
    /// Same as [`Program::check`].
    pub fn check_within(&self, input: &[u8], steps: u64) -> Result<(), CheckError> {
        run::Machine::new(self, input, Some(steps)).run()
    }

    /// Checks an input against the program, exactly, and returns how much of each range its values
    /// cover, in the order of the program. Only ranges that are the same for every input and that
    /// were read are returned.
    ///
    /// # Errors
    ///
    /// Same as [`Program::check`].
    pub fn reach(&self, input: &[u8]) -> Result<Vec<Reach>, CheckError> {
        run::Machine::new(self, input, None).watched()
    }
}
