//! XML of other judges.
//!
//! Responsible for naming the file and the line of what is wrong. Must not know any element.

use judge_exec::read_untrusted_xml;
use roxmltree::Document;

use crate::InterchangeError;

/// Elements and texts: 20,000 tests have five each.
const MAX_NODES: u32 = 1 << 20;

/// Parses a text and hands the document over; `file` is its name, for places in errors.
///
/// # Errors
/// When invalid XML, declares anything of its own, or has more of something than descriptions have; or those of `read`.
pub(crate) fn parse<T>(
    text: &str,
    file: &str,
    read: impl FnOnce(&Document<'_>) -> Result<T, InterchangeError>,
) -> Result<T, InterchangeError> {
    read_untrusted_xml(text, MAX_NODES, read)
        .map_err(|error| InterchangeError::Malformed { place: format!("{file}:{}", error.line), why: error.why })?
}
