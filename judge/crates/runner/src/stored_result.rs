//! A result as a line of a record.
//!
//! Responsible for what of a result is kept, and for telling a damaged line from a whole one. Must not know where records
//! are, nor what they are known by.

use std::collections::BTreeMap;
use std::time::Duration;

use judge_event::{Bytes, Difference, Excerpt, Interaction};
use judge_grading::ScoreFiles;
use judge_model::{Instructions, Outcome, Termination, Usage, Verdict};
use serde::{Deserialize, Serialize};

use crate::judged::Judged;

/// Grows when results that an older version has kept must not be used any more.
pub(crate) const VERSION: &[u8] = b"results, 1";

/// Hexadecimal digits of the sum at the start of a line.
const SUM: usize = 16;

/// What is kept of a test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredResult {
    /// It was judged.
    Judged(Box<Facts>),
    /// It was judged more than once, and not always alike.
    Varies,
}

/// The facts of a result: all of [`Judged`], times in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    verdict: Verdict,
    termination: Termination,
    cpu_ns: u64,
    wall_ns: u64,
    memory: u64,
    stdout: u64,
    stderr: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    memory_kills: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    judge_message: Bytes,
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    stderr_excerpt: Excerpt,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    multiplier: Option<Bytes>,
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    team_message: Bytes,
    passes: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interaction: Option<Box<Interaction>>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl StoredResult {
    pub(crate) fn of(judged: &Judged) -> Self {
        let Outcome { termination, usage } = judged.outcome;
        let bytes = |file: &Option<Vec<u8>>| file.clone().map(Bytes);
        Self::Judged(Box::new(Facts {
            verdict: judged.verdict,
            termination,
            cpu_ns: nanos(usage.cpu_time),
            wall_ns: nanos(usage.wall_time),
            memory: usage.memory_bytes,
            stdout: usage.stdout_bytes,
            stderr: usage.stderr_bytes,
            memory_kills: usage.memory_kills,
            difference: judged.difference.clone(),
            judge_message: judged.judge_message.clone(),
            stderr_excerpt: judged.stderr.clone(),
            reason: judged.reason.clone(),
            score: bytes(&judged.score_files.score),
            multiplier: bytes(&judged.score_files.multiplier),
            team_message: judged.team_message.clone(),
            passes: judged.passes,
            interaction: judged.interaction.clone(),
        }))
    }

    /// The result, marked as one that was kept; `None` when it is not always the same.
    pub(crate) fn judged(&self) -> Option<Judged> {
        let Self::Judged(facts) = self else { return None };
        let facts = Facts::clone(facts);
        let usage = Usage {
            cpu_time: Duration::from_nanos(facts.cpu_ns),
            wall_time: Duration::from_nanos(facts.wall_ns),
            memory_bytes: facts.memory,
            stdout_bytes: facts.stdout,
            stderr_bytes: facts.stderr,
            memory_kills: facts.memory_kills,
            instructions: Instructions::NotWanted,
        };
        let bytes = |file: Option<Bytes>| file.map(|bytes| bytes.0);
        Some(Judged {
            verdict: facts.verdict,
            outcome: Outcome { termination: facts.termination, usage },
            difference: facts.difference,
            judge_message: facts.judge_message,
            stderr: facts.stderr_excerpt,
            reason: facts.reason,
            score_files: ScoreFiles { score: bytes(facts.score), multiplier: bytes(facts.multiplier) },
            team_message: facts.team_message,
            passes: facts.passes,
            output_hash: None,
            interaction: facts.interaction,
            cached: true,
        })
    }

    /// Whether both cannot come from a submission that is always judged alike.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Judged(one), Self::Judged(other)) => one.verdict != other.verdict,
            _ => true,
        }
    }

    /// The line for a test case, its line break included.
    pub(crate) fn to_line(&self, case: &str) -> Vec<u8> {
        let body = serde_json::to_string(&(case, self)).expect("a result has string keys only");
        format!("{:016x} {body}\n", sum(body.as_bytes())).into_bytes()
    }
}

/// Everything in a record that is whole, by test case; of several lines the last one counts.
pub(crate) fn read_all(bytes: &[u8]) -> BTreeMap<String, StoredResult> {
    bytes.split(|byte| *byte == b'\n').filter_map(read_line).collect()
}

fn read_line(line: &[u8]) -> Option<(String, StoredResult)> {
    let (told, body) = (line.get(..SUM)?, line.get(SUM + 1..)?);
    let told = u64::from_str_radix(std::str::from_utf8(told).ok()?, 16).ok()?;
    (told == sum(body)).then(|| serde_json::from_slice(body).ok())?
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A sum that shows damage (FNV-1a, 64 bits). It need not withstand anybody: who may write to the cache may write anything.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
