//! The settings of judging, from the options of any command.
//!
//! Responsible for the settings that every way of judging shares. Must not know the command line of
//! any command, except for the options of all commands that report a run.

use std::time::Duration;

use judge_event::Command;
use judge_model::IsolationLevel;
use judge_runner::Margins;

use crate::args::{ExecutionArgs, ExtentArgs, JudgingArgs};

/// The settings of a command for judging.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JudgingSettings {
    /// The command that a run is reported as; `None` for a run without a report. Then its results
    /// are not cached.
    pub(crate) command: Option<Command>,
    /// True when judging a submission ends as soon as its verdict is known.
    pub(crate) fail_fast: bool,
    /// True when a program that is too slow is not run again, nor on later test cases.
    pub(crate) impatient: bool,
    /// The number of programs to run at a time; by default that of the workspace.
    pub(crate) jobs: Option<usize>,
    /// The isolation level; by default that of the workspace.
    pub(crate) isolation: Option<IsolationLevel>,
    /// The time limit to judge with, instead of the packages' own.
    pub(crate) time_limit: Option<Duration>,
    /// The factor by which this host is slower; by default that of the workspace.
    pub(crate) time_factor: Option<f64>,
    /// The consequence of a time limit without the margins that the package demands: a violation
    /// when a package is verified, and a remark elsewhere, since hosts differ.
    pub(crate) margins: Margins,
    /// True when skipping a submission that this host has no tools for is an error.
    pub(crate) strict: bool,
    /// True when only samples are run.
    pub(crate) samples: bool,
    /// True when cached results are ignored and replaced.
    pub(crate) no_cache: bool,
}

impl JudgingSettings {
    /// The settings in which all shards of a run must agree: all except those in which hosts may
    /// differ. A new setting is included, because every field is written.
    pub(crate) fn shared_by_shards(self) -> String {
        let shared = Self {
            jobs: None,
            isolation: None,
            no_cache: false,
            ..self
        };
        format!("{shared:?}")
    }
}

impl JudgingArgs {
    /// The settings of a run that is reported, with the packages' time limits.
    pub(crate) fn settings(&self, command: Command, extent: ExtentArgs) -> JudgingSettings {
        JudgingSettings {
            command: Some(command),
            fail_fast: !extent.no_fail_fast,
            jobs: self.jobs.number,
            isolation: self.isolation.level,
            // A CI must not stay green because its image lost a compiler.
            strict: self.reports.has_ci(),
            samples: extent.samples,
            no_cache: self.no_cache,
            ..JudgingSettings::default()
        }
    }
}

impl From<ExecutionArgs> for JudgingSettings {
    fn from(args: ExecutionArgs) -> Self {
        Self {
            jobs: args.jobs.number,
            isolation: args.isolation.level,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_settings_except_those_of_a_host_distinguish_shards() {
        let default = JudgingSettings::default();
        // Without `..`, so that a new field has to be added to one of the lists.
        let JudgingSettings {
            command: _,
            fail_fast: _,
            impatient: _,
            jobs: _,
            isolation: _,
            time_limit: _,
            time_factor: _,
            margins: _,
            strict: _,
            samples: _,
            no_cache: _,
        } = default;
        let shared = [
            JudgingSettings {
                command: Some(Command::Run),
                ..default
            },
            JudgingSettings {
                fail_fast: true,
                ..default
            },
            JudgingSettings {
                impatient: true,
                ..default
            },
            JudgingSettings {
                time_limit: Some(Duration::from_secs(1)),
                ..default
            },
            JudgingSettings {
                time_factor: Some(2.0),
                ..default
            },
            JudgingSettings {
                margins: Margins::Demanded,
                ..default
            },
            JudgingSettings {
                strict: true,
                ..default
            },
            JudgingSettings {
                samples: true,
                ..default
            },
        ];
        for settings in shared {
            assert_ne!(
                settings.shared_by_shards(),
                default.shared_by_shards(),
                "{settings:?}"
            );
        }
        let host_settings = [
            JudgingSettings {
                jobs: Some(2),
                ..default
            },
            JudgingSettings {
                isolation: Some(IsolationLevel::Full),
                ..default
            },
            JudgingSettings {
                no_cache: true,
                ..default
            },
        ];
        for settings in host_settings {
            assert_eq!(
                settings.shared_by_shards(),
                default.shared_by_shards(),
                "{settings:?}"
            );
        }
    }
}
