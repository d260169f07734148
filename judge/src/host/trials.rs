//! Packages that `judge` writes itself and runs like any other: a small program in each language,
//! which shows whether the language works here, and fixed work, which shows how much slower this
//! host is than the reference.
//!
//! Responsible for the programs, the reference figures and the conclusions from results. Must not
//! find tools, nor change any limit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{CalibratedKind, Calibration, RunState, SubmissionState};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{LanguageId, Verdict};
use judge_package::{CPYTHON, PYPY, Workspace, load};
use judge_report::explained_ending;
use judge_runner::{Plan, PlannedProblem, RunSettings};

use crate::commands::judging::inferring::ProgressObserver;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::failure::Failure;

/// Programs that print the sum of two numbers; each file is named after its language. Other
/// languages are not tried.
const SMALL: [(&str, &str); 36] = [
    ("ada.adb", include_str!("small/ada.adb")),
    ("bash.sh", include_str!("small/bash.sh")),
    ("c.c", include_str!("small/c.c")),
    ("cgmp.c", include_str!("small/cgmp.c")),
    ("cobol.cob", include_str!("small/cobol.cob")),
    ("cpp.cpp", include_str!("small/cpp.cpp")),
    ("cppgmp.cpp", include_str!("small/cppgmp.cpp")),
    ("crystal.cr", include_str!("small/crystal.cr")),
    ("csharp.cs", include_str!("small/csharp.cs")),
    ("d.d", include_str!("small/d.d")),
    ("elixir.ex", include_str!("small/elixir.ex")),
    ("erlang.erl", include_str!("small/erlang.erl")),
    ("forth.fth", include_str!("small/forth.fth")),
    ("fortran.f90", include_str!("small/fortran.f90")),
    ("go.go", include_str!("small/go.go")),
    ("haskell.hs", include_str!("small/haskell.hs")),
    ("java.java", include_str!("small/java.java")),
    ("javascript.js", include_str!("small/javascript.js")),
    ("kotlin.kt", include_str!("small/kotlin.kt")),
    ("lisp.lisp", include_str!("small/lisp.lisp")),
    ("lua.lua", include_str!("small/lua.lua")),
    ("nim.nim", include_str!("small/nim.nim")),
    ("objectivec.m", include_str!("small/objectivec.m")),
    ("ocaml.ml", include_str!("small/ocaml.ml")),
    ("octave.m", include_str!("small/octave.m")),
    ("pascal.pas", include_str!("small/pascal.pas")),
    ("perl.pm", include_str!("small/perl.pm")),
    ("php.php", include_str!("small/php.php")),
    ("prolog.pl", include_str!("small/prolog.pl")),
    ("python2.py2", include_str!("small/python2.py2")),
    ("python3.py", include_str!("small/python3.py")),
    ("python3numpy.py", include_str!("small/python3numpy.py")),
    ("racket.rkt", include_str!("small/racket.rkt")),
    ("ruby.rb", include_str!("small/ruby.rb")),
    ("rust.rs", include_str!("small/rust.rs")),
    ("scala.scala", include_str!("small/scala.scala")),
];
const LANGUAGES: &str = "problem_format_version: 2025-09\nname: Languages\nuuid: 5e0e6c52-3f4f-4d0a-9f5e-0d6a0c1b7a12\n\
                       limits:\n  time_limit: 20\n  compilation_time: 60\n";

/// The time limit of each test case, which bounds the whole calibration.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The maximum time of all trials. Programs that were compiled by then are in the cache, and take
/// no time in the next attempt.
const MAX_TIME: Duration = Duration::from_secs(30);
const DIRECTORY: &str = "tried";

/// The results of languages that were tried.
pub(crate) type Trials = BTreeMap<LanguageId, Result<(), NotWorking>>;

/// The reason why a language does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotWorking {
    /// The small program was not accepted.
    #[error("{0}")]
    Program(String),
    /// The host failed before a verdict.
    #[error("not tried: {0}")]
    Host(String),
}

impl NotWorking {
    /// The fault of the host.
    pub(crate) fn fault(&self) -> Option<&str> {
        match self {
            Self::Program(_) => None,
            Self::Host(fault) => Some(fault),
        }
    }
}

/// Tries these languages, in parallel by the number of jobs. If one of them ends the run by a fault
/// of the host, each is tried alone, so that the others have results.
pub(crate) fn try_languages(
    config: &Config,
    languages: &BTreeSet<LanguageId>,
) -> Result<Trials, Failure> {
    let (mut trials, faulty) = try_together(config, languages)?;
    if faulty && languages.len() > 1 {
        for language in languages {
            trials.extend(try_together(config, &BTreeSet::from([language.clone()]))?.0);
        }
    }
    Ok(trials)
}

/// Tries languages in one run; true with a fault of the host.
fn try_together(
    config: &Config,
    languages: &BTreeSet<LanguageId>,
) -> Result<(Trials, bool), Failure> {
    let unwritten = |source: io::Error| Failure::write("the programs of the trials", source);
    let directory = LockedDirectory::temporary(TemporaryPurpose::Measuring).map_err(unwritten)?;
    let package = directory.path().join("languages");
    let tried = write_trials(&package, languages).map_err(unwritten)?;
    if tried.is_empty() {
        return Ok((Trials::new(), false));
    }
    let settings = JudgingSettings::default();
    let state = run_package(config, &package, settings, Some(MAX_TIME))?;
    let submissions = || {
        state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions)
    };
    let result = |language: &LanguageId| {
        if let Some(missing) = state
            .languages_unavailable
            .iter()
            .find(|missing| missing.language == *language)
        {
            return Err(NotWorking::Program(missing.reason.clone()));
        }
        let path = format!("{DIRECTORY}/{language}");
        let not_tried = || match state.host_faults.first() {
            Some(fault) => NotWorking::Host(fault.message.clone()),
            None => NotWorking::Program(format!(
                "not tried within {} s; run `judge doctor` again",
                MAX_TIME.as_secs()
            )),
        };
        let finished = submissions().find(|submission| {
            submission.started.submission == path && submission.finished.is_some()
        });
        let Some(finished) = finished else {
            return Err(not_tried());
        };
        result_of(finished).map_err(NotWorking::Program)
    };
    let trials = tried
        .iter()
        .map(|language| (language.clone(), result(language)))
        .collect();
    Ok((trials, !state.host_faults.is_empty()))
}

/// The reason, in one line, why a program did not print the sum.
fn result_of(submission: &SubmissionState) -> Result<(), String> {
    let verdict = submission
        .finished
        .as_ref()
        .map(|finished| finished.verdict);
    if verdict == Some(Verdict::Accepted) {
        return Ok(());
    }
    if let Some(skipped) = &submission.skipped {
        return Err(skipped.reason.clone());
    }
    if let (Some(Verdict::CompileError), Some(compiled)) = (verdict, &submission.compiled) {
        let text = compiled.message.head.to_text();
        let line = text
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("without a message");
        return Err(format!("a small program does not compile: {}", line.trim()));
    }
    let test = submission.test_cases.first();
    let reason = test
        .and_then(|test| test.reason.clone())
        .unwrap_or_else(|| match test {
            Some(test) => explained_ending(test.termination),
            None => "it was not run".to_owned(),
        });
    Err(format!("a small program is not accepted: {reason}"))
}

/// Writes a package with a submission in each of these languages that has a program. Returns these
/// languages.
fn write_trials(
    package: &Path,
    languages: &BTreeSet<LanguageId>,
) -> io::Result<BTreeSet<LanguageId>> {
    let (data, submissions) = (package.join("data/secret"), package.join("submissions"));
    fs::create_dir_all(&data)?;
    fs::create_dir_all(&submissions)?;
    fs::write(package.join("problem.yaml"), LANGUAGES)?;
    fs::write(data.join("sum.in"), "3 4\n")?;
    fs::write(data.join("sum.ans"), "7\n")?;
    let mut tried = BTreeSet::new();
    let mut rules = String::new();
    for language in languages {
        // PyPy runs the program in Python 3.
        let known = if language.0 == PYPY {
            CPYTHON
        } else {
            &*language.0
        };
        let extension_of = |file: &'static str| file.strip_prefix(known)?.strip_prefix('.');
        let small = SMALL
            .iter()
            .find_map(|(file, text)| Some((extension_of(file)?, text)));
        let Some((extension, text)) = small else {
            continue;
        };
        let directory = submissions.join(DIRECTORY).join(&language.0);
        fs::create_dir_all(&directory)?;
        // The name of the class in Java, and of the module in Erlang.
        let name = if language.0 == "java" {
            "Main"
        } else {
            "small"
        };
        fs::write(directory.join(format!("{name}.{extension}")), text)?;
        rules += &format!("{DIRECTORY}/{language}:\n  language: {language}\n");
        tried.insert(language.clone());
    }
    fs::write(submissions.join("submissions.yaml"), rules)?;
    Ok(tried)
}

/// The work, which is compiled here as a submission in C.
const WORK: &str = include_str!("calibrate.c");
/// The kinds of work with the CPU time that each takes on the reference, in seconds: one core of an
/// AMD EPYC of a virtual machine, with gcc 12.2 and the built-in row of the table of languages.
const REFERENCE: [(&str, f64); 3] = [("integer", 0.377), ("memory", 0.620), ("branch", 0.290)];
/// The number of runs of each kind of work, which alternate.
const ROUNDS: usize = 5;

const CALIBRATION: &str = "problem_format_version: 2025-09\nname: Calibration\nuuid: 2f0e6c52-3f4f-4d0a-9f5e-0d6a0c1b7a11\n\
                       limits:\n  time_limit: 20\n  memory: 512\n";

/// Runs the work, alone on one core, and compares its times with the reference.
pub(crate) fn calibrate(config: &Config) -> Result<Calibration, Failure> {
    let unwritten = |source: io::Error| Failure::write("the work of the calibration", source);
    let directory = LockedDirectory::temporary(TemporaryPurpose::Measuring).map_err(unwritten)?;
    let package = directory.path().join("calibration");
    write_calibration(&package).map_err(unwritten)?;
    let settings = JudgingSettings {
        jobs: Some(1),
        no_cache: true,
        ..JudgingSettings::default()
    };
    let state = run_package(config, &package, settings, None)?;
    let times = |kind: &str| -> Vec<f64> {
        let problems = state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions);
        let tests = problems.flat_map(|submission| &submission.test_cases);
        let accepted = tests.filter(|test| test.verdict == Verdict::Accepted);
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

fn write_calibration(package: &Path) -> io::Result<()> {
    let data = package.join("data/secret");
    let accepted = package.join("submissions/accepted");
    fs::create_dir_all(&data)?;
    fs::create_dir_all(&accepted)?;
    fs::write(package.join("problem.yaml"), CALIBRATION)?;
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
    let noise = kinds.iter().map(|kind| kind.spread).fold(0.0, f64::max);
    Some(Calibration {
        factor: (factor * 100.0).round() / 100.0,
        lowest: factors().fold(f64::INFINITY, f64::min),
        highest: factors().fold(0.0, f64::max),
        noise,
        kinds,
    })
}

/// Runs all submissions of a package, without cached results, and returns the state at the end.
/// After `max_time`, the run ends as if it were interrupted.
fn run_package(
    config: &Config,
    package: &Path,
    settings: JudgingSettings,
    max_time: Option<Duration>,
) -> Result<RunState, Failure> {
    let mut workspace = Workspace::bare(package.parent().unwrap_or(package));
    workspace.languages.clone_from(&config.workspace.languages);
    let problem = load(package, &workspace)
        .map_err(|errors| Failure::Usage(errors.to_string()))?
        .problem;
    let languages = problem
        .submissions
        .iter()
        .filter_map(|submission| submission.language.clone())
        .collect();
    let RunContext { environment, .. } = RunContext::open(config, settings, &languages)?;
    let path = problem.name.clone();
    let planned = PlannedProblem::new(Arc::new(problem), path, TIME_LIMIT);
    let plan = Plan {
        problems: vec![planned],
        ..Plan::default()
    };
    let mut observer = ProgressObserver::new(config, max_time);
    judge_runner::run(plan, &environment, &RunSettings::default(), &mut observer)?;
    observer.finish()
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
