//! Findings about single test cases that say the same of all of them.
//!
//! Pure. Responsible for telling them once, with the test cases. Must not know what they say.

use std::path::{Path, PathBuf};

use judge_package::Code;

use crate::finding::Finding;

/// The test cases that are named where there are many.
const NAMED: usize = 3;

/// Findings that are collected, each under its code and its words.
#[derive(Debug, Default)]
pub(super) struct Alike(Vec<OfWords>);

#[derive(Debug)]
struct OfWords {
    code: Code,
    /// The words before and behind the test cases.
    words: (String, String),
    cases: Vec<(String, PathBuf)>,
    hint: Option<&'static str>,
}

impl Alike {
    /// Adds what is to be said, by the words before and behind the test case, of a test case and its file.
    pub(super) fn add(
        &mut self,
        code: Code,
        words: (String, String),
        id: &str,
        file: &Path,
        hint: Option<&'static str>,
    ) {
        let case = (id.to_owned(), file.to_owned());
        match self.0.iter_mut().find(|known| known.code == code && known.words == words) {
            Some(known) => known.cases.push(case),
            None => self.0.push(OfWords { code, words, cases: vec![case], hint }),
        }
    }

    /// The findings, in the order of their first test cases. One about several test cases is about `program`.
    pub(super) fn findings(self, program: &Path) -> Vec<Finding> {
        let finding = |OfWords { code, words: (before, behind), cases, hint }: OfWords| {
            let file = if let [(_, file)] = cases.as_slice() { file } else { program };
            let space = if before.is_empty() { "" } else { " " };
            let message = format!("{before}{space}{}{behind}", named(&cases));
            Finding::new(code, file, message).hint(hint.map(str::to_owned))
        };
        self.0.into_iter().map(finding).collect()
    }
}

/// The test cases as a list that stays short.
fn named(cases: &[(String, PathBuf)]) -> String {
    let shown = if cases.len() <= NAMED + 1 { cases.len() } else { NAMED };
    let names: Vec<String> = cases[..shown].iter().map(|(id, _)| format!("`{id}`")).collect();
    match (cases.len() - shown, names.as_slice()) {
        (0, [names @ .., last]) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        (0, _) => names.join(", "),
        (more, _) => format!("{} and {more} more test cases", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use judge_package::code;

    use super::*;

    fn merged(cases: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut alike = Alike::default();
        for (id, said) in cases {
            let words = ("`v` rejects".to_owned(), format!(": {said}"));
            alike.add(code::INPUT_REJECTED, words, id, Path::new(id), None);
        }
        let findings = alike.findings(Path::new("v"));
        findings.into_iter().map(|finding| (finding.file.display().to_string(), finding.message)).collect()
    }

    #[test]
    fn the_same_words_are_told_once() {
        let pair = |file: &str, message: &str| (file.to_owned(), message.to_owned());
        let expected = [pair("v", "`v` rejects `a` and `c`: no"), pair("b", "`v` rejects `b`: never")];
        assert_eq!(merged(&[("a", "no"), ("b", "never"), ("c", "no")]), expected);
        assert_eq!(merged(&["a", "b", "c", "d"].map(|id| (id, "x")))[0].1, "`v` rejects `a`, `b`, `c` and `d`: x");
        let many = ["a", "b", "c", "d", "e"].map(|id| (id, "x"));
        assert_eq!(merged(&many), [pair("v", "`v` rejects `a`, `b`, `c` and 2 more test cases: x")]);
    }
}
