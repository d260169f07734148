//! Tests of whole runs, with a sandbox that starts no process.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

mod cached;
mod confirming;
mod damaged_measurements;
mod inferred;
mod measuring;
mod recording;
mod run;
mod skipping;
