use std::fs;

fn main() {
    let secret = std::env::args().nth(1).unwrap();
    for name in [secret.as_str(), "/etc/shadow", "/root/.ssh/id_rsa", "/proc/self/environ", "/judge/answer"] {
        let shown = if name == secret { "the judge's own file" } else { name };
        println!("{shown}: {}", fs::read(name).map_or_else(|error| error.kind().to_string(), |_| "ok".to_owned()));
    }
    println!("{:?}", fs::canonicalize("../".repeat(40)).unwrap());
}
