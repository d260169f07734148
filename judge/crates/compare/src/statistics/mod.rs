//! Statistics: ratios, their intervals, and conclusions.
//!
//! Pure. Must not know how anything was measured or where it is reported.

pub(crate) mod conclusion;
pub(crate) mod estimate;
pub(crate) mod gate;
pub(crate) mod placement;
pub(crate) mod steps;
