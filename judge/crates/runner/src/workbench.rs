//! A worker's slots, and each kind of job done in them.
//!
//! Responsible for opening slots when they are first needed, three kinds with different things in reach: compilers see
//! sources, submissions see programs, the package's own programs see its data. Must not decide anything.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_grading::CompareOptions;
use judge_model::{Grading, GroupSettings, LegacyGrading, OutputValidator, Problem, Program, ScoreSettings};
use judge_sandbox::{CancelToken, Capture, Slot, SlotSpec};

use crate::RunnerError;
use crate::asking::{GroupQuestion, Validated, ask_grader};
use crate::compile::{Compiled, Compiler, answers, refused};
use crate::counting::{Callgrind, Uncounted, count};
use crate::doubt::Attempt;
use crate::held_times::HeldTimes;
use crate::judged::Judged;
use crate::judging::{Judge, Judgement, TestRun, submission_execution};
use crate::late_slot::LateSlot;
use crate::passes::Passes;
use crate::program::Runnable;
use crate::ready::make_ready;
use crate::schedule::Job;
use crate::sources::Sources;
use crate::static_validation::{Examined, ask_static_validator};

use crate::worker::{Place, Report, Shared};

/// The slots of one worker.
pub(crate) struct Workbench<'a> {
    shared: &'a Shared,
    core: Option<usize>,
    compilers: Option<Box<dyn Slot>>,
    submissions: Option<Box<dyn Slot>>,
    /// Where submissions run that the package lets start other processes.
    assisted: Option<Box<dyn Slot>>,
    jury: Option<Box<dyn Slot>>,
    /// Whether copies of programs are run too, which lie where entries of the cache are prepared.
    runs_copies: bool,
}

/// Opens a slot unless it is open.
fn open<'s>(
    slot: &'s mut Option<Box<dyn Slot>>,
    shared: &Shared,
    core: Option<usize>,
    depots: fn(&Shared) -> Vec<PathBuf>,
    single_process: bool,
) -> Result<&'s mut dyn Slot, RunnerError> {
    let opened = match slot.take() {
        Some(opened) => opened,
        None => {
            let (view, depots) = (shared.mounts.clone(), depots(shared));
            shared.sandbox.slot(&SlotSpec { view, depots, core, single_process })?
        }
    };
    Ok(slot.insert(opened).as_mut())
}

/// A slot of a worker for compilers, or for the package's own programs.
struct OwnSlot<'s> {
    slot: &'s mut Option<Box<dyn Slot>>,
    shared: &'s Shared,
    core: Option<usize>,
    depots: fn(&Shared) -> Vec<PathBuf>,
}

impl LateSlot for OwnSlot<'_> {
    fn open(&mut self) -> Result<&mut dyn Slot, RunnerError> {
        open(self.slot, self.shared, self.core, self.depots, false)
    }
}

/// The directories that compilers may be given parts of.
fn compiler_depots(shared: &Shared) -> Vec<PathBuf> {
    vec![shared.cache.staging().to_owned()]
}

/// The directories that submissions may be given parts of.
fn submission_depots(shared: &Shared) -> Vec<PathBuf> {
    vec![shared.cache.programs().to_owned()]
}

/// The same where copies of programs are run too.
fn copy_depots(shared: &Shared) -> Vec<PathBuf> {
    [shared.cache.programs(), shared.cache.staging()].map(Path::to_owned).to_vec()
}

/// The directories that the package's own programs may be given parts of.
fn jury_depots(shared: &Shared) -> Vec<PathBuf> {
    let packages = shared.plan.problems.iter().map(|planned| &planned.problem.directory);
    let packages = packages.map(|directory| directory.canonicalize().unwrap_or_else(|_| directory.clone()));
    [shared.cache.programs(), shared.cache.staging()].map(Path::to_owned).into_iter().chain(packages).collect()
}

impl<'a> Workbench<'a> {
    pub(crate) fn new(shared: &'a Shared, core: Option<usize>) -> Self {
        let runs_copies = false;
        Self { shared, core, compilers: None, submissions: None, assisted: None, jury: None, runs_copies }
    }

    /// The same, which also runs copies of programs.
    pub(crate) fn running_copies(self) -> Self {
        Self { runs_copies: true, ..self }
    }

    /// What is to be judged when a submission that was compiled meets a test case. One that runs alone gets more patience.
    pub(crate) fn test_run(
        &self,
        submission: usize,
        test_case: usize,
        (program, judgement): (&Arc<Runnable>, &Arc<Judgement>),
        alone: bool,
    ) -> Result<TestRun, RunnerError> {
        let Place { problem, index } = self.shared.places[submission];
        let planned = &self.shared.plan.problems[problem];
        let case = &planned.problem.test_cases[test_case];
        let files = case.files.as_deref();
        let files = files.map(|files| self.shared.test_files.copy_of(files, &self.shared.cache));
        Ok(TestRun {
            problem: Arc::clone(&planned.problem),
            judgement: Arc::clone(judgement),
            program: Arc::clone(program),
            test_case,
            answer: planned.problem.submissions[index].answers.get(&case.id).cloned(),
            files: files.transpose()?,
            time_limit: planned.time_limit,
            kill_at: HeldTimes::of(planned, &planned.problem.submissions[index]).kill_at(&case.id),
            patience: if alone { 4 } else { 1 },
            output_hash: self.shared.plan.output_hashes,
            count_instructions: false,
        })
    }

    pub(crate) fn run(&mut self, job: &Job, capture: &mut Capture, cancel: CancelToken) -> Result<Report, RunnerError> {
        match job {
            Job::Prepare { problem } => {
                let result = self.prepare(*problem, &cancel)?;
                result.as_ref().map_or(Ok(()), |judgement| self.shared.remember_judgement(*problem, judgement))?;
                Ok(Report::Prepared { problem: *problem, result })
            }
            Job::Compile { submission } => {
                let compiled = self.compile(*submission, cancel)?;
                let kept = compiled.result.as_ref().ok().map(|program| self.shared.kept_results(*submission, program));
                let kept = kept.transpose()?.unwrap_or_default();
                Ok(Report::Compiled { submission: *submission, compiled, kept })
            }
            Job::Ask { submission, question } => {
                let planned = &self.shared.plan.problems[self.shared.places[*submission].problem];
                let problem = Arc::clone(&planned.problem);
                match question {
                    GroupQuestion::Grade { flags, input } => {
                        let answer = self.grade(&problem, (flags, input), &cancel)?;
                        Ok(Report::Graded { submission: *submission, answer })
                    }
                    GroupQuestion::Validate { group } => {
                        let validated = self.validate(*submission, *group, &cancel)?;
                        Ok(Report::Validated { submission: *submission, validated })
                    }
                }
            }
            Job::Test { submission, test_case, program, judgement, attempt } => {
                let run = self.test_run(*submission, *test_case, (program, judgement), attempt.is_alone())?;
                let judged = self.judge(&run, capture, cancel)?;
                let lasts = |judged: &&Judged| self.stands(*attempt, judged, (*submission, &run));
                judged.iter().filter(lasts).for_each(|judged| self.shared.keep_result(*submission, &run, judged));
                Ok(Report::Judged {
                    submission: *submission,
                    test_case: *test_case,
                    attempt: *attempt,
                    judged: judged.map(Box::new),
                })
            }
        }
    }

    /// Whether a result stands for later runs of the judge. A time near the limit does when it was measured twice with the
    /// same verdict, else it is open.
    fn stands(&self, attempt: Attempt, judged: &Judged, (submission, run): (usize, &TestRun)) -> bool {
        let of = &run.problem.submissions[self.shared.places[submission].index];
        let about = (of, run.problem.test_cases[run.test_case].id.as_str());
        match attempt {
            Attempt::First => Attempt::after(judged, run.time_limit, about).is_none(),
            Attempt::NearLimit(first) => judged.verdict == first,
            Attempt::Waited | Attempt::Unexpected => !judged.is_near(run.time_limit),
        }
    }

    pub(crate) fn compile(&mut self, submission: usize, cancel: CancelToken) -> Result<Compiled, RunnerError> {
        let Place { problem, index } = self.shared.places[submission];
        let problem = self.shared.problem(problem);
        let submission = &problem.submissions[index];
        if problem.submit_answer {
            return Ok(answers());
        }
        let toolchain = submission.language.as_ref().and_then(|language| self.shared.tools.of(language));
        let toolchain = Arc::clone(toolchain.expect("a submission without a toolchain is never scheduled"));
        if problem.languages.as_ref().is_some_and(|allowed| !allowed.contains(&toolchain.language.id)) {
            return Ok(refused(format!("the problem does not permit the language `{}`", toolchain.language.id)));
        }
        let sources = Sources::of_submission(submission, problem, &toolchain.language.id);
        let code_bytes = Some(problem.limits.code_bytes);
        self.compiler(cancel).compile(&toolchain, &sources, &problem.limits, code_bytes)
    }

    /// Asks the static validator about a submission that was compiled, for a group.
    fn validate(&mut self, submission: usize, group: usize, cancel: &CancelToken) -> Result<Validated, RunnerError> {
        let Place { problem, index } = self.shared.places[submission];
        let problem = Arc::clone(self.shared.problem(problem));
        let error = |reason: String| Ok(Validated::judge_error(reason));
        let Some(validator) = &problem.static_validator else {
            return error("there is no static validator".to_owned());
        };
        let validator = match self.ready(validator, "static validator", &problem, cancel)? {
            Ok(validator) => validator,
            Err(why) => return error(why),
        };
        // The cache has it, unless somebody has emptied that meanwhile.
        let Ok(program) = self.compile(submission, cancel.clone())?.result else {
            return error("the submission cannot be compiled again".to_owned());
        };
        let language = &program.toolchain.language;
        let sources = Sources::of_submission(&problem.submissions[index], &problem, &language.id).read(language)?;
        let args = match &problem.test_groups[group].settings {
            GroupSettings::Scores(ScoreSettings { static_validation: Some(validation), .. }) => &*validation.args,
            _ => &[],
        };
        let examined = Examined { sources: &sources, program: &program };
        let slot = open(&mut self.jury, self.shared, self.core, jury_depots, false)?;
        let cache = &self.shared.cache;
        Ok(ask_static_validator(&validator, &examined, (args, &problem.limits), slot, cache, cancel)?.into())
    }

    /// Asks the package's grader. The error is to be read after "the grader"; it is a judge error.
    fn grade(
        &mut self,
        problem: &Problem,
        question: (&[String], &str),
        cancel: &CancelToken,
    ) -> Result<Result<Vec<u8>, String>, RunnerError> {
        let grader = match &problem.grading {
            Grading::Legacy(LegacyGrading { grader: Some(grader), .. }) => grader,
            _ => return Ok(Err("is missing: `grading: custom` needs a program in `graders/`".to_owned())),
        };
        let program = match self.ready(grader, "grader", problem, cancel)? {
            Ok(program) => program,
            Err(why) => return Ok(Err(format!("cannot be run: {why}"))),
        };
        let slot = open(&mut self.jury, self.shared, self.core, jury_depots, false)?;
        // It is cancelled only when the run is given up: nobody hears what is answered then.
        let answer = ask_grader(&program, question, &problem.limits, slot, cancel)?;
        Ok(answer.unwrap_or_else(|| Err("was cancelled".to_owned())))
    }

    fn compiler(&mut self, cancel: CancelToken) -> Compiler<'_> {
        // Compilers are not timed against a limit that counts; they may use any processor.
        let slot = OwnSlot { slot: &mut self.compilers, shared: self.shared, core: None, depots: compiler_depots };
        Compiler { cache: &self.shared.cache, slot: Box::new(slot), cancel }
    }

    pub(crate) fn judge(
        &mut self,
        run: &TestRun,
        capture: &mut Capture,
        cancel: CancelToken,
    ) -> Result<Option<Judged>, RunnerError> {
        // What was put beside it may start the submission.
        let (own, single_process) =
            if run.program.at_hand { (&mut self.assisted, false) } else { (&mut self.submissions, true) };
        let depots = if self.runs_copies { copy_depots } else { submission_depots };
        let slot = open(own, self.shared, self.core, depots, single_process)?;
        // One that talks with the submission would be in its way on the same processor.
        let core = self.core.filter(|_| !self.shared.plan.problems.iter().any(|planned| planned.problem.interactive));
        let mut jury = OwnSlot { slot: &mut self.jury, shared: self.shared, core, depots: jury_depots };
        Judge { slot, capture, cache: &self.shared.cache, cancel }.judge(run, &mut jury)
    }

    /// Has callgrind count the instructions of the submission on a test case; `None` when it was cancelled.
    pub(crate) fn count(
        &mut self,
        run: &TestRun,
        callgrind: &Callgrind,
        capture: &mut Capture,
        cancel: CancelToken,
    ) -> Result<Option<Result<u64, Uncounted>>, RunnerError> {
        if run.problem.interactive || run.problem.passes > 1 || run.problem.submit_answer {
            return Ok(Some(Err(Uncounted::everywhere("the problem is not answered in one run of a program alone"))));
        }
        // Counting starts a program that starts the submission.
        let slot = open(&mut self.assisted, self.shared, self.core, submission_depots, false)?;
        let execution = submission_execution(run, &Passes::new(), slot.layout(), cancel)?;
        count(callgrind, execution, slot, capture)
    }

    /// Makes ready how a problem's output is judged; the error in words is the package's fault.
    pub(crate) fn prepare(
        &mut self,
        problem: usize,
        cancel: &CancelToken,
    ) -> Result<Result<Arc<Judgement>, String>, RunnerError> {
        let problem = Arc::clone(self.shared.problem(problem));
        // What is asked about groups is needed later; that it cannot be made ready is to be known now.
        let grader = match &problem.grading {
            Grading::Legacy(legacy) => legacy.grader.as_ref(),
            _ => None,
        };
        for (program, role) in [(&problem.static_validator, "static validator"), (&grader.cloned(), "grader")] {
            if let Some(program) = program
                && let Err(why) = self.ready(program, role, &problem, cancel)?
            {
                return Ok(Err(why));
            }
        }
        let validators = match &problem.output_validator {
            OutputValidator::Default if problem.interactive => {
                return Ok(Err("an interactive problem needs an output validator of its own, found none".to_owned()));
            }
            OutputValidator::Default => {
                let parse = |test_case: &judge_model::TestCase| {
                    CompareOptions::parse(&test_case.output_validator_args.all, problem.format)
                        .map_err(|error| format!("test case `{}`: {error}", test_case.id))
                };
                let options: Result<Vec<_>, String> = problem.test_cases.iter().map(parse).collect();
                return Ok(options.map(|options| Arc::new(Judgement::Default(options))));
            }
            OutputValidator::Custom(validators)
                if validators.len() > 1 && (problem.interactive || problem.passes > 1) =>
            {
                return Ok(Err(format!(
                    "expected one output validator in a problem that is interactive or has several passes, found {}",
                    validators.len()
                )));
            }
            OutputValidator::Custom(validators) => validators,
        };
        let mut ready = Vec::with_capacity(validators.len());
        for validator in validators {
            match self.ready(validator, "output validator", &problem, cancel)? {
                Ok(program) => ready.push(program),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(Arc::new(Judgement::Custom(ready))))
    }

    /// Makes a program of the package ready to run; the error in words is the package's fault. `role` says what it is.
    fn ready(
        &mut self,
        program: &Program,
        role: &str,
        problem: &Problem,
        cancel: &CancelToken,
    ) -> Result<Result<Arc<Runnable>, String>, RunnerError> {
        let tools = &self.shared.tools;
        make_ready(&mut self.compiler(cancel.clone()), tools, program, role, problem)
    }
}
