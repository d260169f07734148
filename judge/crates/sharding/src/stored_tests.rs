//! Files of shards, written, cut off at every byte, and read.

use std::fs;

use judge_event::{
    End, Event, Host, ProblemStarted, RunFinished, RunStarted, SCHEMA_VERSION, ShardPart, ShardStarted,
    SubmissionSkipped, SubmissionStarted,
};
use judge_model::{Isolation, IsolationLevel, Limits};

use crate::{Shard, ShardFile, Stored, TakenOver, compose, survey, there_already};

fn header(shard: u64, shards: u64, submissions: &str) -> ShardStarted {
    let host = Host { name: "../no de".into(), system: "s".into(), processor: Some("p".into()), cores: 1 };
    ShardStarted {
        schema: SCHEMA_VERSION,
        manifest: "m".repeat(64),
        shard,
        shards,
        judge_version: "0".into(),
        host,
        affinity: "0".into(),
        isolation: IsolationLevel::Full,
        problems: 1,
        submissions: 3,
        parts: vec![ShardPart {
            problem: "p".into(),
            position: 1,
            content: "c".into(),
            submissions: submissions.into(),
            submissions_total: 3,
            sources: "s".into(),
        }],
    }
}

fn events(submissions: &[&str]) -> Vec<Event> {
    let isolation = Isolation { level: IsolationLevel::Full, cgroup_version: None, gaps: Vec::new() };
    let run = RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: "0".into(),
        command: None,
        started_at: None,
        host: None,
        isolation,
        jobs: 1,
        problems: 1,
        submissions: submissions.len() as u64,
    };
    let problem = ProblemStarted {
        problem: "p".into(),
        title: "P".into(),
        path: "p".into(),
        time_limit_us: 1,
        time_factor: None,
        time_limit_from: None,
        limits: Limits::default(),
        test_cases: Vec::new(),
        test_cases_total: 0,
        inputs: Vec::new(),
        submissions: submissions.iter().map(|&of| of.into()).collect(),
    };
    let of_submission = |&id: &&str| {
        let started = SubmissionStarted {
            problem: "p".into(),
            submission: id.into(),
            path: id.into(),
            language: None,
            expectations: Vec::new(),
            sources: Vec::new(),
        };
        let skipped = SubmissionSkipped { problem: "p".into(), submission: id.into(), reason: "r".into() };
        [Event::SubmissionStarted(started), Event::SubmissionSkipped(skipped)]
    };
    let first = [Event::RunStarted(run), Event::ProblemStarted(problem)].into_iter();
    let last = Event::RunFinished(RunFinished {
        end: End::Completed,
        wall_time_us: 1,
        results_kept: None,
        programs_remade: 0,
    });
    first.chain(submissions.iter().flat_map(of_submission)).chain([last]).collect()
}

fn write(directory: &std::path::Path, header: &ShardStarted, submissions: &[&str]) -> std::path::PathBuf {
    let mut file = ShardFile::create(directory, header).unwrap();
    events(submissions).iter().try_for_each(|event| file.event(event)).unwrap();
    file.finish().unwrap()
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_not_whole_and_holds_what_stands_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), &header(1, 1, "1-3"), &["a", "b", "c"]);
    assert!(path.ends_with(Shard::WHOLE.file_name()));
    let whole = fs::read(&path).unwrap();
    let mut counts = Vec::new();
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let Ok(stored) = Stored::read(&path) else {
            counts.push(0);
            continue;
        };
        assert_eq!(stored.whole, length == whole.len(), "{length} bytes");
        for (_, block) in stored.blocks() {
            assert_eq!(stored.events(block).unwrap().len(), 2);
        }
        counts.push(stored.blocks().count());
    }
    counts.dedup();
    assert_eq!(counts, [0, 1, 2, 3]);
}

#[test]
fn shards_become_one_run_in_the_order_of_the_plan() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &header(1, 2, "1,3"), &["a", "c"]);
    write(dir.path(), &header(2, 2, "2"), &["b"]);
    let survey = survey(&[dir.path().to_owned()]).unwrap().unwrap();
    assert!(survey.faults.is_empty() && survey.missing().is_empty(), "{survey:?}");
    let mut told = Vec::new();
    let mut tell = |event: &Event| {
        told.push(event.clone());
        Ok(())
    };
    compose(&survey.whole.values().collect::<Vec<_>>(), &mut tell).unwrap();
    let Event::ProblemStarted(problem) = &told[1] else { panic!("{told:?}") };
    assert_eq!(problem.submissions, ["a", "b", "c"]);
    let order: Vec<&str> = told
        .iter()
        .filter_map(|event| match event {
            Event::SubmissionStarted(started) => Some(started.submission.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(order, ["a", "b", "c"]);
    assert!(matches!(&told[0], Event::RunStarted(run) if (run.problems, run.submissions) == (1, 3)));
    // One shard alone is no run, whatever its header says.
    let alone: Vec<&Stored> = survey.whole.values().take(1).collect();
    let mut told = 0;
    assert!(
        compose(&alone, &mut |_| {
            told += 1;
            Ok(())
        })
        .is_err()
    );
    assert_eq!(told, 0);
}

#[test]
fn what_belongs_to_another_run_is_neither_taken_over_nor_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let mine = header(1, 1, "1-3");
    write(dir.path(), &mine, &["a", "b", "c"]);
    assert!(there_already(dir.path(), &mine).unwrap().is_some());
    let mut others = vec![mine.clone(), mine.clone(), mine.clone()];
    others[0].manifest = "n".repeat(64);
    others[1].parts[0].content = "d".into();
    others[2].parts[0].sources = "t".into();
    for other in &others {
        assert!(there_already(dir.path(), other).is_err(), "{other:?}");
    }
    assert!(there_already(dir.path(), &header(1, 2, "1-3")).unwrap().is_none(), "another name");

    // An unfinished file with a verdict in it.
    let whole = dir.path().join(Shard::WHOLE.file_name());
    let text = fs::read_to_string(&whole).unwrap();
    let finished = r#"{"event":"submission_finished","problem":"p","submission":"a","verdict":"AC","memory_bytes":0,"test_cases_run":0,"test_cases_total":0,"as_expected":true,"violations":[]}"#;
    let skipped = r#"{"event":"submission_skipped","problem":"p","submission":"a","reason":"r"}"#;
    assert!(text.contains(skipped), "{text}");
    let partial = dir.path().join(format!("{}.partial.node.1", Shard::WHOLE.file_name()));
    fs::write(&partial, text.replace(skipped, finished)).unwrap();
    fs::remove_file(&whole).unwrap();
    let taken = |header: &ShardStarted| TakenOver::find(dir.path(), header).unwrap();
    let found = taken(&mine);
    assert_eq!(found.submissions, [("p".to_owned(), "a".to_owned())].into(), "what was skipped is tried again");
    assert_eq!(found.events.len(), 3, "{:?}", found.events);
    others.push(mine.clone());
    others[3].host.processor = Some("q".into());
    others.push(mine.clone());
    others[4].isolation = IsolationLevel::Landlock;
    for other in &others {
        assert!(taken(other).submissions.is_empty(), "{other:?}");
    }
    found.remove_leftovers();
    assert!(!partial.exists());
}

#[test]
fn leftovers_of_a_process_that_lives_stay() {
    let dir = tempfile::tempdir().unwrap();
    let mine = header(1, 1, "1-3");
    let living = ShardFile::create(dir.path(), &mine).unwrap();
    let second = ShardFile::create(dir.path(), &mine).unwrap();
    assert_ne!(living.partial(), second.partial(), "the same process number twice, as in containers");
    assert!(living.partial().parent() == Some(dir.path()), "whatever the host is called");
    TakenOver::find(dir.path(), &mine).unwrap().remove_leftovers();
    assert!(living.partial().exists());
    let path = second.partial().to_owned();
    second.leave().unwrap();
    TakenOver::find(dir.path(), &mine).unwrap().remove_leftovers();
    assert!(!path.exists() && living.partial().exists());
    assert!(living.finish().is_ok());
}

#[test]
fn a_header_with_numbers_that_no_run_has_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path(), &header(1, 1, "1-3"), &["a", "b", "c"]);
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let is_refused = |change: &dyn Fn(&mut ShardStarted)| {
        let Event::ShardStarted(mut header) = judge_event::parse_line(first, 1).unwrap() else { panic!("{first}") };
        change(&mut header);
        fs::write(&path, format!("{}\n{rest}", judge_event::to_line(&Event::ShardStarted(header)))).unwrap();
        Stored::read(&path).is_err_and(|error| error.to_string().contains("its first line is invalid: expected"))
    };
    assert!(!is_refused(&|_| {}));
    assert!(is_refused(&|header| (header.shard, header.shards) = (0, 0)));
    assert!(is_refused(&|header| header.shard = 0));
    assert!(is_refused(&|header| header.shard = 2));
    assert!(is_refused(&|header| header.shards = 1 << 62));
    assert!(is_refused(&|header| header.submissions = 1 << 36));
    assert!(is_refused(&|header| header.problems = u64::MAX));
    assert!(is_refused(&|header| header.parts[0].position = 2));
    assert!(is_refused(&|header| header.parts[0].submissions_total = 4));
    assert!(is_refused(&|header| {
        header.parts[0].submissions_total = u64::MAX;
        header.parts.push(header.parts[0].clone());
    }));
}

#[test]
fn shards_that_together_have_more_submissions_than_the_run_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (header(1, 2, "1-3"), header(2, 2, "1-3"));
    [&mut one, &mut other].iter_mut().for_each(|header| header.problems = 2);
    other.parts[0].position = 2;
    write(dir.path(), &one, &["a", "b", "c"]);
    write(dir.path(), &other, &["a", "b", "c"]);
    let survey = survey(&[dir.path().to_owned()]).unwrap().unwrap();
    let error = compose(&survey.whole.values().collect::<Vec<_>>(), &mut |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("more submissions than in the run"), "{error}");
}

#[test]
fn a_pipe_a_device_or_a_line_without_an_end_in_place_of_a_shard_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(Shard::WHOLE.file_name());
    let place: [&dyn Fn(); 3] = [
        &|| rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap(),
        &|| std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
        &|| fs::File::create(&path).unwrap().set_len(20 << 30).unwrap(),
    ];
    for place in place {
        place();
        let survey = survey(&[dir.path().to_owned()]).unwrap().unwrap();
        assert!(matches!(&survey.faults[..], [crate::Fault::Damaged { .. }]), "{survey:?}");
        fs::remove_file(&path).unwrap();
    }
}
