//! Programs: sources that are to be compiled, and what comes out.
//!
//! Responsible for the shape of both, and for telling the entry point. Must not run anything.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_model::{Language, Program, Submission};
use judge_sandbox::Layout;

use crate::RunnerError;
use crate::command::Variables;
use crate::toolchain::Toolchain;

/// Source files below one directory.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// The directory to which the names are relative.
    directory: PathBuf,
    /// The files to compile, the one with the entry point first.
    files: Vec<PathBuf>,
    /// The class with the entry point, for a language that starts a class.
    entry_class: Option<String>,
    /// Whether the program is the whole directory, headers and data included.
    whole_directory: bool,
}

impl Sources {
    pub(crate) fn of_submission(submission: &Submission) -> Self {
        Self::new(&submission.path, &submission.sources, submission.entry_class.as_ref())
    }

    pub(crate) fn of_program(program: &Program) -> Self {
        Self::new(&program.path, &program.sources, program.entry_class.as_ref())
    }

    fn new(path: &Path, files: &[PathBuf], entry_class: Option<&String>) -> Self {
        let whole_directory = path.is_dir();
        let directory = if whole_directory { path } else { path.parent().unwrap_or(path) };
        Self {
            directory: directory.to_owned(),
            files: files.to_vec(),
            entry_class: entry_class.cloned(),
            whole_directory,
        }
    }

    /// The name under which a file is put before the compiler. Java wants a public class in a file of its name, but
    /// people hand in `a.java` with a `public class Main`, and judges have always renamed it.
    fn staged_name(&self, name: &Path) -> PathBuf {
        let class = self.entry_class.as_deref().and_then(|class| class.rsplit('.').next());
        match (class, name.extension()) {
            (Some(class), Some(extension)) if !self.whole_directory => Path::new(class).with_extension(extension),
            _ => name.to_owned(),
        }
    }

    /// The files to compile by the names that the compiler sees.
    pub(crate) fn staged_files(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| self.staged_name(file)).collect()
    }

    /// Reads everything that belongs to the program, by the name that the compiler sees, in order. Links are followed.
    pub(crate) fn read(&self) -> Result<Vec<(PathBuf, Vec<u8>)>, RunnerError> {
        let mut names = self.files.clone();
        if self.whole_directory {
            names.clear();
            collect(&self.directory, Path::new(""), 0, &mut names)?;
            names.sort();
        }
        let read = |name: PathBuf| {
            let path = self.directory.join(&name);
            let bytes = std::fs::read(&path).map_err(RunnerError::io("read", &path))?;
            Ok((self.staged_name(&name), bytes))
        };
        names.into_iter().map(read).collect()
    }

    /// Where the program begins; `None` without any file.
    pub(crate) fn entry(&self) -> Option<EntryPoint> {
        let main = self.staged_name(self.files.first()?);
        let stem = || main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(EntryPoint { class: self.entry_class.clone().unwrap_or_else(stem), main })
    }
}

/// Directories deeper than this belong to no program; a loop of links would have no end.
const MAX_DEPTH: usize = 16;

fn collect(root: &Path, below: &Path, depth: usize, names: &mut Vec<PathBuf>) -> Result<(), RunnerError> {
    let directory = root.join(below);
    for entry in std::fs::read_dir(&directory).map_err(RunnerError::io("read", &directory))? {
        let entry = entry.map_err(RunnerError::io("read", &directory))?;
        let name = below.join(entry.file_name());
        // Names with a leading dot are not part of a package (package format, "General requirements").
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        match std::fs::metadata(root.join(&name)) {
            Ok(metadata) if metadata.is_dir() && depth < MAX_DEPTH => collect(root, &name, depth + 1, names)?,
            Ok(metadata) if metadata.is_file() => names.push(name),
            _ => {}
        }
    }
    Ok(())
}

/// Where a program begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryPoint {
    /// The source file, relative to the program's directory.
    main: PathBuf,
    /// The class in it.
    class: String,
}

/// A program that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Runnable {
    /// The directory of its files in the cache.
    pub(crate) files: PathBuf,
    pub(crate) entry: EntryPoint,
    pub(crate) toolchain: Arc<Toolchain>,
}

impl Runnable {
    /// The command that runs it in a slot with this layout.
    pub(crate) fn command(&self, memory_bytes: u64, layout: &Layout) -> Result<Vec<OsString>, RunnerError> {
        let language = &self.toolchain.language;
        variables(&self.toolchain, &self.entry, memory_bytes, layout)
            .with("program", &layout.program)
            .expand(&language.run)
            .map_err(|source| RunnerError::Template { language: language.id.to_string(), source })
    }
}

/// The command that compiles it; empty for a language that is not compiled.
pub(crate) fn compile_command(
    toolchain: &Toolchain,
    entry: &EntryPoint,
    sources: &Sources,
    memory_bytes: u64,
    layout: &Layout,
) -> Result<Vec<OsString>, RunnerError> {
    variables(toolchain, entry, memory_bytes, layout)
        .with("output", &layout.work)
        .with_sources(&layout.program, &sources.staged_files())
        .expand(&toolchain.language.compile)
        .map_err(|source| RunnerError::Template { language: toolchain.language.id.to_string(), source })
}

fn variables(toolchain: &Toolchain, entry: &EntryPoint, memory_bytes: u64, layout: &Layout) -> Variables {
    let variables = Variables::default()
        .with("main", layout.program.join(&entry.main))
        .with("class", &entry.class)
        .with("memory_mib", (memory_bytes >> 20).to_string());
    toolchain.tools.iter().fold(variables, |variables, tool| variables.with(&tool.role, &tool.executable))
}

/// The environment of every program: nothing of the harness's own, and the language's additions, in which `{work}` and
/// `{tmp}` stand for the directories that a program may write to.
pub(crate) fn environment(language: &Language, layout: &Layout) -> Vec<OsString> {
    let base = ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME={work}", "TMPDIR={tmp}", "LANG=C.UTF-8"];
    let variables = Variables::default().with("work", &layout.work).with("tmp", &layout.tmp);
    let all = base.iter().copied().chain(language.env.iter().map(String::as_str));
    // Any other name in braces is no variable here but a part of the value.
    all.map(|text| variables.expand_known(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_file_is_itself_and_a_directory_is_everything_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(dir.path().join(name), name).unwrap();
        std::fs::create_dir_all(dir.path().join("p/sub")).unwrap();
        ["p/main.c", "p/sub/list.h", "p/.hidden", "other.c"].iter().for_each(|name| write(name));

        let single = Sources::new(&dir.path().join("other.c"), &["other.c".into()], None);
        assert_eq!(single.read().unwrap(), [("other.c".into(), b"other.c".to_vec())]);

        let whole = Sources::new(&dir.path().join("p"), &["main.c".into()], None);
        let names: Vec<PathBuf> = whole.read().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [Path::new("main.c"), Path::new("sub/list.h")]);
    }

    #[test]
    fn a_loop_of_links_ends() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("main.c"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), dir.path().join("loop")).unwrap();
        let sources = Sources::new(dir.path(), &["main.c".into()], None);
        assert!(sources.read().unwrap().len() <= MAX_DEPTH + 1);
    }

    #[test]
    fn the_first_source_is_the_entry_point_and_its_class_may_have_another_name() {
        let class = "Main".to_owned();
        let named = Sources::new(Path::new("/x/a-b.java"), &["a-b.java".into()], Some(&class)).entry().unwrap();
        assert_eq!((named.main.as_path(), named.class.as_str()), (Path::new("Main.java"), "Main"));
        assert_eq!(Sources::new(Path::new("/x/a.py"), &["a.py".into()], None).entry().unwrap().class, "a");
        assert_eq!(Sources::new(Path::new("/x"), &[], None).entry(), None);
    }
}
