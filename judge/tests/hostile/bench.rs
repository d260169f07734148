//! Runs a case in slots like the judge's own.
//!
//! Responsible for the three kinds of slot, for executions like the runner's, and for the verdict.
//! Must not compare anything with expectations.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_exec::{ToolRestrictions, Toolchains};
use judge_grading::{Classification, TestLimits, ValidatorDecision, classify, classify_validator};
use judge_model::{IsolationLevel, Outcome, Verdict};
use judge_sandbox::{
    Bind, CancelToken, Capture, Execution, Finished, Input, Layout, LinuxSandbox, RunLimits,
    Sandbox, SandboxError, Slot, SlotSpec, Work, read_file,
};

use crate::case::{Case, Stage};
use crate::collecting::collect;
use crate::pattern;
use crate::programs::{self, Programs};

/// The binary under test, which is also the helper process of each slot.
const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

/// More memory than the canary uses, and less than any amount that is attributed to it by mistake.
/// Without control groups, a program starts with the peak of the helper process that it was forked
/// from, which `execve` does not reset (`ru_maxrss`, getrusage(2)). That peak grows with the binary
/// under test, which is built for debugging.
const CANARY_MEMORY: u64 = 16 << 20;
const CANARY_TIME: Duration = Duration::from_millis(100);

/// A sandbox at one level, with the slots that a worker of the judge has.
pub(crate) struct Bench<'a> {
    pub(crate) level: IsolationLevel,
    pub(crate) programs: &'a Programs,
    /// The tools that programs can reach at this level.
    toolchains: Toolchains,
    pub(crate) sandbox: LinuxSandbox,
    compilers: Box<dyn Slot>,
    submissions: Box<dyn Slot>,
    jury: Box<dyn Slot>,
    /// A name in the abstract namespace of sockets on which the suite listens.
    pub(crate) service: String,
    /// The factor by which the elapsed time limit of the next run is increased, because the host is
    /// busy.
    pub(crate) wall_factor: u32,
}

/// The result of a case.
pub(crate) struct CaseResult {
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    pub(crate) limits: RunLimits,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// The files that could be collected, or the reason why none could.
    pub(crate) kept: Option<Result<Vec<String>, String>>,
    pub(crate) message: Option<String>,
}

/// The demands on a slot other than limits.
struct Order {
    command: Vec<OsString>,
    binds: Vec<Bind>,
    stdin: Input,
    proc_mounted: bool,
    keep_work: bool,
}

pub(crate) fn open(level: IsolationLevel) -> Result<LinuxSandbox, SandboxError> {
    LinuxSandbox::with_zygote_program(Path::new(JUDGE), Some(level))
}

impl<'a> Bench<'a> {
    pub(crate) fn open(
        level: IsolationLevel,
        programs: &'a Programs,
        service: &str,
    ) -> Result<Self, SandboxError> {
        let sandbox = open(level)?;
        let mut toolchains = programs.toolchains.clone();
        let path = std::env::var_os("PATH").unwrap_or_default();
        toolchains.keep_reachable(
            &path,
            ToolRestrictions {
                closed: &|path| sandbox.closed_directory(path),
                private: &[],
                covered: &[],
                threads_only: false,
            },
        );
        let slot = |depots: &[&PathBuf], single_process| {
            sandbox.slot(&SlotSpec {
                view: toolchains.mounts(),
                depots: depots.iter().map(|depot| (*depot).clone()).collect(),
                single_process,
                ..SlotSpec::default()
            })
        };
        let compilers = slot(&[&programs.staged], false)?;
        let submissions = slot(&[&programs.built], true)?;
        let jury = slot(&[&programs.built, &programs.staged], false)?;
        Ok(Self {
            level,
            programs,
            toolchains,
            sandbox,
            compilers,
            submissions,
            jury,
            service: service.to_owned(),
            wall_factor: 1,
        })
    }

    /// The reason why a case cannot be run here: its tools are missing, or programs in the sandbox
    /// cannot reach them.
    pub(crate) fn missing(&self, case: &Case) -> Option<String> {
        let inside = case.stage == Stage::Compile || case.extension() == "py";
        let unreachable_tool = || {
            programs::toolchain(&self.toolchains, case.extension())
                .err()
                .filter(|_| inside)
        };
        self.programs.missing(case).or_else(unreachable_tool)
    }

    /// Runs a case once.
    pub(crate) fn run(
        &mut self,
        case: &Case,
        round: u32,
        stdout: Option<&str>,
        keep: bool,
    ) -> Result<CaseResult, String> {
        match case.stage {
            Stage::Run | Stage::Harness => {
                let order = self.submission(case, &self.programs.built.join(&case.name), keep)?;
                run_in_slot(
                    self.submissions.as_mut(),
                    case,
                    case.stage,
                    order,
                    (stdout, self.wall_factor),
                )
            }
            Stage::Compile => self.compile(case, round, stdout),
            Stage::Validator => self.validate(case),
        }
    }

    /// The output of the canary in all slots, or a description of the fault.
    pub(crate) fn canary(&mut self) -> Result<String, String> {
        let mut text = String::new();
        for (name, slot) in [
            ("submissions", &mut self.submissions),
            ("jury", &mut self.jury),
            ("compilers", &mut self.compilers),
        ] {
            let layout = slot.layout();
            let mut order = Order {
                command: vec![layout.program.join("main").into()],
                binds: vec![program_bind(&self.programs.built.join("canary"))],
                stdin: Input::Empty,
                proc_mounted: false,
                keep_work: false,
            };
            if name == "compilers" {
                // The slot of compilers has another depot.
                order.command = vec!["/usr/bin/env".into()];
                order.binds.clear();
            }
            let execution = execution(
                order,
                canary_limits(),
                Work::Writable {
                    bytes: 1 << 20,
                    files: 16,
                },
                layout,
            )?;
            let capture = run_canary(slot.as_mut(), &execution)
                .map_err(|why| format!("canary in the slot of the {name}: {why}"))?;
            let output = String::from_utf8_lossy(&capture.stdout);
            output
                .lines()
                .filter(|line| is_constant(self.level, line))
                .for_each(|line| {
                    text.push_str(line);
                    text.push('\n');
                });
        }
        Ok(text)
    }

    fn submission(&self, case: &Case, files: &Path, keep_work: bool) -> Result<Order, String> {
        let mut command = programs::run_command(&self.toolchains, case, self.submissions.layout());
        command.extend(self.arguments(case));
        let input: Vec<u8> = b"1 2 3\n"
            .iter()
            .copied()
            .cycle()
            .take(case.input_kib << 10)
            .collect();
        let stdin = Input::Bytes(input.into());
        Ok(Order {
            command,
            binds: vec![program_bind(files)],
            stdin,
            proc_mounted: case.proc,
            keep_work,
        })
    }

    fn arguments(&self, case: &Case) -> impl Iterator<Item = OsString> {
        let secret = self.programs.secret.display().to_string();
        case.args.iter().map(move |argument| {
            unescape(
                &argument
                    .replace("{secret}", &secret)
                    .replace("{abstract}", &self.service),
            )
        })
    }

    fn compile(
        &mut self,
        case: &Case,
        round: u32,
        stdout: Option<&str>,
    ) -> Result<CaseResult, String> {
        let (command, source) =
            self.programs
                .stage(&self.toolchains, case, round, self.compilers.layout())?;
        let binds = vec![program_bind(&source)];
        let order = Order {
            command,
            binds,
            stdin: Input::Empty,
            proc_mounted: true,
            keep_work: true,
        };
        let name = format!("{}-{round}", case.name);
        let files = self.programs.built.join(&name);
        let mut compiled = compile_into(
            self.compilers.as_mut(),
            case,
            order,
            &files,
            self.wall_factor,
        )?;
        if compiled.verdict != Verdict::Accepted {
            compiled.verdict = Verdict::CompileError;
            return Ok(compiled);
        }
        // Output of a compiler that the kernel cannot start is the submission's fault, too.
        let order = self.submission(case, &files, false)?;
        match run_in_slot(
            self.submissions.as_mut(),
            case,
            Stage::Run,
            order,
            (stdout, self.wall_factor),
        ) {
            Ok(mut done) => {
                done.stderr.extend(compiled.stderr);
                Ok(done)
            }
            Err(error) if error.starts_with("cannot start") => {
                compiled.verdict = Verdict::CompileError;
                compiled.stderr.extend(error.into_bytes());
                Ok(compiled)
            }
            Err(error) => Err(error),
        }
    }

    fn validate(&mut self, case: &Case) -> Result<CaseResult, String> {
        let mut binds = vec![program_bind(&self.programs.built.join(&case.name))];
        for name in ["input", "answer"] {
            let source = self.programs.staged.join(name);
            binds.push(Bind {
                source,
                target: Path::new("/judge").join(name),
            });
        }
        let layout = self.jury.layout();
        let mut command = programs::run_command(&self.toolchains, case, layout);
        command.extend(["input", "answer"].map(|name| layout.judge.join(name).into_os_string()));
        // With a slash at the end.
        command.push(layout.work.join("").into_os_string());
        command.extend(self.arguments(case));
        let stdin = Input::Bytes(b"output\n".as_slice().into());
        let order = Order {
            command,
            binds,
            stdin,
            proc_mounted: false,
            keep_work: true,
        };
        run_in_slot(
            self.jury.as_mut(),
            case,
            Stage::Validator,
            order,
            (None, self.wall_factor),
        )
    }

    /// An execution of a case, to be run in a separate slot.
    pub(crate) fn alone(
        &self,
        case: &Case,
        marker: &str,
    ) -> Result<(Box<dyn Slot>, Execution), String> {
        let spec = SlotSpec {
            depots: vec![self.programs.built.clone()],
            ..SlotSpec::default()
        };
        let slot = self
            .sandbox
            .slot(&spec)
            .map_err(|error| error.to_string())?;
        let execution = execution_with(
            &self.programs.built.join(&case.name),
            case,
            marker,
            slot.layout(),
        )?;
        Ok((slot, execution))
    }
}

/// A run of a compiled case that can be recognised among the host's processes by an argument.
pub(crate) fn execution_with(
    files: &Path,
    case: &Case,
    marker: &str,
    layout: &Layout,
) -> Result<Execution, String> {
    let order = Order {
        command: vec![layout.program.join("main").into(), marker.into()],
        binds: vec![program_bind(files)],
        stdin: Input::Empty,
        proc_mounted: false,
        keep_work: false,
    };
    execution(
        order,
        case.limits.run_limits(case.stage),
        case.limits.work(case.stage),
        layout,
    )
}

/// True when this line of the canary is the same in every run at a level.
fn is_constant(level: IsolationLevel, line: &str) -> bool {
    match level {
        IsolationLevel::Full | IsolationLevel::Namespaces => true,
        // The host's numbers of processes, and the limit on their number (RLIMIT_NPROC), which
        // includes the present processes of the caller's user.
        IsolationLevel::User => !line.starts_with("process "),
        _ => !line.starts_with("process ") && !line.starts_with("limit 6 "),
    }
}

fn program_bind(files: &Path) -> Bind {
    Bind {
        source: files.to_owned(),
        target: "/program".into(),
    }
}

/// Runs the canary, and repeats it once if it was only slow: a host that was suspended for a moment
/// may count that as CPU time, but rarely twice in a row.
fn run_canary(slot: &mut dyn Slot, execution: &Execution) -> Result<Capture, String> {
    let mut slow = String::new();
    for _ in 0..2 {
        let mut capture = Capture::default();
        let outcome = slot
            .run(execution, &mut capture)
            .map_err(|error| error.to_string())?
            .outcome;
        if !outcome.is_clean_exit() || outcome.usage.memory_bytes > CANARY_MEMORY {
            return Err(format!("{outcome:?}"));
        }
        if outcome.usage.cpu_time <= CANARY_TIME {
            return Ok(capture);
        }
        slow = format!("{outcome:?}");
    }
    Err(slow)
}

/// Limits that suffice for the canary on the busiest host.
fn canary_limits() -> RunLimits {
    let second = Duration::from_secs(1);
    RunLimits {
        cpu_time: second,
        wall_time: 10 * second,
        memory_bytes: 64 << 20,
        stdout_bytes: 1 << 16,
        stderr_bytes: 1 << 16,
        processes: 16,
    }
}

fn execution(
    order: Order,
    limits: RunLimits,
    work: Work,
    layout: &Layout,
) -> Result<Execution, String> {
    let (home, temporary) = (
        format!("HOME={}", layout.work.display()),
        format!("TMPDIR={}", layout.tmp.display()),
    );
    let environment = [
        "PATH=/usr/local/bin:/usr/bin:/bin",
        &home,
        &temporary,
        "LANG=C.UTF-8",
    ];
    Ok(Execution {
        program: order.command.first().map(PathBuf::from).unwrap_or_default(),
        args: order.command,
        env: environment.map(OsString::from).into(),
        stdin: order.stdin,
        limits,
        work,
        cwd: None,
        work_files: Vec::new(),
        binds: order.binds,
        proc_mounted: order.proc_mounted,
        keep_work: order.keep_work,
        warm: None,
        cancel: CancelToken::new().map_err(|error| error.to_string())?,
    })
}

/// Runs and classifies. Kept files are only listed.
fn run_in_slot(
    slot: &mut dyn Slot,
    case: &Case,
    stage: Stage,
    order: Order,
    (stdout, wall_factor): (Option<&str>, u32),
) -> Result<CaseResult, String> {
    let (mut done, work) = run(slot, case, stage, order, wall_factor)?;
    let stdout = stdout.map(|stdout| pattern::placed(stdout, slot.layout()));
    if stage == Stage::Validator {
        let message =
            work.and_then(|work| read_file(&work, Path::new("judgemessage.txt"), 1 << 16).ok());
        done.message = message.map(|message| String::from_utf8_lossy(&message).into_owned());
        done.verdict = match classify_validator(&done.outcome, &test_limits(&done.limits)) {
            ValidatorDecision::Accepted => Verdict::Accepted,
            ValidatorDecision::Rejected => Verdict::WrongAnswer,
            ValidatorDecision::JudgeError { .. } => Verdict::JudgeError,
            ValidatorDecision::Cancelled => return Err("cancelled without a request".to_owned()),
        };
        return Ok(done);
    }
    if let Some(work) = work {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        done.kept = Some(collect(&work, &directory.path().join("kept")));
    }
    if done.verdict == Verdict::Accepted
        && stdout.is_some_and(|stdout| !pattern::matches(&stdout, &done.stdout))
    {
        done.verdict = Verdict::WrongAnswer;
    }
    Ok(done)
}

/// Runs a compiler and collects its output in `destination`. A clean exit counts as accepted if the
/// output can be collected.
fn compile_into(
    slot: &mut dyn Slot,
    case: &Case,
    order: Order,
    destination: &Path,
    wall_factor: u32,
) -> Result<CaseResult, String> {
    let (mut done, work) = run(slot, case, Stage::Compile, order, wall_factor)?;
    if let (Verdict::Accepted, Some(work)) = (done.verdict, work) {
        let kept = collect(&work, destination);
        if kept.is_err() {
            done.verdict = Verdict::CompileError;
        }
        done.kept = Some(kept);
    }
    Ok(done)
}

fn run(
    slot: &mut dyn Slot,
    case: &Case,
    stage: Stage,
    order: Order,
    wall_factor: u32,
) -> Result<(CaseResult, Option<OwnedFd>), String> {
    let mut limits = case.limits.run_limits(stage);
    limits.wall_time *= wall_factor;
    let execution = execution(order, limits, case.limits.work(stage), slot.layout())?;
    let mut capture = Capture::default();
    let Finished { outcome, work, .. } = slot
        .run(&execution, &mut capture)
        .map_err(|error| error.to_string())?;
    let limits = execution.limits;
    let verdict = match classify(&outcome, &test_limits(&limits)) {
        Classification::Verdict(verdict) => verdict,
        Classification::CompareOutput => Verdict::Accepted,
        Classification::Cancelled => return Err("cancelled without a request".to_owned()),
    };
    let Capture { stdout, stderr } = capture;
    Ok((
        CaseResult {
            verdict,
            outcome,
            limits,
            stdout,
            stderr,
            kept: None,
            message: None,
        },
        work,
    ))
}

fn test_limits(limits: &RunLimits) -> TestLimits {
    TestLimits {
        cpu_time: limits.cpu_time,
        wall_time: limits.wall_time,
        memory_bytes: limits.memory_bytes,
        output_bytes: limits.stdout_bytes,
    }
}

/// Replaces each `\xNN` by the byte, as in the names of collected files.
fn unescape(text: &str) -> OsString {
    let mut bytes = Vec::new();
    let mut parts = text.split("\\x");
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let number = part
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.extend(number);
        bytes.extend(part.bytes().skip(2));
    }
    OsString::from_vec(bytes)
}
