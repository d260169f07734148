//! LaTeX as it is given to others: statements in Markdown written in it, and whole documents for a LaTeX engine.
//!
//! Must not typeset anything, nor read files.

mod document;
mod escape;
mod markdown;
mod packages;
mod samples;
mod tables;

pub use document::{TexDocument, TexPlace, tex_document};
pub use markdown::{TexStatement, markdown_to_tex};
