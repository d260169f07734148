//! `judge mutate --hunt` and `judge run --matrix --mutants` of solutions that are not in Rust.

use judge_event::{Event, Mutation};

use crate::workspace::{Workspace, has};

const CPP: &str = "#include <iostream>

int main() {
    long long a, b;
    std::cin >> a >> b;
    if (a > b) {
        std::cout << a << std::endl;
    } else {
        std::cout << b << std::endl;
    }
}
";

/// Thousands are handled separately: smaller numbers do not reach that code.
const PYTHON: &str = "a, b = map(int, input().split())
thousands = a // 1000
print(thousands * 1000 + a % 1000 if a > b else b)
";

const JAVA: &str = "import java.util.Scanner;

public class Compare {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        long a = scanner.nextLong();
        long b = scanner.nextLong();
        System.out.println(a > b ? a : b);
    }
}
";

/// A solution in a language, its comment, and a text whose mutants only large numbers kill.
struct Example {
    language: &'static str,
    file: &'static str,
    source: &'static str,
    comment: &'static str,
    was: &'static str,
}

const EXAMPLES: [Example; 3] = [
    Example {
        language: "cpp",
        file: "compare.cpp",
        source: CPP,
        comment: "//",
        was: "long long",
    },
    Example {
        language: "python3",
        file: "compare.py",
        source: PYTHON,
        comment: "#",
        was: "1000",
    },
    Example {
        language: "java",
        file: "Compare.java",
        source: JAVA,
        comment: "//",
        was: "long",
    },
];

/// Small test cases, and a generator of large ones.
fn workspace(example: &Example) -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    if !has(example.language) || !has("python3") {
        return None;
    }
    workspace.problem("larger", "limits:\n  time_limit: 10\n");
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    workspace.write(
        "problems/larger/input_validators/v.ctd",
        "INT(0,5000000000) SPACE INT(0,5000000000) NEWLINE EOF\n",
    );
    let generator = "import sys\nprint(int(sys.argv[1]) + int(sys.argv[2]) % 1000, 17)\n";
    workspace.write("problems/larger/generators/two.py", generator);
    let rules = "data:\n  secret:\n    data:\n      - large: two.py 4000000000 {seed}\n";
    workspace.write("problems/larger/generators/generators.yaml", rules);
    let text = format!(
        "{}{} {}\n",
        example.source,
        example.comment,
        workspace.path("").display()
    );
    workspace.write(&format!("solutions/larger/accepted/{}", example.file), text);
    Some(workspace)
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn survivors_in_every_language_are_hunted() {
    for example in &EXAMPLES {
        let Some(workspace) = workspace(example) else {
            continue;
        };
        let hunt = [
            "mutate",
            "larger",
            "--hunt",
            "--inputs",
            "20",
            "--seed",
            "6",
            "--report=json",
        ];
        let output = workspace.judge(hunt).exits(0);
        let mutation =
            Mutation::parse(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"));
        let hunt = mutation.hunt.as_ref().expect("a hunt");
        assert_eq!(hunt.warnings, Vec::<String>::new(), "{}", example.file);
        let killed = hunt
            .found
            .iter()
            .flat_map(|found| &found.kills)
            .map(|kill| kill.mutant.as_str());
        let killed: Vec<&str> = killed.collect();
        let is_meant = |was: &str| was == example.was;
        let meant = mutation
            .survivors()
            .find(|mutant| is_meant(&mutant.was) && killed.contains(&mutant.id.as_str()));
        assert!(
            meant.is_some(),
            "{}: {killed:?} of {:?}",
            example.file,
            mutation.mutants
        );
        assert!(
            !hunt
                .likely_equivalent
                .iter()
                .any(|id| killed.contains(&id.as_str()))
        );
        let file = hunt.found[0].file.as_ref().expect("it was saved");
        assert!(std::path::Path::new(file).is_file(), "{file}");
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn kills_agree_with_the_matrix_in_every_language() {
    for example in &EXAMPLES {
        let Some(workspace) = workspace(example) else {
            continue;
        };
        let output = workspace
            .judge(["mutate", "larger", "--full", "--report=json"])
            .exits(0);
        let mutation =
            Mutation::parse(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"));
        let matrix = workspace
            .events(["run", "--matrix", "larger", "--mutants"])
            .exits(0);
        let assessed = matrix.events.iter().find_map(|event| match event {
            Event::TestDataAssessed(assessed) => assessed.mutants.as_ref(),
            _ => None,
        });
        let assessed = assessed.unwrap_or_else(|| panic!("no mutants in {:?}", matrix.events));
        let totals = &mutation.score.totals;
        assert_eq!(
            (assessed.killed, assessed.of),
            (totals.killed, totals.of),
            "{}",
            example.file
        );
        for by in &assessed.by {
            let kills = mutation.mutants.iter().filter(|mutant| {
                mutant
                    .kills
                    .iter()
                    .any(|kill| kill.test_case == by.test_case)
            });
            assert_eq!(
                by.mutants,
                kills.count() as u64,
                "{} of {}",
                by.test_case,
                example.file
            );
        }
        assert!(
            assessed.by.iter().any(|by| by.alone > 0),
            "{}: {assessed:?}",
            example.file
        );
    }
}
