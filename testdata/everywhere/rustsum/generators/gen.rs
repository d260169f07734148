fn main() {
    testlib::generate(|args, out| {
        let a: i32 = args.int("a", 0..=999);
        let mut random = args.random();
        out.line(&[a, random.int(0..=999)]);
    });
}
