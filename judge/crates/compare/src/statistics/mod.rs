//! Statistics: from numbers to ratios, how sure they are, and what follows.
//!
//! Pure. Must not know how anything was measured or where it is told.

pub(crate) mod conclusion;
pub(crate) mod estimate;
pub(crate) mod gate;
pub(crate) mod growth;
pub(crate) mod placement;
pub(crate) mod steps;
