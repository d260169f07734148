//! Integer types that are too narrow.
//!
//! Responsible for replacing a type in a whole file: who thinks that 32 bits are enough thinks so everywhere. Casts one
//! by one are in `expressions`.

use crate::mutants::identity::Tokens;
use crate::mutants::mutant::Edit;

/// Types, and what is taken for them by mistake.
pub(crate) const NARROWER: [(&str, &str); 4] = [("i64", "i32"), ("u64", "u32"), ("i128", "i64"), ("u128", "u64")];

/// For each wide type of a file the edits that make it narrow everywhere.
pub(crate) fn everywhere(tokens: &Tokens) -> Vec<(&'static str, &'static str, Vec<Edit>)> {
    let one = |(wide, narrow): (&'static str, &'static str)| {
        let edits = tokens.all().filter_map(|(range, token)| {
            let is_number = token.as_bytes().first().is_some_and(u8::is_ascii_digit);
            // `1_i64`: the suffix of a number.
            let is_type = token == wide || is_number && token.ends_with(wide);
            is_type.then(|| Edit { range: range.end - wide.len()..range.end, text: narrow.to_owned() })
        });
        (wide, narrow, edits.collect::<Vec<_>>())
    };
    NARROWER.into_iter().map(one).filter(|(_, _, edits)| !edits.is_empty()).collect()
}
