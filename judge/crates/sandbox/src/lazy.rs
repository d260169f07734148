//! A sandbox that is opened with its first slot.
//!
//! Responsible for refusing any isolation but the expected one. Opening a sandbox tests what this
//! host allows, which takes longer than a command with only cached results. Must not know why a
//! certain isolation is expected.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use judge_model::{Isolation, IsolationLevel};

use crate::{LinuxSandbox, Sandbox, SandboxError, Slot, SlotSpec, levels::scratch};

/// A sandbox whose isolation is known from an earlier command on this host, under the same
/// circumstances.
pub struct LazySandbox {
    isolation: Isolation,
    demand: Option<IsolationLevel>,
    on_mismatch: Box<dyn Fn() + Send + Sync>,
    opened: Mutex<Option<Arc<LinuxSandbox>>>,
}

impl LazySandbox {
    /// Makes a sandbox that is expected to have this isolation once [`LinuxSandbox::open`] opens it
    /// with this `demand`. If it turns out to have another one, `on_mismatch` is called and no slot
    /// is ever opened.
    #[must_use]
    pub fn expecting(
        isolation: Isolation,
        demand: Option<IsolationLevel>,
        on_mismatch: Box<dyn Fn() + Send + Sync>,
    ) -> Self {
        Self {
            isolation,
            demand,
            on_mismatch,
            opened: Mutex::default(),
        }
    }

    /// Does the same as [`LinuxSandbox::closed_directory`].
    #[must_use]
    pub fn closed_directory(&self, path: &Path) -> Option<PathBuf> {
        scratch::closed_directory(self.isolation.level, path)
    }

    fn open(&self) -> Result<Arc<LinuxSandbox>, SandboxError> {
        // A thread that panicked cannot have left half a sandbox here.
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*opened {
            return Ok(Arc::clone(opened));
        }
        let found = LinuxSandbox::open(self.demand).inspect_err(|_| (self.on_mismatch)())?;
        if *found.isolation() != self.isolation {
            // The isolation has been reported already, so running at another one would make that
            // report wrong.
            (self.on_mismatch)();
            let (expected, found) = (
                Box::new(self.isolation.clone()),
                Box::new(found.isolation().clone()),
            );
            return Err(SandboxError::IsolationChanged { expected, found });
        }
        Ok(Arc::clone(opened.insert(Arc::new(found))))
    }
}

impl Sandbox for LazySandbox {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn slot(&self, spec: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
        self.open()?.slot(spec)
    }
}
