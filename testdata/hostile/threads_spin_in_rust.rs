use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let end = Instant::now() + Duration::from_secs(5);
    let spin = move || while Instant::now() < end {};
    let threads: Vec<_> = (0..8).map(|_| thread::spawn(spin)).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}
