//! The default output validator, in process: is this output right, going by the answer?
//!
//! Responsible for the whole comparison, reading both sides as streams in constant memory, however long the data, a
//! line or a token is. Must not know where the readers read from, nor how a difference is shown beyond one line.
//!
//! Source: package format 2025-09, "Default output validator specification". The parts:
//! `scan` runs over what both sides have in memory and stops at what it cannot pass over, `side` keeps what must be
//! remembered of one side when its bytes are gone, `float` reads numbers and applies tolerances, `difference` tells
//! what was wrong. This file drives them.

mod difference;
mod float;
mod scan;
mod side;

use std::io::{self, BufRead};

pub use difference::{Comparison, Difference, DifferenceKind, Excerpt, Position};
pub use judge_model::{CompareOptions, InvalidArgument};

use float::Closeness;
use scan::{Scan, Stop};
use side::{Passage, Side};

/// The number of bytes of a side that are looked at in one go: few enough to stay in the cache while they are looked at
/// again for their line feeds, and many enough that going on to the next ones costs nothing.
const STRIDE: usize = 32 << 10;

/// Compares the output of a submission with the answer of the test case.
///
/// Both are bytes, not text. Without options, tokens (runs of bytes other than the six ASCII whitespace characters)
/// must be the same up to the case of ASCII letters, in the same number. See [`CompareOptions`] for what changes that.
/// The result does not depend on how the readers cut their data.
///
/// # Errors
///
/// Whatever a reader returns, except [`io::ErrorKind::Interrupted`], upon which it is asked again.
pub fn compare(options: &CompareOptions, answer: impl BufRead, output: impl BufRead) -> io::Result<Comparison> {
    let reads_floats = options.reads_floats();
    let mut comparer =
        Comparer { options, answer: Side::new(answer, reads_floats), output: Side::new(output, reads_floats) };
    Ok(match comparer.run()? {
        None => Comparison::Accepted,
        Some(difference) => Comparison::Rejected(difference),
    })
}

/// Both sides, level with each other: what was consumed of one agrees with what was consumed of the other, and either
/// both are within a token (or right behind it) or neither is.
struct Comparer<'o, A, B> {
    options: &'o CompareOptions,
    answer: Side<A>,
    output: Side<B>,
}

/// The resolution of a place that needed more than [`scan::scan`].
enum Resolution {
    /// No difference: both sides are right behind a token.
    Level,
    /// Both sides have ended alike.
    Accepted,
    /// The first difference.
    Rejected(Difference),
}

impl<A: BufRead, B: BufRead> Comparer<'_, A, B> {
    fn run(&mut self) -> io::Result<Option<Difference>> {
        loop {
            let in_token = self.answer.in_token();
            let (answer, output) = (self.answer.peek(STRIDE)?, self.output.peek(STRIDE)?);
            if !answer.is_empty() && !output.is_empty() {
                let Scan { answer: passed, output: output_passed, identical, stop } =
                    scan::scan(self.options, answer, output, in_token);
                if identical {
                    let passage = Passage::of(&answer[..passed]);
                    self.answer.pass(&passage, passed)?;
                    self.output.pass(&passage, passed)?;
                } else {
                    self.answer.consume(passed)?;
                    self.output.consume(output_passed)?;
                }
                if stop == Stop::Exhausted {
                    continue;
                }
            }
            match self.resolve()? {
                Resolution::Level => {}
                Resolution::Accepted => return Ok(None),
                Resolution::Rejected(difference) => return Ok(Some(difference)),
            }
        }
    }

    /// Decides about two bytes that differ and that could not be passed over, or about the end of one side or both.
    fn resolve(&mut self) -> io::Result<Resolution> {
        let is_token = |byte: Option<u8>| byte.is_some_and(|byte| !scan::is_whitespace(byte));
        let (answer, output) = (self.answer.peek_byte()?, self.output.peek_byte()?);
        let (answer_token, output_token) = (is_token(answer), is_token(output));
        if (answer_token && output_token) || (self.answer.in_token() && (answer_token || output_token)) {
            return self.resolve_tokens();
        }
        match (answer, output) {
            (None, None) => Ok(Resolution::Accepted),
            // `scan` passes over whitespace that does not count, so this whitespace does.
            (Some(_), Some(_)) => self.difference(DifferenceKind::Whitespace).map(Resolution::Rejected),
            (None, Some(_)) | (Some(_), None) => self.resolve_end(answer.is_none()),
        }
    }

    /// Two tokens differ: that may be tolerated only if they are numbers.
    fn resolve_tokens(&mut self) -> io::Result<Resolution> {
        let mut difference = self.difference(DifferenceKind::TokenMismatch)?;
        if !self.options.reads_floats() {
            return Ok(Resolution::Rejected(difference));
        }
        self.answer.skip(true)?;
        self.output.skip(true)?;
        let Some(answer) = self.answer.number() else {
            return Ok(Resolution::Rejected(difference));
        };
        difference.kind = match self.output.number() {
            None => DifferenceKind::NotANumber,
            Some(output) => {
                let Closeness { within, absolute, relative } = float::closeness_of(answer, output, self.options);
                if within {
                    return Ok(Resolution::Level);
                }
                DifferenceKind::FloatOutsideTolerance {
                    absolute_error: absolute,
                    relative_error: relative,
                    absolute_tolerance: self.options.float_absolute,
                    relative_tolerance: self.options.float_relative,
                }
            }
        };
        Ok(Resolution::Rejected(difference))
    }

    /// Resolves the end of one side, while the other goes on with whitespace or, between tokens, with a token.
    fn resolve_end(&mut self, answer_ended: bool) -> io::Result<Resolution> {
        let whitespace = match self.options.space_change_sensitive {
            true => Some(self.difference(DifferenceKind::Whitespace)?),
            false => None,
        };
        let (kind, ended) = if answer_ended {
            self.output.skip(false)?;
            (DifferenceKind::ExtraToken, self.output.peek_byte()?.is_none())
        } else {
            self.answer.skip(false)?;
            (DifferenceKind::MissingToken, self.answer.peek_byte()?.is_none())
        };
        // A token too many or too few says more than the whitespace in front of it.
        Ok(match (ended, whitespace) {
            (false, _) => Resolution::Rejected(self.difference(kind)?),
            (true, Some(whitespace)) => Resolution::Rejected(whitespace),
            (true, None) => Resolution::Accepted,
        })
    }

    /// The difference at this place; goes past what it shows.
    fn difference(&mut self, kind: DifferenceKind) -> io::Result<Difference> {
        let of_token = kind != DifferenceKind::Whitespace;
        let is_missing = |this: DifferenceKind| kind == this;
        let agreeing_bytes = match kind {
            DifferenceKind::MissingToken | DifferenceKind::ExtraToken => 0,
            _ => self.answer.run_length(of_token),
        };
        let (answer, expected) = if is_missing(DifferenceKind::ExtraToken) {
            (self.answer.position(), Excerpt::default())
        } else {
            self.answer.excerpt(of_token)?
        };
        let (output, found) = if is_missing(DifferenceKind::MissingToken) {
            (self.output.position(), Excerpt::default())
        } else {
            self.output.excerpt(of_token)?
        };
        Ok(Difference { kind, answer, output, agreeing_bytes, expected, found })
    }
}

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod testing;
