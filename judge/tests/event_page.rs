//! The page about the event stream: its tables agree with the JSON Schema of the types.
//!
//! A table below a heading in backticks is made from the schema, that is from the doc comments in
//! `judge-event`; its rows stay in the order that the page has, new ones come last, and a row of
//! several keys is written by hand. Tables below other headings are written by hand and must name
//! every key. With `UPDATE_SCHEMA=1` in the environment the page is updated.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::event_schema::{file, schema};

/// Types without a heading: the page describes them in words where they occur.
const IN_WORDS: [&str; 12] = [
    "Bytes",
    "Guarantee",
    "IsolationLevel",
    "LanguageId",
    "RequestId",
    "RequestedProblem",
    "Limit",
    "Score",
    "ScoreRange",
    "Severity",
    "TimeLimitUse",
    "Verdict",
];

/// The page with updated tables, and the parts that cannot be generated.
struct Page {
    text: String,
    faults: Vec<String>,
}

/// The type of a heading, and whether its table is generated.
fn type_of(heading: &str, schema: &Value) -> Option<(String, bool)> {
    let title = heading.trim_start_matches('#').trim();
    let name = title.trim_matches('`');
    let event = schema["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|one| one["properties"]["event"]["const"] == name);
    let type_name = event.map_or(name, |event| {
        event["$ref"]
            .as_str()
            .unwrap()
            .strip_prefix("#/$defs/")
            .unwrap()
    });
    schema["$defs"]
        .get(type_name)
        .map(|_| (type_name.to_owned(), title != name))
}

/// The schema that a value of this one refers to, alone, as an alternative to `null`, or as the
/// items of a list.
fn reference(schema: &Value) -> Option<&str> {
    let own = schema.get("$ref").or_else(|| schema["items"].get("$ref"));
    own.or_else(|| {
        schema["anyOf"]
            .as_array()?
            .iter()
            .find_map(|one| one.get("$ref"))
    })?
    .as_str()?
    .strip_prefix("#/$defs/")
}

/// A doc comment as the text of a cell: one line that begins in lower case and ends without a full
/// stop.
fn cell(description: &str) -> String {
    let text = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.strip_suffix('.').unwrap_or(&text).replace('|', "\\|");
    let mut letters = text.chars();
    let first = letters.next().unwrap_or_default();
    if letters.clone().next().is_some_and(char::is_uppercase) {
        return text;
    }
    first.to_lowercase().chain(letters).collect()
}

/// The meaning of a key: its doc comment, whether it may be absent, and where its type is
/// described.
fn meaning(defs: &Value, of_type: &Value, key: &str) -> String {
    let property = &of_type["properties"][key];
    let mut text = cell(property["description"].as_str().unwrap_or_default());
    match reference(property) {
        Some("Bytes") => text.push_str("; bytes"),
        Some(name) if !IN_WORDS.contains(&name) && defs.get(name).is_some() => {
            let link = format!(", see [{name}](#{})", name.to_lowercase());
            text.insert_str(text.find(';').unwrap_or(text.len()), &link);
        }
        _ => {}
    }
    let required = of_type["required"]
        .as_array()
        .is_some_and(|keys| keys.iter().any(|one| one == key));
    let condition =
        ["for ", "where "].iter().any(|word| text.starts_with(word)) && text.contains(": ");
    match (required, condition) {
        (true, _) => text,
        (false, true) => format!("optional, {text}"),
        (false, false) => format!("optional: {text}"),
    }
}

/// The names that a table of the type must have, each with its meaning.
fn members(defs: &Value, type_name: &str) -> Vec<(String, String)> {
    let of_type = &defs[type_name];
    if let Some(properties) = of_type["properties"].as_object() {
        return properties
            .keys()
            .map(|key| (key.clone(), meaning(defs, of_type, key)))
            .collect();
    }
    let values = of_type["oneOf"].as_array().into_iter().flatten();
    let texts =
        values.filter_map(|one| Some((one["const"].as_str()?, one["description"].as_str()?)));
    texts
        .map(|(value, description)| (value.to_owned(), cell(description)))
        .collect()
}

/// The names in backticks in the first cell of a row.
fn names(row: &str) -> Vec<&str> {
    let first = row
        .trim_start_matches('|')
        .split('|')
        .next()
        .unwrap_or_default();
    first.split('`').skip(1).step_by(2).collect()
}

fn table(rows: &[&str], members: &[(String, String)]) -> Vec<String> {
    let member = |name: &str| members.iter().find(|(known, _)| known == name);
    let row = |(name, meaning): &(String, String)| format!("| `{name}` | {meaning} |");
    let named: BTreeSet<&str> = rows.iter().flat_map(|row| names(row)).collect();
    let kept = rows.iter().filter_map(|old| match names(old).as_slice() {
        [name] => member(name).map(row),
        several => several
            .iter()
            .all(|name| member(name).is_some())
            .then(|| (*old).to_owned()),
    });
    let new = members
        .iter()
        .filter(|(name, _)| !named.contains(name.as_str()))
        .map(row);
    kept.chain(new).collect()
}

/// Updates the tables of the page.
fn updated_page(page: &str, schema: &Value) -> Page {
    let defs = &schema["$defs"];
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    let mut open: BTreeSet<&str> = defs
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut rest = page.lines().peekable();
    let mut current = None;
    while let Some(line) = rest.next() {
        lines.push(line.to_owned());
        if line.starts_with('#') {
            current = type_of(line, schema);
        }
        let Some((type_name, is_made)) = current.clone().filter(|_| line == "|---|---|") else {
            continue;
        };
        current = None;
        open.remove(type_name.as_str());
        let mut rows = Vec::new();
        while let Some(row) = rest.next_if(|line| line.starts_with('|')) {
            rows.push(row);
        }
        let members = members(defs, &type_name);
        if is_made {
            lines.extend(table(&rows, &members));
            continue;
        }
        let missing = members
            .iter()
            .filter(|(name, _)| !rows.iter().any(|row| row.contains(name)));
        faults
            .extend(missing.map(|(name, _)| {
                format!("`{name}` is missing below the heading of `{type_name}`")
            }));
        lines.extend(rows.into_iter().map(str::to_owned));
    }
    let open = open.into_iter().filter(|name| !IN_WORDS.contains(name));
    faults.extend(open.map(|name| format!("`{name}` has no heading with a table")));
    Page {
        text: lines.join("\n") + "\n",
        faults,
    }
}

#[track_caller]
fn page_is_current(name: &str, schema: &Value) {
    let file = file().with_file_name("reference").join(name);
    let page = fs::read_to_string(&file).unwrap();
    let made = updated_page(&page, schema);
    assert!(
        made.faults.is_empty(),
        "{}:\n{}",
        file.display(),
        made.faults.join("\n")
    );
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&file, &made.text).unwrap();
        return;
    }
    let difference = page
        .lines()
        .zip(made.text.lines())
        .find(|(old, new)| old != new);
    assert!(
        page == made.text,
        "{} is not current; UPDATE_SCHEMA=1 writes it: {difference:#?}",
        file.display()
    );
}

#[test]
fn tables_match_the_schema() {
    page_is_current("events.md", &schema());
}

#[test]
fn tables_of_grade_match_the_schema() {
    page_is_current("grade.md", &crate::grade::schema());
}

#[test]
fn outdated_pages_are_rewritten() {
    let schema = schema();
    let page = fs::read_to_string(file().with_file_name("reference/events.md")).unwrap();
    let drifted = page
        .replace(
            "| `name` | its name |",
            "| `name` | the name |\n| `gone` | was here once |",
        )
        .replace("| `stderr_bytes` | bytes written to standard error |\n", "");
    assert_ne!(drifted, page);
    let made_again = updated_page(&drifted, &schema);
    assert!(
        made_again
            .text
            .contains("| `name` | its name |\n| `system`"),
        "{}",
        made_again.text
    );
    assert!(
        made_again
            .text
            .contains("| `stderr_bytes` | bytes written to standard error |\n")
    );
    assert_eq!(made_again.text.lines().count(), page.lines().count());

    let incomplete = page
        .replace("### `Excerpt`", "### Excerpts")
        .replace("| `origin` | where", "| where");
    let faults = updated_page(&incomplete, &schema).faults;
    let expected = [
        "`origin` is missing below the heading of `Expectation`",
        "`Excerpt` has no heading with a table",
    ];
    assert_eq!(faults, expected);
}
