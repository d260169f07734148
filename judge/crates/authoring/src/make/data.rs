//! The data generated so far: origins, faults and notices.

use std::collections::BTreeMap;

use judge_package::Finding;

use crate::generators::plan::PlannedCase;
use crate::notice::{Notice, named};
use crate::project::Project;

/// The generated data on the project's stage.
#[derive(Debug, Default)]
pub(crate) struct StagedData {
    /// The origin of each file, by path below `data/`.
    pub(crate) origins: BTreeMap<String, String>,
    pub(crate) faults: Vec<Finding>,
    pub(crate) notices: Vec<Notice>,
    /// The faults of rules, by their causes.
    shared_faults: BTreeMap<String, SharedFault>,
}

/// A fault of several rules, which is reported once.
#[derive(Debug)]
struct SharedFault {
    /// The index among the faults.
    index: usize,
    ids: Vec<String>,
    /// The message for the first rule, with its details.
    message: String,
}

impl StagedData {
    /// Adds a fault of a rule. The details are only reported for the first rule with this message.
    pub(crate) fn add_fault(
        &mut self,
        project: &Project,
        case: &PlannedCase,
        why: &str,
        details: &str,
    ) {
        self.add_caused(project, case, why, format!("{why}{details}"));
    }

    /// Adds a fault of a rule's generator. When it fails in the same way for several calls, the
    /// first one is reported.
    pub(crate) fn add_fault_of_generator(
        &mut self,
        project: &Project,
        case: &PlannedCase,
        why: String,
    ) {
        let cause = case.command.as_ref().and_then(|command| {
            let how = why.strip_prefix(&format!("`{}`", command.to_text()))?;
            Some(format!("`{}`{how}", command.program))
        });
        let cause = cause.unwrap_or_else(|| why.clone());
        self.add_caused(project, case, &cause, why);
    }

    /// Adds a fault of a rule. Rules with the same cause share the message of the first one.
    fn add_caused(&mut self, project: &Project, case: &PlannedCase, cause: &str, message: String) {
        let index = self.faults.len();
        let new = || SharedFault {
            index,
            ids: Vec::new(),
            message,
        };
        let shared = self
            .shared_faults
            .entry(cause.to_owned())
            .or_insert_with(new);
        shared.ids.push(case.id.clone());
        if shared.index == index {
            self.faults.push(project.fault(case, &shared.message));
        } else {
            self.faults[shared.index].message =
                format!("{}: {}", named(&shared.ids), shared.message);
        }
    }
}
