//! The tally: how many requests have which result.
//!
//! Responsible for progress, for the summary at the end, and for the exit code that follows from
//! errors. Must not know what judges a program.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use judge_event::{ErrorKind, GradeResult};
use judge_model::Verdict;
use judge_report::{WorkBar, noun};

use crate::exit_code::{self, ExitCode};
use crate::messages::complain;

/// The numbers of requests by result, and the progress through the input.
#[derive(Debug)]
pub(super) struct Tally {
    began: Instant,
    verdicts: BTreeMap<Verdict, u64>,
    errors: BTreeMap<ErrorKind, u64>,
    /// Requests with an error and without a verdict.
    without_verdict: u64,
    answered: u64,
    /// Requests that an earlier command has answered.
    skipped: u64,
    cached: u64,
    bar: WorkBar,
    /// The size of all requests in bytes; 0 if it is unknown.
    size: u64,
}

impl Tally {
    pub(super) fn new(bar: WorkBar, size: u64) -> Self {
        Self {
            began: Instant::now(),
            verdicts: BTreeMap::new(),
            errors: BTreeMap::new(),
            without_verdict: 0,
            answered: 0,
            skipped: 0,
            cached: 0,
            bar,
            size,
        }
    }

    pub(super) fn add(&mut self, result: &GradeResult) {
        self.answered += 1;
        self.cached += u64::from(result.cached);
        if let Some(verdict) = result.verdict {
            *self.verdicts.entry(verdict).or_default() += 1;
        }
        if let Some(error) = &result.error {
            *self.errors.entry(error.kind).or_default() += 1;
            self.without_verdict += u64::from(result.verdict.is_none());
        }
    }

    /// Counts a request that an earlier command has answered.
    pub(super) fn skip(&mut self) {
        self.skipped += 1;
    }

    /// The exit code, when every request is answered: that of the worst error. Verdicts do not
    /// count.
    pub(super) fn exit_code(&self) -> ExitCode {
        let code = |kind: &ErrorKind| match kind {
            ErrorKind::Request => ExitCode::Usage,
            ErrorKind::Package => ExitCode::PackageFault,
            ErrorKind::Host => ExitCode::HostFault,
        };
        self.errors
            .keys()
            .map(code)
            .fold(ExitCode::AsExpected, exit_code::worse)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The counts and the rate; at the end also the elapsed time, which the bar shows itself.
    fn in_words(&self, is_over: bool) -> String {
        let verdicts = self
            .verdicts
            .iter()
            .map(|(verdict, number)| format!("{number} {verdict}"));
        let errors = self.without_verdict;
        let errors = (errors > 0).then(|| format!("{errors} {}", noun(errors, "error", "errors")));
        let cached = (self.cached > 0).then(|| format!("{} cached", self.cached));
        let parts: Vec<String> = verdicts.chain(errors).chain(cached).collect();
        let seconds = self.began.elapsed().as_secs_f64();
        let requests = noun(self.answered, "request", "requests");
        #[expect(clippy::cast_precision_loss, reason = "a rate needs three digits")]
        let rate = self.answered as f64 / seconds.max(0.001);
        let list = if parts.is_empty() {
            String::new()
        } else {
            format!(": {}", parts.join(", "))
        };
        let pace = if is_over {
            format!(" in {seconds:.1} s ({rate:.1}/s)")
        } else {
            format!(", {rate:.1}/s")
        };
        let before = match self.skipped {
            0 => String::new(),
            skipped => format!("; {skipped} answered before"),
        };
        format!("{} {requests}{pace}{list}{before}", self.answered)
    }

    /// Shows the progress after `answered` bytes; for a file also the remaining time.
    pub(super) fn show_progress(&mut self, answered: u64) {
        let words = self.in_words(false);
        self.bar
            .show_words(&words, answered, self.size, self.began.elapsed());
    }

    /// Prints the summary.
    pub(super) fn print(&self) {
        self.bar.clear();
        // If standard error is closed, the message is lost.
        let _ = complain(&self.in_words(true));
    }
}

#[cfg(test)]
mod tests {
    use judge_event::GradeError;
    use judge_report::{Look, ProgressTarget};

    use super::*;

    #[test]
    fn errors_decide_the_exit_code_and_verdicts_do_not() {
        let bar = WorkBar::new(ProgressTarget::hidden(), "grade", Look::default());
        let mut tally = Tally::new(bar, 0);
        tally.add(&GradeResult {
            verdict: Some(Verdict::WrongAnswer),
            cached: true,
            ..GradeResult::default()
        });
        assert_eq!(tally.exit_code(), ExitCode::AsExpected);
        let codes = [
            (ErrorKind::Request, ExitCode::Usage),
            (ErrorKind::Package, ExitCode::PackageFault),
            (ErrorKind::Host, ExitCode::HostFault),
            (ErrorKind::Request, ExitCode::HostFault),
        ];
        for (kind, code) in codes {
            let error = Some(GradeError {
                kind,
                message: String::new(),
            });
            tally.add(&GradeResult {
                error,
                ..GradeResult::default()
            });
            assert_eq!(tally.exit_code(), code, "{kind:?}");
        }
        assert!(
            tally.in_words(false).starts_with("5 requests, "),
            "{}",
            tally.in_words(false)
        );
        let words = tally.in_words(true);
        assert!(
            words.starts_with("5 requests in ") && words.ends_with(": 1 WA, 4 errors, 1 cached"),
            "{words}"
        );
    }
}
