//! A package whose data is to be made: everything that is known before anything runs.
//!
//! Responsible for finding the programs that the plan names. Must not run any.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{LanguageId, OutputValidator, Problem, Program, Submission, TestCase};
use judge_package::{
    GENERATORS_FILE, GeneratedDirectory, Generators, LoadedInPart, LoadedPackage, PackageError, PackageErrors,
    Position, Warning, Workspace, code, did_you_mean, load_despite_data, load_in_part, program_at, read_generators,
};

use crate::generators::plan::{Answers, DataPlan, PlannedCase, plan};
use crate::is_test_case;
use crate::make::named;

/// A package, its plan, and the programs that the plan needs.
#[derive(Debug)]
pub struct Project {
    pub(crate) problem: Problem,
    pub(crate) file: PathBuf,
    pub(crate) plan: DataPlan,
    /// The warnings about the rules.
    pub(crate) warnings: Vec<Warning>,
    /// True when the answers are reviewed: then they may be replaced, even those that were written by hand.
    pub(crate) is_review: bool,
    /// The generators, by the names that commands have for them.
    pub(crate) generators: BTreeMap<String, Program>,
    /// The solutions, by the paths that rules have for them.
    pub(crate) solutions: BTreeMap<String, Solution>,
    /// Accepted submissions, the first one that can be run here is the default.
    pub(crate) accepted: Vec<Submission>,
    /// The directory in which the data is made. It is removed when this is dropped.
    pub(crate) stage: LockedDirectory,
}

/// A solution, which writes answers.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    Submission(Submission),
    Program(Program),
}

impl Project {
    /// Reads a package and its `generators.yaml`; `None` when it has none.
    ///
    /// # Errors
    /// Everything that is wrong in them, but not in `data/`.
    pub fn open(directory: &Path, workspace: &Workspace) -> Result<Option<Self>, PackageErrors> {
        let Some(generators) = read_generators(directory)? else { return Ok(None) };
        Self::of_rules(directory, workspace, &generators).map(Some)
    }

    /// Reads a package with other rules than its own.
    ///
    /// # Errors
    /// Everything that is wrong in the package, but not in `data/`.
    pub fn of_rules(directory: &Path, workspace: &Workspace, generators: &Generators) -> Result<Self, PackageErrors> {
        Self::planned(directory, workspace, generators, |_, plan| plan)
    }

    /// A package with test cases that are written by hand. What `generators.yaml` asks for is not made.
    ///
    /// # Errors
    /// Everything that is wrong in the package, but not in `data/`.
    pub fn by_hand(
        directory: &Path,
        workspace: &Workspace,
        id: &str,
        given: &BTreeMap<String, PathBuf>,
    ) -> Result<Self, PackageErrors> {
        let generators = rules_of(directory)?;
        let only = |_: &Problem, plan: DataPlan| {
            let case = PlannedCase::by_hand(id.to_owned(), given.clone(), plan.answers_at(id));
            DataPlan { cases: vec![case], ..DataPlan::default() }
        };
        let project = Self::planned(directory, workspace, &generators, only)?;
        Ok(Self { file: directory.join("data"), ..project })
    }

    /// A package whose answers are looked at again: those of its rules, and those of test cases that were written by
    /// hand. Of the latter an answer stays when the new one is as good.
    pub(crate) fn for_review(directory: &Path, workspace: &Workspace) -> Result<Self, PackageErrors> {
        let generators = rules_of(directory)?;
        let (cases, lacking) = cases_of(directory, workspace)?;
        let with_others = |problem: &Problem, mut plan: DataPlan| {
            let planned: BTreeSet<String> = plan.cases.iter().map(|case| case.id.clone()).collect();
            for (id, input) in lacking.iter().filter(|(id, _)| !planned.contains(id)) {
                let given = BTreeMap::from([("in".to_owned(), input.clone())]);
                let planned = PlannedCase::by_hand(id.clone(), given, plan.answers_at(id));
                plan.cases.push(PlannedCase { lacks_answer: true, ..planned });
            }
            // An answer that is not there is made for good by nobody but all accepted solutions together.
            for case in &mut plan.cases {
                case.lacks_answer |= lacking.iter().any(|(id, _)| *id == case.id);
            }
            // Elsewhere answers are no outputs.
            if problem.interactive || problem.passes > 1 {
                return plan;
            }
            let made: BTreeSet<String> = plan.cases.iter().map(|case| case.id.clone()).collect();
            let included: BTreeSet<String> = plan.included.iter().map(|(id, _)| id.clone()).collect();
            let unknown = |case: &&TestCase| !made.contains(&case.id) && !included.contains(&case.id);
            for case in
                cases.iter().filter(unknown).filter(|case| !case.input.is_symlink() && !case.answer.is_symlink())
            {
                let given = BTreeMap::from([("in".to_owned(), case.input.clone())]);
                let mut planned = PlannedCase::by_hand(case.id.clone(), given, plan.answers_at(&case.id));
                planned.former_answer = Some(case.answer.clone());
                plan.cases.push(planned);
            }
            plan
        };
        let project = Self::planned(directory, workspace, &generators, with_others)?;
        Ok(Self { is_review: true, ..project })
    }

    /// A package with the plan that `change` makes of the plan of its rules.
    pub(crate) fn planned(
        directory: &Path,
        workspace: &Workspace,
        generators: &Generators,
        change: impl FnOnce(&Problem, DataPlan) -> DataPlan,
    ) -> Result<Self, PackageErrors> {
        let LoadedPackage { problem, .. } = load_despite_data(directory, workspace)?;
        let plan = change(&problem, plan(generators, &problem.constants)?);
        let unwritable = |error: &std::io::Error| {
            let message = format!("cannot make a temporary directory to make its data in: {error}");
            PackageErrors::from(PackageError::invalid(directory, None, message))
        };
        let stage = LockedDirectory::temporary(TemporaryPurpose::Generate).map_err(|error| unwritable(&error))?;
        let accepted = problem.submissions.iter().filter(|submission| submission.id.starts_with("accepted/"));
        let accepted = accepted.filter(|submission| submission.language.is_some()).cloned().collect();
        let mut project = Self {
            problem,
            file: generators.file.clone(),
            plan,
            warnings: generators.warnings.clone(),
            is_review: false,
            generators: BTreeMap::new(),
            solutions: BTreeMap::new(),
            accepted,
            stage,
        };
        let errors = project.find_programs(generators, workspace);
        PackageErrors::check(errors)?;
        Ok(project)
    }

    /// The languages whose tools are needed.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        // The languages that scripts may count on (2025-09, "Programs").
        const OF_SCRIPTS: [&str; 3] = ["python3", "c", "cpp"];
        let outputs: &[Program] = match &self.problem.output_validator {
            OutputValidator::Default => &[],
            OutputValidator::Custom(programs) => programs,
        };
        let solutions = self.solutions.values().filter_map(|solution| match solution {
            Solution::Program(program) => Some(program),
            Solution::Submission(_) => None,
        });
        let programs = self.generators.values().chain(solutions).chain(&self.problem.input_validators).chain(outputs);
        let of = |program: &Program| match program.scripts {
            Some(_) => OF_SCRIPTS.map(|id| LanguageId(id.to_owned())).to_vec(),
            None => vec![program.language.clone()],
        };
        let submissions = self.solutions.values().filter_map(|solution| match solution {
            Solution::Submission(submission) => submission.language.clone(),
            Solution::Program(_) => None,
        });
        let accepted = self.accepted.iter().filter_map(|submission| submission.language.clone());
        programs.flat_map(of).chain(submissions).chain(accepted).collect()
    }

    /// The directories that programs of the package may see.
    #[must_use]
    pub fn directories(&self) -> [PathBuf; 2] {
        [self.problem.directory.clone(), self.stage.path().to_owned()]
    }

    /// The problem's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.problem.name
    }

    /// The problem, with the data that it has now.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The package's directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.problem.directory
    }

    /// The test cases that are planned.
    #[must_use]
    pub fn plan(&self) -> &DataPlan {
        &self.plan
    }

    /// An error about a rule.
    pub(crate) fn fault(&self, case: &PlannedCase, message: &str) -> PackageError {
        let position = case.line.map(|line| Position { line, column: 1 });
        PackageError::invalid(&self.file, position, format!("`{}`: {message}", case.id))
    }

    fn find_programs(&mut self, generators: &Generators, workspace: &Workspace) -> Vec<PackageError> {
        let mut errors = Vec::new();
        let mut missing: BTreeMap<String, (Vec<String>, PackageError)> = BTreeMap::new();
        for case in self.plan.cases.clone() {
            if let Some(command) = &case.command
                && !self.generators.contains_key(&command.program)
            {
                match self.find_generator(&command.program, generators, workspace) {
                    Ok(program) => drop(self.generators.insert(command.program.clone(), program)),
                    Err(why) => {
                        let hint = || self.meant_generator(&command.program, generators);
                        let fault = || (Vec::new(), self.fault(&case, &why).hint(hint()));
                        let (ids, error) = missing.entry(why.clone()).or_insert_with(fault);
                        ids.push(case.id.clone());
                        error.message = format!("{}: {why}", named(ids));
                    }
                }
            }
            if let Answers::Program(path) = &case.answers
                && !self.solutions.contains_key(path)
            {
                match self.find_solution(path, workspace) {
                    Ok(solution) => drop(self.solutions.insert(path.clone(), solution)),
                    Err(why) => errors.push(self.fault(&case, &why)),
                }
            }
        }
        errors.extend(missing.into_values().map(|(_, error)| error));
        errors.sort_by_key(|error| error.line);
        errors
    }

    fn find_generator(&self, name: &str, generators: &Generators, workspace: &Workspace) -> Result<Program, String> {
        let directory = self.problem.directory.join("generators");
        let Some(files) = generators.programs.get(name) else {
            let path = directory.join(name);
            if !is_below(name) || !path.exists() {
                return Err(format!("there is no generator `{name}` in `generators/`, nor under `generators:`"));
            }
            return program_at(&path, &workspace.languages).map_err(|errors| errors.to_string());
        };
        // They become a directory of their own, as if they were a program alone (dialect, "Root object").
        let place = self.stage.path().join("generators").join(name);
        let failed = |error: &std::io::Error| format!("cannot copy the files of the generator `{name}`: {error}");
        for file in files {
            if !is_below(file) || !directory.join(file).is_file() {
                return Err(format!("there is no file `generators/{file}`, which the generator `{name}` is made of"));
            }
            let target = place.join(Path::new(file).file_name().unwrap_or_default());
            fs::create_dir_all(&place).map_err(|error| failed(&error))?;
            fs::copy(directory.join(file), target).map_err(|error| failed(&error))?;
        }
        let mut program = program_at(&place, &workspace.languages).map_err(|errors| errors.to_string())?;
        let first = files.first().and_then(|file| Path::new(file).file_name()).map(PathBuf::from);
        if let Some(index) = first.and_then(|first| program.sources.iter().position(|source| *source == first)) {
            let entry = program.sources.remove(index);
            program.sources.insert(0, entry);
        }
        Ok(program)
    }

    /// A hint at the generator that may be meant by a name that none has.
    fn meant_generator(&self, name: &str, generators: &Generators) -> Option<String> {
        let directory = self.problem.directory.join("generators");
        if generators.programs.contains_key(name) || directory.join(name).exists() {
            return None;
        }
        let files = fs::read_dir(directory).into_iter().flatten().flatten();
        let files = files.filter_map(|entry| entry.file_name().into_string().ok());
        let known: BTreeSet<String> = files.chain(generators.programs.keys().cloned()).collect();
        let is_program = |name: &&String| !["generators.yaml", "lock.json"].contains(&name.as_str());
        let programs: Vec<String> = known.iter().filter(is_program).cloned().collect();
        did_you_mean(name, programs.iter().map(String::as_str))
            .or_else(|| (!programs.is_empty()).then(|| format!("`generators/` has {}", named(&programs))))
    }

    fn find_solution(&self, path: &str, workspace: &Workspace) -> Result<Solution, String> {
        let id = path.strip_prefix("submissions/").unwrap_or_default();
        if let Some(submission) = self.problem.submissions.iter().find(|submission| submission.id == id) {
            return Ok(Solution::Submission(submission.clone()));
        }
        let place = self.problem.directory.join(path);
        if !is_below(path) || !place.exists() {
            return Err(format!("there is no solution `{path}`, neither in the package nor among its solutions"));
        }
        program_at(&place, &workspace.languages).map(Solution::Program).map_err(|errors| errors.to_string())
    }
}

/// Test cases that lack an answer, by id with their inputs.
type Lacking = Vec<(String, PathBuf)>;

/// The test cases of a package, and those that only lack an answer, by id with their inputs.
fn cases_of(directory: &Path, workspace: &Workspace) -> Result<(Vec<TestCase>, Lacking), PackageErrors> {
    let LoadedInPart { loaded, errors, .. } = load_in_part(directory, workspace);
    let data = directory.join("data");
    let (mut lacking, mut others) = (Vec::new(), Vec::new());
    for error in errors {
        let lacks_answer = error.code() == code::CASE_INCOMPLETE && !error.file.with_extension("ans").exists();
        let id = error.file.strip_prefix(&data).ok().filter(|_| lacks_answer).and_then(|path| path.to_str());
        match id.and_then(|path| path.strip_suffix(".in")).filter(|id| is_test_case(id)).map(str::to_owned) {
            Some(id) => lacking.push((id, error.file)),
            None => others.push(error),
        }
    }
    // What has no complete test case yet has some once their answers are there.
    others.retain(|error| {
        let is_completed = || lacking.iter().any(|(_, input)| input.starts_with(&error.file));
        !(error.code() == code::NO_TEST_CASES && !lacking.is_empty()
            || error.code() == code::GROUP_EMPTY && is_completed())
    });
    PackageErrors::check(others)?;
    Ok((loaded.map(|loaded| loaded.problem.test_cases).unwrap_or_default(), lacking))
}

/// The rules of a package; none when it has none.
pub(crate) fn rules_of(directory: &Path) -> Result<Generators, PackageErrors> {
    let none = || Generators {
        file: directory.join(GENERATORS_FILE),
        programs: BTreeMap::new(),
        root: GeneratedDirectory::default(),
        warnings: Vec::new(),
    };
    Ok(read_generators(directory)?.unwrap_or_else(none))
}

/// True when a path stays below the directory where it begins.
fn is_below(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The message about a package without the file.
#[must_use]
pub fn no_generators(directory: &Path) -> String {
    format!("`{}` has no `{GENERATORS_FILE}`", directory.display())
}
