//! Problem packages and workspaces: from disk into the model.
//!
//! Responsible for finding packages, reading them in every format version, and selecting what the user names. Must
//! not run anything, nor tell anything: what is wrong is returned, with its place.

mod archive;
pub mod code;
mod constants;
mod credits;
mod discovery;
mod error;
mod fields;
mod filter;
#[cfg(test)]
mod fixture;
mod format_languages;
mod generators;
mod head;
mod included;
mod java;
mod languages;
mod lint;
mod load;
mod metadata;
#[cfg(test)]
mod mutation_tests;
mod names;
mod nesting;
mod other_tools;
mod outside;
mod programs;
#[cfg(test)]
mod reading_tests;
mod samples;
mod select;
mod shell_words;
mod skeleton;
mod statements;
mod submissions;
mod suggest;
mod test_data;
mod tree;
mod unpacked;
mod validators;
mod workspace;
mod yaml;

pub use code::Code;
pub use constants::replace as fill_in_constants;
pub use credits::{Credits, Source};
pub use discovery::{discover, is_package};
pub use error::{ErrorKind, PackageError, PackageErrors, Position, Warning};
pub use filter::Filter;
pub use generators::{
    GENERATORS_FILE, GeneratedCase, GeneratedDirectory, GeneratedEntry, GeneratedRule, GeneratorSettings, Generators,
    Inserted, insert_case, read_generators, read_generators_text,
};
pub use languages::built_in_languages;
pub use lint::{CheckSettings, Checked, Finding, Profile, Silencing, UnknownProfile, check};
pub use load::{LoadedPackage, load, load_despite_data};
pub use outside::outside_submission;
pub use programs::program_at;
pub use samples::{ShownContent, ShownSample, ShownText, shown_samples};
pub use select::{SelectError, SelectedPackage, Selection, select};
pub use shell_words::shell_words;
pub use skeleton::{Skeleton, SkeletonError, SkeletonKind, skeleton};
pub use statements::{StatementFile, StatementImage, StatementKind, StatementText, statement_files, statement_texts};
pub use test_data::{ExtraCase, ExtraCases, InputValidatorArgs};
pub use workspace::{ReportFile, Workspace};
