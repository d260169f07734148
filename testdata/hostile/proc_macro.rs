#[cfg(stage_one)]
extern crate proc_macro;

#[cfg(stage_one)]
#[proc_macro]
pub fn attack(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let secret = std::fs::read("@SECRET@").is_ok();
    let shadow = std::fs::read("/etc/shadow").is_ok();
    let network = std::net::TcpStream::connect("1.1.1.1:80").is_ok();
    let written = std::fs::write("/usr/hostile", "x").is_ok() || std::fs::write(concat!(file!(), "hostile"), "x").is_ok();
    let environment = std::env::var_os("CARGO_MANIFEST_DIR").is_some();
    format!("[{secret}, {shadow}, {network}, {written}, {environment}]").parse().unwrap()
}

#[cfg(not(stage_one))]
fn main() {
    println!("{:?}", attack::attack!());
}
