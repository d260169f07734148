//! The extent of a check: the parts of a package that are checked.

/// The extent of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Files only: nothing is run.
    Files,
    /// The package's own data, given to its validators and counted by directory.
    OwnData,
    /// Everything: files, and validators on the package's own data, on junk and on damaged data.
    Everything,
}
