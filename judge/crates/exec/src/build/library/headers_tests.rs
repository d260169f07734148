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
fn only_leading_includes_are_precompiled() {
    let whole =
        "// Sums.\n\n/* of\n * numbers */ # include <vector> // yes\r\n#include <bits/stdc++.h>\n";
    assert_eq!(
        leading(&format!("{whole}\nint main() {{}}\n#include <map>\n")),
        whole
    );
    assert_eq!(
        leading(&format!("{whole}// no part of it\nusing namespace std;\n")),
        whole
    );
    for before in [
        "#define _GLIBCXX_DEBUG\n",
        "#pragma GCC optimize(\"O3\")\n",
        "int a;\n",
        "#if 1\n",
        "import a;\n",
        "module;\n",
    ] {
        assert_eq!(leading(&format!("{before}{whole}")), "", "{before}");
        assert_eq!(
            leading(&format!("#include <map>\n{before}{whole}")),
            "#include <map>\n"
        );
    }
}

#[test]
fn other_includes_and_continued_lines_are_not_precompiled() {
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
fn header_commands_have_the_flags_of_programs() {
    let own = "{compiler} -O2 -std=gnu17 -o {output}/main {sources} -lm -w";
    let made = "{compiler} -O2 -std=gnu17 -o {output}/headers.h.gch -x c-header {main} -w";
    assert_eq!(command_of(&words(own), "c-header"), Some(words(made)));
    for unknown in [
        "{compiler} {sources}",
        "{compiler} -o {output}/a",
        "{compiler} -x c -o {output}/a {sources}",
        "{compiler} -ggdb -o {output}/a {sources}",
    ] {
        assert_eq!(command_of(&words(unknown), "c-header"), None, "{unknown}");
    }
}

fn toolchain(name: &str, version: &str) -> Toolchain {
    let (role, executable) = ("compiler".to_owned(), PathBuf::from("/usr/bin").join(name));
    let tool = FoundTool {
        role,
        name: name.to_owned(),
        executable,
        version: version.to_owned(),
    };
    let mut language = crate::build::program::Runnable::for_answers()
        .toolchain
        .language
        .clone();
    language.id = LanguageId("cpp".to_owned());
    language.family = Some(LanguageFamily::Cpp);
    language.compile = words("{compiler} -O2 -o {output}/main {sources}");
    Toolchain {
        language,
        tools: vec![tool],
        mounts: Vec::new(),
    }
}

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let file = |(name, text): &(&str, &str)| SourceFile {
        name: name.into(),
        bytes: (*text).into(),
        executable: false,
    };
    SourceTree {
        files: files.iter().map(file).collect(),
        ..SourceTree::default()
    }
}

#[test]
fn line_numbers_are_kept_after_precompiled_headers() {
    let source = "// é\n#include <map>\nint main() {}\n";
    let (headers, rest) = split(
        &toolchain("g++", "g++ (Debian) 12"),
        &tree(&[("a.cpp", source)]),
        1,
    )
    .unwrap();
    assert_eq!(
        headers.tree.files[0].bytes, b"#include <map>\n",
        "comments do not matter"
    );
    let text = String::from_utf8(rest.files[0].bytes.clone()).unwrap();
    assert_eq!(text, "     \n              \nint main() {}\n");
    assert_eq!(text.len(), source.len());
}

#[test]
fn other_compilers_and_programs_of_several_files_are_not_split() {
    let source = [("a.cpp", "#include <map>\nint main() {}\n")];
    let is_split = |name: &str, version: &str, files: &[(&str, &str)]| {
        split(&toolchain(name, version), &tree(files), 1).is_some()
    };
    assert!(is_split("g++", "g++ (Debian) 12", &source));
    assert!(
        !is_split("c++", "Debian clang version 14", &source)
            && !is_split("g++", "Apple clang version 14", &source)
    );
    assert!(!is_split(
        "g++",
        "g++ (Debian) 12",
        &[source[0], ("map", "")]
    ));
    assert!(!is_split(
        "g++",
        "g++ (Debian) 12",
        &[("a.cpp", "int main() {}\n")]
    ));
}

fn key(name: &str) -> Key {
    let mut key = KeyBuilder::default();
    key.part(name.as_bytes());
    key.finish()
}

#[test]
fn headers_are_precompiled_once_without_blocking_other_threads() {
    let known = PrecompiledHeaders::default();
    let files = PathBuf::from("/headers");
    let get =
        |name: &str, made: Result<MakeResult, ExecError>| known.get(&key(name), || None, || made);
    let again = |name: &str| {
        known
            .get(
                &key(name),
                || unreachable!("it is known"),
                || unreachable!("it is known"),
            )
            .unwrap()
    };
    let while_they_are_made = |name: &'static str| {
        assert_eq!(again(name), None);
        Ok(MakeResult::Ready(PathBuf::from("/headers")))
    };
    assert_eq!(
        known
            .get(&key("a"), || None, || while_they_are_made("a"))
            .unwrap(),
        Some(files.clone())
    );
    assert_eq!(again("a"), Some(files.clone()));
    assert_eq!(get("b", Ok(MakeResult::Refused)).unwrap(), None);
    assert_eq!(again("b"), None);
    assert_eq!(
        known
            .get(&key("d"), || Some(files.clone()), || unreachable!("found"))
            .unwrap(),
        Some(files.clone())
    );
    assert_eq!(again("d"), Some(files.clone()));
    assert_eq!(get("c", Ok(MakeResult::NotYet)).unwrap(), None);
    let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
    assert!(get("c", Err(ExecError::io("read", &files)(gone))).is_err());
    assert_eq!(
        get("c", Ok(MakeResult::Ready(files.clone()))).unwrap(),
        Some(files)
    );
}

#[test]
fn headers_are_precompiled_after_several_programs_across_sessions() {
    let directory = tempfile::tempdir().unwrap();
    let mut pays_off = Vec::new();
    for _ in 0..5 {
        let cache = ProgramCache::open(&directory.path().join("cache")).unwrap();
        pays_off.push(
            PrecompiledHeaders::default()
                .pays_off(&key("a"), 5, &cache)
                .unwrap(),
        );
    }
    assert_eq!(pays_off, [false, false, false, true, true]);
    let cache = ProgramCache::open(&directory.path().join("cache")).unwrap();
    assert!(
        !PrecompiledHeaders::default()
            .pays_off(&key("b"), 0, &cache)
            .unwrap()
    );
    let many = PrecompiledHeaders {
        many: true,
        ..PrecompiledHeaders::default()
    };
    assert!(many.pays_off(&key("b"), 0, &cache).unwrap());
    assert!(
        PrecompiledHeaders::default()
            .pays_off(&key("b"), 6, &cache)
            .unwrap()
    );
}

#[test]
fn planned_programs_are_counted_by_their_includes() {
    let directory = tempfile::tempdir().unwrap();
    let submission = |name: &str, language: &str, text: &str| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let below = name.split_once('/').map_or(name, |(_, below)| below);
        Submission {
            path: directory.path().join(name.split('/').next().unwrap()),
            sources: vec![below.into()],
            language: Some(LanguageId(language.to_owned())),
            ..Submission::default()
        }
    };
    let vector = "#include <vector>\n";
    let mut submissions = vec![
        submission("a.cpp", "cpp", &format!("// a\n{vector}int main() {{}}\n")),
        submission("b/main.cpp", "cpp", vector),
        submission("c.cpp", "cpp", &format!("{vector}#include <map>\n")),
        submission("d.cpp", "cpp", "int main() {}\n"),
        submission("e.cpp", "cpp17", vector),
        submission("f.cpp", "cpp", vector),
        submission("g.cpp", "cpp", vector),
    ];
    // Only programs of one file are split.
    submissions[5].sources.push("more.h".into());
    fs::remove_file(directory.path().join("g.cpp")).unwrap();
    let planned = PlannedPrograms::new(&submissions);
    let number = |language: &str, includes: &str| {
        planned.number(&LanguageId(language.to_owned()), includes.as_bytes())
    };
    assert_eq!(number("cpp", vector), 2);
    assert_eq!(number("cpp17", vector), 1);
    assert_eq!(number("cpp", "#include <map>\n"), 0);
    // Later changes do not count: the programs are read once.
    fs::write(directory.path().join("d.cpp"), vector).unwrap();
    assert_eq!(number("cpp", vector), 2);
}

/// The sources in C and C++ below a directory.
fn sources_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_symlink() || path.ends_with("target") || path.ends_with(".git") {
            continue;
        }
        let extension = path
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            sources_below(&path, found);
        } else if ["c", "cpp", "cc"].contains(&extension) {
            found.push(path);
        }
    }
}

/// Compiles `file` in `directory` with the command of its language and more arguments; `None` when
/// the compiler refuses it.
fn executable_of(
    directory: &Path,
    file: &str,
    command: &[String],
    more: &[&str],
) -> Option<Vec<u8>> {
    let output = directory.join("main");
    let words = command.iter().skip(1).map(|word| match word.as_str() {
        "{output}/main" => output.display().to_string(),
        "{sources}" => file.to_owned(),
        word => word.to_owned(),
    });
    let compiler = if file.ends_with(".c") { "gcc" } else { "g++" };
    let mut process = std::process::Command::new(compiler);
    let done = process
        .arg("-static")
        .args(words)
        .args(more)
        .current_dir(directory)
        .output()
        .unwrap();
    done.status.success().then(|| fs::read(&output).unwrap())
}

/// Every program of one file in this repository, and in the directories that `JUDGE_SOURCES` names
/// (separated by colons).
#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn executables_are_the_same_with_precompiled_headers() {
    let mut files = Vec::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    sources_below(&repository, &mut files);
    for directory in std::env::var("JUDGE_SOURCES")
        .iter()
        .flat_map(|all| all.split(':'))
    {
        sources_below(Path::new(directory), &mut files);
    }
    let table =
        fs::read(repository.join("judge/crates/package/src/programs/languages.json")).unwrap();
    let table: serde_json::Value = serde_json::from_slice(&table).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let (mut compared, mut made) = (0, BTreeMap::new());
    for path in files {
        let extension = path
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap();
        let (language, family) = if extension == "c" {
            ("c", LanguageFamily::C)
        } else {
            ("cpp", LanguageFamily::Cpp)
        };
        let command: Vec<String> = serde_json::from_value(
            table
                .as_array()
                .unwrap()
                .iter()
                .find(|row| row["id"] == language)
                .unwrap()["compile"]
                .clone(),
        )
        .unwrap();
        let mut toolchain = toolchain("g++", "g++ (Debian) 12");
        toolchain.language.family = Some(family);
        toolchain.language.compile.clone_from(&command);
        let name = format!("a.{extension}");
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let Some((headers, rest)) = split(&toolchain, &tree(&[(&name, &text)]), 1) else {
            continue;
        };
        fs::write(directory.path().join(&name), &text).unwrap();
        let Some(plain) = executable_of(directory.path(), &name, &command, &[]) else {
            continue;
        };
        let place = directory.path().join(PLACE);
        let number = made.len();
        let includes = headers.tree.files[0].bytes.clone();
        let of_headers = made.entry((language, includes.clone())).or_insert_with(|| {
            let at = directory.path().join(number.to_string());
            fs::create_dir(&at).unwrap();
            fs::write(at.join(HEADER), &includes).unwrap();
            let kind = kind_of(&headers.toolchain.language).unwrap();
            let flags = command_of(&command, kind).unwrap();
            let words = flags.iter().skip(1).map(|word| {
                word.replace("{output}", &at.display().to_string())
                    .replace("{main}", &at.join(HEADER).display().to_string())
            });
            let compiler = if language == "c" { "gcc" } else { "g++" };
            let done = std::process::Command::new(compiler)
                .arg("-static")
                .args(words)
                .output()
                .unwrap();
            assert!(done.status.success(), "{}: {done:?}", path.display());
            at
        });
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink(&*of_headers, &place).unwrap();
        fs::write(directory.path().join(&name), &rest.files[0].bytes).unwrap();
        let header = place.join(HEADER).display().to_string();
        let with_headers = executable_of(
            directory.path(),
            &name,
            &command,
            &["-include", &header, "-Winvalid-pch", "-Werror=invalid-pch"],
        );
        assert!(
            with_headers.is_some_and(|found| found == plain),
            "{} differs",
            path.display()
        );
        compared += 1;
    }
    assert!(compared > 20, "only {compared} programs were compared");
    println!(
        "{compared} executables compared, {} sets of headers, none different",
        made.len()
    );
}
