//! Java: which class has the entry point.
//!
//! Responsible for reading just enough Java to find `static void main(`: in the wild the class is named after the
//! file, or `Main` in a file of any name. Must not touch the file system.

use std::path::Path;

/// A class at the top level of a file that has a `main` method.
#[derive(Debug, PartialEq, Eq)]
struct MainClass {
    /// Its name, with its package.
    qualified: String,
    /// Its name alone.
    name: String,
}

/// The index of the source with the entry point, and its class. A class `Main` goes first, then one that is named
/// after its file, then the first one.
pub(crate) fn find_entry<'a>(sources: impl Iterator<Item = (&'a Path, String)>) -> Option<(usize, String)> {
    let mut best: Option<(u8, usize, String)> = None;
    for (index, (path, text)) in sources.enumerate() {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        for entry in entries(&text) {
            let rank = match entry.name.as_str() {
                "Main" => 0,
                name if stem.as_deref() == Some(name) => 1,
                _ => 2,
            };
            if best.as_ref().is_none_or(|(best_rank, ..)| rank < *best_rank) {
                best = Some((rank, index, entry.qualified));
            }
        }
    }
    best.map(|(_, index, class)| (index, class))
}

/// The classes with a `main` method at the top level of a file, in order.
fn entries(text: &str) -> Vec<MainClass> {
    let words = words(text);
    let mut package = String::new();
    let mut class: Option<String> = None;
    let mut found: Vec<MainClass> = Vec::new();
    let mut depth = 0usize;
    for (index, word) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(index + ahead).map(String::as_str).unwrap_or_default();
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "package" if depth == 0 => {
                let parts = words[index + 1..].iter().take_while(|part| *part != ";");
                package = parts.map(String::as_str).collect();
            }
            "class" | "interface" | "enum" | "record" if depth == 0 && is_identifier(next(1)) => {
                class = Some(next(1).to_owned());
            }
            "void" if depth == 1 && next(1) == "main" && next(2) == "(" => {
                let Some(name) = class.take() else { continue };
                let qualified = if package.is_empty() { name.clone() } else { format!("{package}.{name}") };
                found.push(MainClass { qualified, name });
            }
            _ => {}
        }
    }
    found
}

fn is_identifier(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
}

/// The words and single signs of a Java text, without comments, and with every literal as one quote sign.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            rest = block.split_once("\"\"\"").map_or("", |(_, after)| after);
            words.push("\"".to_owned());
        } else if c == '"' || c == '\'' {
            rest = after_literal(&rest[1..], c);
            words.push("\"".to_owned());
        } else if c.is_alphanumeric() || c == '_' || c == '$' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                words.push(c.to_string());
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    words
}

/// Returns the text after a literal; a literal that is not closed ends with its line.
fn after_literal(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            '\n' => return &text[index..],
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return &text[index + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(sources: &[(&str, &str)]) -> Option<(usize, String)> {
        find_entry(sources.iter().map(|(path, text)| (Path::new(*path), (*text).to_owned())))
    }

    #[test]
    fn the_class_is_named_after_the_file_or_main() {
        let with_main = |class: &str| format!("class {class} {{ public static void main(String[] a) {{ }} }}");
        assert_eq!(find(&[("Guess.java", &with_main("Guess"))]), Some((0, "Guess".to_owned())));
        assert_eq!(find(&[("guess-test.java", &with_main("Main"))]), Some((0, "Main".to_owned())));
        let both = format!("{} {}", with_main("Helper"), with_main("Guess"));
        assert_eq!(find(&[("Guess.java", &both)]), Some((0, "Guess".to_owned())));
        assert_eq!(find(&[("A.java", &with_main("A")), ("B.java", &with_main("Main"))]), Some((1, "Main".to_owned())));
        assert_eq!(find(&[("A.java", "class A { }")]), None);
    }

    #[test]
    fn comments_literals_and_inner_classes_do_not_count() {
        let text = r#"
            package org.example;
            // class X { static void main(String[] a) {} }
            /* class Y { void main( */
            class Store { String s = "} class Z { void main("; char c = '{'; String t = """
                { void main( """; class Inner { void main() {} } }
            final class Right { static class Inner { } public static void main(final String... a) { } }
        "#;
        assert_eq!(find(&[("x.java", text)]), Some((0, "org.example.Right".to_owned())));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(class|void|main|package|[{}()\"'/*\\\\\n a.;é])*") {
            find(&[("x.java", &text)]);
        }
    }
}
