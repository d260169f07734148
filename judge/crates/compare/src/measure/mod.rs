//! Measuring: running submissions, and deciding how often.
//!
//! Responsible for rounds, starts and reruns, all on one worker. Must not draw conclusions from the
//! numbers.

pub(crate) mod calibration;
pub(crate) mod host_load;
pub(crate) mod reruns;
mod round_robin;
pub(crate) mod starting;
pub(crate) mod stopping;
pub(crate) mod timing;
