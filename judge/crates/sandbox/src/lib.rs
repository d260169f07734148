//! The sandbox: runs one program under limits, isolated from the host and from every other run.
//!
//! Responsible for starting, limiting, watching, killing and measuring process trees, and for
//! reporting how much isolation this host provides. Must not know problems, test cases or verdicts:
//! it records what ended a program and why, and `judge-grading` decides what that means.
//!
//! # Example
//!
//! ```standalone_crate
//! use std::time::Duration;
//!
//! use judge_model::{IsolationLevel, Termination};
//! use judge_sandbox::{CancelToken, Capture, Execution, Input, LinuxSandbox, RunLimits, Sandbox, SlotSpec, Work};
//!
//! // The sandbox starts this program again as its helper.
//! if judge_sandbox::serve_if_zygote().is_some() {
//!     return Ok(());
//! }
//! let sandbox = LinuxSandbox::open(Some(IsolationLevel::None))?;
//! let mut slot = sandbox.slot(&SlotSpec::default())?;
//! let limits = RunLimits {
//!     cpu_time: Duration::from_secs(2),
//!     wall_time: Duration::from_secs(9),
//!     memory_bytes: 64 << 20,
//!     stdout_bytes: 1 << 10,
//!     stderr_bytes: 1 << 10,
//!     processes: 1,
//! };
//! let args = vec!["/bin/echo".into(), "hello".into()];
//! let execution = Execution::new(args, limits, CancelToken::new()?);
//! let mut capture = Capture::default();
//! let finished = slot.run(&execution, &mut capture)?;
//! assert_eq!(finished.outcome.termination, Termination::Exited { code: 0 });
//! assert_eq!(capture.stdout, b"hello\n");
//! # Ok::<(), judge_sandbox::SandboxError>(())
//! ```

#[cfg(not(target_os = "linux"))]
compile_error!("the sandbox requires Linux");

mod cancel;
mod clock;
mod error;
mod execution;
mod group;
mod harness;
mod host_program;
mod kernel;
mod lazy;
mod levels;
mod linux;
mod numbered;
mod open;
mod proc;
mod protocol;
mod reexec;
mod relay;
mod shortage;
mod streams;
mod trees;
mod unconfined;
mod warm;
mod zygote;

pub use cancel::CancelToken;
pub use error::{Attempt, SandboxError};
pub use execution::{
    Bind, Capture, Execution, Finished, Input, Layout, Mount, RunLimits, SlotSpec, Work,
};
pub use harness::slot::replaced_helpers;
pub use harness::zygote_process::{abandoned_helpers, kill_helpers};
pub use host_program::{
    AnswerBounds, host_answer, host_environment, host_program, programs_in_path,
};
pub use lazy::LazySandbox;
pub use levels::ceilings::{check_host, check_usual_processes, permitted_processes};
pub use linux::{LinuxSandbox, covered_directories, has_landlock, sweep};
#[cfg(feature = "fuzzing")]
pub use protocol::fuzzing::{message_head, read_message};
pub use reexec::serve_if_zygote;
pub use relay::conversation::{Conversation, First, Listener, Partner};
pub use relay::converse::{Side, converse};
pub use streams::duplex::Duplex;
pub use trees::copy::{
    CopyLimits, CopyTotals, HarvestError, copy_tree, is_full, names_in, read_file,
};
pub use warm::{LINK_FLAGS, NotWarm, SHIM, WarmRefused, WarmStart};

/// Makes writing beyond the limit for files (`RLIMIT_FSIZE`) fail (`EFBIG`) instead of ending this
/// process, so that unfinished files can be removed. Programs in the sandbox are not affected.
pub fn survive_file_size_limit() {
    kernel::ignore_signal(libc::SIGXFSZ, true);
}

use judge_model::Isolation;

/// Runs programs in isolation on this host. One per `judge` process; it hands out slots.
///
/// A trait, so that the runner's logic can be tested with a stand-in that starts no process.
pub trait Sandbox: Send + Sync {
    /// The isolation that every run will have.
    fn isolation(&self) -> &Isolation;

    /// Opens a slot: a place in which one program at a time runs.
    ///
    /// # Errors
    /// When the host refuses what the isolation level needs, or when a mount's source is missing.
    fn slot(&self, spec: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError>;
}

/// A place in which one program at a time runs. Dropping it leaves no process, mount or control
/// group behind.
pub trait Slot: Send {
    /// The layout of this slot: the paths at which its programs find the files that they are given.
    /// It never changes.
    fn layout(&self) -> &Layout {
        Layout::fixed()
    }

    /// Runs a program to its end and collects its output in `capture` (which is cleared first, so
    /// that its buffers can be reused).
    ///
    /// Blocks until every process of the run is dead.
    ///
    /// # Errors
    /// Only for faults of the host or of the sandbox itself; nothing that a program does is an
    /// error here.
    fn run(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, SandboxError>;

    /// Warms a program: starts it as [`run`](Self::run) would, but without input, and stops it at
    /// its `main`. It must be built for that ([`Execution::warm`]). The next ordinary run of the
    /// slot ends it.
    ///
    /// The result of a warm run must never be a verdict: some of its inputs were fixed when the
    /// program was started, such as the order of a hash table, and what a run does before `main` is
    /// done only once.
    ///
    /// # Errors
    /// [`NotWarm::Refused`] where only ordinary runs are possible; all other errors as for
    /// [`run`](Self::run).
    fn warm(&mut self, _execution: &Execution) -> Result<(), NotWarm> {
        Err(NotWarm::Refused(WarmRefused::Level))
    }

    /// Runs the warm program from `main` on. Arguments, standard input, limits and the token are
    /// those of `execution`; everything else is fixed since warming.
    ///
    /// # Errors
    /// [`NotWarm::Refused`] if an ordinary run must follow, because the result of this one is
    /// unknown. All other errors as for [`run`](Self::run).
    fn run_warm(
        &mut self,
        _execution: &Execution,
        _capture: &mut Capture,
    ) -> Result<Finished, NotWarm> {
        Err(NotWarm::Refused(WarmRefused::NotWarm))
    }

    /// Announces that the next warm run is of another program than those before, in an interpreter
    /// that both share ([`WarmStart::SharedPython`]). The run is refused if an earlier one has left
    /// something that it could notice.
    fn expect_other_program(&mut self) {}
}
