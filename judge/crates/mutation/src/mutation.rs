//! Mutation testing of one problem, from a solution to a document.
//!
//! Responsible for the order of its steps: mutants, programs that hold many of them, what the original reaches,
//! verdicts, the score. Must not know how any of them is done.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use judge_event::{Mutation, Progress};
use judge_exec::{Environment, ExecError, Refusal, Session, TimedProblem, Toolchain, Toolchains, regular_file};
use judge_model::{Submission, Verdict, micros};
use judge_stress::StressError;

use crate::equivalents::Equivalent;
use crate::equivalents::bytecode;
use crate::language::MutantLanguage;
use crate::memory::{self, Memory};
use crate::mutants::{MutantIndex, Unreadable, text_of};
use crate::results;
use crate::sample::draw;
use crate::trying::{Subject, carry_out};
use crate::workplace::Workplace;

/// The settings of mutation testing.
#[derive(Clone, Debug)]
pub struct Settings {
    /// True for a full run: a mutant is run on every test case, also after the first of a group that kills it.
    pub full: bool,
    /// True when each mutant is compiled and judged by itself, on every test case, instead of together with others.
    pub apart: bool,
    /// The most mutants to try; a sample when there are more.
    pub most: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
}

/// Why mutation testing could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MutationError {
    /// The host, the sandbox, or the reader of the progress.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// Sources of mutants could not be written.
    #[error("cannot write sources of mutants: {0}")]
    Workplace(io::Error),
    /// A file of the package or the cache.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The solution cannot be mutated.
    #[error("{solution}: {reason}")]
    Solution {
        /// The solution.
        solution: String,
        /// Why.
        reason: String,
    },
    /// The solution is no reference for its mutants.
    #[error("expected a solution that is accepted, found {verdict} on `{test_case}`")]
    NotAccepted {
        /// The test case.
        test_case: String,
        /// The verdict.
        verdict: Verdict,
    },
    /// The solution, or what judges its output, cannot be run.
    #[error("the solution cannot be run: {0}")]
    NotReady(Refusal),
    /// The package's own programs failed.
    #[error(
        "the output validator failed on the output of a mutant for `{test_case}`\nhint: it must reject every wrong output and never crash"
    )]
    JudgeError {
        /// The test case.
        test_case: String,
    },
    /// A hunt needs a compiler.
    #[error("expected a host with a compiler for the solution")]
    NoCompiler,
    /// The search for inputs that kill survivors.
    #[error(transparent)]
    Search(#[from] StressError),
    /// The compiler did not do what is expected of it.
    #[error("the mutant selector is missing from the compiled program")]
    NoMark,
}

/// Makes mutants of a solution, and tries the test cases of the problem on them. `None` when it was cancelled.
///
/// The time limit of the problem must be known. `equivalents` are arguments about mutants of this solution.
///
/// # Errors
/// Faults of the host, and a solution or package that cannot be used for this.
pub fn mutate(
    timed: &TimedProblem,
    solution: &Submission,
    equivalents: &[Equivalent],
    environment: &Environment,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Mutation>, MutationError> {
    let started = Instant::now();
    let of_solution = |reason: String| MutationError::Solution { solution: solution.id.clone(), reason };
    let language = solution.language.as_ref().and_then(MutantLanguage::of);
    let language =
        language.ok_or_else(|| of_solution("expected a solution in Rust, C++, C, Java or Python".to_owned()))?;
    let (path, source) = read(solution, language)?;
    let mutants =
        crate::mutants::mutants(&source, language).map_err(|error: Unreadable| of_solution(error.to_string()))?;
    let chosen = match settings.most {
        Some(most) if most < mutants.len() => draw(mutants.len(), most, settings.seed),
        _ => MutantIndex::first(mutants.len()).collect(),
    };
    let (toolchains, toolchain) = talkative(&environment.toolchains, solution)
        .ok_or_else(|| of_solution(format!("expected a host that can compile and run {}", language.name())))?;
    let file = |source| MutationError::File { path: path.clone(), source };
    let time_limit_us = micros(timed.time_limit);
    let (cache, version) = (&environment.cache_dir, environment.judge_version.as_str());
    // Who asks for mutants apart does not believe what is known of them together.
    let way = if settings.apart { "apart" } else { "together" };
    let remembered =
        memory::file_of(cache, &timed.problem, time_limit_us, &source, &toolchain, [version, way]).map_err(file)?;
    let keys =
        timed.problem.test_cases.iter().map(|case| {
            memory::key_of(case).map_err(|source| MutationError::File { path: case.input.clone(), source })
        });
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    let memory = Mutex::new(Memory::open(&remembered));
    let workplace = Workplace::new(mutants.len(), language, file_name(solution)).map_err(MutationError::Workplace)?;
    let environment = Environment { toolchains, ..environment.clone() };
    let session = Session::open(workplace.problems(timed, solution), &environment, false)?.with_precompiled_headers();
    let subject = Subject {
        session: &session,
        workplace: &workplace,
        memory: &memory,
        timed,
        environment: &environment,
        source: &source,
        mutants: &mutants,
        equivalents,
        chosen: &chosen,
        keys: &keys,
        settings,
    };
    let done = carry_out(&subject, progress);
    // Also when it ended early: nothing need be run twice.
    let saved = memory.lock().unwrap_or_else(PoisonError::into_inner).save(&remembered);
    saved.map_err(|source| MutationError::File { path: remembered.clone(), source })?;
    let Some(done) = done? else { return Ok(None) };
    Ok(Some(results::document(&subject, solution, &done, started.elapsed())))
}

/// The maximum size of a source. The mutants of a larger one would need many times that of memory.
const MAX_SOURCE_BYTES: u64 = 1 << 20;

/// The name of the one file of a solution.
pub(crate) fn file_name(solution: &Submission) -> String {
    let name = solution.sources.first().and_then(|source| source.file_name());
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// The path and the text of the one file of a solution.
fn read(solution: &Submission, language: MutantLanguage) -> Result<(PathBuf, String), MutationError> {
    let of_solution = |reason: String| MutationError::Solution { solution: solution.id.clone(), reason };
    let path = match &solution.sources[..] {
        [only] if solution.path.is_dir() => solution.path.join(only),
        [_] => solution.path.clone(),
        several => return Err(of_solution(format!("expected a solution of one file, found {}", several.len()))),
    };
    if fs::metadata(&path).is_ok_and(|there| there.len() > MAX_SOURCE_BYTES) {
        return Err(of_solution(format!("expected a source of at most {} MiB", MAX_SOURCE_BYTES >> 20)));
    }
    let bytes = regular_file::read(&path, MAX_SOURCE_BYTES)
        .map_err(|source| MutationError::File { path: path.clone(), source })?;
    let source = text_of(bytes, language).map_err(|line| {
        of_solution(format!("expected a source in UTF-8 but for its comments, found something else in line {line}"))
    })?;
    // A combined program has text before the byte order mark, which is only allowed at the beginning.
    let source = source.strip_prefix('\u{feff}').map_or_else(|| source.clone(), str::to_owned);
    Ok((path, source))
}

/// The toolchains that mutants are compiled with: a mistake that the compiler would warn of is no reason to refuse it.
/// `None` when there is no compiler for this solution among these.
pub(crate) fn toolchains_of_mutants(found: &Toolchains, solution: &Submission) -> Option<Toolchains> {
    talkative(found, solution).map(|(toolchains, _)| toolchains)
}

/// The toolchains with a compiler that talks to programs, and that one.
fn talkative(found: &Toolchains, solution: &Submission) -> Option<(Toolchains, Toolchain)> {
    let id = solution.language.as_ref()?;
    let language = MutantLanguage::of(id)?;
    let mut toolchains: Vec<Toolchain> = found.iter().filter_map(|(_, toolchain)| toolchain.ok().cloned()).collect();
    let toolchain = toolchains.iter_mut().find(|toolchain| toolchain.language.id == *id)?;
    toolchain.language.compile.extend(language.arguments().iter().map(|argument| (*argument).to_owned()));
    let toolchain = toolchain.clone();
    toolchains.extend((language == MutantLanguage::Python).then(|| bytecode::toolchain(&toolchain)));
    Some((Toolchains::known(toolchains), toolchain))
}
