//! Mutants of programs: small deliberate mistakes that test data should detect.
//!
//! Responsible for finding the places for mistakes, for the text of each mutant, and for one
//! program that contains many of them. Pure: text in, text out. Must not know how anything is
//! compiled or run.
//!
//! Described in `judge/docs/reference/mutation.md`.

mod blame;
mod choices;
mod combine;
mod encoding;
mod identity;
mod mutant;
mod parse;
mod places;

pub(crate) use blame::blamed;
pub(crate) use combine::combined;
pub(crate) use encoding::text_of;
pub(crate) use mutant::{ChoiceKind, Combined, Mutant, MutantIndex, Operation, Operator, Purpose};
pub(crate) use parse::Unreadable;

use judge_model::LanguageFamily;

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// Fails when the source is not a program in this language.
pub(crate) fn mutants(source: &str, language: LanguageFamily) -> Result<Vec<Mutant>, Unreadable> {
    parse::with_stack(language, || places::mutants(source, language))
}

#[cfg(test)]
mod testing;
