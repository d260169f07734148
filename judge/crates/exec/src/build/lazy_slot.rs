//! Slots that are opened when they are first needed.
//!
//! Responsible only for delaying the opening: it takes as long as several runs, and cached work
//! needs no slot. Must not know what is run in it.

use judge_sandbox::Slot;

use crate::ExecError;

/// A slot, open or to be opened.
pub(crate) trait LazySlot {
    /// The slot, opened unless it is open.
    fn open(&mut self) -> Result<&mut dyn Slot, ExecError>;
}
