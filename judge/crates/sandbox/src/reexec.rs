//! The helper processes, which are this program, started again.
//!
//! Responsible for recognizing one by the name that it was called by. Must not know what it does.

use std::process::ExitCode;

use crate::protocol::{LAUNCHER_NAME, ZYGOTE_NAME};
use crate::{unconfined, zygote};

/// Serves as a helper process if this process was started as one; the first thing that `main` has
/// to call. `None` means that it was not, and that the program goes on as usual.
#[must_use]
pub fn serve_if_zygote() -> Option<ExitCode> {
    // The name decides, and not an argument: arguments of the harness come from the user.
    let name = std::env::args_os().next()?;
    if name == LAUNCHER_NAME {
        return Some(unconfined::launcher::launch());
    }
    if name == ZYGOTE_NAME {
        zygote::serve_on_stdin()
    } else {
        None
    }
}
