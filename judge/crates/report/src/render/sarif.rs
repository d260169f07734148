//! SARIF 2.1.0: notices for code scanning.
//!
//! Responsible for its form (OASIS, "Static Analysis Results Interchange Format"). Must not decide
//! which notices there are.

use judge_event::{CheckState, End, RunState};
use serde_json::{Value, json};

use super::gitlab::fingerprint;
use super::notice::{Notice, RULES, notices};
use crate::settings::ReportSettings;
use crate::text::escape::plain_json;

/// Renders the report: a log with one run.
pub(crate) fn render(state: &RunState, settings: &ReportSettings) -> String {
    let notices = notices(state);
    let mut rules: Vec<&str> = notices.iter().map(|notice| notice.rule.as_str()).collect();
    // Results refer to rules by index, so the order must not depend on that of the notices.
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<Value> = notices
        .iter()
        .map(|notice| result(notice, &rules, settings))
        .collect();
    let check = state.check.as_ref();
    let version = state
        .started
        .as_ref()
        .map(|started| started.judge_version.as_str());
    let version = version
        .or_else(|| check.map(|check| check.started.judge_version.as_str()))
        .unwrap_or_default();
    // Code scanning closes alerts that are missing from a successful invocation. An interrupted run
    // would close those that it did not reach, so it must not count as successful.
    let checked = check.is_none_or(CheckState::is_whole);
    let ran = state.started.is_none() || state.end == Some(End::Completed);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "judge",
                "version": version,
                "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "the root of the repository" } } },
            "invocations": [{ "executionSuccessful": checked && ran && state.host_faults.is_empty() }],
            "results": results,
        }],
    });
    // Escape sequences in names and outputs would reach the terminal of a user who prints the log.
    plain_json(&serde_json::to_string_pretty(&log).unwrap_or_default()).into_owned() + "\n"
}

fn described(rule: &str) -> Value {
    match RULES.iter().find(|(name, _)| *name == rule) {
        Some((_, meaning)) => json!({ "id": rule, "shortDescription": { "text": meaning } }),
        None => {
            json!({ "id": rule, "help": { "text": format!("`judge check --explain {rule}` explains it") } })
        }
    }
}

fn result(notice: &Notice, rules: &[&str], settings: &ReportSettings) -> Value {
    let text = format!("{}\n{}", notice.message, notice.details);
    let mut result = json!({
        "ruleId": notice.rule,
        "ruleIndex": rules.iter().position(|rule| *rule == notice.rule),
        "level": notice.level.name(),
        "message": { "text": text.trim_end() },
    });
    if let Some(file) = &notice.file {
        let place = format!("{}{file}", settings.prefix);
        // Without a fingerprint here, GitHub would compute one from the source line, and the alert
        // would be new after every edit of that line.
        let print = fingerprint(&[&notice.rule, &place, &notice.message]);
        result["partialFingerprints"] = json!({ "judge/v1": format!("{print:032x}") });
        let mut artifact = json!({ "uri": uri(&place) });
        // An absolute path is outside of the repository and must have no base.
        if !place.starts_with('/') {
            artifact["uriBaseId"] = json!("SRCROOT");
        }
        // Viewers require a region, with lines from 1, even for a file as a whole.
        let region = json!({ "startLine": notice.line.unwrap_or(1).max(1) });
        result["locations"] =
            json!([{ "physicalLocation": { "artifactLocation": artifact, "region": region } }]);
    }
    if let Some(reason) = &notice.silenced {
        result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
    }
    result
}

/// Returns a path as a URI reference (RFC 3986), with special characters percent-encoded. An
/// absolute path becomes a `file` URI.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded: String = path
        .bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else {
        encoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a b/c:d\u{e9}.rs"), "a%20b/c%3Ad%C3%A9.rs");
        assert_eq!(uri("/x/y"), "file:///x/y");
    }
}
