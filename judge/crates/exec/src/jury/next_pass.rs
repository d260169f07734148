//! The files that one pass leaves to the next one.
//!
//! Responsible for keeping them; must not know what they mean to a validator.
//!
//! Source: package format, "Multi-pass".

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use crate::ExecError;
use crate::fault::Fault;
use crate::jury::limits::copy_feedback;
use crate::store::programs::{ProgramCache, Stage, write_shared};

/// The input of the next pass, where a validator writes it.
pub(crate) const NEXT_INPUT: &str = "nextpass.in";

/// The files that a pass leaves to the next pass (2025-09, "Multi-pass"). They are removed with the
/// last clone.
#[derive(Clone, Debug)]
pub(crate) struct NextPass(Arc<Stage>);

impl NextPass {
    /// Takes the feedback directory, and moves `nextpass.in` out of it. It is the package's fault
    /// if anything in it cannot be kept.
    pub(crate) fn keep(
        cache: &ProgramCache,
        work: &OwnedFd,
        input: &[u8],
        max_bytes: u64,
    ) -> Result<Self, Fault> {
        let next_pass = Self(Arc::new(cache.stage()?));
        copy_feedback(work, &next_pass.feedback(), max_bytes).map_err(|error| {
            Fault::of_copying("the output validator's feedback cannot be kept", error)
        })?;
        // The next pass must not find its own input in the feedback directory: a validator that
        // writes none would seem to request another pass.
        let moved = next_pass.feedback().join(NEXT_INPUT);
        std::fs::remove_file(&moved).map_err(ExecError::io("remove", &moved))?;
        write_shared(&next_pass.input(), input, 0o644)?;
        Ok(next_pass)
    }

    /// The file with the input.
    pub(crate) fn input(&self) -> PathBuf {
        self.0.path.join(NEXT_INPUT)
    }

    /// The directory with the rest of the feedback directory.
    pub(crate) fn feedback(&self) -> PathBuf {
        self.0.path.join("feedback")
    }
}
