//! Tests of complete reports.

/// The live bar and the results on one terminal.
mod bar;
/// Bytes that would take over a terminal.
mod hostile;
/// The page for a browser.
mod html;
/// Submissions by test cases.
mod matrix;
/// The reports that CI systems read.
mod reports;
/// One submission as an online judge presents it.
mod single;
/// The contest of all tests.
mod stream;
/// A run at every verbosity and with every surprise.
mod terminal;
/// The decisions of validators on the data of packages.
mod validated;
/// A strict reader of XML.
mod xml_reader;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use judge_event::Event;
use judge_report::{ProgressTarget, Reporter, Terminal, TerminalSettings};

/// A writer with text that tests can read while a reporter owns it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        let bytes = self
            .0
            .lock()
            .expect("no test panics while it writes")
            .clone();
        String::from_utf8(bytes).expect("the report writes text")
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .expect("no test panics while it writes")
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the terminal report of these events.
fn rendered(settings: TerminalSettings, events: &[Event]) -> String {
    let written = Shared::default();
    let mut terminal = Terminal::new(
        settings,
        Box::new(written.clone()),
        ProgressTarget::hidden(),
    );
    for event in events {
        terminal.event(event).expect("memory takes everything");
    }
    terminal.finish().expect("memory takes everything");
    written.text()
}
