//! The cases as data: the declarations of `testdata/hostile/`.
//!
//! Responsible for reading the declarations and for their differences between isolation levels.
//! Must not run anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_model::{IsolationLevel, Limit, Verdict};
use judge_sandbox::{RunLimits, Work};
use serde::Deserialize;

/// The numbers of the catalogue of attacks that are known from other sandboxes. Each must have a
/// case.
const CATALOGUE: std::ops::RangeInclusive<u32> = 1..=74;

/// The program that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// A submission.
    Run,
    /// A compiler on a submission and, if that succeeds, the program.
    Compile,
    /// An output validator.
    Validator,
    /// A submission during which a process of the judge is killed.
    Harness,
}

/// The processes that are killed while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Killed {
    Harness,
    Zygote,
    Run,
}

/// Limits that differ from the usual ones of the stage.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    cpu_ms: Option<u64>,
    wall_ms: Option<u64>,
    memory_mib: Option<u64>,
    output_kib: Option<u64>,
    processes: Option<u32>,
    work_kib: Option<u64>,
    files: Option<u64>,
}

impl Limits {
    pub(crate) fn run_limits(&self, stage: Stage) -> RunLimits {
        let compile = stage == Stage::Compile;
        let pick = |own: Option<u64>, run: u64, compiling: u64| {
            own.unwrap_or(if compile { compiling } else { run })
        };
        let output = pick(self.output_kib, 64, 1024) << 10;
        RunLimits {
            cpu_time: Duration::from_millis(pick(self.cpu_ms, 500, 3000)),
            wall_time: Duration::from_millis(pick(self.wall_ms, 1500, 10_000)),
            memory_bytes: pick(self.memory_mib, 64, 512) << 20,
            stdout_bytes: output,
            stderr_bytes: output,
            processes: self.processes.unwrap_or(if compile { 256 } else { 16 }),
        }
    }

    pub(crate) fn work(&self, stage: Stage) -> Work {
        let (kib, files) = if stage == Stage::Compile {
            (512 << 10, 16_384)
        } else {
            (64 << 10, 4096)
        };
        Work::Writable {
            bytes: self.work_kib.unwrap_or(kib) << 10,
            files: self.files.unwrap_or(files),
        }
    }
}

/// The result that a case must have.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) verdicts: Vec<Verdict>,
    /// The whole standard output, for a program that ends normally.
    pub(crate) stdout: Option<String>,
    /// The signal that ends it.
    pub(crate) signal: Option<i32>,
    /// The limit that it is killed for, if that does not depend on the load of the host.
    pub(crate) killed_for: Option<Limit>,
    /// The names of the files that can be collected afterwards.
    pub(crate) kept: Option<Vec<String>>,
    /// True when collecting the files must fail.
    #[serde(default)]
    pub(crate) cannot_be_kept: bool,
    /// The message of a validator in `judgemessage.txt`.
    pub(crate) message: Option<String>,
    /// True when there must be no such message.
    #[serde(default)]
    pub(crate) no_message: bool,
}

/// The maximum (or minimum) values that may be reported. Missing ones have the usual bound: see
/// `README.md` next to the cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bounds {
    pub(crate) cpu_ms: Option<u64>,
    pub(crate) min_cpu_ms: Option<u64>,
    pub(crate) wall_ms: Option<u64>,
    pub(crate) memory_mib: Option<u64>,
}

/// The differences at one level.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AtLevel {
    /// The reason why the level does not withstand the case. Without `verdicts`, the case is not
    /// run there.
    gap: Option<String>,
    verdicts: Option<Vec<Verdict>>,
    stdout: Option<String>,
    bounds: Option<Bounds>,
}

/// One declaration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    attacks: String,
    catalogue: u32,
    stage: Stage,
    #[serde(default)]
    times: Option<u32>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    input_kib: usize,
    #[serde(default)]
    beside_mib: u64,
    #[serde(default)]
    proc: bool,
    kills: Option<Killed>,
    staged_as: Option<String>,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    limits: Limits,
    needs: Vec<String>,
    expect: Expect,
    #[serde(default)]
    bounds: Bounds,
    #[serde(default)]
    levels: BTreeMap<IsolationLevel, AtLevel>,
}

/// One hostile program.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) source: PathBuf,
    pub(crate) catalogue: u32,
    pub(crate) stage: Stage,
    /// The number of its runs in a row.
    pub(crate) times: u32,
    pub(crate) args: Vec<String>,
    pub(crate) input_kib: usize,
    /// The size of a file `large` next to the program, which no process has read before.
    pub(crate) beside_mib: u64,
    pub(crate) proc: bool,
    pub(crate) kills: Option<Killed>,
    /// The name under which the compiler gets the source.
    pub(crate) staged_as: Option<String>,
    /// The compiler's command, if it is not the language's.
    pub(crate) command: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) needs: Vec<String>,
    expect: Expect,
    bounds: Bounds,
    levels: BTreeMap<IsolationLevel, AtLevel>,
}

/// The result that a case must have at one level.
pub(crate) struct Demand {
    pub(crate) expect: Expect,
    pub(crate) bounds: Bounds,
    /// The reason why the level does not withstand it; `expect` is the result then.
    pub(crate) gap: Option<String>,
}

impl Case {
    /// Returns the demand at a level. `Err` with the reason when the level does not withstand the
    /// case and it must not be run there.
    pub(crate) fn demand(&self, level: IsolationLevel) -> Result<Demand, &str> {
        let mut demand = Demand {
            expect: self.expect.clone(),
            bounds: self.bounds,
            gap: None,
        };
        let Some(at_level) = self.levels.get(&level) else {
            return Ok(demand);
        };
        let differs =
            at_level.verdicts.is_some() || at_level.stdout.is_some() || at_level.bounds.is_some();
        if let (Some(gap), false) = (&at_level.gap, differs) {
            return Err(gap);
        }
        demand.gap.clone_from(&at_level.gap);
        if let Some(verdicts) = &at_level.verdicts {
            demand.expect.verdicts.clone_from(verdicts);
            demand.expect.killed_for = None;
            demand.expect.signal = None;
        }
        if let Some(stdout) = &at_level.stdout {
            demand.expect.stdout = Some(stdout.clone());
        }
        if let Some(bounds) = at_level.bounds {
            demand.bounds = bounds;
        }
        Ok(demand)
    }

    /// The reason why a level does not withstand the case.
    pub(crate) fn gap(&self, level: IsolationLevel) -> Option<&str> {
        self.levels.get(&level)?.gap.as_deref()
    }

    pub(crate) fn extension(&self) -> &str {
        self.source
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default()
    }
}

/// The directory of the cases.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/hostile")
}

/// All cases, in order of their catalogue numbers and names, or the error in the declarations.
pub(crate) fn load() -> Result<Vec<Case>, String> {
    let (mut cases, mut sources) = (Vec::new(), Vec::new());
    let entries =
        fs::read_dir(directory()).map_err(|error| format!("cannot list the cases: {error}"))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => cases.push(load_case(&path)?),
            Some("c" | "cc" | "rs" | "py") if !path.ends_with("canary.c") => sources.push(path),
            _ => {}
        }
    }
    cases.sort_by(|a, b| (a.catalogue, &a.name).cmp(&(b.catalogue, &b.name)));
    for source in sources {
        if !cases.iter().any(|case| case.source == source) {
            return Err(format!(
                "`{}` has no declaration next to it",
                source.display()
            ));
        }
    }
    let missing: Vec<u32> = CATALOGUE
        .filter(|number| !cases.iter().any(|case| case.catalogue == *number))
        .collect();
    if !missing.is_empty() {
        return Err(format!(
            "no case for the numbers {missing:?} of the catalogue"
        ));
    }
    Ok(cases)
}

fn load_case(path: &Path) -> Result<Case, String> {
    let wrong = |what: String| format!("`{}`: {what}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let declared: Declared =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let sources = ["c", "cc", "rs", "py"].map(|extension| path.with_extension(extension));
    let source = sources.into_iter().find(|source| source.is_file());
    let source = source.ok_or_else(|| wrong("no source of that name next to it".to_owned()))?;
    if !declared.attacks.ends_with('.') {
        return Err(wrong("`attacks` must be a sentence".to_owned()));
    }
    let expect = &declared.expect;
    let has_output =
        expect.stdout.is_some() || matches!(declared.stage, Stage::Validator | Stage::Harness);
    if expect.verdicts.contains(&Verdict::Accepted) && !has_output {
        return Err(wrong(
            "a case that may be accepted needs its `stdout`".to_owned(),
        ));
    }
    if (declared.stage == Stage::Harness) != declared.kills.is_some() {
        return Err(wrong("`kills` belongs to the stage `harness`".to_owned()));
    }
    Ok(Case {
        name: path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        source,
        catalogue: declared.catalogue,
        stage: declared.stage,
        times: declared.times.unwrap_or(1),
        args: declared.args,
        input_kib: declared.input_kib,
        beside_mib: declared.beside_mib,
        proc: declared.proc,
        kills: declared.kills,
        staged_as: declared.staged_as,
        command: declared.command,
        limits: declared.limits,
        needs: declared.needs,
        expect: declared.expect,
        bounds: declared.bounds,
        levels: declared.levels,
    })
}
