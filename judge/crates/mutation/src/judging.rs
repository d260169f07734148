//! Judging mutants on test cases, on every core.
//!
//! Responsible for which run decides about a mutant, and for stopping when it is decided. Must not know what is
//! reported.
//!
//! A program that holds many mutants is slower than one of them alone, in a tight loop more than ten times. So it gets
//! more time, though no more than many times that of the original, and a mutant that was stopped for its time or memory
//! there, or was accepted but took longer than the limit, is compiled and run by itself. Only that counts, however fast the original is: a mutant may do much more than that, in
//! time.

use std::iter;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use crate::mutants::{Combined, Mutant, MutantIndex};
use judge_exec::{ExecError, Fault, PatchedProgram, PreparedSubmission, Session, TestResult, Worker};
use judge_model::{Problem, TestCaseIndex, Verdict, micros};

use crate::memory::{Memory, Original};
use crate::mutation::MutationError;
use crate::order::Order;
use crate::workplace::{Program, Workplace};

/// How many times as long as the original a mutant may take in the program that holds many, before it is looked at by itself;
/// but no less than the time below. Most that take so much longer never end, and each of them would take the whole time limit
/// twice.
const PATIENCE: u32 = 4;
const LEAST_PATIENCE: Duration = Duration::from_millis(300);

/// The context that all workers share.
pub(crate) struct Context<'a> {
    pub(crate) session: &'a Session,
    pub(crate) workplace: &'a Workplace,
    pub(crate) problem: &'a Problem,
    pub(crate) time_limit: Duration,
    pub(crate) source: &'a str,
    pub(crate) mutants: &'a [Mutant],
    /// The solution by itself, once that is needed.
    pub(crate) original: Mutex<Option<PreparedSubmission>>,
    /// The program that holds many mutants, and whether it holds each.
    pub(crate) together: Option<&'a PreparedSubmission>,
    pub(crate) is_together: &'a [bool],
    /// The program that reports what was reached, and whether it watches each mutant.
    pub(crate) recording: Option<&'a PreparedSubmission>,
    pub(crate) is_recorded: &'a [bool],
    /// The keys of the test cases.
    pub(crate) keys: &'a [String],
    pub(crate) memory: &'a Mutex<Memory>,
    pub(crate) order: &'a Order,
    pub(crate) full: bool,
}

/// The outcome of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MutantOutcome {
    /// The compiler refuses it.
    pub(crate) refused: bool,
    /// The verdicts that are known, by test case.
    pub(crate) verdicts: Vec<(TestCaseIndex, Verdict)>,
    pub(crate) runs: u64,
    pub(crate) known: u64,
    pub(crate) left_out: u64,
    /// The CPU time of these runs, with those that did not decide.
    pub(crate) running: Duration,
    /// True when it was compiled by itself.
    pub(crate) was_apart: bool,
}

impl MutantOutcome {
    /// True when nothing speaks against it.
    pub(crate) fn has_survived(&self) -> bool {
        let is_bad = |verdict: Verdict| verdict.is_rejection() || verdict == Verdict::CompileError;
        !self.refused && !self.verdicts.iter().any(|(_, verdict)| is_bad(*verdict))
    }
}

/// A worker for mutants, with a copy of the program that holds many of them.
pub(crate) struct MutantWorker<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) worker: Worker<'a>,
    copy: Option<PatchedProgram>,
}

/// A mutant compiled by itself, once that is needed.
type Apart = Option<Option<PreparedSubmission>>;

impl<'a> MutantWorker<'a> {
    pub(crate) fn new(context: &'a Context<'a>, core: Option<usize>) -> Result<Self, MutationError> {
        let copy = match context.together {
            Some(program) => context.session.patched_program(program, Combined::MARK.as_bytes())?,
            None => None,
        };
        if context.together.is_some() && copy.is_none() {
            return Err(MutationError::NoMark);
        }
        Ok(Self { context, worker: context.session.measuring_worker(core), copy })
    }

    /// The behaviour of the original on a test case. `None` when it was cancelled.
    pub(crate) fn original(&mut self, test_case: TestCaseIndex) -> Result<Option<Original>, MutationError> {
        let known = self.memory(|memory| memory.originals.get(&self.context.keys[test_case.0]).cloned());
        if let Some(known) = known.clone().filter(|known| known.has_watched(self.context.is_recorded)) {
            return Ok(Some(known));
        }
        let mut original = Original { seen: None, together: true, took_us: 0 };
        let mut recorded = false;
        if let Some(recording) = self.context.recording {
            let Some(measurement) = self.worker.measure(recording, test_case)? else { return Ok(None) };
            recorded = measurement.verdict == Verdict::Accepted;
            original.took_us = micros(measurement.outcome.usage.cpu_time);
            // Of several passes only the last one is heard.
            if recorded && self.context.problem.passes == 1 {
                let report = report(self.worker.stderr(), self.context.mutants.len());
                let before = known.and_then(|known| known.seen);
                original.seen = report.map(|report| watched(&report, self.context.is_recorded, before.as_deref()));
            }
        }
        // Also where the other program was right: this one has more on its stack, and other moments at which it begins.
        if let Some(copy) = &self.copy {
            let prepared = copy.choose(0)?;
            let Some(measurement) = self.measure_copy(&prepared, test_case, Duration::MAX)? else { return Ok(None) };
            original.together = measurement.verdict == Verdict::Accepted;
            original.took_us = micros(measurement.outcome.usage.cpu_time);
        }
        if !recorded && (self.copy.is_none() || !original.together) {
            let Some(measurement) = self.solution(test_case)? else { return Ok(None) };
            if measurement.verdict != Verdict::Accepted {
                let test_case = self.context.problem.test_cases[test_case].id.clone();
                return Err(MutationError::NotAccepted { test_case, verdict: measurement.verdict });
            }
        }
        self.memory(|memory| memory.originals.insert(self.context.keys[test_case.0].clone(), original.clone()));
        Ok(Some(original))
    }

    fn solution(&mut self, test_case: TestCaseIndex) -> Result<Option<TestResult>, MutationError> {
        let prepared = self.prepared_solution()?;
        Ok(self.worker.measure_within(&prepared, test_case, Duration::MAX)?)
    }

    pub(crate) fn prepared_solution(&mut self) -> Result<PreparedSubmission, MutationError> {
        // One file for all workers: none may read what another one is writing.
        let mut ready = self.context.original.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = &*ready {
            return Ok(prepared.clone());
        }
        let (workplace, source) = (self.context.workplace, self.context.source);
        workplace.write(Program::Original, source).map_err(MutationError::Workplace)?;
        let prepared =
            self.worker.prepare_submission(workplace.place(Program::Original)).map_err(|fault| {
                match fault.refusal() {
                    Ok(refusal) => MutationError::NotReady(workplace.shown(refusal)),
                    Err(error) => MutationError::Runner(error),
                }
            })?;
        Ok(ready.insert(prepared).clone())
    }

    /// Tries a mutant on groups of test cases. `None` when it was cancelled.
    pub(crate) fn try_mutant(
        &mut self,
        mutant: MutantIndex,
        groups: &[Vec<TestCaseIndex>],
        originals: &[Original],
    ) -> Result<Option<MutantOutcome>, MutationError> {
        let context = self.context;
        let id = &context.mutants[mutant].id;
        let mut trial = MutantOutcome::default();
        if self.memory(|memory| memory.refused.contains(id)) {
            return Ok(Some(MutantOutcome { refused: true, ..trial }));
        }
        let mut apart: Apart = None;
        let is_compiled = context.is_together[mutant] || self.memory(|memory| memory.has_compiled(id));
        // Where nothing is to be run, nothing has shown either that it is a program at all.
        if !is_compiled {
            let Some(prepared) = self.alone(mutant, &mut apart)? else { return Ok(None) };
            if prepared.is_none() {
                self.memory(|memory| memory.refused.insert(id.clone()));
                return Ok(Some(MutantOutcome { refused: true, ..trial }));
            }
        }
        for group in groups {
            let (matter, rest): (Vec<TestCaseIndex>, Vec<TestCaseIndex>) =
                group.iter().partition(|case| could_matter(context, mutant, &originals[case.0]));
            trial.left_out += rest.len() as u64;
            let (known, unknown): (Vec<TestCaseIndex>, Vec<TestCaseIndex>) = matter
                .iter()
                .partition(|case| self.memory(|memory| memory.verdict(id, &context.keys[case.0]).is_some()));
            let verdict_of = |case: TestCaseIndex| self.memory(|memory| memory.verdict(id, &context.keys[case.0]));
            trial.verdicts.extend(known.iter().filter_map(|case| Some((*case, verdict_of(*case)?))));
            trial.known += known.len() as u64;
            let is_dead = known.iter().any(|case| verdict_of(*case).is_some_and(Verdict::is_rejection));
            if is_dead && !context.full {
                continue;
            }
            for case in context.order.of(&unknown) {
                trial.runs += 1;
                let verdict = self.verdict(mutant, case, &originals[case.0], &mut apart, &mut trial.running)?;
                let Some(verdict) = verdict else { return Ok(None) };
                trial.verdicts.push((case, verdict));
                self.memory(|memory| memory.learn(id, &context.keys[case.0], verdict));
                if verdict.is_rejection() {
                    context.order.killed(case);
                    if !context.full {
                        break;
                    }
                }
            }
        }
        trial.was_apart = apart.is_some();
        Ok(Some(trial))
    }

    /// The verdict on a test case, on which the original behaves so, by the way that decides. What its runs take is added to
    /// `running`.
    fn verdict(
        &mut self,
        mutant: MutantIndex,
        test_case: TestCaseIndex,
        original: &Original,
        apart: &mut Apart,
        running: &mut Duration,
    ) -> Result<Option<Verdict>, MutationError> {
        let mut verdict = None;
        // A mutant that already needed its own binary is too slow in the combined one.
        if let (Some(copy), true, true, None) =
            (&self.copy, self.context.is_together[mutant], original.together, &apart)
        {
            let prepared = copy.choose(mutant.number())?;
            let within = patience(original.took_us);
            let Some(measurement) = self.measure_copy(&prepared, test_case, within)? else { return Ok(None) };
            let took = measurement.outcome.usage.cpu_time;
            *running += took;
            verdict = decides(measurement.verdict, took, self.context.time_limit).then_some(measurement.verdict);
        }
        if verdict.is_none() {
            let Some(prepared) = self.alone(mutant, apart)? else { return Ok(None) };
            // A mutant that compiles only inside the combined program is invalid.
            let Some(prepared) = prepared else { return Ok(Some(Verdict::CompileError)) };
            let Some(measurement) = self.worker.measure_within(&prepared, test_case, Duration::MAX)? else {
                return Ok(None);
            };
            *running += measurement.outcome.usage.cpu_time;
            verdict = Some(measurement.verdict);
        }
        if verdict == Some(Verdict::JudgeError) {
            return Err(MutationError::JudgeError { test_case: self.context.problem.test_cases[test_case].id.clone() });
        }
        Ok(verdict)
    }

    /// The mutant by itself; the inner `None` when the compiler refuses it, the outer one when it was cancelled.
    pub(crate) fn alone(
        &mut self,
        mutant: MutantIndex,
        apart: &mut Apart,
    ) -> Result<Option<Option<PreparedSubmission>>, MutationError> {
        if let Some(known) = apart {
            return Ok(Some(known.clone()));
        }
        let (context, program) = (self.context, Program::Apart(mutant));
        let text = context.mutants[mutant].apply(context.source);
        context.workplace.write(program, &text).map_err(MutationError::Workplace)?;
        let place = context.workplace.place(program);
        let ready = Fault::apart(self.worker.prepare_submission(place))?;
        if context.session.is_cancelled() {
            return Ok(None);
        }
        Ok(Some(apart.insert(ready.ok()).clone()))
    }

    /// A measurement of a copy. Another thread that starts a process at this very moment has, until that process is
    /// executed, the file open that was just written, and then it cannot be executed; so once is not enough.
    fn measure_copy(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        within: Duration,
    ) -> Result<Option<TestResult>, ExecError> {
        let first = self.worker.measure_within(prepared, test_case, within);
        if first.is_ok() {
            return first;
        }
        thread::sleep(Duration::from_millis(20));
        self.worker.measure_within(prepared, test_case, within)
    }

    pub(crate) fn memory<T>(&self, look: impl FnOnce(&mut Memory) -> T) -> T {
        look(&mut self.context.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The time for a mutant in the program that holds many, where the original takes so many microseconds.
fn patience(took_us: u64) -> Duration {
    match took_us {
        0 => Duration::MAX,
        took_us => Duration::from_micros(took_us).saturating_mul(PATIENCE).max(LEAST_PATIENCE),
    }
}

/// True when the verdict in the program that holds many mutants decides: the mutant gets it alone too, where it takes
/// less time.
fn decides(verdict: Verdict, took: Duration, limit: Duration) -> bool {
    match verdict {
        // The choices take memory too, on the stack above all.
        Verdict::TimeLimitExceeded | Verdict::MemoryLimitExceeded => false,
        Verdict::Accepted => took <= limit,
        _ => true,
    }
}

/// True when a mutant could matter: it is reached, with another value where that is known, so that its result can
/// differ from that of the original.
pub(crate) fn could_matter(context: &Context<'_>, mutant: MutantIndex, original: &Original) -> bool {
    seen(context, mutant, original).is_none_or(|digit| digit == b'2')
}

/// True when the place of a mutant is reached, but with no value that makes a difference.
pub(crate) fn is_near(context: &Context<'_>, mutant: MutantIndex, original: &Original) -> bool {
    seen(context, mutant, original) == Some(b'1')
}

/// The digit of a mutant, if it was watched.
fn seen(context: &Context<'_>, mutant: MutantIndex, original: &Original) -> Option<u8> {
    let digits = original.seen.as_ref().filter(|_| context.is_recorded[mutant])?;
    digits.as_bytes().get(mutant.0).copied()
}

/// The digits of a report for the mutants that were watched, and for others those from before.
fn watched(report: &str, is_recorded: &[bool], before: Option<&str>) -> String {
    let before = before.unwrap_or_default().bytes().map(char::from).chain(iter::repeat(Original::NOT_WATCHED));
    let all = report.chars().zip(is_recorded).zip(before);
    all.map(|((digit, is_recorded), before)| if *is_recorded { digit } else { before }).collect()
}

/// The report that the recording program wrote at its end. Of several processes, none has seen everything.
fn report(stderr: &[u8], mutants: usize) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let mut reports = text.lines().filter_map(|line| line.strip_prefix(Combined::MARK)?.strip_prefix(' '));
    let (Some(line), None) = (reports.next(), reports.next()) else { return None };
    (line.len() == mutants && line.bytes().all(|digit| matches!(digit, b'0'..=b'2'))).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_the_line_with_the_mark_and_has_a_digit_for_each() {
        let text = format!("debug\n{0} 012\n", Combined::MARK);
        assert_eq!(report(text.as_bytes(), 3).as_deref(), Some("012"));
        let of_two = format!("{0} 111\n{text}", Combined::MARK);
        assert_eq!(report(of_two.as_bytes(), 3), None, "of two processes");
        assert_eq!(report(text.as_bytes(), 4), None);
        assert_eq!(report(b"no report", 0), None);
        assert_eq!(report(format!("{} 01x\n", Combined::MARK).as_bytes(), 3), None);
    }

    #[test]
    fn of_a_sample_only_what_was_watched_is_known() {
        let of_first = watched("2000", &[true, false, false, true], None);
        assert_eq!(of_first, "2--0");
        let original = Original { seen: Some(of_first.clone()), together: true, took_us: 1 };
        assert!(original.has_watched(&[true, false, false, false]));
        assert!(!original.has_watched(&[true, true, false, false]));
        assert_eq!(watched("0100", &[false, true, false, true], Some(&of_first)), "21-0");
        assert!(
            Original { seen: None, together: true, took_us: 1 }.has_watched(&[true]),
            "nothing can be watched there"
        );
    }

    #[test]
    fn patience_is_that_with_the_original() {
        assert_eq!(patience(0), Duration::MAX, "nobody knows");
        assert_eq!(patience(1_000), LEAST_PATIENCE);
        assert_eq!(patience(100_000), Duration::from_millis(400));
    }

    #[test]
    fn too_slow_with_many_others_is_not_too_slow() {
        let limit = Duration::from_secs(1);
        let (soon, late) = (Duration::from_millis(900), Duration::from_millis(1100));
        assert!(!decides(Verdict::TimeLimitExceeded, late, limit), "alone it may take a tenth of that");
        assert!(!decides(Verdict::Accepted, late, limit) && !decides(Verdict::MemoryLimitExceeded, soon, limit));
        assert!(decides(Verdict::Accepted, soon, limit) && decides(Verdict::WrongAnswer, late, limit));
    }
}
