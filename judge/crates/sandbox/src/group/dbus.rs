//! One method call to a D-Bus service at the other end of a socket, and its reply.
//!
//! Responsible for the bytes (D-Bus Specification, "Message Protocol" and "Authentication
//! Protocol"). Must not know the purpose of a call. Supports only the few types that systemd's
//! methods need, and no message bus: systemd accepts connections of its own user without one.
//!
//! It is written by hand, for one call with five kinds of values, because the alternatives cost
//! more than these lines. `busctl` is not installed on every host with systemd, and it uses the
//! user's message bus, which not every user has whose services systemd manages; this socket always
//! exists. It would also be a process that the harness starts before it has a sandbox, from a
//! `PATH` that it would have to trust. Starting the harness again by `systemd-run` would change its
//! parent, and with it signals, streams and the exit code. A library for D-Bus needs an
//! asynchronous run-time and dozens of packages.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

/// The maximum size of a body, and of a header, in bytes. Replies of systemd are far smaller.
const MAX_PART_BYTES: usize = 1 << 20;
const METHOD_RETURN: u8 = 2;
const ERROR: u8 = 3;

/// A message, or a part of one, with everything aligned to the beginning of the message or its
/// body.
#[derive(Default)]
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.align(4);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A string, or the path of an object.
    pub(crate) fn string(&mut self, text: &str) -> &mut Self {
        self.u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.0.extend(text.as_bytes());
        self.0.push(0);
        self
    }

    /// The type of the value that follows: the beginning of a variant.
    pub(crate) fn signature(&mut self, text: &str) -> &mut Self {
        self.0.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
        self.0.extend(text.as_bytes());
        self.0.push(0);
        self
    }

    /// An array whose elements begin at multiples of `element` bytes. Its length does not include
    /// the padding before the first element, which is present even in an empty array.
    pub(crate) fn array(&mut self, element: usize, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.u32(0);
        let at = self.0.len() - 4;
        self.align(element);
        let begin = self.0.len();
        fill(self);
        let length = u32::try_from(self.0.len() - begin).unwrap_or(u32::MAX);
        self.0[at..at + 4].copy_from_slice(&length.to_le_bytes());
        self
    }

    /// The beginning of a structure.
    pub(crate) fn structure(&mut self) -> &mut Self {
        self.align(8);
        self
    }
}

/// The method that is called.
pub(crate) struct Method<'a> {
    pub(crate) destination: &'a str,
    pub(crate) path: &'a str,
    pub(crate) interface: &'a str,
    pub(crate) name: &'a str,
    /// The types of its arguments.
    pub(crate) signature: &'a str,
}

fn message(method: &Method<'_>, arguments: &Bytes) -> Vec<u8> {
    let mut message = Bytes::default();
    // Little endian, a method call, no flags, the first version of the protocol.
    message.0.extend([b'l', 1, 0, 1]);
    message
        .u32(u32::try_from(arguments.0.len()).unwrap_or(u32::MAX))
        .u32(1);
    message.array(8, |fields| {
        for (number, kind, text) in [
            (1, "o", method.path),
            (2, "s", method.interface),
            (3, "s", method.name),
            (6, "s", method.destination),
        ] {
            fields.structure().0.push(number);
            fields.signature(kind).string(text);
        }
        fields.structure().0.push(8);
        fields.signature("g").signature(method.signature);
    });
    message.align(8);
    message.0.extend(&arguments.0);
    message.0
}

fn odd(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the answer is not valid D-Bus: {what}"),
    )
}

/// Calls a method, and returns when the reply has arrived. The timeout of each step is that of the
/// socket.
///
/// # Errors
/// The service's refusal, or the fault of the socket.
pub(crate) fn call(socket: UnixStream, method: &Method<'_>, arguments: &Bytes) -> io::Result<()> {
    let mut socket = BufReader::new(socket);
    // The kernel authenticates this process's user. The user's number is sent in decimal, with each
    // digit's byte in hexadecimal.
    let user = rustix::process::geteuid().as_raw().to_string();
    let user: String = user.bytes().map(|digit| format!("{digit:02x}")).collect();
    socket
        .get_mut()
        .write_all(format!("\0AUTH EXTERNAL {user}\r\n").as_bytes())?;
    let mut line = String::new();
    socket.by_ref().take(1024).read_line(&mut line)?;
    if !line.starts_with("OK ") {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("answered `{}`", line.trim_end()),
        ));
    }
    socket.get_mut().write_all(b"BEGIN\r\n")?;
    socket.get_mut().write_all(&message(method, arguments))?;
    // Signals may come before the answer. No other method was called, so the first reply belongs to
    // this call.
    loop {
        let (kind, text) = read_message(&mut socket)?;
        match kind {
            METHOD_RETURN => return Ok(()),
            ERROR => return Err(io::Error::other(text)),
            _ => {}
        }
    }
}

/// Returns the type of the next message and, for an error, its text.
fn read_message(socket: &mut impl Read) -> io::Result<(u8, String)> {
    let mut head = [0; 16];
    socket.read_exact(&mut head)?;
    if head[0] != b'l' {
        return Err(odd("it is not little endian"));
    }
    let number = |at: usize| {
        u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize
    };
    let (body, fields) = (
        number(4),
        number(12).checked_next_multiple_of(8).unwrap_or(usize::MAX),
    );
    // Both lengths come from the other end, before anything is allocated for them.
    if body > MAX_PART_BYTES || fields > MAX_PART_BYTES {
        return Err(odd("it is too long"));
    }
    let mut rest = vec![0; fields + body];
    socket.read_exact(&mut rest)?;
    // An error's text is its first argument: a length, and as many bytes.
    let text = rest[fields..]
        .split_first_chunk()
        .and_then(|(length, text): (&[u8; 4], _)| text.get(..u32::from_le_bytes(*length) as usize));
    Ok((
        head[1],
        String::from_utf8_lossy(text.unwrap_or_default()).into_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A service that always sends these bytes. Its thread returns what it received.
    fn service(reply: Vec<u8>) -> (UnixStream, std::thread::JoinHandle<Vec<u8>>) {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let thread = std::thread::spawn(move || {
            theirs.write_all(&reply).unwrap();
            theirs.shutdown(std::net::Shutdown::Write).unwrap();
            let mut received = Vec::new();
            theirs.read_to_end(&mut received).unwrap();
            received
        });
        (ours, thread)
    }

    const METHOD: Method<'_> = Method {
        destination: "d.e",
        path: "/p",
        interface: "i.f",
        name: "Do",
        signature: "s",
    };

    fn answer(kind: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![b'l', kind, 0, 1];
        bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        bytes.extend([7, 0, 0, 0]);
        // One field (the number of the call that is answered), padded to eight bytes.
        bytes.extend([8, 0, 0, 0, 5, 1, b'u', 0, 1, 0, 0, 0]);
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_call_is_answered_after_signals() {
        let mut arguments = Bytes::default();
        arguments.string("x");
        let reply = [
            b"OK 1234\r\n".to_vec(),
            answer(4, b""),
            answer(METHOD_RETURN, b""),
        ]
        .concat();
        let (socket, received) = service(reply);
        call(socket, &METHOD, &arguments).unwrap();
        let received = received.join().unwrap();
        let begin = received
            .windows(7)
            .position(|bytes| bytes == b"BEGIN\r\n")
            .unwrap()
            + 7;
        assert!(received.starts_with(b"\0AUTH EXTERNAL 3"));
        let mut expected = vec![b'l', 1, 0, 1, 6, 0, 0, 0, 1, 0, 0, 0, 71, 0, 0, 0];
        expected.extend(b"\x01\x01o\0\x02\0\0\0/p\0\0\0\0\0\0");
        expected.extend(b"\x02\x01s\0\x03\0\0\0i.f\0\0\0\0\0");
        expected.extend(b"\x03\x01s\0\x02\0\0\0Do\0\0\0\0\0\0");
        expected.extend(b"\x06\x01s\0\x03\0\0\0d.e\0\0\0\0\0");
        expected.extend(b"\x08\x01g\0\x01s\0\0");
        expected.extend(b"\x01\0\0\0x\0");
        assert_eq!(
            received[begin..].escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }

    #[test]
    fn errors_and_malformed_answers_are_reported() {
        let failing = |reply: &[&[u8]]| {
            let (socket, received) = service(reply.concat());
            let error = call(socket, &METHOD, &Bytes::default()).unwrap_err();
            received.join().unwrap();
            error.to_string()
        };
        let ok = b"OK 1234\r\n".as_slice();
        assert_eq!(failing(&[ok, &answer(ERROR, b"\x02\0\0\0no\0")]), "no");
        assert_eq!(
            failing(&[b"REJECTED EXTERNAL\r\n"]),
            "answered `REJECTED EXTERNAL`"
        );
        assert_eq!(failing(&[ok, &answer(ERROR, b"\xff\xff\xff\xffno\0")]), "");
        assert!(failing(&[ok, b"B234567890123456"]).contains("not little endian"));
        assert!(
            failing(&[ok, b"l\x02\0\x01\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff"])
                .contains("too long")
        );
        assert!(!failing(&[ok]).is_empty());
    }

    #[test]
    fn arrays_are_padded_before_their_elements() {
        let mut bytes = Bytes::default();
        bytes.array(8, |_| {}).u32(3);
        assert_eq!(bytes.0, [0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]);
        let mut bytes = Bytes::default();
        bytes.array(8, |elements| {
            elements.structure().string("a").structure().string("b");
        });
        assert_eq!(
            bytes.0,
            *b"\x0e\0\0\0\0\0\0\0\x01\0\0\0a\0\0\0\x01\0\0\0b\0"
        );
    }
}
