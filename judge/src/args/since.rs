//! Options of the commands that can leave out what did not change.
//!
//! Responsible for names and help. What the words mean is decided in `crate::since`.

use clap::Args;

/// Leaving out what did not change.
#[derive(Debug, Default, Args)]
pub(crate) struct SinceArgs {
    /// Only problems that changed since this Git revision (`HEAD~1`), between two (`A..B`), or since a branch parted
    /// from another (`main...`): their files, their solutions, or judge.yaml
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
}
