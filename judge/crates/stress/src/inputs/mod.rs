//! Inputs: drawing them from templates, mutating them, and shrinking them. Pure.

pub(crate) mod changes;
pub(crate) mod costs;
pub(crate) mod literals;
pub(crate) mod number_changes;
pub(crate) mod parts;
pub(crate) mod random;
pub(crate) mod shrinking;
pub(crate) mod source;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod word_changes;
