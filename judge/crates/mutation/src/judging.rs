//! Judging mutants on test cases, on every core.
//!
//! Responsible for which run decides about a mutant, and for stopping when it is decided. Must not know what is told.
//!
//! A program that holds many mutants is slower than one of them alone, in a tight loop more than ten times. So it gets
//! more time, and a mutant that was stopped for its time there, or was accepted but took longer than the limit, is compiled
//! and run by itself. Only that counts, however fast the original is: a mutant may do much more than that, in time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use judge_model::{Problem, Verdict};
use judge_mutants::{Combined, Mutant};
use judge_runner::{Course, Entrant, Lap, Marked, RunnerError, Track};

use crate::memory::{Memory, Original};
use crate::mutation::MutationError;
use crate::order::Order;
use crate::workplace::{Program, Workplace};

/// What all who judge share.
pub(crate) struct Court<'a> {
    pub(crate) course: &'a Course,
    pub(crate) workplace: &'a Workplace,
    pub(crate) problem: &'a Problem,
    pub(crate) time_limit: Duration,
    pub(crate) source: &'a str,
    pub(crate) mutants: &'a [Mutant],
    /// The program that holds many mutants, and whether it holds each.
    pub(crate) together: Option<&'a Entrant>,
    pub(crate) is_together: &'a [bool],
    /// The program that tells what was reached, and whether it watches each mutant.
    pub(crate) recording: Option<&'a Entrant>,
    pub(crate) is_recorded: &'a [bool],
    /// The keys of the test cases.
    pub(crate) keys: &'a [String],
    pub(crate) memory: &'a Mutex<Memory>,
    pub(crate) order: &'a Order,
    pub(crate) full: bool,
}

/// What came of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trial {
    /// The compiler refuses it.
    pub(crate) refused: bool,
    /// What is known of its verdicts, by test case.
    pub(crate) verdicts: Vec<(usize, Verdict)>,
    pub(crate) runs: u64,
    pub(crate) known: u64,
    pub(crate) left_out: u64,
}

/// Runs something for every number below `count`, on a thread for each core. What comes of it is told one by one. `None`
/// when it was cancelled.
pub(crate) fn everywhere<S, T: Send>(
    cores: &[Option<usize>],
    count: usize,
    begin: impl Fn(Option<usize>) -> Result<S, MutationError> + Sync,
    work: impl Fn(&mut S, usize) -> Result<Option<T>, MutationError> + Sync,
    mut hear: impl FnMut(usize, T) -> Result<(), MutationError>,
) -> Result<Option<()>, MutationError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = channel();
    thread::scope(|scope| {
        for core in &cores[..cores.len().min(count.max(1))] {
            let (sender, begin, work, next, stop): (Sender<_>, _, _, _, _) =
                (sender.clone(), &begin, &work, &next, &stop);
            scope.spawn(move || {
                let mut state = match begin(*core) {
                    Ok(state) => state,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let done = work(&mut state, index).map(|result| result.map(|result| (index, result)));
                    let is_over = !matches!(done, Ok(Some(_)));
                    if sender.send(done).is_err() || is_over {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for result in results {
            let heard = match result {
                Ok(Some((index, result))) => hear(index, result).map(Some),
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            if !matches!(heard, Ok(Some(()))) {
                stop.store(true, Ordering::Relaxed);
                return heard;
            }
        }
        Ok(Some(()))
    })
}

/// One who judges: a track, and a copy of the program that holds many mutants.
pub(crate) struct Judge<'a> {
    court: &'a Court<'a>,
    track: Track<'a>,
    copy: Option<Marked>,
}

/// A mutant compiled by itself, once that is needed.
type Apart = Option<Option<Entrant>>;

impl<'a> Judge<'a> {
    pub(crate) fn new(court: &'a Court<'a>, core: Option<usize>) -> Result<Self, MutationError> {
        let copy = match court.together {
            Some(program) => court.course.marked(program, Combined::MARK.as_bytes())?,
            None => None,
        };
        if court.together.is_some() && copy.is_none() {
            return Err(MutationError::NoMark);
        }
        Ok(Self { court, track: court.course.track(core), copy })
    }

    /// What the original does on a test case. `None` when it was cancelled.
    pub(crate) fn original(&mut self, test_case: usize) -> Result<Option<Original>, MutationError> {
        if let Some(known) = self.memory(|memory| memory.originals.get(&self.court.keys[test_case]).cloned()) {
            return Ok(Some(known));
        }
        let mut original = Original { seen: None, together: true };
        let mut recorded = false;
        if let Some(recording) = self.court.recording {
            let Some(lap) = self.track.lap(recording, test_case)? else { return Ok(None) };
            recorded = lap.verdict == Verdict::Accepted;
            // Of several passes only the last one is heard.
            if recorded && self.court.problem.passes == 1 {
                original.seen = report(self.track.stderr(), self.court.mutants.len());
            }
        }
        if !recorded && let Some(copy) = &self.copy {
            let entrant = copy.choose(0)?;
            let Some(lap) = self.lap_of_copy(&entrant, test_case)? else { return Ok(None) };
            original.together = lap.verdict == Verdict::Accepted;
        }
        if !recorded && (self.copy.is_none() || !original.together) {
            let Some(lap) = self.solution(test_case)? else { return Ok(None) };
            if lap.verdict != Verdict::Accepted {
                let test_case = self.court.problem.test_cases[test_case].id.clone();
                return Err(MutationError::NotAccepted { test_case, verdict: lap.verdict });
            }
        }
        self.memory(|memory| memory.originals.insert(self.court.keys[test_case].clone(), original.clone()));
        Ok(Some(original))
    }

    fn solution(&mut self, test_case: usize) -> Result<Option<Lap>, MutationError> {
        self.court.workplace.write(Program::Original, self.court.source).map_err(MutationError::Workplace)?;
        let (problem, submission) = self.court.workplace.place(Program::Original);
        let entrant = self.track.ready(problem, submission)?.map_err(|why| MutationError::NotReady(why.to_string()))?;
        Ok(self.track.lap(&entrant, test_case)?)
    }

    /// Tries a mutant on groups of test cases. `None` when it was cancelled.
    pub(crate) fn try_mutant(
        &mut self,
        mutant: usize,
        groups: &[Vec<usize>],
        originals: &[Original],
    ) -> Result<Option<Trial>, MutationError> {
        let court = self.court;
        let id = &court.mutants[mutant].id;
        let mut trial = Trial::default();
        if self.memory(|memory| memory.refused.contains(id)) {
            return Ok(Some(Trial { refused: true, ..trial }));
        }
        let mut apart: Apart = None;
        if !court.is_together[mutant] && !self.is_known(mutant, groups, originals) {
            let Some(entrant) = self.alone(mutant, &mut apart)? else { return Ok(None) };
            if entrant.is_none() {
                self.memory(|memory| memory.refused.insert(id.clone()));
                return Ok(Some(Trial { refused: true, ..trial }));
            }
        }
        for group in groups {
            let (matter, rest): (Vec<usize>, Vec<usize>) =
                group.iter().partition(|case| could_matter(court, mutant, &originals[**case]));
            trial.left_out += rest.len() as u64;
            let (known, unknown): (Vec<usize>, Vec<usize>) =
                matter.iter().partition(|case| self.memory(|memory| memory.verdict(id, &court.keys[**case]).is_some()));
            let verdict_of = |case: usize| self.memory(|memory| memory.verdict(id, &court.keys[case]));
            trial.verdicts.extend(known.iter().filter_map(|case| Some((*case, verdict_of(*case)?))));
            trial.known += known.len() as u64;
            let is_dead = known.iter().any(|case| verdict_of(*case).is_some_and(kills));
            if is_dead && !court.full {
                continue;
            }
            for case in court.order.of(&unknown) {
                trial.runs += 1;
                let Some(verdict) = self.verdict(mutant, case, originals[case].together, &mut apart)? else {
                    return Ok(None);
                };
                trial.verdicts.push((case, verdict));
                self.memory(|memory| memory.learn(id, &court.keys[case], verdict));
                if kills(verdict) {
                    court.order.killed(case);
                    if !court.full {
                        break;
                    }
                }
            }
        }
        Ok(Some(trial))
    }

    /// Whether nothing has to be run to decide about it.
    fn is_known(&self, mutant: usize, groups: &[Vec<usize>], originals: &[Original]) -> bool {
        let court = self.court;
        groups.iter().all(|group| {
            let verdict =
                |case: &usize| self.memory(|memory| memory.verdict(&court.mutants[mutant].id, &court.keys[*case]));
            let dead = group.iter().any(|case| verdict(case).is_some_and(kills));
            let open =
                group.iter().any(|case| could_matter(court, mutant, &originals[*case]) && verdict(case).is_none());
            !open || dead && !court.full
        })
    }

    /// The verdict on a test case, by the way that decides. `together`: whether the program that holds many mutants is fast
    /// enough there.
    fn verdict(
        &mut self,
        mutant: usize,
        test_case: usize,
        together: bool,
        apart: &mut Apart,
    ) -> Result<Option<Verdict>, MutationError> {
        let mut verdict = None;
        // Who had to be compiled by itself before is slow together.
        if let (Some(copy), true, true, None) = (&self.copy, self.court.is_together[mutant], together, &apart) {
            let number = u32::try_from(mutant + 1).unwrap_or(u32::MAX);
            let entrant = copy.choose(number)?;
            let Some(lap) = self.lap_of_copy(&entrant, test_case)? else { return Ok(None) };
            verdict = decides(lap.verdict, lap.usage.cpu_time, self.court.time_limit).then_some(lap.verdict);
        }
        if verdict.is_none() {
            let Some(entrant) = self.alone(mutant, apart)? else { return Ok(None) };
            // What compiles with others and not by itself is no mutant that anybody could write.
            let Some(entrant) = entrant else { return Ok(Some(Verdict::CompileError)) };
            let Some(lap) = self.track.lap(&entrant, test_case)? else { return Ok(None) };
            verdict = Some(lap.verdict);
        }
        if verdict == Some(Verdict::JudgeError) {
            return Err(MutationError::JudgeError { test_case: self.court.problem.test_cases[test_case].id.clone() });
        }
        Ok(verdict)
    }

    /// The mutant by itself; the inner `None` when the compiler refuses it, the outer one when it was cancelled.
    fn alone(&mut self, mutant: usize, apart: &mut Apart) -> Result<Option<Option<Entrant>>, MutationError> {
        if let Some(known) = apart {
            return Ok(Some(known.clone()));
        }
        let (court, program) = (self.court, Program::Apart(mutant));
        let text = court.mutants[mutant].apply(court.source);
        court.workplace.write(program, &text).map_err(MutationError::Workplace)?;
        let (problem, submission) = court.workplace.place(program);
        let ready = self.track.ready(problem, submission)?;
        if court.course.is_cancelled() {
            return Ok(None);
        }
        Ok(Some(apart.insert(ready.ok()).clone()))
    }

    /// A lap of a copy. Another thread that starts a process at this very moment has, until that process is executed, the
    /// file open that was just written, and then it cannot be executed; so once is not enough.
    fn lap_of_copy(&mut self, entrant: &Entrant, test_case: usize) -> Result<Option<Lap>, RunnerError> {
        let first = self.track.lap(entrant, test_case);
        if first.is_ok() {
            return first;
        }
        thread::sleep(Duration::from_millis(20));
        self.track.lap(entrant, test_case)
    }

    fn memory<T>(&self, look: impl FnOnce(&mut Memory) -> T) -> T {
        look(&mut self.court.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether what a mutant got in the program that holds many is what it gets alone, where it takes less time.
fn decides(verdict: Verdict, took: Duration, limit: Duration) -> bool {
    match verdict {
        Verdict::TimeLimitExceeded => false,
        Verdict::Accepted => took <= limit,
        _ => true,
    }
}

/// Whether a verdict is a rejection.
pub(crate) fn kills(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::CompileError | Verdict::JudgeError)
}

/// Whether a mutant can come to another result than the original: it is reached, with another value where that is known.
pub(crate) fn could_matter(court: &Court<'_>, mutant: usize, original: &Original) -> bool {
    let seen = original.seen.as_ref().filter(|_| court.is_recorded[mutant]);
    seen.is_none_or(|digits| digits.as_bytes().get(mutant) != Some(&b'0'))
}

/// What the recording program told at its end.
fn report(stderr: &[u8], mutants: usize) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().rev().find_map(|line| line.strip_prefix(Combined::MARK)?.strip_prefix(' '))?;
    (line.len() == mutants && line.bytes().all(|digit| matches!(digit, b'0' | b'1'))).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_the_last_line_with_the_mark_and_has_a_digit_for_each() {
        let text = format!("debug\n{0} 111\n{0} 010\n", Combined::MARK);
        assert_eq!(report(text.as_bytes(), 3).as_deref(), Some("010"));
        assert_eq!(report(text.as_bytes(), 4), None);
        assert_eq!(report(b"no report", 0), None);
        assert_eq!(report(format!("{} 01x\n", Combined::MARK).as_bytes(), 3), None);
    }

    #[test]
    fn too_slow_with_many_others_is_not_too_slow() {
        let limit = Duration::from_secs(1);
        let (soon, late) = (Duration::from_millis(900), Duration::from_millis(1100));
        assert!(!decides(Verdict::TimeLimitExceeded, late, limit), "alone it may take a tenth of that");
        assert!(!decides(Verdict::Accepted, late, limit));
        assert!(decides(Verdict::Accepted, soon, limit) && decides(Verdict::WrongAnswer, late, limit));
    }

    #[test]
    fn work_is_shared_and_told_and_ends_at_the_first_error() {
        let cores = [None, None, None];
        let mut told = Vec::new();
        let begin = |_| Ok(10);
        let done = everywhere(
            &cores,
            20,
            begin,
            |ten, index| Ok(Some(*ten * index)),
            |index, result| {
                told.push((index, result));
                Ok(())
            },
        );
        assert!(matches!(done, Ok(Some(()))));
        told.sort_unstable();
        assert_eq!(told, (0..20).map(|index| (index, 10 * index)).collect::<Vec<_>>());
        let fails = |_: &mut i32, index| if index == 3 { Err(MutationError::NoMark) } else { Ok(Some(())) };
        assert!(matches!(everywhere(&cores, 20, |_| Ok(0), fails, |_, ()| Ok(())), Err(MutationError::NoMark)));
        let ends = |_: &mut i32, index| Ok((index != 3).then_some(()));
        assert!(matches!(everywhere(&cores, 20, |_| Ok(0), ends, |_, ()| Ok(())), Ok(None)));
    }
}
