//! The cache of programs: what is stored, found, replaced and swept.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn key(parts: &[&str]) -> Key {
    let mut builder = KeyBuilder::default();
    parts.iter().for_each(|part| builder.part(part.as_bytes()));
    builder.finish()
}

fn manifest() -> Manifest {
    Manifest {
        cpu_time_us: 1,
        message: String::new(),
    }
}

fn stage_with(cache: &ProgramCache, text: &str) -> Stage {
    let stage = cache.stage().unwrap();
    make_directory(&stage.path.join("files"), 0o755).unwrap();
    fs::write(stage.path.join("files/program"), text).unwrap();
    stage
}

#[test]
fn keys_depend_on_the_boundaries_of_parts() {
    assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
    assert_ne!(key(&["a"]), key(&["a", ""]));
}

#[test]
fn the_first_stored_entry_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    assert!(cache.find(&key(&["x"])).is_none());
    cache
        .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
        .unwrap();
    let again = cache
        .store(&key(&["x"]), &stage_with(&cache, "two"), manifest())
        .unwrap();
    assert_eq!(
        fs::read_to_string(again.files.join("program")).unwrap(),
        "one"
    );
    assert_eq!(cache.find(&key(&["x"])).unwrap().manifest, manifest());
}

#[test]
fn broken_entries_count_as_absent_and_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    let stored = cache
        .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
        .unwrap();
    fs::write(stored.files.parent().unwrap().join("manifest.json"), "{").unwrap();
    assert!(cache.find(&key(&["x"])).is_none());
    cache
        .store(&key(&["x"]), &stage_with(&cache, "two"), manifest())
        .unwrap();
    assert_eq!(
        fs::read_to_string(cache.find(&key(&["x"])).unwrap().files.join("program")).unwrap(),
        "two"
    );
}

#[test]
fn kept_data_is_found_unless_it_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    assert_eq!(cache.kept(&key(&["x"])), None);
    cache.keep(&key(&["x"]), b"one".to_vec()).unwrap();
    cache.keep(&key(&["x"]), b"two".to_vec()).unwrap();
    assert_eq!(cache.kept(&key(&["x"])), Some(b"two".to_vec()));
    for damaged in [&b""[..], b"two", &[0; 40]] {
        fs::write(cache.made_entry(&key(&["x"])), damaged).unwrap();
        assert_eq!(cache.kept(&key(&["x"])), None);
    }
}

#[test]
fn leftovers_are_removed_but_files_of_running_processes_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let neighbour = ProgramCache::open(dir.path()).unwrap();
    let stage = neighbour.stage().unwrap();
    let dead = dir.path().join("staging/1-0");
    fs::create_dir_all(dead.join("0")).unwrap();
    fs::write(dir.path().join("staging/1-0.lock"), "").unwrap();

    let cache = ProgramCache::open(dir.path()).unwrap();
    assert!(!dead.exists() && !dir.path().join("staging/1-0.lock").exists());
    assert!(stage.path.exists());
    assert_ne!(cache.staging(), neighbour.staging());
    drop((stage, cache, neighbour));
    assert_eq!(fs::read_dir(dir.path().join("staging")).unwrap().count(), 0);
}

#[test]
fn unreadable_files_are_copied() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
    let file = dir.path().canonicalize().unwrap().join("1.in");
    fs::write(&file, "text").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    assert_eq!(cache.readable(&file).unwrap().path, file);

    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let copy = cache.readable(&file).unwrap();
    assert!(
        copy.path.starts_with(cache.staging()),
        "{}",
        copy.path.display()
    );
    assert_eq!(fs::read_to_string(&copy.path).unwrap(), "text");
    assert_eq!(fs::metadata(&copy.path).unwrap().mode() & 0o777, 0o644);
    let path = copy.path.clone();
    drop(copy);
    assert!(!path.exists());
}

#[test]
fn every_user_can_read_entries_under_any_umask() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
    let stage = stage_with(&cache, "one");
    fs::set_permissions(
        stage.path.join("files/program"),
        Permissions::from_mode(0o700),
    )
    .unwrap();
    let stored = cache.store(&key(&["x"]), &stage, manifest()).unwrap();
    assert_eq!(
        fs::metadata(stored.files.join("program")).unwrap().mode() & 0o777,
        0o755
    );
    assert_eq!(fs::metadata(&stored.files).unwrap().mode() & 0o777, 0o755);
    assert_eq!(
        fs::metadata(dir.path().join("cache")).unwrap().mode() & 0o777,
        0o700
    );
}

/// Damages an entry.
type Damage = fn(&Path);

/// The kinds of damage to the files of an entry.
const DAMAGES: [(&str, Damage); 6] = [
    ("a flipped bit", |entry| {
        fs::write(entry.join("files/program"), "onf").unwrap();
    }),
    ("cut", |entry| {
        fs::write(entry.join("files/program"), "on").unwrap();
    }),
    ("removed", |entry| {
        fs::remove_file(entry.join("files/program")).unwrap();
    }),
    ("its directory removed", |entry| {
        fs::remove_dir_all(entry.join("files")).unwrap();
    }),
    ("closed", |entry| {
        fs::set_permissions(entry, Permissions::from_mode(0o000)).unwrap();
    }),
    ("a file in its place", |entry| {
        fs::remove_dir_all(entry).unwrap();
        fs::write(entry, "x").unwrap();
    }),
];

#[test]
fn damaged_entries_are_replaced() {
    for (what, damage) in DAMAGES {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(dir.path()).unwrap();
        let stored = cache
            .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
            .unwrap();
        assert!(stored.content.holds());
        damage(stored.files.parent().unwrap());
        assert!(!stored.content.holds() || what == "closed", "{what}");
        // Once for the process that made it, and once for another one.
        for cache in [cache, ProgramCache::open(dir.path()).unwrap()] {
            // Root reads the closed file as well, and finds it whole.
            assert!(
                what == "closed" || cache.find_whole(&key(&["x"])).is_none(),
                "{what}"
            );
            let again = cache
                .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
                .unwrap();
            assert!(again.content.holds(), "{what}");
            damage(again.files.parent().unwrap());
        }
        let cache = ProgramCache::open(dir.path()).unwrap();
        cache
            .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
            .unwrap();
        assert!(cache.find_whole(&key(&["x"])).is_some(), "{what}");
    }
}

#[test]
fn only_one_thread_removes_a_damaged_entry() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    let stored = cache
        .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
        .unwrap();
    fs::write(stored.files.join("program"), "two").unwrap();
    // Both have seen the damage; the first removes the entry.
    assert!(cache.whole(&key(&["x"])).is_none() && cache.remove_damaged(&key(&["x"])).is_none());
    assert_eq!(cache.damaged(), 1);
    // The second comes before the program was made again, or after that, in which case the new one
    // stays.
    assert!(cache.remove_damaged(&key(&["x"])).is_none());
    cache
        .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
        .unwrap();
    let found = cache.remove_damaged(&key(&["x"])).unwrap();
    assert!(found.content.holds() && stored.files.join("program").exists());
    assert_eq!(cache.damaged(), 1);
}

#[test]
fn entries_with_damaged_manifests_count_as_absent() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    let stored = cache
        .store(&key(&["x"]), &stage_with(&cache, "one"), manifest())
        .unwrap();
    let path = stored.files.parent().unwrap().join("manifest.json");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(cache.find(&key(&["x"])).is_none());
}

#[test]
fn large_programs_are_removed_when_their_process_ends() {
    let dir = tempfile::tempdir().unwrap();
    let large = |cache: &ProgramCache| {
        let stage = stage_with(cache, "");
        fs::File::create(stage.path.join("files/program"))
            .unwrap()
            .set_len(KEPT_BYTES + 1)
            .unwrap();
        cache.store(&key(&["x"]), &stage, manifest()).unwrap()
    };
    let cache = ProgramCache::open(dir.path()).unwrap();
    let stored = large(&cache);
    assert!(stored.content.holds() && stored.files.starts_with(cache.programs()));
    assert!(cache.find_whole(&key(&["x"])).is_some());
    // Another process neither finds nor removes it.
    let neighbour = ProgramCache::open(dir.path()).unwrap();
    assert!(neighbour.find(&key(&["x"])).is_none() && stored.files.exists());
    drop(cache);
    assert!(!stored.files.exists());
    let stored = large(&neighbour);
    let lock = neighbour.staging().with_extension("lock");
    // As after SIGKILL: nothing is removed, and the lock is free.
    let ProgramCache { owner, .. } = &neighbour;
    owner.release();
    std::mem::forget(neighbour);
    drop(ProgramCache::open(dir.path()).unwrap());
    assert!(!stored.files.exists() && !lock.exists());
}
