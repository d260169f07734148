//! Tests of the doctor's findings.

use judge_event::{IsolationAttempt, TimingWarning};
use judge_model::{Guarantee, Isolation, IsolationLevel, LanguageId};

use super::*;

fn extensions() -> Vec<LanguageExtensions> {
    let languages = [
        ("rust", &["rs"][..]),
        ("cpp", &["cc", "cpp"]),
        ("kotlin", &[]),
    ];
    let owned = |extension: &&str| (*extension).to_owned();
    languages
        .map(|(language, extensions)| LanguageExtensions {
            language: LanguageId(language.into()),
            extensions: extensions.iter().map(owned).collect(),
        })
        .to_vec()
}

fn text(diagnosis: &Diagnosis) -> String {
    DoctorReport(diagnosis).to_text(Look::default())
}

fn findings() -> Diagnosis {
    let attempt = |level, problem: Option<&str>| IsolationAttempt {
        level,
        problem: problem.map(str::to_owned),
    };
    let tool = |language: &str, tool: &str, version: &str, path: &str| DiagnosedTool {
        language: LanguageId(language.into()),
        tool: tool.into(),
        version: Some(version.into()),
        path: Some(path.into()),
        works: language != "go",
        problem: None,
    };
    Diagnosis {
        environment: "Docker container, default seccomp profile, ordinary user".into(),
        demanded: None,
        isolation: Some(Isolation {
            level: IsolationLevel::Namespaces,
            cgroup_version: None,
            gaps: vec![Guarantee::TotalMemory],
        }),
        attempts: vec![
            attempt(
                IsolationLevel::Full,
                Some(
                    "no control group may be made: `/sys/fs/cgroup` is read-only, and none was delegated",
                ),
            ),
            attempt(IsolationLevel::Namespaces, None),
            attempt(IsolationLevel::Landlock, None),
        ],
        fixes: Vec::new(),
        cores: 4,
        jobs: 2,
        toolchains: vec![
            tool(
                "rust",
                "rustc",
                "rustc 1.95.0 (f2d3ce0bd 2026-03-21)",
                "/opt/rust/bin/rustc",
            ),
            tool(
                "cpp",
                "g++",
                "g++ 15.1.0 with a very long line about itself, as some tools have",
                "/usr/bin/g++",
            ),
            DiagnosedTool {
                language: LanguageId("kotlin".into()),
                tool: "kotlinc".into(),
                version: None,
                path: None,
                works: false,
                problem: Some("not found in `PATH`".into()),
            },
        ],
        extensions: extensions(),
        timing: vec![TimingWarning {
            what: "the CPU frequency governor is `powersave`".into(),
            why: "the first milliseconds of a program run slower than the rest",
            fix: "cpupower frequency-set -g performance",
        }],
        calibration: None,
        program: ProgramFacts {
            version: "1.2.3".into(),
            processor: "x86_64".into(),
            libc: "glibc".into(),
            linked_statically: true,
        },
        cache_dir: "/home/\u{1b}me/.cache/judge".into(),
        problem: None,
        workspace: Some("/home/\u{1b}me/contest/judge.yaml".into()),
    }
}

#[test]
fn findings_are_described() {
    insta::assert_snapshot!(text(&findings()));
}

#[test]
fn a_host_that_cannot_run_programs_is_reported_at_the_end() {
    let mut found = findings();
    found.problem = Some("cannot use the cache directory `/x`\nhint: set `Y`".into());
    let expected = "\n\n✗ this host failed: cannot use the cache directory `/x`\n  hint: set `Y`\n";
    assert!(text(&found).ends_with(expected), "{}", text(&found));
}

#[test]
fn the_tools_of_a_language_share_a_row() {
    let mut found = findings();
    let mut runtime = found.toolchains[0].clone();
    (runtime.tool, runtime.version) = ("rustdoc".into(), Some("rustdoc 1.95.0".into()));
    found.toolchains.insert(1, runtime);
    let text = text(&found);
    assert_eq!(text.matches("/opt/rust/bin/rustc").count(), 1, "{text}");
    assert!(
        text.contains("rustc, rustdoc  works: rustc 1.95.0 (f2d3ce0bd 2026-03-21), rustdoc"),
        "{text}"
    );
}

#[test]
fn fixes_are_reported_if_there_are_any() {
    let mut found = findings();
    found.fixes = vec![FixHint {
        gives: IsolationLevel::Full,
        closes: vec![Guarantee::TotalMemory],
        why: "systemd gives a command a control group of its own".into(),
        commands: vec![
            "systemd-run --user --scope -p Delegate=yes judge run".into(),
            "x".repeat(200),
        ],
    }];
    let with_fixes = text(&found);
    let expected = "stronger isolation\n  for `full`: systemd gives a command a control group of its own\n    \
                    gains: memory limit over the whole process tree\n      \
                    systemd-run --user --scope -p Delegate=yes judge run\n      xxx";
    assert!(with_fixes.contains(expected), "{with_fixes}");
    assert!(
        with_fixes.contains(&"x".repeat(200)),
        "a command is never cut: {with_fixes}"
    );
    assert!(!text(&findings()).contains("stronger isolation"));
}

#[test]
fn healthy_hosts_have_no_warnings() {
    let mut healthy = findings();
    healthy.timing.clear();
    healthy.isolation = Some(Isolation {
        level: IsolationLevel::Full,
        cgroup_version: Some(2),
        gaps: Vec::new(),
    });
    let text = text(&healthy);
    assert!(!text.contains("fix: "), "{text}");
    assert!(
        text.contains("✓ nothing was found that makes timing unreliable"),
        "{text}"
    );
    assert!(!text.contains("not guaranteed"), "{text}");
}

#[test]
fn json_has_every_fact() {
    let json: serde_json::Value = serde_json::from_str(&findings().to_json()).unwrap();
    assert_eq!(json["isolation"]["gaps"][0], "total_memory");
    assert_eq!(json["attempts"][0]["level"], "full");
    assert_eq!(json["toolchains"][2]["problem"], "not found in `PATH`");
}
