//! Loose files: programs and inputs of the user that belong to no package.
//!
//! Responsible for the problem that they form, which is judged like that of a package. Nothing is
//! written next to the files, and messages name them as they were typed. Must not know what a
//! command does with the problem.

use std::fmt::Display;
use std::io::{IsTerminal as _, Read};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_files::{LockedDirectory, TemporaryPurpose, regular_file};
use judge_model::{
    FormatVersion, Language, OutputValidator, OutputValidatorArgs, Problem, Program, Submission,
    TestCase,
};
use judge_package::{MAX_DATA_BYTES, PackageErrors, is_package, program_at};

use crate::args::OutputCheckArgs;
use crate::commands::judging::submit::{outside_program, resolve};
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::note;

/// The time limit of programs that belong to no problem.
pub(crate) const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A problem of loose files, with a private directory for its temporary files.
pub(crate) struct LooseProblem {
    pub(crate) problem: Problem,
    pub(crate) directory: LockedDirectory,
}

impl LooseProblem {
    /// The problem of these programs, named like the first of them.
    pub(crate) fn new(
        config: &Config,
        check: &OutputCheckArgs,
        programs: Vec<Submission>,
    ) -> Result<Self, Failure> {
        let unwritable = |source| Failure::write("a directory for temporary files", source);
        let directory =
            LockedDirectory::temporary(TemporaryPurpose::Examples).map_err(unwritable)?;
        let name = programs
            .first()
            .and_then(|program| program.path.file_stem())
            .unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let mut problem = problem_of(&name, directory.path().to_owned(), programs);
        check.apply(config, &mut problem)?;
        Ok(Self { problem, directory })
    }

    /// A test case with the output check of the options.
    pub(crate) fn test_case(id: String, check: &OutputCheckArgs) -> TestCase {
        TestCase {
            id,
            output_validator_args: check.args(),
            ..TestCase::default()
        }
    }
}

/// A problem with nothing but these programs.
pub(crate) fn problem_of(name: &str, directory: PathBuf, submissions: Vec<Submission>) -> Problem {
    Problem {
        submissions,
        ..Problem::new(name, directory, FormatVersion::V2025_09)
    }
}

/// The program of an option: a file or a directory, which `recognise` makes a program of.
pub(crate) fn program(
    config: &Config,
    option: &str,
    word: &str,
    recognise: fn(&Path, &[Language]) -> Result<Program, PackageErrors>,
) -> Result<Program, Failure> {
    let unreadable =
        |why: &dyn Display| Failure::Usage(format!("cannot read `{word}` of {option}: {why}"));
    let path = config
        .directory
        .join(word)
        .canonicalize()
        .map_err(|error| unreadable(&error))?;
    let program = recognise(&path, &config.workspace.languages);
    let program = program.map_err(|errors| Failure::usage(&errors, &config.directory))?;
    Ok(Program {
        name: word.to_owned(),
        ..program
    })
}

/// True for a file or a directory.
pub(crate) fn exists(config: &Config, word: &str) -> bool {
    config.directory.join(word).exists()
}

/// The programs that these words name; `None` unless all of them are files outside of packages.
pub(crate) fn programs(
    config: &Config,
    words: &[String],
) -> Result<Option<Vec<Submission>>, Failure> {
    if words.is_empty() || !words.iter().all(|word| exists(config, word)) {
        return Ok(None);
    }
    for word in words {
        if resolve(config, Path::new(word))?
            .ancestors()
            .any(is_package)
        {
            return Ok(None);
        }
    }
    programs_from_files(config, words).map(Some)
}

/// The programs that these words name, which are files.
pub(crate) fn programs_from_files(
    config: &Config,
    words: &[String],
) -> Result<Vec<Submission>, Failure> {
    let program = |word: &String| outside_program(config, &resolve(config, Path::new(word))?);
    let mut programs = words.iter().map(program).collect::<Result<Vec<_>, _>>()?;
    Submission::make_ids_distinct(&mut programs);
    Ok(programs)
}

/// Opens an input of the command line. For a named pipe, this waits for the writer.
pub(crate) fn open_input(path: &Path) -> std::io::Result<std::fs::File> {
    match path.metadata() {
        Ok(found) if found.file_type().is_fifo() => std::fs::File::open(path),
        _ => regular_file::open_typed(path),
    }
}

/// The bytes of an input: those of a file, or with `-` standard input.
pub(crate) fn read_input(config: &Config, word: &str) -> Result<Vec<u8>, Failure> {
    if word == "-" && std::io::stdin().is_terminal() {
        note("reading the input from the terminal; Ctrl-D ends it");
    }
    let failed = |error| Failure::Usage(format!("cannot read `{word}`: {error}"));
    let too_large = || {
        Failure::Usage(format!(
            "cannot read `{word}`: expected at most {} MiB",
            MAX_DATA_BYTES >> 20
        ))
    };
    let mut bytes = Vec::new();
    let input: Box<dyn Read> = match word {
        "-" => Box::new(std::io::stdin().lock()),
        _ => {
            let file = open_input(&config.directory.join(word)).map_err(failed)?;
            // A sparse file may be larger than the memory.
            if file.metadata().map_err(failed)?.len() > MAX_DATA_BYTES {
                return Err(too_large());
            }
            Box::new(file)
        }
    };
    // The size of a stream is unknown before, so one byte more than the limit is read.
    input
        .take(MAX_DATA_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_DATA_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The command line of this process with further words, for users to copy.
pub(crate) fn command_with(more: &[&str]) -> String {
    command_changed(&[], more)
}

/// The command line of this process without some of its words and with others, for users to copy.
pub(crate) fn command_changed(without: &[&str], more: &[&str]) -> String {
    let mut typed: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    for word in without {
        let named: Vec<usize> = (0..typed.len())
            .filter(|index| typed[*index] == *word)
            .collect();
        // The word may also be the argument of an option.
        let is_alone = |index: &&usize| **index == 0 || !typed[**index - 1].starts_with('-');
        if let Some(index) = named.iter().find(is_alone).or(named.first()) {
            typed.remove(*index);
        }
    }
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+@%".contains(c);
        match !word.is_empty() && word.chars().all(is_plain) {
            true => word,
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    let all = std::iter::once("judge".to_owned())
        .chain(typed.into_iter().map(quoted))
        .chain(more.iter().map(|word| (*word).to_owned()));
    all.collect::<Vec<_>>().join(" ")
}

/// The failure for an option that has no meaning for a package.
pub(crate) fn not_in_a_package(option: &str) -> Failure {
    Failure::Usage(format!(
        "`{option}` is for programs without a package: a package has its own validators and limits"
    ))
}

impl OutputCheckArgs {
    /// True when no option is given.
    pub(crate) fn is_default(&self) -> bool {
        self.checker.is_none() && self.float_tolerance.is_none()
    }

    /// Refuses the options for programs of a package, which has its own output check.
    pub(crate) fn expect_no_package(&self) -> Result<(), Failure> {
        match (&self.checker, &self.float_tolerance) {
            (Some(_), _) => Err(not_in_a_package("--checker")),
            (_, Some(_)) => Err(not_in_a_package("--float-tolerance")),
            (None, None) => Ok(()),
        }
    }

    /// Makes the checker judge outputs, if there is one.
    pub(crate) fn apply(&self, config: &Config, problem: &mut Problem) -> Result<(), Failure> {
        let checker = self
            .checker
            .as_deref()
            .map(|word| program(config, "--checker", word, program_at))
            .transpose()?;
        problem.output_validator = checker.map_or(OutputValidator::Default, |checker| {
            OutputValidator::Custom(vec![checker])
        });
        for test_case in &mut problem.test_cases {
            test_case.output_validator_args = self.args();
        }
        Ok(())
    }

    /// The arguments of the output validator.
    fn args(&self) -> OutputValidatorArgs {
        let tolerance = self
            .float_tolerance
            .iter()
            .flat_map(|error| ["float_tolerance".to_owned(), error.clone()]);
        OutputValidatorArgs {
            all: tolerance.collect(),
            ..OutputValidatorArgs::default()
        }
    }
}
