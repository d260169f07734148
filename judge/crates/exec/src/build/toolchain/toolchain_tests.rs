//! Tests of the search for toolchains.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use judge_model::Tool;

use super::*;
use crate::build::linking::{is_unable_to_link, proves_unable_to_link};

fn language(tool: Tool) -> Language {
    Language {
        id: LanguageId("x".into()),
        name: "X".into(),
        extensions: vec!["x".into()],
        tools: vec![tool],
        run: vec!["{compiler}".into()],
        processes: 1,
        ..Language::default()
    }
}

fn tool(names: &[&str]) -> Tool {
    Tool {
        role: "compiler".into(),
        names: names.iter().map(ToString::to_string).collect(),
        prefix_args: vec!["prefix".into()],
        executable: "bin/real".into(),
        version_args: vec!["version".into()],
    }
}

/// Writes a script. Another process writes it: a file that this process has open for writing is
/// also open in every child that another test starts at that moment, and cannot be executed as long
/// as it is (`ETXTBSY`, execve(2)).
fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let write = r#"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#;
    let status = Command::new("/bin/sh")
        .args(["-c", write, "sh"])
        .arg(path)
        .arg(text)
        .status();
    assert!(status.unwrap().success(), "{}", path.display());
}

#[test]
fn shims_are_resolved_to_their_tools() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    script(
        &root.join("path/shim"),
        &format!("echo {}", root.join("opt").display()),
    );
    script(
        &root.join("opt/bin/real"),
        "echo 'VM warning: obsolete option'; echo 'real 1.2'; echo more",
    );
    let found = Toolchains::probe(
        &[language(tool(&["absent", "shim"]))],
        &root.join("path").into_os_string(),
    );
    let toolchain = found.get(&LanguageId("x".into())).unwrap().unwrap();
    assert_eq!(toolchain.tools[0].version, "real 1.2");
    assert_eq!(toolchain.tools[0].executable, root.join("opt/bin/real"));
    assert_eq!(
        found.mounts(),
        [Mount {
            source: root.join("opt"),
            target: root.join("opt")
        }]
    );
}

#[test]
fn linking_is_tried_with_an_empty_program() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let tool = Tool {
        prefix_args: Vec::new(),
        executable: String::new(),
        ..tool(&["cc"])
    };
    let words = |text: &str| {
        text.split_whitespace()
            .map(ToOwned::to_owned)
            .collect::<Vec<_>>()
    };
    let compile = words("{compiler} -o {output}/main {main}");
    let (extensions, minimal) = (words("c x"), "#include <x>\nint main() {}\n".to_owned());
    let row = Language {
        extensions,
        minimal,
        compile,
        static_flags: words("-static -x"),
        ..language(tool)
    };
    let log = root.join("log");
    let ask = |text: &str, row: &Language| {
        script(
            &root.join("cc"),
            &format!("[ $1 = version ] && echo cc 1 && exit\n{text}"),
        );
        let found = Toolchains::probe(std::slice::from_ref(row), &root.clone().into_os_string());
        let toolchain = found.get(&row.id).unwrap().unwrap();
        (
            proves_unable_to_link(toolchain),
            is_unable_to_link(toolchain),
        )
    };
    let compiles = format!("echo \"$@\" > {}; cat $5", log.display());
    assert_eq!(ask(&compiles, &row), (false, false));
    let arguments = fs::read_to_string(&log).unwrap();
    assert!(
        arguments.starts_with("-static -x -o /") && arguments.ends_with("main.c\n"),
        "{arguments}"
    );
    fs::remove_file(&log).unwrap();
    assert_eq!(
        (ask(&compiles, &row), log.exists()),
        ((false, false), false),
        "the result is cached"
    );
    let row = Language {
        static_flags: words("-static -y"),
        ..row
    };
    assert_eq!(
        ask("case \"$*\" in *-static*) exit 1; esac", &row),
        (true, true)
    );
    assert_eq!(
        (ask(&compiles, &row), log.exists()),
        ((true, true), false),
        "the result is cached"
    );
}

#[test]
fn scripts_find_tools_outside_the_base_system() {
    let found_tool = |executable: &str| FoundTool {
        role: "compiler".into(),
        name: "x".into(),
        executable: executable.into(),
        version: "1".into(),
    };
    let toolchain = |id: &str, executable: &str| Toolchain {
        language: Language {
            id: LanguageId(id.into()),
            ..language(tool(&[]))
        },
        tools: vec![found_tool(executable)],
        mounts: Vec::new(),
    };
    let found = [
        toolchain("python3", "/opt/python/bin/python3"),
        toolchain("c", "/usr/bin/gcc"),
        toolchain("rust", "/opt/rust/bin/rustc"),
    ];
    let scripts = Toolchains::known(found.into()).for_scripts();
    assert_eq!(
        scripts.language.env,
        ["PATH=/opt/python/bin:/usr/local/bin:/usr/bin:/bin"]
    );
    assert_eq!(scripts.tools.len(), 2);
}

#[test]
fn unreachable_tools_are_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for place in ["shut", "open"] {
        script(
            &root.join(place).join("path/shim"),
            &format!("echo {}", root.join(place).display()),
        );
        script(&root.join(place).join("bin/real"), &format!("echo {place}"));
    }
    let shut = root.join("shut");
    let closed = |path: &Path| path.starts_with(&shut).then(|| shut.clone());
    let (only, both) = (
        shut.join("path"),
        [shut.join("path"), root.join("open/path")],
    );
    let both = std::env::join_paths(both).unwrap();
    let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &both);
    let version = |found: &Toolchains| {
        found.get(&LanguageId("x".into())).unwrap().unwrap().tools[0]
            .version
            .clone()
    };
    assert_eq!(version(&found), "shut");
    found.keep_reachable(&both, ToolRestrictions::NONE);
    assert_eq!(version(&found), "shut");
    found.keep_reachable(
        &both,
        ToolRestrictions {
            closed: &closed,
            ..ToolRestrictions::NONE
        },
    );
    assert_eq!(version(&found), "open");
    let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &only.clone().into_os_string());
    found.keep_reachable(
        &only.into_os_string(),
        ToolRestrictions {
            closed: &closed,
            ..ToolRestrictions::NONE
        },
    );
    let error = found
        .get(&LanguageId("x".into()))
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(&format!("`chmod o+x {}`", shut.display())),
        "{error}"
    );
}

#[test]
fn directories_above_private_ones_are_not_shown() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    script(&root.join("home/bin/wrapper"), "echo wrapped");
    script(
        &root.join("home/bin/shim"),
        &format!("echo {}", root.join("home").display()),
    );
    script(&root.join("home/bin/real"), "echo wide");
    script(
        &root.join("opt/bin/shim"),
        &format!("echo {}", root.join("opt").display()),
    );
    script(&root.join("opt/bin/real"), "echo narrow");
    let both = std::env::join_paths([root.join("home/bin"), root.join("opt/bin")]).unwrap();
    let id = LanguageId("x".into());
    for private in ["home", "home/.cache/judge", "home/contest"] {
        let private = [root.join(private)];
        let restrictions = ToolRestrictions {
            private: &private,
            ..ToolRestrictions::NONE
        };
        // A tool that does not report its directory is shown alone.
        let plain = Tool {
            prefix_args: Vec::new(),
            executable: String::new(),
            ..tool(&["wrapper"])
        };
        let mut found = Toolchains::probe(&[language(plain)], &both);
        assert_eq!(
            found.mounts()[0].source,
            root.join("home"),
            "nothing is private yet"
        );
        found.keep_reachable(&both, restrictions);
        let wrapper = root.join("home/bin/wrapper");
        assert_eq!(
            found.mounts(),
            [Mount {
                source: wrapper.clone(),
                target: wrapper
            }]
        );
        // A tool that needs its directory is skipped.
        let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &both);
        found.keep_reachable(&both, restrictions);
        assert_eq!(found.get(&id).unwrap().unwrap().tools[0].version, "narrow");
        let only = root.join("home/bin").into_os_string();
        let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &only);
        found.keep_reachable(&only, restrictions);
        let error = found.get(&id).unwrap().unwrap_err().to_string();
        assert!(
            error.contains(&format!("which holds `{}`", private[0].display())),
            "{error}"
        );
    }
}

#[test]
fn tools_in_replaced_directories_are_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for place in ["tmp", "opt"] {
        script(
            &root.join(place).join("bin/shim"),
            &format!("echo {}", root.join(place).display()),
        );
        script(&root.join(place).join("bin/real"), &format!("echo {place}"));
    }
    let covered = root.join("tmp").display().to_string();
    let restrictions = ToolRestrictions {
        covered: &[&covered],
        ..ToolRestrictions::NONE
    };
    let id = LanguageId("x".into());
    let (only, both) = (
        root.join("tmp/bin"),
        [root.join("tmp/bin"), root.join("opt/bin")],
    );
    let both = std::env::join_paths(both).unwrap();
    let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &both);
    assert_eq!(found.get(&id).unwrap().unwrap().tools[0].version, "tmp");
    found.keep_reachable(&both, restrictions);
    assert_eq!(found.get(&id).unwrap().unwrap().tools[0].version, "opt");
    let path = only.clone().into_os_string();
    let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &path);
    found.keep_reachable(&path, restrictions);
    let error = found.get(&id).unwrap().unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("`{}/shim` needs `{covered}", only.display())),
        "{error}"
    );
}

#[test]
fn headers_are_named_by_the_compilers_make_rule() {
    let dir = tempfile::tempdir().unwrap();
    script(&dir.path().join("cc"), "echo 'gmp.h: /dev/null'");
    let plain = Tool {
        prefix_args: Vec::new(),
        executable: String::new(),
        ..tool(&["cc"])
    };
    let found = Toolchains::probe(&[language(plain)], &dir.path().as_os_str().to_owned());
    assert_eq!(
        found.get(&LanguageId("x".into())).unwrap().unwrap().tools[0].version,
        "gmp.h"
    );
}

#[test]
fn links_out_of_a_toolchain_are_followed() {
    // Not below `/tmp`, where programs see their own files.
    let places = [
        PathBuf::from("/var/lib"),
        std::env::current_exe()
            .unwrap()
            .parent()
            .unwrap()
            .to_owned(),
    ];
    let mut places = places.iter().filter(|place| !place.starts_with("/tmp"));
    let Some(dir) = places.find_map(|place| tempfile::tempdir_in(place).ok()) else {
        return;
    };
    let root = dir.path().canonicalize().unwrap();
    script(&root.join("opt/bin/real"), "echo real");
    script(
        &root.join("path/shim"),
        &format!("echo {}", root.join("opt").display()),
    );
    let below = |name: &str, mode: u32| {
        fs::create_dir_all(root.join(name)).unwrap();
        fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).unwrap();
        root.join(name)
    };
    let link = |to: &str, at: &str| {
        fs::create_dir_all(root.join(at).parent().unwrap()).unwrap();
        symlink(root.join(to), root.join(at)).unwrap();
    };
    let (state, more) = (below("var/state", 0o755), below("var/more", 0o755));
    below("var/writable", 0o777);
    below("home/contest", 0o755);
    link("var/state", "opt/lib/state");
    link("var/more", "var/state/more");
    link("var/writable", "opt/writable");
    link("home", "opt/home");
    link("opt/bin", "opt/own");
    link("missing", "opt/missing");
    link("var/far", "opt/one/two/far");
    for (name, to) in [
        ("secrets", "/etc/ssl"),
        ("processes", "/proc"),
        ("system", "/usr/share"),
    ] {
        symlink(to, root.join("opt").join(name)).unwrap();
    }
    let path = root.join("path").into_os_string();
    let private = [root.join("home/contest")];
    let mut found = Toolchains::probe(&[language(tool(&["shim"]))], &path);
    found.keep_reachable(
        &path,
        ToolRestrictions {
            private: &private,
            ..ToolRestrictions::NONE
        },
    );
    let shown: Vec<PathBuf> = found
        .mounts()
        .into_iter()
        .map(|mount| mount.source)
        .collect();
    assert_eq!(shown, [root.join("opt"), state.clone(), more]);
    let closed = |path: &Path| path.starts_with(&state).then(|| state.clone());
    found.keep_reachable(
        &path,
        ToolRestrictions {
            closed: &closed,
            private: &private,
            ..ToolRestrictions::NONE
        },
    );
    assert_eq!(found.mounts().len(), 1);
}

#[test]
fn directories_reported_by_tools_are_mounted() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let script_text = format!(
        "echo {0}/venv; echo {0}/base; echo {0}/none; echo no path",
        root.display()
    );
    script(&root.join("path/shim"), &script_text);
    script(&root.join("base/bin/real"), "echo real");
    fs::create_dir_all(root.join("venv/bin")).unwrap();
    symlink(root.join("base/bin/real"), root.join("venv/bin/real")).unwrap();
    let found = Toolchains::probe(
        &[language(tool(&["shim"]))],
        &root.join("path").into_os_string(),
    );
    let toolchain = found.get(&LanguageId("x".into())).unwrap().unwrap();
    assert_eq!(
        toolchain.tools[0].executable,
        root.join("venv/bin/real"),
        "not the interpreter to which it leads"
    );
    let shown: Vec<PathBuf> = found
        .mounts()
        .into_iter()
        .map(|mount| mount.source)
        .collect();
    assert_eq!(shown, [root.join("venv"), root.join("base")]);
}

#[test]
fn process_starting_languages_need_more_than_threads() {
    let dir = tempfile::tempdir().unwrap();
    script(&dir.path().join("shim"), "echo shim 1");
    let (path, id) = (dir.path().as_os_str().to_owned(), LanguageId("x".into()));
    let plain = Tool {
        prefix_args: Vec::new(),
        executable: String::new(),
        ..tool(&["shim"])
    };
    for starts_processes in [true, false] {
        let row = Language {
            starts_processes,
            ..language(plain.clone())
        };
        let mut found = Toolchains::probe(&[row], &path);
        assert!(found.for_submissions(&id).unwrap().is_ok());
        found.keep_reachable(
            &path,
            ToolRestrictions {
                threads_only: true,
                ..ToolRestrictions::NONE
            },
        );
        assert!(found.get(&id).unwrap().is_ok(), "programs of a package may");
        assert_eq!(
            found.for_submissions(&id).unwrap().is_err(),
            starts_processes
        );
    }
}

#[test]
fn the_root_is_never_shown() {
    let restrictions = ToolRestrictions::NONE;
    assert_eq!(
        restrictions.exposed_by(Path::new("/")),
        Some(PathBuf::from("/"))
    );
    assert_eq!(restrictions.exposed_by(Path::new("/opt")), None);
    // Where `/bin` is a separate directory, its parent is the root.
    for (found, seen) in [
        ("/bin/bash", true),
        ("/usr/bin/bash", true),
        ("/opt/x/bin/bash", false),
    ] {
        assert_eq!(in_base_system(Path::new(found)), seen, "{found}");
    }
    let plain = Tool {
        prefix_args: Vec::new(),
        version_args: vec!["--version".into()],
        ..tool(&["sh", "bash"])
    };
    let plain = Tool {
        executable: String::new(),
        names: vec!["bash".into()],
        ..plain
    };
    let found = Toolchains::probe(&[language(plain)], &OsString::from("/bin:/usr/bin"));
    assert_eq!(found.mounts(), []);
}

#[test]
fn missing_and_broken_tools_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().as_os_str().to_owned();
    let found = Toolchains::probe(&[language(tool(&["absent"]))], &path);
    let error = found.get(&LanguageId("x".into())).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "none of `absent` is in PATH");

    script(
        &dir.path().join("dead"),
        "echo no such version >&2; exit 127",
    );
    let found = Toolchains::probe(&[language(tool(&["dead"]))], &path);
    let error = found
        .get(&LanguageId("x".into()))
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("dead` does not work") && error.contains("no such version"),
        "{error}"
    );
    let answers = |name: &str, text: &str| {
        script(&dir.path().join(name), text);
        let found = Toolchains::probe(&[language(tool(&[name]))], &path);
        found
            .get(&LanguageId("x".into()))
            .unwrap()
            .unwrap_err()
            .to_string()
    };
    let error = answers(
        "numpy",
        "printf 'Traceback (most recent call last):\\n  x\\nModuleNotFoundError: y\\n' >&2; exit 1",
    );
    assert!(error.ends_with("ModuleNotFoundError: y"), "{error}");

    let shims = dir.path().join("shims");
    fs::create_dir(&shims).unwrap();
    script(
        &shims.join("python2"),
        "echo pyenv: python2: command not found >&2; exit 127",
    );
    let found = Toolchains::probe(&[language(tool(&["python2"]))], &shims.into_os_string());
    let error = found
        .get(&LanguageId("x".into()))
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("does not provide this tool"), "{error}");
}
