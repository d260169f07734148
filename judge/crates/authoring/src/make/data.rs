//! The data that was made so far: origins, faults and notices.

use std::collections::BTreeMap;

use judge_package::Finding;

use crate::generators::plan::PlannedCase;
use crate::notice::{Notice, named};
use crate::project::Project;

/// The data that was made, on the project's stage.
#[derive(Debug, Default)]
pub(crate) struct MadeData {
    /// The origin of each file, by path below `data/`.
    pub(crate) origins: BTreeMap<String, String>,
    pub(crate) faults: Vec<Finding>,
    pub(crate) notices: Vec<Notice>,
    /// The faults of rules, by their messages.
    shared_faults: BTreeMap<String, SharedFault>,
}

/// A fault of several rules, which is reported once.
#[derive(Debug)]
struct SharedFault {
    /// The index among the faults.
    index: usize,
    ids: Vec<String>,
    /// Details of the first rule.
    details: String,
}

impl MadeData {
    /// Adds a fault of a rule. The details are reported only for the first rule with this message.
    pub(crate) fn add_fault(&mut self, project: &Project, case: &PlannedCase, why: &str, details: String) {
        let index = self.faults.len();
        let new = || SharedFault { index, ids: Vec::new(), details };
        let shared = self.shared_faults.entry(why.to_owned()).or_insert_with(new);
        shared.ids.push(case.id.clone());
        if shared.index == index {
            self.faults.push(project.fault(case, &format!("{why}{}", shared.details)));
        } else {
            self.faults[shared.index].message = format!("{}: {why}{}", named(&shared.ids), shared.details);
        }
    }
}
