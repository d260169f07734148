//! Access to untrusted files on disk.
//!
//! Responsible for finding packages, listing directories, following links, unpacking archives, and
//! reading files up to a bound. Must not know what the files of a package mean.

pub(crate) mod archive;
pub(crate) mod bounded;
pub(crate) mod changing;
pub(crate) mod discovery;
pub(crate) mod entries;
pub(crate) mod links;
pub mod names;
pub(crate) mod sizes;
pub(crate) mod tree;
pub(crate) mod trust;
pub(crate) mod unpacked;
