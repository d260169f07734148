//! Problems in the JSON that Competitive Companion sends.
//!
//! Responsible for its structure (<https://github.com/jmerle/competitive-companion>). Must not know
//! how problems are used.

use judge_model::NamedFiles;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A problem: its samples and the metadata on its page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Companion {
    pub(crate) name: String,
    /// The contest or category.
    #[serde(default)]
    pub(crate) group: String,
    /// The address of the page.
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) interactive: bool,
    /// The memory limit in MiB.
    pub(crate) memory_limit: Option<f64>,
    /// The time limit in milliseconds.
    pub(crate) time_limit: Option<f64>,
    pub(crate) tests: Vec<CompanionTest>,
    #[serde(default)]
    pub(crate) input: CompanionChannel,
    #[serde(default)]
    pub(crate) output: CompanionChannel,
}

/// The channel of a program's input or output.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanionChannel {
    /// `stdin`, `stdout`, `file`, or `regex` for the newest file whose name matches `pattern`.
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    pub(crate) file_name: Option<String>,
    pub(crate) pattern: Option<String>,
}

impl CompanionChannel {
    /// Returns the name of the file, if the channel is a single file.
    pub(crate) fn file(&self) -> Option<&str> {
        self.file_name.as_deref().filter(|_| self.kind == "file")
    }

    /// Returns the pattern of file names, if the channel has one. It selects among downloaded
    /// files, so no judge can use it.
    pub(crate) fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref().filter(|_| self.kind == "regex")
    }
}

impl Companion {
    /// Reads the JSON that the browser extension sends.
    ///
    /// # Errors
    /// A message with the expected content.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, String> {
        parse_json(text)
            .map_err(|error| format!("expected a problem of Competitive Companion: {error}"))
    }

    /// Returns the files that replace standard input and output.
    pub(crate) fn named_files(&self) -> NamedFiles {
        let [input, output] =
            [&self.input, &self.output].map(|channel| channel.file().map(str::to_owned));
        NamedFiles { input, output }
    }
}

/// A sample.
#[derive(Deserialize)]
pub(crate) struct CompanionTest {
    pub(crate) input: String,
    pub(crate) output: String,
}

/// Parses JSON, ignoring the byte order mark that editors on Windows put before it.
pub(crate) fn parse_json<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))
}
