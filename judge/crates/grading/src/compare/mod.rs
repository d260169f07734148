//! The default output validator, in process: compares an output with an answer.
//!
//! Responsible for the whole comparison, reading both sides as streams in constant memory,
//! regardless of the length of the data, a line or a token. Must not know the sources of the
//! readers, or how a difference is rendered.
//!
//! Source: package format 2025-09, "Default output validator specification". The parts: `scan`
//! compares the bytes of both sides in memory and stops at the first byte that it cannot skip,
//! `side` stores what is needed of one side after its bytes are gone, `float` reads numbers and
//! applies tolerances, `mismatch` describes the difference. This file drives them.

mod float;
mod mismatch;
mod scan;
mod side;

use std::io::{self, BufRead};

pub use judge_model::{CompareOptions, InvalidArgument};
pub use mismatch::{Comparison, Mismatch, Place};

use judge_model::DifferenceKind;
use scan::{Scan, Stop};
use side::{Passage, Side};

/// The number of bytes of a side that are compared in one step: few enough to stay in the
/// processor's cache while their line feeds are counted, and enough to make the cost of a step
/// negligible.
const STRIDE: usize = 32 << 10;

/// Compares the output of a submission with the answer of the test case.
///
/// Both are bytes, not text. Without options, tokens (runs of bytes other than the six ASCII
/// whitespace characters) must be the same up to the case of ASCII letters, in the same number.
/// [`CompareOptions`] change that. The result does not depend on how the readers split their data.
///
/// # Errors
///
/// Any error of a reader except [`io::ErrorKind::Interrupted`], after which it is called again.
pub fn compare(
    options: &CompareOptions,
    answer: impl BufRead,
    output: impl BufRead,
) -> io::Result<Comparison> {
    let reads_floats = options.reads_floats();
    let mut comparer = Comparer {
        options,
        answer: Side::new(answer, reads_floats),
        output: Side::new(output, reads_floats),
    };
    comparer.run()
}

/// Both sides, level with each other: their consumed parts agree, and either both are within a
/// token (or directly after it) or neither is.
struct Comparer<'o, A, B> {
    options: &'o CompareOptions,
    answer: Side<A>,
    output: Side<B>,
}

impl<A: BufRead, B: BufRead> Comparer<'_, A, B> {
    fn run(&mut self) -> io::Result<Comparison> {
        loop {
            // The fast loop: skips all bytes that agree, and leaves only the place where it stops
            // to the slower rules.
            let in_token = self.answer.in_token();
            let (answer, output) = (self.answer.peek(STRIDE)?, self.output.peek(STRIDE)?);
            if !answer.is_empty() && !output.is_empty() {
                let Scan {
                    answer: passed,
                    output: output_passed,
                    identical,
                    stop,
                } = scan::scan(self.options, answer, output, in_token);
                // Identical bytes have the same lines, columns and tokens on both sides, so they
                // are counted once.
                if identical {
                    let passage = Passage::new(&answer[..passed]);
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
            if let Some(comparison) = self.resolve()? {
                return Ok(comparison);
            }
        }
    }

    /// Decides about two bytes that differ and that [`scan::scan`] could not skip, or about the end
    /// of one side or both. `None` without a difference: both sides are directly after a token.
    fn resolve(&mut self) -> io::Result<Option<Comparison>> {
        let is_token = |byte: Option<u8>| byte.is_some_and(|byte| !scan::is_whitespace(byte));
        let (answer, output) = (self.answer.peek_byte()?, self.output.peek_byte()?);
        let (answer_token, output_token) = (is_token(answer), is_token(output));
        // Within a token, the end of one side is a difference of tokens too: `12` and `1` are
        // different tokens, not a token and a missing one.
        if (answer_token && output_token)
            || (self.answer.in_token() && (answer_token || output_token))
        {
            return self.resolve_tokens();
        }
        match (answer, output) {
            (None, None) => Ok(Some(Comparison::Accepted)),
            // `scan` skips whitespace that does not count, so this whitespace counts.
            (Some(_), Some(_)) => {
                let mismatch = self.mismatch(DifferenceKind::Whitespace)?;
                Ok(Some(Comparison::Rejected(mismatch)))
            }
            (None, Some(_)) | (Some(_), None) => self.resolve_end(answer.is_none()).map(Some),
        }
    }

    /// Resolves two tokens that differ, which is tolerated only for numbers.
    fn resolve_tokens(&mut self) -> io::Result<Option<Comparison>> {
        // The excerpt is taken before the tokens are skipped, because their bytes are gone
        // afterwards.
        let mut mismatch = self.mismatch(DifferenceKind::Token)?;
        if !self.options.reads_floats() {
            return Ok(Some(Comparison::Rejected(mismatch)));
        }
        // Numbers are compared as whole tokens. Their first bytes may be gone already, but each
        // side has read them into its number.
        self.answer.skip(true)?;
        self.output.skip(true)?;
        if let Some((answer, output)) = self.answer.number().zip(self.output.number()) {
            if float::are_close(answer, output, self.options) {
                return Ok(None);
            }
            mismatch.kind = DifferenceKind::Tolerance;
        }
        Ok(Some(Comparison::Rejected(mismatch)))
    }

    /// Resolves the end of one side, while the other continues with whitespace or, between
    /// tokens, with a token.
    fn resolve_end(&mut self, answer_ended: bool) -> io::Result<Comparison> {
        // Whitespace at the end may be the difference, or precede a token that is. The place is
        // recorded now, because reading further moves past it.
        let whitespace = match self.options.space_change_sensitive {
            true => Some(self.mismatch(DifferenceKind::Whitespace)?),
            false => None,
        };
        let (kind, ended) = if answer_ended {
            self.output.skip(false)?;
            (DifferenceKind::Extra, self.output.peek_byte()?.is_none())
        } else {
            self.answer.skip(false)?;
            (DifferenceKind::Missing, self.answer.peek_byte()?.is_none())
        };
        // An extra or missing token is more informative than the whitespace before it.
        Ok(match (ended, whitespace) {
            (false, _) => Comparison::Rejected(self.mismatch(kind)?),
            (true, Some(whitespace)) => Comparison::Rejected(whitespace),
            (true, None) => Comparison::Accepted,
        })
    }

    /// Returns the mismatch at this place, and moves past its excerpts.
    fn mismatch(&mut self, kind: DifferenceKind) -> io::Result<Mismatch> {
        let of_token = kind != DifferenceKind::Whitespace;
        let (answer, expected) = match kind {
            DifferenceKind::Extra => (self.answer.place(), Vec::new()),
            _ => self.answer.excerpt(of_token)?,
        };
        let (output, found) = match kind {
            DifferenceKind::Missing => (self.output.place(), Vec::new()),
            _ => self.output.excerpt(of_token)?,
        };
        Ok(Mismatch {
            kind,
            answer,
            output,
            expected,
            found,
        })
    }
}

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod testing;
