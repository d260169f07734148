//! The content of the keys of results: programs, how they are started, and validators.

use std::sync::Arc;

use judge_model::{FormatVersion, Language, LanguageId};

use super::*;
use crate::build::command::EntryPoint;
use crate::build::toolchain::{FoundTool, Toolchain};
use crate::store::content::Content;

fn content(digest: &str) -> Option<Arc<Content>> {
    Some(Arc::new(Content::new(
        "/cache/programs/ab/abcd/files".into(),
        digest.into(),
        0,
    )))
}

fn program() -> Runnable {
    let language = Language {
        id: LanguageId("x".into()),
        name: "X".into(),
        run: vec![
            "{compiler}".into(),
            "-m{memory_mib}".into(),
            "{main}".into(),
        ],
        env: vec!["A=1".into()],
        processes: 1,
        ..Language::default()
    };
    let tool = FoundTool {
        role: "compiler".into(),
        name: "x".into(),
        executable: "/x".into(),
        version: "1".into(),
    };
    Runnable {
        files: "/cache/programs/ab/abcd/files".into(),
        content: content("1"),
        entry: EntryPoint {
            main: "a.x".into(),
            class: String::new(),
        },
        toolchain: Arc::new(Toolchain {
            language,
            tools: vec![tool],
            mounts: Vec::new(),
        }),
        needs_proc: false,
        at_hand: false,
        reports_bounds: false,
        testlib: false,
        testlib_validator: false,
        has_shim: false,
        places: Arc::default(),
    }
}

fn key_of(program: &Runnable) -> Key {
    let mut key = KeyBuilder::default();
    add_program(&mut key, program, 1 << 30).unwrap();
    key.finish()
}

fn changed(change: fn(&mut Toolchain)) -> Runnable {
    let mut program = program();
    change(Arc::get_mut(&mut program.toolchain).unwrap());
    program
}

#[test]
fn programs_are_identified_by_content_and_start() {
    let one = key_of(&program());
    let others = [
        Runnable {
            files: "/cache/programs/ab/abce/files".into(),
            ..program()
        },
        Runnable {
            entry: EntryPoint {
                main: "b.x".into(),
                class: String::new(),
            },
            ..program()
        },
        Runnable {
            content: content("2"),
            ..program()
        },
        Runnable {
            at_hand: true,
            ..program()
        },
        Runnable {
            testlib: true,
            ..program()
        },
        changed(|toolchain| toolchain.tools[0].version = "2".into()),
        changed(|toolchain| toolchain.tools[0].executable = "/y".into()),
        changed(|toolchain| toolchain.language.run.push("-O".into())),
        changed(|toolchain| toolchain.language.env = vec!["A=2".into()]),
        changed(|toolchain| toolchain.language.processes = 2),
        Runnable {
            needs_proc: true,
            ..program()
        },
    ];
    for (number, other) in others.iter().enumerate() {
        assert_ne!(key_of(other), one, "{number}");
    }
    // The cache may be moved.
    assert_eq!(
        key_of(&Runnable {
            files: "/other/programs/ab/abcd/files".into(),
            ..program()
        }),
        one
    );
}

#[test]
fn validators_are_in_the_key_of_a_problem() {
    let dir = tempfile::tempdir().unwrap();
    let cache = ProgramCache::open(dir.path()).unwrap();
    let mut surroundings = KeyBuilder::default();
    surroundings.part(b"here");
    let surroundings = surroundings.finish();
    let key = |output_check: &OutputCheck| {
        let problem = Problem::new("p", dir.path().to_owned(), FormatVersion::V2025_09);
        let (mut hashes, files) = (FileHashes::default(), TestFiles::default());
        JudgedProblem::new(
            &surroundings,
            &problem,
            output_check,
            &mut hashes,
            (&files, &cache),
        )
        .unwrap()
        .key
    };
    let custom = |programs: &[Runnable]| {
        OutputCheck::Custom(programs.iter().cloned().map(Arc::new).collect())
    };
    let other = Runnable {
        files: "/cache/programs/ab/abce/files".into(),
        ..program()
    };
    let keys = [
        key(&OutputCheck::Default(Vec::new())),
        key(&custom(&[program()])),
        key(&custom(std::slice::from_ref(&other))),
        key(&custom(&[program(), other])),
        key(&custom(&[Runnable {
            testlib: true,
            ..program()
        }])),
    ];
    for (number, one) in keys.iter().enumerate() {
        assert!(
            keys[..number].iter().all(|earlier| earlier != one),
            "{number}"
        );
    }
}
