//! The search for the packages, test cases and submissions that a word names.
//!
//! Responsible for the readings of a word and their order, and for hints at what was meant. Must
//! not load packages.

use std::path::{Path, PathBuf};

use globset::GlobMatcher;

use super::select_error::{SelectError, invalid};
use crate::disk::discovery::{Reach, SearchResult, discover, is_package};
use crate::disk::names::{archive_stem, is_archive};
use crate::programs::file_name;
use crate::suggest::closest;
use crate::workspace::filter::{Part, glob};
use crate::workspace::part::{Inside, as_name, part_at, part_named, submission_part};
use crate::workspace::{Workspace, normal};

/// The packages, and their parts, that a word names, or that are selected without words.
pub(super) type Matches = Vec<(PathBuf, Part)>;

/// Selects packages as a whole.
fn whole(packages: &[PathBuf]) -> Matches {
    let whole = |package: &PathBuf| (package.clone(), Part::Everything);
    packages.iter().map(whole).collect()
}

/// The search for what words name.
pub(super) struct Search<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) cwd: &'a Path,
    /// The workspace's packages, searched when first needed.
    pub(super) discovered: Option<SearchResult>,
}

impl Search<'_> {
    fn packages(&mut self) -> Result<&[PathBuf], SelectError> {
        if self.discovered.is_none() {
            self.discovered = Some(self.workspace.discover()?);
        }
        Ok(self
            .discovered
            .as_ref()
            .map(|found| &found.packages[..])
            .unwrap_or_default())
    }

    pub(super) fn without_words(&mut self) -> Result<Matches, SelectError> {
        let cwd = self.cwd;
        let below_solutions =
            cwd.starts_with(&self.workspace.solutions) && cwd != self.workspace.solutions;
        // Without a `judge.yaml`, the current directory counts as the directory of problems by
        // default. It must not restrict the selection.
        let in_problems = self.workspace.file.is_some()
            && self
                .workspace
                .problems
                .iter()
                .any(|problems| cwd.starts_with(problems));
        if below_solutions || in_problems || cwd.ancestors().any(is_package) {
            let word = cwd.display().to_string();
            let found = self.path(&word, cwd)?;
            if !found.is_empty() {
                return Ok(found);
            }
            // A directory of solutions without its problem must not select everything.
            if below_solutions {
                return Err(self.no_match(&word));
            }
        }
        let all = whole(self.packages()?);
        if all.is_empty() {
            let clones = self
                .discovered
                .take()
                .map(|found| found.clones)
                .unwrap_or_default();
            return Err(SelectError::NoPackages {
                directory: self.workspace.root.clone(),
                clones,
            });
        }
        Ok(all)
    }

    pub(super) fn word(&mut self, word: &str) -> Result<Matches, SelectError> {
        if word.is_empty() {
            return Err(self.no_match(word));
        }
        let from =
            std::iter::once(self.cwd).chain(self.workspace.problems.iter().map(PathBuf::as_path));
        let places: Vec<PathBuf> = from
            .filter_map(|from| normal(&from.join(word)).ok())
            .collect();
        let (here, elsewhere) = places.split_at(places.len().min(1));
        // Files in the current directory come first, as in a shell.
        let found = self.first_path(word, here)?;
        if !found.is_empty() {
            return Ok(found);
        }
        // In a package, the names of its test cases and submissions come before problems elsewhere
        // in the workspace: a user in the directory of a package means its parts.
        let inside = self.readings_inside(word, &places)?;
        for (inside, text) in &inside {
            if let Some(part) = inside.existing_part(word, text).map_err(invalid(word))? {
                return Ok(vec![(inside.package.clone(), part)]);
            }
        }
        let found = self.first_path(word, elsewhere)?;
        if !found.is_empty() {
            return Ok(found);
        }
        // The word is a pattern: of names, or below the directory of problems or of solutions.
        // The shell has not expanded it, or has found no file for it.
        let mut texts = vec![word.to_owned()];
        let bases = self
            .workspace
            .problems
            .iter()
            .chain([&self.workspace.solutions]);
        for base in bases.filter(|_| inside.is_empty()) {
            let below = places
                .first()
                .and_then(|place| place.strip_prefix(base).ok());
            texts.extend(below.and_then(Path::to_str).map(str::to_owned));
        }
        for text in texts {
            let found = self.pattern(word, text.trim_matches('/'))?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        // No file or problem has this name. It may still select parts that are known only after
        // loading the package. Readings that depend only on the current directory are excluded: a
        // misspelt problem name must not be mistaken for a test case of the surrounding package.
        let is_here = |inside: &Inside| {
            [Some(&inside.package), inside.solutions.as_ref()]
                .into_iter()
                .flatten()
                .any(|directory| self.cwd.starts_with(directory))
        };
        let typed =
            |(inside, text): &&(Inside, String)| text == word.trim_matches('/') || !is_here(inside);
        for (inside, text) in inside.iter().filter(typed) {
            if let Some(part) = inside.possible_part(word, text).map_err(invalid(word))? {
                return Ok(vec![(inside.package.clone(), part)]);
            }
        }
        Err(self.no_match(word))
    }

    /// Finds the parts that the first existing one of these places names.
    fn first_path(&mut self, word: &str, places: &[PathBuf]) -> Result<Matches, SelectError> {
        for place in places.iter().filter(|place| place.exists()) {
            let found = self.path(word, place)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The packages in which a word may name a part without the name of the problem, each with the
    /// text that names the part there: those that contain one of `places`, and the one that the
    /// current directory belongs to.
    fn readings_inside(
        &mut self,
        word: &str,
        places: &[PathBuf],
    ) -> Result<Vec<(Inside, String)>, SelectError> {
        let mut inside = Vec::new();
        for place in places {
            inside.extend(
                self.package_around(place)?
                    .map(|(around, text)| (self.inside(around), text)),
            );
        }
        if let Some((around, _)) = self.package_around(self.cwd)? {
            inside.push((self.inside(around), word.trim_matches('/').to_owned()));
        }
        Ok(inside)
    }

    /// The package that contains a path, directly or in its solutions, with the rest of the path.
    fn package_around(&mut self, path: &Path) -> Result<Option<(PathBuf, String)>, SelectError> {
        let rest = |above: &Path| Some(path.strip_prefix(above).ok()?.to_str()?.to_owned());
        if let Some(package) = path.ancestors().find(|ancestor| is_package(ancestor)) {
            return Ok(rest(package).map(|rest| (package.to_owned(), rest)));
        }
        let below = path.strip_prefix(&self.workspace.solutions).ok();
        let Some(problem) = below.and_then(|below| below.components().find_map(as_name)) else {
            return Ok(None);
        };
        let rest = rest(&self.workspace.solutions.join(&problem));
        let package = self
            .packages()?
            .iter()
            .find(|package| package_name(package) == problem);
        Ok(package.cloned().zip(rest))
    }

    /// Adds a hint to the error of a word, if it names a part of a package that another word names.
    pub(super) fn hint_at_package(&mut self, error: SelectError, words: &[String]) -> SelectError {
        // `judge run fiveup greedy.rs` names a package and then one of its parts. Words are
        // independent of each other, so the second one must repeat the name of the first.
        let SelectError::NoMatch {
            what,
            expected,
            hint,
        } = error
        else {
            return error;
        };
        let mut has_part = |word: &&String| {
            let packages = self.word(word).unwrap_or_default();
            let [(package, Part::Everything)] = &packages[..] else {
                return false;
            };
            self.inside(package.clone())
                .existing_part(&what, &what)
                .is_ok_and(|part| part.is_some())
        };
        let package = words
            .iter()
            .filter(|word| **word != what)
            .find(|word| has_part(word));
        let better = package
            .map(|package| format!("did you mean `{}/{what}`?", package.trim_end_matches('/')));
        // Word processors and chats replace hyphens in copied text.
        let option = what
            .strip_prefix(['–', '—'])
            .map(|name| format!("options begin with two hyphens: `--{name}`"));
        let better = better.or(option);
        SelectError::NoMatch {
            expected,
            hint: better.or(hint),
            what,
        }
    }

    pub(super) fn inside(&self, package: PathBuf) -> Inside {
        Inside::new(self.workspace, package)
    }

    /// Finds the parts that a path that exists names.
    fn path(&mut self, word: &str, path: &Path) -> Result<Matches, SelectError> {
        if let Some(package) = path.ancestors().find(|ancestor| is_package(ancestor)) {
            let inside = path.strip_prefix(package).unwrap_or(Path::new(""));
            return Ok(vec![(
                package.to_owned(),
                part_at(word, inside, path.is_dir()),
            )]);
        }
        if is_archive(path) && path.is_file() {
            return Ok(vec![(path.to_owned(), Part::Everything)]);
        }
        if let Ok(below) = path.strip_prefix(&self.workspace.solutions) {
            let mut names = below.components().filter_map(as_name);
            // The directory of all solutions: every problem has its solutions below it.
            let Some(problem) = names.next() else {
                return Ok(whole(self.packages()?));
            };
            let part = submission_part(word, names);
            // Several packages may have the same name in different directories. The solutions
            // belong to all of them.
            let named = self
                .packages()?
                .iter()
                .filter(|package| package_name(package) == problem);
            return Ok(named
                .map(|package| (package.clone(), part.clone()))
                .collect());
        }
        if path.is_dir() {
            return Ok(whole(&discover(path, Reach::Named)?.packages));
        }
        Ok(Vec::new())
    }

    /// Finds the parts that match a name or glob, possibly followed by another glob.
    fn pattern(&mut self, word: &str, text: &str) -> Result<Matches, SelectError> {
        let invalid = invalid(word);
        let problems = self.workspace.problems.clone();
        // The globs for the first component, the first two, …, with what follows them.
        let mut heads: Vec<(GlobMatcher, &str)> = Vec::new();
        for (end, _) in text.match_indices('/').chain([(text.len(), "")]) {
            heads.push((
                glob(&text[..end]).map_err(&invalid)?,
                text[end..].trim_start_matches('/'),
            ));
        }
        let mut found = Vec::new();
        for package in self.packages()? {
            let path = problems
                .iter()
                .find_map(|problems| package.strip_prefix(problems).ok())
                .unwrap_or(package);
            let depth = path.components().count();
            let by_name = heads
                .first()
                .filter(|(head, _)| head.is_match(package_name(package)));
            // The path of an archive without its extension, because patterns and reports name
            // packages in the same way.
            let path = path.with_file_name(package_name(package));
            let by_path = depth
                .checked_sub(1)
                .and_then(|last| heads.get(last))
                .filter(|(head, _)| head.is_match(&path));
            if let Some((_, rest)) = by_name.or(by_path) {
                found.push((package.clone(), part_named(word, rest).map_err(&invalid)?));
            }
        }
        Ok(found)
    }

    /// A hint about a directory with parts of a package whose `problem.yaml` is missing.
    fn unfinished_package(&self, word: &str) -> Option<String> {
        const PARTS: [&str; 5] = [
            "data/secret",
            "data/sample",
            "submissions",
            "input_validators",
            "problem_statement",
        ];
        let directory = self.cwd.join(word);
        let parts = PARTS
            .iter()
            .filter(|part| directory.join(part).is_dir())
            .count();
        (parts >= 2).then(|| {
            format!(
                "`{word}` has the directories of a package, but no `problem.yaml`, which marks a package: create one \
                 (`judge new` creates a complete package)"
            )
        })
    }

    fn no_match(&mut self, word: &str) -> SelectError {
        let packages = self.packages();
        let has_packages = packages.as_ref().map_or(true, |found| !found.is_empty());
        let mut names: Vec<String> = packages
            .unwrap_or_default()
            .iter()
            .map(|path| package_name(path))
            .collect();
        if let Ok(Some((around, _))) = self.package_around(self.cwd) {
            names.extend(self.inside(around).names());
        }
        let (head, rest) = word
            .split_once('/')
            .map_or((word, None), |(head, rest)| (head, Some(rest)));
        let names = || names.iter().map(String::as_str);
        let meant = closest(head, names()).map(|best| match rest {
            // Only the name of the problem is mistyped. The rest of the word is kept after it.
            Some(rest) => format!("{best}/{rest}"),
            None => best.to_owned(),
        });
        let meant = meant.or_else(|| {
            let (directory, last) = word.rsplit_once('/')?;
            let place = normal(&self.cwd.join(directory)).ok()?;
            let best = closest(last, names().filter(|name| is_package(&place.join(name))))?;
            Some(format!("{directory}/{best}"))
        });
        let hint = meant.map(|meant| format!("did you mean `{meant}`?"));
        let is_file = self.cwd.join(word).is_file();
        let program = is_file.then(|| format!("`judge submit {word} -p PROBLEM` judges a program"));
        let hint = self.unfinished_package(word).or(program).or(hint);
        let hint = hint.unwrap_or_else(|| match has_packages {
            true => "`judge list` shows the problems, `judge list -v` their contents".to_owned(),
            // It looks like the name of a program.
            false if Path::new(word).extension().is_some() => format!(
                "there is no file `{word}`, and no package in {}",
                self.workspace.root.display()
            ),
            false => format!(
                "no package in {}: change to the workspace, or use -C DIR",
                self.workspace.root.display()
            ),
        });
        let expected = "problem, package, test case or submission";
        SelectError::NoMatch {
            what: word.to_owned(),
            expected,
            hint: Some(hint),
        }
    }
}

/// The name of a package: that of its directory, or of its archive without its extensions.
pub(crate) fn package_name(package: &Path) -> String {
    if is_archive(package) {
        archive_stem(package)
    } else {
        file_name(package)
    }
}
