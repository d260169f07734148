//! `problem.xml`: what a package of Polygon says of itself.
//!
//! Responsible for its elements and attributes, as real packages have them. Must not know what becomes of them.
//!
//! Source: packages of Polygon; the parsers of ejudge (`polygon_xml`) and CMS, which agree on these names.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use crate::InterchangeError;

/// Runs of a submission on each test.
const MOST_RUNS: u32 = 100;
const MOST_MILLISECONDS: f64 = 3.6e6;
/// In bytes.
const MOST_MEMORY: u64 = 1 << 40;
/// Tests of a set.
const MOST_TESTS: usize = 20_000;

/// Groups of a set of tests.
const MOST_GROUPS: usize = 1_000;

/// A description of a problem.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) short_name: String,
    pub(crate) url: String,
    /// Names by language, in words: `english`.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) statements: Vec<StatementFile>,
    pub(crate) input_file: String,
    pub(crate) output_file: String,
    /// The number of runs of a submission on each test.
    pub(crate) run_count: u32,
    pub(crate) points_as_percent: bool,
    pub(crate) testsets: Vec<Testset>,
    /// Files that programs and statements may need.
    pub(crate) resources: Vec<Resource>,
    pub(crate) attachments: Vec<String>,
    /// The sources of executables: generators, and whatever else is compiled.
    pub(crate) executables: Vec<Source>,
    pub(crate) checker: Option<Checker>,
    pub(crate) interactor: Option<Source>,
    pub(crate) validators: Vec<Source>,
    pub(crate) validator_tests: Option<Trial>,
    pub(crate) has_scorer: bool,
    pub(crate) solutions: Vec<Solution>,
    pub(crate) tags: Vec<String>,
    pub(crate) stresses: usize,
}

/// A statement or tutorial as a file.
#[derive(Debug)]
pub(crate) struct StatementFile {
    pub(crate) language: String,
    pub(crate) path: String,
    /// `application/x-tex`, `text/html` or `application/pdf`.
    pub(crate) media: String,
    pub(crate) is_tutorial: bool,
}

/// A source file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    /// The compiler that Polygon uses, such as `cpp.g++17`.
    pub(crate) compiler: String,
}

/// A file that others may need.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) path: String,
    /// True when it is compiled with submissions.
    pub(crate) is_of_solutions: bool,
}

/// The checker, with the tests that it has itself.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) source: Source,
    pub(crate) tests: Option<Trial>,
}

/// Tests of a checker or a validator: verdicts, and the patterns of their files.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) answer: String,
    pub(crate) verdicts: Vec<String>,
}

/// Test cases with their limits.
#[derive(Debug)]
pub(crate) struct Testset {
    pub(crate) name: String,
    /// In milliseconds.
    pub(crate) time_limit: Option<f64>,
    /// In bytes.
    pub(crate) memory_limit: Option<u64>,
    /// Patterns such as `tests/%02d`.
    pub(crate) input: String,
    pub(crate) answer: String,
    pub(crate) tests: Vec<Test>,
    pub(crate) groups: Vec<GroupDescription>,
}

/// A test case.
#[derive(Debug, Default)]
pub(crate) struct Test {
    /// The command that makes it; empty for a manual one.
    pub(crate) command: String,
    /// The number of the file that the command writes, when it writes several.
    pub(crate) from_file: String,
    pub(crate) is_sample: bool,
    pub(crate) group: String,
    pub(crate) points: Option<f64>,
    pub(crate) description: String,
}

/// A group of test cases.
#[derive(Debug, Default)]
pub(crate) struct GroupDescription {
    pub(crate) name: String,
    pub(crate) points: Option<f64>,
    /// True when all of its tests have to pass for its points.
    pub(crate) is_complete: bool,
    /// `none`, `points`, `icpc` or `complete`.
    pub(crate) feedback: String,
    pub(crate) dependencies: Vec<String>,
}

/// A solution with what is said of it.
#[derive(Debug)]
pub(crate) struct Solution {
    pub(crate) source: Source,
    pub(crate) tag: String,
    /// Tags on groups.
    pub(crate) of_groups: Vec<(String, String)>,
    /// Tags on sets of tests, which packages do not have.
    pub(crate) of_testsets: Vec<(String, String)>,
}

impl Description {
    /// Reads a description; `file` is its name, for places in errors.
    ///
    /// # Errors
    /// When it is no XML, or no problem of Polygon.
    pub(crate) fn read(text: &str, file: &str) -> Result<Self, InterchangeError> {
        let malformed = |place: String, why: String| InterchangeError::Malformed { place, why };
        let document = Document::parse(text).map_err(|error| {
            let place = format!("{file}:{}", error.pos().row);
            malformed(place, format!("is no XML: {error}"))
        })?;
        let root = document.root_element();
        if root.tag_name().name() != "problem" {
            let found = root.tag_name().name();
            let why = format!("expected the element `problem` of a package of Polygon, found `{found}`");
            return Err(malformed(file.to_owned(), why));
        }
        let described = Self::of(root);
        described.check(root, file)?;
        Ok(described)
    }

    /// Holds numbers against what can be.
    fn check(&self, root: Node<'_, '_>, file: &str) -> Result<(), InterchangeError> {
        let malformed = |why: String| Err(InterchangeError::Malformed { place: file.to_owned(), why });
        let runs = child(root, "judging").and_then(|node| node.attribute("run-count"));
        if let Some(runs) = runs.filter(|_| !(1..=MOST_RUNS).contains(&self.run_count)) {
            return malformed(format!(
                "expected `run-count` to be a whole number from 1 to {MOST_RUNS}, found `{runs}`"
            ));
        }
        for set in below(Some(root), &["judging", "testset"]) {
            let (time, memory) = (text(set, "time-limit"), text(set, "memory-limit"));
            let is_time = |limit: &f64| (0.0..=MOST_MILLISECONDS).contains(limit);
            if !time.is_empty() && !time.parse().is_ok_and(|limit| is_time(&limit)) {
                let what = "`time-limit` to be in milliseconds, at most an hour";
                return malformed(format!("expected {what}, found `{time}`"));
            }
            if !memory.is_empty() && !memory.parse().is_ok_and(|limit: u64| limit <= MOST_MEMORY) {
                let what = "`memory-limit` to be in bytes, at most 1 TiB";
                return malformed(format!("expected {what}, found `{memory}`"));
            }
        }
        let most = self.testsets.iter().map(|set| set.tests.len()).max().unwrap_or(0);
        if most > MOST_TESTS {
            return malformed(format!("expected at most {MOST_TESTS} tests, found {most}"));
        }
        let groups = |set: &Testset| {
            let named: BTreeSet<&String> = set.tests.iter().map(|test| &test.group).collect();
            named.len().max(set.groups.len())
        };
        let most = self.testsets.iter().map(groups).max().unwrap_or(0);
        if most > MOST_GROUPS {
            return malformed(format!("expected at most {MOST_GROUPS} groups of tests, found {most}"));
        }
        Ok(())
    }

    fn of(root: Node<'_, '_>) -> Self {
        let judging = child(root, "judging");
        let files = child(root, "files");
        let assets = child(root, "assets");
        let all = |of: Option<Node<'_, '_>>, path: &[&str]| -> Vec<String> {
            below(of, path).filter_map(|node| node.attribute("path").map(str::to_owned)).collect()
        };
        let statement = |node: Node<'_, '_>, is_tutorial| StatementFile {
            language: attribute(node, "language"),
            path: attribute(node, "path"),
            media: attribute(node, "type"),
            is_tutorial,
        };
        let statements = below(Some(root), &["statements", "statement"]).map(|node| statement(node, false));
        let tutorials = below(Some(root), &["tutorials", "tutorial"]).map(|node| statement(node, true));
        Self {
            short_name: attribute(root, "short-name"),
            url: attribute(root, "url"),
            names: below(Some(root), &["names", "name"])
                .map(|node| (attribute(node, "language"), attribute(node, "value")))
                .collect(),
            statements: statements.chain(tutorials).collect(),
            input_file: judging.map(|node| attribute(node, "input-file")).unwrap_or_default(),
            output_file: judging.map(|node| attribute(node, "output-file")).unwrap_or_default(),
            run_count: judging
                .and_then(|node| node.attribute("run-count"))
                .map_or(1, |of| of.trim().parse().unwrap_or(0)),
            points_as_percent: judging
                .is_some_and(|node| attribute(node, "treat-points-from-checker-as-percent") == "true"),
            testsets: below(judging, &["testset"]).map(testset).collect(),
            resources: below(files, &["resources", "file"]).map(resource).collect(),
            attachments: all(files, &["attachments", "file"]),
            executables: below(files, &["executables", "executable"]).filter_map(source).collect(),
            checker: below(assets, &["checker"]).next().and_then(checker),
            interactor: below(assets, &["interactor"]).next().and_then(source),
            validators: below(assets, &["validators", "validator"]).filter_map(source).collect(),
            validator_tests: below(assets, &["validators", "validator", "testset"]).next().map(trial),
            has_scorer: below(assets, &["scorer"]).next().is_some(),
            solutions: below(assets, &["solutions", "solution"]).filter_map(solution).collect(),
            tags: below(Some(root), &["tags", "tag"]).map(|node| attribute(node, "value")).collect(),
            stresses: below(Some(root), &["stresses", "list", "stress"]).count(),
        }
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// The elements at a path below a node.
fn below<'a, 'i: 'a>(node: Option<Node<'a, 'i>>, path: &[&str]) -> impl Iterator<Item = Node<'a, 'i>> {
    let mut nodes: Vec<Node<'a, 'i>> = node.into_iter().collect();
    for name in path {
        nodes = nodes
            .into_iter()
            .flat_map(|node| node.children().filter(|child| child.tag_name().name() == *name).collect::<Vec<_>>())
            .collect();
    }
    nodes.into_iter()
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().to_owned()
}

fn text(node: Node<'_, '_>, name: &str) -> String {
    child(node, name).and_then(|child| child.text()).unwrap_or_default().trim().to_owned()
}

fn source(node: Node<'_, '_>) -> Option<Source> {
    let source = child(node, "source")?;
    Some(Source { path: attribute(source, "path"), compiler: attribute(source, "type") })
}

fn resource(node: Node<'_, '_>) -> Resource {
    let of = |path: &[&str], name: &str| below(Some(node), path).any(|inner| attribute(inner, "name") == name);
    let is_of_solutions = of(&["assets", "asset"], "solution") || of(&["stages", "stage"], "compile");
    Resource { path: attribute(node, "path"), is_of_solutions }
}

fn checker(node: Node<'_, '_>) -> Option<Checker> {
    Some(Checker { source: source(node)?, tests: child(node, "testset").map(trial) })
}

fn trial(node: Node<'_, '_>) -> Trial {
    Trial {
        input: text(node, "input-path-pattern"),
        output: text(node, "output-path-pattern"),
        answer: text(node, "answer-path-pattern"),
        verdicts: below(Some(node), &["tests", "test"]).map(|test| attribute(test, "verdict")).collect(),
    }
}

fn testset(node: Node<'_, '_>) -> Testset {
    Testset {
        name: attribute(node, "name"),
        time_limit: text(node, "time-limit").parse().ok(),
        memory_limit: text(node, "memory-limit").parse().ok(),
        input: text(node, "input-path-pattern"),
        answer: text(node, "answer-path-pattern"),
        tests: below(Some(node), &["tests", "test"]).map(test).collect(),
        groups: below(Some(node), &["groups", "group"]).map(group).collect(),
    }
}

fn test(node: Node<'_, '_>) -> Test {
    Test {
        command: attribute(node, "cmd"),
        from_file: attribute(node, "from-file"),
        is_sample: attribute(node, "sample") == "true",
        group: attribute(node, "group"),
        points: node.attribute("points").and_then(|points| points.parse().ok()),
        description: attribute(node, "description"),
    }
}

fn group(node: Node<'_, '_>) -> GroupDescription {
    GroupDescription {
        name: attribute(node, "name"),
        points: node.attribute("points").and_then(|points| points.parse().ok()),
        is_complete: attribute(node, "points-policy") != "each-test",
        feedback: attribute(node, "feedback-policy"),
        dependencies: below(Some(node), &["dependencies", "dependency"])
            .map(|dependency| attribute(dependency, "group"))
            .collect(),
    }
}

fn solution(node: Node<'_, '_>) -> Option<Solution> {
    let extra = |by: &str| -> Vec<(String, String)> {
        below(Some(node), &["extra-tags", "extra-tag"])
            .filter_map(|extra| Some((extra.attribute(by)?.to_owned(), attribute(extra, "tag"))))
            .collect()
    };
    Some(Solution {
        source: source(node)?,
        tag: attribute(node, "tag"),
        of_groups: extra("group"),
        of_testsets: extra("testset"),
    })
}

/// The file that a pattern such as `tests/%02d` names for a number; `None` for a pattern of another kind.
pub(crate) fn numbered_file(pattern: &str, number: usize) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let (width, after) = rest.split_once('d')?;
    let width: usize = if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width < 20)? };
    Some(format!("{before}{number:0width$}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_printf() {
        assert_eq!(numbered_file("tests/%02d.a", 7).as_deref(), Some("tests/07.a"));
        assert_eq!(numbered_file("tests/%02d", 123).as_deref(), Some("tests/123"));
        assert_eq!(numbered_file("%d.in", 7).as_deref(), Some("7.in"));
        assert_eq!(
            (numbered_file("tests/x", 7), numbered_file("%99d", 7), numbered_file("%xd", 7)),
            (None, None, None)
        );
    }

    #[test]
    fn what_is_no_problem_is_said_with_its_place() {
        let said = |text: &str| Description::read(text, "problem.xml").unwrap_err().to_string();
        assert!(said("<problem>\n<x></problem>").starts_with("problem.xml:2: is no XML"));
        assert!(said("<contest/>").contains("found `contest`"));
    }

    #[test]
    fn numbers_that_cannot_be_are_errors() {
        let read = |judging: &str| {
            let text = format!("<problem>{judging}</problem>");
            Description::read(&text, "problem.xml").map_err(|error| error.to_string())
        };
        let of_set =
            |name: &str, limit: &str| read(&format!("<judging><testset><{name}>{limit}</{name}></testset></judging>"));
        for runs in ["0", "4294967295", "99999999999", "-1", "two"] {
            let error = read(&format!("<judging run-count=\"{runs}\"/>")).unwrap_err();
            assert!(error.contains(&format!("from 1 to 100, found `{runs}`")), "{error}");
        }
        for limit in ["inf", "NaN", "1e300", "-1", "x"] {
            assert!(of_set("time-limit", limit).unwrap_err().contains("at most an hour, found"), "{limit}");
        }
        for limit in ["99999999999999999999", "2199023255552", "-1", "x"] {
            assert!(of_set("memory-limit", limit).unwrap_err().contains("at most 1 TiB, found"), "{limit}");
        }
        assert_eq!(read("<judging run-count=\" 2 \"/>").unwrap().run_count, 2);
        assert_eq!(read("<judging/>").unwrap().run_count, 1);
        of_set("time-limit", "2000").unwrap();
        let many = format!("<judging><testset><tests>{}</tests></testset></judging>", "<test/>".repeat(MOST_TESTS + 1));
        assert!(read(&many).unwrap_err().contains("at most 20000 tests, found 20001"));
        let groups: String = (0..=MOST_GROUPS).map(|group| format!("<test group=\"{group}\"/>")).collect();
        let many = format!("<judging><testset><tests>{groups}</tests></testset></judging>");
        assert!(read(&many).unwrap_err().contains("at most 1000 groups of tests, found 1001"));
    }
}
