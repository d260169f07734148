//! The event stream as JSON Lines: the format for programs, from which a stored run can be rendered
//! again.
//!
//! Responsible for one event per line, each flushed. Must not know the content of an event.

use std::io::{self, Write};

use judge_event::{Event, to_line};

use crate::Reporter;
use crate::text::escape::plain_json;

/// Writes each event as one line of JSON.
#[derive(Debug)]
pub struct JsonLines<W> {
    writer: W,
}

impl<W: Write> JsonLines<W> {
    /// Creates a reporter that writes to `writer`.
    pub fn new(writer: W) -> Self {
        Self { writer }
    }

    /// Returns the writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<W: Write> Reporter for JsonLines<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let mut line = plain_json(&to_line(event)).into_owned();
        line.push('\n');
        self.writer.write_all(line.as_bytes())?;
        // Flushing lets a reader that follows the stream see each event immediately, and a killed
        // run leaves complete lines.
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use judge_event::{End, RunFinished, parse_line};

    use super::*;

    #[test]
    fn events_are_written_one_per_line() {
        let event = Event::RunFinished(RunFinished {
            end: End::Completed,
            wall_time_us: 7,
            results_kept: None,
            programs_remade: 0,
        });
        let mut reporter = JsonLines::new(Vec::new());
        reporter.event(&event).unwrap();
        reporter.event(&event).unwrap();
        reporter.finish().unwrap();
        let text = String::from_utf8(reporter.into_inner()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(parse_line(lines[1], 2).unwrap(), event);
    }
}
