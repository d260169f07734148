//! The host: processors, directories, and causes of unreliable timing.
//!
//! Responsible for reading facts from the system.

pub(crate) mod fix_hints;
pub(crate) mod platform;
pub(crate) mod trials;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use judge_event::{Host, TimingWarning};
use judge_exec::{ExecError, StoreSettings};
use judge_files::make_own_store;
use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::failure::Failure;

/// The processors of this process's affinity mask, as a list such as `0-3,8`.
pub(crate) fn affinity() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.map(|list| list.trim().to_owned()).unwrap_or_default()
}

/// The processors of this process's affinity mask, one for each physical core: hyper-threads
/// share caches and units, so two programs on one core disturb each other's times.
pub(crate) fn physical_cores() -> Vec<usize> {
    // The mask and not all processors of the host: a container or `taskset` may permit only
    // some of them.
    let mut allowed = parse_list(&affinity());
    if allowed.is_empty() {
        allowed =
            (0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get)).collect();
    }
    let mut taken = BTreeSet::new();
    let mut cores = Vec::new();
    for cpu in allowed {
        let siblings = Path::new("/sys/devices/system/cpu")
            .join(format!("cpu{cpu}/topology/thread_siblings_list"));
        let siblings = fs::read_to_string(siblings)
            .map(|text| parse_list(&text))
            .unwrap_or_default();
        // Without the topology, as in some virtual machines, the list is empty and every
        // processor counts as a core.
        if siblings.iter().all(|sibling| !taken.contains(sibling)) {
            cores.push(cpu);
        }
        taken.insert(cpu);
        taken.extend(siblings);
    }
    cores
}

/// Reads a list such as `0-3,8` (cpuset(7), "List format"). Parts that are not numbers are left
/// out.
fn parse_list(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.trim().parse().ok()?;
        let last: usize = last.trim().parse().ok()?;
        // No machine has this many; a broken file must not fill the memory.
        (last < 1 << 16).then_some(first..=last)
    };
    text.trim().split(',').filter_map(range).flatten().collect()
}

/// Refuses unusable directories for the cache, before anything runs. Programs get directories by
/// their paths, and the target of `..` depends on links.
pub(crate) fn check_directories() -> Result<(), Failure> {
    check_temporary_directory()?;
    for (name, must_be_absolute) in [
        ("JUDGE_CACHE_DIR", true),
        ("XDG_CACHE_HOME", false),
        ("HOME", false),
    ] {
        let Some(path) = std::env::var_os(name)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
        else {
            continue;
        };
        let has_parent_component = path.components().any(|part| part == Component::ParentDir);
        if has_parent_component && path.is_absolute() || must_be_absolute && !path.is_absolute() {
            let found = path.display();
            let hint = format!("hint: set `{name}` to what `realpath -m '{found}'` prints");
            let text =
                format!("{name}: expected an absolute path without `..`, found `{found}`\n{hint}");
            return Err(Failure::Usage(text));
        }
        // The first one that is set decides.
        if path.is_absolute() {
            return Ok(());
        }
    }
    Ok(())
}

/// Refuses an unusable `TMPDIR`. Otherwise, it would depend on the command whether that matters.
fn check_temporary_directory() -> Result<(), Failure> {
    let Some(path) = std::env::var_os("TMPDIR").map(PathBuf::from) else {
        return Ok(());
    };
    let shown = path.display();
    if !path.is_absolute() {
        let text = format!("TMPDIR: expected an absolute path, found `{shown}`");
        return Err(Failure::Usage(text));
    }
    let problem = match path.metadata().map(|found| found.is_dir()) {
        Err(error) => Some(error.to_string()),
        Ok(false) => Some("it is not a directory".to_owned()),
        Ok(true) => access(&path, Access::WRITE_OK | Access::EXEC_OK)
            .err()
            .filter(|error| *error != Errno::ROFS)
            .map(|error| io::Error::from(error).to_string()),
    };
    match problem {
        None => Ok(()),
        Some(problem) => Err(Failure::Host(format!(
            "TMPDIR: cannot write files in `{shown}`: {problem}\n\
             hint: set `TMPDIR` to a directory that you can write to, or unset it"
        ))),
    }
}

/// The path of the cache: `$JUDGE_CACHE_DIR`, or `judge` in the user's cache directory (XDG Base
/// Directory Specification). For a user who can write to neither, as in many containers, a directory
/// for temporary files. It must be [opened](open_cache) before it is used.
pub(crate) fn cache_path() -> PathBuf {
    variable("JUDGE_CACHE_DIR").unwrap_or_else(|| {
        let of_user = variable("XDG_CACHE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))
            .map(|caches| caches.join("judge"));
        of_user
            .filter(|path| can_be_written(path))
            .unwrap_or_else(temporary_cache)
    })
}

/// The cache of a user without a directory. Another user who created it can only prevent its use.
fn temporary_cache() -> PathBuf {
    let name = format!("judge-cache-{}", rustix::process::geteuid().as_raw());
    variable("TMPDIR")
        .unwrap_or_else(|| "/tmp".into())
        .join(name)
}

/// True if this user can write to a directory, or create it.
fn can_be_written(path: &Path) -> bool {
    let existing = path
        .ancestors()
        .find(|place| place.symlink_metadata().is_ok());
    existing.is_some_and(|place| place.is_dir() && access(place, Access::WRITE_OK).is_ok())
}

/// The directory of the cache, which is made if it is missing.
///
/// # Errors
/// When it cannot be made, or another user controls it: the programs that they put there would be
/// executed, and their results used.
pub(crate) fn open_cache() -> Result<PathBuf, Failure> {
    let path = cache_path();
    let made = if path == temporary_cache() {
        check_shared_parent(&path).and_then(|()| make_own_store(&path))
    } else {
        make_own_store(&path)
    };
    made.map_err(|source| ExecError::Cache {
        directory: path.clone(),
        source,
    })?;
    Ok(path)
}

/// Checks that other users cannot exchange a directory in the one for temporary files.
fn check_shared_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().unwrap_or(path);
    let found = parent.metadata()?;
    let is_trusted = [0, rustix::process::geteuid().as_raw()].contains(&found.uid());
    // In a directory with the sticky bit, users can rename only what is theirs (inode(7)).
    let is_closed = found.mode() & 0o022 == 0 || found.mode() & 0o1000 != 0;
    if is_trusted && is_closed {
        return Ok(());
    }
    let text = format!("other users control `{}`", parent.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}

/// Checks what programs need at every isolation level: a cache, and processes.
///
/// # Errors
/// Those of [`open_cache`], and too few permitted processes.
pub(crate) fn check_programs() -> Result<(), Failure> {
    open_cache()?;
    Ok(judge_sandbox::check_usual_processes()?)
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

/// Directories that no program may see as part of a tool's installation: the home directory,
/// the workspace, the cache, and the temporary directory.
pub(crate) fn private_directories(workspace: &Path) -> Vec<PathBuf> {
    let home = variable("HOME");
    // Programs of a user are installed below this directory, but their data is there too.
    let user_data = home.as_ref().map(|home| home.join(".local/share"));
    let named = [
        Some(workspace.to_owned()),
        Some(cache_path()),
        Some(std::env::temp_dir()),
        home,
        user_data,
    ];
    let mut private: Vec<PathBuf> = named.into_iter().flatten().collect();
    let real: Vec<PathBuf> = private
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    private.extend(real);
    // The home directory `/`, as in some containers, would otherwise hide every installation.
    private.retain(|path| path.parent().is_some());
    private
}

/// The store of results: in `$JUDGE_RESULTS_DIR`, or else in this cache. With
/// `ignore_existing`, its results are replaced. `None` when the version of this program is
/// unknown.
///
/// # Errors
/// When another user controls the directory.
pub(crate) fn results(
    cache: &Path,
    ignore_existing: bool,
) -> Result<Option<StoreSettings>, Failure> {
    let directory = variable("JUDGE_RESULTS_DIR").unwrap_or_else(|| cache.join("results"));
    match make_own_store(&directory) {
        Err(source) if directory.symlink_metadata().is_ok() => {
            return Err(ExecError::Cache { directory, source }.into());
        }
        // Without a directory, such as on a read-only file system, no results are stored.
        Ok(()) | Err(_) => {}
    }
    // Results of another version must not be used, and the executable is what distinguishes
    // versions.
    let Ok(program) = std::env::current_exe() else {
        return Ok(None);
    };
    Ok(StoreSettings::new(
        directory,
        &program,
        format!("{}\n{}", system(), processor()),
        ignore_existing,
    ))
}

/// The processor's name. Times on different processors cannot be compared.
pub(crate) fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    // ARM has no names, only numbers.
    let value = |key: &str| {
        Some(
            text.lines()
                .find(|line| line.starts_with(key))?
                .split_once(':')?
                .1
                .trim()
                .to_owned(),
        )
    };
    let arm = || {
        Some(format!(
            "{} {}",
            value("CPU implementer")?,
            value("CPU part")?
        ))
    };
    value("model name")
        .or_else(arm)
        .unwrap_or_else(|| "unknown".to_owned())
}

/// This host, as the first event of a run describes it.
pub(crate) fn description() -> Host {
    Host {
        name: kernel("hostname"),
        system: system(),
        processor: Some(processor()),
        cores: u32::try_from(physical_cores().len()).unwrap_or(u32::MAX),
    }
}

/// Operating system, release and architecture.
fn system() -> String {
    format!(
        "{} {} {}",
        kernel("ostype"),
        kernel("osrelease"),
        std::env::consts::ARCH
    )
}

fn kernel(name: &str) -> String {
    read(&format!("/proc/sys/kernel/{name}")).unwrap_or_else(|| "?".to_owned())
}

/// The time in UTC, as RFC 3339 writes it, in whole seconds.
pub(crate) fn now() -> String {
    // A clock before 1970 is a broken one; a date before that cannot be written.
    humantime::format_rfc3339_seconds(SystemTime::now().max(UNIX_EPOCH)).to_string()
}

/// Everything that makes timing unreliable on this host.
pub(crate) fn timing_warnings(cores: usize) -> Vec<TimingWarning> {
    [
        busy(cores),
        virtual_machine(),
        governor(),
        turbo(),
        hyper_threads(cores),
        swap(),
        huge_pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path)
        .ok()
        .map(|text| text.trim().to_owned())
}

fn busy(cores: usize) -> Option<TimingWarning> {
    let load: f64 = read("/proc/loadavg")?.split(' ').next()?.parse().ok()?;
    (load > cores as f64 * 0.5).then(|| TimingWarning {
        what: format!("the load average is {load:.1} on {cores} cores"),
        why: "other programs take turns with submissions and push their data out of the caches",
        fix: "judge on an idle machine, or with fewer --jobs",
    })
}

fn virtual_machine() -> Option<TimingWarning> {
    let flags = fs::read_to_string("/proc/cpuinfo").ok()?;
    // The processor sets this flag for guests of every hypervisor (x86 only).
    let is_guest = flags
        .lines()
        .find(|line| line.starts_with("flags"))?
        .split(' ')
        .any(|flag| flag == "hypervisor");
    is_guest.then(|| TimingWarning {
        what: "this is a virtual machine".to_owned(),
        why: "its neighbours share caches and memory bandwidth, and the hypervisor may take its processors away unnoticed",
        fix: "leave a margin of at least two between the slowest accepted time and the time limit",
    })
}

fn governor() -> Option<TimingWarning> {
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?;
    (governor != "performance").then(|| TimingWarning {
        what: format!("the frequency governor is `{governor}`"),
        why: "the clock depends on the load before",
        fix: "cpupower frequency-set --governor performance",
    })
}

fn turbo() -> Option<TimingWarning> {
    let off = read("/sys/devices/system/cpu/intel_pstate/no_turbo")?;
    (off == "0").then(|| TimingWarning {
        what: "turbo boost is on".to_owned(),
        why: "the clock depends on temperature and on how many cores are busy",
        fix: "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
    })
}

fn hyper_threads(cores: usize) -> Option<TimingWarning> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (threads > cores).then(|| TimingWarning {
        what: format!("{threads} hardware threads share {cores} cores"),
        why: "other programs on the second thread of a core slow a submission down",
        fix: "echo off > /sys/devices/system/cpu/smt/control",
    })
}

fn swap() -> Option<TimingWarning> {
    let swaps = fs::read_to_string("/proc/swaps").ok()?;
    (swaps.lines().count() > 1).then(|| TimingWarning {
        what: "swap is on".to_owned(),
        why: "memory that was swapped out costs elapsed time when it is needed again",
        fix: "swapoff --all",
    })
}

fn huge_pages() -> Option<TimingWarning> {
    let setting = read("/sys/kernel/mm/transparent_hugepage/enabled")?;
    setting.contains("[always]").then(|| TimingWarning {
        what: "transparent huge pages are always on".to_owned(),
        why: "whether a large array gets them depends on how fragmented memory is",
        fix: "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(parse_list("0-2,5\n"), [0, 1, 2, 5]);
        assert_eq!(parse_list(" 7"), [7]);
        assert_eq!(parse_list("x,3,4-y"), [3]);
        assert!(parse_list("0-99999999999").is_empty());
    }

    #[test]
    fn physical_cores_are_distinct() {
        let cores = physical_cores();
        let unique: BTreeSet<_> = cores.iter().collect();
        assert!(!cores.is_empty());
        assert_eq!(unique.len(), cores.len());
    }
}
