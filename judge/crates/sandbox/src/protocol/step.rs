//! The steps between a zygote's order and a running program.
//!
//! Responsible for naming the step at which a run failed. Must not know how the steps are done.

use crate::numbered::numbered;

numbered! {
    /// A step that can fail for reasons of the host. Its number travels in reports.
    pub(crate) enum Step {
        Prepare = 1,
        Group,
        Join,
        Init,
        Bind,
        Hide,
        Work,
        Process,
        Streams,
        Session,
        Limits,
        Privileges,
        Landlock,
        Filter,
        Program,
    }
}

impl Step {
    /// The step in words, to be read after "cannot".
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Prepare => "prepare the run",
            Self::Group => "set the limits of the control group",
            Self::Join => "enter the control group",
            Self::Init => "start a process in new namespaces",
            Self::Bind => "bind a part of a depot",
            Self::Hide => "hide the depots",
            Self::Work => "mount the working directory",
            Self::Process => "start the program's process",
            Self::Streams => "hand over the standard streams",
            Self::Session => "start a session",
            Self::Limits => "set resource limits",
            Self::Privileges => "drop privileges",
            Self::Landlock => "restrict the process with Landlock",
            Self::Filter => "load the filter of system calls",
            Self::Program => "start the program",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_steps() {
        for step in Step::ALL.iter().copied() {
            assert_eq!(Step::from_number(step as u32), Some(step));
        }
        // In reports, 0 stands for no failure.
        assert_eq!(Step::from_number(0), None);
    }
}
