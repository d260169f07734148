fn grow<T: Clone>(level: u32, value: T) {
    if level > 0 {
        grow(level - 1, (value.clone(), value));
    }
}

fn main() {
    grow(40, 1_u8);
}
