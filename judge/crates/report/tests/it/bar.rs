//! Tests of the live bar and the results on one terminal.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use indicatif::TermLike;
use judge_event::Progress;
use judge_report::{ProgressDrawTarget, ProgressTarget, Reporter, Terminal, TerminalSettings};

use crate::stream;

/// The parts of a terminal that the bar uses: rows, and a cursor that moves between them.
#[derive(Debug, Default)]
struct Rows {
    rows: Vec<String>,
    row: usize,
    column: usize,
}

impl Rows {
    fn put(&mut self, text: &str) {
        for c in text.chars() {
            while self.rows.len() <= self.row {
                self.rows.push(String::new());
            }
            match c {
                '\n' => (self.row, self.column) = (self.row + 1, 0),
                '\r' => self.column = 0,
                c => {
                    let mut row: Vec<char> = self.rows[self.row].chars().collect();
                    row.resize(row.len().max(self.column + 1), ' ');
                    row[self.column] = c;
                    self.rows[self.row] = row.into_iter().collect();
                    self.column += 1;
                }
            }
        }
    }
}

/// One screen for the results and the bar.
#[derive(Clone, Debug, Default)]
struct Screen(Arc<Mutex<Rows>>);

impl Screen {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().expect("no test panics while it draws")
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rows()
            .put(std::str::from_utf8(bytes).expect("the report writes text"));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, rows: usize) -> io::Result<()> {
        self.rows().row -= rows;
        Ok(())
    }

    fn move_cursor_down(&self, rows: usize) -> io::Result<()> {
        self.rows().row += rows;
        Ok(())
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.rows().column += columns;
        Ok(())
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.rows().column -= columns;
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.rows().put(&format!("{text}\n"));
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.rows().put(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        let mut rows = self.rows();
        let row = rows.row;
        if let Some(row) = rows.rows.get_mut(row) {
            row.clear();
        }
        rows.column = 0;
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_bar_is_visible_and_does_not_change_the_results() {
    let screen = Screen::default();
    let target = ProgressTarget::drawn(ProgressDrawTarget::term_like(Box::new(screen.clone())));
    let mut terminal = Terminal::new(
        TerminalSettings::default(),
        Box::new(screen.clone()),
        target,
    );
    let events = stream::everything();
    let mut seen = false;
    for (done, event) in (0..).zip(&events) {
        let running = vec!["fiveup accepted/flow.rs secret/02-max".to_owned()];
        terminal
            .progress(&Progress {
                compiled: 1,
                to_compile: 1,
                done,
                total: 100,
                running,
                ..Progress::default()
            })
            .unwrap();
        terminal.event(event).unwrap();
        seen |= screen
            .rows()
            .rows
            .iter()
            .any(|row| row.contains("of 100 test runs, fiveup"));
        // Room for the `^C` that a terminal prints after it.
        assert!(
            screen
                .rows()
                .rows
                .iter()
                .all(|row| !row.contains("test runs, fiveup")
                    || row.trim_end().chars().count() <= 77)
        );
    }
    terminal.finish().unwrap();
    assert!(seen);
    let rows = screen
        .rows()
        .rows
        .iter()
        .map(|row| row.trim_end().to_owned())
        .collect::<Vec<_>>();
    let without_bar = crate::rendered(TerminalSettings::default(), &events);
    assert_eq!(rows.join("\n").trim_end(), without_bar.trim_end());
}
