//! Mutation testing of one problem, from a solution to a document.
//!
//! Responsible for the order of its steps: mutants, programs that hold many of them, what the original reaches, verdicts,
//! the score. Must not know how any of them is done.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use judge_event::Progress;
use judge_model::{LanguageId, Submission, Verdict};
use judge_mutants::{Mutant, NotRust, Purpose};
use judge_runner::{Course, PlannedProblem, RunSettings, RunnerError, Toolchain, Toolchains};
use judge_sandbox::{CancelToken, Sandbox};

use crate::building::build;
use crate::document::{Kill, Method, MutantResult, Mutation, SCHEMA_VERSION, Score, Status, group_of};
use crate::equivalents::Equivalent;
use crate::judging::{Court, Judge, Trial, could_matter, everywhere, kills};
use crate::memory::{self, Memory, Original};
use crate::order::Order;
use crate::sample::draw;
use crate::workplace::Workplace;

/// Solutions in this language are mutated.
pub const RUST: &str = "rust";

/// What the compiler is told besides: mistakes that it would only warn of are what this is about, and what it complains
/// about is read by a program.
const ARGUMENTS: [&str; 3] = ["--error-format=json", "--json=diagnostic-short", "--cap-lints=allow"];

/// How mutation testing is carried out.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How programs are run.
    pub run: RunSettings,
    /// Whether a mutant is run on every test case, also after the first of a group that kills it.
    pub full: bool,
    /// The most mutants to try; a sample when there are more.
    pub most: Option<usize>,
    /// What the sample is drawn with.
    pub seed: u64,
}

/// With what it is carried out.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Those that Rust and the languages of the package's programs need.
    pub toolchains: &'a Toolchains,
    /// Where programs run.
    pub sandbox: &'a Arc<dyn Sandbox>,
    /// Ends it early.
    pub cancel: &'a CancelToken,
}

/// Why mutation testing could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MutationError {
    /// The host, the sandbox, or the reader of the progress.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// Sources of mutants could not be written.
    #[error("cannot write sources of mutants: {0}")]
    Workplace(io::Error),
    /// A file of the package or the cache.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
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
    NotReady(String),
    /// The package's own programs failed.
    #[error(
        "the output validator failed on the output of a mutant for `{test_case}`\nhint: it must reject whatever is not right, and not crash"
    )]
    JudgeError {
        /// The test case.
        test_case: String,
    },
    /// The compiler did not do what is expected of it.
    #[error("the mark of the program that holds many mutants is not in what the compiler made of it")]
    NoMark,
}

/// Makes mutants of a solution, and tries the test cases of the problem on them. `None` when it was cancelled.
///
/// The time limit of the problem must be known. `equivalents` are arguments about mutants of this solution.
///
/// # Errors
/// Faults of the host, and a solution or package that cannot be used for this.
pub fn mutate(
    planned: &PlannedProblem,
    solution: &Submission,
    equivalents: &[Equivalent],
    means: Means<'_>,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Mutation>, MutationError> {
    let started = Instant::now();
    let (path, source) = read(solution)?;
    let of_solution = |reason: String| MutationError::Solution { solution: solution.id.clone(), reason };
    let mutants = judge_mutants::mutants(&source).map_err(|error: NotRust| of_solution(error.to_string()))?;
    let chosen = match settings.most {
        Some(most) if most < mutants.len() => draw(mutants.len(), most, settings.seed),
        _ => (0..mutants.len()).collect(),
    };
    let rust = LanguageId(RUST.to_owned());
    let (toolchains, toolchain) = talkative(means.toolchains, &rust)
        .ok_or_else(|| of_solution("expected a solution in Rust, on a host with its compiler".to_owned()))?;
    let file = |source| MutationError::File { path: path.clone(), source };
    let time_limit_us = micros(planned.time_limit);
    let (cache, version) = (&settings.run.cache_dir, &settings.run.judge_version);
    let remembered =
        memory::file_of(cache, &planned.problem, time_limit_us, &source, &toolchain, version).map_err(file)?;
    let keys =
        planned.problem.test_cases.iter().map(|case| {
            memory::key_of(case).map_err(|source| MutationError::File { path: case.input.clone(), source })
        });
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    let memory = Mutex::new(Memory::open(&remembered));
    let workplace = Workplace::new(mutants.len()).map_err(MutationError::Workplace)?;
    let plan = workplace.plan(planned, solution, &rust);
    let course = Course::open(plan, &toolchains, means.sandbox, &settings.run, means.cancel.clone())?;
    let subject = Subject { planned, source: &source, mutants: &mutants, chosen: &chosen, keys: &keys };
    let done = subject.carry_out(&course, &workplace, &memory, (means, settings), progress);
    // Also when it ended early: nothing need be run twice.
    let memory = memory.into_inner().unwrap_or_else(PoisonError::into_inner);
    memory.save(&remembered).map_err(|source| MutationError::File { path: remembered.clone(), source })?;
    let Some(done) = done? else { return Ok(None) };
    Ok(Some(subject.document(solution, equivalents, &done, settings, started.elapsed())))
}

/// The one file of a solution.
fn read(solution: &Submission) -> Result<(PathBuf, String), MutationError> {
    let path = match &solution.sources[..] {
        [only] if solution.path.is_dir() => solution.path.join(only),
        [_] => solution.path.clone(),
        several => {
            let reason = format!("expected a solution of one file, found {}", several.len());
            return Err(MutationError::Solution { solution: solution.id.clone(), reason });
        }
    };
    let source = fs::read_to_string(&path).map_err(|source| MutationError::File { path: path.clone(), source })?;
    Ok((path, source))
}

/// The toolchains with a Rust compiler that talks to programs, and that one.
fn talkative(found: &Toolchains, rust: &LanguageId) -> Option<(Toolchains, Toolchain)> {
    let mut toolchains: Vec<Toolchain> = found.iter().filter_map(|(_, toolchain)| toolchain.ok().cloned()).collect();
    let toolchain = toolchains.iter_mut().find(|toolchain| toolchain.language.id == *rust)?;
    toolchain.language.compile.extend(ARGUMENTS.map(str::to_owned));
    let toolchain = toolchain.clone();
    Some((Toolchains::known(toolchains), toolchain))
}

struct Subject<'a> {
    planned: &'a PlannedProblem,
    source: &'a str,
    mutants: &'a [Mutant],
    /// Those to be tried.
    chosen: &'a BTreeSet<usize>,
    /// Of the test cases.
    keys: &'a [String],
}

/// What came of it.
struct Done {
    /// By mutant, those that were tried.
    trials: Vec<(usize, Trial)>,
    /// For each mutant, the test cases on which it could have made a difference.
    reached: Vec<Option<Vec<usize>>>,
    method: Method,
}

impl Subject<'_> {
    fn carry_out(
        &self,
        course: &Course,
        workplace: &Workplace,
        memory: &Mutex<Memory>,
        (means, settings): (Means<'_>, &Settings),
        progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
    ) -> Result<Option<Done>, MutationError> {
        let problem = &*self.planned.problem;
        let tell = |progress: &mut dyn FnMut(&Progress) -> io::Result<()>, done: usize, total: usize, what: &str| {
            let told = Progress {
                done: done as u64,
                total: total as u64,
                running: vec![what.to_owned()],
                ..Progress::default()
            };
            progress(&told).map_err(|error| MutationError::Runner(RunnerError::Observer(error)))
        };
        tell(progress, 0, self.chosen.len(), "compiling mutants together")?;
        let compiling = Instant::now();
        let mut track = course.track(None);
        let mut program = |purpose, left_out: &mut BTreeSet<String>| {
            let mut apart: BTreeSet<usize> = self.indices(left_out);
            let built = build(&mut track, workplace, (self.source, self.mutants), purpose, &mut apart)?;
            left_out.extend(apart.iter().map(|index| self.mutants[*index].id.clone()));
            let holds = |index: usize| built.is_some() && self.mutants[index].seat.is_some() && !apart.contains(&index);
            let holds: Vec<bool> = (0..self.mutants.len()).map(holds).collect();
            Ok::<_, MutationError>((built, holds))
        };
        let (mut not_together, mut not_recorded) = {
            let memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            (memory.not_together.clone(), memory.not_recorded.clone())
        };
        let (together, is_together) = program(Purpose::Choosing, &mut not_together)?;
        let (recording, is_recorded) = program(Purpose::Recording, &mut not_recorded)?;
        if means.cancel.is_cancelled() {
            return Ok(None);
        }
        {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            (memory.not_together, memory.not_recorded) = (not_together, not_recorded);
        }
        let compiling = compiling.elapsed();
        let sizes = problem.test_cases.iter().map(|case| fs::metadata(&case.input).map_or(0, |found| found.len()));
        let order = Order::new(sizes.collect());
        let court = Court {
            course,
            workplace,
            problem,
            time_limit: self.planned.time_limit,
            source: self.source,
            mutants: self.mutants,
            together: together.as_ref(),
            is_together: &is_together,
            recording: recording.as_ref(),
            is_recorded: &is_recorded,
            keys: self.keys,
            memory,
            order: &order,
            full: settings.full,
        };
        let cores: Vec<Option<usize>> =
            (0..settings.run.jobs.max(1)).map(|job| settings.run.cores.get(job).copied()).collect();
        let begin = |core| Judge::new(&court, core);
        let count = problem.test_cases.len();
        let mut originals: Vec<Option<Original>> = vec![None; count];
        let heard = everywhere(&cores, count, begin, Judge::original, |index, original| {
            originals[index] = Some(original);
            tell(progress, 0, self.chosen.len(), "running the original")
        })?;
        let (Some(()), Some(originals)) = (heard, originals.into_iter().collect::<Option<Vec<Original>>>()) else {
            return Ok(None);
        };
        let groups = groups(problem.test_cases.iter().map(|case| case.id.as_str()));
        let groups: Vec<Vec<usize>> = groups.into_iter().map(|(_, cases)| cases).collect();
        let chosen: Vec<usize> = self.chosen.iter().copied().collect();
        let mut trials = Vec::new();
        let work = |judge: &mut Judge<'_>, index: usize| judge.try_mutant(chosen[index], &groups, &originals);
        let heard = everywhere(&cores, chosen.len(), begin, work, |index, trial| {
            trials.push((chosen[index], trial));
            tell(progress, trials.len(), chosen.len(), &self.mutants[chosen[index]].operator.to_string())
        })?;
        if heard.is_none() {
            return Ok(None);
        }
        trials.sort_by_key(|(index, _)| *index);
        let reached = |mutant: usize| {
            let is_known = is_recorded[mutant] && originals.iter().all(|original| original.seen.is_some());
            let cases = || (0..count).filter(|case| could_matter(&court, mutant, &originals[*case])).collect();
            is_known.then(|| order.smallest_first(cases()))
        };
        let tried = |held: bool| chosen.iter().filter(|index| is_together[**index] == held).count() as u64;
        let sum = |of: fn(&Trial) -> u64| trials.iter().map(|(_, trial)| of(trial)).sum();
        let method = Method {
            full: settings.full,
            possible: self.mutants.len() as u64,
            seed: (chosen.len() < self.mutants.len()).then_some(settings.seed),
            together: tried(true),
            apart: tried(false),
            runs: sum(|trial| trial.runs),
            known: sum(|trial| trial.known),
            left_out: sum(|trial| trial.left_out),
            compiling_us: micros(compiling),
            elapsed_us: 0,
        };
        Ok(Some(Done { reached: (0..self.mutants.len()).map(reached).collect(), trials, method }))
    }

    /// The mutants with these names.
    fn indices(&self, names: &BTreeSet<String>) -> BTreeSet<usize> {
        (0..self.mutants.len()).filter(|index| names.contains(&self.mutants[*index].id)).collect()
    }

    fn document(
        &self,
        solution: &Submission,
        equivalents: &[Equivalent],
        done: &Done,
        settings: &Settings,
        elapsed: Duration,
    ) -> Mutation {
        let cases = &self.planned.problem.test_cases;
        let names = |indices: &[usize]| indices.iter().map(|case| cases[*case].id.clone()).collect::<Vec<_>>();
        let result = |(index, trial): &(usize, Trial)| {
            let mutant = &self.mutants[*index];
            let mut dead: Vec<(usize, Verdict)> =
                trial.verdicts.iter().copied().filter(|(_, verdict)| kills(*verdict)).collect();
            dead.sort_unstable();
            let argued = equivalents.iter().find(|argued| argued.mutant == mutant.id);
            let refused = trial.refused || trial.verdicts.iter().any(|(_, verdict)| *verdict == Verdict::CompileError);
            let status = match (refused, dead.is_empty(), argued) {
                (true, ..) => Status::DoesNotCompile,
                (_, false, _) => Status::Killed,
                (_, true, Some(_)) => Status::Equivalent,
                (_, true, None) => Status::Survived,
            };
            let first = &mutant.edits[0];
            MutantResult {
                id: mutant.id.clone(),
                operator: mutant.operator.name().to_owned(),
                function: mutant.function.clone(),
                line: mutant.line as u64,
                was: mutant.was.clone(),
                becomes: first.text.clone(),
                status,
                kills: dead
                    .iter()
                    .map(|(case, verdict)| Kill { test_case: cases[*case].id.clone(), verdict: *verdict })
                    .collect(),
                reached: done.reached[*index].as_deref().map(names),
                reason: argued.filter(|_| status == Status::Equivalent).map(|argued| argued.reason.clone()),
                source: (status == Status::Survived).then(|| mutant.apply(self.source)),
            }
        };
        let mutants: Vec<MutantResult> = done.trials.iter().map(result).collect();
        let mut mutation = Mutation {
            mutation_schema: SCHEMA_VERSION,
            judge_version: settings.run.judge_version.clone(),
            problem: self.planned.name.clone(),
            solution: solution.id.clone(),
            path: String::new(),
            source: self.source.to_owned(),
            time_limit_us: micros(self.planned.time_limit),
            test_cases: cases.iter().map(|case| case.id.clone()).collect(),
            method: Method { elapsed_us: micros(elapsed), ..done.method.clone() },
            contradictions: self.contradictions(equivalents, &mutants),
            mutants,
            groups: Vec::new(),
            score: Score::default(),
        };
        let groups = groups(cases.iter().map(|case| case.id.as_str()));
        mutation.count(&groups.into_iter().map(|(group, _)| group).collect::<Vec<_>>());
        mutation
    }

    /// Arguments that are wrong: about a mutant that is killed or refused, or about none.
    fn contradictions(&self, equivalents: &[Equivalent], results: &[MutantResult]) -> Vec<String> {
        let wrong = |argued: &Equivalent| {
            let Some(found) = results.iter().find(|result| result.id == argued.mutant) else {
                let exists = self.mutants.iter().any(|mutant| mutant.id == argued.mutant);
                let gone =
                    || format!("`{}` is argued to be equivalent, but there is no such mutant any more", argued.mutant);
                return (!exists).then(gone);
            };
            match found.status {
                Status::Killed => {
                    let by = &found.kills[0];
                    Some(format!(
                        "`{}` is argued to be equivalent, but `{}` kills it ({})",
                        argued.mutant,
                        by.test_case,
                        by.verdict.code()
                    ))
                }
                Status::DoesNotCompile => {
                    Some(format!("`{}` is argued to be equivalent, but does not compile", argued.mutant))
                }
                Status::Equivalent | Status::Survived => None,
            }
        };
        equivalents.iter().filter_map(wrong).collect()
    }
}

/// The groups of test cases in order, each with the indices of its own.
fn groups<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, id) in ids.enumerate() {
        let group = group_of(id);
        match groups.iter_mut().find(|(name, _)| name == group) {
            Some((_, cases)) => cases.push(index),
            None => groups.push((group.to_owned(), vec![index])),
        }
    }
    groups
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
