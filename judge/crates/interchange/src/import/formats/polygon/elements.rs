//! Parses `problem.xml`, the description of a problem.
//!
//! Responsible for its elements and attributes, as in real packages. Must not know bounds of values
//! or how they are converted.
//!
//! Source: packages of Polygon; the parsers of ejudge (`polygon_xml`) and CMS, which agree on these
//! names.

use roxmltree::Node;

use super::bounds::check;
use super::description::{
    Checker, Description, GroupDescription, PolygonTest, ProgramSource, Resource, Solution,
    StatementFile, Testset, Trial,
};
use super::nodes::{below, child, text};
use crate::import::settings::read_xml;
use crate::{InterchangeError, Result};

impl Description {
    /// Parses a description. `file` is its name, for positions in errors.
    ///
    /// # Errors
    /// If the text is invalid XML, not a problem of Polygon, or has numbers out of bounds.
    pub(crate) fn read(text: &str, file: &str) -> Result<Self> {
        read_xml(text, file, |document| {
            let root = document.root_element();
            let found = root.tag_name().name();
            if found != "problem" {
                let why = format!(
                    "expected the element `problem` of a package of Polygon, found `{found}`"
                );
                return Err(InterchangeError::malformed(file, why));
            }
            let described = Self::from_root(root);
            check(&described, root, file)?;
            Ok(described)
        })
    }

    fn from_root(root: Node<'_, '_>) -> Self {
        let judging = child(root, "judging");
        let files = child(root, "files");
        let assets = child(root, "assets");
        let all = |node: Option<Node<'_, '_>>, path: &[&str]| -> Vec<String> {
            below(node, path)
                .filter_map(|node| node.attribute("path").map(str::to_owned))
                .collect()
        };
        let of_judging =
            |name: &str| judging.map_or_else(String::new, |node| attribute(node, name));
        let statement = |node: Node<'_, '_>, is_tutorial| StatementFile {
            language: attribute(node, "language"),
            path: attribute(node, "path"),
            media: attribute(node, "type"),
            is_tutorial,
        };
        let statements =
            below(Some(root), &["statements", "statement"]).map(|node| statement(node, false));
        let tutorials =
            below(Some(root), &["tutorials", "tutorial"]).map(|node| statement(node, true));
        Self {
            short_name: attribute(root, "short-name"),
            url: attribute(root, "url"),
            names: below(Some(root), &["names", "name"])
                .map(|node| (attribute(node, "language"), attribute(node, "value")))
                .collect(),
            statements: statements.chain(tutorials).collect(),
            input_file: of_judging("input-file"),
            output_file: of_judging("output-file"),
            run_count: judging
                .and_then(|node| node.attribute("run-count"))
                .map_or(1, |count| count.trim().parse().unwrap_or(0)),
            points_as_percent: of_judging("treat-points-from-checker-as-percent") == "true",
            testsets: below(judging, &["testset"]).map(testset).collect(),
            resources: below(files, &["resources", "file"]).map(resource).collect(),
            attachments: all(files, &["attachments", "file"]),
            executables: below(files, &["executables", "executable"])
                .filter_map(source)
                .collect(),
            checker: below(assets, &["checker"]).next().and_then(checker),
            interactor: below(assets, &["interactor"]).next().and_then(source),
            validators: below(assets, &["validators", "validator"])
                .filter_map(source)
                .collect(),
            validator_tests: below(assets, &["validators", "validator", "testset"])
                .next()
                .map(trial),
            has_scorer: below(assets, &["scorer"]).next().is_some(),
            solutions: below(assets, &["solutions", "solution"])
                .filter_map(solution)
                .collect(),
            tags: below(Some(root), &["tags", "tag"])
                .map(|node| attribute(node, "value"))
                .collect(),
            stresses: below(Some(root), &["stresses", "list", "stress"]).count(),
        }
    }
}

fn attribute(node: Node<'_, '_>, name: &str) -> String {
    node.attribute(name).unwrap_or_default().to_owned()
}

fn points(node: Node<'_, '_>) -> Option<f64> {
    node.attribute("points")?.parse().ok()
}

fn source(node: Node<'_, '_>) -> Option<ProgramSource> {
    let source = child(node, "source")?;
    Some(ProgramSource {
        path: attribute(source, "path"),
        compiler: attribute(source, "type"),
    })
}

fn resource(node: Node<'_, '_>) -> Resource {
    let has = |path: &[&str], name: &str| {
        below(Some(node), path).any(|inner| attribute(inner, "name") == name)
    };
    let is_of_solutions =
        has(&["assets", "asset"], "solution") || has(&["stages", "stage"], "compile");
    Resource {
        path: attribute(node, "path"),
        is_of_solutions,
    }
}

fn checker(node: Node<'_, '_>) -> Option<Checker> {
    Some(Checker {
        source: source(node)?,
        tests: child(node, "testset").map(trial),
    })
}

fn trial(node: Node<'_, '_>) -> Trial {
    Trial {
        input: text(node, "input-path-pattern"),
        output: text(node, "output-path-pattern"),
        answer: text(node, "answer-path-pattern"),
        verdicts: below(Some(node), &["tests", "test"])
            .map(|test| attribute(test, "verdict"))
            .collect(),
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

fn test(node: Node<'_, '_>) -> PolygonTest {
    PolygonTest {
        command: attribute(node, "cmd"),
        from_file: attribute(node, "from-file"),
        is_sample: attribute(node, "sample") == "true",
        group: attribute(node, "group"),
        points: points(node),
        description: attribute(node, "description"),
    }
}

fn group(node: Node<'_, '_>) -> GroupDescription {
    GroupDescription {
        name: attribute(node, "name"),
        points: points(node),
        // Polygon knows `complete-group` and `each-test`.
        is_complete: attribute(node, "points-policy") != "each-test",
        feedback: attribute(node, "feedback-policy"),
        dependencies: below(Some(node), &["dependencies", "dependency"])
            .map(|dependency| attribute(dependency, "group"))
            .collect(),
    }
}

fn solution(node: Node<'_, '_>) -> Option<Solution> {
    let extra = |key: &str| -> Vec<(String, String)> {
        below(Some(node), &["extra-tags", "extra-tag"])
            .filter_map(|extra| Some((extra.attribute(key)?.to_owned(), attribute(extra, "tag"))))
            .collect()
    };
    Some(Solution {
        source: source(node)?,
        tag: attribute(node, "tag"),
        of_groups: extra("group"),
        of_testsets: extra("testset"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_descriptions_are_reported_with_the_line() {
        let error = |text: &str| {
            Description::read(text, "problem.xml")
                .unwrap_err()
                .to_string()
        };
        assert!(error("<problem>\n<x></problem>").starts_with("problem.xml:2: invalid XML"));
        assert!(error("<contest/>").contains("found `contest`"));
    }
}
