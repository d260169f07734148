//! Samples of interactive and multi-pass problems: what people are shown of them.
//!
//! Responsible for which of them are recorded, and for what becomes of a record. Must not know how programs are run.
//!
//! Source: BAPCtools, doc/generators.md and `bt generate`: a sample that brings nothing to be shown gets an `.interaction`
//! of its solution.

use std::fs;
use std::path::PathBuf;

use judge_model::{Problem, TestCase};
use judge_package::LoadedPackage;
use judge_runner::{Desk, ReadyOutputValidators, ReadyProgram, Recording, RunnerError, tells_the_same};

use crate::make::Data;
use crate::plan::Answers;
use crate::project::Project;

/// What is shown in place of a record.
const SHOWN: [&str; 4] = ["interaction", "out", "in.statement", "ans.statement"];

/// A sample to be recorded.
#[derive(Debug)]
pub(crate) struct Sample {
    problem: Problem,
    pub(crate) test_case: TestCase,
    /// Where its record lies from before, if there is one.
    former: PathBuf,
}

impl Project {
    /// The samples that are made by the rules and that nothing is shown of yet.
    pub(crate) fn samples_to_record(&self, loaded: &LoadedPackage, data: &Data) -> Vec<Sample> {
        if self.answers_are_outputs() {
            return Vec::new();
        }
        let has = |id: &str, extension: &&str| {
            fs::symlink_metadata(self.staged_data().join(format!("{id}.{extension}"))).is_ok()
        };
        let has_solution = |id: &str| match self.plan.cases.iter().find(|case| case.id == id) {
            None => false,
            Some(case) => match &case.answers {
                Answers::Nothing => false,
                Answers::Default => !self.accepted.is_empty(),
                Answers::Program(_) => true,
            },
        };
        let is_made = |id: &str| data.origins.contains_key(&format!("{id}.in"));
        let cases = loaded.problem.test_cases.iter().filter(|case| case.is_sample() && !case.input.is_symlink());
        let cases = cases.filter(|case| is_made(&case.id) && has_solution(&case.id));
        let bare = cases.filter(|case| !SHOWN.iter().any(|extension| has(&case.id, extension)));
        let sample = |case: &TestCase| Sample {
            problem: Problem { test_cases: Vec::new(), ..loaded.problem.clone() },
            test_case: case.clone(),
            former: self.problem.directory.join("data").join(format!("{}.interaction", case.id)),
        };
        bare.map(sample).collect()
    }
}

impl Sample {
    /// Puts the record beside the input, or says why there is none. A former one that tells the same stays as it is.
    pub(crate) fn record(
        &self,
        solution: &ReadyProgram,
        validators: &ReadyOutputValidators,
        desk: &mut Desk<'_>,
    ) -> Result<Option<String>, RunnerError> {
        let recording = Recording { problem: &self.problem, test_case: &self.test_case, solution, validators };
        let text = match desk.record(&recording)? {
            Ok(text) => text,
            Err(why) => return Ok(Some(format!("the solution whose interaction is shown {why}"))),
        };
        let former = fs::read(&self.former).ok().filter(|former| tells_the_same(former, &text));
        let path = self.test_case.input.with_extension("interaction");
        let failed = |source| RunnerError::Io { action: "write", path: path.clone(), source };
        fs::write(&path, former.unwrap_or(text)).map_err(failed)?;
        Ok(None)
    }
}
