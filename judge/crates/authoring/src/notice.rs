//! Notices for the author of a package.

use std::path::Path;

use judge_package::{Code, GENERATORS_FILE, Silencing};

/// A notice about suspicious data that is not a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The id of the test case.
    pub id: String,
    /// The message for the author.
    pub message: String,
    /// The code of the notice, if it can be silenced.
    pub code: Option<Code>,
}

impl Notice {
    pub(crate) fn new(id: &str, message: String, code: Option<Code>) -> Self {
        Self {
            id: id.to_owned(),
            message,
            code,
        }
    }

    /// The message, with the code by which `check.ignore` in `judge.yaml` silences it.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self.code {
            Some(code) => format!("{} [{code}]", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns true when an entry of `judge.yaml` silences the notice.
    pub(crate) fn is_silenced(&self, silencing: &Silencing, problem: &str) -> bool {
        let file = match self.id.strip_prefix(GENERATORS_FILE) {
            Some(_) => GENERATORS_FILE.to_owned(),
            None => format!("data/{}.in", self.id),
        };
        self.code
            .is_some_and(|code| silencing.covers(code, problem, Path::new(&file)))
    }
}

/// Ids of rules as a list of limited length.
pub(crate) fn named(ids: &[String]) -> String {
    const MAX_NAMED: usize = 3;
    let shown = if ids.len() <= MAX_NAMED + 1 {
        ids.len()
    } else {
        MAX_NAMED
    };
    let names: Vec<String> = ids[..shown].iter().map(|id| format!("`{id}`")).collect();
    match ids.len() - shown {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
