//! Generating all the data of a package on its stage.
//!
//! Responsible for the order: inputs, then the staged package, then validators and answers, then
//! the comparison with the package. Must not touch the package.

mod case;
mod complete;
mod data;
mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Mutex;

use judge_exec::{ExecError, Fault, ReadyProgram};
use judge_package::{Finding, LoadedPackage, load_in_place_of};

use crate::error::AuthoringError;
use crate::files::changes::{Difference, GeneratedFiles, compare};
use crate::files::duplicates;
use crate::files::lock::{LOCK_FILE, Lock};
use crate::files::reading::{Content, Unreadable, case_of, files_below};
use crate::generators::input::{self, CaseFile, CaseFiles, CaseGenerator};
use crate::generators::plan::{Answers, PlannedCase};
use crate::make::complete::complete;
use crate::make::data::StagedData;
use crate::notice::Notice;
use crate::project::{Project, is_test_case};
use crate::proposal::Proposal;
use crate::resources::Resources;
use crate::stage::{Stage, relative};

/// The directories of a package that are not needed to load its data.
const LEFT_OUT: [&str; 4] = ["data", "generators", "submissions", "attachments"];

/// Generates the data of the test cases with selected ids. Returns `None` when it was interrupted.
///
/// # Errors
/// Faults of the host.
pub(crate) fn make<'p>(
    project: &'p Project,
    resources: Resources<'_>,
    is_selected: &dyn Fn(&str) -> bool,
) -> Result<Option<Proposal<'p>>, AuthoringError> {
    match propose(project, resources, is_selected) {
        // A failure after a cancellation is not reported.
        Err(_) if resources.session.is_cancelled() => Ok(None),
        proposed => proposed,
    }
}

fn propose<'p>(
    project: &'p Project,
    resources: Resources<'_>,
    is_selected: &dyn Fn(&str) -> bool,
) -> Result<Option<Proposal<'p>>, AuthoringError> {
    let mut proposal = Proposal {
        project,
        faults: Vec::new(),
        notices: Vec::new(),
        test_cases: 0,
        for_validators: 0,
        rules: None,
        difference: Difference::default(),
        lock_changes: false,
    };
    let (lock, existing) = match read_package(project.directory()) {
        Ok(read) => read,
        Err(fault) => {
            proposal.faults.push(fault);
            return Ok(Some(proposal));
        }
    };
    let cases = project.selected_cases(is_selected);
    // A selected test case may need others, such as the original of a copy. They are generated too,
    // and count as selected.
    let is_selected = |id: &str| is_selected(id) || cases.iter().any(|case| case.id == id);
    let mut generation = DataGeneration {
        project,
        resources,
        is_selected: &is_selected,
        data: StagedData::default(),
    };
    let is_finished = generation.make(&cases, &existing, &lock)?;
    if !is_finished || resources.session.is_cancelled() {
        return Ok(None);
    }
    // The files are read from the stage, where solutions have written answers and samples.
    let generated = generation.files()?;
    let data = generation.data;
    proposal.difference = compare(&generated, &existing, &lock, is_selected, |path| {
        project.may_replace(path)
    });
    proposal.lock_changes = proposal.difference.lock != lock;
    let included = project.plan.included.iter().map(|(id, _)| id.as_str());
    let included = included.filter(|id| is_selected(id));
    let ids = cases.iter().map(|case| case.id.as_str()).chain(included);
    let (test_cases, others): (Vec<&str>, Vec<&str>) = ids.partition(|id| is_test_case(id));
    (proposal.test_cases, proposal.for_validators) = (test_cases.len(), others.len());
    let silencings = &resources.workspace.check.silencings;
    let is_open = |notice: &Notice| {
        let mut silencings = silencings.iter();
        !silencings.any(|silencing| notice.is_silenced(silencing, project.name()))
    };
    let duplicates = duplicates::find(&generated, project.answers_are_outputs());
    let notices = project
        .warning_notices()
        .chain(data.notices)
        .chain(duplicates);
    proposal.notices = notices.filter(is_open).collect();
    proposal.faults = data.faults;
    Ok(Some(proposal))
}

/// The lock file and the data of a package, or the fault that prevents reading them.
fn read_package(directory: &Path) -> Result<(Lock, BTreeMap<String, Content>), Finding> {
    let lock_path = directory.join(LOCK_FILE);
    let lock = Lock::read(&lock_path).map_err(|error| {
        let hint = "restore the lock file or delete it; data that generates identically is recognized again";
        Finding::invalid(&lock_path, None, error).hint(Some(hint.to_owned()))
    })?;
    let unreadable = |Unreadable { path, cause }| Finding::unreadable(&path, &cause);
    Ok((
        lock,
        files_below(&directory.join("data")).map_err(unreadable)?,
    ))
}

/// The state of generating data, with the data so far.
struct DataGeneration<'a> {
    project: &'a Project,
    resources: Resources<'a>,
    is_selected: &'a dyn Fn(&str) -> bool,
    data: StagedData,
}

impl DataGeneration<'_> {
    /// Generates all data. Returns false when it was interrupted.
    fn make(
        &mut self,
        cases: &[&PlannedCase],
        existing: &BTreeMap<String, Content>,
        lock: &Lock,
    ) -> Result<bool, AuthoringError> {
        if !self.make_inputs(cases)? {
            return Ok(false);
        }
        // If inputs are missing, validators and solutions would only report consequences of the
        // faults.
        if !self.data.faults.is_empty() {
            return Ok(true);
        }
        // Empty answers are written before copies are linked, so that the links include them, and
        // before the package is loaded, which requires them.
        let without_answer = self.answers_to_write(cases)?;
        self.link_copies()?;
        match self.load_staged(existing, lock)? {
            Some(loaded) => complete(
                self.project,
                &loaded,
                &without_answer,
                self.resources,
                &mut self.data,
            ),
            None => Ok(true),
        }
    }

    /// Generates the inputs and the other files of rules. Returns false when it was interrupted.
    fn make_inputs(&mut self, cases: &[&PlannedCase]) -> Result<bool, AuthoringError> {
        let generators = self.ready_generators(cases)?;
        let originals = cases.iter().filter(|case| case.same_as.is_none());
        let originals: Vec<&PlannedCase> = originals.copied().collect();
        let case_generator = CaseGenerator {
            package: self.project.directory(),
            seeded: Mutex::default(),
        };
        let stage = &self.project.stage;
        let name = |case: &&PlannedCase| match &case.command {
            Some(command) => format!("{}: {}", case.id, command.to_text()),
            None => case.id.clone(),
        };
        let results = self.resources.each(&originals, name, |worker, case| {
            let command = case.command.as_ref();
            let generator = command.and_then(|command| generators.get(&command.program));
            // A generator that does not compile was already reported.
            if command.is_some() && generator.is_none() {
                return Ok(None);
            }
            match Fault::apart(input::make(case, generator, &case_generator, worker))? {
                // Each input is written immediately: all inputs of a package together may be larger
                // than memory.
                Ok(files) => stage_files(stage, case, files).map(|staged| Some(Ok(staged))),
                Err(refusal) => Ok(Some(Err(refusal))),
            }
        })?;
        let Some(results) = results else {
            return Ok(false);
        };
        for (case, result) in originals.iter().zip(results) {
            match result {
                None => {}
                Some(Err(refusal)) => {
                    let why = refusal.to_string();
                    self.data.add_fault_of_generator(self.project, case, why);
                }
                Some(Ok((paths, notices))) => {
                    let paths = paths.into_iter().map(|path| (path, case.origin()));
                    self.data.origins.extend(paths);
                    self.data.notices.extend(notices);
                }
            }
        }
        for (directory, text) in &self.project.plan.test_groups {
            let slash = if directory.is_empty() { "" } else { "/" };
            let path = format!("{directory}{slash}test_group.yaml");
            self.project.stage.write(&path, text.as_bytes())?;
            self.data.origins.insert(path, "text".to_owned());
        }
        Ok(true)
    }

    fn ready_generators(
        &mut self,
        cases: &[&PlannedCase],
    ) -> Result<BTreeMap<String, ReadyProgram>, ExecError> {
        let project = self.project;
        let commands = cases.iter().filter_map(|case| case.command.as_ref());
        // Each generator is compiled once, regardless of the number of calls.
        let names: BTreeSet<&String> = commands.map(|command| &command.program).collect();
        let names: Vec<&String> = names.into_iter().collect();
        let title = |name: &&String| format!("generator {name}");
        let compiled = self.resources.each(&names, title, |worker, name| {
            let program = &project.generators[*name];
            Fault::apart(worker.maker(&project.problem, program, "generator"))
        })?;
        let mut ready = BTreeMap::new();
        for (name, compiled) in names.into_iter().zip(compiled.unwrap_or_default()) {
            match compiled {
                Ok(program) => drop(ready.insert(name.clone(), program)),
                Err(refusal) => {
                    let (path, why) = (&project.generators[name].path, refusal.to_string());
                    self.data.faults.push(Finding::invalid(path, None, why));
                }
            }
        }
        Ok(ready)
    }

    /// The test cases with answers that a solution writes. Those with a missing answer get an empty
    /// one for now.
    fn answers_to_write(&mut self, cases: &[&PlannedCase]) -> Result<Vec<String>, AuthoringError> {
        let mut ids = Vec::new();
        for case in cases.iter().filter(|case| case.same_as.is_none()) {
            let answer = format!("{}.ans", case.id);
            let has_input = self.data.origins.contains_key(&format!("{}.in", case.id));
            let needs_answer = ["sample", "secret", "fuzz"].contains(&case.root());
            if !needs_answer || !has_input || self.data.origins.contains_key(&answer) {
                continue;
            }
            if self.project.answers_are_outputs() {
                if case.answers == Answers::Nothing {
                    let why = "has no answer: it has no `ans`, and `solution` is empty";
                    self.data.faults.push(self.project.fault(case, why));
                    continue;
                }
                ids.push(case.id.clone());
            }
            // Loading a package requires an answer for each test case. The empty file is
            // overwritten when the solution has run.
            self.project.stage.write(&answer, b"")?;
            self.data.origins.insert(answer, case.origin());
        }
        Ok(ids)
    }

    /// Writes links for test cases that are equal to others: copies and included ones.
    fn link_copies(&mut self) -> Result<(), ExecError> {
        let links = self.project.plan.links();
        for (id, original) in links.filter(|(id, _)| (self.is_selected)(id)) {
            let paths = self.data.origins.keys();
            let files = paths.filter(|path| case_of(path).0 == original);
            for path in files.cloned().collect::<Vec<String>>() {
                let link = format!("{id}{}", case_of(&path).1);
                // Relative links lead to the same files after they are copied into the package.
                self.project.stage.link(&link, &relative(&link, &path))?;
                let origin = format!("same as {original}");
                self.data.origins.insert(link, origin);
            }
        }
        Ok(())
    }

    /// Links the remaining files of the data and the rest of the package to the stage, and loads
    /// the staged package. Returns `None` when it has faults.
    fn load_staged(
        &mut self,
        existing: &BTreeMap<String, Content>,
        lock: &Lock,
    ) -> Result<Option<LoadedPackage>, AuthoringError> {
        let (project, stage) = (self.project, &self.project.stage);
        let staged = stage.package();
        // All entries of the package except the data are linked one by one, because the stage has a
        // separate `data` directory.
        fs::create_dir_all(stage.data()).map_err(ExecError::io("create", &staged))?;
        let unreadable = || ExecError::io("read", project.directory());
        for entry in fs::read_dir(project.directory()).map_err(unreadable())? {
            let entry = entry.map_err(unreadable())?;
            let name = entry.file_name();
            // The rest of the package is linked and not copied: validators and solutions are
            // only read.
            if !LEFT_OUT.iter().any(|left_out| name == *left_out) {
                symlink(entry.path(), staged.join(&name))
                    .map_err(ExecError::io("write", &staged))?;
            }
        }
        // A missing answer of a test case that is not generated now must not be a fault.
        let planned = &project.plan.cases;
        let needs_answer = |id: &str| {
            planned
                .iter()
                .any(|case| case.needs_answer && case.id == id)
        };
        let is_kept = |path: &str| {
            let id = case_of(path).0;
            !self.data.origins.contains_key(path) && ((self.is_selected)(id) || !needs_answer(id))
        };
        for (path, content) in existing.iter().filter(|(path, _)| is_kept(path)) {
            // A generated file that is no longer planned will be removed. The staged package is
            // loaded without it.
            let is_removed =
                (self.is_selected)(case_of(path).0) && lock.generated(path) == Some(content);
            if !is_removed {
                stage.link(path, &project.directory().join("data").join(path))?;
            }
        }
        match load_in_place_of(project.directory(), &staged, self.resources.workspace) {
            Ok(loaded) => Ok(Some(loaded)),
            Err(errors) => {
                self.data.faults.extend(errors.into_iter().map(|mut error| {
                    // Errors name files of the stage, which are unknown to authors. The path in the
                    // package is shown instead.
                    if let Ok(below) = error.file.strip_prefix(&staged) {
                        error.file = project.directory().join(below);
                    }
                    error
                }));
                Ok(None)
            }
        }
    }

    /// Reads the generated files.
    fn files(&self) -> Result<GeneratedFiles, AuthoringError> {
        let unreadable = |found: Unreadable| ExecError::io("read", &found.path)(found.cause);
        let files = files_below(&self.project.stage.data()).map_err(unreadable)?;
        let generated = files.into_iter().filter_map(|(path, content)| {
            let origin = self.data.origins.get(&path)?.clone();
            Some((path, (content, origin)))
        });
        Ok(generated.collect())
    }
}

/// Writes the files of a test case to the stage, and returns their paths below `data/` and the
/// notices about them.
fn stage_files(
    stage: &Stage,
    case: &PlannedCase,
    case_files: CaseFiles,
) -> Result<(Vec<String>, Vec<Notice>), ExecError> {
    let mut paths = Vec::new();
    for (extension, file) in case_files.files {
        let path = format!("{}.{extension}", case.id);
        match file {
            CaseFile::Bytes(bytes) => stage.write(&path, &bytes)?,
            CaseFile::Copy(from) => stage.copy(&from, &path)?,
            CaseFile::Link(target) => {
                let name = case.id.rsplit('/').next().unwrap_or_default();
                stage.link(&path, Path::new(&format!("{name}.{target}")))?;
            }
        }
        paths.push(path);
    }
    let notice = |(code, message)| Notice::new(&case.id, message, code);
    Ok((paths, case_files.notices.into_iter().map(notice).collect()))
}
