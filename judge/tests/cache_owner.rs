//! The cache belongs to one user: a directory that others control is refused, and nothing in it
//! changes files elsewhere.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use judge_model::IsolationLevel;

use crate::workspace::{CommandOutput, Workspace};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A workspace with a submission that needs no compiler, a generated test case, and a directory for
/// caches.
struct Fixture {
    workspace: Workspace,
    directory: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Option<Self> {
        let workspace = Workspace::with_sum()?;
        workspace.write("problems/sum/generators/two.py", "print(1, 2)\n");
        let plan = "solution: /generators/answer.py\ndata: {secret: {data: [{made: two.py}]}}\n";
        workspace.write(
            "problems/sum/generators/answer.py",
            "print(sum(map(int, input().split())))\n",
        );
        workspace.write("problems/sum/generators/generators.yaml", plan);
        Some(Self {
            workspace,
            directory: tempfile::tempdir().unwrap(),
        })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, cache: &Path, args: &[&str]) -> Command {
        let level = format!("--isolation={}", IsolationLevel::None);
        let mut command = self
            .workspace
            .command(args.iter().copied().chain([level.as_str()]));
        command
            .env("JUDGE_CACHE_DIR", cache)
            .env_remove("JUDGE_RESULTS_DIR");
        command
    }
}

#[test]
fn caches_of_other_users_are_refused() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let cache = fixture.at("cache");
    fs::create_dir(&cache).unwrap();
    set_mode(&cache, 0o777);
    let result = CommandOutput::from_command(&mut fixture.command(&cache, &["run"])).exits(4);
    assert!(
        result
            .stderr
            .contains("other users can write to it (mode 0777)"),
        "{result:?}"
    );
    assert!(
        result.stderr.contains("or set `JUDGE_CACHE_DIR`"),
        "{result:?}"
    );
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
    set_mode(&cache, 0o700);
    symlink(&cache, fixture.at("link")).unwrap();
    let result =
        CommandOutput::from_command(&mut fixture.command(&fixture.at("link"), &["run"])).exits(4);
    assert!(
        result.stderr.contains("it is a symbolic link"),
        "{result:?}"
    );
    // The directory of results decides about verdicts.
    let results = fixture.at("results");
    fs::create_dir(&results).unwrap();
    set_mode(&results, 0o777);
    let result = CommandOutput::from_command(
        fixture
            .command(&cache, &["run"])
            .env("JUDGE_RESULTS_DIR", &results),
    )
    .exits(4);
    assert!(
        result.stderr.contains("other users can write to it"),
        "{result:?}"
    );
    assert_eq!(fs::read_dir(&results).unwrap().count(), 0);
}

/// In a container, an ordinary user often has no directory. The cache is then in a temporary one,
/// which must belong to the user like any other cache.
#[test]
fn without_a_home_directory_the_cache_is_temporary() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let uid = rustix::process::geteuid().as_raw();
    let cache = fixture.at(&format!("judge-cache-{uid}"));
    let run = |home: Option<&str>| {
        let mut command = fixture.command(Path::new(""), &["run"]);
        command
            .env_remove("JUDGE_CACHE_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("HOME")
            .env("TMPDIR", fixture.directory.path());
        if let Some(home) = home {
            command.env("HOME", home);
        }
        CommandOutput::from_command(&mut command)
    };
    // Nobody can create a directory in a file.
    for home in [None, Some("/dev/null")] {
        run(home).exits(0);
        assert!(cache.join("programs").is_dir(), "{home:?}");
        fs::remove_dir_all(&cache).unwrap();
    }
    fs::create_dir(&cache).unwrap();
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
    let result = run(None).exits(4);
    assert!(
        result.stderr.contains("other users can write to it"),
        "{result:?}"
    );
}

#[test]
fn a_new_cache_and_the_secret_data_in_any_cache_are_closed_to_others() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let (new, open) = (fixture.at("parent/new"), fixture.at("open"));
    fs::create_dir(&open).unwrap();
    set_mode(&open, 0o755);
    for (number, cache) in [&new, &open].into_iter().enumerate() {
        fixture.workspace.write(
            "problems/sum/generators/two.py",
            format!("print(1, {number})\n"),
        );
        CommandOutput::from_command(&mut fixture.command(cache, &["generate", "sum"])).exits(0);
        CommandOutput::from_command(&mut fixture.command(cache, &["run"])).exits(0);
        let files = fixture.workspace.files_below(cache);
        let secret: Vec<&PathBuf> = files
            .keys()
            .filter(|path| {
                ["made", "results"]
                    .iter()
                    .any(|part| path.starts_with(cache.join(part)))
            })
            .collect();
        assert!(
            secret
                .iter()
                .any(|path| path.starts_with(cache.join("made"))),
            "{files:?}"
        );
        assert!(
            secret
                .iter()
                .any(|path| path.starts_with(cache.join("results/records"))),
            "{files:?}"
        );
        for path in secret {
            assert_eq!(mode(path), 0o600, "{}", path.display());
        }
        for part in ["made", "results", "results/records", "staging"] {
            assert_eq!(mode(&cache.join(part)), 0o700, "{part}");
        }
    }
    assert_eq!(
        (mode(&new), mode(new.parent().unwrap()), mode(&open)),
        (0o700, 0o700, 0o755)
    );
}

#[test]
fn cache_links_do_not_change_modes_elsewhere() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let (cache, private) = (fixture.at("cache"), fixture.at("private"));
    let closed = fixture.at("closed");
    fs::write(&private, "private\n").unwrap();
    set_mode(&private, 0o600);
    fs::create_dir(&closed).unwrap();
    set_mode(&closed, 0o500);
    let run = || {
        CommandOutput::from_command(&mut fixture.command(&cache, &["run", "--no-cache"])).exits(0)
    };
    run();
    let groups = || {
        fs::read_dir(cache.join("programs"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let entries: Vec<PathBuf> = groups()
        .flat_map(|group| {
            fs::read_dir(group)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        })
        .collect();
    assert!(!entries.is_empty());
    let manifests = entries.iter().map(|entry| entry.join("manifest.json"));
    for place in entries
        .iter()
        .cloned()
        .chain(manifests)
        .chain(groups())
        .chain([cache.join("staging/1-1.lock")])
    {
        for target in [&private, &closed] {
            if place.is_dir() {
                fs::remove_dir_all(&place).unwrap();
            } else {
                let _ = fs::remove_file(&place);
            }
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            symlink(target, &place).unwrap();
            run();
            assert_eq!(
                (mode(&private), mode(&closed)),
                (0o600, 0o500),
                "{}",
                place.display()
            );
            assert_eq!(
                fs::read_dir(&closed).unwrap().count(),
                0,
                "{}",
                place.display()
            );
        }
    }
}

/// A repository can bring a cache whose directories are links.
#[test]
fn linked_cache_directories_are_not_written_through() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let (used, outside) = (fixture.at("used"), fixture.at("outside"));
    let commands: [&[&str]; 2] = [&["run"], &["generate", "sum"]];
    let run_all = |cache: &Path| {
        commands.map(|args| CommandOutput::from_command(&mut fixture.command(cache, args)))
    };
    run_all(&used);
    let below = |directory: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let mut directories = below(&used);
    for _ in 0..2 {
        directories.extend(
            directories
                .clone()
                .iter()
                .flat_map(|directory| below(directory)),
        );
    }
    directories.sort();
    directories.dedup();
    // Entries are named by the digits of their keys. Of directories that differ only in the first
    // digits of a key, one is tested.
    let is_of_key = |path: &Path| path.file_name().unwrap().len() == 2;
    directories.dedup_by(|next, path| {
        next.parent() == path.parent() && is_of_key(next) && is_of_key(path)
    });
    let directories: Vec<&Path> = directories
        .iter()
        .map(|path| path.strip_prefix(&used).unwrap())
        .collect();
    assert!(
        ["results/records", "results/host", "programs", "made"]
            .iter()
            .all(|part| directories.contains(&Path::new(part)))
    );
    for directory in directories
        .iter()
        .filter(|directory| directory.file_name().unwrap().len() < 64)
    {
        fs::create_dir(&outside).unwrap();
        let cache = fixture.at("cache");
        fs::create_dir_all(cache.join(directory).parent().unwrap()).unwrap();
        set_mode(&cache, 0o700);
        symlink(&outside, cache.join(directory)).unwrap();
        let ended = run_all(&cache);
        let found = fs::read_dir(&outside).unwrap().count();
        assert_eq!(found, 0, "`{}` as a link: {ended:?}", directory.display());
        for directory in [&cache, &outside] {
            fs::remove_dir_all(directory).unwrap();
        }
    }
}
