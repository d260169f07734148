//! Isolation by the command line: a submission tries forbidden actions, and prints the answer only
//! if all of them fail.

use std::fs::File;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use judge_model::Verdict;

use crate::workspace::{Workspace, levels};

/// Arguments: the answer file, the problem's directory, the cache's directory, a port of the host.
const PROWLER: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int faults = 0;

static void forbidden(int worked, const char *what) {
  if (worked) {
    fprintf(stderr, "possible: %s\n", what);
    faults++;
  }
}

static int opens(const char *path) { return open(path, O_RDONLY) >= 0; }

static int lists(const char *path) {
  DIR *directory = opendir(path);
  int entries = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
  return entries > 0;
}

static int connects(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

/* Something left by an earlier run, or no way to leave something. */
static void leave(const char *path, int writable) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (writable ? fd < 0 : fd >= 0) {
    fprintf(stderr, "unexpected: %s\n", path);
    faults++;
  }
}

int main(int argc, char **argv) {
  int a, b, writable = argc > 5;
  if (argc < 5 || scanf("%d %d", &a, &b) != 2) return 9;
  forbidden(opens(argv[1]), "to open the answer");
  forbidden(opens("/judge/answer"), "to open what the validator sees");
  forbidden(lists(argv[2]), "to list the problem");
  forbidden(lists(argv[3]), "to list the cache");
  forbidden(lists("/home") || lists("/root"), "to list a home");
  forbidden(opens("/etc/shadow") || opens("/etc/fstab") || opens("/etc/profile"), "to read the host's files");
  forbidden(open("/program/main", O_WRONLY) >= 0, "to change the program");
  forbidden(connects(atoi(argv[4])), "to connect");
  forbidden(getppid() > 1 && kill(getppid(), 0) == 0, "to signal the parent");
  leave("left", writable);
  leave("/tmp/left", writable);
  leave("/var/tmp/other", writable);
  if (fork() == 0) {
    /* Holds standard output open, and does not end by itself for long. */
    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sleep(getenv("SHORT") ? 0 : 60);
    _exit(0);
  }
  if (!faults) printf("%d\n", a + b);
  return 0;
}
"#;

/// The problem `sum`, whose test cases pass the targets of the prowler to it as arguments.
fn workspace(writable: bool) -> Option<(Workspace, TcpListener)> {
    let workspace = Workspace::isolated()?;
    workspace.sum("sum");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let problem = workspace.path("problems/sum");
    for id in ["sample/1", "secret/01", "secret/02-large"] {
        let mut args = vec![
            problem.join(format!("data/{id}.ans")).display().to_string(),
            problem.display().to_string(),
            crate::workspace::cache_dir().display().to_string(),
            listener.local_addr().unwrap().port().to_string(),
        ];
        args.extend(writable.then(|| "writable".to_owned()));
        workspace.write(
            &format!("problems/sum/data/{id}.yaml"),
            format!("args: {args:?}\n"),
        );
    }
    if writable {
        workspace.problem(
            "sum",
            "allow_file_writing: true\nlimits: {time_limit: 4, memory: 256}\n",
        );
    }
    workspace.write("solutions/sum/accepted/prowler.c", PROWLER);
    Some((workspace, listener))
}

fn prowl(writable: bool) {
    let Some((workspace, _listener)) = workspace(writable) else {
        return;
    };
    for level in levels() {
        let started = Instant::now();
        // One job: the same slot serves every test case.
        let output = workspace.events(["run", "--jobs", "1", "--isolation", level.name()]);
        let case = output.last_case("accepted/prowler.c");
        let noise =
            String::from_utf8_lossy(&case.stderr.tail.0).into_owned() + &case.stderr.head.to_text();
        assert_eq!(
            output.verdict("accepted/prowler.c"),
            Verdict::Accepted,
            "at {level}: {case:?}\n{noise}"
        );
        assert_eq!(output.test_cases().count(), 3);
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "waited for the survivors at {level}"
        );
        output.exits(0);
    }
}

#[test]
fn forbidden_actions_fail() {
    prowl(false);
}

#[test]
fn files_are_removed_between_runs() {
    prowl(true);
}

/// The prowler must detect missing protection: outside the sandbox most of its attempts succeed.
#[test]
fn the_prowler_detects_missing_isolation() {
    let Some((workspace, listener)) = workspace(false) else {
        return;
    };
    let source = workspace.path("solutions/sum/accepted/prowler.c");
    let program = workspace.path("prowler");
    let compiler = ["gcc", "cc"].into_iter().find_map(|name| {
        Command::new(name)
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .status()
            .ok()
    });
    assert!(compiler.is_some_and(|status| status.success()));
    let problem = workspace.path("problems/sum");
    let output = Command::new(program)
        .args([
            &problem.join("data/secret/01.ans"),
            &problem,
            &workspace.root(),
        ])
        .arg(listener.local_addr().unwrap().port().to_string())
        .env("SHORT", "1")
        .stdin(File::open(problem.join("data/secret/01.in")).unwrap())
        .current_dir(workspace.path("solutions"))
        .output();
    let output = output.unwrap();
    let noticed = String::from_utf8(output.stderr).unwrap();
    for what in [
        "open the answer",
        "list the problem",
        "list the cache",
        "connect",
        "signal the parent",
    ] {
        assert!(
            noticed.contains(&format!("possible: to {what}")),
            "{what}: {noticed}"
        );
    }
    assert!(
        noticed.contains("unexpected: left") && output.stdout.is_empty(),
        "{noticed}"
    );
}

#[test]
fn memory_at_none_excludes_the_judge() {
    let workspace = Workspace::new();
    workspace.write("tiny.c", "int main(void) { return 0; }\n");
    let large = "#include <stdlib.h>\nint main(void) { volatile char *room = malloc(24 << 20);\n\
        for (int i = 0; i < 24 << 20; i += 1024) room[i] = 1; return room[1024] - 1; }\n";
    workspace.write("large.c", large);
    let mebibytes = |file| -> f64 {
        let output = workspace
            .judge(["try", file, "--isolation", "none", "--input", "tiny.c"])
            .exits(0);
        let words = output
            .stderr
            .split(" MiB of")
            .next()
            .unwrap()
            .split_whitespace();
        words.last().unwrap().parse().unwrap()
    };
    // The judge itself needs more than 12 MiB, and unoptimized more than 30 MiB.
    let (tiny, large) = (mebibytes("tiny.c"), mebibytes("large.c"));
    assert!(
        tiny < 9.0 && (24.0..34.0).contains(&large),
        "{tiny} {large}"
    );
}
