//! Checking a package by running its validators: on its own data, on junk, and on damaged
//! copies of its inputs.
//!
//! Responsible for the questions to validators, and for the findings that follow from their
//! answers. Must not run anything itself (a session of `exec` does), nor read packages, nor decide
//! the severity of a finding (see `severity`).

mod arithmetic;
mod ask;
mod bounds;
mod claims;
mod failing_cases;
mod findings;
mod grouped;
mod output_findings;
mod questions;
mod ready;
mod request_timeouts;
mod synthetic;
mod tally;
mod testing_tool;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use judge_event::{DataValidated, Progress};
use judge_exec::{
    CachedInspection, ExecError, InputValidatorDecision, Session, StoreSettings, Toolchains,
    ValidatorDecision,
};
use judge_model::LanguageId;
use judge_package::{Code, ExtraCase, Finding, LoadedPackage, code};
use judge_sandbox::{CancelToken, Sandbox};
use serde::{Deserialize, Serialize};

pub use self::failing_cases::{ExtraPart, FailingCase};
use self::questions::{Question, RecordedInteraction};
use self::ready::ReadyValidators;
use self::synthetic::junk::{self, Junk};
use self::synthetic::unprompted::UnpromptedOutput;
use self::testing_tool::ToolFindings;
use crate::extent::Extent;

/// The seed of junk. It is fixed so that checks are reproducible.
pub(crate) const SEED: u64 = 1;

/// The sandbox and the tools with which validators are run.
pub struct Validators {
    /// The sandbox.
    pub sandbox: Arc<dyn Sandbox>,
    /// The tools of the languages that validators are written in.
    pub toolchains: Toolchains,
    /// The directory of the cache.
    pub cache_dir: PathBuf,
    /// The store for inspections, if they are cached.
    pub store: Option<StoreSettings>,
    /// The token that cancels the check.
    pub cancel: CancelToken,
}

/// The result of running the validators of a package.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inspected {
    /// The findings, in the order of the questions.
    pub(crate) findings: Vec<Finding>,
    /// Synthetic test cases that show some of the findings.
    pub(crate) failing_cases: Vec<FailingCase>,
    /// The counts of answers about the package's own data; empty in a check of everything.
    pub(crate) data: Vec<DataValidated>,
    /// The number of runs of a validator.
    pub(crate) runs: u64,
    /// True when all of it is from an earlier check.
    #[serde(skip)]
    pub(crate) cached: bool,
}

impl Validators {
    /// Runs the validators of a package, `jobs` of them at a time, and in a check of everything
    /// also its testing tools. Returns `None` when it was cancelled. `progress` receives the
    /// program that is compiled, then the number of answered questions and of all questions.
    ///
    /// # Errors
    /// Faults of the host. Faults of a validator are findings.
    pub(crate) fn inspect(
        &self,
        loaded: &LoadedPackage,
        extent: Extent,
        jobs: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Inspected>, ExecError> {
        let Some(mut inspected) = self.inspect_data(loaded, extent, jobs, progress)? else {
            return Ok(None);
        };
        if extent == Extent::Everything && !loaded.testing_tools.programs.is_empty() {
            let Some((tried, cached)) = self.try_testing_tools(loaded, jobs)? else {
                return Ok(None);
            };
            inspected.findings.extend(tried.findings);
            inspected.runs += tried.runs;
            inspected.cached &= cached;
        }
        Ok(Some(inspected))
    }

    /// Asks the validators of a package.
    fn inspect_data(
        &self,
        loaded: &LoadedPackage,
        extent: Extent,
        jobs: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Inspected>, ExecError> {
        let entry = self.cached_inspection(loaded, extent);
        if let Some(inspected) = entry
            .as_ref()
            .and_then(CachedInspection::found::<Inspected>)
        {
            return Ok(Some(Inspected {
                cached: true,
                ..inspected
            }));
        }
        let session = self.session(loaded)?;
        let mut findings = Vec::new();
        let (mut worker, running) = (session.worker(None), vec![loaded.problem.name.clone()]);
        let everything = extent == Extent::Everything;
        let ready = ReadyValidators::compile(
            &loaded.problem,
            everything,
            &mut worker,
            &self.toolchains,
            &mut findings,
            progress,
        )?;
        let recorded = questions::recorded_interactions(loaded);
        let synthetic = Synthetic {
            junk: junk::outputs(SEED),
            unprompted: questions::unprompted_outputs_for(loaded, &recorded),
            recorded,
        };
        let names = ready.input_names();
        let mut questions = first_questions(loaded, &ready, &names, &synthetic);
        let mut answered = 0;
        let mut ask = |questions: &[Question<'_>]| {
            let total = (answered + questions.len()) as u64;
            let mut done = |count: usize| {
                let done = (answered + count) as u64;
                progress(Progress {
                    done,
                    total,
                    running: running.clone(),
                    ..Progress::default()
                });
            };
            done(0);
            let limits = &loaded.problem.limits;
            let replies = ask::ask_all(
                questions,
                &ready,
                &session,
                limits,
                jobs,
                &self.cancel,
                &mut done,
            );
            answered += questions.len();
            replies
        };
        let mut replies = ask(&questions)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        if everything {
            // These questions depend on the first replies: inputs of further passes exist only
            // after a validator has written them, and a conversation is tried only with a validator
            // that writes to standard output.
            let further = further_questions(loaded, &names, &questions, &replies);
            replies.extend(ask(&further)?);
            questions.extend(further);
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
        }
        let (found, failing_cases) = findings::findings(loaded, &questions, &replies, everything);
        findings.extend(found);
        let mut data = Vec::new();
        if everything {
            let bounds = bounds::gather(&questions, &replies);
            findings.extend(bounds::findings(&loaded.problem, &bounds));
        } else {
            data = tally::tally(loaded, &questions, &replies);
        }
        let runs = replies.iter().map(ask::Reply::runs).sum();
        let lasts = is_lasting(&findings, &replies);
        let inspected = Inspected {
            findings,
            failing_cases,
            data,
            runs,
            cached: false,
        };
        if let Some(entry) = entry.filter(|_| lasts) {
            entry.keep(&inspected);
        }
        Ok(Some(inspected))
    }

    /// Runs the testing tools of a package. The second value is true for a cached result. Returns
    /// `None` when it was cancelled.
    fn try_testing_tools(
        &self,
        loaded: &LoadedPackage,
        jobs: usize,
    ) -> Result<Option<(ToolFindings, bool)>, ExecError> {
        let circumstances = format!("{:?} {:?}", self.sandbox.isolation(), self.toolchains);
        let entry = self.store.as_ref().and_then(|store| {
            let programs = testing_tool::programs(loaded);
            store.inspection(
                &loaded.problem.directory,
                "testing tools",
                &circumstances,
                &programs,
            )
        });
        if let Some(tried) = entry.as_ref().and_then(CachedInspection::found) {
            return Ok(Some((tried, true)));
        }
        let tried = testing_tool::try_all(loaded, &self.session(loaded)?, &self.toolchains, jobs)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        if let Some(entry) = entry.filter(|_| tried.lasts) {
            entry.keep(&tried);
        }
        Ok(Some((tried, false)))
    }

    fn session(&self, loaded: &LoadedPackage) -> Result<Session, ExecError> {
        let packages = [loaded.problem.directory.clone()];
        let (sandbox, cancel) = (Arc::clone(&self.sandbox), self.cancel.clone());
        Session::for_packages(
            &self.toolchains,
            sandbox,
            &self.cache_dir,
            &packages,
            cancel,
        )
    }

    /// The cache entry for the inspection of a package; `None` when inspections are not cached.
    fn cached_inspection(
        &self,
        loaded: &LoadedPackage,
        extent: Extent,
    ) -> Option<CachedInspection> {
        let test_cases = loaded.problem.test_cases.iter().map(|case| &case.id);
        let test_cases: Vec<&String> = test_cases.collect();
        let ids = |cases: &[ExtraCase]| -> Vec<String> {
            cases.iter().map(|case| case.id.clone()).collect()
        };
        let extra = &loaded.extra_cases;
        let chosen = (
            test_cases,
            [
                &extra.valid_output,
                &extra.invalid_output,
                &extra.invalid_input,
            ]
            .map(|cases| ids(cases)),
        );
        // The seed determines the junk, and isolation and tools may affect how a validator ends. A
        // change of any of them makes a cached inspection obsolete.
        let circumstances = format!(
            "{SEED} {:?} {:?} {chosen:?}",
            self.sandbox.isolation(),
            self.toolchains
        );
        // An inspection of some test cases must not replace the inspection of all.
        let kind = format!("{extent:?} {chosen:?}");
        self.store
            .as_ref()?
            .inspection(&loaded.problem.directory, &kind, &circumstances, &[])
    }
}

/// The languages whose tools the validators and testing tools of a package need.
pub(crate) fn languages_of(loaded: &LoadedPackage) -> BTreeSet<LanguageId> {
    ready::languages_of(&loaded.problem)
        .into_iter()
        .chain(testing_tool::languages_of(loaded))
        .collect()
}

/// The findings about programs that do not compile.
const BROKEN: [Code; 4] = [
    code::INPUT_VALIDATOR_BROKEN,
    code::OUTPUT_VALIDATOR_BROKEN,
    code::VISUALIZER_BROKEN,
    code::GRADER_BROKEN,
];

/// True for an inspection whose result another run would confirm: no limit was exceeded, and all
/// programs compiled. A failed compilation may be due to a lack of memory on the host.
fn is_lasting(findings: &[Finding], replies: &[ask::Reply]) -> bool {
    let compiles = !findings
        .iter()
        .any(|finding| BROKEN.contains(&finding.code));
    let decided = |reply: &ask::Reply| match reply {
        ask::Reply::Input(replies) => replies.iter().all(|(_, reply)| {
            matches!(
                reply.decision,
                InputValidatorDecision::Accepted | InputValidatorDecision::Rejected { .. }
            )
        }),
        ask::Reply::Output(reply) => {
            matches!(
                reply.decision,
                ValidatorDecision::Accepted | ValidatorDecision::Rejected
            )
        }
        ask::Reply::Replay(_) | ask::Reply::Turns(_) => true,
        ask::Reply::Unanswered => false,
    };
    compiles && replies.iter().all(decided)
}

/// Data that questions borrow.
struct Synthetic<'a> {
    junk: Vec<Junk>,
    recorded: Vec<RecordedInteraction<'a>>,
    unprompted: Vec<UnpromptedOutput>,
}

/// The questions that do not depend on answers: those about the package's own data, and in a check
/// of everything also those about synthetic data.
fn first_questions<'a>(
    loaded: &'a LoadedPackage,
    ready: &ReadyValidators,
    names: &[&str],
    synthetic: &'a Synthetic<'a>,
) -> Vec<Question<'a>> {
    let (everything, mut questions) = (ready.bounds, Vec::new());
    if !names.is_empty() {
        questions.extend(questions::about_inputs(loaded, names));
        if everything {
            questions.extend(questions::about_damaged_inputs(loaded, names, SEED));
        }
    }
    if ready.outputs.is_some() {
        questions.extend(questions::about_outputs(loaded));
        if everything {
            questions.extend(questions::about_junk_outputs(loaded, &synthetic.junk));
            questions.extend(questions::about_changed_answers(loaded));
            questions.extend(questions::about_interactions(&synthetic.recorded));
            let unprompted = &synthetic.unprompted;
            questions.extend(questions::about_unprompted_outputs(loaded, unprompted));
        }
    }
    questions
}

/// The questions that follow from the answers to the first ones.
fn further_questions<'a>(
    loaded: &'a LoadedPackage,
    names: &[&str],
    questions: &[Question<'a>],
    replies: &[ask::Reply],
) -> Vec<Question<'a>> {
    let mut further = Vec::new();
    if loaded.problem.passes > 1 && !names.is_empty() {
        let next_inputs = output_findings::next_inputs(questions, replies);
        further.extend(questions::about_next_inputs(loaded, names, next_inputs));
    }
    if output_findings::may_talk(loaded, questions, replies) {
        further.extend(questions::about_turns(loaded));
    }
    further
}
