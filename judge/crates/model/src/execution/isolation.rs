//! Isolation levels: how much of the sandbox a host supports.
//!
//! Responsible for the names, and for the guarantees that each level does not give. Must not know
//! how a level is built or probed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::names::{UnknownName, find_by_name};

/// The level at which programs are isolated from the host. A stronger level compares as greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// Rlimits only, for trusted code. Only used if the user names it.
    None,
    /// Landlock, seccomp and rlimits. Needs no privilege.
    Landlock,
    /// A separate uid for each slot, Landlock and seccomp. For root in a container without
    /// `SYS_ADMIN`.
    User,
    /// Unprivileged user, mount, pid, network and ipc namespaces.
    Namespaces,
    /// Namespaces and control groups: every limit is exact.
    Full,
}

impl IsolationLevel {
    /// The levels from the strongest to the weakest.
    pub const ALL: [Self; 5] = [
        Self::Full,
        Self::Namespaces,
        Self::User,
        Self::Landlock,
        Self::None,
    ];

    /// The name as it is written on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Namespaces => "namespaces",
            Self::User => "user",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }
}

impl fmt::Display for IsolationLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for IsolationLevel {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("isolation level", Self::ALL, Self::name, text)
    }
}

/// A guarantee that the sandbox can give. A level that does not give it lists it as a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Guarantee {
    /// Files outside the sandbox are invisible.
    FilesHidden,
    /// No network, not even the loopback of the host.
    NoNetwork,
    /// No process of a run outlives it.
    NothingSurvives,
    /// The number of processes and threads is limited for each run separately.
    ProcessLimit,
    /// The memory limit counts the whole process tree, kernel memory included.
    TotalMemory,
    /// The CPU time of every descendant is counted, reaped or not.
    CompleteCpuTime,
    /// Files that a run writes are limited in total size and number, and are removed after it.
    DiskLimit,
    /// System calls that contest programs never need are refused.
    SystemCallFilter,
    /// Programs cannot signal, trace or read the harness or each other.
    ProcessesApart,
}

impl Guarantee {
    /// Every guarantee, in the order in which reports list them.
    pub const ALL: [Self; 9] = [
        Self::FilesHidden,
        Self::NoNetwork,
        Self::NothingSurvives,
        Self::ProcessLimit,
        Self::TotalMemory,
        Self::CompleteCpuTime,
        Self::DiskLimit,
        Self::SystemCallFilter,
        Self::ProcessesApart,
    ];

    /// The name as it is written in `judge.yaml` and in events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FilesHidden => "files_hidden",
            Self::NoNetwork => "no_network",
            Self::NothingSurvives => "nothing_survives",
            Self::ProcessLimit => "process_limit",
            Self::TotalMemory => "total_memory",
            Self::CompleteCpuTime => "complete_cpu_time",
            Self::DiskLimit => "disk_limit",
            Self::SystemCallFilter => "system_call_filter",
            Self::ProcessesApart => "processes_apart",
        }
    }

    /// The guarantee in words, for use after "not guaranteed:".
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::FilesHidden => "files outside the sandbox are hidden",
            Self::NoNetwork => "no network",
            Self::NothingSurvives => "no process outlives its run",
            Self::ProcessLimit => "number of processes limited per run",
            Self::TotalMemory => "memory limit over the whole process tree",
            Self::CompleteCpuTime => "CPU time of every descendant counted",
            Self::DiskLimit => "written files limited and removed",
            Self::SystemCallFilter => "dangerous system calls refused",
            Self::ProcessesApart => "programs cannot reach the harness or each other",
        }
    }
}

impl FromStr for Guarantee {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("guarantee", Self::ALL, Self::name, text)
    }
}

/// The isolation that a run actually had. Every report states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Isolation {
    /// The isolation level.
    pub level: IsolationLevel,
    /// The control group version in use: 1, 2, or `None` without control groups.
    pub cgroup_version: Option<u8>,
    /// The guarantees that this level on this host does not give.
    pub gaps: Vec<Guarantee>,
}

impl Isolation {
    /// Returns the required guarantees that are missing here, in the order of the requirements.
    #[must_use]
    pub fn missing(&self, required: &[Guarantee]) -> Vec<Guarantee> {
        required
            .iter()
            .copied()
            .filter(|guarantee| self.gaps.contains(guarantee))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for level in IsolationLevel::ALL {
            assert_eq!(level.name().parse::<IsolationLevel>(), Ok(level));
        }
        let error = "Full".parse::<IsolationLevel>().unwrap_err();
        assert!(error.to_string().contains("`Full`"));
        for guarantee in Guarantee::ALL {
            assert_eq!(guarantee.name().parse::<Guarantee>(), Ok(guarantee));
        }
        let error = "memory".parse::<Guarantee>().unwrap_err().to_string();
        assert!(
            error.contains("`memory`") && error.contains("`total_memory`"),
            "{error}"
        );
    }

    #[test]
    fn required_guarantees_without_support_are_missing() {
        let gaps = vec![Guarantee::TotalMemory, Guarantee::CompleteCpuTime];
        let isolation = Isolation {
            level: IsolationLevel::Namespaces,
            cgroup_version: None,
            gaps,
        };
        assert_eq!(
            isolation.missing(&[Guarantee::NoNetwork, Guarantee::TotalMemory]),
            [Guarantee::TotalMemory]
        );
        assert!(isolation.missing(&[]).is_empty());
    }

    #[test]
    fn levels_are_ordered_by_strength() {
        assert!(IsolationLevel::ALL.windows(2).all(|pair| pair[0] > pair[1]));
    }
}
