//! Making all the data of a package, aside.
//!
//! Responsible for the order: inputs, then the package as it would be, then validators and answers. Must not touch the
//! package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use judge_exec::{ExecError, Fault, ReadyProgram};
use judge_package::{
    Code, GENERATORS_FILE, LoadedPackage, MAX_DATA_BYTES, PackageError, Silencing, Workspace, load_in_place_of,
    open_within,
};

use crate::AuthoringError;
use crate::files::changes::MadeFiles;
use crate::files::lock::Lock;
use crate::files::reading::{Content, case_of, files_below};
use crate::generators::input::{self, CaseFile, Maker};
use crate::generators::plan::PlannedCase;
use crate::parallel::Workers;
use crate::project::Project;

/// A notice for an author about something that is no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The test case.
    pub id: String,
    /// The message for the author.
    pub message: String,
    /// The kind of notice, where it can be silenced.
    pub code: Option<Code>,
}

impl Notice {
    /// The message, and the code that `check.ignore` in `judge.yaml` would silence it by.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self.code {
            Some(code) => format!("{} [{code}]", self.message),
            None => self.message.clone(),
        }
    }

    /// True when an entry of `judge.yaml` says that it is meant.
    pub(crate) fn is_silenced(&self, silencing: &Silencing, problem: &str) -> bool {
        let file = match self.id.strip_prefix(GENERATORS_FILE) {
            Some(_) => GENERATORS_FILE.to_owned(),
            None => format!("data/{}.in", self.id),
        };
        self.code.is_some_and(|code| silencing.covers(code, problem, Path::new(&file)))
    }
}

/// The data that was made, below the project's stage.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// The origin of each file, by path below `data/`.
    pub(crate) origins: BTreeMap<String, String>,
    pub(crate) faults: Vec<PackageError>,
    pub(crate) notices: Vec<Notice>,
    /// Faults of rules, by their words.
    alike: BTreeMap<String, FaultOfRules>,
}

/// A fault that is told once, of however many rules it is true.
#[derive(Debug)]
struct FaultOfRules {
    /// Its place among the faults.
    index: usize,
    ids: Vec<String>,
    /// Words about the first of them alone.
    first: String,
}

impl Data {
    /// Adds a fault of a rule; `first` is told of the first rule alone that the same is said of.
    pub(crate) fn add_fault(&mut self, project: &Project, case: &PlannedCase, why: &str, first: String) {
        let index = self.faults.len();
        let of = || FaultOfRules { index, ids: Vec::new(), first };
        let alike = self.alike.entry(why.to_owned()).or_insert_with(of);
        alike.ids.push(case.id.clone());
        if alike.index == index {
            self.faults.push(project.fault(case, &format!("{why}{}", alike.first)));
        } else {
            self.faults[alike.index].message = format!("{}: {why}{}", named(&alike.ids), alike.first);
        }
    }
}

/// Ids of rules as a list that stays short.
pub(crate) fn named(ids: &[String]) -> String {
    const NAMED: usize = 3;
    let shown = if ids.len() <= NAMED + 1 { ids.len() } else { NAMED };
    let names: Vec<String> = ids[..shown].iter().map(|id| format!("`{id}`")).collect();
    match ids.len() - shown {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Names of a package's directory that are not needed to look at its data.
const LEFT_OUT: [&str; 4] = ["data", "generators", "submissions", "attachments"];

impl Project {
    /// The package as it would be.
    pub(crate) fn staged(&self) -> PathBuf {
        self.stage.path().join("package").join(&self.problem.name)
    }

    pub(crate) fn staged_data(&self) -> PathBuf {
        self.staged().join("data")
    }

    /// Makes the inputs, and what else rules make. `None` when it was interrupted.
    pub(crate) fn make_inputs(
        &self,
        wanted: &[&PlannedCase],
        workers: Workers<'_>,
    ) -> Result<Option<Data>, AuthoringError> {
        let mut data = Data::default();
        let generators = self.ready_generators(wanted, workers, &mut data)?;
        let originals: Vec<&PlannedCase> = wanted.iter().filter(|case| case.same_as.is_none()).copied().collect();
        let maker = Maker { package: &self.problem.directory, seeded: Mutex::default() };
        let name = |case: &&PlannedCase| match &case.command {
            Some(command) => format!("{}: {}", case.id, command.to_text()),
            None => case.id.clone(),
        };
        let made = workers.each(&originals, name, |worker, case| {
            let generator = case.command.as_ref().map(|command| generators.get(&command.program));
            match generator {
                // A generator that does not compile has been reported.
                Some(None) => Ok(None),
                generator => {
                    let made = input::make(case, generator.flatten(), &maker, worker);
                    Fault::apart(made).map(Some)
                }
            }
        })?;
        let Some(made) = made else { return Ok(None) };
        for (case, made) in originals.iter().zip(made) {
            match made {
                None => {}
                Some(Err(refusal)) => data.add_fault(self, case, &refusal.to_string(), String::new()),
                Some(Ok(files)) => {
                    let notice = |(code, message)| Notice { id: case.id.clone(), message, code };
                    data.notices.extend(files.notices.into_iter().map(notice));
                    for (extension, file) in files.files {
                        self.write(case, &extension, &file, &mut data)?;
                    }
                }
            }
        }
        for (directory, text) in &self.plan.test_groups {
            let path = if directory.is_empty() {
                "test_group.yaml".to_owned()
            } else {
                format!("{directory}/test_group.yaml")
            };
            self.write_bytes(&path, text.as_bytes())?;
            data.origins.insert(path, "text".to_owned());
        }
        Ok(Some(data))
    }

    fn ready_generators(
        &self,
        wanted: &[&PlannedCase],
        workers: Workers<'_>,
        data: &mut Data,
    ) -> Result<BTreeMap<String, ReadyProgram>, ExecError> {
        let commands = wanted.iter().filter_map(|case| case.command.as_ref());
        let names: BTreeSet<&String> = commands.map(|command| &command.program).collect();
        let names: Vec<&String> = names.into_iter().collect();
        let compiled = workers.each(
            &names,
            |name| format!("generator {name}"),
            |worker, name| {
                let compiled = worker.maker(&self.problem, &self.generators[*name], "generator");
                Fault::apart(compiled)
            },
        )?;
        let mut ready = BTreeMap::new();
        for (name, compiled) in names.into_iter().zip(compiled.unwrap_or_default()) {
            match compiled {
                Ok(program) => drop(ready.insert(name.clone(), program)),
                Err(refusal) => {
                    let (path, why) = (&self.generators[name].path, refusal.to_string());
                    data.faults.push(PackageError::invalid(path, None, why));
                }
            }
        }
        Ok(ready)
    }

    fn write(
        &self,
        case: &PlannedCase,
        extension: &str,
        file: &CaseFile,
        data: &mut Data,
    ) -> Result<(), AuthoringError> {
        let path = format!("{}.{extension}", case.id);
        match file {
            CaseFile::Bytes(bytes) => self.write_bytes(&path, bytes)?,
            CaseFile::Copy(from) => self.copy(from, &path)?,
            CaseFile::Link(target) => {
                let name = case.id.rsplit('/').next().unwrap_or_default();
                self.write_link(&path, Path::new(&format!("{name}.{target}")))?;
            }
        }
        data.origins.insert(path, case.origin());
        Ok(())
    }

    pub(crate) fn write_bytes(&self, path: &str, bytes: &[u8]) -> Result<(), ExecError> {
        let path = self.staged_data().join(path);
        make_parent(&path)?;
        fs::write(&path, bytes).map_err(ExecError::io("write", &path))
    }

    /// Copies piece by piece: test data may be larger than memory.
    fn copy(&self, from: &Path, path: &str) -> Result<(), ExecError> {
        let path = self.staged_data().join(path);
        make_parent(&path)?;
        let mut source = open_within(from, MAX_DATA_BYTES).map_err(ExecError::io("read", from))?;
        let mut to = fs::File::create(&path).map_err(ExecError::io("write", &path))?;
        io::copy(&mut source, &mut to).map_err(ExecError::io("write", &path))?;
        Ok(())
    }

    fn write_link(&self, path: &str, target: &Path) -> Result<(), ExecError> {
        let path = self.staged_data().join(path);
        make_parent(&path)?;
        symlink(target, &path).map_err(ExecError::io("write", &path))
    }

    /// Links for test cases that are the same as others: copies, and included ones.
    pub(crate) fn link_copies(&self, is_wanted: &dyn Fn(&str) -> bool, data: &mut Data) -> Result<(), AuthoringError> {
        let copies = self.plan.cases.iter().filter_map(|case| Some((case.id.clone(), case.same_as.clone()?)));
        let all: Vec<(String, String)> = copies.chain(self.plan.included.iter().cloned()).collect();
        for (id, original) in all.iter().filter(|(id, _)| is_wanted(id)) {
            let own: Vec<String> = data.origins.keys().filter(|path| case_of(path).0 == original).cloned().collect();
            for path in own {
                let extension = case_of(&path).1;
                let link = format!("{id}{extension}");
                self.write_link(&link, &relative(&link, &path))?;
                data.origins.insert(link, format!("same as {original}"));
            }
        }
        Ok(())
    }

    /// Puts beside it what was not made and stays, and what else the package has; then loads it as any package is
    /// loaded.
    pub(crate) fn load_staged(
        &self,
        present: &BTreeMap<String, Content>,
        lock: &Lock,
        is_wanted: &dyn Fn(&str) -> bool,
        workspace: &Workspace,
        data: &mut Data,
    ) -> Result<Option<LoadedPackage>, AuthoringError> {
        let staged = self.staged();
        fs::create_dir_all(self.staged_data()).map_err(ExecError::io("create", &staged))?;
        let entries = fs::read_dir(&self.problem.directory).map_err(ExecError::io("read", &self.problem.directory))?;
        for entry in entries {
            let entry = entry.map_err(ExecError::io("read", &self.problem.directory))?;
            let name = entry.file_name();
            if !LEFT_OUT.iter().any(|left_out| name == *left_out) {
                symlink(entry.path(), staged.join(&name)).map_err(ExecError::io("write", &staged))?;
            }
        }
        // Test cases that only lack an answer, which is not to be made now, are nobody's fault here.
        let lacking =
            |id: &str| self.plan.cases.iter().any(|case| case.lacks_answer && case.id == id) && !is_wanted(id);
        let stays = |path: &str| !data.origins.contains_key(path) && !lacking(case_of(path).0);
        for (path, content) in present.iter().filter(|(path, _)| stays(path)) {
            let goes = is_wanted(case_of(path).0) && lock.made(path) == Some(content);
            if !goes {
                self.write_link(path, &self.problem.directory.join("data").join(path))?;
            }
        }
        match load_in_place_of(&self.problem.directory, &staged, workspace) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(errors) => {
                data.faults.extend(errors.into_iter().map(|mut error| {
                    if let Ok(below) = error.file.strip_prefix(&staged) {
                        error.file = self.problem.directory.join(below);
                    }
                    error
                }));
                Ok(None)
            }
        }
    }

    /// The files that were made, as they are now.
    pub(crate) fn made_files(&self, data: &Data) -> Result<MadeFiles, AuthoringError> {
        let root = self.staged_data();
        let files = files_below(&root).map_err(|found| ExecError::io("read", &found.path)(found.cause))?;
        let made = files.into_iter().filter_map(|(path, content)| {
            let origin = data.origins.get(&path)?.clone();
            Some((path, (content, origin)))
        });
        Ok(made.collect())
    }
}

fn make_parent(path: &Path) -> Result<(), ExecError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(ExecError::io("create", parent))
}

/// The way from a file below `data/` to another.
fn relative(from: &str, to: &str) -> PathBuf {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let most = from.len().min(to.len()) - 1;
    let shared = (0..most).take_while(|index| from[*index] == to[*index]).count();
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        for (from, to, expected) in [
            ("secret/1.in", "sample/1.in", "../sample/1.in"),
            ("secret/2.in", "secret/1.in", "1.in"),
            ("secret/b/1.in", "secret/a/c/1.in", "../a/c/1.in"),
            ("a.in", "secret/1.in", "secret/1.in"),
        ] {
            assert_eq!(relative(from, to), Path::new(expected));
        }
    }
}
