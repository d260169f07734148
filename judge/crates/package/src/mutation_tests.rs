//! Broken packages: any changed package is loaded or refused in bounded time, and is not modified
//! by loading.
//!
//! By default the test breaks packages a few thousand times; `JUDGE_MUTATIONS=10000` sets another
//! number. The changes depend only on the number of the copy, so a failure can be reproduced.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::disk::discovery::{Reach, discover};
use crate::{Finding, Workspace, load};

const MUTATIONS: u64 = 1000;
/// The codes of whole areas, as errors.
const AREA_CODES: [&str; 5] = ["JP010", "JP020", "JP030", "JP040", "JP050"];
/// The maximum time of loading a package. Loading takes milliseconds, so only a hang exceeds this
/// on any machine.
const MAX_LOADING_TIME: Duration = Duration::from_secs(60);

/// Unexpected values.
const VALUES: [&str; 28] = [
    "-1",
    "0",
    "99999999999999999999999999999999999999999",
    "1e999",
    ".nan",
    "-.inf",
    "~",
    "[]",
    "{}",
    "[[[[]]]]",
    "{a: {b: {c: [~]}}}",
    "\"\"",
    "yes",
    "legacy",
    "2025-09",
    "2023-07",
    "[scoring, interactive, multi-pass]",
    "submit-answer",
    "custom score interactive multi-pass",
    "unbounded",
    "pass-fail",
    "[secret, sample, secret/a, \"\"]",
    "&x [*x]",
    "!tag x",
    "|\n   x\n   y",
    "{{n}}",
    "../../../etc/passwd",
    "\u{feff}é\u{202e}\u{0}",
];
const KEYS: [&str; 26] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "limits",
    "validation",
    "validator_flags",
    "grading",
    "constants",
    "languages",
    "max_score",
    "score_aggregation",
    "require_pass",
    "static_validation_score",
    "static_validator_args",
    "args",
    "input_validator_args",
    "output_validator_args",
    "on_reject",
    "grader_flags",
    "accept_score",
    "range",
    "input_validator_flags",
    "output_validator_flags",
    "full_feedback",
    "<<",
];
const NAMES: [&str; 18] = [
    "problem.yaml",
    "test_group.yaml",
    "testdata.yaml",
    "submissions.yaml",
    ".timelimit",
    "domjudge-problem.ini",
    "01.in",
    "01.ans",
    "01.files",
    "01.args",
    "01.yaml",
    "test_group.in",
    "a b.in",
    "run",
    "build",
    "Main.java",
    "x.ctd",
    ".in",
];

/// Pseudo-random numbers (xorshift), the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % end.max(1)
    }

    fn choice<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// Everything below a directory, without following links.
fn entries(root: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name();
    walk.into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// The state of an entry below a directory.
#[derive(PartialEq, Eq)]
struct EntryState {
    kind: fs::FileType,
    changed: SystemTime,
    contents: Vec<u8>,
}

/// The state of everything below a directory: kinds, contents, times of change.
fn state(root: &Path) -> BTreeMap<PathBuf, EntryState> {
    let look = |path: &PathBuf| {
        let metadata = fs::symlink_metadata(path).unwrap();
        let contents = if metadata.is_file() {
            fs::read(path).unwrap_or_default()
        } else {
            Vec::new()
        };
        EntryState {
            kind: metadata.file_type(),
            changed: metadata.modified().unwrap(),
            contents,
        }
    };
    entries(root)
        .into_iter()
        .map(|path| (path.clone(), look(&path)))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in entries(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        if let Ok(leads_to) = fs::read_link(&path) {
            // The target is copied unchanged: some links are dangling.
            link(&leads_to, &target);
        } else if path.is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(&path, target).unwrap();
        }
    }
}

/// A file that can be read and written safely: not a link or a pipe.
fn is_plain(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_file())
}

fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_dir())
}

fn remove(path: &Path) {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
}

/// Breaks something in a package. A change that cannot be made is skipped.
fn mutate(package: &Path, chance: &mut Chance) {
    let all = entries(package);
    if all.is_empty() {
        return;
    }
    let yaml: Vec<&PathBuf> = all
        .iter()
        .filter(|path| is_plain(path) && path.extension().is_some_and(|it| it == "yaml"))
        .collect();
    let victim = &all[chance.below(all.len())];
    match chance.below(16) {
        0..=5 if !yaml.is_empty() => mutate_yaml(yaml[chance.below(yaml.len())], chance),
        0..=6 => mutate_bytes(victim, chance),
        7 => remove(victim),
        8 => {
            remove(victim);
            let _ = fs::create_dir_all(victim.join(chance.choice(&NAMES)));
        }
        9 => {
            remove(victim);
            let _ = fs::write(victim, chance.choice(&VALUES));
        }
        10 => link(victim, victim),
        11 => link(
            Path::new(chance.choice(&["..", "../..", ".", "nowhere", "/", "/dev/zero"])),
            victim,
        ),
        12 => link(&all[chance.below(all.len())], victim),
        13 => {
            let _ = fs::rename(victim, victim.with_file_name(chance.choice(&NAMES)));
        }
        14 if is_directory(victim) => {
            let target = victim.join(chance.choice(&NAMES));
            remove(&target);
            let _ = fs::write(target, chance.choice(&VALUES));
        }
        _ => nest(victim, chance),
    }
}

fn mutate_yaml(file: &Path, chance: &mut Chance) {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = chance.below(lines.len() + 1);
    match chance.below(7) {
        0 => lines.insert(
            at,
            format!("{}: {}", chance.choice(&KEYS), chance.choice(&VALUES)),
        ),
        1 if at < lines.len() => {
            let key = lines[at].split(':').next().unwrap_or_default().to_owned();
            lines[at] = format!("{key}: {}", chance.choice(&VALUES));
        }
        2 if at < lines.len() => {
            lines.remove(at);
        }
        3 if at < lines.len() => lines.insert(at, lines[at].clone()),
        4 => {
            let depth = [3, 60, 200, 20_000][chance.below(4)];
            lines.insert(
                at,
                format!(
                    "{}: {}{}",
                    chance.choice(&KEYS),
                    "[".repeat(depth),
                    "]".repeat(depth)
                ),
            );
        }
        5 => {
            lines = vec![
                lines
                    .join("\n")
                    .repeat([2, 20, 200, 2_000][chance.below(4)]),
            ];
        }
        _ => {
            let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
            for (one, next) in ["a", "b", "c", "d", "e", "f", "g", "h"]
                .iter()
                .zip(["b", "c", "d", "e", "f", "g", "h", "i"])
            {
                bomb.push_str(&format!(
                    "{next}: &{next} [{}]\n",
                    vec![format!("*{one}"); 9].join(", ")
                ));
            }
            lines.insert(at, bomb);
        }
    }
    let _ = fs::write(file, lines.join("\n") + "\n");
}

fn mutate_bytes(file: &Path, chance: &mut Chance) {
    if !is_plain(file) {
        return;
    }
    let mut bytes = fs::read(file).unwrap();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len() + 1);
        let byte = u8::try_from(chance.below(256)).unwrap();
        match chance.below(3) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => bytes[at] = byte,
            _ => bytes.truncate(at),
        }
    }
    let _ = fs::write(file, bytes);
}

fn link(target: &Path, at: &Path) {
    remove(at);
    let _ = std::os::unix::fs::symlink(target, at);
}

/// Creates deeply nested directories, or a pipe without a writer.
fn nest(at: &Path, chance: &mut Chance) {
    remove(at);
    if chance.below(2) == 0 {
        let _ = std::process::Command::new("mkfifo").arg(at).status();
    } else {
        let _ = fs::create_dir_all(at.join("d/".repeat(100)));
    }
}

/// The number of changes to a copy before the next copy is made: copying costs more than loading.
const PER_COPY: u64 = 4;

/// The numbers of broken packages that were loaded and refused.
#[derive(Default)]
struct Tally {
    loaded: u64,
    refused: u64,
}

/// A directory for copies, in memory if possible, since all are temporary.
fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    }
    .unwrap()
}

/// Breaks a copy of a package repeatedly, and loads it after each change.
fn break_a_copy(copy_number: u64, packages: &[PathBuf], tally: &mut Tally) {
    let mut chance =
        Chance(0x9e37_79b9_7f4a_7c15 ^ (copy_number + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let directory = scratch();
    let package = directory.path().join("package");
    copy(&packages[chance.below(packages.len())], &package);
    for time in 1..=PER_COPY {
        let warning_lines = format!("copy {copy_number}, broken for the {time}. time");
        mutate(&package, &mut chance);
        let before = state(directory.path());
        let started = Instant::now();
        let result = std::panic::catch_unwind(|| {
            let workspace = Workspace::find(directory.path()).unwrap();
            load(&package, &workspace)
        });
        let result = result.unwrap_or_else(|_| panic!("{warning_lines}: loading it panicked"));
        assert!(
            started.elapsed() < MAX_LOADING_TIME,
            "{warning_lines}: loading it took {:?}",
            started.elapsed()
        );
        assert!(
            before == state(directory.path()),
            "{warning_lines}: it was written to"
        );
        match result {
            Ok(package) => {
                tally.loaded += 1;
                let cases = &package.problem.test_cases;
                assert!(
                    cases
                        .iter()
                        .all(|case| case.input.is_file() && case.answer.is_file()),
                    "{warning_lines}"
                );
                assert!(!cases.is_empty(), "{warning_lines}");
            }
            Err(errors) => {
                tally.refused += 1;
                assert!(
                    errors.iter().all(|error| !error.message.trim().is_empty()),
                    "{warning_lines}"
                );
                // Every rule has a specific code; the codes of areas are for unforeseen faults.
                let known = |error: &Finding| !AREA_CODES.contains(&error.code.id());
                assert!(errors.iter().all(known), "{warning_lines}: {errors}");
            }
        }
    }
}

#[test]
fn broken_packages_are_loaded_or_refused() {
    let count = std::env::var("JUDGE_MUTATIONS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(MUTATIONS);
    let copies = count.div_ceil(PER_COPY);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../testdata/packages")
        .canonicalize()
        .unwrap();
    let packages = discover(&root, Reach::Named).unwrap().packages;
    let next = AtomicU64::new(0);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= copies {
                return tally;
            }
            break_a_copy(number, &packages, &mut tally);
        }
    };
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Tally>| worker.join();
        workers
            .into_iter()
            .map(|worker| join(worker).unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
            .collect()
    });
    let loaded: u64 = tallies.iter().map(|tally| tally.loaded).sum();
    let refused: u64 = tallies.iter().map(|tally| tally.refused).sum();
    // Mutations that all had the same result would prove little.
    assert!(
        loaded > count / 10 && refused > count / 10,
        "{loaded} were loaded and {refused} were refused"
    );
}
