//! From a search to the document of `judge stress --json`.
//!
//! Responsible for its keys, which `judge/docs/stress.md` explains. Must not hold words for people but for warnings.

use std::path::PathBuf;

use judge_event::Bytes;
use judge_model::Verdict;
use serde::Serialize;

use crate::{SearchEnd, SearchOutcome, Searched, Seen};

/// The version of the document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    problem: String,
    finder: String,
    reference: String,
    submissions: Vec<String>,
    seed: u64,
    from: u64,
    next: u64,
    end: &'static str,
    elapsed_us: u64,
    inputs: u64,
    judged: u64,
    repeated: u64,
    invalid: u64,
    refused: u64,
    unusable: u64,
    kinds: usize,
    kinds_reached: usize,
    findings: Vec<FindingDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest: Option<SlowestDocument>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct FindingDocument {
    number: u64,
    made_by: String,
    failures: Vec<FailureDocument>,
    found_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    input: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Bytes>,
    is_minimal: bool,
    tried: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

#[derive(Serialize)]
struct FailureDocument {
    submission: String,
    verdict: Verdict,
    how: String,
}

#[derive(Serialize)]
struct SlowestDocument {
    number: u64,
    made_by: String,
    cpu_time_us: u64,
    bytes: usize,
}

impl SearchOutcome<'_> {
    /// The document for machines; `saved` are the files of the findings.
    #[must_use]
    pub fn document(&self, saved: &[PathBuf]) -> String {
        let Searched { tally, elapsed, next, end, slowest, .. } = self.searched;
        let found = self.found();
        let findings = found.iter().enumerate().map(|(index, found)| {
            let call = found.small.and_then(|small| small.call.as_ref()).map(|call| self.origin(&call.origin));
            FindingDocument {
                number: found.number,
                made_by: self.origin(&found.first.origin),
                failures: failures(self, found.seen),
                found_bytes: found.first.input.len(),
                call,
                input: Bytes(found.input.to_vec()),
                answer: found.answer.clone().map(Bytes),
                is_minimal: found.small.is_some_and(|small| small.is_minimal),
                tried: found.small.map_or(0, |small| small.tried),
                file: saved.get(index).map(|path| path.display().to_string()),
            }
        });
        let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let slowest = slowest.as_ref().map(|finding| SlowestDocument {
            number: finding.number,
            made_by: self.origin(&finding.origin),
            cpu_time_us: finding.seen.first().map_or(0, |seen| micros(seen.tried.outcome.usage.cpu_time)),
            bytes: finding.input.len(),
        });
        let document = Document {
            schema: SCHEMA,
            problem: self.target.problem.name.clone(),
            finder: self.target.words.clone(),
            reference: self.target.id(self.target.reference).to_owned(),
            submissions: (0..self.target.entrants).map(|index| self.target.id(index).to_owned()).collect(),
            seed: self.search.seed,
            from: self.search.from,
            next: *next,
            end: match end {
                SearchEnd::Found => "found",
                SearchEnd::Inputs => "inputs",
                SearchEnd::Time => "time",
                SearchEnd::Interrupted => "interrupted",
            },
            elapsed_us: micros(*elapsed),
            inputs: tally.inputs,
            judged: tally.judged,
            repeated: tally.repeated,
            invalid: tally.invalid,
            refused: tally.failed,
            unusable: tally.unusable,
            kinds: self.sources.0,
            kinds_reached: tally.templates,
            findings: findings.collect(),
            slowest,
            warnings: self.warnings(),
        };
        serde_json::to_string(&document).unwrap_or_default()
    }
}

fn failures(outcome: &SearchOutcome<'_>, seen: &[Seen]) -> Vec<FailureDocument> {
    let of = |seen: &Seen| FailureDocument {
        submission: outcome.target.id(seen.submission).to_owned(),
        verdict: seen.class.verdict,
        how: seen.class.how.clone(),
    };
    seen.iter().map(of).collect()
}
