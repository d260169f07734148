//! The sandbox: runs one program under limits, apart from the host and from every other run.
//!
//! Responsible for starting, limiting, watching, killing and measuring process trees, and for saying honestly how much
//! isolation this host allows. Must not know problems, test cases or verdicts: it records who ended a program and why,
//! and `judge-grading` decides what that means.

mod cancel;
#[cfg(target_os = "linux")]
mod channel;
#[cfg(target_os = "linux")]
mod conversation;
#[cfg(target_os = "linux")]
mod counter;
#[cfg(target_os = "linux")]
mod dbus;
mod error;
#[cfg(target_os = "linux")]
mod exchange;
mod execution;
#[cfg(target_os = "linux")]
mod flow;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod harvest;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod late;
#[cfg(target_os = "linux")]
mod line;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod messages;
#[cfg(target_os = "linux")]
mod name;
#[cfg(target_os = "linux")]
mod party;
#[cfg(target_os = "linux")]
mod pump;
#[cfg(target_os = "linux")]
mod relay;
#[cfg(target_os = "linux")]
mod scope;
#[cfg(target_os = "linux")]
mod scratch;
#[cfg(target_os = "linux")]
mod sight;
#[cfg(target_os = "linux")]
mod slot;
#[cfg(target_os = "linux")]
mod step;
#[cfg(target_os = "linux")]
mod unconfined;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod wipe;
#[cfg(target_os = "linux")]
mod wire;
#[cfg(target_os = "linux")]
mod zygote;
#[cfg(target_os = "linux")]
mod zygote_process;

pub use cancel::CancelToken;
#[cfg(target_os = "linux")]
pub use conversation::{Conversation, First, Listener, Partner, Side, converse};
#[cfg(target_os = "linux")]
pub use counter::can_count_instructions;
pub use error::{Attempt, SandboxError};
pub use execution::{Bind, Capture, Execution, Finished, Input, Layout, Mount, RunLimits, SlotSpec, Work};
#[cfg(target_os = "linux")]
pub use harvest::{Copied, CopyLimits, HarvestError, copy_tree, names_in, read_file};
#[cfg(target_os = "linux")]
pub use late::LateSandbox;
#[cfg(target_os = "linux")]
pub use line::Line;
#[cfg(target_os = "linux")]
pub use linux::{LinuxSandbox, has_landlock, sweep};
#[cfg(target_os = "linux")]
pub use zygote::serve_if_zygote;

use judge_model::Isolation;

/// A host's ability to run programs apart. One per `judge` process; it hands out slots.
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

/// A place in which one program at a time runs. Dropping it leaves no process, mount or control group behind.
pub trait Slot: Send {
    /// Where programs of this slot find what they are given; it never changes.
    fn layout(&self) -> &Layout {
        Layout::fixed()
    }

    /// Runs a program to its end and collects what it wrote into `capture` (which is cleared first, so that its
    /// buffers can be used again and again).
    ///
    /// Blocks until every process of the run is dead.
    ///
    /// # Errors
    /// Only for faults of the host or of the sandbox itself; nothing that a program does is an error here.
    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, SandboxError>;
}
