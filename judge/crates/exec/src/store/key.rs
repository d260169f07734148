//! The keys of results: everything that a result depends on.
//!
//! Responsible for completeness. Anything that is left out of a key cannot change the result, and a
//! comment gives the reason. Must not know how results are stored.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use judge_model::{Problem, TestCase, TestCaseIndex};
use judge_sandbox::Layout;

use crate::ExecError;
use crate::build::program::{Runnable, environment};
use crate::store::fingerprint::{FileHashes, HashedFile};
use crate::store::inspections::files_below;
use crate::store::programs::{Key, KeyBuilder, ProgramCache};
use crate::testcase::files::TestFiles;
use crate::testcase::test_run::OutputCheck;

/// The keys of a problem.
#[derive(Debug)]
pub(crate) struct JudgedProblem {
    /// The key with which the keys of its submissions begin.
    key: Key,
    /// Its test cases, in order; `None` for one whose files cannot be read.
    cases: Vec<Option<JudgedCase>>,
}

/// A test case, with the files that judging reads.
#[derive(Debug)]
struct JudgedCase {
    key: Key,
    files: [(PathBuf, HashedFile); 2],
}

/// The key of the result of a submission on a test case, in the submission's record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaseKey(String);

impl CaseKey {
    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

impl JudgedProblem {
    /// The keys of a problem with this output check. `surroundings` is the part with which all keys
    /// begin.
    pub(crate) fn new(
        surroundings: &Key,
        problem: &Problem,
        output_check: &OutputCheck,
        hashes: &mut FileHashes,
        files: (&TestFiles, &ProgramCache),
    ) -> Result<Self, ExecError> {
        let mut key = KeyBuilder::default();
        key.part(surroundings.name().as_bytes());
        // The limits of validators and compilers are included. The time limit in force is added
        // with the submission.
        key.part(&serde_json::to_vec(&problem.limits).expect("limits have string keys only"));
        // Formats differ in exit codes, arguments and scores, so the same files may lead to
        // another result.
        key.part(format!("{:?}", problem.format).as_bytes());
        // Everything of the problem that a run or its judging reads. A field that is added there
        // has to be added here.
        let flags = [
            problem.interactive,
            problem.allow_file_writing,
            problem.grading.scores(),
        ];
        key.part(&flags.map(u8::from));
        key.part(&problem.passes.to_le_bytes());
        key.part(format!("{:?}", problem.named_files).as_bytes());
        match output_check {
            // The options are in the keys of the test cases.
            OutputCheck::Default(_) => key.part(b"default"),
            // Never cached: it is for inputs that are not test cases.
            OutputCheck::Unjudged => key.part(b"unjudged"),
            OutputCheck::Custom(validators) => {
                key.part(&(validators.len() as u64).to_le_bytes());
                for validator in validators {
                    add_program(&mut key, validator, problem.limits.validation_memory_bytes)?;
                }
            }
        }
        // Pictures are stored with the result. A visualizer is not compiled at this moment, so that
        // its files count in place of its digest.
        for visualizer in [&problem.input_visualizer, &problem.output_visualizer]
            .into_iter()
            .flatten()
        {
            key.part(b"visualizer");
            let mut files = Vec::new();
            // The whole directory counts, because a visualizer may read files next to its sources.
            // Unreadable ones draw nothing.
            if visualizer.path.is_dir() {
                let _ = files_below(&visualizer.path, 0, &|_, _| false, &mut files);
            } else {
                files.push((visualizer.path.clone(), 0));
            }
            for (path, mode) in files {
                key.part(
                    path.strip_prefix(&visualizer.path)
                        .unwrap_or(&path)
                        .as_os_str()
                        .as_encoded_bytes(),
                );
                key.part(&mode.to_le_bytes());
                key.part(
                    hashes
                        .hash(&path)
                        .map(|file| file.hash)
                        .unwrap_or_default()
                        .as_bytes(),
                );
            }
        }
        let case = |test_case: &TestCase| JudgedCase::new(test_case, hashes, files);
        Ok(Self {
            key: key.finish(),
            cases: problem.test_cases.iter().map(case).collect(),
        })
    }

    /// The key of a submission's record. `time_limit_ns` is the time limit in force.
    pub(crate) fn submission(
        &self,
        program: &Runnable,
        memory_bytes: u64,
        time_limit_ns: u128,
    ) -> Result<Key, ExecError> {
        let mut key = KeyBuilder::default();
        key.part(self.key.name().as_bytes());
        key.part(&time_limit_ns.to_le_bytes());
        add_program(&mut key, program, memory_bytes)?;
        Ok(key.finish())
    }

    /// The key of a test case for a submission that is stopped at this multiple of the time limit.
    pub(crate) fn case(&self, test_case: TestCaseIndex, kill_at: f64) -> Option<CaseKey> {
        let case = self.cases.get(test_case.0)?.as_ref()?;
        Some(CaseKey(format!("{} {}", case.key.name(), kill_at)))
    }

    /// True while the key is valid: the files of a test case are those that it was made of. They
    /// may change during a run.
    pub(crate) fn still_holds(&self, test_case: TestCaseIndex) -> bool {
        let case = self.cases.get(test_case.0).and_then(Option::as_ref);
        case.is_some_and(|case| case.files.iter().all(|(path, file)| file.still_holds(path)))
    }
}

impl JudgedCase {
    fn new(
        test_case: &TestCase,
        hashes: &mut FileHashes,
        files: (&TestFiles, &ProgramCache),
    ) -> Option<Self> {
        let mut hashed = |path: &PathBuf| Some((path.clone(), hashes.hash(path).ok()?));
        // Files are identified by content and not by path: a package that was moved or unpacked
        // again keeps its results.
        let read = [hashed(&test_case.input)?, hashed(&test_case.answer)?];
        let mut key = KeyBuilder::default();
        // The name of the test case is not in the key. Renaming one changes no result of it.
        read.iter()
            .for_each(|(_, file)| key.part(file.hash.as_bytes()));
        let validators = &test_case.output_validator_args;
        key.list(&test_case.args);
        key.list(&validators.all);
        key.part(&(validators.own.len() as u64).to_le_bytes());
        for (position, arguments) in &validators.own {
            key.part(&(*position as u64).to_le_bytes());
            key.list(arguments);
        }
        key.list(&test_case.input_visualizer_args);
        key.list(&test_case.output_visualizer_args);
        match &test_case.files {
            None => key.part(b"no files"),
            // This copy is the one that will be used, and its name is the digest of its content.
            Some(directory) => key.part(name_in_cache(&files.0.copy_of(directory, files.1).ok()?)),
        }
        Some(Self {
            key: key.finish(),
            files: read,
        })
    }
}

/// The name of a directory of the cache, which is the digest of its content.
fn name_in_cache(files: &Path) -> &[u8] {
    files
        .parent()
        .and_then(Path::file_name)
        .map(OsStrExt::as_bytes)
        .unwrap_or_default()
}

/// Adds a program and the way in which it is started, which does not depend on the place of the
/// slot.
fn add_program(
    key: &mut KeyBuilder,
    program: &Runnable,
    memory_bytes: u64,
) -> Result<(), ExecError> {
    let language = &program.toolchain.language;
    key.part(name_in_cache(&program.files));
    // The same sources may be compiled to another program, and a damaged program behaves
    // differently from an undamaged one.
    key.part(program.digest().as_bytes());
    key.part(&[
        program.at_hand.into(),
        program.testlib.into(),
        program.needs_proc.into(),
    ]);
    key.part(&language.processes.to_le_bytes());
    // Interpreters and the libraries that they bring.
    key.part(&(program.toolchain.tools.len() as u64).to_le_bytes());
    for tool in &program.toolchain.tools {
        tool.add_to(key);
    }
    key.list(&program.command(memory_bytes, Layout::fixed())?);
    key.list(&environment(language, Layout::fixed()));
    Ok(())
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
