//! Sessions: the tools, stores and slots for all work on the submissions of some problems.
//!
//! Responsible for the problems, and for the tools, stores and sandbox with which programs are
//! built and run. Its modules are responsible for slots and for work in them outside of a run:
//! measuring, ad-hoc inputs, and requests to the package's programs. Must not know the order of
//! work or its consequences.
//!
//! The life of a session: a command opens one, once toolchains and sandbox exist and meet the
//! demand of `isolation.require`. That opens the program cache, which creates a staging directory
//! with its own lock and removes those of dead processes. No slot is opened yet. Then each thread
//! takes a [`Worker`](crate::Worker) for as long as it has work. A session outlives its workers,
//! which borrow it. They share it and never change it: they only add to the stores. Its cancel
//! token ends every run of every worker immediately; such runs are reported as `Cancelled`, without
//! a verdict. At its end, the cache is trimmed if anything was added, and the staging directory is
//! removed.

pub(crate) mod adhoc;
pub(crate) mod environment;
pub(crate) mod generator;
pub(crate) mod patched_program;
pub(crate) mod pictures;
pub(crate) mod questions;
pub(crate) mod samples;
pub(crate) mod submissions;
pub(crate) mod testing_tool;
pub(crate) mod turns;
pub(crate) mod warm_submission;
pub(crate) mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_model::{Problem, ProblemIndex, Submission, SubmissionPlace, TestCaseIndex};
use judge_sandbox::{CancelToken, Mount, Sandbox};

use crate::ExecError;
use crate::build::library::headers::{PlannedPrograms, PrecompiledHeaders};
use crate::build::prepare::Tools;
use crate::build::program::Runnable;
use crate::build::toolchain::Toolchains;
use crate::interpreters::Interpreters;
use crate::session::environment::{Environment, SharedStores};
use crate::store::key::{CaseKey, JudgedProblem};
use crate::store::programs::ProgramCache;
use crate::store::rejected;
use crate::store::results::Results;
use crate::testcase::files::TestFiles;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::{OutputCheck, TestRun};

/// A problem whose time limit is known.
#[derive(Clone, Debug)]
pub struct TimedProblem {
    /// Its name in reports.
    pub name: String,
    /// The problem, with the selected test cases and submissions only.
    pub problem: Arc<Problem>,
    /// The time limit in force.
    pub time_limit: Duration,
}

/// The time limit of a test run, and the point beyond it at which the program is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimit {
    /// The time limit in force.
    pub time_limit: Duration,
    /// The multiple of it at which the program is killed, at least 1.
    pub kill_at: f64,
}

/// Problems, and the tools, stores and sandbox for all work on them. Any number of threads share
/// it, each with its own [`Worker`](crate::Worker).
pub struct Session {
    problems: Vec<TimedProblem>,
    /// Directories of packages, without links, for work on their data only.
    data_of: Vec<PathBuf>,
    tools: Tools,
    mounts: Vec<Mount>,
    cache_dir: PathBuf,
    cache: Arc<ProgramCache>,
    test_files: TestFiles,
    sandbox: Arc<dyn Sandbox>,
    /// True when equal outputs are to be recognized.
    output_hashes: bool,
    headers: Arc<PrecompiledHeaders>,
    /// The submissions that may be compiled.
    planned: PlannedPrograms,
    /// The interpreters in whose copies submissions may be judged.
    interpreters: Option<Arc<Interpreters>>,
    cancel: CancelToken,
}

impl Session {
    /// Opens a session for work on these problems. The toolchains must be those that their
    /// languages need; with `output_hashes`, results have the hashes of outputs.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn open(
        problems: Vec<TimedProblem>,
        environment: &Environment,
        output_hashes: bool,
    ) -> Result<Self, ExecError> {
        let Environment {
            toolchains,
            sandbox,
            cache_dir,
            cancel,
            stores,
            ..
        } = environment;
        let stores = stores
            .clone()
            .map_or_else(|| SharedStores::open(cache_dir), Ok)?;
        let session = Self::with_stores(
            toolchains,
            Arc::clone(sandbox),
            cache_dir,
            stores,
            cancel.clone(),
        );
        let planned = problems.iter().flat_map(|timed| &timed.problem.submissions);
        Ok(Self {
            planned: PlannedPrograms::new(planned),
            problems,
            output_hashes,
            ..session
        })
    }

    /// Opens a session for requests about the data of these packages (directories). The toolchains
    /// must be those that their languages need; `cancel` ends all work early.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn for_packages(
        toolchains: &Toolchains,
        sandbox: Arc<dyn Sandbox>,
        cache_dir: &Path,
        packages: &[PathBuf],
        cancel: CancelToken,
    ) -> Result<Self, ExecError> {
        let session = Self::with_stores(
            toolchains,
            sandbox,
            cache_dir,
            SharedStores::open(cache_dir)?,
            cancel,
        );
        // Files that are bound into a slot are named by their real paths, so their directories must
        // be, too.
        Ok(Self {
            data_of: packages
                .iter()
                .map(|directory| without_links(directory))
                .collect(),
            ..session
        })
    }

    fn with_stores(
        toolchains: &Toolchains,
        sandbox: Arc<dyn Sandbox>,
        cache_dir: &Path,
        stores: SharedStores,
        cancel: CancelToken,
    ) -> Self {
        Self {
            problems: Vec::new(),
            data_of: Vec::new(),
            tools: Tools::new(toolchains),
            mounts: toolchains.mounts(),
            cache_dir: cache_dir.to_owned(),
            cache: stores.cache,
            test_files: TestFiles::default(),
            sandbox,
            output_hashes: false,
            headers: stores.headers,
            planned: PlannedPrograms::default(),
            interpreters: stores.interpreters,
            cancel,
        }
    }

    /// Prepares the session for many programs in C or C++ with the same includes, whose compiler
    /// messages are not shown: their standard headers are precompiled for the first one already.
    #[must_use]
    pub fn with_many_programs(mut self) -> Self {
        self.headers = Arc::new(PrecompiledHeaders::for_many_programs());
        self
    }

    /// Sets whether submissions in Python may be judged in copies of the interpreters of its stores
    /// ([`Worker::judge_warm`](crate::Worker::judge_warm)).
    #[must_use]
    pub fn with_warm_submissions(self, is_allowed: bool) -> Self {
        Self {
            interpreters: self.interpreters.filter(|_| is_allowed),
            ..self
        }
    }

    /// Stores a rejected input of a package, so that its author can examine it, and returns the
    /// file; `None` for an input that is too large.
    ///
    /// # Errors
    /// When the input cannot be read, or the file cannot be written.
    pub fn keep_rejected(
        &self,
        package: &Path,
        name: &str,
        input: &Path,
    ) -> Result<Option<PathBuf>, ExecError> {
        rejected::keep(&self.cache_dir, package, name, input)
    }

    /// True when everything is to end early.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The token that ends everything early.
    #[must_use]
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// The number of programs of the cache that were found damaged and made again.
    #[must_use]
    pub fn programs_remade(&self) -> u64 {
        self.cache.damaged()
    }

    /// Adds a problem to the store of results. Its output check is a part of what its results
    /// depend on.
    ///
    /// # Errors
    /// When a file of the package or the cache cannot be read.
    pub fn register_problem(
        &self,
        results: &Results,
        index: ProblemIndex,
        output_check: &OutputCheck,
    ) -> Result<(), ExecError> {
        let problem = self.problem(index);
        // The index of hashes is loaded and saved once for each problem. Most files did not
        // change, so none of them is read again.
        let mut hashes = results.hashes_of(&problem.directory);
        let files = (&self.test_files, self.cache.as_ref());
        let surroundings = &results.surroundings;
        let keys = JudgedProblem::new(surroundings, problem, output_check, &mut hashes, files)?;
        results.keep_hashes(&problem.directory, &hashes);
        results.add_problem(index, keys);
        Ok(())
    }

    /// The cached results of a submission: the index of each test case, with its result. `kill_at`
    /// gives the multiple of the time limit at which a run is killed, by the test case's id.
    ///
    /// # Errors
    /// When a command of the submission's language cannot be made.
    pub fn cached_results(
        &self,
        results: &Results,
        place: SubmissionPlace,
        program: &Arc<Runnable>,
        time_limit: Duration,
        kill_at: impl Fn(&str) -> f64,
    ) -> Result<Vec<(TestCaseIndex, TestResult)>, ExecError> {
        let problem = self.problem(place.problem);
        // Submitted answers are not run, and comparing them again costs less than computing keys.
        if problem.submit_answer {
            return Ok(Vec::new());
        }
        let keys = results.with_problem(place.problem, |keys| {
            // One record for each submission, with one key for each test case: the common part of
            // the keys is hashed once.
            let record =
                keys.submission(program, problem.limits.memory_bytes, time_limit.as_nanos())?;
            let tests = TestCaseIndex::enumerate(&problem.test_cases);
            let cases = tests.map(|(index, test)| keys.case(index, kill_at(&test.id)));
            Ok::<_, ExecError>((record, cases.collect::<Vec<Option<CaseKey>>>()))
        });
        let Some(keys) = keys else {
            return Ok(Vec::new());
        };
        let (record, cases) = keys?;
        Ok(results.look_up(place, &record, &cases))
    }

    /// Adds a lasting result to the store.
    pub fn cache_result(
        &self,
        results: &Results,
        place: SubmissionPlace,
        run: &TestRun,
        result: &TestResult,
    ) {
        // The key describes the files as they were when the problem was registered. An author may
        // have saved one of them since, and then it is unknown which version the program has read.
        let key = results.with_problem(place.problem, |keys| {
            keys.case(run.test_case, run.kill_at)
                .filter(|_| keys.still_holds(run.test_case))
        });
        let Some(key) = key.flatten() else {
            let test_case = &run.problem.test_cases[run.test_case].id;
            tracing::debug!(target: "cache", test_case, "result not cached: its files have changed");
            return;
        };
        results.add(place, &key, result);
    }

    /// The problem with this index.
    pub(crate) fn problem(&self, problem: ProblemIndex) -> &Arc<Problem> {
        &self.problems[problem.0].problem
    }

    /// The submission at a place.
    #[must_use]
    pub fn submission(&self, place: SubmissionPlace) -> &Submission {
        &self.problem(place.problem).submissions[place.submission]
    }

    /// The directories of the packages, without links.
    fn packages(&self) -> impl Iterator<Item = PathBuf> {
        let of_problems = self
            .problems
            .iter()
            .map(|timed| without_links(&timed.problem.directory));
        of_problems.chain(self.data_of.iter().cloned())
    }
}

fn without_links(directory: &Path) -> PathBuf {
    directory
        .canonicalize()
        .unwrap_or_else(|_| directory.to_owned())
}
