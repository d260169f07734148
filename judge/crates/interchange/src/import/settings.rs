//! Values of the YAML, JSON and TOML files of other judges, and their XML.
//!
//! Responsible for reading numbers as strings and strings as numbers, like these judges, for the
//! position of an error, and for reporting unknown keys. Must not know any key.

use judge_event::Part;
use judge_exec::read_untrusted_xml;
use judge_package::yaml::{Document, Value};

use crate::examples::companion::parse_json;
use crate::import::draft::Draft;
use crate::import::draft::naming::{listed, plural};
use crate::import::source::Source;
use crate::{InterchangeError, Result};

/// Reads a YAML file.
pub(crate) fn read(source: &Source, file: &str) -> Result<Value> {
    let document = Document::read(&source.path(file)).map_err(|mut error| {
        // The error names the file in the source, not the temporary copy of an unpacked archive.
        error.file = source.shown(file);
        error
    })?;
    Ok(document.root().value().clone())
}

/// Reads a JSON file.
pub(crate) fn read_json(source: &Source, file: &str) -> Result<Value> {
    let value = parse_json(source.text(file)?.as_bytes())
        .map_err(|error| InterchangeError::malformed(file, format!("expected JSON: {error}")))?;
    Ok(from_json(value))
}

fn from_json(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(is) => Value::Bool(is),
        // Points and limits are mostly integers; others keep their fraction.
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer.into()),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (Value::Text(key), from_json(value)))
                .collect(),
        ),
    }
}

/// Reads a TOML file.
pub(crate) fn read_toml(source: &Source, file: &str) -> Result<Value> {
    let text = source.text(file)?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // The full text of the error would repeat a line, which may be very long.
        let before = text
            .get(..error.span().map_or(0, |span| span.start))
            .unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let why = format!("expected TOML: {}", error.message());
        InterchangeError::malformed(format!("{file}:{line}"), why)
    })?;
    Ok(from_toml(toml::Value::Table(table)))
}

fn from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::Boolean(is) => Value::Bool(is),
        toml::Value::Integer(integer) => Value::Integer(integer.into()),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::String(text) => Value::Text(text),
        toml::Value::Datetime(time) => Value::Text(time.to_string()),
        toml::Value::Array(items) => Value::List(items.into_iter().map(from_toml).collect()),
        toml::Value::Table(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (Value::Text(key), from_toml(value)))
                .collect(),
        ),
    }
}

/// The maximum number of elements and texts: 20,000 tests have about five each.
const MAX_NODES: u32 = 1 << 20;

/// Parses a text and passes the document to `read`; `file` is the name of the text in errors.
///
/// # Errors
/// If the text is invalid XML, contains declarations, or has too many nodes for the description of
/// a problem; and the errors of `read`.
pub(crate) fn read_xml<T>(
    text: &str,
    file: &str,
    read: impl FnOnce(&roxmltree::Document<'_>) -> Result<T>,
) -> Result<T> {
    read_untrusted_xml(text, MAX_NODES, read)
        .map_err(|error| InterchangeError::malformed(format!("{file}:{}", error.line), error.why))?
}

/// Reports the keys of a mapping in `file` that are not `known`, since their effect on verdicts is
/// lost. `known` contains, separated by spaces, the keys that are read, reported elsewhere, or
/// without effect. A key that ends with `*` is a prefix.
pub(crate) fn list_unknown(value: &Value, known: &str, file: &str, draft: &mut Draft) {
    let is_known = |key: &String| {
        known.split_whitespace().any(|known| {
            known
                .strip_suffix('*')
                .map_or(key == known, |prefix| key.starts_with(prefix))
        })
    };
    let unknown: Vec<String> = entries(Some(value))
        .into_iter()
        .map(|(key, _)| key)
        .filter(|key| !is_known(key))
        .collect();
    if !unknown.is_empty() {
        let noun = plural(unknown.len(), "the key", "the keys");
        let text = format!("{noun} {}: not supported", listed(&unknown));
        draft.lost_at(Part::Metadata, file, text);
    }
}

/// Returns the entries of a mapping with strings or numbers as keys.
pub(crate) fn entries(value: Option<&Value>) -> Vec<(String, &Value)> {
    let Some(Value::Map(entries)) = value else {
        return Vec::new();
    };
    entries
        .iter()
        .filter_map(|(key, value)| Some((text(Some(key))?, value)))
        .collect()
}

/// Returns the value of a key.
pub(crate) fn get<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Map(entries) = value else {
        return None;
    };
    // A key without a value counts as absent, in YAML and in JSON.
    let is_key = |found: &Value| matches!(found, Value::Text(text) if text == key);
    entries
        .iter()
        .find(|(found, _)| is_key(found))
        .map(|(_, value)| value)
        .filter(|value| **value != Value::Null)
}

/// Returns the items of a list. Any other value is treated as a list with one item.
pub(crate) fn items(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::List(items)) => items,
        Some(one) => std::slice::from_ref(one),
        None => &[],
    }
}

/// Returns a string, or a number as a string.
pub(crate) fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the strings in a list, or a single one.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    let all = items(value).iter();
    all.filter_map(|item| text(Some(item))).collect()
}

/// Returns a number, or the number in a string.
pub(crate) fn number(value: Option<&Value>) -> Option<f64> {
    text(value)?
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// Returns points as written. An invalid number becomes NaN, and [`bounded`] reports it.
///
/// [`bounded`]: crate::import::limits::bounded
pub(crate) fn points(value: Option<&Value>) -> Option<f64> {
    Some(text(value)?.trim().parse().unwrap_or(f64::NAN))
}

/// Parses a duration in seconds, such as `1s` or `500ms`. A number without unit counts `unit`
/// seconds.
pub(crate) fn seconds(text: &str, unit: f64) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let in_seconds = |number: &str, unit: f64| {
        number
            .trim()
            .parse::<f64>()
            .ok()
            .map(|number| number * unit)
    };
    let found = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => in_seconds(number, 1e-3),
        (None, Some(number)) => in_seconds(number, 1.0),
        (None, None) => in_seconds(&text, unit),
    };
    found.filter(|seconds| *seconds > 0.0 && seconds.is_finite())
}

/// Parses a size in MiB, rounded up, such as `256m`, `64MB`, `1g` or `65536k`. A number without
/// unit counts MiB.
pub(crate) fn mebibytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].chars().next() {
        None | Some('m') => 1.0,
        Some('k') => 1.0 / 1024.0,
        Some('g') => 1024.0,
        Some(_) => return None,
    };
    let size = digits.trim().parse::<f64>().ok()? * unit;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is bounded and positive"
    )]
    (size > 0.0 && size < 1e6).then_some(size.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_other_judges_are_supported() {
        assert_eq!(
            (seconds("1s", 1.0), seconds("500ms", 1.0), seconds("2", 1.0)),
            (Some(1.0), Some(0.5), Some(2.0))
        );
        assert_eq!((seconds("x", 1.0), seconds("-1s", 1.0)), (None, None));
        assert_eq!(
            (mebibytes("256m"), mebibytes("64 MB"), mebibytes("1g")),
            (Some(256), Some(64), Some(1024))
        );
        assert_eq!(
            (mebibytes("65537k"), mebibytes("12"), mebibytes("7z")),
            (Some(65), Some(12), None)
        );
    }
}
