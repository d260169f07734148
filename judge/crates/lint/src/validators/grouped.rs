//! Findings about test cases, grouped: one finding for all test cases with the same fault.
//!
//! Pure. Responsible for the texts that findings of validators share. Must not know the faults.

use std::path::{Path, PathBuf};

use judge_event::Excerpt;
use judge_model::{Problem, Program};
use judge_package::{Code, Finding};

/// The maximum number of test cases that a message names.
const MAX_NAMED: usize = 3;
/// The maximum number of characters of a line of a validator that a message quotes.
const MAX_LINE: usize = 200;

/// Findings, grouped by code and message.
#[derive(Debug, Default)]
pub(super) struct GroupedFindings(Vec<Group>);

#[derive(Debug)]
struct Group {
    code: Code,
    /// The words before and after the names of the test cases.
    words: (String, String),
    cases: Vec<(String, PathBuf)>,
    hint: Option<&'static str>,
}

impl GroupedFindings {
    /// Adds a test case with its file. The words are those before and after the names.
    pub(super) fn add(
        &mut self,
        code: Code,
        words: (String, String),
        id: &str,
        file: &Path,
        hint: Option<&'static str>,
    ) {
        let case = (id.to_owned(), file.to_owned());
        match self
            .0
            .iter_mut()
            .find(|known| known.code == code && known.words == words)
        {
            Some(known) => known.cases.push(case),
            None => self.0.push(Group {
                code,
                words,
                cases: vec![case],
                hint,
            }),
        }
    }

    /// The findings, in the order of their first test cases. A finding about several test cases
    /// names `program` as its file.
    pub(super) fn findings(self, program: &Path) -> Vec<Finding> {
        let finding = |group: Group| {
            let file = match group.cases.as_slice() {
                [(_, file)] => file,
                _ => program,
            };
            let (before, after) = &group.words;
            let space = if before.is_empty() { "" } else { " " };
            let message = format!("{before}{space}{}{after}", named(&group.cases));
            Finding::new(group.code, file, message).hint(group.hint.map(str::to_owned))
        };
        self.0.into_iter().map(finding).collect()
    }
}

/// The names of the test cases, as a list of limited length.
fn named(cases: &[(String, PathBuf)]) -> String {
    let shown = if cases.len() <= MAX_NAMED + 1 {
        cases.len()
    } else {
        MAX_NAMED
    };
    let names: Vec<String> = cases[..shown]
        .iter()
        .map(|(id, _)| format!("`{id}`"))
        .collect();
    match (cases.len() - shown, names.as_slice()) {
        (0, [names @ .., last]) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        (0, _) => names.join(", "),
        (more, _) => format!("{} and {more} more test cases", names.join(", ")),
    }
}

/// Returns the file that findings about the output validator name.
pub(super) fn output_validator_of(problem: &Problem) -> PathBuf {
    let first = problem.output_validator.programs().first();
    first.map_or_else(|| problem.directory.clone(), file_of)
}

/// Returns the only source file of a program, or its directory when it has several.
fn file_of(program: &Program) -> PathBuf {
    match program.sources.as_slice() {
        // The only source of a program that is a file is its name.
        [only] if program.scripts.is_none() && !program.path.ends_with(only) => {
            program.path.join(only)
        }
        _ => program.path.clone(),
    }
}

/// Returns the last line that a validator wrote, in a form that ends a sentence.
pub(super) fn last_line(excerpt: &Excerpt) -> String {
    let text = [&excerpt.head, &excerpt.tail]
        .map(|bytes| bytes.to_text().into_owned())
        .concat();
    // Every panic of a program in Rust ends with this advice.
    let is_empty =
        |line: &str| line.is_empty() || line.starts_with("note: run with `RUST_BACKTRACE");
    let last = text
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !is_empty(line));
    last.map(|line| format!(": {}", shortened(line)))
        .unwrap_or_default()
}

/// The beginning of a line of a validator. The output of a debugging loop may be one long line.
pub(super) fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The hint for a validator that writes too much.
pub(super) fn output_limit_hint(reason: &str) -> Option<&'static str> {
    reason.contains("exceeded its output limit").then_some(
        "remove debugging output: its standard error and the files that it writes count; if it needs more, set \
         `limits.validation_output` in problem.yaml",
    )
}

#[cfg(test)]
mod tests {
    use judge_package::code;

    use super::*;

    fn merged(cases: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut grouped = GroupedFindings::default();
        for (id, message) in cases {
            let words = ("`v` rejects".to_owned(), format!(": {message}"));
            grouped.add(code::INPUT_REJECTED, words, id, Path::new(id), None);
        }
        let findings = grouped.findings(Path::new("v"));
        findings
            .into_iter()
            .map(|finding| (finding.file.display().to_string(), finding.message))
            .collect()
    }

    #[test]
    fn long_lines_are_shortened() {
        let output = "debug ".repeat(10_000);
        let line = last_line(&Excerpt::from(judge_event::Bytes(output.into_bytes())));
        assert_eq!(line.chars().count(), ": ".len() + MAX_LINE + 1);
        assert!(
            line.starts_with(": debug ") && line.ends_with('…'),
            "{line}"
        );
        assert!(output_limit_hint("exceeded its output limit of 8 MiB").is_some());
        assert!(output_limit_hint("returned exit code 1").is_none());
    }

    #[test]
    fn equal_messages_are_reported_once() {
        let pair = |file: &str, message: &str| (file.to_owned(), message.to_owned());
        let expected = [
            pair("v", "`v` rejects `a` and `c`: no"),
            pair("b", "`v` rejects `b`: never"),
        ];
        assert_eq!(
            merged(&[("a", "no"), ("b", "never"), ("c", "no")]),
            expected
        );
        assert_eq!(
            merged(&["a", "b", "c", "d"].map(|id| (id, "x")))[0].1,
            "`v` rejects `a`, `b`, `c` and `d`: x"
        );
        let many = ["a", "b", "c", "d", "e"].map(|id| (id, "x"));
        assert_eq!(
            merged(&many),
            [pair(
                "v",
                "`v` rejects `a`, `b`, `c` and 2 more test cases: x"
            )]
        );
    }
}
