//! The files of a test case before its answer: generated, copied, or written down.
//!
//! Responsible for the files that a rule produces, and for checking that a generator is
//! deterministic. Must not know where the files are written, or whether they are valid.
//!
//! Source: BAPCtools, doc/generators.md, "Generator objects".

use judge_package::{Code, MAX_DATA_BYTES, code, open_within};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use judge_exec::{
    ExecError, Fault, GeneratedData, Generation, ReadyProgram, Refusal, Start, Worker,
};

use crate::generators::command::{Command, SEEDS};
use crate::generators::plan::PlannedCase;

/// Extensions of files that may be generated or copied, without the dot.
const EXTENSIONS: [&str; 13] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
    "png",
    "jpg",
    "svg",
    "pdf",
];
/// The prefix of the names of files that a generator writes.
const FILE_PREFIX: &str = "testcase.";
/// The number of other seeds that are tried before a generator is reported not to depend on its
/// seed.
const OTHER_SEEDS: u32 = 10;
/// The number of ordinary runs that are compared with another one when warm runs differed.
const CONFIRMING_RUNS: u32 = 15;

/// A file of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CaseFile {
    Bytes(Vec<u8>),
    /// A copy of this file, which is read when the copy is written.
    Copy(PathBuf),
    /// A link to the file of the same test case with this extension.
    Link(String),
}

/// The files that a rule produced for a test case.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseFiles {
    /// The files by extension, without the dot.
    pub(crate) files: BTreeMap<String, CaseFile>,
    /// The notices for the author about suspicious data.
    pub(crate) notices: Vec<(Option<Code>, String)>,
}

/// Creates the files of test cases of one package.
pub(crate) struct CaseGenerator<'a> {
    /// The package's directory.
    pub(crate) package: &'a Path,
    /// Calls without their seeds that are known to depend on the seed. Each of them is checked only
    /// once.
    pub(crate) seeded: Mutex<BTreeSet<(String, Vec<String>)>>,
}

const NO_ARGUMENTS: &str = "\nhint: the call has no arguments; write those that the generator expects after its name, and \
    `{seed}` for a seed";

/// Creates the files of a test case.
pub(crate) fn make(
    case: &PlannedCase,
    generator: Option<&ReadyProgram>,
    case_generator: &CaseGenerator<'_>,
    worker: &mut Worker<'_>,
) -> Result<CaseFiles, Fault> {
    let mut case_files = CaseFiles::default();
    if let (Some(command), Some(generator)) = (&case.command, generator) {
        let generated = generate(
            command,
            case.retries,
            generator,
            case_generator,
            worker,
            &mut case_files,
        );
        Fault::apart(generated)?.map_err(|why| {
            let hint = if command.open_args().is_empty() {
                NO_ARGUMENTS
            } else {
                ""
            };
            Fault::of_package(format!("`{}` {why}{hint}", command.to_text()))
        })?;
    }
    if let Some(path) = &case.rule.copy {
        let generators = case_generator.package.join("generators");
        copy(&generators, path, &mut case_files).map_err(Refusal::Package)?;
    }
    // Later sources replace earlier ones: a text in the rule replaces a file that the generator
    // wrote.
    let texts = case.rule.texts.iter().map(|(extension, text)| {
        let mut bytes = text.clone().into_bytes();
        // A quoted text in YAML has no line break at its end, and inputs must end with one.
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        (extension.clone(), CaseFile::Bytes(bytes))
    });
    let given = case.given.iter();
    let given = given.map(|(extension, file)| (extension.clone(), CaseFile::Copy(file.clone())));
    let links = case.rule.links.iter();
    let links = links.map(|(extension, to)| (extension.clone(), CaseFile::Link(to.clone())));
    case_files.files.extend(texts.chain(given).chain(links));
    Ok(case_files)
}

fn copy(generators: &Path, path: &str, case_files: &mut CaseFiles) -> Result<(), String> {
    if !Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return Err(format!(
            "expected a path below `generators/` to copy, found `{path}`"
        ));
    }
    let mut copied = false;
    for extension in EXTENSIONS {
        let source = generators.join(format!("{path}.{extension}"));
        // Links between files of one test case are kept as links.
        let stem = source
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_suffix(extension));
        let target = fs::read_link(&source)
            .ok()
            .and_then(|target| target.to_str().map(str::to_owned));
        let local = target
            .as_deref()
            .zip(stem)
            .and_then(|(target, stem)| target.strip_prefix(stem));
        let file = match local.filter(|extension| EXTENSIONS.contains(extension)) {
            Some(extension) => CaseFile::Link(extension.to_owned()),
            None if source.is_file() => {
                if let Err(error) = open_within(&source, MAX_DATA_BYTES) {
                    return Err(format!(
                        "cannot read `generators/{path}.{extension}`: {error}"
                    ));
                }
                CaseFile::Copy(source)
            }
            None => continue,
        };
        case_files.files.insert(extension.to_owned(), file);
        copied = true;
    }
    if copied {
        Ok(())
    } else {
        Err(format!(
            "no file to copy: expected `generators/{path}.in`, or the same path with another extension"
        ))
    }
}

/// Runs the generator, unless its deterministic output is cached.
fn generate(
    command: &Command,
    retries: u32,
    generator: &ReadyProgram,
    case_generator: &CaseGenerator<'_>,
    worker: &mut Worker<'_>,
    case_files: &mut CaseFiles,
) -> Result<(), Fault> {
    let first_seed = command.seed.unwrap_or(0);
    let tries = if command.seed.is_some() { retries } else { 1 };
    let mut failure = Refusal::Package(String::new());
    for retry in 0..tries {
        let args = command.args(first_seed.wrapping_add(retry) % SEEDS);
        let generation = Generation {
            program: generator,
            args: &args,
            input: &[],
            leaves: Some(FILE_PREFIX),
            time: None,
        };
        // The store contains only output that was proved to be deterministic.
        if let Some(data) = worker.cached_data(&generation) {
            return Ok(add_files(&data, case_files)?);
        }
        let (mut data, mut was_warm) =
            worker.starting(Start::Warm, |worker| worker.make(&generation));
        // Forking may be the cause of a failure of a warm program. Only a failure of an ordinary
        // run counts.
        if was_warm && data.is_err() {
            (data, was_warm) = (worker.make(&generation), false);
        }
        match data {
            Ok(data) => {
                let data = check_determinism(&generation, data, was_warm, worker)?;
                if command.seed.is_some() {
                    let seed = first_seed.wrapping_add(retry);
                    let notice =
                        check_seed(command, seed, &generation, &data, case_generator, worker)?;
                    case_files
                        .notices
                        .extend(notice.map(|notice| (Some(code::SEED_UNUSED), notice)));
                }
                // The notice about the seed is reported only once: the author decides about it.
                worker.keep(&generation, &data)?;
                return Ok(add_files(&data, case_files)?);
            }
            // A generator may refuse a seed. The next one is tried, as often as `retries`
            // allows.
            Err(fault) => failure = fault.refusal()?,
        }
    }
    Err(failure.into())
}

/// Checks that a generator produces the same output from the same arguments, by a second run with a
/// different kind of start.
///
/// Only ordinary runs are evidence of a difference. Two of them may agree by chance although others
/// differ, so there are several.
fn check_determinism(
    generation: &Generation<'_>,
    data: GeneratedData,
    was_warm: bool,
    worker: &mut Worker<'_>,
) -> Result<GeneratedData, Fault> {
    let (second, again_warm) = worker.starting(Start::OtherWarm, |worker| worker.make(generation));
    let Some(mut difference) = difference(&data, second)? else {
        return Ok(data);
    };
    if was_warm || again_warm {
        // Forking may be the cause of a difference between runs of a warm program. Ordinary runs
        // decide.
        let data = worker.make(generation)?;
        let mut differences =
            (0..CONFIRMING_RUNS).map(|_| self::difference(&data, worker.make(generation)));
        match differences.find_map(Result::transpose) {
            Some(found) => difference = found?,
            None => return Ok(data),
        }
    }
    Err(Fault::of_package(format!(
        "is not deterministic: a second run with the same arguments {difference}"
    )))
}

/// The difference of a second run, if there is one.
fn difference(
    data: &GeneratedData,
    second: Result<GeneratedData, Fault>,
) -> Result<Option<String>, Fault> {
    Ok(match second {
        Ok(second) if files_of(&second) == files_of(data) => None,
        Ok(_) => Some(
            "produced different data; draw random numbers from the seed, which is an argument"
                .to_owned(),
        ),
        Err(fault) => Some(fault.refusal()?.to_string()),
    })
}

/// The notice about a command that does not depend on its seed: another seed should change the
/// data.
fn check_seed(
    command: &Command,
    seed: u32,
    generation: &Generation<'_>,
    data: &GeneratedData,
    case_generator: &CaseGenerator<'_>,
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    // With the seed 0 in place of the real one, calls that differ only in their seeds are equal.
    let call = (command.program.clone(), command.args(0));
    let seeded = || {
        case_generator
            .seeded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    };
    if seeded().contains(&call) {
        return Ok(None);
    }
    for other in 1..=OTHER_SEEDS {
        // Several seeds are tried, since a small input may be the same for two of them.
        let args = command.args(seed.wrapping_add(other) % SEEDS);
        let generation = Generation {
            args: &args,
            ..*generation
        };
        let make = |worker: &mut Worker<'_>| worker.make(&generation);
        let is_other = |other: &Result<GeneratedData, Fault>| {
            other
                .as_ref()
                .is_ok_and(|other| files_of(other) != files_of(data))
        };
        match Fault::apart(worker.try_warm(Start::Warm, make, is_other))? {
            Ok(other) if files_of(&other) == files_of(data) => {}
            _ => {
                seeded().insert(call);
                return Ok(None);
            }
        }
    }
    let seeds = OTHER_SEEDS + 1;
    Ok(Some(format!(
        "`{}` does not seem to depend on its seed: {seeds} seeds give the same output",
        command.to_text()
    )))
}

/// The files of the test case that a generator wrote, by extension.
fn files_of(data: &GeneratedData) -> BTreeMap<&str, &[u8]> {
    let known = |extension: &&str| EXTENSIONS.contains(extension);
    let named = data.files.iter().filter_map(|(name, bytes)| {
        let extension = name.strip_prefix(FILE_PREFIX).filter(known)?;
        Some((extension, bytes.as_slice()))
    });
    let mut files: BTreeMap<&str, &[u8]> = named.collect();
    if !data.stdout.is_empty() {
        // A file that the generator wrote has priority over its standard output.
        files.entry("in").or_insert(&data.stdout);
    }
    files
}

fn add_files(data: &GeneratedData, case_files: &mut CaseFiles) -> Result<(), Refusal> {
    if data.files.contains_key("testcase.in") && !data.stdout.is_empty() {
        let notice = "the generator wrote `testcase.in`, so its standard output is ignored";
        case_files.notices.push((None, notice.to_owned()));
    }
    let files = files_of(data);
    if !files.contains_key("in") {
        let why = "produced no input: standard output is empty, and `testcase.in` was not written";
        return Err(Refusal::Package(why.to_owned()));
    }
    let files = files.into_iter();
    let files = files.map(|(name, bytes)| (name.to_owned(), CaseFile::Bytes(bytes.to_vec())));
    case_files.files.extend(files);
    Ok(())
}
