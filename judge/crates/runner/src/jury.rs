//! The jury's programs without any submission: asking input and output validators about data.
//!
//! Responsible for what checking, generating and completing packages need of the runner. Must not know what an answer
//! means for a package.
//!
//! Source: package format, "Input Validators" and "Output Validators".

use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_checktestdata::CheckError;
use judge_event::{Bytes, Excerpt};
use judge_grading::{
    CompareOptions, Comparison, InputValidatorDecision, TestLimits, ValidatorDecision, classify_input_validator,
    compare, head_and_tail,
};
use judge_model::{FormatVersion, OutputValidator, Problem, Program, TestCase};
use judge_sandbox::{CancelToken, Capture, Execution, Input, Mount, RunLimits, Sandbox, Slot, SlotSpec, Work};

use crate::RunnerError;
use crate::bounds::{self};
use crate::cache::ProgramCache;
use crate::compile::Compiler;
use crate::judging::program_bind;
use crate::late_slot::LateSlot;
use crate::program::{Runnable, environment};
use crate::questions::{Data, InputQuestion, InputReply, OutputQuestion, OutputReply};
use crate::ready::{Tools, make_ready};
use crate::test_files::TestFiles;
use crate::toolchain::Toolchains;
use crate::validating::{Question, Validating};

/// The language of programs that are interpreted in process.
const CHECKTESTDATA: &str = "checktestdata";
/// Input validators are not limited by the format (2025-09, "Limits"); these keep a faulty one from running for ever.
const INPUT_TIME: Duration = Duration::from_secs(60);
const INPUT_MEMORY: u64 = 2 << 30;
const INPUT_OUTPUT: u64 = 1 << 20;
const INPUT_FILES: u64 = 4096;
const PROCESSES: u32 = 64;
/// What is kept of what a validator wrote.
const SAID: usize = 2 << 10;

/// What the validators of packages are run with. Shared by any number of threads, each with a [`Desk`] of its own.
pub struct Jury {
    pub(crate) tools: Tools,
    mounts: Vec<Mount>,
    pub(crate) cache: ProgramCache,
    test_files: TestFiles,
    sandbox: Arc<dyn Sandbox>,
    packages: Vec<PathBuf>,
    pub(crate) cancel: CancelToken,
}

/// A thread's place to run validators in.
pub struct Desk<'a> {
    jury: &'a Jury,
    compilers: Option<Box<dyn Slot>>,
    validators: Option<Box<dyn Slot>>,
    makers: Option<Box<dyn Slot>>,
}

/// An input validator, ready to be asked.
#[derive(Clone, Debug)]
pub struct ReadyInputValidator(Arc<ReadyInput>);

#[derive(Debug)]
enum ReadyInput {
    Program(Arc<Runnable>),
    Checktestdata(judge_checktestdata::Program),
}

/// The output validators of a problem, ready to be asked.
#[derive(Clone, Debug)]
pub struct ReadyOutputValidators(ReadyOutput);

#[derive(Clone, Debug)]
enum ReadyOutput {
    Default(FormatVersion),
    /// With whether the problem has scores.
    Custom(Vec<Arc<Runnable>>, bool),
}

impl Jury {
    /// Makes everything ready to run validators of these packages (directories). The toolchains must be those that
    /// their languages need ([`Plan::languages`](crate::Plan::languages)); `cancel` ends everything early.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn open(
        toolchains: &Toolchains,
        sandbox: Arc<dyn Sandbox>,
        cache_dir: &Path,
        packages: &[PathBuf],
        cancel: CancelToken,
    ) -> Result<Self, RunnerError> {
        let resolved = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        Ok(Self {
            tools: Tools::new(toolchains),
            mounts: toolchains.mounts(),
            cache: ProgramCache::open(cache_dir)?,
            test_files: TestFiles::default(),
            sandbox,
            packages: packages.iter().map(resolved).collect(),
            cancel,
        })
    }

    /// The directories that validators may be given parts of.
    fn depots(&self) -> Vec<PathBuf> {
        let own = [self.cache.programs(), self.cache.staging()].map(Path::to_owned);
        own.into_iter().chain(self.packages.iter().cloned()).collect()
    }

    /// A place for one thread. Its slots are opened when they are first needed.
    #[must_use]
    pub fn desk(&self) -> Desk<'_> {
        Desk { jury: self, compilers: None, validators: None, makers: None }
    }
}

impl ReadyOutputValidators {
    /// Whether they may give scores.
    pub(crate) fn scoring(&self) -> bool {
        matches!(self.0, ReadyOutput::Custom(_, true))
    }

    /// The package's own programs; `None` for the default one.
    pub(crate) fn programs(&self) -> Option<&[Arc<Runnable>]> {
        match &self.0 {
            ReadyOutput::Default(_) => None,
            ReadyOutput::Custom(programs, _) => Some(programs),
        }
    }
}

/// A slot, opened unless it is open.
fn open<'s>(
    slot: &'s mut Option<Box<dyn Slot>>,
    jury: &Jury,
    depots: Vec<PathBuf>,
) -> Result<&'s mut dyn Slot, RunnerError> {
    let opened = match slot.take() {
        Some(opened) => opened,
        None => {
            let view = jury.mounts.clone();
            jury.sandbox.slot(&SlotSpec { view, depots, core: None, single_process: false })?
        }
    };
    Ok(slot.insert(opened).as_mut())
}

/// A desk's slot for compilers.
struct CompilerSlot<'s> {
    slot: &'s mut Option<Box<dyn Slot>>,
    jury: &'s Jury,
}

impl LateSlot for CompilerSlot<'_> {
    fn open(&mut self) -> Result<&mut dyn Slot, RunnerError> {
        open(self.slot, self.jury, vec![self.jury.cache.staging().to_owned()])
    }
}

impl<'a> Desk<'a> {
    pub(crate) fn jury(&self) -> &'a Jury {
        self.jury
    }

    pub(crate) fn compiler(&mut self) -> Compiler<'_> {
        let jury = self.jury;
        let slot = CompilerSlot { slot: &mut self.compilers, jury };
        Compiler { cache: &jury.cache, slot: Box::new(slot), cancel: jury.cancel.clone() }
    }

    pub(crate) fn compiled(
        &mut self,
        program: &Program,
        role: &str,
        problem: &Problem,
    ) -> Result<Result<Arc<Runnable>, String>, RunnerError> {
        let jury = self.jury;
        make_ready(&mut self.compiler(), &jury.tools, program, role, problem)
    }

    /// Where programs run that make test data: nothing of the package is in their reach.
    pub(crate) fn makers(&mut self) -> Result<&mut dyn Slot, RunnerError> {
        let jury = self.jury;
        open(&mut self.makers, jury, vec![jury.cache.programs().to_owned()])
    }

    pub(crate) fn validators(&mut self) -> Result<&mut dyn Slot, RunnerError> {
        open(&mut self.validators, self.jury, self.jury.depots())
    }

    /// Both at once, for a solution that talks with an output validator.
    pub(crate) fn maker_and_validator(&mut self) -> Result<[&mut dyn Slot; 2], RunnerError> {
        let jury = self.jury;
        let maker = open(&mut self.makers, jury, vec![jury.cache.programs().to_owned()])?;
        Ok([maker, open(&mut self.validators, jury, jury.depots())?])
    }

    /// What lies in the working directory on a test case, copied into the cache.
    pub(crate) fn copied_files(&self, test_case: &TestCase) -> Result<Option<PathBuf>, RunnerError> {
        let jury = self.jury;
        test_case.files.as_ref().map(|files| jury.test_files.copy_of(files, &jury.cache)).transpose()
    }

    /// Makes an input validator ready: compiles it, or reads it if it is a checktestdata program. The inner error, in
    /// words and with what the compiler said, is the package's fault.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn input_validator(
        &mut self,
        problem: &Problem,
        program: &Program,
    ) -> Result<Result<ReadyInputValidator, String>, RunnerError> {
        let ready = if program.language.0 == CHECKTESTDATA {
            let source = std::fs::read(&program.path).map_err(RunnerError::io("read", &program.path))?;
            let source = crate::constants::fill_in(source, &problem.constants);
            judge_checktestdata::Program::parse(&source)
                .map(ReadyInput::Checktestdata)
                .map_err(|error| format!("the input validator `{}` cannot be read: {error}", program.name))
        } else {
            self.compiled(program, "input validator", problem)?.map(ReadyInput::Program)
        };
        Ok(ready.map(|ready| ReadyInputValidator(Arc::new(ready))))
    }

    /// Makes a problem's output validators ready, the default one or its own. The inner error, in words and with what
    /// the compiler said, is the package's fault.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn output_validators(
        &mut self,
        problem: &Problem,
    ) -> Result<Result<ReadyOutputValidators, String>, RunnerError> {
        let OutputValidator::Custom(programs) = &problem.output_validator else {
            return Ok(Ok(ReadyOutputValidators(ReadyOutput::Default(problem.format))));
        };
        let mut ready = Vec::with_capacity(programs.len());
        for program in programs {
            match self.compiled(program, "output validator", problem)? {
                Ok(program) => ready.push(program),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(ReadyOutputValidators(ReadyOutput::Custom(ready, problem.grading.scores()))))
    }

    /// Asks an input validator: `validator [args] < input`, exit code 42 accepts.
    ///
    /// # Errors
    /// Faults of the host; nothing that a validator does is one.
    pub fn ask_input(
        &mut self,
        validator: &ReadyInputValidator,
        question: &InputQuestion<'_>,
    ) -> Result<InputReply, RunnerError> {
        match &*validator.0 {
            ReadyInput::Checktestdata(program) => check(program, question.input),
            ReadyInput::Program(program) => {
                let jury = self.jury;
                let files = question.files.map(|files| jury.test_files.copy_of(files, &jury.cache)).transpose()?;
                let slot = self.validators()?;
                let execution = input_execution(program, question, files, slot, &jury.cancel)?;
                let limits = TestLimits {
                    cpu_time: execution.limits.cpu_time,
                    wall_time: execution.limits.wall_time,
                    memory_bytes: execution.limits.memory_bytes,
                    output_bytes: 2 * INPUT_OUTPUT,
                };
                let mut capture = Capture::default();
                let finished = slot.run(&execution, &mut capture)?;
                let said = if capture.stderr.is_empty() { &capture.stdout } else { &capture.stderr };
                let decision = classify_input_validator(&finished.outcome, &limits);
                Ok(InputReply { decision, said: tail(said), reached: Vec::new(), bounds: bounds::read(&finished) })
            }
        }
    }

    /// Asks a problem's output validators about an output that no submission wrote.
    ///
    /// # Errors
    /// Faults of the host; nothing that a validator does is one.
    pub fn ask_output(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
    ) -> Result<OutputReply, RunnerError> {
        let (programs, scoring) = match &validators.0 {
            ReadyOutput::Default(format) => return compare_output(*format, question),
            ReadyOutput::Custom(programs, scoring) => (programs, *scoring),
        };
        let OutputQuestion { limits, input, answer, args, output } = *question;
        let asked = Question { limits, input, answer, position: 0, args, output, earlier: None, scoring };
        let jury = self.jury;
        let validating = Validating { slot: self.validators()?, cache: &jury.cache, cancel: &jury.cancel };
        Ok(match validating.ask_all(programs, &asked)? {
            Some(reply) => OutputReply {
                decision: reply.decision,
                judge_message: reply.judge_message,
                score: reply.score,
                stderr: reply.stderr,
            },
            None => decided(ValidatorDecision::Cancelled),
        })
    }
}

fn check(program: &judge_checktestdata::Program, input: Data<'_>) -> Result<InputReply, RunnerError> {
    let bytes = match input {
        Data::Bytes(bytes) => bytes.to_vec(),
        Data::File(path) => std::fs::read(path).map_err(RunnerError::io("read", path))?,
    };
    let mut reached = Vec::new();
    let (decision, said) = match program.reach(&bytes) {
        Ok(found) => {
            reached = found;
            (InputValidatorDecision::Accepted, String::new())
        }
        Err(CheckError::Rejected(rejection)) => {
            (InputValidatorDecision::Rejected { how: "says no".to_owned() }, rejection.to_string())
        }
        Err(fault @ CheckError::Faulty(_)) => {
            (InputValidatorDecision::JudgeError { reason: format!("is faulty: {fault}") }, String::new())
        }
    };
    Ok(InputReply { decision, said: tail(said.as_bytes()), reached, bounds: Vec::new() })
}

fn input_execution(
    program: &Runnable,
    question: &InputQuestion<'_>,
    files: Option<PathBuf>,
    slot: &dyn Slot,
    cancel: &CancelToken,
) -> Result<Execution, RunnerError> {
    let layout = slot.layout();
    let mut args = program.command(INPUT_MEMORY, layout)?;
    args.extend(question.args.iter().map(OsString::from));
    let mut execution = Execution {
        program: PathBuf::from(&args[0]),
        args,
        env: environment(&program.toolchain.language, layout),
        stdin: match question.input {
            Data::Bytes(bytes) => Input::Bytes(bytes.into()),
            // Test cases may be links to others of the package.
            Data::File(path) => Input::File(path.canonicalize().map_err(RunnerError::io("resolve", path))?),
        },
        limits: RunLimits {
            cpu_time: INPUT_TIME,
            wall_time: INPUT_TIME * 2,
            memory_bytes: INPUT_MEMORY,
            stdout_bytes: INPUT_OUTPUT,
            stderr_bytes: INPUT_OUTPUT,
            processes: PROCESSES,
        },
        work: Work::Writable { bytes: INPUT_OUTPUT, files: INPUT_FILES },
        cwd: None,
        work_files: program.at_hand.then(|| program.files.clone()).into_iter().chain(files).collect(),
        binds: vec![program_bind(program)],
        proc_mounted: program.toolchain.language.needs_proc,
        keep_work: false,
        count_instructions: false,
        cancel: cancel.clone(),
    };
    if program.tells_bounds {
        bounds::ask(&mut execution, layout);
    }
    Ok(execution)
}

fn decided(decision: ValidatorDecision) -> OutputReply {
    OutputReply { decision, judge_message: Bytes::default(), score: None, stderr: Excerpt::default() }
}

/// The default output validator.
fn compare_output(format: FormatVersion, question: &OutputQuestion<'_>) -> Result<OutputReply, RunnerError> {
    let options = match CompareOptions::parse(&question.args.all, format) {
        Ok(options) => options,
        Err(error) => return Ok(decided(ValidatorDecision::JudgeError { reason: error.to_string() })),
    };
    let failed = || RunnerError::io("read", question.answer);
    let reader = BufReader::with_capacity(64 << 10, File::open(question.answer).map_err(failed())?);
    Ok(decided(match compare(&options, reader, question.output).map_err(failed())? {
        Comparison::Accepted => ValidatorDecision::Accepted,
        Comparison::Rejected(_) => ValidatorDecision::Rejected,
    }))
}

fn tail(said: &[u8]) -> Excerpt {
    let parts = head_and_tail(said, 0, SAID);
    Excerpt { head: Bytes::from(parts.head), left_out: parts.omitted as u64, tail: Bytes::from(parts.tail) }
}
