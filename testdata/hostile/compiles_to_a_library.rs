#![crate_type = "lib"]

pub fn nothing() {}
