//! Says how far a search for inputs is, while it goes on.
//!
//! Responsible for a bar on a terminal, and lines elsewhere. Must not know what is looked for.

use std::io::{self, Write};
use std::num::NonZero;
use std::time::Duration;

use judge_report::{ProgressDrawTarget, SearchBar, SearchProgress, Verbosity, printable_lines};
use judge_stress::Tally;

use crate::config::Config;

/// Where no bar is drawn, a line this often says how far the search is.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Says how far a search is: a bar on a terminal, and elsewhere a line now and then.
pub(crate) struct Teller {
    bar: SearchBar,
    lines: bool,
    told: Duration,
    kinds: usize,
    time: Option<Duration>,
    inputs: Option<u64>,
}

impl Teller {
    /// For a search among so many kinds of calls, within this time or this number of inputs.
    pub(crate) fn new(config: &Config, kinds: usize, (time, inputs): (Option<Duration>, Option<NonZero<u64>>)) -> Self {
        let target = if config.progress { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self {
            bar: SearchBar::new(target, config.terminal.look.unicode),
            lines: !config.progress && config.terminal.verbosity != Verbosity::Quiet,
            told: Duration::ZERO,
            kinds,
            time,
            inputs: inputs.map(NonZero::get),
        }
    }

    pub(crate) fn hear(&mut self, tally: &Tally, elapsed: Duration) {
        let of_time = self.time.map(|time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9));
        let of_inputs = self.inputs.map(|inputs| tally.inputs as f64 / inputs as f64);
        let progress = SearchProgress {
            inputs: tally.inputs,
            judged: tally.judged,
            seconds: elapsed.as_secs_f64(),
            kinds: (tally.templates, self.kinds),
            findings: tally.findings,
            spent: of_time.into_iter().chain(of_inputs).reduce(f64::max),
        };
        self.bar.show(&progress);
        if self.lines && elapsed >= self.told + LINE_EVERY {
            self.told = elapsed;
            // Nobody who does not read it is worse off.
            let _ = writeln!(io::stderr(), "{}", printable_lines(&progress.told()));
        }
    }

    /// Says what is done now.
    pub(crate) fn say(&self, what: &str) {
        self.bar.say(what);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.clear();
    }
}
