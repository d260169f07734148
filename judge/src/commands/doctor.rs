//! `judge doctor`: the isolation, languages and timing of this host.
//!
//! Responsible for examining the host. Must not judge submissions of the user.

use std::path::Path;

use judge_event::{DiagnosedTool, Diagnosis, IsolationAttempt, LanguageExtensions, ProgramFacts};
use judge_exec::Toolchains;
use judge_model::{Guarantee, IsolationLevel, Language};
use judge_report::DoctorReport;
use judge_sandbox::{LinuxSandbox, Sandbox, SandboxError};

use crate::args::DoctorArgs;
use crate::commands::document::DocumentOutput;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::host::trials::{Trials, calibrate, try_languages};
use crate::host::{self, fix_hints, platform};
use crate::session::{keep_reachable, require};

pub(crate) fn run(config: &Config, args: &DoctorArgs) -> Result<ExitCode, Failure> {
    let cores = host::physical_cores().len();
    let problem = host::check_programs()
        .err()
        .map(|failure| failure.to_string());
    let (sandbox, failed) = match LinuxSandbox::open(config.workspace.isolation) {
        Ok(sandbox) => {
            let attempts = sandbox.attempts().to_vec();
            (Some(sandbox), attempts)
        }
        Err(SandboxError::Unavailable { attempts, .. }) => (None, attempts),
        Err(error) => return Err(error.into()),
    };
    let isolation = sandbox.as_ref().map(|sandbox| sandbox.isolation().clone());
    let level = isolation.as_ref().map(|isolation| isolation.level);
    let gaps = isolation
        .as_ref()
        .map_or(Guarantee::ALL.to_vec(), |isolation| isolation.gaps.clone());
    let output = DocumentOutput::open(config, &args.reports.targets)?;
    let surroundings = platform::read_facts();
    let hints = fix_hints::hints(&surroundings, level, &gaps);
    let (toolchains, fault) = toolchains(config, sandbox.as_ref(), problem.is_none());
    let problem = problem.or(fault);
    let languages = config.workspace.languages.iter();
    let extensions_of = |language: &Language| LanguageExtensions {
        language: language.id.clone(),
        extensions: language.extensions.clone(),
    };
    let diagnosis = Diagnosis {
        environment: fix_hints::environment(&surroundings),
        isolation,
        demanded: config.workspace.isolation,
        fixes: fix_hints::for_demand(hints, level, config.workspace.isolation),
        attempts: attempts(level, &failed),
        cores: u32::try_from(cores).unwrap_or(u32::MAX),
        jobs: config.jobs_or(None).0.try_into().unwrap_or(u32::MAX),
        toolchains,
        extensions: languages.map(extensions_of).collect(),
        timing: host::timing_warnings(cores),
        calibration: args.calibrate.then(|| calibrate(config)).transpose()?,
        program: program(),
        cache_dir: host::cache_path().display().to_string(),
        problem: problem.clone(),
        workspace: config
            .workspace
            .file
            .as_ref()
            .map(|file| file.display().to_string()),
    };
    let look = config.terminal.look;
    output.write(
        || DoctorReport(&diagnosis).to_text(look),
        |_| format!("{}\n", diagnosis.to_json()),
    )?;
    // Reported after everything that helps to fix it.
    sandbox.map_or(Ok(()), |sandbox| {
        require(&config.workspace.required, sandbox.isolation())
    })?;
    Ok(ExitCode::HostFault.unless(level.is_some() && problem.is_none()))
}

/// The facts about this program, as it was built.
fn program() -> ProgramFacts {
    let libc = match () {
        () if cfg!(target_env = "gnu") => "glibc",
        () if cfg!(target_env = "musl") => "musl",
        () => "C library",
    };
    ProgramFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        processor: std::env::consts::ARCH.to_owned(),
        libc: libc.to_owned(),
        linked_statically: cfg!(target_feature = "crt-static"),
    }
}

/// The attempts, strongest first: the failures, and the level that works.
fn attempts(
    level: Option<IsolationLevel>,
    failed: &[judge_sandbox::Attempt],
) -> Vec<IsolationAttempt> {
    let failures = failed.iter().map(|attempt| IsolationAttempt {
        level: attempt.level,
        problem: Some(format!("{}: {}", attempt.way, attempt.reason)),
    });
    failures
        .chain(level.map(|level| IsolationAttempt {
            level,
            problem: None,
        }))
        .collect()
}

/// The tools of each language, and a fault of the host that several languages share. A language works
/// if a small program in it does.
fn toolchains(
    config: &Config,
    sandbox: Option<&LinuxSandbox>,
    can_run_programs: bool,
) -> (Vec<DiagnosedTool>, Option<String>) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = Toolchains::probe(&config.workspace.languages, &path);
    let closed = |path: &Path| sandbox.and_then(|sandbox| sandbox.closed_directory(path));
    let level = sandbox.map(|sandbox| sandbox.isolation().level);
    keep_reachable(&mut found, config, level, &closed);
    let usable = found
        .iter()
        .filter(|(_, toolchain)| toolchain.is_ok())
        .map(|(language, _)| language.clone())
        .collect();
    let trials = (sandbox.is_some() && can_run_programs)
        .then(|| try_languages(config, &usable))
        .transpose();
    let (trials, fault) = match trials {
        Ok(trials) => {
            let trials = trials.unwrap_or_default();
            let fault = shared_fault(&trials);
            (trials, fault)
        }
        Err(failure) => (Trials::new(), Some(failure.to_string())),
    };
    let mut tools = Vec::new();
    for (language, toolchain) in found.iter() {
        let tried = trials.get(language);
        match toolchain {
            Ok(toolchain) => tools.extend(toolchain.tools.iter().map(|tool| {
                DiagnosedTool {
                    language: language.clone(),
                    tool: tool.name.clone(),
                    version: Some(tool.version.clone()),
                    path: Some(tool.executable.display().to_string()),
                    works: matches!(tried, Some(Ok(()))),
                    problem: tried
                        .and_then(|tried| tried.as_ref().err())
                        .filter(|reason| {
                            reason.fault().is_none() || reason.fault() != fault.as_deref()
                        })
                        .map(ToString::to_string),
                }
            })),
            Err(unavailable) => tools.push(DiagnosedTool {
                language: language.clone(),
                tool: language.to_string(),
                version: None,
                path: None,
                works: false,
                problem: Some(unavailable.to_string()),
            }),
        }
    }
    (tools, fault)
}

/// A fault of the host that kept several languages, or all of them, from being tried. A fault of a
/// single language is more likely its tool's.
fn shared_fault(trials: &Trials) -> Option<String> {
    let works = trials.values().any(Result::is_ok);
    let mut faults = trials
        .values()
        .filter_map(|tried| tried.as_ref().err()?.fault());
    let first = faults.next()?;
    (!works || faults.any(|fault| fault == first)).then(|| first.to_owned())
}
