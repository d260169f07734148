//! Files of test data: comparing them, and putting changes in place in one transaction.
//!
//! Must not know how the data was generated.

pub(crate) mod changes;
pub(crate) mod duplicates;
pub(crate) mod lock;
pub(crate) mod place;
pub(crate) mod reading;
