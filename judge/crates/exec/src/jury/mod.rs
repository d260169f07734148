//! The package's own programs: output and input validators, static validators, graders, generators,
//! samples.
//!
//! Must not know what an answer means for a run.

pub(crate) mod grader;
pub(crate) mod limits;
pub(crate) mod next_pass;
pub(crate) mod output_validator;
pub(crate) mod reply;
pub(crate) mod static_validator;
pub(crate) mod testlib;
pub(crate) mod validator_requests;
pub(crate) mod visualizer;
