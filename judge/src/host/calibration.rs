//! Calibration: how much slower this host is than the reference, by fixed work that is judged like
//! any submission.
//!
//! Responsible for the work, the reference figures and the conclusion from the times. Must not
//! change any limit.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use judge_event::{CalibratedKind, Calibration};
use judge_files::{LockedDirectory, TemporaryPurpose};

use crate::commands::judging::JudgingSettings;
use crate::config::Config;
use crate::failure::Failure;
use crate::host::own_run::{self, OwnRunLimits};

/// The work, which is compiled here as a submission in C.
const WORK: &str = include_str!("calibrate.c");
/// The kinds of work with the CPU time that each takes on the reference, in seconds: one core of an
/// AMD EPYC of a virtual machine, with gcc 12.2 and the built-in row of the table of languages.
const REFERENCE: [(&str, f64); 3] = [("integer", 0.377), ("memory", 0.620), ("branch", 0.290)];
/// The number of runs of each kind of work, which alternate.
const ROUNDS: usize = 5;
/// The time limit of each run in seconds, which bounds the whole calibration.
const MAX_SECONDS: f64 = 20.0;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Calibration\nuuid: 2f0e6c52-3f4f-4d0a-9f5e-0d6a0c1b7a11\n\
                       limits:\n  time_limit: 20\n  memory: 512\n";

/// Runs the work, alone on one core, and compares its times with the reference.
pub(crate) fn calibrate(config: &Config) -> Result<Calibration, Failure> {
    let unwritten = |source: io::Error| Failure::write("the work of the calibration", source);
    let directory = LockedDirectory::temporary(TemporaryPurpose::Measuring).map_err(unwritten)?;
    let package = directory.path().join("calibration");
    write_package(&package).map_err(unwritten)?;
    let settings = JudgingSettings {
        jobs: Some(1),
        no_cache: true,
        ..JudgingSettings::default()
    };
    let limits = OwnRunLimits {
        time_limit: Duration::from_secs_f64(MAX_SECONDS),
        max_time: None,
    };
    let state = own_run::run(config, &package, settings, limits)?;
    let times = |kind: &str| -> Vec<f64> {
        let problems = state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions);
        let tests = problems.flat_map(|submission| &submission.test_cases);
        let accepted = tests.filter(|test| test.verdict == judge_model::Verdict::Accepted);
        let runs_of_kind =
            accepted.filter(|test| test.test_case.starts_with(&format!("secret/{kind}")));
        runs_of_kind
            .map(|test| Duration::from_micros(test.cpu_time_us).as_secs_f64())
            .collect()
    };
    let measured = REFERENCE.map(|(kind, reference)| (kind, reference, times(kind)));
    calibration(&measured).ok_or_else(|| {
        Failure::Usage(
            "the work of the calibration could not be run: it needs a C compiler (`judge doctor`)"
                .to_owned(),
        )
    })
}

fn write_package(package: &Path) -> io::Result<()> {
    let (data, accepted) = (
        package.join("data/secret"),
        package.join("submissions/accepted"),
    );
    fs::create_dir_all(&data)?;
    fs::create_dir_all(&accepted)?;
    fs::write(package.join("problem.yaml"), PROBLEM)?;
    fs::write(accepted.join("calibrate.c"), WORK)?;
    for (kind, round) in REFERENCE
        .iter()
        .flat_map(|(kind, _)| (1..=ROUNDS).map(move |round| (kind, round)))
    {
        for extension in ["in", "ans"] {
            fs::write(
                data.join(format!("{kind}{round}.{extension}")),
                format!("{kind}\n"),
            )?;
        }
    }
    Ok(())
}

/// The conclusion from the times of each kind, in seconds; `None` when one of them was not measured
/// in every round.
fn calibration(measured: &[(&str, f64, Vec<f64>)]) -> Option<Calibration> {
    let mut kinds = Vec::new();
    for (kind, reference, times) in measured {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        let (fastest, slowest) = (*times.first()?, *times.last()?);
        if times.len() < ROUNDS || *reference <= 0.0 {
            return None;
        }
        let seconds = times[times.len() / 2];
        let factor = seconds / reference;
        kinds.push(CalibratedKind {
            kind: (*kind).to_owned(),
            seconds,
            reference_seconds: *reference,
            factor,
            spread: (slowest - fastest) / seconds,
        });
    }
    let factors = || kinds.iter().map(|kind| kind.factor);
    let logarithms: f64 = factors().map(f64::ln).sum();
    #[expect(clippy::cast_precision_loss, reason = "there are three kinds")]
    let factor = (logarithms / kinds.len() as f64).exp();
    let (lowest, highest) = (
        factors().fold(f64::INFINITY, f64::min),
        factors().fold(0.0, f64::max),
    );
    let noise = kinds.iter().map(|kind| kind.spread).fold(0.0, f64::max);
    Some(Calibration {
        factor: (factor * 100.0).round() / 100.0,
        lowest,
        highest,
        noise,
        kinds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_the_mean_of_all_kinds() {
        let rounds = |seconds: f64| vec![seconds, seconds * 0.9, seconds * 9.0, seconds, seconds];
        let found = calibration(&[("a", 1.0, rounds(1.0)), ("b", 0.5, rounds(2.0))]).unwrap();
        // One round that was disturbed does not count.
        assert!((found.factor - 2.0).abs() < 1e-9, "{found:?}");
        assert!(
            (found.lowest - 1.0).abs() < 1e-9 && (found.highest - 4.0).abs() < 1e-9,
            "{found:?}"
        );
        // But it shows how reliable the factor is.
        assert!((found.noise - 8.1).abs() < 1e-9, "{found:?}");
        assert_eq!(calibration(&[("a", 1.0, vec![1.0; ROUNDS - 1])]), None);
        assert_eq!(calibration(&[("a", 1.0, Vec::new())]), None);
    }
}
