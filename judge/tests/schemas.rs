//! `judge print schema`: the files in `judge/docs/schemas` are its output, and editors can use
//! them.
//!
//! The content of the schemas is tested in their crate, against loading. With `UPDATE_SCHEMA=1` in
//! the environment the files are updated.

use std::fs;
use std::path::{Path, PathBuf};

use judge_fixtures::schema::fault;
use judge_package::SchemaName;
use serde_json::{Value, json};

use crate::editors::{blocks, page};
use crate::workspace::Workspace;

fn file(name: SchemaName) -> PathBuf {
    let file = Path::new(name.file_name()).with_extension("json");
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/schemas")
        .join(file)
}

#[test]
fn files_match_the_printed_schemas() {
    let workspace = Workspace::new();
    // The command works in a broken workspace, in which it is needed most.
    workspace.write("judge.yaml", "nonsense: 1\n");
    for name in SchemaName::ALL {
        let printed = workspace
            .judge(["print", "schema", name.file_name()])
            .exits(0)
            .stdout;
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(file(name), &printed).unwrap();
        }
        let kept = fs::read_to_string(file(name)).unwrap_or_default();
        assert!(
            kept == printed,
            "{} is not current; UPDATE_SCHEMA=1 writes it",
            file(name).display()
        );
        let schema: Value = serde_json::from_str(&printed).unwrap();
        assert!(
            schema["$schema"]
                .as_str()
                .unwrap()
                .starts_with("http://json-schema.org/draft-07/"),
            "{name}"
        );
        assert!(fault(&schema, &json!(["a list"])).is_some(), "{name}");
    }
    assert_eq!(
        fs::read_dir(file(SchemaName::Problem).parent().unwrap())
            .unwrap()
            .count(),
        SchemaName::ALL.len()
    );
    let unknown = workspace.judge(["print", "schema", "problem.yml"]).exits(2);
    unknown.stderr_has(&["unknown schema `problem.yml`; expected one of `problem.yaml`, "]);
}

#[test]
fn the_page_lists_every_schema() {
    let page = page();
    let blocks = blocks(&page, "json");
    let settings = blocks
        .iter()
        .find(|block| block.contains("yaml.schemas"))
        .unwrap();
    let settings: Value = serde_json::from_str(settings).unwrap();
    let named = settings["yaml.schemas"].as_object().unwrap();
    assert_eq!(named.len(), SchemaName::ALL.len());
    for name in SchemaName::ALL {
        let file = file(name).file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(named[&format!(".vscode/schemas/{file}")], name.file_name());
        assert!(
            page.contains(&format!("[{file}](../schemas/{file})")),
            "{file}"
        );
    }
}
