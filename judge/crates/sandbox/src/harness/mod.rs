//! The harness's side of a slot: orders to a zygote, and what comes back.
//!
//! Must not know how a zygote carries out an order.

pub(crate) mod channel;
pub(crate) mod exchange;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
pub(crate) mod harvest;
pub(crate) mod messages;
pub(crate) mod pipe;
pub(crate) mod pump;
pub(crate) mod slot;
mod warm;
pub(crate) mod wire;
pub(crate) mod zygote_process;
