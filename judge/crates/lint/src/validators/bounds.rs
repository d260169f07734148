//! Bounds of input validators: those that no test case reaches, and those that the statement
//! contradicts.
//!
//! Responsible for merging the bounds of single inputs. Must not run anything, nor parse formulas.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_exec::{Bound, InputValidatorDecision};
use judge_model::Problem;
use judge_package::{Finding, code, fill_in_constants, statement_texts};

use super::ask::Reply;
use super::claims::{Claim, claims};
use super::questions::{Purpose, Question};

/// The size of the longest statement that is read, in bytes.
const MAX_STATEMENT_BYTES: usize = 4 << 20;
/// The two ends of a range, in words.
const ENDS: [(&str, &str); 2] = [("lower", "smallest"), ("upper", "largest")];

/// The bounds of a number by its name in one validator, from all test cases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownBound {
    /// The place where the validator reads the number, if known: `FILE:LINE`.
    place: String,
    reached: [bool; 2],
    seen: [f64; 2],
    /// The allowed range. An end is `None` when it differs among test cases: the statement does not
    /// give bounds such as `1..=n` as numbers.
    allowed: [Option<f64>; 2],
    /// The widest range of all test cases.
    widest: [f64; 2],
}

/// The gathered bounds, by validator and name.
pub(crate) type Gathered = BTreeMap<(String, String), KnownBound>;

/// Merges the bounds that validators report for samples and secret test cases.
pub(crate) fn gather(questions: &[Question<'_>], replies: &[Reply]) -> Gathered {
    let mut gathered = Gathered::new();
    for (question, reply) in questions.iter().zip(replies) {
        let (Purpose::ValidInput { id, .. }, Reply::Input(replies)) = (question.purpose, reply)
        else {
            continue;
        };
        // Submissions do not run on inputs of `valid_output` and similar directories.
        if !id.starts_with("sample") && !id.starts_with("secret") {
            continue;
        }
        let accepted = replies
            .iter()
            .filter(|(_, reply)| reply.decision == InputValidatorDecision::Accepted);
        for (validator, reply) in accepted {
            for bound in &reply.bounds {
                let key = (validator.clone(), bound.name.clone());
                gathered
                    .entry(key)
                    .and_modify(|known| known.add(bound))
                    .or_insert_with(|| KnownBound::new(bound));
            }
        }
    }
    gathered
}

impl KnownBound {
    fn new(bound: &Bound) -> Self {
        Self {
            place: bound.place.clone(),
            reached: bound.reached,
            seen: bound.seen,
            allowed: bound.allowed.map(Some),
            widest: bound.allowed,
        }
    }

    fn add(&mut self, bound: &Bound) {
        for end in [0, 1] {
            self.reached[end] |= bound.reached[end];
            // A bound that depends on other numbers, such as `1..=n`, differs among test
            // cases.
            self.allowed[end] = self.allowed[end].filter(|allowed| *allowed == bound.allowed[end]);
        }
        for (range, other) in [
            (&mut self.seen, bound.seen),
            (&mut self.widest, bound.allowed),
        ] {
            *range = [range[0].min(other[0]), range[1].max(other[1])];
        }
    }
}

/// The findings about bounds.
pub(crate) fn findings(problem: &Problem, gathered: &Gathered) -> Vec<Finding> {
    let mut findings: Vec<Finding> = gathered
        .iter()
        .filter_map(|((validator, name), known)| {
            let message = unreached(name, known)?;
            let (file, line) = place_of(problem, validator, &known.place);
            Some(Finding::new(code::BOUND_NOT_REACHED, &file, message).at(line))
        })
        .collect();
    if !gathered.is_empty() {
        for statement in statement_texts(&problem.directory) {
            // Another finding reports statements that are too long to be typeset.
            let filled =
                fill_in_constants(&statement.text, &problem.constants, MAX_STATEMENT_BYTES);
            let claims = claims(filled.as_deref().unwrap_or(&statement.text));
            for ((validator, name), known) in gathered {
                for (line, message) in differences(name, known, &claims) {
                    let message = format!("{message} in the input validator `{validator}`");
                    let code = code::STATEMENT_BOUND_DIFFERS;
                    let finding = Finding::new(code, &statement.path, message);
                    findings.push(finding.at(Some(line)));
                }
            }
        }
    }
    findings
}

fn unreached(name: &str, known: &KnownBound) -> Option<String> {
    let sentences = [0, 1]
        .into_iter()
        .filter(|end| !known.reached[*end])
        .map(|end| {
            let (bound, extreme) = ENDS[end];
            format!(
                "never reaches its {bound} bound {}: the {extreme} value in the test cases is {}",
                known.widest[end], known.seen[end]
            )
        });
    let sentences: Vec<String> = sentences.collect();
    (!sentences.is_empty()).then(|| format!("`{name}` {}", sentences.join("; it ")))
}

/// The bounds that the statement gives for a number and that differ from the validator's. There is
/// no difference when the statement also gives the same bound: it may repeat a bound for a part of
/// the test cases.
fn differences(name: &str, known: &KnownBound, claims: &[Claim]) -> Vec<(u32, String)> {
    let mut differences = Vec::new();
    for (end, words) in [(0, "at least"), (1, "at most")] {
        let Some(allowed) = known.allowed[end] else {
            continue;
        };
        let own = claims.iter().filter(|claim| claim.is_about(name));
        let stated: Vec<(u32, f64)> = own
            .filter_map(|claim| Some((claim.line, claim.bounds[end]?.value_for(allowed))))
            .collect();
        // Statements may repeat bounds for a part of the data. One that agrees is enough.
        if let Some((line, value)) = stated.first()
            && stated.iter().all(|(_, value)| *value != allowed)
        {
            let message = format!("`{name}` is {words} {value} here, but {allowed}");
            differences.push((*line, message));
        }
    }
    differences
}

/// The file and line that a validator reports, or else the validator itself.
fn place_of(problem: &Problem, validator: &str, place: &str) -> (PathBuf, Option<u32>) {
    let program = problem
        .input_validators
        .iter()
        .find(|program| program.name == validator);
    let path = program.map_or(problem.directory.as_path(), |program| {
        program.path.as_path()
    });
    let named = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file, line.parse().ok()?)));
    match named {
        Some((file, line)) if path.file_name().is_some_and(|name| name == file) => {
            (path.to_owned(), Some(line))
        }
        Some((file, line)) if is_inside(path, file) => (path.join(file), Some(line)),
        _ => (path.to_owned(), None),
    }
}

fn is_inside(directory: &Path, file: &str) -> bool {
    Path::new(file).components().count() == 1 && directory.join(file).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(reached: [bool; 2], seen: [f64; 2], allowed: [f64; 2]) -> Bound {
        Bound {
            place: "validate.rs:3".into(),
            name: "n".into(),
            reached,
            seen,
            allowed,
        }
    }

    #[test]
    fn one_test_case_suffices_to_reach_a_bound() {
        let mut known = KnownBound::new(&bound([true, false], [1.0, 5.0], [1.0, 10.0]));
        assert_eq!(
            unreached("n", &known).unwrap(),
            "`n` never reaches its upper bound 10: the largest value in the test cases is 5"
        );
        known.add(&bound([false, false], [3.0, 9.0], [1.0, 10.0]));
        assert_eq!(
            unreached("n", &known).unwrap(),
            "`n` never reaches its upper bound 10: the largest value in the test cases is 9"
        );
        known.add(&bound([false, true], [10.0, 10.0], [1.0, 10.0]));
        assert_eq!(unreached("n", &known), None);
        let known = KnownBound::new(&bound([false, false], [2.0, 2.5], [1.0, 10.0]));
        let sentences = "`n` never reaches its lower bound 1: the smallest value in the test cases is 2; it never reaches its upper bound 10: the largest value in the test cases is 2.5";
        assert_eq!(unreached("n", &known).unwrap(), sentences);
    }

    #[test]
    fn bounds_differ_only_if_no_claim_agrees() {
        let known = KnownBound::new(&bound([true, true], [1.0, 10.0], [1.0, 10.0]));
        let differences = |text: &str| differences("n", &known, &claims(text));
        assert_eq!(differences("$1 \\le n \\le 10$"), []);
        assert_eq!(
            differences("$n \\le 5$ in group 1.\n$n \\le 10$ in all."),
            []
        );
        assert_eq!(differences("$0 < n < 11$"), []);
        assert_eq!(differences("$1 \\le m \\le 7$"), []);
        assert_eq!(
            differences("\n$1 \\le n \\le 100$"),
            [(2, "`n` is at most 100 here, but 10".to_owned())]
        );
        assert_eq!(
            differences("$0 \\le n \\le 10$"),
            [(1, "`n` is at least 0 here, but 1".to_owned())]
        );
    }

    #[test]
    fn variable_bounds_are_not_compared_with_the_statement() {
        let mut known = KnownBound::new(&bound([true, true], [1.0, 10.0], [1.0, 10.0]));
        known.add(&bound([true, true], [1.0, 20.0], [1.0, 20.0]));
        assert_eq!(differences("n", &known, &claims("$1 \\le n \\le 100$")), []);
        assert_eq!(differences("n", &known, &claims("$0 \\le n$")).len(), 1);
    }
}
