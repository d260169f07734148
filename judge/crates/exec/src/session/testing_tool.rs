//! Testing tools: running the program with which contestants test a solution.
//!
//! Responsible for one run of the tool, which starts a solution and communicates with it. Must not
//! know what an exit code means for the tool.
//!
//! Source: BAPCtools, `check_testing_tool`: `testing_tool -f INPUT COMMAND...`, which exits with 0
//! for a correct solution.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::Excerpt;
use judge_model::{Limit, Limits, Problem, Program, Termination, signal_name};
use judge_sandbox::{CancelToken, Capture, Execution, Layout, RunLimits, Work};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::build::program::{Runnable, bind, environment};
use crate::fault::Fault;
use crate::session::generator::ReadyProgram;
use crate::session::worker::Worker;

/// The time of the tool and its solution together. Waiting counts too, because only this limit ends
/// a tool and a solution that wait for each other.
const MAX_TIME: Duration = Duration::from_secs(30);
const MAX_OUTPUT_BYTES: u64 = 8 << 20;
const MAX_FILES: u64 = 1024;
const MAX_PROCESSES: u32 = 128;
/// The largest part of a tool's output that is kept, in bytes.
const MAX_EXCERPT_BYTES: usize = 2 << 10;
/// The name by which the files of the tool are bound; `/program` is the solution.
const TOOL: &str = "/judge/tool";
const INPUT: &str = "/judge/input.in";

/// A testing tool, ready to be run.
#[derive(Clone, Debug)]
pub struct ReadyTestingTool(Arc<Runnable>);

/// The solution with which a testing tool communicates.
#[derive(Clone, Copy, Debug)]
pub enum ToolPartner<'a> {
    /// A submission.
    Solution(&'a ReadyProgram),
    /// A program that ends immediately with exit code 1 and writes nothing.
    Failing,
}

/// The end of a testing tool.
#[derive(Clone, Debug)]
pub struct ToolReply {
    /// The description of its failure; `None` for exit code 0.
    pub failure: Option<String>,
    /// The last part of its standard output.
    pub stdout: Excerpt,
    /// The last part of its standard error, to which the solution writes too.
    pub stderr: Excerpt,
    /// True when it was killed for its time.
    pub timed_out: bool,
}

impl Worker<'_> {
    /// Prepares a testing tool.
    ///
    /// # Errors
    /// Faults of the package, with the compiler's message, and of the host.
    pub fn testing_tool(
        &mut self,
        problem: &Problem,
        program: &Program,
    ) -> Result<ReadyTestingTool, Fault> {
        self.ready(program, "testing tool", problem, Trust::Content)
            .map(ReadyTestingTool)
    }

    /// Runs a testing tool with a solution on an input; `None` when that was cancelled.
    ///
    /// # Errors
    /// Faults of the host only; neither the tool nor the solution can cause one.
    pub fn run_testing_tool(
        &mut self,
        tool: &ReadyTestingTool,
        partner: ToolPartner<'_>,
        input: &Path,
        limits: &Limits,
    ) -> Result<Option<ToolReply>, ExecError> {
        let cancel = self.cancel.clone();
        let input = self.session.cache.readable(input)?;
        let slot = self.validators()?;
        let mut execution = execution(&tool.0, partner, limits, slot.layout(), cancel)?;
        execution.binds.push(bind(&input.path, INPUT));
        let mut capture = Capture::default();
        let finished = slot.run(&execution, &mut capture)?;
        tool.0.expect_whole()?;
        if let Termination::Cancelled = finished.outcome.termination {
            return Ok(None);
        }
        let layout = slot.layout();
        let tail = |text: &[u8]| Excerpt::new(&tool.0.shown(text, layout), 0, MAX_EXCERPT_BYTES);
        let (stdout, stderr) = (tail(&capture.stdout), tail(&capture.stderr));
        let termination = finished.outcome.termination;
        let timed_out = matches!(
            termination,
            Termination::Killed {
                limit: Limit::CpuTime | Limit::WallTime
            }
        );
        Ok(Some(ToolReply {
            failure: failure(termination),
            stdout,
            stderr,
            timed_out,
        }))
    }
}

/// Returns the run of a tool, with its files next to those of its solution.
fn execution(
    tool: &Runnable,
    partner: ToolPartner<'_>,
    limits: &Limits,
    layout: &Layout,
    cancel: CancelToken,
) -> Result<Execution, ExecError> {
    let mut args = vec![OsString::from("-f"), layout.place(Path::new(INPUT)).into()];
    let solution = match partner {
        ToolPartner::Solution(solution) => Some(&solution.runnable),
        ToolPartner::Failing => None,
    };
    match solution {
        Some(solution) => args.extend(solution.command(limits.memory_bytes, layout)?),
        None => args.push("/bin/false".into()),
    }
    let run_limits = RunLimits {
        cpu_time: MAX_TIME,
        wall_time: MAX_TIME,
        memory_bytes: limits.memory_bytes + limits.validation_memory_bytes,
        stdout_bytes: MAX_OUTPUT_BYTES,
        stderr_bytes: MAX_OUTPUT_BYTES,
        processes: MAX_PROCESSES,
    };
    // Both expect their files at one place, so those of the tool get another one.
    let own = Layout {
        program: layout.place(Path::new(TOOL)),
        ..layout.clone()
    };
    let mut execution = tool.execution(args, run_limits, &own, cancel)?;
    execution.binds = vec![bind(&tool.files, TOOL)];
    execution.work_files = tool.files_at_hand().into_iter().collect();
    execution.work = Work::Writable {
        bytes: MAX_OUTPUT_BYTES,
        files: MAX_FILES,
    };
    execution.warm = None;
    if let Some(solution) = solution {
        execution.binds.push(solution.bind());
        execution.work_files.extend(solution.files_at_hand());
        execution.proc_mounted |= solution.needs_proc;
        // The solution inherits the environment of the tool.
        let name = |text: &OsString| text.to_string_lossy().split('=').next().map(str::to_owned);
        for variable in environment(&solution.toolchain.language, layout) {
            if !execution
                .env
                .iter()
                .any(|known| name(known) == name(&variable))
            {
                execution.env.push(variable);
            }
        }
    }
    Ok(execution)
}

/// Describes how a tool failed; `None` for exit code 0.
fn failure(termination: Termination) -> Option<String> {
    match termination {
        Termination::Exited { code: 0 } => None,
        Termination::Exited { code } => Some(format!("exited with code {code}")),
        Termination::Signaled { signal } => Some(format!(
            "was killed by {}",
            signal_name(signal).map_or(format!("signal {signal}"), str::to_owned)
        )),
        Termination::Killed { limit } => Some(match limit {
            Limit::CpuTime | Limit::WallTime => {
                format!("did not finish within {} s", MAX_TIME.as_secs())
            }
            Limit::Memory => "used too much memory".to_owned(),
            Limit::Output => format!("wrote more than {} MiB", MAX_OUTPUT_BYTES >> 20),
        }),
        Termination::Cancelled => Some("was cancelled".to_owned()),
    }
}
