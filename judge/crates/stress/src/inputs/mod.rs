//! Inputs: drawing them from templates, changing them, and cutting them to pieces.
//!
//! Pure. Must not know what an input is wanted for.

pub(crate) mod costs;
pub(crate) mod literals;
pub(crate) mod mutation;
pub(crate) mod number_changes;
pub(crate) mod parts;
pub(crate) mod random;
pub(crate) mod shrinking;
pub(crate) mod source;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod word_changes;
