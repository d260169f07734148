//! Renders a sample run, for viewing:
//! `sample_run [WIDTH] [quiet|normal|verbose|everything] [submit] [plain] [ascii] [bar] [fault]`.

use std::time::Duration;

use judge_event::Progress;
use judge_report::{Look, ProgressTarget, Reporter, Terminal, TerminalSettings, Verbosity, View};

#[path = "../tests/it/stream.rs"]
mod stream;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|one| one == word);
    let verbosities = [
        ("quiet", Verbosity::Quiet),
        ("normal", Verbosity::Normal),
        ("verbose", Verbosity::Verbose),
        ("everything", Verbosity::Everything),
    ];
    let settings = TerminalSettings {
        look: Look {
            width: words
                .iter()
                .find_map(|word| word.parse().ok())
                .unwrap_or(80),
            color: !has("plain"),
            unicode: !has("ascii"),
        },
        verbosity: verbosities
            .into_iter()
            .find(|(word, _)| has(word))
            .map_or(Verbosity::Normal, |(_, it)| it),
        view: if has("submit") {
            View::Submit
        } else {
            View::Run
        },
    };
    let bar = if has("bar") {
        ProgressTarget::terminal()
    } else {
        ProgressTarget::hidden()
    };
    let mut terminal = Terminal::new(settings, Box::new(std::io::stdout()), bar);
    let mut events = stream::everything();
    if has("fault") {
        events.insert(events.len() - 1, stream::host_fault());
    }
    let total = events.len() as u64;
    for (done, event) in (0..).zip(&events) {
        terminal.event(event)?;
        let running = vec!["fiveup accepted/flow.rs secret/02-max".to_owned()];
        terminal.progress(&Progress {
            compiled: 14,
            to_compile: 14,
            done,
            total,
            running,
            ..Progress::default()
        })?;
        if has("bar") {
            std::thread::sleep(Duration::from_millis(60));
        }
    }
    terminal.finish()
}
