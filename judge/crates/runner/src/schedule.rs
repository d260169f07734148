//! The schedule: the jobs that wait and the jobs that run. Shared by the dispatcher and the
//! workers.
//!
//! Responsible for the order of execution: test runs of the earliest submission first, then
//! compiling for the next ones. A confirmation runs alone, when nothing else runs. Must not know
//! results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use judge_exec::{GroupQuestion, PreparedSubmission};
use judge_grading::Attempt;
use judge_model::{ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex};
use judge_sandbox::CancelToken;

/// One piece of work.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// Prepare the output check of a problem.
    Prepare { problem: ProblemIndex },
    /// Compile a submission.
    Compile { submission: SubmissionPlace },
    /// Run a program of the package that answers a question about a group.
    Ask {
        submission: SubmissionPlace,
        question: GroupQuestion,
    },
    /// Run a submission on a test case.
    Test {
        prepared: PreparedSubmission,
        test_case: TestCaseIndex,
        attempt: Attempt,
    },
}

impl Job {
    /// True for a run during which nothing else may run.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self, Self::Test { attempt, .. } if attempt.is_alone())
    }
}

#[derive(Debug)]
struct Testing {
    prepared: PreparedSubmission,
    next: TestCaseIndex,
    end: TestCaseIndex,
    /// Test cases that are not needed.
    left_out: BTreeSet<TestCaseIndex>,
    /// Test cases that are not to be started, because they have results or because other results
    /// decide every event.
    done: BTreeSet<TestCaseIndex>,
}

impl Testing {
    fn needs(&self, test_case: TestCaseIndex) -> bool {
        test_case < self.end && !self.left_out.contains(&test_case)
    }

    /// The next test case that is needed and was not started.
    fn peek(&self) -> Option<TestCaseIndex> {
        let runs =
            |test_case: &TestCaseIndex| self.needs(*test_case) && !self.done.contains(test_case);
        // Indices before `next` were started or dropped, and are never needed again: the
        // search continues where it ended.
        TestCaseIndex::each(self.next..self.end).find(runs)
    }

    /// Takes the next test case.
    fn take(&mut self) -> Option<TestCaseIndex> {
        let next = self.peek();
        self.next = next.map_or(self.end, TestCaseIndex::next);
        next
    }
}

#[derive(Debug)]
struct Running {
    job: Job,
    cancel: CancelToken,
}

#[derive(Debug, Default)]
struct State {
    /// The waiting preparations, earliest first.
    preparations: BTreeMap<(ProblemIndex, Option<SubmissionIndex>), Job>,
    testing: BTreeMap<SubmissionPlace, Testing>,
    confirmations: VecDeque<Job>,
    /// Questions about groups: events wait for the answers.
    questions: VecDeque<Job>,
    running: Vec<Option<Running>>,
    stopped: bool,
    finished: bool,
}

/// The jobs of a run that wait or run.
#[derive(Debug)]
pub(crate) struct Schedule {
    state: Mutex<State>,
    changed: Condvar,
}

impl Schedule {
    pub(crate) fn new(workers: usize) -> Self {
        let state = State {
            running: (0..workers).map(|_| None).collect(),
            ..State::default()
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A worker that panicked is reported by its join handle; the state itself is never left
        // half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.lock());
        // One change can make several jobs possible, and `stop` and `finish` concern every
        // worker.
        self.changed.notify_all();
        result
    }

    /// Queues the preparation of a problem's output check.
    pub(crate) fn prepare(&self, problem: ProblemIndex) {
        self.change(|state| {
            state
                .preparations
                .insert((problem, None), Job::Prepare { problem })
        });
    }

    /// Queues the compilation of a submission.
    pub(crate) fn compile(&self, submission: SubmissionPlace) {
        let key = (submission.problem, Some(submission.submission));
        self.change(|state| state.preparations.insert(key, Job::Compile { submission }));
    }

    /// Lets the test runs of a submission begin, except for those that are `done`.
    pub(crate) fn start_testing(
        &self,
        prepared: PreparedSubmission,
        tests: usize,
        done: BTreeSet<TestCaseIndex>,
    ) {
        let submission = prepared.place;
        tracing::debug!(target: "schedule", %submission, tests, done = done.len(), "testing may begin");
        let testing = Testing {
            prepared,
            next: TestCaseIndex(0),
            end: TestCaseIndex(tests),
            left_out: BTreeSet::new(),
            done,
        };
        self.change(|state| state.testing.insert(submission, testing));
    }

    /// Queues a request to a program of the package.
    pub(crate) fn ask(&self, submission: SubmissionPlace, question: GroupQuestion) {
        self.change(|state| {
            state.questions.push_back(Job::Ask {
                submission,
                question,
            });
        });
    }

    /// Runs a test case again, alone, if it is still needed.
    pub(crate) fn confirm(
        &self,
        submission: SubmissionPlace,
        test_case: TestCaseIndex,
        attempt: Attempt,
    ) {
        self.change(|state| {
            if let Some(testing) = state.testing.get(&submission)
                && testing.needs(test_case)
            {
                state.confirmations.push_back(Job::Test {
                    prepared: testing.prepared.clone(),
                    test_case,
                    attempt,
                });
            }
        });
    }

    /// The number of test cases that are being run again, alone, or wait for it.
    pub(crate) fn confirmations(&self) -> usize {
        let state = self.lock();
        let running = state
            .running
            .iter()
            .flatten()
            .filter(|running| running.job.is_alone())
            .count();
        running + state.confirmations.len()
    }

    /// Drops test cases that are not needed, and cancels those that are running.
    pub(crate) fn leave_out(&self, submission: SubmissionPlace, test_cases: &Range<TestCaseIndex>) {
        let (from, before) = (test_cases.start.0, test_cases.end.0);
        tracing::debug!(target: "schedule", %submission, test_cases = ?from..before, "not needed");
        self.change(|state| {
            if let Some(testing) = state.testing.get_mut(&submission) {
                testing
                    .left_out
                    .extend(TestCaseIndex::each(test_cases.clone()));
            }
            let is_dropped = |job: &Job| {
                matches!(job, Job::Test { prepared, test_case, .. }
                    if prepared.place == submission && test_cases.contains(test_case))
            };
            // A waiting confirmation would keep everything else from starting, for a result that is
            // not needed.
            state.confirmations.retain(|job| !is_dropped(job));
            for running in state
                .running
                .iter()
                .flatten()
                .filter(|running| is_dropped(&running.job))
            {
                running.cancel.cancel();
            }
        });
    }

    /// Removes a submission after all its results have arrived.
    pub(crate) fn close(&self, submission: SubmissionPlace) {
        self.change(|state| state.testing.remove(&submission));
    }

    /// Lets workers end, since there will be no more jobs.
    pub(crate) fn finish(&self) {
        self.change(|state| state.finished = true);
    }

    /// Cancels all running jobs and starts no more.
    pub(crate) fn stop(&self) {
        tracing::debug!(target: "schedule", "all jobs are cancelled");
        self.change(|state| {
            state.stopped = true;
            state
                .running
                .iter()
                .flatten()
                .for_each(|running| running.cancel.cancel());
        });
    }

    /// Records that a worker's job is done: from now on its token is not set. A token that was set
    /// before was meant for that job, even if the job had already ended, and must not cancel the
    /// next one.
    pub(crate) fn done(&self, worker: usize) {
        self.change(|state| state.running[worker] = None);
    }

    /// The next job for an idle worker; `None` when there will be none. The programs of the job end
    /// when `cancel` is set.
    pub(crate) fn next(&self, worker: usize, cancel: &CancelToken) -> Option<Job> {
        // The lock is taken before the flags are read and released only by `wait`, so no change in
        // between can be missed.
        let mut state = self.lock();
        loop {
            if state.stopped || state.finished {
                return None;
            }
            if let Some(job) = state.take() {
                state.running[worker] = Some(Running {
                    job: job.clone(),
                    cancel: cancel.clone(),
                });
                return Some(job);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// True when no job runs or waits. A report is sent before its job is done, so all reports of
    /// earlier jobs are in the channel by then.
    pub(crate) fn is_idle(&self) -> bool {
        let state = self.lock();
        state.running.iter().all(Option::is_none)
            && state.confirmations.is_empty()
            && state.questions.is_empty()
            && state.preparations.is_empty()
            && state
                .testing
                .values()
                .all(|testing| testing.peek().is_none())
    }

    /// The jobs that are running now.
    pub(crate) fn running(&self) -> Vec<Job> {
        self.lock()
            .running
            .iter()
            .flatten()
            .map(|running| running.job.clone())
            .collect()
    }
}

impl State {
    fn take(&mut self) -> Option<Job> {
        // No job starts during a run that must be alone.
        let mut busy = self.running.iter().flatten();
        if busy.any(|running| running.job.is_alone()) {
            return None;
        }
        // A confirmation waits until every worker is idle, and meanwhile nothing new starts:
        // otherwise it might wait forever, and so would the events after its test case.
        if !self.confirmations.is_empty() {
            let is_idle = self.running.iter().all(Option::is_none);
            return if is_idle {
                self.confirmations.pop_front()
            } else {
                None
            };
        }
        // Questions are short, and delay every later event of their submission.
        if let Some(question) = self.questions.pop_front() {
            return Some(question);
        }
        // The earliest submission first, because its events come first. Compiling comes last: it is
        // for later submissions, and fills the time in which there is nothing to run.
        let first = |testing: &mut Testing| {
            let test_case = testing.take()?;
            Some(Job::Test {
                prepared: testing.prepared.clone(),
                test_case,
                attempt: Attempt::First,
            })
        };
        let test = self.testing.values_mut().find_map(first);
        test.or_else(|| self.preparations.pop_first().map(|(_, job)| job))
    }
}
