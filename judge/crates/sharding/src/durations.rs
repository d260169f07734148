//! The durations of submissions: as an earlier run measured them, or as a guess.
//!
//! Responsible for the costs that a partition balances. Must not know how shards are formed.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

use judge_event::{Event, MAX_LINE_BYTES, parse_known_line};
use judge_files::{BoundedLines, regular_file};

use crate::ShardingError;

/// A submission of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The problem's name.
    pub problem: String,
    /// The submission.
    pub submission: String,
    /// The estimate of its maximum cost, in microseconds: its test cases times the time limit.
    pub estimate_us: u64,
}

/// The durations of submissions in an earlier run, in microseconds of one core, by problem and
/// submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations(BTreeMap<String, BTreeMap<String, u64>>);

impl Durations {
    /// Reads an event stream.
    ///
    /// # Errors
    /// When it cannot be read, or contains no judged submission.
    pub fn read(path: &Path) -> Result<Self, ShardingError> {
        let mut durations = Self::default();
        let file = regular_file::open(path).map_err(ShardingError::reading(path))?;
        let mut lines = BoundedLines::new(BufReader::new(file), MAX_LINE_BYTES);
        while let Some(line) = lines.next_line().map_err(ShardingError::reading(path))? {
            let event = parse_known_line(&String::from_utf8_lossy(&line), lines.number());
            match event.map_err(|error| ShardingError::unreadable(path, error.to_string()))? {
                // Compiling a cached program costs nothing: the next run will find it in the cache
                // too.
                Some(Event::CompileFinished(compiled)) if !compiled.cached => {
                    let (problem, submission) = (&compiled.problem, &compiled.submission);
                    durations.add(problem, submission, compiled.cpu_time_us);
                }
                Some(Event::TestCaseFinished(finished)) => {
                    let (problem, submission) = (&finished.problem, &finished.submission);
                    durations.add(problem, submission, finished.wall_time_us);
                }
                _ => {}
            }
        }
        if durations.0.is_empty() {
            let why = "expected the events of an earlier run; found no judged submission";
            return Err(ShardingError::unreadable(path, why));
        }
        Ok(durations)
    }

    fn add(&mut self, problem: &str, submission: &str, microseconds: u64) {
        let submissions = self.0.entry(problem.to_owned()).or_default();
        *submissions.entry(submission.to_owned()).or_default() += microseconds;
    }

    /// The cost of each submission: its measured duration. New submissions cost the mean of their
    /// problem, and those of a new problem the mean of all. Without any durations, the costs are
    /// the estimates.
    #[must_use]
    pub fn costs(&self, plan: &[Work]) -> Vec<u64> {
        let mean = |costs: &mut dyn Iterator<Item = u64>| {
            let (sum, count) = costs.fold((0_u128, 0_u128), |(sum, count), cost| {
                (sum + u128::from(cost), count + 1)
            });
            sum.checked_div(count)
                .map(|mean| u64::try_from(mean).unwrap_or(u64::MAX))
        };
        let mean_of_all = mean(&mut self.0.values().flat_map(BTreeMap::values).copied());
        let problem_means: BTreeMap<&String, Option<u64>> = self
            .0
            .iter()
            .map(|(problem, costs)| (problem, mean(&mut costs.values().copied())))
            .collect();
        let cost = |work: &Work| {
            let measured = self
                .0
                .get(&work.problem)
                .and_then(|costs| costs.get(&work.submission))
                .copied();
            let problem_mean = || problem_means.get(&work.problem).copied().flatten();
            measured
                .or_else(problem_mean)
                .or(mean_of_all)
                .unwrap_or(work.estimate_us)
                .max(1)
        };
        plan.iter().map(cost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(problem: &str, submission: &str) -> Work {
        Work {
            problem: problem.into(),
            submission: submission.into(),
            estimate_us: 77,
        }
    }

    #[test]
    fn new_submissions_cost_the_mean() {
        let mut durations = Durations::default();
        for (problem, submission, cost) in [("p", "a", 10), ("p", "b", 30), ("q", "a", 80)] {
            durations.add(problem, submission, cost);
        }
        let plan = [
            work("p", "a"),
            work("p", "new"),
            work("new", "a"),
            work("q", "a"),
        ];
        assert_eq!(durations.costs(&plan), [10, 20, 40, 80]);
        assert_eq!(Durations::default().costs(&plan), [77; 4]);
    }

    #[test]
    fn durations_include_test_cases_and_uncached_compilations() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.jsonl");
        let compile = |cached| {
            format!(
                r#"{{"event":"compile_finished","problem":"p","submission":"a","success":true,"cached":{cached},"cpu_time_us":1000}}"#
            )
        };
        let test_case = r#"{"event":"test_case_finished","problem":"p","submission":"a","test_case":"secret/1","verdict":"AC","cpu_time_us":5,"wall_time_us":7,"memory_bytes":1,"stdout_bytes":1,"stderr_bytes":0,"termination":{"exited":{"code":0}}}"#;
        for (cached, cost) in [(false, 1014), (true, 14)] {
            std::fs::write(
                &path,
                format!("{}\n{test_case}\n{test_case}\n", compile(cached)),
            )
            .unwrap();
            assert_eq!(
                Durations::read(&path).unwrap().costs(&[work("p", "a")]),
                [cost]
            );
        }
        for text in ["", "{\"event\":\"new\"}\n", "x\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(Durations::read(&path).is_err(), "{text}");
        }
        assert!(Durations::read(dir.path()).is_err());
    }
}
