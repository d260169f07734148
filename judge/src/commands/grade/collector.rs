//! The collector: from the events of one run to the result of its request.
//!
//! Responsible for the content of a result. Must not know where the result goes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use judge_event::{
    Bytes, CompileFinished, ErrorKind, Event, Excerpt, FirstFailure, GradeResult, GradedTestCase,
    ProblemStarted, Progress, RunStarted, SubmissionFinished, TestCaseFinished, Window,
};
use judge_model::Verdict;
use judge_report::verdict_reason;
use judge_runner::Observer;
use judge_sandbox::CancelToken;

use crate::commands::grade::no_verdict;
use crate::messages::fault_text;

/// The numbers of bytes that a result shows of the beginning and of the end of an input.
const INPUT_BYTES: (usize, usize) = (1024, 256);
/// The maximum size of a compiler's message in a result, in bytes.
const MESSAGE_BYTES: usize = 8 << 10;

/// Collects the events of one run into the result of its request.
pub(super) struct Collector<'a> {
    abort: &'a CancelToken,
    details: bool,
    result: GradeResult,
    /// True while everything so far was cached.
    is_cached: bool,
    /// The message about the fault of the host that ended the run.
    pub(super) host_fault: Option<String>,
    /// The beginning of the run.
    pub(super) started: Option<RunStarted>,
    /// The problem with its limits, once it has started.
    pub(super) problem: Option<ProblemStarted>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(details: bool, abort: &'a CancelToken) -> Self {
        Self {
            abort,
            details,
            result: GradeResult::default(),
            is_cached: true,
            host_fault: None,
            started: None,
            problem: None,
        }
    }

    /// The result, with the beginning of the input that the program failed on. `input` gives
    /// the file of a test case.
    pub(super) fn finish<'p>(mut self, input: impl Fn(&str) -> Option<&'p Path>) -> GradeResult {
        if let Some(failure) = &mut self.result.first_failure
            && let Some(path) = input(&failure.test_case)
        {
            // A file that can no longer be read does not change the verdict.
            failure.input = excerpt(path, INPUT_BYTES).unwrap_or_default();
        }
        self.result.cached = self.is_cached && self.result.verdict.is_some();
        self.result
    }

    fn fail(&mut self, kind: ErrorKind, message: String) {
        // The first error is the cause of the others.
        self.result
            .error
            .get_or_insert_with(|| no_verdict::error(kind, message));
    }

    fn compiled(&mut self, finished: &CompileFinished) {
        self.is_cached &= finished.cached;
        if finished.success {
            return;
        }
        let Excerpt {
            head,
            left_out,
            tail,
        } = &finished.message;
        let mut message: Vec<u8> = finished
            .reason
            .iter()
            .flat_map(|reason| reason.bytes().chain([b'\n']))
            .collect();
        message.extend(&head.0);
        if *left_out > 0 {
            message.extend(format!("\n… {left_out} bytes left out …\n").bytes());
        }
        message.extend(&tail.0);
        message.truncate(cut(&message, MESSAGE_BYTES));
        self.result.compiler_message = Bytes(message);
    }

    fn test_case_finished(&mut self, finished: &TestCaseFinished) {
        self.is_cached &= finished.cached;
        self.result.test_cases_judged += 1;
        self.result.passed += u64::from(finished.verdict == Verdict::Accepted);
        if finished.is_rejected() && self.result.first_failure.is_none() {
            let reason = (self.problem.as_ref())
                .map(|problem| verdict_reason(finished, problem))
                .unwrap_or_default();
            self.result.first_failure = Some(Box::new(first_failure(finished, reason)));
        }
        if finished.verdict == Verdict::JudgeError {
            let reason = finished
                .reason
                .clone()
                .unwrap_or_else(|| "judge error".to_owned());
            self.fail(
                ErrorKind::Package,
                format!("test case `{}`: {reason}", finished.test_case),
            );
        }
        if self.details {
            self.result.test_cases.push(GradedTestCase {
                test_case: finished.test_case.clone(),
                verdict: finished.verdict,
                time: seconds(finished.cpu_time_us),
                memory: finished.memory_bytes,
                score: finished.score,
            });
        }
    }

    fn finished(&mut self, finished: &SubmissionFinished) {
        self.result.verdict = Some(finished.verdict);
        self.result.score = finished.score;
        self.result.time = finished
            .slowest
            .as_ref()
            .map(|slowest| seconds(slowest.cpu_time_us));
        self.result.memory = (finished.test_cases_run > 0).then_some(finished.memory_bytes);
        if finished.verdict == Verdict::JudgeError {
            self.fail(ErrorKind::Package, finished.violations.join("; "));
        }
    }
}

impl Observer for Collector<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(started) => self.started = Some(started.clone()),
            Event::ProblemStarted(started) => self.problem = Some(started.clone()),
            Event::PackageFault(fault) => self.fail(ErrorKind::Package, fault_text(fault)),
            // A missing compiler is a fault of this host: the same request has a verdict
            // elsewhere.
            Event::LanguageUnavailable(missing) => {
                self.fail(ErrorKind::Host, missing.reason.clone());
            }
            Event::SubmissionSkipped(skipped) => self.fail(ErrorKind::Host, skipped.reason.clone()),
            Event::CompileFinished(finished) => self.compiled(finished),
            Event::TestCaseFinished(finished) => self.test_case_finished(finished),
            Event::SubmissionFinished(finished) => self.finished(finished),
            Event::HostFault(fault) => {
                let during = fault
                    .test_case
                    .iter()
                    .map(|test_case| format!("{test_case}: "))
                    .collect::<String>();
                self.host_fault = Some(format!("{during}{}", fault.message));
            }
            _ => {}
        }
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> io::Result<()> {
        Ok(())
    }

    /// The only excerpt of a result is read at the end, if it is needed.
    fn shows_excerpts(&self) -> bool {
        false
    }

    fn is_done(&self) -> bool {
        self.abort.is_cancelled()
    }
}

fn first_failure(finished: &TestCaseFinished, reason: String) -> FirstFailure {
    let difference = finished.difference.as_ref();
    let lines = |window: &Window| {
        let texts: Vec<&[u8]> = window
            .lines
            .iter()
            .map(|line| line.text.0.as_slice())
            .collect();
        Bytes(texts.join(&b'\n'))
    };
    FirstFailure {
        test_case: finished.test_case.clone(),
        verdict: finished.verdict,
        reason,
        input: Excerpt::default(),
        expected: difference
            .map(|difference| lines(&difference.answer_window))
            .unwrap_or_default(),
        actual: difference
            .map(|difference| lines(&difference.output_window))
            .unwrap_or_default(),
        line: difference.map(|difference| difference.output_position.line),
        stderr: finished.stderr.clone(),
        message: finished.judge_message.clone(),
    }
}

/// The beginning and the end of a file of any size.
fn excerpt(path: &Path, (head, tail): (usize, usize)) -> io::Result<Excerpt> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size <= (head + tail) as u64 {
        let mut bytes = Vec::new();
        file.take((head + tail) as u64).read_to_end(&mut bytes)?;
        return Ok(Excerpt::new(&bytes, head, tail));
    }
    let (mut first, mut last) = (vec![0; head], vec![0; tail]);
    file.read_exact(&mut first)?;
    file.seek(SeekFrom::End(-i64::try_from(tail).unwrap_or(0)))?;
    file.read_exact(&mut last)?;
    Ok(Excerpt {
        head: first.into(),
        left_out: size - (head + tail) as u64,
        tail: last.into(),
    })
}

/// The largest length up to `max` that does not cut a character.
fn cut(bytes: &[u8], max: usize) -> usize {
    // Bytes of the form `10xxxxxx` continue a character in UTF-8.
    let is_inside = |index: usize| bytes.get(index).is_some_and(|byte| byte & 0xc0 == 0x80);
    (0..=max.min(bytes.len()))
        .rev()
        .find(|index| !is_inside(*index))
        .unwrap_or(0)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a time of centuries would lose microseconds"
)]
fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_of_files_have_both_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.in");
        std::fs::write(&path, "abcdefgh").unwrap();
        assert_eq!(
            excerpt(&path, (4, 4)).unwrap().head,
            Bytes::from("abcdefgh")
        );
        let cut = excerpt(&path, (3, 2)).unwrap();
        assert_eq!(
            (cut.head, cut.left_out, cut.tail),
            (Bytes::from("abc"), 3, Bytes::from("gh"))
        );
    }

    #[test]
    fn messages_are_cut_between_characters() {
        assert_eq!(cut("aé".as_bytes(), 2), 1);
        assert_eq!(cut("aé".as_bytes(), 3), 3);
        assert_eq!(cut(b"abc", 2), 2);
    }
}
