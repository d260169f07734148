//! Command templates: from a language's row and a program's files to arguments.
//!
//! Responsible for filling in templates. Pure. Must not look for tools or files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name by which a program's files are bound, while it runs, and its sources while it is
/// compiled.
pub(crate) const PROGRAM: &str = "/program";

/// The entry point of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EntryPoint {
    /// The source file, relative to the program's directory.
    pub(crate) main: PathBuf,
    /// The class in it.
    pub(crate) class: String,
}

/// Values for a template's variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    single: BTreeMap<String, OsString>,
    sources: Vec<PathBuf>,
}

impl Variables {
    /// Sets a variable.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.single.insert(name.to_owned(), value.into());
        self
    }

    /// Sets `{sources}`, which becomes an argument for each file.
    #[must_use]
    pub(crate) fn with_sources(mut self, directory: &Path, sources: &[PathBuf]) -> Self {
        self.sources = sources
            .iter()
            .map(|source| directory.join(source))
            .collect();
        self
    }

    /// Fills in a whole command.
    ///
    /// # Errors
    /// When a template names a variable without a value. The table of languages is checked when it
    /// is loaded, so this is a fault of this program.
    pub(crate) fn expand(&self, templates: &[String]) -> Result<Vec<OsString>, String> {
        let mut arguments = Vec::with_capacity(templates.len() + self.sources.len());
        for template in templates {
            // This variable becomes several arguments, so it must be a whole argument of the
            // template.
            if template == "{sources}" {
                arguments.extend(
                    self.sources
                        .iter()
                        .map(|source| source.clone().into_os_string()),
                );
            } else {
                arguments.push(self.expand_one(template)?);
            }
        }
        Ok(arguments)
    }

    /// Fills in the variables that have a value and leaves everything else unchanged.
    pub(crate) fn expand_known(&self, template: &str) -> OsString {
        let mut text = OsString::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push(before);
            // A brace that opens no known variable is copied, and the search continues directly
            // after it.
            let known = after
                .split_once('}')
                .and_then(|(name, rest_after)| Some((self.single.get(name)?, rest_after)));
            if let Some((value, rest_after)) = known {
                text.push(value);
                rest = rest_after;
            } else {
                text.push("{");
                rest = after;
            }
        }
        text.push(rest);
        text
    }

    fn expand_one(&self, template: &str) -> Result<OsString, String> {
        // The text after every brace up to the next closing one.
        let mut named = template
            .split('{')
            .skip(1)
            .filter_map(|after| Some(after.split_once('}')?.0));
        match named.find(|name| is_variable(name) && !self.single.contains_key(*name)) {
            Some(name) => {
                let known = self.single.keys().cloned().collect::<Vec<_>>().join(", ");
                Err(format!(
                    "command template `{template}` names `{{{name}}}`, which has no value here; known: {known}"
                ))
            }
            None => Ok(self.expand_known(template)),
        }
    }
}

/// Returns true for the name of a variable, as the table of languages is checked for them. Other
/// text in braces is kept literally.
fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(templates: &[&str]) -> Result<Vec<OsString>, String> {
        let templates: Vec<String> = templates.iter().map(ToString::to_string).collect();
        Variables::default()
            .with("main", "/program/a b.rs")
            .with("memory_mib", "64")
            .with_sources(Path::new("/program"), &["a b.rs".into(), "c.rs".into()])
            .expand(&templates)
    }

    #[test]
    fn variables_are_filled_in_anywhere() {
        assert_eq!(
            expand(&["-Xmx{memory_mib}m", "{main}", "x"]).unwrap(),
            ["-Xmx64m", "/program/a b.rs", "x"]
        );
        assert_eq!(
            expand(&["{sources}", "{", "}"]).unwrap(),
            ["/program/a b.rs", "/program/c.rs", "{", "}"]
        );
        assert_eq!(
            expand(&["{ {main}; }", "{x {memory_mib}}"]).unwrap(),
            ["{ /program/a b.rs; }", "{x 64}"]
        );
    }

    #[test]
    fn literal_braces_are_kept_next_to_variables() {
        let variables = Variables::default().with("tmp", "/t");
        for (template, expected) in [
            ("A={tmp}/x{tmp}", "A=/t/x/t"),
            ("A={tm}{tmp}", "A={tm}/t"),
            ("A={", "A={"),
            ("A={{tmp}}", "A={/t}"),
        ] {
            assert_eq!(variables.expand_known(template), expected);
        }
    }

    #[test]
    fn unknown_variables_are_named() {
        let error = expand(&["{maim}"]).unwrap_err();
        assert_eq!(
            error,
            "command template `{maim}` names `{maim}`, which has no value here; known: main, memory_mib"
        );
    }
}
