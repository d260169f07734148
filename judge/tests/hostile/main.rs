//! The hostile suite: every program of `testdata/hostile/` at every isolation level that this host
//! offers.
//!
//! Responsible for the order of steps, for comparing results with declarations, and for the report.
//! Must not know any case.
//!
//! It is a separate program instead of a list of test functions, because it prints a line for each
//! case, passed or not, and because it is also the victim that is killed. `cargo test -p judge
//! --test hostile -- [FILTER] [--level LEVEL]`. `compile DIRECTORY` only compiles the cases, and
//! `--programs DIRECTORY` takes them from there: so that several runs on one host can share them.

#![expect(
    clippy::print_stdout,
    reason = "a test program: it talks to the terminal"
)]

mod bench;
mod busy;
mod case;
mod collecting;
mod gaps;
mod host;
mod killing;
mod pattern;
mod programs;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use judge_model::{IsolationLevel, Limit, Termination, Verdict};
use judge_sandbox::replaced_helpers;

use bench::{Bench, CaseResult};
use busy::{BUSY, Ticks};
use case::{Case, Demand, Stage};
use host::Host;
use programs::{Programs, SECRET};

/// The CPU time beyond the limit that may be reported, for the supervisor's pause and a busy host.
const CPU_OVERSHOOT: Duration = Duration::from_millis(150);
/// The elapsed time beyond the limit that may be reported: mostly the kernel's work when many
/// processes die.
const WALL_OVERSHOOT: Duration = Duration::from_millis(500);
/// The memory beyond the limit of a control group that may be reported, which the kernel charges in
/// advance.
const MEMORY_OVERSHOOT: u64 = 2 << 20;
/// The factors of elapsed time for the attempts at a case on a busy host.
const WALL_FACTORS: [u32; 6] = [1, 3, 9, 27, 27, 27];
/// The number of processes that share the cases of a level when all levels run.
const PARTS: usize = 2;
/// The memory that may be missing at the end, because other programs run too.
const MEMORY_LEFT: u64 = 64 << 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("victim") => killing::run_victim(&args[1..]).map(|()| true),
        Some("compile") => compile(&args[1..]).map(|()| true),
        Some("--list") => case::load().map(|cases| {
            cases
                .iter()
                .for_each(|case| println!("{}: test", case.name));
            true
        }),
        _ if value(&args, "--level").is_none() => run_levels(&args),
        _ => host::run_with_own_mounts(&args).unwrap_or_else(|| run_suite(&args)),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("FAILED: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles all cases into a new directory.
fn compile(args: &[String]) -> Result<(), String> {
    let directory = Path::new(args.first().ok_or("expected a directory")?);
    std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    Programs::build(directory, &case::load()?, None).map(drop)
}

/// The value of an option.
fn value<'a>(args: &'a [String], option: &str) -> Option<&'a str> {
    args.iter()
        .position(|arg| arg == option)
        .and_then(|at| args.get(at + 1))
        .map(String::as_str)
}

/// The cases whose names contain the filter.
fn chosen_cases(args: &[String]) -> Result<Vec<Case>, String> {
    let cases = case::load()?;
    gaps::check(&cases)?;
    let part = value(args, "--part");
    let values = [value(args, "--level"), value(args, "--programs"), part];
    let is_filter = |arg: &&String| !arg.starts_with("--") && !values.contains(&Some(arg.as_str()));
    let filter = args.iter().find(is_filter).map_or("", String::as_str);
    let cases = cases.into_iter().filter(|case| case.name.contains(filter));
    let Some(part) = part else {
        return Ok(cases.collect());
    };
    let first = part
        .parse::<usize>()
        .ok()
        .filter(|part| (1..=PARTS).contains(part))
        .ok_or_else(|| format!("unknown part `{part}`; expected 1 to {PARTS}"))?;
    Ok(cases.skip(first - 1).step_by(PARTS).collect())
}

/// A directory for programs that run as other users.
fn open_directory() -> Result<tempfile::TempDir, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(directory.path(), open).map_err(|error| error.to_string())?;
    Ok(directory)
}

/// Runs the suite at all levels in parallel, each part of each level in its own process: most cases
/// wait for a limit. Prints a part when it and those before it have ended.
fn run_levels(args: &[String]) -> Result<bool, String> {
    let directory = open_directory()?;
    let mut args = args.to_vec();
    if value(&args, "--programs").is_none() {
        Programs::build(directory.path(), &chosen_cases(&args)?, None)?;
        args.extend([
            "--programs".to_owned(),
            directory.path().display().to_string(),
        ]);
    }
    // Unless requested, root does not test the level for ordinary users: for root it gives less
    // than `full`.
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        println!(
            "SKIPPED: level `namespaces` as root: `ci/nightly/unprivileged` tries it as a user, `ci/check slow-tests` as root"
        );
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let start = |(level, part): (IsolationLevel, usize)| {
        let mut command = Command::new(&program);
        command.args(&args).args(["--level", level.name()]);
        command.args(["--part", &part.to_string()]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())
    };
    let levels = gaps::LEVELS
        .into_iter()
        .filter(|level| !is_root || *level != IsolationLevel::Namespaces);
    let parts = levels.flat_map(|level| (1..=PARTS).map(move |part| (level, part)));
    let children = parts.map(start).collect::<Result<Vec<_>, String>>()?;
    // All pipes are read in parallel: a pipe without a reader would block its part.
    let readers: Vec<_> = children
        .into_iter()
        .map(|child| std::thread::spawn(|| child.wait_with_output()))
        .collect();
    let mut ok = true;
    for reader in readers {
        let output = reader
            .join()
            .map_err(|_| "a reader panicked")?
            .map_err(|error| error.to_string())?;
        print!("{}", String::from_utf8_lossy(&output.stdout));
        ok &= output.status.success();
    }
    Ok(ok)
}

/// Runs the cases at the requested level.
fn run_suite(args: &[String]) -> Result<bool, String> {
    let chosen = chosen_cases(args)?;
    let directory = open_directory()?;
    let service = format!("hostile-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&service).map_err(|error| error.to_string())?;
    let _listener = UnixListener::bind_addr(&address).map_err(|error| error.to_string())?;
    let programs = Programs::build(
        directory.path(),
        &chosen,
        value(args, "--programs").map(Path::new),
    )?;
    let (mut ok, mounts) = (true, host::own_mounts());
    for level in gaps::LEVELS
        .into_iter()
        .filter(|level| Some(level.name()) == value(args, "--level"))
    {
        match Bench::open(level, &programs, &service) {
            Ok(mut bench) => ok &= at_level(&mut bench, &chosen, directory.path(), &mounts)?,
            Err(error) => println!(
                "SKIPPED: level `{level}`, all {} cases: {error}",
                chosen.len()
            ),
        }
    }
    Ok(ok)
}

/// The counts at a level.
#[derive(Default)]
struct Tally<'a> {
    held: usize,
    gaps: Vec<&'a str>,
    skipped: Vec<&'a str>,
    failed: Vec<&'a str>,
    overshoot: Duration,
}

/// The state of everything before the first case.
struct Before<'a> {
    directory: &'a Path,
    host: Host,
    /// The maximum time until the host is as before. The suite waits for a permanent difference
    /// only once.
    timeout: Cell<Duration>,
    canary: String,
}

fn at_level(
    bench: &mut Bench<'_>,
    cases: &[Case],
    directory: &Path,
    mounts: &BTreeSet<String>,
) -> Result<bool, String> {
    println!(
        "level `{}` as user {}",
        bench.level,
        rustix::process::geteuid().as_raw()
    );
    let begun = Instant::now();
    let canary = bench.canary()?;
    let has_own_numbers = bench.level >= IsolationLevel::Namespaces;
    if !canary.starts_with(if has_own_numbers {
        "process 2 below 1 "
    } else {
        "user "
    }) {
        return Err(format!("unexpected output of the canary:\n{canary}"));
    }
    let timeout = Cell::new(host::RESTORE_TIMEOUT);
    let before = Before {
        directory,
        host: Host::settled(directory, mounts),
        timeout,
        canary,
    };
    let memory = host::hidden_memory();
    let mut tally = Tally::default();
    for case in cases {
        let name = case.name.as_str();
        if let Some(reason) = bench.missing(case) {
            print_line("SKIPPED", bench.level, name, &reason);
            tally.skipped.push(name);
            continue;
        }
        match case.demand(bench.level) {
            Ok(demand) if !holds(bench, case, &demand, &before, &mut tally.overshoot) => {
                tally.failed.push(name);
            }
            Ok(Demand { gap: None, .. }) => tally.held += 1,
            Ok(_) => tally.gaps.push(name),
            Err(reason) => {
                print_line("gap", bench.level, name, &format!("not run: {reason}"));
                tally.gaps.push(name);
            }
        }
    }
    // The kernel frees memory with a delay, and other programs use memory too.
    let ticks = Ticks::now();
    if !(0..6).any(|_| host::eventually(|| host::hidden_memory() < memory + MEMORY_LEFT)) {
        let missing = host::hidden_memory().saturating_sub(memory) >> 20;
        let others = ticks.used_by_others(Duration::ZERO);
        if others > BUSY {
            println!(
                "SKIPPED: {missing} MiB of the host's memory are missing; others used {:.0} % of the host",
                others * 100.0
            );
            tally.skipped.push("memory of the host");
        } else {
            println!("FAILED: {missing} MiB of the host's memory are missing");
            tally.failed.push("memory of the host");
        }
    }
    summary(bench.level, &tally, begun.elapsed());
    Ok(tally.failed.is_empty())
}

/// Runs a case as often as it declares and prints the outcome. True when everything is as declared,
/// and the host is as before.
fn holds(
    bench: &mut Bench<'_>,
    case: &Case,
    demand: &Demand,
    before: &Before<'_>,
    overshoot: &mut Duration,
) -> bool {
    let (mut faults, replaced) = (Vec::new(), replaced_helpers());
    for round in 0..case.times {
        match run_until_undisturbed(bench, case, round, demand, overshoot) {
            Ok((message, found)) => {
                let gap_or_ok = if demand.gap.is_some() { "gap" } else { "ok" };
                print_line(
                    if found.is_empty() {
                        gap_or_ok
                    } else {
                        "FAILED"
                    },
                    bench.level,
                    &case.name,
                    &message,
                );
                faults.extend(found.into_iter().map(|fault| fault.text));
            }
            Err(error) => {
                print_line("FAILED", bench.level, &case.name, "");
                faults.push(error);
            }
        }
    }
    clean(&bench.programs.staged, &bench.programs.built, &case.name);
    match bench.canary() {
        Ok(now) if now == before.canary => {}
        Ok(now) => faults.push(format!("the canary was\n{}and is\n{now}", before.canary)),
        Err(error) => faults.push(error),
    }
    // No program may affect the helper, regardless of a second attempt.
    if case.stage != Stage::Harness && replaced_helpers() != replaced {
        faults.push("the sandbox's helper process ended, and was started again".to_owned());
    }
    let different = before.host.compare(before.directory, before.timeout.get());
    if !different.is_empty() {
        before.timeout.set(Duration::from_millis(200));
    }
    faults.extend(different);
    faults.iter().for_each(|fault| println!("    {fault}"));
    faults.is_empty()
}

/// Removes the files of a compiled case from the depots.
fn clean(staged: &Path, built: &Path, name: &str) {
    for directory in [staged, built] {
        let _ = std::fs::remove_dir_all(directory.join(format!("{name}-0")));
    }
}

fn print_line(word: &str, level: IsolationLevel, name: &str, message: &str) {
    println!("{word:<7} {level:<10} {name:<38} {message}");
}

fn summary(level: IsolationLevel, tally: &Tally<'_>, took: Duration) {
    let names = |names: &[&str]| {
        if names.is_empty() {
            String::new()
        } else {
            format!(" ({})", names.join(", "))
        }
    };
    println!(
        "level `{level}`: {} held; {} gaps{}; {} skipped{}; {} failed{}; at most {:?} of CPU time too much; {:.1} s\n",
        tally.held,
        tally.gaps.len(),
        names(&tally.gaps),
        tally.skipped.len(),
        names(&tally.skipped),
        tally.failed.len(),
        names(&tally.failed),
        tally.overshoot,
        took.as_secs_f64()
    );
}

/// A difference from the declaration.
struct Fault {
    text: String,
    /// True when a busy host can be the reason, because something was late or missing.
    late: bool,
}

/// Runs a case, and again if a busy host may be the reason for its faults. A forbidden write or
/// read is never excused.
fn run_until_undisturbed(
    bench: &mut Bench<'_>,
    case: &Case,
    round: u32,
    demand: &Demand,
    overshoot: &mut Duration,
) -> Result<(String, Vec<Fault>), String> {
    for (attempt, wall_factor) in WALL_FACTORS.into_iter().enumerate() {
        bench.wall_factor = wall_factor;
        let before = Ticks::now();
        let (message, used, faults) = run(bench, case, round, demand, overshoot)?;
        let others = before.used_by_others(used);
        let excused = !faults.is_empty() && faults.iter().all(|fault| fault.late) && others > BUSY;
        if !excused || attempt + 1 == WALL_FACTORS.len() {
            return Ok((message, faults));
        }
        print_line(
            "again",
            bench.level,
            &case.name,
            &format!("{message}; others used {:.0} % of the host", others * 100.0),
        );
        clean(&bench.programs.staged, &bench.programs.built, &case.name);
        std::thread::sleep(Duration::from_secs(1));
    }
    Err("it was never tried".to_owned())
}

/// Runs a case once. Returns its line of the report, the CPU time that it used, and its faults.
fn run(
    bench: &mut Bench<'_>,
    case: &Case,
    round: u32,
    demand: &Demand,
    overshoot: &mut Duration,
) -> Result<(String, Duration, Vec<Fault>), String> {
    if let (Stage::Harness, Some(kills)) = (case.stage, case.kills) {
        killing::run(case, kills, bench)?;
        return Ok((String::new(), Duration::ZERO, Vec::new()));
    }
    let expect = &demand.expect;
    let keep = expect.kept.is_some() || expect.cannot_be_kept;
    let done = bench.run(case, round, expect.stdout.as_deref(), keep)?;
    let usage = done.outcome.usage;
    if done.outcome.termination
        == (Termination::Killed {
            limit: Limit::CpuTime,
        })
    {
        *overshoot = (*overshoot).max(usage.cpu_time.saturating_sub(done.limits.cpu_time));
    }
    let message = format!(
        "{:<4} {:>6.3} s CPU {:>6.3} s wall {:>6.1} MiB",
        done.verdict,
        usage.cpu_time.as_secs_f64(),
        usage.wall_time.as_secs_f64(),
        usage.memory_bytes as f64 / f64::from(1 << 20)
    );
    let faults = |texts: Vec<String>, late| texts.into_iter().map(move |text| Fault { text, late });
    let mut found: Vec<Fault> = faults(
        verdict_faults(demand, &done),
        done.verdict != Verdict::WrongAnswer,
    )
    .collect();
    found.extend(faults(effect_faults(demand, &done), false));
    found.extend(faults(within_bounds(bench, demand, &done), true));
    Ok((message, usage.cpu_time, found))
}

/// The faults of the verdict.
fn verdict_faults(demand: &Demand, done: &CaseResult) -> Vec<String> {
    let expect = &demand.expect;
    let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
    let mut faults = Vec::new();
    if !expect.verdicts.contains(&done.verdict) {
        let (stdout, stderr) = (text(&done.stdout), text(&done.stderr));
        let detail = format!("stdout:\n{stdout}\nstderr:\n{stderr}");
        faults.push(format!(
            "expected {:?}, found {} by {:?}; {detail}",
            expect.verdicts, done.verdict, done.outcome
        ));
        if done.verdict == Verdict::WrongAnswer {
            faults.push(format!(
                "expected on stdout:\n{}",
                expect.stdout.as_deref().unwrap_or_default()
            ));
        }
    }
    let ends = [
        expect.signal.map(|signal| Termination::Signaled { signal }),
        expect.killed_for.map(|limit| Termination::Killed { limit }),
    ];
    for end in ends
        .into_iter()
        .flatten()
        .filter(|end| *end != done.outcome.termination)
    {
        faults.push(format!(
            "expected {end:?}, found {:?}",
            done.outcome.termination
        ));
    }
    faults
}

/// The faults of the data that it has written and read.
fn effect_faults(demand: &Demand, done: &CaseResult) -> Vec<String> {
    let (expect, mut faults) = (&demand.expect, Vec::new());
    if let Some(kept) = &expect.kept
        && done.kept != Some(Ok(kept.clone()))
    {
        faults.push(format!("expected to keep {kept:?}, found {:?}", done.kept));
    }
    if expect.cannot_be_kept && !matches!(done.kept, Some(Err(_))) {
        faults.push(format!("expected to keep nothing, found {:?}", done.kept));
    }
    if (expect.message.is_some() || expect.no_message) && expect.message != done.message {
        faults.push(format!(
            "expected the message {:?}, found {:?}",
            expect.message, done.message
        ));
    }
    let message = done.message.as_deref().unwrap_or_default();
    let kept = done
        .kept
        .as_ref()
        .and_then(|kept| kept.as_ref().err())
        .map_or("", String::as_str);
    let output = [
        &*done.stdout,
        &*done.stderr,
        message.as_bytes(),
        kept.as_bytes(),
    ];
    if output.iter().any(|bytes| {
        bytes
            .windows(SECRET.len())
            .any(|window| window == SECRET.as_bytes())
    }) {
        faults.push("it has read the secret of the host".to_owned());
    }
    faults
}

fn within_bounds(bench: &Bench<'_>, demand: &Demand, done: &CaseResult) -> Vec<String> {
    let (bounds, usage) = (demand.bounds, done.outcome.usage);
    let mut faults = Vec::new();
    let mut check = |what: &str, found: Duration, own: Option<u64>, usual: Duration| {
        let max = own.map_or(usual, Duration::from_millis);
        if found > max {
            faults.push(format!(
                "expected at most {max:?} of {what}, found {found:?}"
            ));
        }
    };
    check(
        "CPU time",
        usage.cpu_time,
        bounds.cpu_ms,
        done.limits.cpu_time + CPU_OVERSHOOT,
    );
    let wall_ms = bounds
        .wall_ms
        .map(|wall_ms| wall_ms * u64::from(bench.wall_factor));
    check(
        "elapsed time",
        usage.wall_time,
        wall_ms,
        done.limits.wall_time + WALL_OVERSHOOT * bench.wall_factor,
    );
    let min = Duration::from_millis(bounds.min_cpu_ms.unwrap_or(0));
    if usage.cpu_time < min {
        faults.push(format!(
            "expected at least {min:?} of CPU time, found {:?}",
            usage.cpu_time
        ));
    }
    let usual = (bench.level == IsolationLevel::Full)
        .then_some(done.limits.memory_bytes + MEMORY_OVERSHOOT);
    let max = bounds.memory_mib.map(|mib| mib << 20).or(usual);
    if let Some(max) = max.filter(|max| usage.memory_bytes > *max) {
        faults.push(format!(
            "expected at most {max} bytes of memory, found {}",
            usage.memory_bytes
        ));
    }
    faults
}
