//! Statements in Markdown as LaTeX, and whole documents for a LaTeX engine.
//!
//! Must not typeset anything or read files.

mod document;
mod escape;
mod markdown;
mod packages;
mod samples;
mod tables;

pub use document::{TexDocument, TexPlace, tex_document};
pub(crate) use escape::escaped;
pub use markdown::{TexStatement, markdown_to_tex};
