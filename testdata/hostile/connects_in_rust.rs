use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

fn main() {
    let answer = |what: &str, failed: bool| println!("{what}: {}", if failed { "refused" } else { "SUCCEEDED" });
    answer("connect", TcpStream::connect("127.0.0.1:22").is_err());
    answer("resolve", ("example.com", 80).to_socket_addrs().is_err());
    let socket = UdpSocket::bind("0.0.0.0:0");
    answer("send", socket.is_err() || socket.unwrap().send_to(b"x", "1.1.1.1:53").is_err());
    // Listening is harmless: no other process can connect.
    drop(TcpListener::bind("0.0.0.0:8080"));
}
