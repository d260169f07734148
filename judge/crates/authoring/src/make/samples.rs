//! The recorded samples of interactive and multi-pass problems, which statements show.
//!
//! Responsible for choosing the samples to record. Must not know how programs are run.
//!
//! Source: BAPCtools, doc/generators.md and `bt generate`: a sample without files to show gets the
//! `.interaction` of a solution.

use std::fs;
use std::path::PathBuf;

use judge_exec::{
    ExecError, Fault, ReadyOutputValidators, ReadyProgram, Recording, Worker, same_conversation,
};
use judge_model::{Problem, TestCase};
use judge_package::LoadedPackage;

use crate::generators::plan::Answers;
use crate::make::data::StagedData;
use crate::project::Project;

/// The extensions of files that are shown instead of a record.
const SHOWN: [&str; 4] = ["interaction", "out", "in.statement", "ans.statement"];
/// The maximum size of a record that is read, in bytes. Records of the judge are smaller.
const MAX_RECORD_BYTES: u64 = 64 << 20;

/// A sample to be recorded.
#[derive(Debug)]
pub(crate) struct Sample {
    problem: Problem,
    pub(crate) test_case: TestCase,
    /// The path of the former record, which may be missing.
    former: PathBuf,
}

/// The samples of rules without files to show.
pub(crate) fn samples_to_record(
    project: &Project,
    loaded: &LoadedPackage,
    data: &StagedData,
) -> Vec<Sample> {
    if project.answers_are_outputs() {
        return Vec::new();
    }
    let has = |id: &str, extension: &&str| {
        fs::symlink_metadata(project.stage.data().join(format!("{id}.{extension}"))).is_ok()
    };
    let has_solution = |id: &str| {
        let planned = project.plan.cases.iter().find(|case| case.id == id);
        match planned.map(|case| &case.answers) {
            None | Some(Answers::Nothing) => false,
            Some(Answers::Default) => !project.accepted.is_empty(),
            Some(Answers::Program(_)) => true,
        }
    };
    let is_made = |id: &str| data.origins.contains_key(&format!("{id}.in"));
    let cases = loaded
        .problem
        .test_cases
        .iter()
        .filter(|case| case.is_sample() && !case.input.is_symlink());
    let cases = cases.filter(|case| is_made(&case.id) && has_solution(&case.id));
    let bare = cases.filter(|case| !SHOWN.iter().any(|extension| has(&case.id, extension)));
    let sample = |case: &TestCase| Sample {
        problem: Problem {
            test_cases: Vec::new(),
            ..loaded.problem.clone()
        },
        test_case: case.clone(),
        former: project
            .problem
            .directory
            .join("data")
            .join(format!("{}.interaction", case.id)),
    };
    bare.map(sample).collect()
}

impl Sample {
    /// Writes the record next to the input, or returns the reason why it cannot be written. A
    /// former record of the same conversation is kept.
    pub(crate) fn record(
        &self,
        solution: &ReadyProgram,
        validators: &ReadyOutputValidators,
        worker: &mut Worker<'_>,
    ) -> Result<Option<String>, ExecError> {
        let recording = Recording {
            problem: &self.problem,
            test_case: &self.test_case,
            solution,
            validators,
        };
        let text = match Fault::apart(worker.record(&recording))? {
            Ok(text) => text,
            Err(why) => {
                return Ok(Some(format!(
                    "the solution whose interaction is shown {why}"
                )));
            }
        };
        let former = judge_package::read_within(&self.former, MAX_RECORD_BYTES)
            .ok()
            .filter(|former| same_conversation(former, &text));
        let path = self.test_case.input.with_extension("interaction");
        fs::write(&path, former.unwrap_or(text)).map_err(ExecError::io("write", &path))?;
        Ok(None)
    }
}
