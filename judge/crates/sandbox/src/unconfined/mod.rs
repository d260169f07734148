//! The level `none`: trusted programs, started and limited but not kept apart.
//!
//! Must not be mistaken for a sandbox: a program sees and can do everything that its user can.

pub(crate) mod launcher;
mod own_copy;
pub(crate) mod slot;
