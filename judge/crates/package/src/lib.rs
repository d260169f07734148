//! Problem packages and workspaces: from disk into the model.
//!
//! Responsible for finding packages, reading them in every format version, and selecting what the
//! user names. Must not run or print anything: faults are returned with their places.
//!
//! # Example
//!
//! ```
//! use judge_package::{Workspace, load};
//!
//! let directory = tempfile::tempdir()?;
//! std::fs::write(directory.path().join("problem.yaml"), "problem_format_version: 2025-09\ntype: pass-fale\n")?;
//! let workspace = Workspace::find(directory.path()).expect("a directory without `judge.yaml` is a workspace too");
//! let errors = load(directory.path(), &workspace).expect_err("`pass-fale` is not a type").to_string();
//! assert!(errors.contains("problem.yaml:2") && errors.contains("pass-fale"), "{errors}");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod code;
mod disk;
mod error;
#[cfg(test)]
mod fixture;
mod generators;
mod load;
mod metadata;
#[cfg(test)]
mod mutation_tests;
mod programs;
#[cfg(test)]
mod reading_tests;
mod schema;
mod skeleton;
mod statements;
mod submissions;
mod suggest;
mod test_data;
mod workspace;
pub mod yaml;

pub use code::Code;
pub use disk::archive::{UnpackError, holds_package, unpack_archive};
pub use disk::bounded::{
    BoundedFile, head, lies_within, open_within, read_in_package, read_text_within, read_within,
};
pub use disk::discovery::{MARKER as METADATA_FILE, is_package};
pub use disk::names;
pub use disk::names::{archive_stem, is_archive};
pub use disk::sizes::MAX_DATA_BYTES;
pub use disk::tree::invalid_name;
pub use error::{Finding, PackageErrors, Position};
pub use generators::{
    GENERATORS_FILE, GeneratedCase, GeneratedDirectory, GeneratedEntry, GeneratedRule,
    GeneratorSettings, Generators, InsertedCase, insert_case, read_generators,
    read_generators_text,
};
pub use load::{
    LoadedInPart, LoadedPackage, load, load_despite_data, load_in_part, load_in_place_of,
};
pub use metadata::credits::{Credits, Source};
pub use metadata::fill_in::fill_in as fill_in_constants;
pub use metadata::legacy::{LIMITS_OF_LEGACY_FORMAT, MAY_BE_EMPTY_FOR_KATTIS};
pub use metadata::named_files::NAMED_FILES;
pub use metadata::uuid::uuid_of_bits;
pub use metadata::{LICENSES, MIN_MEMORY_MIB};
pub use programs::languages::{CPYTHON, PYPY, built_in_languages, language_named, with_pypy};
pub use programs::outside::{has_source, outside_submission, remark_on_main_file};
pub use programs::testing_tool::TestingTools;
pub use programs::validators::input_validator_at;
pub use programs::{file_name, program_at, program_named};
pub use schema::SchemaName;
pub use skeleton::{
    AUTHOR_PLACEHOLDER, NewFile, NewPackage, Skeleton, SkeletonError, SkeletonKind,
    SkeletonLanguage, SkeletonSource, TITLE_PLACEHOLDER, skeleton,
};
pub use statements::{
    StatementFile, StatementImage, StatementKind, StatementText, language_of, pictures_next_to,
    preferred_statements, solution_files, statement_files, statement_texts,
};
pub use submissions::tags::{is_score_tagged, tagged_results, verdicts_of_word};
pub use suggest::{did_you_mean, quoted};
pub use test_data::samples::{ShownContent, ShownSample, ShownText, shown_samples};
pub use test_data::shell_words::shell_words;
pub use test_data::{ExtraCase, ExtraCases, InputValidatorArgs};
pub use workspace::check_settings::{CheckSettings, Silencing};
pub use workspace::contest::ContestSettings;
pub use workspace::continuation::{continuations, continuations_in, group_continuations};
pub use workspace::filter::{Filter, names_submission};
pub use workspace::profile::Profile;
pub use workspace::select::{SelectedPackage, Selection, select, select_for_problem};
pub use workspace::select_error::SelectError;
pub use workspace::{IgnoredFile, ReportFile, Workspace, is_time_factor, normal};
