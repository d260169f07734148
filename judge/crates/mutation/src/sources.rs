//! The sources of mutants in a temporary directory, and the problems of a session that can run
//! them.
//!
//! Responsible for files, and for the forms of the problem: unchanged for programs with one mutant,
//! and with more time for the combined programs.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use judge_exec::{Refusal, TimedProblem};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{
    LanguageFamily, Problem, ProblemIndex, Submission, SubmissionIndex, SubmissionPlace,
};

use crate::equivalents::bytecode;
use crate::mutants::{MutantIndex, Purpose};

/// The time limit of a combined program, as a multiple of the problem's: its choices take time. A
/// mutant that needs more runs separately; see `worker`.
const COMBINED_TIME_FACTOR: f64 = 1.2;
/// The time and memory for compiling a combined program, as a multiple of the problem's: it
/// contains the solution many times.
const COMPILING_FACTOR: u32 = 4;

/// Source files of mutants, with one directory for each program.
#[derive(Debug)]
pub(crate) struct Sources {
    directory: LockedDirectory,
    mutants: usize,
    pub(crate) language: LanguageFamily,
    /// The name of the solution's file. Every program has this name, in a separate directory, since
    /// Java derives the class from it.
    file: String,
}

/// A program of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// The solution.
    Original,
    /// One mutant, compiled separately.
    Separate(MutantIndex),
    /// Many mutants.
    Combined(Purpose),
    /// The bytecode of a mutant or of the solution, in Python.
    Bytecode(Option<MutantIndex>),
}

impl Sources {
    pub(crate) fn new(mutants: usize, language: LanguageFamily, file: String) -> io::Result<Self> {
        let directory = LockedDirectory::temporary(TemporaryPurpose::Mutants)?;
        Ok(Self {
            directory,
            mutants,
            language,
            file,
        })
    }

    /// The name of every program's file.
    pub(crate) fn file_name(&self) -> &str {
        &self.file
    }

    /// The name of a program and of its directory.
    fn name(program: Program) -> String {
        match program {
            Program::Original => "original".to_owned(),
            Program::Separate(mutant) => format!("mutant{mutant}"),
            Program::Combined(Purpose::Choosing) => "together".to_owned(),
            Program::Combined(Purpose::Recording) => "recording".to_owned(),
            Program::Bytecode(Some(mutant)) => format!("bytecode{mutant}"),
            Program::Bytecode(None) => "bytecode".to_owned(),
        }
    }

    fn path(&self, program: Program) -> PathBuf {
        self.directory
            .path()
            .join(Self::name(program))
            .join(&self.file)
    }

    /// Returns the refusal of the solution with its file name instead of the temporary path.
    pub(crate) fn shown(&self, refusal: Refusal) -> Refusal {
        let path = self.path(Program::Original);
        match refusal {
            Refusal::Submission {
                why,
                compiler_output,
            } => Refusal::Submission {
                why: why.replace(&*path.to_string_lossy(), &self.file),
                compiler_output,
            },
            other => other,
        }
    }

    /// Returns the place of a program in the session.
    pub(crate) fn place(&self, program: Program) -> SubmissionPlace {
        let (problem, submission) = match program {
            Program::Separate(MutantIndex(mutant)) => (0, mutant),
            Program::Original => (0, self.mutants),
            Program::Combined(Purpose::Choosing) => (1, 0),
            Program::Combined(Purpose::Recording) => (1, 1),
            Program::Bytecode(mutant) => {
                (2, mutant.map_or(self.mutants, |MutantIndex(mutant)| mutant))
            }
        };
        SubmissionPlace {
            problem: ProblemIndex(problem),
            submission: SubmissionIndex(submission),
        }
    }

    /// Writes the source of a program, which is read when the program is prepared.
    pub(crate) fn write(&self, program: Program, source: &str) -> io::Result<()> {
        let path = self.path(program);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, source)
    }

    /// Returns three forms of the problem: with each mutant and the solution separately, with the
    /// combined programs, and with programs that are only compared.
    pub(crate) fn problems(
        &self,
        timed: &TimedProblem,
        solution: &Submission,
    ) -> Vec<TimedProblem> {
        let submission =
            |program: Program| in_place_of(solution, Self::name(program), self.path(program));
        let separate = MutantIndex::first(self.mutants)
            .map(Program::Separate)
            .chain([Program::Original]);
        let combined = [Purpose::Choosing, Purpose::Recording].map(Program::Combined);
        // Python programs are their sources, so only the bytecode shows that programs are equal.
        let is_python = |_: &Program| self.language == LanguageFamily::Python;
        let of_bytecode = MutantIndex::first(self.mutants)
            .map(Some)
            .chain([None])
            .map(Program::Bytecode);
        let compared = of_bytecode.filter(is_python).map(|program| Submission {
            language: Some(bytecode::language()),
            ..submission(program)
        });
        vec![
            form(timed, separate.map(submission).collect(), 1.0),
            form(
                timed,
                combined.map(submission).to_vec(),
                COMBINED_TIME_FACTOR,
            ),
            form(timed, compared.collect(), 1.0),
        ]
    }
}

/// A submission of one file that replaces a solution.
pub(crate) fn in_place_of(solution: &Submission, id: String, path: PathBuf) -> Submission {
    Submission {
        id,
        sources: vec![path.file_name().unwrap_or_default().into()],
        path,
        language: solution.language.clone(),
        entry_class: solution.entry_class.clone(),
        of_package: solution.of_package,
        ..Submission::default()
    }
}

/// The problem with other submissions, without the rules for submitted sources, such as their size.
pub(crate) fn with_submissions(problem: &Problem, submissions: Vec<Submission>) -> Problem {
    let mut problem = Problem {
        submissions,
        languages: None,
        static_validator: None,
        ..problem.clone()
    };
    problem.limits.code_bytes = u64::MAX;
    problem
}

/// The problem with other submissions, a multiple of its time limit, and more time and memory for
/// compiling.
fn form(timed: &TimedProblem, submissions: Vec<Submission>, time: f64) -> TimedProblem {
    let mut problem = with_submissions(&timed.problem, submissions);
    problem.limits.compilation_time *= COMPILING_FACTOR;
    problem.limits.compilation_memory_bytes *= u64::from(COMPILING_FACTOR);
    TimedProblem {
        name: timed.name.clone(),
        time_limit: timed.time_limit.mul_f64(time),
        problem: Arc::new(problem),
    }
}
