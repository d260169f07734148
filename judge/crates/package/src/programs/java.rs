//! Java: the class with the entry point.
//!
//! Responsible for reading just enough Java to find the `main` method that a launcher starts: in
//! practice, the class is named after the file, or `Main` in a file of any name. Must not touch the
//! file system.
//!
//! Source: JLS 25, 12.1.4 ("Invoke a main Method"); DOMjudge, DetectMain.java: `public static
//! void main(String[])`; problemtools, run/source.py: the class that is named after the file,
//! `main.*` before others.

use std::path::Path;

/// The kinds of `main` methods, the likeliest first. Only recent versions of Java start the last
/// two, which are often unrelated methods of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MainMethod {
    /// `public static void main(String[] args)`; in an interface without `public`.
    Public,
    /// `static void main(String[] args)`, without `public`.
    Static,
    /// An instance method, or one without arguments.
    Instance,
}

/// A class with a `main` method that is at the top level of a file, or nested in such a class.
#[derive(Debug, PartialEq, Eq)]
struct MainClass {
    /// Its name, with its package.
    qualified: String,
    /// Its name without the package, prefixed by the enclosing classes, as in `Outer$Inner`.
    name: String,
    kind: MainMethod,
}

/// Finds the index of the source with the entry point, and its class. Of the classes with the
/// likeliest kind of method, `Main` comes first, then one that is named after its file, then the
/// first one; nested classes come last.
pub(crate) fn find_entry<'a>(
    sources: impl Iterator<Item = (&'a Path, String)>,
) -> Option<(usize, String)> {
    let mut best: Option<((MainMethod, u8), usize, String)> = None;
    for (index, (path, text)) in sources.enumerate() {
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        for entry in entries(&text) {
            let by_name = match entry.name.as_str() {
                "Main" => 0,
                name if stem.as_deref() == Some(name) => 1,
                name if !name.contains('$') => 2,
                _ => 3,
            };
            let rank = (entry.kind, by_name);
            if best
                .as_ref()
                .is_none_or(|(best_rank, ..)| rank < *best_rank)
            {
                best = Some((rank, index, entry.qualified));
            }
        }
    }
    best.map(|(_, index, class)| (index, class))
}

/// The classes with a `main` method in a file, in order, each with the likeliest of its
/// methods.
fn entries(text: &str) -> Vec<MainClass> {
    // Escapes come first: `\u007b` is a brace anywhere, and may delimit a class.
    let words = words(&without_escapes(text));
    let mut package = String::new();
    // The bodies that enclose a word: those of classes with their names, and others.
    let mut bodies: Vec<Option<Class<'_>>> = Vec::new();
    let mut header: Option<Class<'_>> = None;
    let mut found: Vec<MainClass> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = |ahead: usize| {
            words
                .get(index + ahead)
                .map(String::as_str)
                .unwrap_or_default()
        };
        match word.as_str() {
            // Every brace opens a body, but only the first one after a class header belongs to the
            // class. The bodies of methods and blocks have no name.
            "{" => bodies.push(header.take()),
            "}" => drop(bodies.pop()),
            // The launcher requires the name of the class with its package (JLS 25, 7.4).
            "package" if bodies.is_empty() => {
                let parts = words[index + 1..].iter().take_while(|part| *part != ";");
                package = parts.map(String::as_str).collect();
            }
            // Excludes `X.class` and variables named `record`.
            "class" | "interface" | "enum" | "record"
                if is_identifier(next(1))
                    && (index == 0 || words[index - 1] != ".")
                    && (word != "record" || matches!(next(2), "(" | "<")) =>
            {
                header = Some(Class {
                    name: next(1),
                    is_interface: word == "interface",
                });
            }
            "void" if next(1) == "main" && next(2) == "(" => {
                // Classes within methods do not count.
                let Some(classes) = bodies.iter().copied().collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let Some(class) = classes.last() else {
                    continue;
                };
                let kind = kind_of(&words[..index], &words[index + 3..], class.is_interface);
                // DOMjudge finds only these in nested classes.
                let is_started =
                    |kind: &MainMethod| classes.len() == 1 || *kind == MainMethod::Public;
                let Some(kind) = kind.filter(is_started) else {
                    continue;
                };
                let name = classes
                    .iter()
                    .map(|class| class.name)
                    .collect::<Vec<_>>()
                    .join("$");
                let qualified = if package.is_empty() {
                    name.clone()
                } else {
                    format!("{package}.{name}")
                };
                match found.iter_mut().find(|other| other.qualified == qualified) {
                    Some(other) => other.kind = other.kind.min(kind),
                    None => found.push(MainClass {
                        qualified,
                        name,
                        kind,
                    }),
                }
            }
            _ => {}
        }
    }
    found
}

/// The header of a class.
#[derive(Clone, Copy)]
struct Class<'w> {
    name: &'w str,
    is_interface: bool,
}

/// The kind of a method `main` from the words before `void` and those of its parameters; `None`
/// for one that no launcher starts.
fn kind_of(before: &[String], parameters: &[String], is_in_interface: bool) -> Option<MainMethod> {
    // Modifiers precede `void` in any order, after the end of the previous member.
    let modifiers: Vec<&str> = before
        .iter()
        .rev()
        .map(String::as_str)
        .take_while(|word| !matches!(*word, "{" | "}" | ";"))
        .collect();
    let has = |modifier: &str| modifiers.contains(&modifier);
    let inside: Vec<&str> = parameters
        .iter()
        .map(String::as_str)
        .take_while(|word| *word != ")")
        .collect();
    let takes_nothing = inside.is_empty();
    // `String[] args`, `String args[]`, `final String... args`, `java.lang.String[] args`; one
    // parameter, and no other type.
    let is_array = inside.contains(&"[") || inside.iter().filter(|word| **word == ".").count() >= 3;
    let takes_arguments = inside.contains(&"String") && is_array && !inside.contains(&",");
    match (has("static"), has("public") || is_in_interface) {
        _ if !takes_nothing && !takes_arguments || has("private") => None,
        // JLS 25, 12.1.4: a launcher prefers a method that takes the arguments.
        (true, true) if takes_arguments => Some(MainMethod::Public),
        (true, false) if takes_arguments => Some(MainMethod::Static),
        _ => Some(MainMethod::Instance),
    }
}

/// Returns the text with escapes replaced by their characters, which mean the same anywhere, even
/// in comments (JLS 25, 3.3).
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.trim_start_matches('u');
        let code = digits
            .get(..4)
            .filter(|_| rest.starts_with('u'))
            .and_then(|code| u32::from_str_radix(code, 16).ok());
        if let Some(character) = code.and_then(char::from_u32) {
            plain.push(character);
            rest = &digits[4..];
        } else {
            plain.push('\\');
            // An escaped backslash does not begin an escape.
            if let Some(after) = rest.strip_prefix('\\') {
                plain.push('\\');
                rest = after;
            }
        }
    }
    plain + rest
}

fn is_identifier(word: &str) -> bool {
    word.chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
}

/// The characters that end a line: files of old Macs have only the second one (JLS 25, 3.4).
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The words and single signs of a Java text, without comments, and with every literal as one
/// quote sign.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once(LINE_ENDS).map_or("", |(_, after)| after);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        // A text block (JLS 25, 3.10.6) may contain quotes and braces.
        } else if let Some(block) = rest.strip_prefix("\"\"\"") {
            rest = block.split_once("\"\"\"").map_or("", |(_, after)| after);
            words.push("\"".to_owned());
        } else if c == '"' || c == '\'' {
            rest = after_literal(&rest[1..], c);
            words.push("\"".to_owned());
        } else if c.is_alphanumeric() || c == '_' || c == '$' {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
                .unwrap_or(rest.len());
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
            _ if LINE_ENDS.contains(&c) => return &text[index..],
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
        find_entry(
            sources
                .iter()
                .map(|(path, text)| (Path::new(*path), (*text).to_owned())),
        )
    }

    #[test]
    fn entry_class_is_main_or_named_after_the_file() {
        let with_main =
            |class: &str| format!("class {class} {{ public static void main(String[] a) {{ }} }}");
        assert_eq!(
            find(&[("Guess.java", &with_main("Guess"))]),
            Some((0, "Guess".to_owned()))
        );
        assert_eq!(
            find(&[("guess-test.java", &with_main("Main"))]),
            Some((0, "Main".to_owned()))
        );
        let both = format!("{} {}", with_main("Helper"), with_main("Guess"));
        assert_eq!(
            find(&[("Guess.java", &both)]),
            Some((0, "Guess".to_owned()))
        );
        assert_eq!(
            find(&[("A.java", &with_main("A")), ("B.java", &with_main("Main"))]),
            Some((1, "Main".to_owned()))
        );
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
        assert_eq!(
            find(&[("x.java", text)]),
            Some((0, "org.example.Right".to_owned()))
        );
    }

    #[test]
    fn unrelated_methods_named_main_are_ignored() {
        let start = "public static void main(String[] a) { }";
        let find_main = |others: &str| {
            find(&[(
                "x.java",
                &format!("class Solver {{ {others} }} class Prog {{ {start} }}"),
            )])
        };
        for other in [
            "void main() { }",
            "static void main(Scanner s) { }",
            "static void main() { }",
            "public void main(String[] a) { }",
            "private static void main(String[] a) { }",
            "public static void main(int[] a) { }",
            "public static void main(String a, String[] b) { }",
            "static void main(String[] a) { }",
        ] {
            assert_eq!(find_main(other), Some((0, "Prog".to_owned())), "{other}");
        }
        for same in [
            "String... a",
            "final String a[]",
            "java.lang.String[] a",
            "@A String[] a",
        ] {
            let found = find_main(&format!("public static final void main({same}) {{ }}"));
            assert_eq!(found, Some((0, "Solver".to_owned())), "{same}");
        }
        // The launcher of recent versions starts these, if there is nothing else.
        for alone in [
            "void main() { }",
            "static void main() { }",
            "static void main(String[] a) { }",
        ] {
            assert_eq!(
                find(&[("x.java", &format!("class A {{ {alone} }}"))]),
                Some((0, "A".to_owned()))
            );
        }
        // If a class has two methods, the likelier one counts.
        assert_eq!(
            find_main(&format!("void main() {{ }} {start}")),
            Some((0, "Solver".to_owned()))
        );
        assert_eq!(
            find(&[("x.java", "class A { static void main(Scanner s) { } }")]),
            None
        );
    }

    #[test]
    fn nested_classes_and_interfaces_start_as_in_domjudge() {
        let start = "public static void main(String[] a) { }";
        for (text, expected) in [
            (format!("class A {{ static class B {{ private class C {{ }} {start} }} }}"), "A$B"),
            (format!("package p.q; interface A {{ enum B {{ X {{ }}; {start} }} }}"), "p.q.A$B"),
            (format!("class A {{ Object o = A.class; record B(int x) {{ {start} }} }}"), "A$B"),
            (format!("class A {{ class B {{ {start} }} }} class C {{ {start} }}"), "C"),
            (
                "class A { static void main(String[] a) { } } interface B { static void main(String[] a) { } }".into(),
                "B",
            ),
        ] {
            assert_eq!(find(&[("x.java", &text)]), Some((0, expected.to_owned())), "{text}");
        }
        let none = format!(
            "class A {{ class B {{ static void main(String[] a) {{ }} }} void f() {{ class C {{ {start} }} }} }}"
        );
        assert_eq!(find(&[("x.java", &none)]), None);
        let variable = format!(
            "class A {{ boolean f(Object record) {{ return record instanceof A; }} {start} }}"
        );
        assert_eq!(find(&[("x.java", &variable)]), Some((0, "A".to_owned())));
    }

    #[test]
    fn line_ends_and_escapes_follow_the_java_specification() {
        let main = "{ public static void main(String[] a) { } }";
        assert_eq!(
            find(&[("x.java", &format!("// a\rclass A {main}"))]),
            Some((0, "A".to_owned()))
        );
        assert_eq!(
            find(&[("x.java", &format!("// \\u000aclass A {main}"))]),
            Some((0, "A".to_owned()))
        );
        assert_eq!(
            find(&[("x.java", &format!("cl\\uu0061ss B {main}"))]),
            Some((0, "B".to_owned()))
        );
        assert_eq!(without_escapes("\\\\u0041 \\u00 \\"), "\\\\u0041 \\u00 \\");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(class|void|main|package|static|\\\\u00|String|[{}()\"'/*\\\\\n a.;é])*") {
            find(&[("x.java", &text)]);
        }
    }
}
