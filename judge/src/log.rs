//! `JUDGE_LOG`: the decisions of the judge while it works, line by line on standard error.
//!
//! Responsible for the topics and for the place of their lines. The lines themselves are written
//! where things are decided, by `tracing::debug!(target: "cache", …)`. A line that is not requested
//! costs reading one integer. Must not know the content of any line.

use judge_package::quoted;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::failure::Failure;

/// The variable that requests lines.
const VARIABLE: &str = "JUDGE_LOG";
/// Every topic: the targets of the macros in all crates.
const TOPICS: [&str; 5] = ["cache", "compile", "confirm", "sandbox", "schedule"];
/// The name of all of them.
const ALL: &str = "all";

/// Writes lines from now on, if the environment asks for them.
pub(crate) fn start() -> Result<(), Failure> {
    let value = std::env::var_os(VARIABLE).unwrap_or_default();
    let topics = topics(&value.to_string_lossy()).map_err(Failure::Usage)?;
    if topics.is_empty() {
        return Ok(());
    }
    let targets =
        Targets::new().with_targets(topics.into_iter().map(|topic| (topic, LevelFilter::DEBUG)));
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_level(false)
        .with_timer(fmt::time::uptime());
    tracing_subscriber::registry()
        .with(lines)
        .with(targets)
        .init();
    Ok(())
}

/// The topics that a text names, separated by commas.
fn topics(text: &str) -> Result<Vec<&'static str>, String> {
    let mut found = Vec::new();
    for name in text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        match TOPICS.iter().find(|topic| **topic == name) {
            Some(topic) => found.push(*topic),
            None if name == ALL => found.extend(TOPICS),
            None => {
                let known = quoted(TOPICS);
                return Err(format!(
                    "{VARIABLE}: unknown topic `{}`; expected `{ALL}`, or some of {known}, separated by commas",
                    name.escape_debug()
                ));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_parsed_and_unknown_ones_are_errors() {
        assert_eq!(topics(""), Ok(vec![]));
        assert_eq!(topics("schedule, cache,"), Ok(vec!["schedule", "cache"]));
        assert_eq!(topics("all"), Ok(TOPICS.to_vec()));
        let error = topics("cache,cash\u{1b}").unwrap_err();
        assert!(
            error.contains(r"unknown topic `cash\u{1b}`; expected `all`, or some of `cache`, "),
            "{error}"
        );
    }
}
