//! The text of the library that programs of packages are written with.
//!
//! Responsible for including it in every `judge`, so that it is available offline. Must not compile
//! anything or know the library's contents.

/// A file of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, such as `reader.rs`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

// The directory `testlib` of this crate is a link to the library, so that the published crate
// contains it.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(File { name: $name, text: include_str!(concat!("../../../testlib/", $name)) }),*]
    };
}

/// The name by which programs call the library.
pub(crate) const NAME: &str = "testlib";
/// The root of the crate, to which the other files belong.
pub const ROOT: &str = "lib.rs";

/// All files, in order of their names.
pub const FILES: &[File] = files! {
    "args.rs" "bounds.rs" "chars.rs" "ending.rs" "float.rs" "graph.rs" "judge.rs" "lib.rs" "number.rs" "points.rs"
    "programs.rs" "random.rs" "reader.rs" "scanner.rs" "sequence.rs" "text.rs" "tree.rs"
};

/// The first line of [`one_file`].
const HEAD: &str = "//! testlib, printed by `judge print testlib`; do not change it: print it again with a newer `judge`.";

/// Returns the library as one file, for programs that are compiled without the judge and include it
/// with `mod testlib;`.
#[must_use]
pub fn one_file() -> String {
    let root = FILES
        .iter()
        .find(|file| file.name == ROOT)
        .map_or("", |file| file.text);
    // A program that has the library as a module uses only a part of it.
    let mut text = format!("{HEAD}\n//!\n#![allow(dead_code, unused_imports)]\n");
    for line in root.lines() {
        // Modules become blocks in the one file. Everything else in the root of the library is
        // copied.
        let name = line
            .strip_prefix("mod ")
            .and_then(|rest| rest.strip_suffix(';'));
        let module =
            name.and_then(|name| FILES.iter().find(|file| file.name == format!("{name}.rs")));
        if let (Some(name), Some(module)) = (name, module) {
            text.extend(["mod ", name, " {\n", module.text, "}\n\n"]);
        } else {
            text.extend([line, "\n"]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn all_files_are_included() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testlib");
        let there: BTreeSet<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let named: BTreeSet<String> = FILES.iter().map(|file| file.name.to_owned()).collect();
        assert_eq!(named, there);
    }

    #[test]
    fn one_file_has_all_modules() {
        let text = one_file();
        assert!(text.starts_with(HEAD));
        for file in FILES.iter().filter(|file| file.name != ROOT) {
            let name = file.name.trim_end_matches(".rs");
            assert!(text.contains(&format!("\nmod {name} {{\n")), "{name}");
            assert!(!text.contains(&format!("\nmod {name};")), "{name}");
        }
    }

    #[test]
    fn other_judges_compile_it_in_older_editions() {
        let directory = tempfile::tempdir().unwrap();
        let main = directory.path().join("main.rs");
        let program = "fn main() {\n    testlib::validate_input(|input, _args| {\n        \
                       let _: usize = input.int(\"n\", 1..=9);\n        input.newline();\n    })\n}\n";
        fs::write(
            &main,
            format!("{}\nmod testlib {{\n{}}}\n", program, one_file()),
        )
        .unwrap();
        // DOMjudge names none, which is 2015; BAPCtools names 2018, Kattis 2021. A warning may be a
        // message without its values.
        for edition in ["2015", "2018", "2021", "2024"] {
            let mut command = std::process::Command::new("rustc");
            command
                .args([
                    "--emit=metadata",
                    "-D",
                    "warnings",
                    "--edition",
                    edition,
                    "main.rs",
                ])
                .current_dir(directory.path());
            let compiled = command.output().unwrap();
            assert!(
                compiled.status.success(),
                "{edition}: {}",
                String::from_utf8_lossy(&compiled.stderr)
            );
        }
    }
}
