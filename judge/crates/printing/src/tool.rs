//! The programs of this host that printing needs, and the directories of their installations.
//!
//! Responsible for queries outside of the sandbox: programs of the host are trusted. Must not know
//! their input.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use judge_model::{UnknownName, find_by_name};
use judge_sandbox::{AnswerBounds, Mount, host_answer, host_program, programs_in_path};

/// A kind of program that creates PDFs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// pdfLaTeX, or otherwise XeLaTeX or LuaLaTeX, from a document in LaTeX.
    Latex,
    /// Chromium or Chrome without a window, from a page in HTML.
    Chromium,
}

impl Engine {
    /// Both engines.
    pub const ALL: [Self; 2] = [Self::Latex, Self::Chromium];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "latex",
            Self::Chromium => "chromium",
        }
    }

    /// The names of its program, the best first.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Latex => &["pdflatex", "xelatex", "lualatex"],
            Self::Chromium => &[
                "chromium",
                "chromium-browser",
                "google-chrome-stable",
                "google-chrome",
            ],
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Latex => "LaTeX",
            Self::Chromium => "Chromium",
        })
    }
}

impl FromStr for Engine {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("engine", Self::ALL, Self::name, text)
    }
}

/// The reasons why a program cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// No program with one of its names is in `PATH`.
    #[error("none of {} is in PATH", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NotFound {
        /// The names.
        names: &'static [&'static str],
    },
    /// Its directory contains private files, which it would see.
    #[error("`{}` is in `{}`, and would see that whole directory", program.display(), directory.display())]
    TooWide {
        /// The program.
        program: PathBuf,
        /// The directory.
        directory: PathBuf,
    },
}

/// A program, and the directories that it needs besides those of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The executable, absolute.
    pub(crate) executable: PathBuf,
    /// Directories of its installation, mounted at the same paths.
    pub(crate) mounts: Vec<Mount>,
}

impl Tool {
    /// The name of its program.
    pub(crate) fn name(&self) -> String {
        self.executable
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// True for a program that reads no other files, regardless of the document: pdfTeX, by its
    /// settings, and browsers, with a page that loads nothing. XeTeX runs another program for
    /// pictures and fonts, and LuaTeX runs Lua with most functions removed.
    pub(crate) fn is_confined(&self) -> bool {
        !matches!(self.name().as_str(), "xelatex" | "lualatex")
    }

    /// True for a browser, whose processes communicate through local sockets.
    pub(crate) fn is_browser(&self) -> bool {
        Engine::Chromium.programs().contains(&self.name().as_str())
    }
}

/// The directories in which programs are searched for.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The value of `PATH`.
    pub path: &'a OsStr,
    /// Directories that no program may see.
    pub private: &'a [PathBuf],
}

impl Search<'_> {
    /// Finds the program of an engine.
    ///
    /// # Errors
    /// When it is missing, or among private files.
    pub fn engine(self, engine: Engine) -> Result<Tool, Missing> {
        let executable = self.program(engine.programs())?;
        let mut directories = match engine {
            Engine::Latex => directories_of_tex(&executable),
            Engine::Chromium => vec![
                "/etc/fonts".into(),
                "/etc/chromium.d".into(),
                "/etc/chromium".into(),
            ],
        };
        let real = executable.canonicalize().ok();
        directories.extend(real.and_then(|real| Some(real.parent()?.to_owned())));
        self.tool(executable, directories)
    }

    /// Finds the converter of poppler from PDF to SVG.
    ///
    /// # Errors
    /// As for [`engine`](Self::engine).
    pub fn converter(self) -> Result<Tool, Missing> {
        let executable = self.program(&["pdftocairo"])?;
        self.tool(executable, vec!["/etc/fonts".into()])
    }

    fn program(self, names: &'static [&'static str]) -> Result<PathBuf, Missing> {
        let is_program = |path: &PathBuf| {
            path.metadata().is_ok_and(|metadata| {
                metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
            })
        };
        let in_path = |name: &&str| {
            programs_in_path(name, self.path)
                .into_iter()
                .find(is_program)
        };
        let found = names.iter().find_map(in_path);
        found.map(resolve_links).ok_or(Missing::NotFound { names })
    }

    fn tool(self, executable: PathBuf, directories: Vec<PathBuf>) -> Result<Tool, Missing> {
        let mut mounts: Vec<Mount> = Vec::new();
        for directory in directories {
            let mut system = ["/usr", "/bin", "/nix/store", "/gnu/store"].iter();
            let is_visible = system.any(|system| directory.starts_with(system))
                || mounts
                    .iter()
                    .any(|mount| directory.starts_with(&mount.target));
            if is_visible || !directory.is_dir() {
                continue;
            }
            let is_private = |private: &PathBuf| private.starts_with(&directory);
            if directory == Path::new("/") || self.private.iter().any(is_private) {
                return Err(Missing::TooWide {
                    program: executable,
                    directory,
                });
            }
            mounts.retain(|mount| !mount.target.starts_with(&directory));
            mounts.push(Mount {
                source: directory.clone(),
                target: directory,
            });
        }
        Ok(Tool { executable, mounts })
    }
}

/// Follows links of the same name: a TeX engine chooses its format by the name.
fn resolve_links(mut program: PathBuf) -> PathBuf {
    while let Ok(target) = program.read_link() {
        if !target.is_absolute() || target.file_name() != program.file_name() || target == program {
            break;
        }
        program = target;
    }
    program
}

/// The directories of a TeX installation, as it reports them: only those for all users.
fn directories_of_tex(executable: &Path) -> Vec<PathBuf> {
    const VARIABLES: &str =
        "$TEXMFROOT\n$TEXMFDIST\n$TEXMFMAIN\n$TEXMFLOCAL\n$TEXMFSYSVAR\n$TEXMFSYSCONFIG";
    let mut command = host_program(&executable.with_file_name("kpsewhich"));
    command.args(["-progname=pdflatex", "-expand-var", VARIABLES]);
    let Ok(answer) = host_answer(command, Vec::new(), AnswerBounds::default()) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let paths = text
        .lines()
        .map(|line| PathBuf::from(line.trim().trim_end_matches('/')));
    paths.filter(|path| path.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn programs_among_private_files_are_rejected() {
        let directory = tempfile::tempdir().unwrap();
        let bin = directory.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let program = bin.join("chromium");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        let path = bin.clone().into_os_string();
        let find = |private: &[PathBuf]| {
            Search {
                path: &path,
                private,
            }
            .engine(Engine::Chromium)
        };
        assert!(
            matches!(find(&[]), Err(Missing::NotFound { .. })),
            "the file is not executable"
        );
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let found = find(&[]).unwrap();
        let real = bin.canonicalize().unwrap();
        assert!(
            found.mounts.iter().any(|mount| mount.source == real),
            "{found:?}"
        );
        let inside = real.join("secrets");
        assert!(matches!(find(&[inside]), Err(Missing::TooWide { .. })));
        assert_eq!(find(&[real.parent().unwrap().to_owned()]).unwrap(), found);
    }

    #[test]
    fn links_of_the_same_name_are_followed() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir_all(at("real")).unwrap();
        fs::create_dir_all(at("bin")).unwrap();
        fs::write(at("real/pdftex"), "").unwrap();
        std::os::unix::fs::symlink("pdftex", at("real/pdflatex")).unwrap();
        std::os::unix::fs::symlink(at("real/pdflatex"), at("bin/pdflatex")).unwrap();
        assert_eq!(resolve_links(at("bin/pdflatex")), at("real/pdflatex"));
    }

    #[test]
    fn engine_names_can_be_parsed() {
        for engine in Engine::ALL {
            assert_eq!(engine.name().parse(), Ok(engine));
        }
        assert!("tex".parse::<Engine>().is_err());
    }
}
