//! Tools in the home directory: a submission sees the tool, but no file next to it.

use std::fs;

use judge_model::Verdict;

use crate::workspace::{Workspace, executable, has, levels};

/// Prints the sum, or `seen` if the program sees a private file.
const PRINTS_PRIVATE_FILE: &str = "import os, sys\na, b = map(int, input().split())\n\
                     print(a + b if not os.path.exists(PRIVATE) else 'seen')\n";

#[test]
fn a_wrapper_in_the_home_directory_does_not_show_the_home_directory() {
    if !has("python3") {
        return;
    }
    for level in levels() {
        let Some(workspace) = Workspace::isolated() else {
            return;
        };
        workspace.sum("sum");
        // Not below the workspace's temporary directory, which is private anyway.
        let home = tempfile::tempdir_in("/var/lib")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let private = home.path().join("private");
        fs::write(&private, "mine").unwrap();
        fs::create_dir(home.path().join("bin")).unwrap();
        let wrapper = home.path().join("bin/seesall");
        fs::write(
            &wrapper,
            "#!/bin/sh\ncase \"$1\" in --version) echo 1;; *) exec /usr/bin/env python3 \"$@\";; esac\n",
        )
        .unwrap();
        executable(&wrapper);
        for path in [home.path().to_path_buf(), home.path().join("bin")] {
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        let row = "languages: {looks: {name: Looks, extensions: [looks], \
                   tools: {compiler: {names: [seesall], version_args: [--version]}}, \
                   run: ['{compiler}', '{main}']}}";
        workspace.write("judge.yaml", format!("problems: [problems]\n{row}\n"));
        let program =
            PRINTS_PRIVATE_FILE.replace("PRIVATE", &format!("{:?}", private.display().to_string()));
        workspace.write("problems/sum/submissions/accepted/look.looks", program);
        let path = format!("{}:/usr/bin:/bin", home.path().join("bin").display());
        let mut command = workspace.command([
            "run",
            "sum",
            "--report=json",
            "--isolation",
            &level.to_string(),
        ]);
        let output = crate::workspace::CommandOutput::from_command(
            command.env("HOME", home.path()).env("PATH", path),
        );
        assert_eq!(
            output.verdict("accepted/look.looks"),
            Verdict::Accepted,
            "{level}: {output:?}"
        );
    }
}

/// Version managers decide by files in the current directory and above it, and by variables. A
/// package contains such files, and a script of another user such variables.
#[test]
fn files_of_packages_do_not_choose_tools() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/sum/submissions/accepted/a.asks", "");
    let row = "languages: {asks: {name: Asks, extensions: [asks], \
               tools: {compiler: {names: [asks], version_args: [--version]}}, run: ['{compiler}', '{main}']}}";
    workspace.write("judge.yaml", format!("problems: [problems]\n{row}\n"));
    let (log, mark) = (workspace.path("log"), workspace.path("mark"));
    workspace.write(
        "tools/asks",
        format!("#!/bin/sh\n(pwd; env) >>{}\necho 1\n", log.display()),
    );
    workspace.write(
        "problems/sum/asks",
        format!("#!/bin/sh\ntouch {}\necho 1\n", mark.display()),
    );
    for tool in ["tools/asks", "problems/sum/asks"] {
        executable(&workspace.path(tool));
    }
    let path = format!(
        ":.:../sum:/proc/self/cwd:{}:/usr/bin:/bin",
        workspace.path("tools").display()
    );
    for command in ["run", "verify", "doctor"] {
        let cache = tempfile::tempdir().unwrap();
        let mut judge = workspace.command([command]);
        judge
            .current_dir(workspace.path("problems/sum"))
            .env("PATH", &path)
            .env("JUDGE_CACHE_DIR", cache.path());
        for name in [
            "RUSTC_WRAPPER",
            "BASH_ENV",
            "ENV",
            "PYTHONPATH",
            "NODE_OPTIONS",
            "PLANTED",
        ] {
            judge.env(name, "planted");
        }
        let output = judge.output().unwrap();
        let found = fs::read_to_string(&log)
            .unwrap_or_else(|_| panic!("{command} has asked nothing: {output:?}"));
        assert_eq!(found.lines().next(), Some("/"), "{command}: {found}");
        assert!(!found.contains("=planted"), "{command}: {found}");
        let expected = format!("PATH={}:/usr/bin:/bin", workspace.path("tools").display());
        assert!(
            found.lines().any(|line| line == expected),
            "{command}: {found}"
        );
        assert!(!mark.exists(), "{command}: the program of the package ran");
        fs::remove_file(&log).unwrap();
    }
}
