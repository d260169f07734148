//! A package for which data is generated: its plan and programs, before anything runs.
//!
//! Responsible for finding the programs that the plan names. Must not run them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use judge_exec::split_hint;
use judge_model::{LanguageId, Problem, Program, Submission, TestCase};
use judge_package::{
    Finding, GENERATORS_FILE, GeneratedDirectory, Generators, LoadedInPart, LoadedPackage,
    PackageErrors, Position, Workspace, code, did_you_mean, load_despite_data, load_in_part,
    program_at, read_generators,
};

use crate::generators::plan::{Answers, DataPlan, PlannedCase, plan};
use crate::notice::{Notice, named};
use crate::stage::Stage;

/// A call of a generator for a sample or a secret test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorCall<'p> {
    /// The test case.
    pub test_case: &'p str,
    /// The name of the generator in the rules.
    pub name: &'p str,
    /// The generator.
    pub program: &'p Program,
    /// The arguments, with `{seed}` in place of the seed.
    pub args: Vec<String>,
}

/// A package, its plan, and the programs that the plan needs.
#[derive(Debug)]
pub struct Project {
    pub(crate) problem: Problem,
    pub(crate) file: PathBuf,
    pub(crate) plan: DataPlan,
    /// The warnings about the rules.
    pub(crate) warnings: Vec<Finding>,
    /// True when the answers are reviewed. Then even those that were written by hand may be
    /// replaced.
    pub(crate) is_review: bool,
    /// The generators, by their names in commands.
    pub(crate) generators: BTreeMap<String, Program>,
    /// The solutions, by their paths in rules.
    pub(crate) solutions: BTreeMap<String, Solution>,
    /// The accepted submissions. The first one that can be run is the default solution.
    pub(crate) accepted: Vec<Submission>,
    /// The directory in which the data is generated.
    pub(crate) stage: Stage,
}

/// A solution that produces answers.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    Submission(Submission),
    Program(Program),
}

impl Project {
    /// Reads a package and its `generators.yaml`; `None` when it has none.
    ///
    /// # Errors
    /// Returns all faults of both, except those of `data/`.
    pub fn open(directory: &Path, workspace: &Workspace) -> Result<Option<Self>, PackageErrors> {
        let Some(generators) = read_generators(directory)? else {
            return Ok(None);
        };
        Self::from_rules(directory, workspace, &generators).map(Some)
    }

    /// Reads a package with rules that replace its own. Fails with all faults of the package, except
    /// those of `data/`.
    pub(crate) fn from_rules(
        directory: &Path,
        workspace: &Workspace,
        generators: &Generators,
    ) -> Result<Self, PackageErrors> {
        Self::planned(directory, workspace, generators, |_, plan| plan)
    }

    /// Reads a package with one test case that is written by hand. The test cases of
    /// `generators.yaml` are not generated. Fails with all faults of the package, except those of
    /// `data/`.
    pub(crate) fn by_hand(
        directory: &Path,
        workspace: &Workspace,
        id: &str,
        given: &BTreeMap<String, PathBuf>,
    ) -> Result<Self, PackageErrors> {
        let generators = rules_of(directory)?;
        let only = |_: &Problem, plan: DataPlan| {
            let case = PlannedCase::by_hand(id.to_owned(), given.clone(), plan.answers_at(id));
            DataPlan {
                cases: vec![case],
                ..DataPlan::default()
            }
        };
        let project = Self::planned(directory, workspace, &generators, only)?;
        Ok(Self {
            file: directory.join("data"),
            ..project
        })
    }

    /// Reads a package for a review of its answers: those of its rules, and those of test cases
    /// that were written by hand. The latter are kept when the new answer is equally good.
    pub(crate) fn for_review(
        directory: &Path,
        workspace: &Workspace,
    ) -> Result<Self, PackageErrors> {
        let generators = rules_of(directory)?;
        let (cases, missing) = cases_of(directory, workspace)?;
        let with_others = |problem: &Problem, mut plan: DataPlan| {
            let planned: BTreeSet<String> = plan.cases.iter().map(|case| case.id.clone()).collect();
            for (id, input) in missing.iter().filter(|(id, _)| !planned.contains(id)) {
                let given = BTreeMap::from([("in".to_owned(), input.clone())]);
                let planned = PlannedCase::by_hand(id.clone(), given, plan.answers_at(id));
                plan.cases.push(PlannedCase {
                    needs_answer: true,
                    ..planned
                });
            }
            // A missing answer is written only if all accepted solutions agree.
            for case in &mut plan.cases {
                case.needs_answer |= missing.iter().any(|(id, _)| *id == case.id);
            }
            // In these problems, answers are not outputs and cannot be compared.
            if problem.interactive || problem.passes > 1 {
                return plan;
            }
            let included = plan.included.iter().map(|(id, _)| id);
            let ids = plan.cases.iter().map(|case| &case.id).chain(included);
            let ids: BTreeSet<String> = ids.cloned().collect();
            // Test cases outside of the rules. Links among them are left out: their answers are
            // reviewed with the test cases that they link to.
            let is_own = |case: &&TestCase| {
                !ids.contains(&case.id) && !case.input.is_symlink() && !case.answer.is_symlink()
            };
            for case in cases.iter().filter(is_own) {
                let given = BTreeMap::from([("in".to_owned(), case.input.clone())]);
                let mut planned =
                    PlannedCase::by_hand(case.id.clone(), given, plan.answers_at(&case.id));
                planned.former_answer = Some(case.answer.clone());
                plan.cases.push(planned);
            }
            plan
        };
        let project = Self::planned(directory, workspace, &generators, with_others)?;
        Ok(Self {
            is_review: true,
            ..project
        })
    }

    /// Reads a package with the plan that `change` derives from the plan of its rules.
    fn planned(
        directory: &Path,
        workspace: &Workspace,
        generators: &Generators,
        change: impl FnOnce(&Problem, DataPlan) -> DataPlan,
    ) -> Result<Self, PackageErrors> {
        // The data is about to be created or replaced, so its faults must not stop the command that
        // repairs them.
        let LoadedPackage { problem, .. } = load_despite_data(directory, workspace)?;
        let plan = change(&problem, plan(generators, &problem.constants)?);
        let stage = Stage::new(problem.name.clone()).map_err(|error| {
            let message = format!("cannot create a temporary directory for its data: {error}");
            PackageErrors::from(Finding::invalid(directory, None, message))
        })?;
        let is_accepted = |submission: &&Submission| {
            submission.id.starts_with("accepted/") && submission.language.is_some()
        };
        let accepted = problem.submissions.iter().filter(is_accepted);
        let accepted = accepted.cloned().collect();
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

    /// The languages for which tools are needed.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        let (mut programs, mut submissions): (Vec<&Program>, Vec<&Submission>) =
            (Vec::new(), self.accepted.iter().collect());
        for solution in self.solutions.values() {
            match solution {
                Solution::Program(program) => programs.push(program),
                Solution::Submission(submission) => submissions.push(submission),
            }
        }
        programs.extend(self.generators.values());
        programs.extend(&self.problem.input_validators);
        programs.extend(self.problem.output_validator.programs());
        let of_submissions = submissions
            .into_iter()
            .filter_map(|submission| submission.language.clone());
        let of_programs = programs.into_iter().flat_map(Program::languages);
        of_programs.chain(of_submissions).collect()
    }

    /// The directories that programs of the package may read.
    #[must_use]
    pub fn directories(&self) -> [PathBuf; 2] {
        [self.problem.directory.clone(), self.stage.path().to_owned()]
    }

    /// The problem's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.problem.name
    }

    /// The problem with its current data.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The package's directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.problem.directory
    }

    /// The ids of the planned test cases.
    pub fn planned_ids(&self) -> impl Iterator<Item = &str> {
        self.plan.cases.iter().map(|case| case.id.as_str())
    }

    /// The calls of generators for samples and secret test cases, in the order of the test
    /// cases.
    #[must_use]
    pub fn calls<'a>(&'a self) -> Vec<GeneratorCall<'a>> {
        let counting = self
            .plan
            .cases
            .iter()
            .filter(|case| matches!(case.root(), "sample" | "secret"));
        let call = |case: &'a PlannedCase| {
            let command = case.command.as_ref()?;
            let (name, program) = self.generators.get_key_value(&command.program)?;
            Some(GeneratorCall {
                test_case: &case.id,
                name,
                program,
                args: command.open_args(),
            })
        };
        counting.filter_map(call).collect()
    }

    /// The generator of this name in the rules.
    #[must_use]
    pub fn generator(&self, name: &str) -> Option<&Program> {
        self.generators.get(name)
    }

    /// The submission that writes the answers according to the rules, if there is one.
    #[must_use]
    pub fn answers_by(&self) -> Option<&Submission> {
        self.solutions.values().find_map(|solution| match solution {
            Solution::Submission(submission) => Some(submission),
            Solution::Program(_) => None,
        })
    }

    /// The problem with the planned test cases.
    #[must_use]
    pub fn as_planned(&self) -> Problem {
        let mut problem = self.problem.clone();
        let included = self.plan.included.iter().map(|(id, _)| id);
        let planned = self.plan.cases.iter().map(|case| &case.id).chain(included);
        problem.test_cases.extend(planned.map(|id| TestCase {
            id: id.clone(),
            ..TestCase::default()
        }));
        problem
    }

    /// Returns true when an answer is a correct output. Otherwise it may be empty (dialect).
    pub(crate) fn answers_are_outputs(&self) -> bool {
        !self.problem.interactive && self.problem.passes == 1
    }

    /// Returns true when a file may be replaced even if it was written by hand.
    pub(crate) fn may_replace(&self, path: &str) -> bool {
        self.is_review && path.ends_with(".ans")
    }

    /// The warnings about the rules, as notices.
    pub(crate) fn warning_notices(&self) -> impl Iterator<Item = Notice> {
        self.warnings.iter().map(|warning| {
            let line = warning.line.map(|line| format!(":{line}"));
            let id = format!("{GENERATORS_FILE}{}", line.unwrap_or_default());
            Notice::new(&id, warning.message.clone(), Some(warning.code))
        })
    }

    /// The planned test cases that are selected, and the originals of selected copies.
    pub(crate) fn selected_cases(&self, is_selected: &dyn Fn(&str) -> bool) -> Vec<&PlannedCase> {
        // A copy is a link to its original, which must be generated even if only the copy is
        // selected.
        let links = self.plan.links().filter(|(id, _)| is_selected(id));
        let originals: Vec<&String> = links.map(|(_, original)| original).collect();
        let selected = |case: &&PlannedCase| is_selected(&case.id) || originals.contains(&&case.id);
        self.plan.cases.iter().filter(selected).collect()
    }

    /// An error about a rule.
    pub(crate) fn fault(&self, case: &PlannedCase, message: &str) -> Finding {
        let position = case.line.map(|line| Position { line, column: 1 });
        let (message, hint) = split_hint(message);
        Finding::invalid(&self.file, position, format!("`{}`: {message}", case.id)).hint(hint)
    }

    fn find_programs(&mut self, generators: &Generators, workspace: &Workspace) -> Vec<Finding> {
        // A missing program is reported once, with all test cases that need it.
        let mut missing: BTreeMap<String, (Vec<String>, Finding)> = BTreeMap::new();
        let mut add = |case: &PlannedCase, why: String, error: Finding| {
            let (ids, error) = missing.entry(why.clone()).or_insert((Vec::new(), error));
            ids.push(case.id.clone());
            error.message = format!("{}: {why}", named(ids));
        };
        for case in self.plan.cases.clone() {
            if let Some(command) = &case.command
                && !self.generators.contains_key(&command.program)
            {
                match self.find_generator(&command.program, generators, workspace) {
                    Ok(program) => drop(self.generators.insert(command.program.clone(), program)),
                    Err(why) => {
                        let hint = self.similar_generator(&command.program, generators);
                        let error = self.fault(&case, &why).hint(hint);
                        add(&case, why, error);
                    }
                }
            }
            if let Answers::Program(path) = &case.answers
                && !self.solutions.contains_key(path)
            {
                match self.find_solution(path, workspace) {
                    Ok(solution) => drop(self.solutions.insert(path.clone(), solution)),
                    Err(why) => {
                        let error = self.fault(&case, &why);
                        add(&case, why, error);
                    }
                }
            }
        }
        let mut errors: Vec<Finding> = missing.into_values().map(|(_, error)| error).collect();
        errors.sort_by_key(|error| error.line);
        errors
    }

    fn find_generator(
        &self,
        name: &str,
        generators: &Generators,
        workspace: &Workspace,
    ) -> Result<Program, String> {
        let directory = self.problem.directory.join("generators");
        let Some(files) = generators.programs.get(name) else {
            let path = directory.join(name);
            if !is_below(name) || !path.exists() {
                return Err(format!(
                    "unknown generator `{name}`: not in `generators/` or under `generators:`"
                ));
            }
            return program_at(&path, &workspace.languages).map_err(|errors| errors.to_string());
        };
        // The files are copied into a separate directory, as if they were a program (dialect, "Root
        // object").
        let place = self.stage.path().join("generators").join(name);
        let failed = |error: &std::io::Error| {
            format!("cannot copy the files of the generator `{name}`: {error}")
        };
        for file in files {
            if !is_below(file) || !directory.join(file).is_file() {
                return Err(format!(
                    "the generator `{name}` needs the file `generators/{file}`, which does not exist"
                ));
            }
            let target = place.join(Path::new(file).file_name().unwrap_or_default());
            fs::create_dir_all(&place).map_err(|error| failed(&error))?;
            fs::copy(directory.join(file), target).map_err(|error| failed(&error))?;
        }
        let mut program =
            program_at(&place, &workspace.languages).map_err(|errors| errors.to_string())?;
        // The first file of the list is the main one (dialect, "Root object"). `program_at`
        // sorts the files by name.
        let first = files.first().and_then(|file| Path::new(file).file_name());
        let mut sources = program.sources.iter();
        if let Some(index) = sources.position(|source| Some(source.as_os_str()) == first) {
            let entry = program.sources.remove(index);
            program.sources.insert(0, entry);
        }
        Ok(program)
    }

    /// A hint that names a generator with a name similar to an unknown one.
    fn similar_generator(&self, name: &str, generators: &Generators) -> Option<String> {
        let directory = self.problem.directory.join("generators");
        if generators.programs.contains_key(name) || directory.join(name).exists() {
            return None;
        }
        let files = fs::read_dir(directory).into_iter().flatten().flatten();
        let files = files.filter_map(|entry| entry.file_name().into_string().ok());
        let known: BTreeSet<String> = files.chain(generators.programs.keys().cloned()).collect();
        let is_program =
            |name: &&String| !["generators.yaml", "lock.json"].contains(&name.as_str());
        let programs: Vec<String> = known.iter().filter(is_program).cloned().collect();
        did_you_mean(name, programs.iter().map(String::as_str)).or_else(|| {
            (!programs.is_empty()).then(|| format!("`generators/` has {}", named(&programs)))
        })
    }

    fn find_solution(&self, path: &str, workspace: &Workspace) -> Result<Solution, String> {
        let id = path.strip_prefix("submissions/").unwrap_or_default();
        let mut submissions = self.problem.submissions.iter();
        if let Some(submission) = submissions.find(|submission| submission.id == id) {
            return Ok(Solution::Submission(submission.clone()));
        }
        let place = self.problem.directory.join(path);
        if !is_below(path) || !place.exists() {
            return Err(format!(
                "no solution `{path}` in the package or among its solutions"
            ));
        }
        program_at(&place, &workspace.languages)
            .map(Solution::Program)
            .map_err(|errors| errors.to_string())
    }
}

/// Test cases without an answer: their ids and inputs.
type MissingAnswers = Vec<(String, PathBuf)>;

/// The test cases of a package, and those that are complete except for their answer.
fn cases_of(
    directory: &Path,
    workspace: &Workspace,
) -> Result<(Vec<TestCase>, MissingAnswers), PackageErrors> {
    let LoadedInPart { loaded, errors, .. } = load_in_part(directory, workspace);
    let data = directory.join("data");
    let (mut missing, mut others) = (Vec::new(), Vec::new());
    for error in errors {
        let is_missing_answer =
            error.code == code::CASE_INCOMPLETE && !error.file.with_extension("ans").exists();
        let path = error.file.strip_prefix(&data).ok().and_then(Path::to_str);
        let id = path.and_then(|path| path.strip_suffix(".in"));
        match id.filter(|id| is_missing_answer && is_test_case(id)) {
            Some(id) => missing.push((id.to_owned(), error.file)),
            None => others.push(error),
        }
    }
    // A group without complete test cases is not empty once their answers are written.
    others.retain(|error| {
        let is_inside = |(_, input): &(String, PathBuf)| input.starts_with(&error.file);
        let is_completed = || missing.iter().any(is_inside);
        !(error.code == code::NO_TEST_CASES && !missing.is_empty()
            || error.code == code::GROUP_EMPTY && is_completed())
    });
    PackageErrors::check(others)?;
    let cases = loaded.map(|loaded| loaded.problem.test_cases);
    Ok((cases.unwrap_or_default(), missing))
}

/// Returns true for a sample or a secret test case.
pub(crate) fn is_test_case(id: &str) -> bool {
    ["sample/", "secret/"]
        .iter()
        .any(|root| id.starts_with(root))
}

/// The rules of a package; empty when it has none.
pub(crate) fn rules_of(directory: &Path) -> Result<Generators, PackageErrors> {
    let none = || Generators {
        file: directory.join(GENERATORS_FILE),
        programs: BTreeMap::new(),
        root: GeneratedDirectory::default(),
        warnings: Vec::new(),
    };
    Ok(read_generators(directory)?.unwrap_or_else(none))
}

/// Returns true when a path does not leave the directory where it begins.
fn is_below(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The message about a package without `generators.yaml`.
#[must_use]
pub fn no_generators(directory: &Path) -> String {
    const OTHER: &str = "generators/generators.yml";
    let hint = if directory.join(OTHER).is_file() {
        format!("\nhint: rename `{OTHER}` to `{GENERATORS_FILE}`")
    } else {
        String::new()
    };
    format!("`{}` has no `{GENERATORS_FILE}`{hint}", directory.display())
}
