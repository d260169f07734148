//! Kills at random moments: of the harness, of its zygotes, and of the inits of their runs.
//!
//! Responsible for choosing the target and the moment, and for checking what is left. A few moments
//! after each volley nothing of the killed processes is left, and a living harness continues in all
//! of its slots. No run ever ends in a way that its program did not choose: a kill is a fault of
//! the host, never an outcome.

use std::io::BufRead as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use judge_model::IsolationLevel;

use crate::bench::Bench;
use crate::traces::Traces;
use crate::victim::{Line, SLOTS};

/// The number of runs that must end right in each slot after a volley. The first of them may have
/// begun before it.
const RUNS: usize = 5;
/// The maximum time for the recovery, in which those runs end. It is not a claim about speed: the
/// host may be busy.
const RECOVERY: Duration = Duration::from_secs(60);

/// Pseudorandom numbers (SplitMix64), the same ones for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Waits for up to this long.
    fn dawdle(&mut self, max_time: Duration) {
        std::thread::sleep(Duration::from_micros(
            self.below(max_time.as_micros() as u64),
        ));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Harness,
    Zygote,
    Init,
}

/// The processes that were killed so far.
#[derive(Debug, Default)]
struct KillCounts {
    harnesses: usize,
    zygotes: usize,
    inits: usize,
    faults: usize,
}

impl KillCounts {
    fn total(&self) -> usize {
        self.harnesses + self.zygotes + self.inits
    }
}

struct Chaos<'a> {
    traces: Traces,
    random: Random,
    killed: KillCounts,
    bench: &'a Bench,
    name: String,
}

/// A harness at work.
struct Victim {
    child: Child,
    lines: Receiver<Line>,
    /// The kills of its parts, and the faults that it reported.
    hits: usize,
    faults: usize,
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Victim {
    fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    fn note(&mut self, line: Line, right: &mut [usize; SLOTS]) {
        match line {
            Line::Right(slot) => right[slot] += 1,
            Line::Fault(..) if self.faults < self.hits => self.faults += 1,
            other => panic!(
                "after {} kills and {} faults: {other:?}",
                self.hits, self.faults
            ),
        }
    }

    /// Waits until every slot has had some runs that ended as they must.
    fn recover(&mut self) {
        // Ends that were reported before do not count.
        while let Ok(line) = self.lines.try_recv() {
            self.note(line, &mut [0; SLOTS]);
        }
        let (mut right, deadline) = ([0; SLOTS], Instant::now() + RECOVERY);
        while right.iter().any(|runs| *runs < RUNS) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.note(line, &mut right),
                Err(reason) => panic!(
                    "after {} kills: {reason}; runs in the slots: {right:?}",
                    self.hits
                ),
            }
        }
    }
}

pub(crate) fn chaos(bench: &mut Bench) -> String {
    if bench.level < IsolationLevel::Namespaces {
        return format!(
            "nothing to check: at level `{}` a run has no pid namespace that is killed as a whole",
            bench.level
        );
    }
    let rounds = bench.count(50, 1000);
    // At most 15 bytes, which is all that the kernel keeps.
    let name = format!("victim-{:x}", std::process::id());
    let bin = bench.directory.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::copy("/proc/self/exe", bin.join(&name)).unwrap();
    std::fs::copy(bench.program(), bench.program().with_file_name(&name)).unwrap();
    let traces = Traces::begin(&name, &bench.directory);
    println!("chaos: seed {}", bench.seed);
    let mut chaos = Chaos {
        traces,
        random: Random(bench.seed),
        killed: KillCounts::default(),
        bench,
        name,
    };
    let mut victim = None;
    while chaos.killed.total() < rounds {
        victim = chaos.volley(victim);
    }
    if let Some(victim) = victim {
        chaos.bury(victim);
    }
    let killed = &chaos.killed;
    assert!(
        killed.harnesses > 0 && killed.zygotes > 0 && killed.inits > 0,
        "{killed:?}"
    );
    format!(
        "{} kills: {} of harnesses, {} of zygotes, {} of inits; {} runs aborted; nothing left",
        killed.total(),
        killed.harnesses,
        killed.zygotes,
        killed.inits,
        killed.faults
    )
}

impl Chaos<'_> {
    fn start(&mut self) -> Victim {
        let seed = self.random.next().to_string();
        let mut child = Command::new(self.bench.directory.join("bin").join(&self.name))
            .args(["victim", self.bench.level.name()])
            .arg(&self.bench.directory)
            .arg(seed)
            .env("TMPDIR", &self.traces.scratch)
            .current_dir(&self.traces.scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = std::io::BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // A line that the kill cut off has no meaning.
            let mut lines = output.split(b'\n').map_while(Result::ok).peekable();
            while let Some(line) = lines.next() {
                let whole = lines.peek().is_some() || line.starts_with(b"wrong");
                if !whole
                    || sender
                        .send(Line::read(&String::from_utf8_lossy(&line)))
                        .is_err()
                {
                    break;
                }
            }
        });
        Victim {
            child,
            lines,
            hits: 0,
            faults: 0,
        }
    }

    /// Kills processes up to three times and checks the consequences. Returns the victim if it
    /// still lives.
    fn volley(&mut self, victim: Option<Victim>) -> Option<Victim> {
        let mut victim = match victim {
            Some(victim) => victim,
            None => {
                let mut young = self.start();
                if self.random.below(3) == 0 {
                    // While it opens its sandbox and its slots.
                    self.random.dawdle(Duration::from_millis(200));
                    self.bury(young);
                    return None;
                }
                young.recover();
                young
            }
        };
        for _ in 0..=self.random.below(3) {
            self.random.dawdle(Duration::from_millis(25));
            match [
                Target::Harness,
                Target::Zygote,
                Target::Zygote,
                Target::Init,
                Target::Init,
            ][self.random.below(5) as usize]
            {
                Target::Harness => {
                    self.bury(victim);
                    return None;
                }
                part => self.hit(&mut victim, part),
            }
        }
        victim.recover();
        let groups = if self.bench.level == IsolationLevel::Full {
            SLOTS
        } else {
            0
        };
        let left = self.traces.left_by_living(victim.pid(), SLOTS, groups);
        assert!(
            left.is_empty(),
            "after {:?} a living harness has {left:#?}",
            self.killed
        );
        Some(victim)
    }

    /// Kills the harness and checks what is left.
    fn bury(&mut self, mut victim: Victim) {
        victim.child.kill().unwrap();
        victim.child.wait().unwrap();
        self.killed.harnesses += 1;
        self.killed.faults += victim.faults;
        let left = self.traces.left_by_dead(victim.pid());
        assert!(
            left.is_empty(),
            "after {:?} a dead harness has left {left:#?}",
            self.killed
        );
        let wrong: Vec<Line> = victim
            .lines
            .iter()
            .filter(|line| matches!(line, Line::Wrong(_)))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    /// Kills a part of the victim's sandbox.
    fn hit(&mut self, victim: &mut Victim, part: Target) {
        // Between two runs there is no init.
        for _ in 0..200 {
            let processes = self.traces.processes();
            let below = |parents: &[i32]| -> Vec<i32> {
                processes
                    .values()
                    .filter(|found| parents.contains(&found.parent))
                    .map(|found| found.pid)
                    .collect()
            };
            let outer = below(&[victim.pid()]);
            let inner = below(&outer);
            let candidates = if part == Target::Init {
                below(&inner)
            } else {
                [outer, inner].concat()
            };
            if !candidates.is_empty() {
                let chosen = candidates[self.random.below(candidates.len() as u64) as usize];
                if self.traces.kill(chosen) {
                    victim.hits += 1;
                    match part {
                        Target::Init => self.killed.inits += 1,
                        _ => self.killed.zygotes += 1,
                    }
                    return;
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
