//! The diagnostics of rustc, as places in the text that it was given.
//!
//! Responsible for its JSON form (`--error-format=json`; The rustc book, "JSON Output"). Must not know mutants.

use crate::mutants::{Complaint, Place};
use serde::Deserialize;

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    #[serde(default)]
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Child>,
}

#[derive(Deserialize)]
struct Child {
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

impl Span {
    /// The place in the program itself: of what a macro of the standard library made, where it was called.
    fn own(&self, file: &str) -> Option<&Span> {
        if self.file_name.ends_with(file) {
            return Some(self);
        }
        self.expansion.as_ref()?.span.own(file)
    }
}

/// The errors with a place in the file of this name.
pub(crate) fn complaints(said: &[u8], file: &str) -> Vec<Complaint> {
    let lines = String::from_utf8_lossy(said);
    let read = |line: &str| serde_json::from_str::<Diagnostic>(line).ok().filter(|found| found.level == "error");
    let complaint = |found: Diagnostic| {
        let spans = found.spans.iter().map(|span| (span, span.is_primary));
        let of_children = found.children.iter().flat_map(|child| &child.spans).map(|span| (span, false));
        let places = spans.chain(of_children).filter_map(|(span, is_primary)| {
            let own = span.own(file)?;
            Some(Place { range: own.byte_start..own.byte_end, is_primary })
        });
        Complaint { places: places.collect() }
    };
    lines.lines().filter_map(read).map(complaint).filter(|complaint| !complaint.places.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_and_the_rest_is_left() {
        let span = |file: &str, range: (usize, usize), primary: bool, expansion: &str| {
            let (start, end) = range;
            format!(
                r#"{{"file_name":"{file}","byte_start":{start},"byte_end":{end},"is_primary":{primary},"expansion":{expansion}}}"#
            )
        };
        let inner = format!(r#"{{"span":{}}}"#, span("/w/a.rs", (3, 4), true, "null"));
        let lines = [
            format!(
                r#"{{"level":"error","message":"m","spans":[{},{}],"children":[]}}"#,
                span("/w/a.rs", (1, 2), true, "null"),
                span("/w/a.rs", (5, 9), false, "null")
            ),
            format!(
                r#"{{"level":"error","message":"m","spans":[{}],"children":[{{"spans":[{}]}}]}}"#,
                span("std.rs", (7, 8), true, &inner),
                span("/w/a.rs", (6, 7), true, "null")
            ),
            format!(
                r#"{{"level":"warning","message":"m","spans":[{}],"children":[]}}"#,
                span("/w/a.rs", (1, 2), true, "null")
            ),
            r#"{"level":"error","message":"aborting","spans":[],"children":[]}"#.to_owned(),
            "no JSON".to_owned(),
        ];
        let found = complaints(lines.join("\n").as_bytes(), "a.rs");
        let short: Vec<Vec<_>> = found
            .iter()
            .map(|complaint| complaint.places.iter().map(|place| (place.range.clone(), place.is_primary)).collect())
            .collect();
        assert_eq!(short, [vec![(1..2, true), (5..9, false)], vec![(3..4, true), (6..7, false)]]);
    }
}
