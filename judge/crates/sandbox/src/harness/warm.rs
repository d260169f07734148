//! Warm programs on the harness's side.
//!
//! Responsible for the checks that only the harness can make: of the requested execution, and of
//! the streams before `main`. Must not know how a zygote keeps a program.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Seek as _, Write as _};

use crate::harness::slot::{LinuxSlot, Order};
use crate::harness::zygote_process::Helper;
use crate::protocol::messages::Ending;
use crate::streams::stdin::{Source, sealed_file, source};
use crate::warm::PYTHON_START;
use crate::{
    Capture, Execution, Finished, NotWarm, SandboxError, Slot as _, WarmRefused, WarmStart,
};
use judge_model::IsolationLevel;

impl LinuxSlot {
    /// Warms a program.
    pub(super) fn warm_up(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        let refused = |reason| Err(NotWarm::Refused(reason));
        self.warm = None;
        // After a fault the slot has no helper, and only an ordinary run starts one. Without a
        // group that counts each run separately, the usage and remains of a single run would be
        // unknown.
        let counts = self.helper.as_ref().is_some_and(Helper::counts_runs);
        if self.host.isolation.level != IsolationLevel::Full || !counts {
            return refused(WarmRefused::Level);
        }
        let Some(start) = execution.warm else {
            return refused(WarmRefused::Execution);
        };
        if !execution.work_files.is_empty() {
            return refused(WarmRefused::Execution);
        }
        let execution = &waiting(execution, start);
        // One byte: its position shows whether the program has read it before `main`.
        let unread = sealed_file(|file| file.write_all(b"\n"))?;
        // Both descriptors refer to one open file and share its position (dup(2)).
        let mut input = File::from(
            unread
                .try_clone()
                .map_err(SandboxError::host("copy a descriptor"))?,
        );
        let mut capture = Capture::default();
        let found = self.exchange(
            Source::Descriptor(unread),
            execution,
            &mut capture,
            Order::Warm,
        )?;
        // The three checks below are about what happened before `main`: the next runs would not
        // repeat it.
        if found.report.ending != Ending::Warmed {
            return refused(found.report.cold.unwrap_or(WarmRefused::Ended));
        }
        if input
            .stream_position()
            .map_err(SandboxError::host("read the position in standard input"))?
            != 0
        {
            return refused(WarmRefused::InputRead);
        }
        if !(capture.stdout.is_empty() && capture.stderr.is_empty()) {
            return refused(WarmRefused::OutputWritten);
        }
        self.warm = Some(execution.clone());
        Ok(())
    }

    /// Runs the warm program.
    pub(super) fn run_again(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, NotWarm> {
        let run;
        let execution = match execution.warm.and_then(WarmStart::script) {
            // The arguments before the script belong to the interpreter.
            Some(script) => {
                let args = execution.args.iter().skip(script).cloned().collect();
                run = Execution {
                    args,
                    ..execution.clone()
                };
                &run
            }
            None => execution,
        };
        // Taken out until the run is over: after an error it is unknown what is left of the
        // program, so the slot must not count as warm.
        let Some(warmed) = self.warm.take() else {
            return Err(NotWarm::Refused(WarmRefused::NotWarm));
        };
        if !is_same_place(&warmed, execution) {
            self.warm = Some(warmed);
            return Err(NotWarm::Refused(WarmRefused::Execution));
        }
        let source = source(&self.spec, &execution.stdin, self.sees_proc(execution))?;
        let found = self.exchange(source, execution, capture, Order::RunWarm);
        self.is_other_program = false;
        let found = match found {
            Err(SandboxError::HelperEnded { .. }) => {
                return Err(NotWarm::Refused(WarmRefused::Ended));
            }
            found => found?,
        };
        match (found.report.ending, found.report.cold) {
            (Ending::Cold, cold) => Err(NotWarm::Refused(cold.unwrap_or(WarmRefused::NotWarm))),
            // The files were removed with the program.
            (_, Some(WarmRefused::FilesWritten)) if execution.keep_work => {
                Err(NotWarm::Refused(WarmRefused::FilesWritten))
            }
            (_, cold) => {
                self.warm = cold.is_none().then_some(warmed);
                Ok(found.finished(execution, self.layout())?)
            }
        }
    }
}

/// The execution that starts the program, to wait at `main`.
fn waiting(execution: &Execution, start: WarmStart) -> Execution {
    let mut waiting = execution.clone();
    let (script, scripts) = match start {
        WarmStart::Shim => return waiting,
        WarmStart::Python { script } => (script, 1),
        WarmStart::SharedPython { script } => (script, 0),
    };
    waiting.args.truncate(script + scripts);
    let script = script.min(waiting.args.len());
    waiting
        .args
        .splice(script..script, ["-c", PYTHON_START].map(OsString::from));
    waiting
}

/// True if an execution differs from the one with which a program was warmed only in the parts that
/// may change between runs.
fn is_same_place(warmed: &Execution, execution: &Execution) -> bool {
    let Execution { stdin, args, .. } = execution;
    place(warmed) == place(execution) && !args.is_empty() && stdin.line().is_none()
}

/// The parts of an execution that are fixed when a program is warmed. The memory limit is one of
/// them: the kernel lays out the stack by it at execve.
fn place(execution: &Execution) -> impl PartialEq {
    let files = (&execution.work, &execution.work_files, &execution.binds);
    let program = (&execution.program, &execution.env, &execution.cwd);
    let start = (execution.proc_mounted, &execution.warm);
    (files, program, start, execution.limits.memory_bytes)
}
