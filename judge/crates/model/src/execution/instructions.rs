//! Instructions: how many a run executed, or why that is not known.
//!
//! Responsible for the figure and its absence. Must not know what counts them.

/// The instructions that all processes of a run executed in user space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// Nobody wanted to know.
    #[default]
    NotWanted,
    /// As many, from the program's first instruction to the end of its last process.
    Counted(u64),
    /// They were wanted, and could not be counted.
    NotCounted(NotCounted),
}

/// The reason why a run's instructions could not be counted. The texts are to be read after "instructions are not
/// counted:".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCounted {
    /// The kernel knows no such counter: many virtual machines have none.
    #[error("this host shows no hardware counter of instructions")]
    NoCounter,
    /// There is one that never moves, as some virtual machines have.
    #[error("the hardware counter of this host stays at 0")]
    Still,
    /// The kernel's settings, or a security module, do not permit it.
    #[error("this host does not permit it: `kernel.perf_event_paranoid` is above 2, or a security module refuses it")]
    Forbidden,
    /// Something around this process refuses the system call.
    #[error("`perf_event_open` is refused, as containers do it without the capability `PERFMON`")]
    Refused,
    /// Others counted with the same hardware, and took turns with it: a part of the run is missing.
    #[error("the hardware counter was shared with others for a part of the time")]
    Shared,
    /// The isolation level has no means for it.
    #[error("at the isolation level `none` there is nothing that could count")]
    Level,
    /// Another error of the kernel's, by its number.
    #[error("the kernel cannot open a counter: error number {0}")]
    Failed(i32),
}

impl NotCounted {
    /// True if the reason lasts, so that another run on this host has the same fate: a setting or the hardware, and not
    /// the work that others do just now.
    #[must_use]
    pub fn is_lasting(self) -> bool {
        self != Self::Shared
    }
}

impl Instructions {
    /// The larger of two runs' figures; unknown when one of them is.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        match (self, other) {
            (Self::Counted(one), Self::Counted(two)) => Self::Counted(one.max(two)),
            (unknown @ Self::NotCounted(_), _) | (_, unknown @ Self::NotCounted(_)) => unknown,
            (Self::NotWanted, known) | (known, Self::NotWanted) => known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_of_one_is_not_known_of_both() {
        let (some, more) = (Instructions::Counted(3), Instructions::Counted(5));
        let unknown = Instructions::NotCounted(NotCounted::Shared);
        assert_eq!((some.most(more), more.most(some)), (more, more));
        assert_eq!((some.most(unknown), unknown.most(some)), (unknown, unknown));
        assert_eq!((Instructions::NotWanted.most(some), some.most(Instructions::NotWanted)), (some, some));
        assert_eq!(Instructions::default().most(unknown), unknown);
    }

    #[test]
    fn only_what_others_do_passes() {
        assert!(!NotCounted::Shared.is_lasting());
        assert!(NotCounted::NoCounter.is_lasting() && NotCounted::Failed(5).is_lasting());
    }
}
