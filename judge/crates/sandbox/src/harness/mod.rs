//! The harness's side of a slot: orders to a zygote, and its answers.
//!
//! Must not know how a zygote executes an order.

pub(crate) mod exchange;
mod paths;
pub(crate) mod slot;
mod warm;
pub(crate) mod zygote_process;
