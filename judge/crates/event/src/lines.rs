//! The JSON Lines form of the stream: one event, one line.
//!
//! Responsible for writing and reading single lines. Must not read or write files.

use crate::Event;

/// A line that is no event.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the event stream is not an event: {source}")]
pub struct LineError {
    /// The line's number, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub source: serde_json::Error,
}

/// The event as one line of JSON, without a line break.
///
/// # Panics
/// Never: every event has string keys and no map with other keys, which is all that JSON asks for.
#[must_use]
pub fn to_line(event: &Event) -> String {
    serde_json::to_string(event).expect("events have string keys only")
}

/// The event that stands in a line.
///
/// # Errors
/// When the text is no event; `line` is the number that the error names.
pub fn parse_line(text: &str, line: u64) -> Result<Event, LineError> {
    serde_json::from_str(text).map_err(|source| LineError { line, source })
}

#[cfg(test)]
mod tests {
    use crate::{End, RunFinished};

    use super::*;

    #[test]
    fn a_line_round_trips_and_has_no_line_break() {
        let event = Event::RunFinished(RunFinished { end: End::Completed, wall_time_us: 7 });
        let line = to_line(&event);
        assert_eq!(line, r#"{"event":"run_finished","end":"completed","wall_time_us":7}"#);
        assert_eq!(parse_line(&line, 1).unwrap(), event);
    }

    #[test]
    fn every_example_of_the_documentation_is_an_event_and_complete() {
        let page = include_str!("../../../docs/events.md");
        let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("{\"event\"")).collect();
        assert!(examples.len() >= 12, "an example for each event");
        for example in examples {
            // Back to the same text: nothing in it is unknown, and nothing is left out.
            assert_eq!(to_line(&parse_line(example, 1).unwrap()), example);
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let error = parse_line("{", 12).unwrap_err();
        assert!(error.to_string().starts_with("line 12 of the event stream"), "{error}");
    }
}
