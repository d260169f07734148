//! The JSON Lines form of the stream: one event, one line.
//!
//! Responsible for writing and reading single lines. Must not read or write files.

use serde::Deserialize;

use crate::Event;

/// The maximum length of a line of a stream, in bytes. A test case with the maximum of pictures
/// takes a tenth of it.
pub const MAX_LINE_BYTES: usize = 128 << 20;

/// The error for a line that is not an event.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the event stream is not an event: {}", self.mistake())]
pub struct LineError {
    /// The line's number, counted from 1.
    pub line: u64,
    /// The mistake in it.
    pub source: serde_json::Error,
}

impl LineError {
    /// The mistake in the line and its column, without the number of the line.
    #[must_use]
    pub fn mistake(&self) -> String {
        // The parser reads one line at a time, so its own line number is always 1.
        self.source
            .to_string()
            .replace(" at line 1 column ", " at column ")
    }
}

/// The event as one line of JSON, without a line break.
///
/// # Panics
/// Never: all keys are strings, as JSON requires.
#[must_use]
pub fn to_line(event: &Event) -> String {
    serde_json::to_string(event).expect("events have string keys only")
}

/// The event in a line.
///
/// # Errors
/// When the text is not an event; `line` is the number that the error names.
pub fn parse_line(text: &str, line: u64) -> Result<Event, LineError> {
    serde_json::from_str(text).map_err(|source| LineError { line, source })
}

/// The event in a line of a stored stream, which may come from a later version: `None` for an event
/// that this version does not know.
///
/// # Errors
/// When the text is neither a known nor an unknown event.
pub fn parse_known_line(text: &str, line: u64) -> Result<Option<Event>, LineError> {
    // Parses the whole event first, since nearly all events are known. Only a line that fails is
    // parsed again for its name.
    parse_line(text, line)
        .map(Some)
        .or_else(|error| match serde_json::from_str::<Tag>(text) {
            Ok(tag) if !is_known(&tag.event) => Ok(None),
            _ => Err(error),
        })
}

#[derive(Deserialize)]
struct Tag {
    event: String,
}

/// True when this version has an event of that name.
fn is_known(name: &str) -> bool {
    // serde names no error kind for an unknown variant. An event with this name alone fails
    // for its missing fields if the name is known.
    let alone = serde_json::json!({ "event": name }).to_string();
    !serde_json::from_str::<Event>(&alone)
        .is_err_and(|error| error.to_string().starts_with("unknown variant"))
}

#[cfg(test)]
mod tests {
    use crate::{End, RunFinished};

    use super::*;

    #[test]
    fn a_line_round_trips_and_has_no_line_break() {
        let event = Event::RunFinished(RunFinished {
            end: End::Completed,
            wall_time_us: 7,
            results_kept: None,
            programs_remade: 0,
        });
        let line = to_line(&event);
        assert_eq!(
            line,
            r#"{"event":"run_finished","end":"completed","wall_time_us":7}"#
        );
        assert_eq!(parse_line(&line, 1).unwrap(), event);
    }

    #[test]
    fn examples_in_the_documentation_are_complete_events() {
        let page = include_str!("../../../docs/reference/events.md");
        let examples: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("{\"event\""))
            .collect();
        assert!(examples.len() >= 12, "an example for each event");
        for example in examples {
            // Back to the same text: nothing in it is unknown, and nothing is left out.
            assert_eq!(to_line(&parse_line(example, 1).unwrap()), example);
        }
    }

    #[test]
    fn events_of_later_versions_are_skipped_and_broken_ones_are_errors() {
        assert_eq!(
            parse_known_line(r#"{"event":"submission_praised","by":["all"]}"#, 3).unwrap(),
            None
        );
        let known = parse_known_line(
            r#"{"event":"run_finished","end":"completed","wall_time_us":7,"new":1}"#,
            3,
        );
        assert!(
            matches!(known, Ok(Some(Event::RunFinished(_)))),
            "{known:?}"
        );
        for text in [
            r#"{"event":"run_finished","end":"well"}"#,
            r#"{"end":"completed"}"#,
            r#"{"event":"x""#,
            "[]",
            "",
        ] {
            assert_eq!(parse_known_line(text, 3).unwrap_err().line, 3, "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = parse_line("{", 12).unwrap_err();
        assert!(
            error.to_string().starts_with("line 12 of the event stream"),
            "{error}"
        );
    }
}
