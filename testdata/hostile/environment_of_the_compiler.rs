fn main() {
    println!("{:?} {:?} {:?}", option_env!("CARGO_PKG_NAME"), option_env!("CARGO_MANIFEST_DIR"), option_env!("SHELL"));
}
