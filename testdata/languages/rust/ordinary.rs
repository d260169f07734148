use std::collections::HashMap;
use std::sync::atomic::{AtomicI32, Ordering};
static COUNT: AtomicI32 = AtomicI32::new(0);
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i32 = text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| COUNT.fetch_add(1, Ordering::SeqCst))).collect();
    threads.into_iter().for_each(|thread| drop(thread.join().unwrap()));
    let mut seen: HashMap<i32, i32> = HashMap::new();
    (0..1000).for_each(|i| *seen.entry(i % 10).or_default() += 1);
    let caught = std::panic::catch_unwind(|| panic!("x")).is_err();
    assert!(seen.len() == 10 && caught && 3u128.pow(80) > 10);
    assert!(std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() > 1_000_000_000);
    let total: i32 = (0..200).map(|i| i32::from(std::hint::black_box(vec![1u8; 1 << 20])[i])).sum();
    println!("{}", sum + COUNT.load(Ordering::SeqCst) - 4 + total - 200);
}
