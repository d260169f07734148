//! Inspections as they are kept from one check to the next.
//!
//! Responsible for what decides about an inspection beside the package's files, and for the form in which findings are kept.
//! Must not know where.

use std::path::PathBuf;

use judge_event::DataValidated;
use judge_exec::{InputValidatorDecision, KeptInspection, ValidatorDecision};
use judge_package::{Code, LoadedPackage, code};
use serde::{Deserialize, Serialize};

use super::ask::Reply;
use super::{Inspected, SEED, Validators};
use crate::check::Extent;
use crate::finding::Finding;

/// An inspection that is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredInspection {
    findings: Vec<StoredFinding>,
    data: Vec<DataValidated>,
    runs: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredFinding {
    code: String,
    file: PathBuf,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
    hint: Option<String>,
    keeps_from_loading: bool,
}

impl Validators {
    /// The place of the inspection of a package; `None` where none are kept.
    pub(super) fn kept_inspection(&self, loaded: &LoadedPackage, extent: Extent) -> Option<KeptInspection> {
        let ids = |cases: &[judge_package::ExtraCase]| cases.iter().map(|case| case.id.clone()).collect::<Vec<_>>();
        let extra = &loaded.extra_cases;
        let chosen = (
            loaded.problem.test_cases.iter().map(|case| &case.id).collect::<Vec<_>>(),
            [&extra.valid_output, &extra.invalid_output, &extra.invalid_input].map(|cases| ids(cases)),
        );
        let circumstances = format!("{SEED} {:?} {:?} {chosen:?}", self.sandbox.isolation(), self.toolchains);
        // An inspection of some test cases does not take the place of that of all.
        let kind = format!("{extent:?} {chosen:?}");
        self.kept.as_ref()?.inspection(&loaded.problem.directory, &kind, &circumstances)
    }
}

impl From<&Inspected> for StoredInspection {
    fn from(inspected: &Inspected) -> Self {
        let finding = |finding: &Finding| StoredFinding {
            code: finding.code.id().to_owned(),
            file: finding.file.clone(),
            line: finding.line,
            column: finding.column,
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            keeps_from_loading: finding.keeps_from_loading,
        };
        let findings = inspected.findings.iter().map(finding).collect();
        Self { findings, data: inspected.data.clone(), runs: inspected.runs }
    }
}

impl StoredInspection {
    /// The inspection; `None` when it has a code that is not known.
    pub(super) fn inspected(self) -> Option<Inspected> {
        let finding = |stored: StoredFinding| {
            let StoredFinding { code, file, line, column, message, hint, keeps_from_loading } = stored;
            Some(Finding { code: Code::find(&code)?, file, line, column, message, hint, keeps_from_loading })
        };
        let findings = self.findings.into_iter().map(finding).collect::<Option<_>>()?;
        Some(Inspected { findings, data: self.data, runs: self.runs, cached: true })
    }
}

/// The findings about programs that do not compile.
const BROKEN: [Code; 4] =
    [code::INPUT_VALIDATOR_BROKEN, code::OUTPUT_VALIDATOR_BROKEN, code::VISUALIZER_BROKEN, code::GRADER_BROKEN];

/// True for an inspection that another one would come to as well: no limit was exceeded, and nothing failed to compile,
/// which may have been the host's lack of memory.
pub(super) fn is_lasting(findings: &[Finding], replies: &[Reply]) -> bool {
    let compiles = !findings.iter().any(|finding| BROKEN.contains(&finding.code));
    let decided = |reply: &Reply| match reply {
        Reply::Input(replies) => replies.iter().all(|(_, reply)| {
            matches!(reply.decision, InputValidatorDecision::Accepted | InputValidatorDecision::Rejected { .. })
        }),
        Reply::Output(reply) => {
            matches!(reply.decision, ValidatorDecision::Accepted | ValidatorDecision::Rejected)
        }
        Reply::Replay(_) => true,
        Reply::Unanswered => false,
    };
    compiles && replies.iter().all(decided)
}
