//! Mutants of Rust programs: small mistakes, made on purpose, that test data should tell from the program.
//!
//! Responsible for finding the places, for the text of each mutant, and for one program that holds many of them. Pure:
//! text in, text out. Must not know how anything is compiled or judged.
//!
//! Described in `judge/docs/mutation.md`.

mod blame;
mod combine;
mod expressions;
mod find;
mod identity;
mod mutant;
mod operator;
mod purity;
mod widths;

pub(crate) use blame::{Complaint, Place, blamed};
pub(crate) use combine::{Combined, Purpose, combine};
pub(crate) use find::{NotRust, mutants};
pub(crate) use mutant::{Mutant, MutantIndex};

#[cfg(test)]
mod testing;
