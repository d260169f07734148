//! The diagnostics of compilers, as places in the text that they were given.
//!
//! Responsible for the JSON form of rustc (`--error-format=json`; The rustc book, "JSON Output") and for the lines of gcc.
//! Must not know mutants.

use crate::mutants::{Complaint, Place};
use serde::Deserialize;

use crate::language::MutantLanguage;

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

/// The errors with a place in the file of this name, which has this text.
pub(crate) fn complaints(said: &[u8], file: &str, language: MutantLanguage, text: &str) -> Vec<Complaint> {
    let said = String::from_utf8_lossy(said);
    if language == MutantLanguage::Rust { of_rustc(&said, file) } else { of_gcc(&said, file, text) }
}

/// Lines such as `file:LINE:COLUMN: error: …`. An error in a header is about the place that it is required from, which
/// stands before it.
fn of_gcc(said: &str, file: &str, text: &str) -> Vec<Complaint> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut complaints = Vec::new();
    let mut required: Vec<Place> = Vec::new();
    for line in said.lines() {
        let place = line.split_once(file).and_then(|(_, rest)| {
            let mut numbers = rest.strip_prefix(':')?.splitn(3, ':').map(str::parse::<usize>);
            let (Some(Ok(line)), Some(Ok(column))) = (numbers.next(), numbers.next()) else { return None };
            let at = starts.get(line.checked_sub(1)?)? + column.saturating_sub(1);
            Some(Place { range: at..at, is_primary: true })
        });
        if line.contains(": error: ") || line.contains(": fatal error: ") {
            let others = required.drain(..).map(|place| Place { is_primary: false, ..place });
            let places: Vec<Place> = place.into_iter().chain(others).collect();
            complaints.extend((!places.is_empty()).then_some(Complaint { places }));
        } else if line.contains("required from") {
            required.extend(place);
        }
    }
    complaints
}

fn of_rustc(lines: &str, file: &str) -> Vec<Complaint> {
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
        let found = of_rustc(&lines.join("\n"), "a.rs");
        let short: Vec<Vec<_>> = found
            .iter()
            .map(|complaint| complaint.places.iter().map(|place| (place.range.clone(), place.is_primary)).collect())
            .collect();
        assert_eq!(short, [vec![(1..2, true), (5..9, false)], vec![(3..4, true), (6..7, false)]]);
    }

    #[test]
    fn errors_of_gcc_are_at_columns_of_bytes_and_those_in_headers_where_they_come_from() {
        let said = "a.cpp: In function 'int main()':\na.cpp:2:3: error: no match\n    2 |  int\na.cpp:1:1: warning: unused\n\
                    a.cpp:1:2:   required from here\n/usr/include/v.h:9:9: error: no type\nld: error: none\n";
        let found = of_gcc(said, "a.cpp", "abc\ndef\n");
        let short: Vec<Vec<_>> = found
            .iter()
            .map(|complaint| complaint.places.iter().map(|place| (place.range.clone(), place.is_primary)).collect())
            .collect();
        assert_eq!(short, [vec![(6..6, true)], vec![(1..1, false)]]);
    }
}
