//! Files of test data: what would change, and putting it in place as a whole.
//!
//! Must not know how the data was made.

pub(crate) mod changes;
pub(crate) mod duplicates;
pub(crate) mod lock;
pub(crate) mod place;
pub(crate) mod reading;
