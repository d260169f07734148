//! Tests of damaged records of measured runs.

use std::fs;
use std::path::PathBuf;

use crate::inferred::one;
use crate::recording::record_files;

/// Pseudorandom numbers (xorshift), the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, max: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % max as u64).unwrap()
    }
}

#[test]
fn damaged_measurements_are_measured_again() {
    let bench = one();
    let first = bench.judge();
    let whole: Vec<(PathBuf, Vec<u8>)> = record_files(&bench.path("results"))
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert!(whole.len() >= 3, "{whole:?}");
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for round in 0..120 {
        for (path, bytes) in &whole {
            let mut bytes = bytes.clone();
            let place = chance.below(bytes.len());
            match round % 6 {
                0 => bytes[place] ^= 1 << chance.below(8),
                1 => bytes.truncate(place),
                2 => drop(bytes.remove(place)),
                3 => bytes.insert(place, b'9'),
                4 => bytes[place..].fill(0),
                _ => {
                    // The last of several lines counts.
                    let line = bytes.split(|byte| *byte == b'\n').next().unwrap();
                    bytes = [&bytes, &b"\n"[..], &with_another_time(line), b"\n"].concat();
                }
            }
            fs::write(path, bytes).unwrap();
        }
        let after = bench.judge();
        assert_eq!(after.unmarked(), first.unmarked(), "round {round}");
        assert!(after.runs <= 9);
        assert_eq!(bench.judge().runs, 0, "round {round}: it was repaired");
    }
    for (path, _) in &whole {
        fs::remove_file(path).unwrap();
    }
    assert_eq!(bench.judge().runs, 9);
    for (path, _) in &whole {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    }
    // A directory in the place of a record is damage: it is replaced when the result is stored
    // again.
    for runs in [9, 0] {
        let after = bench.judge();
        assert_eq!((after.runs, after.unmarked()), (runs, first.unmarked()));
    }
}

/// The line of a record with another time and the original checksum.
fn with_another_time(line: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(line.to_vec()).unwrap();
    let changed = text.replacen("\"cpu_time\":", "\"cpu_time\":9", 1);
    assert_ne!(changed, text);
    changed.into_bytes()
}
