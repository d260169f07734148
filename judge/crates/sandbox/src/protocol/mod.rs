//! The protocol between the harness and its helper processes, which are the same program on two
//! sides of a privilege boundary.
//!
//! Responsible for everything that both sides must agree on. Must not know either side.

pub(crate) mod channel;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
pub(crate) mod messages;
pub(crate) mod step;
pub(crate) mod wire;

/// The name under which a zygote is started. It is not a secret and grants no privilege: any user
/// can start this program under that name. The process obeys its standard input, if that is a
/// suitable socket.
pub(crate) const ZYGOTE_NAME: &str = "judge-zygote";

/// The name under which the launcher of the level `none` is started. It limits itself and then
/// becomes the program to run.
pub(crate) const LAUNCHER_NAME: &str = "judge-launcher";
