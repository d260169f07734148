//! GitLab's code quality report: a list of notices as JSON, which a merge request shows next to the
//! lines.
//!
//! Responsible for its form ("Code Quality", "Code Quality report format"). Must not decide which
//! notices there are.

use std::collections::BTreeMap;

use judge_event::RunState;
use serde_json::json;

use super::notice::{Level, open_notices};
use crate::settings::ReportSettings;
use crate::text::escape::{plain_json, printable};

/// Renders the report: an entry for each notice that is not silenced.
pub(crate) fn render(state: &RunState, settings: &ReportSettings) -> String {
    let mut seen: BTreeMap<u128, u32> = BTreeMap::new();
    let entries: Vec<_> = open_notices(state)
        .map(|notice| {
            // Every entry has a file; notices without one are shown on that of the workspace.
            let file = printable(notice.file.as_deref().unwrap_or("judge.yaml"));
            let path = format!("{}{file}", settings.prefix);
            let print = fingerprint(&[&notice.rule, &path, &notice.message]);
            // GitLab drops an entry with a repeated fingerprint.
            let times = seen.entry(print).or_default();
            *times += 1;
            // GitLab also has `critical` and `blocker`, which are too strong for faults of
            // packages.
            let severity = match notice.level {
                Level::Error => "major",
                Level::Warning => "minor",
                Level::Note => "info",
            };
            json!({
                "description": notice.message,
                "check_name": notice.rule,
                // Equal notices are distinguished by their number, in an order that is the
                // same in every run.
                "fingerprint": format!("{:032x}", print.wrapping_add(u128::from(*times - 1))),
                "severity": severity,
                "location": { "path": path, "lines": { "begin": notice.line.unwrap_or(1) } },
                "content": { "body": notice.details },
            })
        })
        .collect();
    plain_json(&serde_json::to_string_pretty(&entries).unwrap_or_default()).into_owned() + "\n"
}

/// Returns a number that stays the same from run to run and from version to version: FNV-1a with
/// 128 bits. It distinguishes notices; it need not be secure.
pub(crate) fn fingerprint(parts: &[&str]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    // UTF-8 has no byte 0xff, so that `ab`, `c` and `a`, `bc` differ.
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_fnv() {
        // The fingerprint of no bytes is the offset. Parts are separated.
        assert_eq!(fingerprint(&[]), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
    }
}
