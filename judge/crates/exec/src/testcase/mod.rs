//! One submission on one test case: running it, in passes or in a conversation, and its result.
//!
//! Must not know the other test cases or their order.

pub(crate) mod difference;
pub(crate) mod execute;
pub(crate) mod files;
pub(crate) mod interaction;
pub(crate) mod load;
pub(crate) mod passes;
pub(crate) mod result;
pub(crate) mod sample_record;
pub(crate) mod test_run;
pub(crate) mod transcript;
