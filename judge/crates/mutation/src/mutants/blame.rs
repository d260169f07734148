//! The mutants that cause the errors of a compiler.
//!
//! Responsible for parsing the JSON form of rustc (`--error-format=json`; The rustc book, "JSON
//! Output") and the lines of gcc, and for finding the mutants at the reported places. Must not run
//! compilers.

use std::collections::BTreeSet;
use std::ops::Range;

use judge_model::LanguageFamily;
use serde::Deserialize;

use crate::mutants::mutant::{Combined, MutantIndex};

/// The places that an error of a compiler names, in order.
type CompilerError = Vec<Place>;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The range of the place, in bytes.
    range: Range<usize>,
    /// True for the place of the error; other places are part of the explanation.
    is_primary: bool,
}

/// The mutants without which the errors of a compiler should disappear: those whose text contains
/// an error, or else those of the innermost choice around it. Empty when no error is near a mutant.
/// `file` is the name of the combined program.
#[must_use]
pub(crate) fn blamed(
    combined: &Combined,
    output: &[u8],
    file: &str,
    language: LanguageFamily,
) -> BTreeSet<MutantIndex> {
    let output = String::from_utf8_lossy(output);
    let errors = match language {
        LanguageFamily::Rust => read_rustc(&output, file),
        _ => read_gcc(&output, file, &combined.text),
    };
    errors
        .iter()
        .flat_map(|error| blamed_for(combined, error))
        .collect()
}

fn blamed_for(combined: &Combined, error: &[Place]) -> Vec<MutantIndex> {
    let primary = || error.iter().filter(|place| place.is_primary);
    let others = || error.iter().filter(|place| !place.is_primary);
    let branch = |place: &Place| {
        let holds = |(range, _): &&(Range<usize>, MutantIndex)| holds(range, &place.range);
        combined
            .branches
            .iter()
            .find(holds)
            .map(|(_, mutant)| vec![*mutant])
    };
    let choice = |place: &Place| {
        let holding = combined
            .choices
            .iter()
            .filter(|(range, _)| holds(range, &place.range));
        // The innermost choice. The compiler names no branch, so all of its mutants are suspects.
        holding
            .min_by_key(|(range, _)| range.len())
            .map(|(_, mutants)| mutants.clone())
    };
    // From the most to the least precise evidence: the text of a mutant at the place of the error,
    // a choice around it, then the places of the explanation.
    let found = primary()
        .find_map(branch)
        .or_else(|| primary().find_map(choice));
    let found = found
        .or_else(|| others().find_map(branch))
        .or_else(|| others().find_map(choice));
    // An error about a whole statement may be about a choice in it.
    let choices_inside = || {
        let inside = combined
            .choices
            .iter()
            .filter(|(range, _)| primary().any(|place| holds(&place.range, range)));
        inside
            .flat_map(|(_, mutants)| mutants.iter().copied())
            .collect()
    };
    found.unwrap_or_else(choices_inside)
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

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
    /// The place in the program itself. For code from a macro of the standard library, it is the
    /// place of the call.
    fn own(&self, file: &str) -> Option<&Span> {
        if self.file_name.ends_with(file) {
            return Some(self);
        }
        self.expansion.as_ref()?.span.own(file)
    }
}

/// Reads lines such as `file:LINE:COLUMN: error: …`. The lines before an error in a header contain
/// the place that requires it.
fn read_gcc(output: &str, file: &str, text: &str) -> Vec<CompilerError> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let mut errors: Vec<CompilerError> = Vec::new();
    let mut required: Vec<Place> = Vec::new();
    for line in output.lines() {
        let place = line.split_once(file).and_then(|(_, rest)| {
            let mut numbers = rest
                .strip_prefix(':')?
                .splitn(3, ':')
                .map(str::parse::<usize>);
            let (Some(Ok(line)), Some(Ok(column))) = (numbers.next(), numbers.next()) else {
                return None;
            };
            let at = starts.get(line.checked_sub(1)?)? + column.saturating_sub(1);
            Some(Place {
                range: at..at,
                is_primary: true,
            })
        });
        if line.contains(": error: ") || line.contains(": fatal error: ") {
            // The places of `required from` lines precede the error that they belong to.
            let others = required.drain(..).map(|place| Place {
                is_primary: false,
                ..place
            });
            errors.push(place.into_iter().chain(others).collect());
        } else if line.contains("required from") {
            required.extend(place);
        }
    }
    errors.retain(|places| !places.is_empty());
    errors
}

fn read_rustc(lines: &str, file: &str) -> Vec<CompilerError> {
    let read = |line: &str| {
        serde_json::from_str::<Diagnostic>(line)
            .ok()
            .filter(|found| found.level == "error")
    };
    let error = |found: Diagnostic| {
        let spans = found.spans.iter().map(|span| (span, span.is_primary));
        let of_children = found
            .children
            .iter()
            .flat_map(|child| &child.spans)
            .map(|span| (span, false));
        let place = |(span, is_primary): (&Span, bool)| {
            let own = span.own(file)?;
            Some(Place {
                range: own.byte_start..own.byte_end,
                is_primary,
            })
        };
        spans.chain(of_children).filter_map(place).collect()
    };
    // The compiler ends with a summary such as `aborting due to 2 previous errors`. It is an error
    // without a place, and nothing can be blamed for it.
    lines
        .lines()
        .filter_map(read)
        .map(error)
        .filter(|places: &CompilerError| !places.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_blamed_on_the_innermost_mutant() {
        let combined = Combined {
            text: String::new(),
            branches: vec![(10..20, MutantIndex(1)), (40..50, MutantIndex(2))],
            choices: vec![
                (5..60, [1, 3].map(MutantIndex).into()),
                (35..55, [2, 4].map(MutantIndex).into()),
            ],
        };
        let about = |range: Range<usize>, also: Option<Range<usize>>| {
            let also = also.map(|range| Place {
                range,
                is_primary: false,
            });
            let places: Vec<Place> = [Place {
                range,
                is_primary: true,
            }]
            .into_iter()
            .chain(also)
            .collect();
            let blamed = blamed_for(&combined, &places);
            blamed
                .into_iter()
                .map(|mutant| mutant.0)
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(about(12..15, None), [1].into());
        assert_eq!(about(40..50, None), [2].into());
        assert_eq!(about(36..38, None), [2, 4].into());
        assert_eq!(about(22..30, None), [1, 3].into());
        assert_eq!(about(70..71, Some(11..12)), [1].into());
        assert_eq!(about(70..71, None), [].into());
        assert_eq!(about(0..100, None), [1, 2, 3, 4].into());
    }

    #[test]
    fn rustc_errors_are_read() {
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
        let found = read_rustc(&lines.join("\n"), "a.rs");
        let short: Vec<Vec<_>> = found
            .iter()
            .map(|error| {
                error
                    .iter()
                    .map(|place| (place.range.clone(), place.is_primary))
                    .collect()
            })
            .collect();
        assert_eq!(
            short,
            [
                vec![(1..2, true), (5..9, false)],
                vec![(3..4, true), (6..7, false)]
            ]
        );
    }

    #[test]
    fn gcc_errors_are_read_with_columns_in_bytes() {
        let output = "a.cpp: In function 'int main()':\na.cpp:2:3: error: no match\n    2 |  int\na.cpp:1:1: warning: unused\n\
                    a.cpp:1:2:   required from here\n/usr/include/v.h:9:9: error: no type\nld: error: none\n";
        let found = read_gcc(output, "a.cpp", "abc\ndef\n");
        let short: Vec<Vec<_>> = found
            .iter()
            .map(|error| {
                error
                    .iter()
                    .map(|place| (place.range.clone(), place.is_primary))
                    .collect()
            })
            .collect();
        assert_eq!(short, [vec![(6..6, true)], vec![(1..1, false)]]);
    }
}
