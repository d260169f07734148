//! Compiles the sources of the cases.
//!
//! Responsible for finding the tools like the judge does, and for compiling programs outside of the
//! sandbox that run inside. Must not know expectations.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use judge_exec::{Toolchain, Toolchains};
use judge_model::LanguageId;
use judge_package::built_in_languages;
use judge_sandbox::Layout;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use crate::case::{self, Case, Stage};

/// The tools of this host, and the directories of programs.
pub(crate) struct Programs {
    pub(crate) toolchains: Toolchains,
    /// A depot: a directory for each program, in which it is `main`, or a script under its own
    /// name.
    pub(crate) built: PathBuf,
    /// A depot: a directory for each source that is compiled inside.
    pub(crate) staged: PathBuf,
    /// A file of the host that no program may read.
    pub(crate) secret: PathBuf,
}

/// The content of the secret file.
pub(crate) const SECRET: &str = "the judge's own secret";

const LANGUAGES: [(&str, &str); 4] = [("c", "c"), ("cc", "cpp"), ("rs", "rust"), ("py", "python3")];

impl Programs {
    /// Finds the tools and compiles all cases that are not compiled inside, except those that were
    /// compiled into another directory before: they are copied. `Err` when one of them does not
    /// compile.
    pub(crate) fn build(
        directory: &Path,
        cases: &[Case],
        compiled: Option<&Path>,
    ) -> Result<Self, String> {
        let languages: Vec<_> = built_in_languages()
            .into_iter()
            .filter(|language| LANGUAGES.iter().any(|(_, id)| *id == language.id.0))
            .collect();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let programs = Self {
            toolchains: Toolchains::probe(&languages, &path),
            built: directory.join("built"),
            staged: directory.join("staged"),
            secret: directory.join("secret"),
        };
        for directory in [&programs.built, &programs.staged] {
            fs::create_dir(directory)
                .map_err(|error| format!("`{}`: {error}", directory.display()))?;
        }
        // Two files for validators, and one that no program may read.
        let (input, answer) = (
            programs.staged.join("input"),
            programs.staged.join("answer"),
        );
        for (path, text) in [
            (&input, "input"),
            (&answer, "answer"),
            (&programs.secret, SECRET),
        ] {
            fs::write(path, format!("{text}\n")).map_err(|error| error.to_string())?;
        }
        let canary = case::directory().join("canary.c");
        let mut left: Vec<(&Path, &str)> = cases
            .iter()
            .filter(|case| case.stage != Stage::Compile && programs.missing(case).is_none())
            .map(|case| (case.source.as_path(), case.name.as_str()))
            .collect();
        left.push((&canary, "canary"));
        if let Some(compiled) = compiled {
            copy(&compiled.join("built"), &programs.built)?;
            left.retain(|(_, name)| !programs.built.join(name).exists());
        }
        let (left, failed) = (Mutex::new(left), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((source, name)) = take(&left) {
                        if let Err(error) = programs.build_one(source, name)
                            && let Ok(mut failed) = failed.lock()
                        {
                            failed.push(format!("{name}: {error}"));
                        }
                    }
                });
            }
        });
        for case in cases.iter().filter(|case| case.beside_mib > 0) {
            let large = fs::File::create(programs.built.join(&case.name).join("large"));
            large
                .and_then(|large| large.set_len(case.beside_mib << 20))
                .map_err(|error| error.to_string())?;
        }
        let failed = failed.into_inner().unwrap_or_default();
        if failed.is_empty() {
            Ok(programs)
        } else {
            Err(failed.join("\n"))
        }
    }

    fn build_one(&self, source: &Path, name: &str) -> Result<(), String> {
        let directory = self.built.join(name);
        fs::create_dir(&directory).map_err(|error| error.to_string())?;
        let extension = source.extension().unwrap_or_default().to_string_lossy();
        let toolchain = toolchain(&self.toolchains, &extension)?;
        let template = &toolchain.language.compile;
        if template.is_empty() {
            let copy = directory.join(source.file_name().unwrap_or_default());
            fs::copy(source, &copy).map_err(|error| error.to_string())?;
            return fs::set_permissions(copy, fs::Permissions::from_mode(0o644))
                .map_err(|error| error.to_string());
        }
        // Not every host has a static C library.
        let dynamic: Vec<String> = template
            .iter()
            .filter(|argument| *argument != "-static")
            .cloned()
            .collect();
        compile(&expand(template, toolchain, source, &directory))
            .or_else(|_| compile(&expand(&dynamic, toolchain, source, &directory)))
    }

    /// The reason why this host cannot run a case.
    pub(crate) fn missing(&self, case: &Case) -> Option<String> {
        case.needs.iter().find_map(|need| match need.as_str() {
            "cc" => toolchain(&self.toolchains, "c").err(),
            "c++" => toolchain(&self.toolchains, "cc").err(),
            "rustc" => toolchain(&self.toolchains, "rs").err(),
            "python3" => toolchain(&self.toolchains, "py").err(),
            "java" => (!Path::new("/usr/bin/java").exists())
                .then(|| "there is no `/usr/bin/java`".to_owned()),
            "pidfd_getfd" => may_not_copy_descriptors(),
            "x86_64" => (!cfg!(target_arch = "x86_64")).then(|| "it is for x86-64".to_owned()),
            other => Some(format!("the unknown need `{other}`")),
        })
    }

    /// The command that compiles a case inside, and the directory of its source on the host.
    pub(crate) fn stage(
        &self,
        toolchains: &Toolchains,
        case: &Case,
        round: u32,
        layout: &Layout,
    ) -> Result<(Vec<OsString>, PathBuf), String> {
        let text = fs::read_to_string(&case.source).map_err(|error| error.to_string())?;
        let text = text.replace("@SECRET@", &self.secret.display().to_string());
        let name = case.staged_as.as_deref().map_or_else(
            || case.source.file_name().unwrap_or_default(),
            AsRef::as_ref,
        );
        let directory = self.staged.join(format!("{}-{round}", case.name));
        fs::create_dir(&directory)
            .and_then(|()| fs::write(directory.join(name), text))
            .map_err(|error| error.to_string())?;
        let toolchain = toolchain(toolchains, case.extension())?;
        let template = if case.command.is_empty() {
            &toolchain.language.compile
        } else {
            &case.command
        };
        let source = layout.program.join(name);
        Ok((
            expand(template, toolchain, &source, &layout.work),
            directory,
        ))
    }
}

/// The reason why threads cannot wait for locks: a container's filter forbids copying descriptors
/// of other processes.
fn may_not_copy_descriptors() -> Option<String> {
    let own = pidfd_open(rustix::process::getpid(), PidfdFlags::empty());
    let copy = own.and_then(|own| pidfd_getfd(own, 0, PidfdGetfdFlags::empty()));
    copy.err()
        .map(|error| format!("descriptors of other processes cannot be copied: {error}"))
}

/// The tools for files with this extension, or the reason why they are missing.
pub(crate) fn toolchain<'a>(
    toolchains: &'a Toolchains,
    extension: &str,
) -> Result<&'a Toolchain, String> {
    let (_, id) = LANGUAGES
        .iter()
        .find(|(known, _)| *known == extension)
        .ok_or("an unknown language")?;
    match toolchains.get(&LanguageId((*id).to_owned())) {
        Some(found) => found.map_err(ToString::to_string),
        None => Err(format!("`{id}` is not in the table of languages")),
    }
}

/// The command that runs a case's program in a slot with this layout.
pub(crate) fn run_command(toolchains: &Toolchains, case: &Case, layout: &Layout) -> Vec<OsString> {
    if case.extension() != "py" || case.stage == Stage::Compile {
        return vec![layout.program.join("main").into()];
    }
    let source = layout
        .program
        .join(case.source.file_name().unwrap_or_default());
    match toolchain(toolchains, "py") {
        Ok(toolchain) => expand(&toolchain.language.run, toolchain, &source, &layout.work),
        Err(_) => Vec::new(),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let done = Command::new("cp")
        .arg("-r")
        .arg(from.join("."))
        .arg(to)
        .output()
        .map_err(|error| error.to_string())?;
    if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}

fn take<T>(left: &Mutex<Vec<T>>) -> Option<T> {
    left.lock().ok()?.pop()
}

/// Expands the templates of the table of languages that these languages use.
fn expand(
    template: &[String],
    toolchain: &Toolchain,
    source: &Path,
    output: &Path,
) -> Vec<OsString> {
    let tools = toolchain.tools.iter().map(|tool| {
        (
            format!("{{{}}}", tool.role),
            tool.executable.display().to_string(),
        )
    });
    let mut variables: BTreeMap<String, String> = tools.collect();
    for (name, path) in [
        ("{sources}", source),
        ("{main}", source),
        ("{output}", output),
    ] {
        variables.insert(name.to_owned(), path.display().to_string());
    }
    let expand = |argument: &String| {
        variables
            .iter()
            .fold(argument.clone(), |argument, (name, value)| {
                argument.replace(name, value)
            })
            .into()
    };
    template.iter().map(expand).collect()
}

fn compile(command: &[OsString]) -> Result<(), String> {
    let output = Command::new(&command[0])
        .args(&command[1..])
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
