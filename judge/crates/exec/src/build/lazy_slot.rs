//! Slots that are opened when they are first needed.
//!
//! Responsible for nothing but the moment: opening one takes as long as several runs, and what was
//! done before needs none. Must not know what is run in it.

use judge_sandbox::Slot;

use crate::ExecError;

/// A slot, open or to be opened.
pub(crate) trait LazySlot {
    /// The slot, opened unless it is open.
    fn open(&mut self) -> Result<&mut dyn Slot, ExecError>;
}
