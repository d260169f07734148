//! Workers of mutation testing: each thread runs mutants on test cases with one of these.
//!
//! Responsible for choosing the run that decides about a mutant, and for stopping once the result
//! is known.
//!
//! The combined program is slower than a mutant that is compiled separately, more than ten times
//! slower in a tight loop. Therefore it gets more time, but at most a multiple of the original's. A
//! mutant that exceeded its time or memory there, or was accepted but took longer than the limit,
//! is compiled separately and run again, and only that result counts.

use std::iter;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use judge_exec::{
    ExecError, Fault, PatchedProgram, PreparedSubmission, Refusal, TestResult, Worker,
};
use judge_model::{LanguageFamily, TestCaseIndex, Verdict, micros};

use crate::error::MutationError;
use crate::mutants::{Combined, MutantIndex};
use crate::run::order::Order;
use crate::run::programs::Programs;
use crate::sources::Program;
use crate::store::Original;
use crate::subject::Subject;

/// The maximum time of a mutant in the combined program, as a multiple of the original's. Most
/// mutants that need more never end, and each of them would use up the whole time limit twice.
const TIME_FACTOR: u32 = 4;
/// The lower bound of that time.
const MIN_MUTANT_TIME: Duration = Duration::from_millis(300);

/// The state that all workers share.
pub(crate) struct Shared<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) programs: Programs,
    pub(crate) order: Order,
    /// The solution compiled separately; `None` until it is needed.
    solution: Mutex<Option<PreparedSubmission>>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(subject: &'a Subject<'a>, programs: Programs, order: Order) -> Self {
        Self {
            subject,
            programs,
            order,
            solution: Mutex::new(None),
        }
    }

    /// Locks the solution: all workers share its files, which must not be read while another worker
    /// writes them.
    fn lock_solution(&self) -> MutexGuard<'_, Option<PreparedSubmission>> {
        self.solution.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true when a mutant may differ from the original on a test case: its place is
    /// reached, with a different value if that is known.
    pub(crate) fn may_differ(&self, mutant: MutantIndex, original: &Original) -> bool {
        self.digit(mutant, original)
            .is_none_or(|digit| digit == b'2')
    }

    /// Returns true when the place of a mutant is reached, but with no value that makes a
    /// difference.
    pub(crate) fn is_near(&self, mutant: MutantIndex, original: &Original) -> bool {
        self.digit(mutant, original) == Some(b'1')
    }

    /// The recorded digit of a mutant. `None` if it was not recorded.
    fn digit(&self, mutant: MutantIndex, original: &Original) -> Option<u8> {
        let digits = original
            .seen
            .as_ref()
            .filter(|_| self.programs.recording.contains(mutant))?;
        digits.as_bytes().get(mutant.0).copied()
    }

    fn is_recorded(&self) -> Vec<bool> {
        let all = MutantIndex::first(self.subject.mutants.len());
        all.map(|mutant| self.programs.recording.contains(mutant))
            .collect()
    }
}

/// The outcome of running a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MutantOutcome {
    /// True when the compiler rejects the mutant.
    pub(crate) rejected: bool,
    /// The known verdicts, by test case.
    pub(crate) verdicts: Vec<(TestCaseIndex, Verdict)>,
    pub(crate) runs: u64,
    /// The number of verdicts from the store.
    pub(crate) cached: u64,
    /// The number of test cases on which the mutant cannot differ.
    pub(crate) left_out: u64,
    /// The total CPU time of all runs.
    pub(crate) running: Duration,
    /// True when the mutant was compiled separately.
    pub(crate) was_separate: bool,
}

impl MutantOutcome {
    pub(crate) fn has_survived(&self) -> bool {
        let is_bad = |verdict: Verdict| verdict.is_rejection() || verdict == Verdict::CompileError;
        !self.rejected && !self.verdicts.iter().any(|(_, verdict)| is_bad(*verdict))
    }
}

/// A mutant compiled separately: `None` until it is needed, `Some(None)` if the compiler rejects
/// it.
type Separate = Option<Option<PreparedSubmission>>;

/// The worker of one thread.
pub(crate) struct MutantWorker<'a> {
    shared: &'a Shared<'a>,
    worker: Worker<'a>,
    /// A copy of the combined program, in which the chosen mutant can be set.
    copy: Option<PatchedProgram>,
}

impl<'a> MutantWorker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, core: Option<usize>) -> Result<Self, MutationError> {
        let session = shared.subject.session;
        let copy = match &shared.programs.choosing.prepared {
            Some(program) => {
                let copy = session.patched_program(program, Combined::MARK.as_bytes())?;
                Some(copy.ok_or(MutationError::NoMark)?)
            }
            None => None,
        };
        Ok(Self {
            shared,
            worker: session.measuring_worker(core),
            copy,
        })
    }

    /// Determines the behaviour of the original on a test case. Returns `None` when it was
    /// cancelled.
    pub(crate) fn original(
        &mut self,
        test_case: TestCaseIndex,
    ) -> Result<Option<Original>, MutationError> {
        let subject = self.shared.subject;
        let is_recorded = self.shared.is_recorded();
        // A larger sample records mutants that an earlier run did not. Then the original runs
        // again, and its old report is completed.
        let key = &subject.keys[test_case.0];
        let cached = subject.store().originals.get(key).cloned();
        if cached
            .as_ref()
            .is_some_and(|cached| cached.has_watched(&is_recorded))
        {
            return Ok(cached);
        }
        let mut original = Original {
            seen: None,
            together: true,
            took_us: 0,
        };
        // The solution must be accepted in at least one form, or every mutant would appear killed.
        let mut is_accepted = false;
        if let Some(recording) = &self.shared.programs.recording.prepared {
            let Some(measurement) = self.worker.measure(recording, test_case)? else {
                return Ok(None);
            };
            is_accepted = measurement.verdict == Verdict::Accepted;
            original.took_us = micros(measurement.outcome.usage.cpu_time);
            // With several passes, only the standard error of the last one is available.
            if is_accepted && subject.timed.problem.passes == 1 {
                let before = cached.and_then(|cached| cached.seen);
                let report = report(self.worker.stderr(), subject.mutants.len());
                original.seen =
                    report.map(|report| watched(&report, &is_recorded, before.as_deref()));
            }
        }
        // The choosing program runs even if the recording one was accepted: it uses more of the
        // stack and has another layout.
        if let Some(copy) = &self.copy {
            let prepared = copy.choose(0)?;
            let Some(measurement) = self.measure_copy(&prepared, test_case, Duration::MAX)? else {
                return Ok(None);
            };
            original.together = measurement.verdict == Verdict::Accepted;
            original.took_us = micros(measurement.outcome.usage.cpu_time);
        }
        // Neither combined program was accepted. Running the solution alone shows whether it is the
        // cause.
        if !is_accepted && (self.copy.is_none() || !original.together) {
            let prepared = self.prepared_solution()?;
            let Some(measurement) =
                self.worker
                    .measure_within(&prepared, test_case, Duration::MAX)?
            else {
                return Ok(None);
            };
            if measurement.verdict != Verdict::Accepted {
                let test_case = subject.timed.problem.test_cases[test_case].id.clone();
                return Err(MutationError::NotAccepted {
                    solution: subject.solution.to_owned(),
                    test_case,
                    verdict: measurement.verdict,
                    reason: measurement.reason,
                });
            }
        }
        subject
            .store()
            .originals
            .insert(key.clone(), original.clone());
        Ok(Some(original))
    }

    /// Writes the source of a program and compiles it.
    fn prepare(
        &mut self,
        program: Program,
        source: &str,
    ) -> Result<Result<PreparedSubmission, Refusal>, MutationError> {
        let sources = self.shared.subject.sources;
        sources
            .write(program, source)
            .map_err(MutationError::Sources)?;
        let prepared = self.worker.prepare_submission(sources.place(program));
        Ok(Fault::apart(prepared)?)
    }

    fn prepared_solution(&mut self) -> Result<PreparedSubmission, MutationError> {
        let shared = self.shared;
        let mut solution = shared.lock_solution();
        if let Some(prepared) = &*solution {
            return Ok(prepared.clone());
        }
        let Subject {
            sources, source, ..
        } = *self.shared.subject;
        let prepared = self
            .prepare(Program::Original, source)?
            .map_err(|refusal| MutationError::NotReady(sources.shown(refusal)))?;
        Ok(solution.insert(prepared).clone())
    }

    /// Runs a mutant on groups of test cases. Returns `None` when it was cancelled.
    pub(crate) fn run(
        &mut self,
        mutant: MutantIndex,
        groups: &[Vec<TestCaseIndex>],
        originals: &[Original],
    ) -> Result<Option<MutantOutcome>, MutationError> {
        let subject = self.shared.subject;
        let id = &subject.mutants[mutant].id;
        let mut outcome = MutantOutcome::default();
        if subject.store().rejected.contains(id) {
            return Ok(Some(MutantOutcome {
                rejected: true,
                ..outcome
            }));
        }
        let mut separate: Separate = None;
        let is_compiled =
            self.shared.programs.choosing.contains(mutant) || subject.store().has_compiled(id);
        // If every run of the mutant is left out, only this reveals whether it compiles.
        if !is_compiled {
            let Some(prepared) = self.separate(mutant, &mut separate)? else {
                return Ok(None);
            };
            if prepared.is_none() {
                subject.store().rejected.insert(id.clone());
                return Ok(Some(MutantOutcome {
                    rejected: true,
                    ..outcome
                }));
            }
        }
        // Each group has its own score, so a kill in one group ends only the runs of that group.
        for group in groups {
            let mut open = Vec::new();
            let mut is_killed = false;
            for case in group {
                if !self.shared.may_differ(mutant, &originals[case.0]) {
                    outcome.left_out += 1;
                } else if let Some(verdict) = subject.store().verdict(id, &subject.keys[case.0]) {
                    outcome.verdicts.push((*case, verdict));
                    outcome.cached += 1;
                    is_killed |= verdict.is_rejection();
                } else {
                    open.push(*case);
                }
            }
            // A cached kill is enough: without `--full`, the number of kills in a group does not
            // count.
            if is_killed && !subject.settings.full {
                continue;
            }
            for case in self.shared.order.likeliest_first(&open) {
                outcome.runs += 1;
                let verdict = self.verdict(
                    mutant,
                    case,
                    &originals[case.0],
                    &mut separate,
                    &mut outcome.running,
                )?;
                let Some(verdict) = verdict else {
                    return Ok(None);
                };
                outcome.verdicts.push((case, verdict));
                // The store is saved even after an interruption, so every verdict is added
                // immediately.
                subject.store().add(id, &subject.keys[case.0], verdict);
                if verdict.is_rejection() {
                    self.shared.order.killed(case);
                    if !subject.settings.full {
                        break;
                    }
                }
            }
        }
        outcome.was_separate = separate.is_some();
        Ok(Some(outcome))
    }

    /// Returns the verdict on a test case from the run that decides. The CPU time of all runs is
    /// added to `running`.
    fn verdict(
        &mut self,
        mutant: MutantIndex,
        test_case: TestCaseIndex,
        original: &Original,
        separate: &mut Separate,
        running: &mut Duration,
    ) -> Result<Option<Verdict>, MutationError> {
        let timed = self.shared.subject.timed;
        let is_in_copy = self.shared.programs.choosing.contains(mutant) && original.together;
        let mut verdict = None;
        // A mutant that already needed a separate executable is too slow in the combined one.
        if let (Some(copy), true, None) = (&self.copy, is_in_copy, &separate) {
            let prepared = copy.choose(mutant.number())?;
            let max_time = max_time(original.took_us);
            let Some(measurement) = self.measure_copy(&prepared, test_case, max_time)? else {
                return Ok(None);
            };
            let took = measurement.outcome.usage.cpu_time;
            *running += took;
            verdict =
                decides(measurement.verdict, took, timed.time_limit).then_some(measurement.verdict);
        }
        if verdict.is_none() {
            let Some(prepared) = self.separate(mutant, separate)? else {
                return Ok(None);
            };
            // A mutant that compiles only inside the combined program is invalid.
            let Some(prepared) = prepared else {
                return Ok(Some(Verdict::CompileError));
            };
            let Some(measurement) =
                self.worker
                    .measure_within(&prepared, test_case, Duration::MAX)?
            else {
                return Ok(None);
            };
            *running += measurement.outcome.usage.cpu_time;
            verdict = Some(measurement.verdict);
        }
        if verdict == Some(Verdict::JudgeError) {
            return Err(MutationError::JudgeError {
                test_case: timed.problem.test_cases[test_case].id.clone(),
            });
        }
        Ok(verdict)
    }

    /// Compiles the mutant separately. The inner `None` means that the compiler rejects it, the
    /// outer one that it was cancelled.
    fn separate(
        &mut self,
        mutant: MutantIndex,
        separate: &mut Separate,
    ) -> Result<Option<Option<PreparedSubmission>>, MutationError> {
        if let Some(prepared) = separate {
            return Ok(Some(prepared.clone()));
        }
        let subject = self.shared.subject;
        let text = subject.mutants[mutant].apply(subject.source);
        let prepared = self.prepare(Program::Separate(mutant), &text)?;
        if subject.session.is_cancelled() {
            return Ok(None);
        }
        Ok(Some(separate.insert(prepared.ok()).clone()))
    }

    /// Returns true when a mutant compiles to the same program as the solution, and `None` when it
    /// was cancelled.
    pub(crate) fn is_same_program(
        &mut self,
        mutant: MutantIndex,
    ) -> Result<Option<bool>, MutationError> {
        let subject = self.shared.subject;
        let id = &subject.mutants[mutant].id;
        let cached = subject.store().same_programs.get(id).copied();
        if cached.is_some() {
            return Ok(cached);
        }
        let is_same = if subject.sources.language == LanguageFamily::Python {
            self.has_same_bytecode(mutant)?
        } else {
            match self.separate(mutant, &mut None)? {
                None => None,
                Some(Some(prepared)) => Some(prepared.is_same_program(&self.prepared_solution()?)),
                Some(None) => {
                    // The mutant was never compiled separately before, and does not compile outside
                    // of the combined program.
                    subject.store().rejected.insert(id.clone());
                    return Ok(Some(false));
                }
            }
        };
        if let Some(is_same) = is_same {
            subject.store().same_programs.insert(id.clone(), is_same);
        }
        Ok(is_same)
    }

    /// Compares the bytecode of a mutant with the solution's. The programs themselves are sources,
    /// which differ.
    fn has_same_bytecode(&mut self, mutant: MutantIndex) -> Result<Option<bool>, MutationError> {
        let shared = self.shared;
        let subject = shared.subject;
        let mut both = Vec::new();
        for (index, text) in [
            (Some(mutant), subject.mutants[mutant].apply(subject.source)),
            (None, subject.source.to_owned()),
        ] {
            let _lock = shared.lock_solution();
            both.extend(self.prepare(Program::Bytecode(index), &text)?.ok());
            if subject.session.is_cancelled() {
                return Ok(None);
            }
        }
        Ok(Some(
            matches!(&both[..], [one, other] if one.is_same_program(other)),
        ))
    }

    /// Measures a patched copy. Between `fork` and `exec`, a process that another thread starts may
    /// still have the new file open for writing, and then it cannot be executed (ETXTBSY).
    /// Therefore the run is tried twice.
    fn measure_copy(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        max_time: Duration,
    ) -> Result<Option<TestResult>, ExecError> {
        // A second failure is a real one and is reported.
        let first = self.worker.measure_within(prepared, test_case, max_time);
        if first.is_ok() {
            return first;
        }
        thread::sleep(Duration::from_millis(20));
        self.worker.measure_within(prepared, test_case, max_time)
    }
}

/// The maximum time of a mutant in the combined program. `took_us` is the time of the original in
/// microseconds, 0 if it is unknown.
fn max_time(took_us: u64) -> Duration {
    match took_us {
        0 => Duration::MAX,
        took_us => Duration::from_micros(took_us)
            .saturating_mul(TIME_FACTOR)
            .max(MIN_MUTANT_TIME),
    }
}

/// Returns true when the verdict in the combined program decides: the mutant would get the same one
/// when it is compiled separately and runs faster.
fn decides(verdict: Verdict, took: Duration, limit: Duration) -> bool {
    match verdict {
        // The choices need memory too, mainly on the stack.
        Verdict::TimeLimitExceeded | Verdict::MemoryLimitExceeded => false,
        Verdict::Accepted => took <= limit,
        _ => true,
    }
}

/// The digits of a report for the mutants that were recorded, and those of an earlier report for
/// the others.
fn watched(report: &str, is_recorded: &[bool], before: Option<&str>) -> String {
    let before = before
        .unwrap_or_default()
        .bytes()
        .map(char::from)
        .chain(iter::repeat(Original::NOT_WATCHED));
    let all = report.chars().zip(is_recorded).zip(before);
    all.map(|((digit, is_recorded), before)| if *is_recorded { digit } else { before })
        .collect()
}

/// The report that the recording program wrote at its end. `None` if there are several: none of
/// several processes has recorded everything.
fn report(stderr: &[u8], mutants: usize) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let mut reports = text
        .lines()
        .filter_map(|line| line.strip_prefix(Combined::MARK)?.strip_prefix(' '));
    let (Some(line), None) = (reports.next(), reports.next()) else {
        return None;
    };
    // The solution may write to standard error too. A line of the wrong form is not trusted.
    (line.len() == mutants && line.bytes().all(|digit| matches!(digit, b'0'..=b'2')))
        .then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_have_a_mark_and_a_digit_per_mutant() {
        let text = format!("debug\n{0} 012\n", Combined::MARK);
        assert_eq!(report(text.as_bytes(), 3).as_deref(), Some("012"));
        let of_two = format!("{0} 111\n{text}", Combined::MARK);
        assert_eq!(report(of_two.as_bytes(), 3), None, "of two processes");
        assert_eq!(report(text.as_bytes(), 4), None);
        assert_eq!(report(b"no report", 0), None);
        assert_eq!(
            report(format!("{} 01x\n", Combined::MARK).as_bytes(), 3),
            None
        );
    }

    #[test]
    fn digits_of_mutants_outside_the_sample_are_unknown() {
        let of_first = watched("2000", &[true, false, false, true], None);
        assert_eq!(of_first, "2--0");
        let original = Original {
            seen: Some(of_first.clone()),
            together: true,
            took_us: 1,
        };
        assert!(original.has_watched(&[true, false, false, false]));
        assert!(!original.has_watched(&[true, true, false, false]));
        assert_eq!(
            watched("0100", &[false, true, false, true], Some(&of_first)),
            "21-0"
        );
        assert!(
            Original {
                seen: None,
                together: true,
                took_us: 1
            }
            .has_watched(&[true]),
            "nothing can be recorded there"
        );
    }

    #[test]
    fn max_times_are_multiples_of_the_original_time() {
        assert_eq!(max_time(0), Duration::MAX, "unknown");
        assert_eq!(max_time(1_000), MIN_MUTANT_TIME);
        assert_eq!(max_time(100_000), Duration::from_millis(400));
    }

    #[test]
    fn slow_runs_of_the_combined_program_are_not_decisive() {
        let limit = Duration::from_secs(1);
        let (soon, late) = (Duration::from_millis(900), Duration::from_millis(1100));
        assert!(
            !decides(Verdict::TimeLimitExceeded, late, limit),
            "when compiled separately, it may take a tenth of that"
        );
        assert!(
            !decides(Verdict::Accepted, late, limit)
                && !decides(Verdict::MemoryLimitExceeded, soon, limit)
        );
        assert!(
            decides(Verdict::Accepted, soon, limit) && decides(Verdict::WrongAnswer, late, limit)
        );
    }
}
