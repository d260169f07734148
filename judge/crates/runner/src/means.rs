//! What long work on submissions is carried out with.
//!
//! Must not know what the work is.

use std::sync::Arc;

use judge_sandbox::{CancelToken, Sandbox};

use crate::toolchain::Toolchains;

/// With what work of many runs, such as a comparison, is carried out.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Those that the languages of the submissions and of the package's programs need.
    pub toolchains: &'a Toolchains,
    /// Where programs run.
    pub sandbox: &'a Arc<dyn Sandbox>,
    /// Ends it early.
    pub cancel: &'a CancelToken,
}
