//! The tally: how many requests have which result.
//!
//! Responsible for progress, for the summary at the end, and for the exit code that follows from errors. Must not know what
//! judges a program.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use judge_event::{ErrorKind, GradeResult};
use judge_model::Verdict;
use judge_report::noun;

use crate::exit_code::{self, ExitCode};
use crate::messages::complain;

/// The time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// See the module's comment.
#[derive(Debug)]
pub(super) struct Tally {
    began: Instant,
    verdicts: BTreeMap<Verdict, u64>,
    errors: BTreeMap<ErrorKind, u64>,
    answered: u64,
    cached: u64,
    /// True where progress is drawn, on the last line of a terminal.
    draws: bool,
    drawn_at: Instant,
}

impl Tally {
    pub(super) fn new(draws: bool) -> Self {
        let now = Instant::now();
        let (verdicts, errors) = (BTreeMap::new(), BTreeMap::new());
        Self { began: now, verdicts, errors, answered: 0, cached: 0, draws, drawn_at: now }
    }

    pub(super) fn add(&mut self, result: &GradeResult) {
        self.answered += 1;
        self.cached += u64::from(result.cached);
        if let Some(verdict) = result.verdict {
            *self.verdicts.entry(verdict).or_default() += 1;
        }
        if let Some(error) = &result.error {
            *self.errors.entry(error.kind).or_default() += 1;
        }
    }

    /// The exit code, when every request is answered: that of the worst error. Verdicts do not count.
    pub(super) fn exit_code(&self) -> ExitCode {
        let of = |kind: &ErrorKind| match kind {
            ErrorKind::Request => ExitCode::Usage,
            ErrorKind::Package => ExitCode::PackageFault,
            ErrorKind::Host => ExitCode::HostFault,
        };
        self.errors.keys().map(of).fold(ExitCode::AsExpected, exit_code::worse)
    }

    fn in_words(&self) -> String {
        let verdicts = self.verdicts.iter().map(|(verdict, number)| format!("{number} {verdict}"));
        let errors = self.errors.values().sum::<u64>();
        let errors = (errors > 0).then(|| format!("{errors} {}", noun(errors, "error", "errors")));
        let cached = (self.cached > 0).then(|| format!("{} cached", self.cached));
        let parts: Vec<String> = verdicts.chain(errors).chain(cached).collect();
        let seconds = self.began.elapsed().as_secs_f64();
        let requests = noun(self.answered, "request", "requests");
        #[expect(clippy::cast_precision_loss, reason = "a rate needs three digits")]
        let rate = self.answered as f64 / seconds.max(0.001);
        let list = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        format!("{} {requests} in {seconds:.1} s ({rate:.1}/s){list}", self.answered)
    }

    /// Draws the progress, once a second.
    pub(super) fn show_progress(&mut self) {
        if self.draws && self.drawn_at.elapsed() >= PROGRESS_INTERVAL {
            self.drawn_at = Instant::now();
            let _ = write!(io::stderr(), "\r\x1b[K{}", self.in_words());
        }
    }

    /// Prints the summary.
    pub(super) fn print(&self) {
        if self.draws {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        // Nothing is left to be done when standard error is gone.
        let _ = complain(&self.in_words());
    }
}

#[cfg(test)]
mod tests {
    use judge_event::GradeError;

    use super::*;

    #[test]
    fn errors_decide_the_exit_code_and_verdicts_do_not() {
        let mut tally = Tally::new(false);
        tally.add(&GradeResult { verdict: Some(Verdict::WrongAnswer), cached: true, ..GradeResult::default() });
        assert_eq!(tally.exit_code(), ExitCode::AsExpected);
        let codes = [
            (ErrorKind::Request, ExitCode::Usage),
            (ErrorKind::Package, ExitCode::PackageFault),
            (ErrorKind::Host, ExitCode::HostFault),
            (ErrorKind::Request, ExitCode::HostFault),
        ];
        for (kind, code) in codes {
            let error = Some(GradeError { kind, message: String::new() });
            tally.add(&GradeResult { error, ..GradeResult::default() });
            assert_eq!(tally.exit_code(), code, "{kind:?}");
        }
        let words = tally.in_words();
        assert!(words.starts_with("5 requests in ") && words.ends_with(": 1 WA, 4 errors, 1 cached"), "{words}");
    }
}
