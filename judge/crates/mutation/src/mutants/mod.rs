//! Mutants of programs: small mistakes, made on purpose, that test data should tell from the program.
//!
//! Responsible for finding the places, for the text of each mutant, and for one program that holds many of them. Pure:
//! text in, text out. Must not know how anything is compiled or judged.
//!
//! Described in `judge/docs/mutation.md`.

mod blame;
mod c_choices;
mod combine;
mod expressions;
mod find;
mod identity;
mod mutant;
mod operator;
mod purity;
mod trees;
mod widths;

pub(crate) use blame::{Complaint, Place, blamed};
pub(crate) use combine::{Combined, Purpose, combine};
pub(crate) use find::Unreadable;
pub(crate) use mutant::{Mutant, MutantIndex, Operation, apply};
pub(crate) use operator::Operator;
pub(crate) use trees::grammar;

use crate::language::MutantLanguage;

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// When it is no program in this language.
pub(crate) fn mutants(source: &str, language: MutantLanguage) -> Result<Vec<Mutant>, Unreadable> {
    match language {
        MutantLanguage::Rust => find::mutants(source),
        other => trees::mutants(source, other),
    }
}

#[cfg(test)]
mod testing;
