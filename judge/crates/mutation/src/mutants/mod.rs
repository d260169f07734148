//! Mutants of programs: small mistakes, made on purpose, that test data should tell from the program.
//!
//! Responsible for finding the places, for the text of each mutant, and for one program that holds many of them. Pure:
//! text in, text out. Must not know how anything is compiled or judged.
//!
//! Described in `judge/docs/mutation.md`.

mod blame;
mod c_choices;
mod combine;
mod depth;
mod encoding;
mod expressions;
mod find;
mod identity;
mod mutant;
mod operator;
mod purity;
mod trees;
mod untyped;
mod widths;

pub(crate) use blame::{Complaint, Place, blamed};
pub(crate) use combine::{Combined, Purpose};
pub(crate) use encoding::text_of;
pub(crate) use find::Unreadable;
pub(crate) use mutant::{Mutant, MutantIndex, Operation, SeatKind};
pub(crate) use operator::Operator;
pub(crate) use trees::grammar;

use std::collections::BTreeSet;

use crate::language::MutantLanguage;

/// Every mutant of a program, in the order of the text.
///
/// # Errors
/// When it is no program in this language.
pub(crate) fn mutants(source: &str, language: MutantLanguage) -> Result<Vec<Mutant>, Unreadable> {
    depth::with_room(language, || match language {
        MutantLanguage::Rust => find::mutants(source),
        other => trees::mutants(source, other),
    })
}

/// Puts these of the mutants of a program into one program; those without a seat are left out.
///
/// # Errors
/// When there is no room for a program that is so deep.
pub(crate) fn combined(
    source: &str,
    language: MutantLanguage,
    mutants: &[Mutant],
    chosen: &BTreeSet<MutantIndex>,
    purpose: Purpose,
) -> Result<Combined, Unreadable> {
    depth::with_room(language, || Ok(combine::combine(source, language, mutants, chosen, purpose)))
}

#[cfg(test)]
mod testing;
