//! The part of a source that is precompiled, and the command for it. Must not run compilers.

use super::*;
use crate::build::toolchain::FoundTool;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(ToOwned::to_owned).collect()
}

fn leading(source: &str) -> &str {
    &source[..leading_includes(source.as_bytes())]
}

#[test]
fn only_what_stands_before_anything_else_is_precompiled() {
    let whole = "// Sums.\n\n/* of\n * numbers */ # include <vector> // yes\r\n#include <bits/stdc++.h>\n";
    assert_eq!(leading(&format!("{whole}\nint main() {{}}\n#include <map>\n")), whole);
    assert_eq!(leading(&format!("{whole}// no part of it\nusing namespace std;\n")), whole);
    for before in [
        "#define _GLIBCXX_DEBUG\n",
        "#pragma GCC optimize(\"O3\")\n",
        "int a;\n",
        "#if 1\n",
        "import a;\n",
        "module;\n",
    ] {
        assert_eq!(leading(&format!("{before}{whole}")), "", "{before}");
        assert_eq!(leading(&format!("#include <map>\n{before}{whole}")), "#include <map>\n");
    }
}

#[test]
fn other_includes_and_continued_lines_are_left_alone() {
    for source in [
        "#include \"own.h\"\n",
        "#include <a\n",
        "#include MACRO\n",
        "#include_next <a>\n",
        "#include <a> int b;\n",
        "#include <a> /* goes on\n */\n",
        "#include <a> \\\n\n",
        "// goes on \\\n#include <a>\n",
        "// goes on ??/\n#include <a>\n",
        "R\"(\n#include <a>\n)\"",
        "'/*'\n#include <a>\n",
        "/* never closed\n#include <a>\n",
        "#include <a>",
        "/ /\n#include <a>\n",
        "#includes <a>\n",
    ] {
        assert_eq!(leading(source), "", "{source}");
    }
}

#[test]
fn a_command_of_headers_has_the_flags_of_programs() {
    let own = "{compiler} -g -O2 -std=gnu17 -o {output}/main {sources} -lm -w";
    let made = "{compiler} -g -O2 -std=gnu17 -o {output}/headers.h.gch -x c-header {main} -lm -w";
    assert_eq!(command_of(&words(own), "c-header"), Some(words(made)));
    let assembly = "{compiler} -S -fno-ipa-icf -O2 -o {output}/assembly {sources}";
    let made = "{compiler} -O2 -o {output}/headers.h.gch -x c++-header {main}";
    assert_eq!(command_of(&words(assembly), "c++-header"), Some(words(made)));
    for unknown in ["{compiler} {sources}", "{compiler} -o {output}/a", "{compiler} -x c -o {output}/a {sources}"] {
        assert_eq!(command_of(&words(unknown), "c-header"), None, "{unknown}");
    }
}

fn toolchain(name: &str, version: &str) -> Arc<Toolchain> {
    let (role, executable) = ("compiler".to_owned(), PathBuf::from("/usr/bin").join(name));
    let tool = FoundTool { role, name: name.to_owned(), executable, version: version.to_owned() };
    let mut language = crate::build::program::Runnable::of_answers().toolchain.language.clone();
    language.id = LanguageId("cpp".to_owned());
    language.family = Some(LanguageFamily::Cpp);
    language.compile = words("{compiler} -O2 -o {output}/main {sources}");
    Arc::new(Toolchain { language, tools: vec![tool], mounts: Vec::new() })
}

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let file = |(name, text): &(&str, &str)| SourceFile { name: name.into(), bytes: (*text).into(), executable: false };
    SourceTree { files: files.iter().map(file).collect(), ..SourceTree::default() }
}

#[test]
fn the_rest_of_a_program_stays_where_it_is() {
    let source = "// é\n#include <map>\nint main() {}\n";
    let (headers, rest) = Headers::split(&toolchain("g++", "g++ (Debian) 12"), &tree(&[("a.cpp", source)]), 1).unwrap();
    assert_eq!(headers.tree.files[0].bytes, "// é\n#include <map>\n".as_bytes());
    let text = String::from_utf8(rest.files[0].bytes.clone()).unwrap();
    assert_eq!(text, "     \n              \nint main() {}\n");
    assert_eq!(text.len(), source.len());
}

#[test]
fn other_compilers_and_programs_of_several_files_are_compiled_as_they_are() {
    let source = [("a.cpp", "#include <map>\nint main() {}\n")];
    let of = |name: &str, version: &str, files: &[(&str, &str)]| {
        Headers::split(&toolchain(name, version), &tree(files), 1).is_some()
    };
    assert!(of("g++", "g++ (Debian) 12", &source));
    assert!(!of("c++", "Debian clang version 14", &source) && !of("g++", "Apple clang version 14", &source));
    assert!(!of("g++", "g++ (Debian) 12", &[source[0], ("map", "")]));
    assert!(!of("g++", "g++ (Debian) 12", &[("a.cpp", "int main() {}\n")]));
}

#[test]
fn headers_are_made_once_and_a_refusal_is_remembered() {
    let kept = PrecompiledHeaders::default();
    let directory = tempfile::tempdir().unwrap();
    let stage = || Stage { path: directory.path().join("a") };
    assert!(kept.get_or_make("a", || Ok(Some(stage()))).unwrap().is_some());
    assert!(kept.get_or_make("a", || unreachable!("it is there")).unwrap().is_some());
    assert!(kept.get_or_make("b", || Ok(None)).unwrap().is_none());
    assert!(kept.get_or_make("b", || unreachable!("it was refused")).unwrap().is_none());
}
