//! The encoding of messages between the harness and its zygotes.
//!
//! Responsible for turning fields into bytes and back, without copying strings on the way in. Must
//! not know what the fields mean. Both ends are always the same program, so the only version check
//! is [`VERSION`].

use std::ffi::CStr;

/// Raised with every change to a message, in case a program is replaced while it runs.
pub(crate) const VERSION: u32 = 3;

/// The error of bytes that are not a message of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Builds a message in a buffer that is reused.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn start(&mut self, kind: u32) -> &mut Self {
        self.bytes.clear();
        self.u32(VERSION).u32(kind)
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_ne_bytes());
        self
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes.extend_from_slice(&value.to_ne_bytes());
        self
    }

    /// Appends a string, which must hold no NUL.
    pub(crate) fn string(&mut self, value: &[u8]) -> &mut Self {
        self.u32(u32::try_from(value.len()).unwrap_or(u32::MAX));
        self.bytes.extend_from_slice(value);
        self.bytes.push(0);
        self
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads the fields of a message.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The reader after the head of a message, and the message's kind.
    pub(crate) fn new(message: &'a [u8]) -> Result<(u32, Self), Malformed> {
        let mut reader = Self { rest: message };
        if reader.u32()? != VERSION {
            return Err(Malformed);
        }
        Ok((reader.u32()?, reader))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Malformed> {
        self.take(4)?
            .try_into()
            .map(u32::from_ne_bytes)
            .map_err(|_| Malformed)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Malformed> {
        self.take(8)?
            .try_into()
            .map(u64::from_ne_bytes)
            .map_err(|_| Malformed)
    }

    pub(crate) fn string(&mut self) -> Result<&'a CStr, Malformed> {
        let length = self.u32()? as usize;
        CStr::from_bytes_with_nul(self.take(length.checked_add(1).ok_or(Malformed)?)?)
            .map_err(|_| Malformed)
    }

    /// A list as long as the number in front of it.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = self.u32()?;
        // Not reserved in advance: the number may be anything, and the first missing field ends the
        // loop.
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back_as_written() {
        let mut writer = Writer::default();
        writer
            .start(7)
            .u64(u64::MAX)
            .string(b"a\xff b")
            .u32(2)
            .string(b"")
            .string(b"x");
        let (kind, mut reader) = Reader::new(writer.bytes()).unwrap();
        assert_eq!(kind, 7);
        assert_eq!(reader.u64(), Ok(u64::MAX));
        assert_eq!(reader.string().unwrap().to_bytes(), b"a\xff b");
        let list = reader.list(Reader::string).unwrap();
        assert_eq!(list, [c"", c"x"]);
        assert_eq!(reader.u32(), Err(Malformed));
    }

    #[test]
    fn broken_messages_are_refused() {
        assert!(Reader::new(b"").is_err());
        assert!(Reader::new(&[0xee; 8]).is_err());
        let mut writer = Writer::default();
        writer.start(1).string(b"in\0side");
        assert_eq!(
            Reader::new(writer.bytes()).unwrap().1.string(),
            Err(Malformed)
        );
        let whole = writer.start(1).string(b"abc").bytes().to_vec();
        for length in 8..whole.len() {
            assert!(
                Reader::new(&whole[..length]).unwrap().1.string().is_err(),
                "cut to {length} bytes"
            );
        }
    }
}
