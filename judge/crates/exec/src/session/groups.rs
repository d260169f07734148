//! Questions about groups: asking the package's static validator and its grader.
//!
//! Responsible for the programs that answer. Must not know which groups there are, nor what an answer means for a run.

use std::sync::Arc;

use judge_model::{
    Grading, GroupSettings, LegacyGrading, ProblemIndex, ScoreSettings, SubmissionPlace, TestGroupIndex,
};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::build::sources::Sources;
use crate::fault::Fault;
use crate::jury::grader::{Validated, ask_grader};
use crate::jury::static_validator::{Examined, ask_static_validator};
use crate::session::worker::Worker;

impl Worker<'_> {
    /// Asks the static validator about a submission that was compiled, for a group.
    pub fn validate(&mut self, submission: SubmissionPlace, group: TestGroupIndex) -> Result<Validated, ExecError> {
        let problem = Arc::clone(self.session.problem(submission.problem));
        let error = |reason: String| Ok(Validated::judge_error(reason));
        let Some(validator) = &problem.static_validator else {
            return error("there is no static validator".to_owned());
        };
        let validator = match self.ready(validator, "static validator", &problem, Trust::Content) {
            Ok(validator) => validator,
            Err(fault) => return error(fault.refusal()?.to_string()),
        };
        // The cache has it, unless somebody has emptied that meanwhile.
        let Ok(program) = self.compile(submission)?.result else {
            return error("the submission cannot be compiled again".to_owned());
        };
        let language = &program.toolchain.language;
        let sources = Sources::of_submission(self.session.submission(submission), &problem, &language.id);
        let sources = match sources.read(language) {
            Ok(sources) => sources,
            Err(fault) => return error(fault.refusal()?.to_string()),
        };
        let args = match &problem.test_groups[group].settings {
            GroupSettings::Scores(ScoreSettings { static_validation: Some(validation), .. }) => &*validation.args,
            _ => &[],
        };
        let examined = Examined { sources: &sources, program: &program, args };
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        let slot = self.validators()?;
        Ok(ask_static_validator(&validator, &examined, &problem.limits, slot, cache, &cancel)?.into())
    }

    /// Asks the package's grader. `input` is what it reads: the verdicts and scores of the parts of a group.
    ///
    /// # Errors
    /// Faults of the host. A refusal is to be read after "the grader"; it is a judge error.
    pub fn grade(&mut self, problem: ProblemIndex, flags: &[String], input: &str) -> Result<Vec<u8>, Fault> {
        let problem = Arc::clone(self.session.problem(problem));
        let grader = match &problem.grading {
            Grading::Legacy(LegacyGrading { grader: Some(grader), .. }) => grader,
            _ => return Err(Fault::of_package("is missing: `grading: custom` needs a program in `graders/`")),
        };
        let program = match self.ready(grader, "grader", &problem, Trust::Content) {
            Ok(program) => program,
            Err(fault) => return Err(Fault::of_package(format!("cannot be run: {}", fault.refusal()?))),
        };
        let cancel = self.cancel.clone();
        let slot = self.validators()?;
        // It is cancelled only when the run is given up: nobody hears what is answered then.
        let answer = ask_grader(&program, flags, input, &problem.limits, slot, &cancel)?;
        answer.ok_or_else(|| Fault::of_package("was cancelled"))
    }
}
