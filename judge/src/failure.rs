//! Failures: the reasons why a command could not do its work.
//!
//! Responsible for one text and one exit code per failure. Must not hold anything that a
//! submission did: that is in the state of the run.

use std::io;
use std::path::{Path, PathBuf};

use judge_authoring::{AuthoringError, ReviewError};
use judge_compare::CompareError;
use judge_exec::ExecError;
use judge_files::ChangeError;
use judge_interchange::InterchangeError;
use judge_model::{Guarantee, IsolationLevel};
use judge_mutation::MutationError;
use judge_package::{PackageErrors, SelectError};
use judge_sandbox::SandboxError;
use judge_sharding::ShardingError;
use judge_stress::StressError;

use crate::exit_code::ExitCode;

/// The name in [`Failure::Write`] for the output of a command that only prints, such as a listing.
pub(crate) const PRINTED_RESULT: &str = "the result";

/// The reason why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The directory to start in cannot be entered.
    #[error("cannot enter `{}`: {source}", path.display())]
    Directory { path: PathBuf, source: io::Error },
    /// A package that the command needs is invalid, or shards do not form a whole run.
    #[error("{0}")]
    Package(String),
    /// The command line makes no sense here, or the configuration of the workspace is invalid.
    #[error("{0}")]
    Usage(String),
    /// The command line selects nothing.
    #[error("{0}")]
    NothingSelected(String),
    /// The sandbox is unavailable.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The sandbox lacks what `judge.yaml` requires of it.
    #[error("{}", missing(*.level, guarantees))]
    Guarantees {
        level: IsolationLevel,
        guarantees: Vec<Guarantee>,
    },
    /// The run could not begin.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// Test data could not be made.
    #[error(transparent)]
    Authoring(AuthoringError),
    /// A comparison could not be run.
    #[error(transparent)]
    Comparing(#[from] CompareError),
    /// A shard could not be written or read.
    #[error(transparent)]
    Sharding(#[from] ShardingError),
    /// A search could not be run.
    #[error(transparent)]
    Stress(StressError),
    /// Mutation testing could not be run.
    #[error(transparent)]
    Mutation(MutationError),
    /// This host lacks something: room for an archive, a tool that measures or prints.
    #[error("{0}")]
    Host(String),
    /// A signal came before the work of the command had begun.
    #[error("interrupted")]
    Interrupted,
    /// A report could not be written.
    #[error("cannot write {what}: {source}")]
    Write { what: String, source: io::Error },
}

impl From<AuthoringError> for Failure {
    fn from(error: AuthoringError) -> Self {
        match error {
            AuthoringError::Runner(error) => Self::Runner(error),
            AuthoringError::Place(error) => error.into(),
            other => Self::Authoring(other),
        }
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Write { path, source } => {
                Self::write(format!("`{}`", path.display()), source)
            }
            ChangeError::InTheWay(_) | ChangeError::UnderWay(_) => Self::Usage(error.to_string()),
        }
    }
}

impl From<ReviewError> for Failure {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Authoring(error) => error.into(),
            ReviewError::InTheWay { .. } => Self::Usage(error.to_string()),
            other => Self::Package(other.to_string()),
        }
    }
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Self {
        let text = error.to_string();
        match error {
            SelectError::NoMatch { .. } | SelectError::NoPackages { .. } => {
                Self::NothingSelected(text)
            }
            SelectError::Glob { .. } | SelectError::Unreadable(_) => Self::Usage(text),
            SelectError::NoRoom { .. } => Self::Host(text),
        }
    }
}

impl From<InterchangeError> for Failure {
    fn from(error: InterchangeError) -> Self {
        match error {
            InterchangeError::Unwritable { path, cause } => {
                Self::write(format!("`{}`", path.display()), cause)
            }
            InterchangeError::Change(error) => error.into(),
            InterchangeError::Stopped => Self::Interrupted,
            InterchangeError::Archive(_)
            | InterchangeError::Malformed { .. }
            | InterchangeError::ReadBack { .. }
            | InterchangeError::Trial { .. }
            | InterchangeError::Unsound { .. } => Self::Package(error.to_string()),
            other => Self::Usage(other.to_string()),
        }
    }
}

impl From<StressError> for Failure {
    fn from(error: StressError) -> Self {
        match error {
            StressError::Runner(error) => Self::Runner(error),
            StressError::Refused(_) | StressError::Reference(_) | StressError::Package(_) => {
                Self::Package(error.to_string())
            }
            // With messages of a compiler, it is the submission's fault.
            StressError::NotReady { ref why, .. } if why.compiler_output().is_empty() => {
                Self::Usage(error.to_string())
            }
            StressError::Costs { .. } => Self::Usage(format!("--seed: {error}")),
            StressError::NoInputs => Self::NothingSelected(format!(
                "{error}\nhint: name a generator with --generator 'NAME [1..20] {{seed}}'"
            )),
            StressError::Occupied(_) => {
                Self::Usage(format!("{error}\nhint: name another directory with --save"))
            }
            StressError::Write { path, source } => {
                Self::write(format!("`{}`", path.display()), source)
            }
            other => Self::Stress(other),
        }
    }
}

impl From<MutationError> for Failure {
    fn from(error: MutationError) -> Self {
        match error {
            MutationError::Search(error) => error.into(),
            other => Self::Mutation(other),
        }
    }
}

impl Failure {
    /// The failure of writing something, such as a report.
    pub(crate) fn write(what: impl Into<String>, source: io::Error) -> Self {
        let what = what.into();
        Self::Write { what, source }
    }

    /// The same failure of a command whose exit code is a verdict: a report without a reader must
    /// not look like success.
    pub(crate) fn with_verdict(self) -> Self {
        match self {
            Self::Write { what, source } if what == PRINTED_RESULT => {
                Self::write("the report", source)
            }
            other => other,
        }
    }

    /// The failure of loading a package.
    pub(crate) fn package(errors: &PackageErrors, base: &Path) -> Self {
        Self::Package(join(errors, base))
    }

    /// The failure of reading `judge.yaml`, or a program that was named and belongs to no package.
    pub(crate) fn usage(errors: &PackageErrors, base: &Path) -> Self {
        Self::Usage(join(errors, base))
    }

    /// The exit code of the failure. It is not a failure if the reader of a result is gone, but a
    /// run without a reader is not a success.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Directory { .. }
            | Self::Usage(_)
            | Self::Mutation(MutationError::Solution { .. })
            | Self::Sharding(ShardingError::Unreadable { .. }) => ExitCode::Usage,
            Self::Mutation(MutationError::NotAccepted { .. })
            | Self::Stress(StressError::NotReady { .. }) => ExitCode::ExpectationViolated,
            Self::Package(_)
            | Self::Mutation(MutationError::JudgeError { .. } | MutationError::NotReady(_)) => {
                ExitCode::PackageFault
            }
            Self::NothingSelected(_) => ExitCode::NothingSelected,
            Self::Interrupted => ExitCode::Interrupted,
            // `judge list | head` closes the pipe on purpose, and nothing was lost.
            Self::Write { what, source }
                if what == PRINTED_RESULT && source.kind() == io::ErrorKind::BrokenPipe =>
            {
                ExitCode::AsExpected
            }
            Self::Runner(ExecError::Observer(source))
            | Self::Comparing(CompareError::Runner(ExecError::Observer(source)))
            | Self::Sharding(ShardingError::Emit(source))
            | Self::Mutation(MutationError::Runner(ExecError::Observer(source)))
            | Self::Write { source, .. }
                if source.kind() == io::ErrorKind::BrokenPipe =>
            {
                ExitCode::ReaderGone
            }
            Self::Sandbox(_)
            | Self::Guarantees { .. }
            | Self::Runner(_)
            | Self::Authoring(_)
            | Self::Comparing(_)
            | Self::Sharding(_)
            | Self::Stress(_)
            | Self::Mutation(_)
            | Self::Host(_)
            | Self::Write { .. } => ExitCode::HostFault,
        }
    }
}

/// The message about required guarantees that are missing.
fn missing(level: IsolationLevel, guarantees: &[Guarantee]) -> String {
    let each = guarantees
        .iter()
        .map(|guarantee| format!("`{}` ({})", guarantee.name(), guarantee.describe()));
    format!(
        "`isolation.require` in judge.yaml demands guarantees that the isolation level `{level}` does not give on this host: {}\n\
         hint: `judge doctor` shows how to get a stronger level",
        each.collect::<Vec<_>>().join(", ")
    )
}

fn join(errors: &PackageErrors, base: &Path) -> String {
    let texts: Vec<String> = errors
        .iter()
        .map(|error| error.display_relative_to(base).to_string())
        .collect();
    texts.join("\n")
}
