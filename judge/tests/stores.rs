//! The stores that are kept between runs: damage never changes verdicts, and invalid entries are
//! replaced.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use judge_event::Event;
use judge_model::{IsolationLevel, Verdict};

use crate::workspace::{CommandOutput, SUM_PLUS_ONE, Workspace, levels};

/// Damages a file or an entry.
type Damage = fn(&Path);

/// A workspace whose problem has an output validator, with a cache that no other test uses.
struct CachedWorkspace {
    workspace: Workspace,
    cache: tempfile::TempDir,
    level: IsolationLevel,
}

impl CachedWorkspace {
    fn at(level: IsolationLevel) -> Option<Self> {
        let workspace = Workspace::with_sum()?;
        workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
        workspace.write(
            "problems/sum/output_validator/validate.c",
            "#include <stdio.h>\nint main(int argc, char **argv) { int a, b; FILE *f = fopen(argv[2], \"r\"); \
             fscanf(f, \"%d\", &a); if (scanf(\"%d\", &b) != 1) return 43; return a == b ? 42 : 43; }\n",
        );
        let cache = tempfile::tempdir().unwrap();
        fs::set_permissions(cache.path(), Permissions::from_mode(0o755)).unwrap();
        Some(Self {
            workspace,
            cache,
            level,
        })
    }

    fn command(&self, args: &[&str]) -> Command {
        let level = format!("--isolation={}", self.level);
        let mut command = self
            .workspace
            .command(["run", "--no-fail-fast", level.as_str()].iter().chain(args));
        command.env("JUDGE_CACHE_DIR", self.cache.path());
        command
    }

    /// Judges everything again, as expected, and returns how many programs were built again.
    #[track_caller]
    fn judge_again(&self, what: &str) -> u64 {
        let output =
            CommandOutput::from_command(self.command(&["--no-cache"]).arg("--report=json"));
        assert_eq!(output.code, Some(0), "{what} at {}: {output:?}", self.level);
        let verdicts: Vec<_> = output.test_cases().map(|case| case.verdict).collect();
        let [right, wrong] = [Verdict::Accepted, Verdict::WrongAnswer].map(|verdict| [verdict; 3]);
        assert_eq!(
            verdicts,
            [right, wrong].concat(),
            "{what} at {}",
            self.level
        );
        let remade = output.events.iter().find_map(|event| match event {
            Event::RunFinished(finished) => Some(finished.programs_remade),
            _ => None,
        });
        remade.unwrap()
    }

    /// The programs in the cache.
    fn programs(&self) -> Vec<PathBuf> {
        let files = self
            .workspace
            .files_below(&self.cache.path().join("programs"));
        files
            .into_keys()
            .filter(|path| path.parent().unwrap().ends_with("files"))
            .collect()
    }

    fn entries(&self) -> Vec<PathBuf> {
        self.programs()
            .iter()
            .map(|path| path.parent().unwrap().parent().unwrap().to_owned())
            .collect()
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn damaged_programs_are_compiled_again_without_changed_verdicts() {
    let damages: [(&str, bool, Damage); 6] = [
        ("a flipped bit", false, |path| {
            let mut bytes = fs::read(path).unwrap();
            // In the header of the executable, without which it cannot start.
            bytes[4] ^= 1;
            fs::write(path, bytes).unwrap();
        }),
        ("cut", false, |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("removed", false, |path| fs::remove_file(path).unwrap()),
        ("closed", false, |path| {
            fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
        }),
        ("the entry closed", true, |entry| {
            fs::set_permissions(entry, Permissions::from_mode(0o000)).unwrap();
        }),
        ("the entry replaced", true, |entry| {
            fs::remove_dir_all(entry).unwrap();
            fs::write(entry, "").unwrap();
        }),
    ];
    for level in levels() {
        let Some(kept) = CachedWorkspace::at(level) else {
            return;
        };
        assert_eq!(kept.judge_again("whole"), 0);
        assert_eq!(kept.judge_again("whole"), 0);
        assert_eq!(kept.programs().len(), 3, "two submissions and a validator");
        for (what, of_entry, damage) in damages {
            let places = if of_entry {
                kept.entries()
            } else {
                kept.programs()
            };
            places.iter().for_each(|place| damage(place));
            let remade = kept.judge_again(what);
            // Root can use a closed directory.
            assert!(
                remade == 3 || what == "the entry closed" && remade == 0,
                "{what}: {remade}"
            );
            assert_eq!(kept.judge_again("after it was made again"), 0);
        }
    }
}

#[test]
fn programs_built_again_are_reported_on_request() {
    let Some(level) = levels().first().copied() else {
        return;
    };
    let Some(kept) = CachedWorkspace::at(level) else {
        return;
    };
    kept.judge_again("whole");
    let damage = || fs::write(kept.programs().pop().unwrap(), "").unwrap();
    damage();
    CommandOutput::from_command(&mut kept.command(&["-v"]))
        .exits(0)
        .stdout_has(&["1 program of the cache was damaged, and compiled again"]);
    damage();
    CommandOutput::from_command(&mut kept.command(&["--no-cache"]))
        .exits(0)
        .stdout_lacks(&["damaged"]);
}

#[test]
fn cached_results_do_not_need_programs() {
    let Some(level) = levels().first().copied() else {
        return;
    };
    let Some(kept) = CachedWorkspace::at(level) else {
        return;
    };
    let results = kept.workspace.results_dir();
    let judge = || {
        CommandOutput::from_command(
            kept.command(&["--report=json"])
                .env("JUDGE_RESULTS_DIR", &results),
        )
        .exits(0)
    };
    judge();
    assert!(judge().test_cases().all(|case| case.cached));
    // Programs that are not run are not read. A missing one is compiled to the same program.
    kept.programs()
        .iter()
        .for_each(|program| fs::write(program, "").unwrap());
    assert!(judge().test_cases().all(|case| case.cached));
    kept.entries()
        .iter()
        .for_each(|entry| fs::remove_dir_all(entry).unwrap());
    assert!(
        judge().test_cases().all(|case| case.cached),
        "the same programs come out"
    );
}

#[test]
fn invalid_records_and_links_are_ignored() {
    let Some(kept) = levels().first().copied().and_then(CachedWorkspace::at) else {
        return;
    };
    let results = kept.workspace.results_dir();
    let verdicts = || {
        let output = CommandOutput::from_command(
            kept.command(&["--report=json"])
                .env("JUDGE_RESULTS_DIR", &results),
        )
        .exits(0);
        output
            .test_cases()
            .map(|case| case.verdict)
            .collect::<Vec<_>>()
    };
    let expected = verdicts();
    let records = kept.workspace.files_below(&results.join("records"));
    let [one, other] = records
        .into_keys()
        .collect::<Vec<_>>()
        .try_into()
        .expect("a record for each submission");
    fs::copy(&one, &other).unwrap();
    assert_eq!(verdicts(), expected);
    let victim = kept.cache.path().join("victim");
    fs::write(&victim, "untouched\n").unwrap();
    for record in [&one, &other] {
        fs::remove_file(record).unwrap();
        std::os::unix::fs::symlink(&victim, record).unwrap();
    }
    assert_eq!(verdicts(), expected);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched\n");
    assert!(
        fs::symlink_metadata(&one).unwrap().is_file(),
        "the record is written again"
    );
}
