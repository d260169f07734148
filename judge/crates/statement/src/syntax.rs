//! The Markdown in which statements are written.

use pulldown_cmark::Options;

/// The extensions of CommonMark in statements.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_DEFINITION_LIST);
