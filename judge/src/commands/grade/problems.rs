//! The problems of requests: packages, and problems that are in the requests themselves.
//!
//! Responsible for loading each of them once for all requests, and for a bound on those that are
//! kept. Must not know what judges a program.

use std::collections::VecDeque;
use std::fs;
use std::hash::RandomState;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use judge_event::{
    ErrorKind, GradeError, InlineProblem, OutputComparison, RequestedLimits, RequestedProblem,
};
use judge_files::LockedDirectory;
use judge_model::{OutputValidator, OutputValidatorArgs, Problem, TestCase};
use judge_package::load;
use judge_runner::TimeLimitSource;

use super::duplicates::hashes;
use super::intake::locked;
use super::no_verdict::{self, NoVerdict};
use super::programs::{checker, private_directory, unwritable};
use crate::commands::judging::submit::package_named;
use crate::commands::loose::{DEFAULT_TIME_LIMIT, problem_of};
use crate::config::Config;
use crate::failure::Failure;

/// The maximum number of problems that are kept.
const MAX_PROBLEMS: usize = 256;
/// A mebibyte, in bytes.
const MIB: u64 = 1 << 20;
/// The largest limit on memory or output that a request may have, in MiB.
const MAX_MIB: u64 = 1 << 20;

/// A problem that is loaded.
pub(super) struct KnownProblem {
    /// The problem without submissions.
    pub(super) problem: Problem,
    /// The whole problem, for the inference of a time limit.
    pub(super) whole: Arc<Problem>,
    /// The time limit of a problem that is not a package.
    pub(super) time_limit: Option<Duration>,
    /// The inferred time limit, once it is known. Locked while it is inferred, so that only one lane
    /// does it.
    pub(super) inferred: Mutex<Option<(Duration, TimeLimitSource)>>,
    /// The directory of test cases that came in a request.
    directory: Option<LockedDirectory>,
}

impl KnownProblem {
    /// True for a package, whose results are cached for later commands.
    pub(super) fn is_package(&self) -> bool {
        self.directory.is_none()
    }
}

type Loading = Arc<OnceLock<Result<Arc<KnownProblem>, GradeError>>>;

/// The identity of a problem: two hashes of its name or content.
pub(super) type ProblemKey = [u64; 2];

/// The most recently used problems of requests.
#[derive(Default)]
pub(super) struct Problems {
    hashers: [RandomState; 2],
    /// The most recently used one is at the end.
    known: Mutex<VecDeque<(ProblemKey, Loading)>>,
}

impl Problems {
    /// The problem of a request, loaded by the first one that asks for it.
    pub(super) fn get(
        &self,
        config: &Config,
        problem: &RequestedProblem,
    ) -> Result<Arc<KnownProblem>, NoVerdict> {
        let loading = self.loading(self.key(problem));
        // This runs without the lock on all problems. Other lanes that need the same problem wait
        // for it.
        let mut host = None;
        let loaded = loading.get_or_init(|| match load_problem(config, problem) {
            Ok(known) => Ok(Arc::new(known)),
            Err(NoVerdict::Error(error)) => Err(error),
            Err(NoVerdict::Host(failure)) => {
                let message = failure.to_string();
                host = Some(failure);
                Err(no_verdict::error(ErrorKind::Host, message))
            }
        });
        match (host, loaded) {
            (Some(failure), _) => Err(NoVerdict::Host(failure)),
            (None, Ok(known)) => Ok(Arc::clone(known)),
            (None, Err(error)) => Err(NoVerdict::Error(error.clone())),
        }
    }

    /// The key of a problem.
    pub(super) fn key(&self, problem: &RequestedProblem) -> ProblemKey {
        hashes(&self.hashers, problem)
    }

    fn loading(&self, key: ProblemKey) -> Loading {
        let mut known = locked(&self.known);
        let found = known
            .iter()
            .rposition(|(known, _)| *known == key)
            .and_then(|index| known.remove(index));
        let (_, loading) = found.unwrap_or_default();
        known.push_back((key, Arc::clone(&loading)));
        // The least recently used problem is dropped. A lane that still judges it has its own
        // reference.
        let surplus = if known.len() > MAX_PROBLEMS {
            known.pop_front()
        } else {
            None
        };
        drop(known);
        // Its directory is removed after the last request that uses it.
        drop(surplus);
        loading
    }
}

fn load_problem(config: &Config, problem: &RequestedProblem) -> Result<KnownProblem, NoVerdict> {
    match problem {
        RequestedProblem::Named(name) => load_package(config, name),
        RequestedProblem::Inline(problem) => make_problem(config, problem),
    }
}

fn load_package(config: &Config, name: &str) -> Result<KnownProblem, NoVerdict> {
    let package = package_named(config, name).map_err(|failure| match failure {
        Failure::Host(_) => NoVerdict::Host(failure),
        _ => NoVerdict::of_request(failure.to_string()),
    })?;
    let loaded = load(&package, &config.workspace).map_err(|errors| {
        NoVerdict::of_package(Failure::package(&errors, &config.workspace.root).to_string())
    })?;
    let mut problem = loaded.problem;
    let whole = Arc::new(problem.clone());
    // No request needs the submissions of the package, and every request copies the problem.
    problem.submissions.clear();
    Ok(KnownProblem {
        problem,
        whole,
        time_limit: None,
        inferred: Mutex::default(),
        directory: None,
    })
}

/// Makes a problem from the test cases of a request.
fn make_problem(config: &Config, inline: &InlineProblem) -> Result<KnownProblem, NoVerdict> {
    if inline.tests.is_empty() {
        return Err(NoVerdict::of_request(
            "`tests` is empty; expected at least one test case".to_owned(),
        ));
    }
    let args = OutputValidatorArgs {
        all: arguments(inline.comparison)?,
        ..OutputValidatorArgs::default()
    };
    if inline.checker.is_some() && inline.comparison != OutputComparison::default() {
        let text = "`comparison` has no effect together with `checker`; expected one of them";
        return Err(NoVerdict::of_request(text.to_owned()));
    }
    let directory = private_directory()?;
    let root = directory.path().canonicalize().map_err(unwritable)?;
    let mut problem = problem_of("inline", root.clone(), Vec::new());
    for (number, test) in (1..).zip(&inline.tests) {
        let file = |extension: &str| root.join(format!("{number}.{extension}"));
        let (input, answer) = (file("in"), file("ans"));
        let written =
            fs::write(&input, &test.input.0).and_then(|()| fs::write(&answer, &test.output.0));
        written.map_err(unwritable)?;
        problem.test_cases.push(TestCase {
            id: number.to_string(),
            input,
            answer,
            output_validator_args: args.clone(),
            ..TestCase::default()
        });
    }
    if let Some(source) = &inline.checker {
        problem.output_validator =
            OutputValidator::Custom(vec![checker_at(config, source, &root)?]);
    }
    let time_limit = apply_limits(&inline.limits, &mut problem)?;
    Ok(KnownProblem {
        whole: Arc::new(problem.clone()),
        problem,
        time_limit: Some(time_limit.unwrap_or(DEFAULT_TIME_LIMIT)),
        inferred: Mutex::default(),
        directory: Some(directory),
    })
}

fn checker_at(
    config: &Config,
    source: &judge_event::ProgramSource,
    root: &Path,
) -> Result<judge_model::Program, NoVerdict> {
    checker(config, source, &root.join("checker")).map_err(|failure| match failure {
        NoVerdict::Error(error) => format!("`checker`: {}", error.message).into(),
        host @ NoVerdict::Host(_) => host,
    })
}

/// The arguments of the default output validator (2025-09, "Default Output Validator").
fn arguments(comparison: OutputComparison) -> Result<Vec<String>, NoVerdict> {
    let OutputComparison {
        case_sensitive,
        space_change_sensitive,
        float_tolerance,
        float_absolute_tolerance,
        float_relative_tolerance,
    } = comparison;
    if float_tolerance.is_some()
        && (float_absolute_tolerance.is_some() || float_relative_tolerance.is_some())
    {
        let text = "`float_tolerance` is both an absolute and a relative tolerance; expected no other \
                    tolerance beside it";
        return Err(NoVerdict::of_request(text.to_owned()));
    }
    let mut arguments = Vec::new();
    for (name, is_set) in [
        ("case_sensitive", case_sensitive),
        ("space_change_sensitive", space_change_sensitive),
    ] {
        arguments.extend(is_set.then(|| name.to_owned()));
    }
    let tolerances = [
        ("float_tolerance", float_tolerance),
        ("float_absolute_tolerance", float_absolute_tolerance),
        ("float_relative_tolerance", float_relative_tolerance),
    ];
    for (name, tolerance) in tolerances {
        let Some(tolerance) = tolerance else { continue };
        // The comparison also refuses NaN, which is in no range.
        if !(0.0..=1e300).contains(&tolerance) {
            return Err(NoVerdict::of_request(format!(
                "`{name}` is {tolerance:?}; expected a number from 0 to 1e300"
            )));
        }
        arguments.extend([name.to_owned(), tolerance.to_string()]);
    }
    Ok(arguments)
}

/// Replaces the limits of a problem by those of a request. The time limit is returned instead.
pub(super) fn apply_limits(
    requested: &RequestedLimits,
    problem: &mut Problem,
) -> Result<Option<Duration>, String> {
    let RequestedLimits {
        time_limit,
        memory,
        output,
    } = *requested;
    let bytes = |name: &str, limit: u64| match limit {
        1..=MAX_MIB => Ok(limit * MIB),
        _ => Err(format!(
            "`{name}` is {limit}; expected MiB from 1 to {MAX_MIB}"
        )),
    };
    if let Some(memory) = memory {
        problem.limits.memory_bytes = bytes("memory", memory)?;
    }
    if let Some(output) = output {
        problem.limits.output_bytes = bytes("output", output)?;
    }
    match time_limit {
        // As for `--time-limit`, the minimum is one microsecond, its unit.
        Some(seconds) if (1e-6..=86_400.0).contains(&seconds) => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        Some(seconds) => Err(format!(
            "`time_limit` is {seconds:?}; expected seconds from 0.000001 to 86400, such as 2 or 0.5"
        )),
        None => Ok(None),
    }
}
