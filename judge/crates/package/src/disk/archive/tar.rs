//! Archives of `tar`, read entry by entry.
//!
//! Responsible for headers and for bounds on their size. Must not know how entries are used.
//!
//! Source: POSIX.1-2024, `pax`, "ustar Interchange Format" and "pax Interchange Format"; GNU
//! tar, "Basic Tar Format" (`L`, `K`).

use std::io::{self, Read};

/// The size of a header, and the unit in which contents are stored.
const BLOCK: usize = 512;
/// The size of the largest header of variable length.
const MAX_EXTENDED_BYTES: u64 = 64 << 10;

pub(super) const OTHER_KIND: &str = "expected a file, a directory or a link, found something else";
const HARD_LINK: &str = "expected a separate file, found a hard link to another one; pack it with `tar --hard-dereference`";

/// The kind of file that an entry is unpacked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    File { executable: bool },
    Link,
}

/// An entry of an archive. Its contents are read from the reader that returned it.
#[derive(Debug)]
pub(super) struct TarEntry {
    pub(super) name: Vec<u8>,
    /// Its kind, or the fault of one that is not unpacked, such as a device.
    pub(super) kind: Result<Kind, String>,
    /// The target of a link.
    pub(super) target: Vec<u8>,
}

/// A reader of entries, and of the contents of the last one.
pub(super) struct TarReader<R> {
    inner: R,
    /// The number of unread bytes of the last entry.
    left: u64,
    /// The number of bytes after its contents, up to the next block.
    padding: u64,
}

/// Names and sizes that do not fit into a header.
#[derive(Default)]
struct ExtendedHeader {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
}

impl<R: Read> TarReader<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            left: 0,
            padding: 0,
        }
    }

    /// Reads the next header; `None` at the end of the archive.
    ///
    /// # Errors
    /// When the contents of the last entry were not read, or no header follows.
    pub(super) fn next_entry(&mut self) -> io::Result<Option<TarEntry>> {
        let mut extended = ExtendedHeader::default();
        loop {
            // The reader of an entry has taken all of its contents by now. An entry that has
            // none by its kind, such as a link, must not state a size.
            if self.left > 0 {
                return Err(malformed("contents of an entry that is not a file"));
            }
            let mut rest = vec![0; usize::try_from(self.padding).unwrap_or(0)];
            self.inner.read_exact(&mut rest)?;
            self.padding = 0;
            let mut header = [0; BLOCK];
            self.inner.read_exact(&mut header)?;
            // Two blocks of zeros end an archive. GNU tar accepts a single one, and so does
            // this reader.
            if header.iter().all(|byte| *byte == 0) {
                return Ok(None);
            }
            check_sum(&header)?;
            let size = number(&header[124..136])?;
            match header[156] {
                // GNU tar puts a long name (`L`) or a long target (`K`) into a separate entry
                // before the one that it belongs to. `pax` uses records (`x`) in the same place.
                b'L' => extended.name = Some(self.extended(size)?),
                b'K' => extended.target = Some(self.extended(size)?),
                b'x' => {
                    let records = self.extended(size)?;
                    read_records(&records, &mut extended)?;
                }
                // Records that apply to all entries, such as the commit in an archive by Git.
                b'g' => drop(self.extended(size)?),
                kind => return self.entry(&header, kind, size, extended).map(Some),
            }
        }
    }

    /// Reads what follows the end of the archive.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn drain(mut self) -> io::Result<()> {
        io::copy(&mut self.inner, &mut io::sink()).map(drop)
    }

    fn entry(
        &mut self,
        header: &[u8; BLOCK],
        kind: u8,
        size: u64,
        extended: ExtendedHeader,
    ) -> io::Result<TarEntry> {
        let executable = number(&header[100..108])? & 0o111 != 0;
        let kind = match kind {
            // Archives from before POSIX have a zero byte in this place. `7` is a contiguous
            // file, which other systems treat as an ordinary one.
            b'0' | b'7' | 0 => Ok(Kind::File { executable }),
            b'1' => Err(HARD_LINK.to_owned()),
            b'2' => Ok(Kind::Link),
            b'5' => Ok(Kind::Directory),
            _ => Err(OTHER_KIND.to_owned()),
        };
        // A size of 8 GiB or more does not fit into the octal digits of the header, so the
        // record has priority.
        self.begin(extended.size.unwrap_or(size));
        let mut name = text(&header[..100]).to_vec();
        let prefix = text(&header[345..500]);
        // GNU tar writes `ustar` followed by spaces, and stores times instead of a prefix in these
        // bytes.
        if header[257..263] == *b"ustar\0" && !prefix.is_empty() {
            name = [prefix, b"/", &name].concat();
        }
        let target = extended
            .target
            .unwrap_or_else(|| text(&header[157..257]).to_vec());
        Ok(TarEntry {
            name: extended.name.unwrap_or(name),
            kind,
            target,
        })
    }

    fn begin(&mut self, size: u64) {
        self.left = size;
        // The distance to the next multiple of the block size. The block size divides 2^64, so
        // that the wrapped negative number has the right remainder.
        self.padding = size.wrapping_neg() % BLOCK as u64;
    }

    /// The contents of a header of variable length, without the byte that ends them.
    fn extended(&mut self, size: u64) -> io::Result<Vec<u8>> {
        if size > MAX_EXTENDED_BYTES {
            return Err(malformed("a header that is longer than any name"));
        }
        self.begin(size);
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(text(&bytes).to_vec())
    }
}

impl<R: Read> Read for TarReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.by_ref().take(self.left).read(buffer)?;
        // The archive ends within an entry. Without this error a file that was cut off would
        // look complete.
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= count as u64;
        Ok(count)
    }
}

fn malformed(found: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("expected a tar archive, found {found}"),
    )
}

/// The bytes before the first one of value 0.
fn text(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A number in octal digits, or in binary where its first bit is set (GNU tar).
fn number(field: &[u8]) -> io::Result<u64> {
    if let [first, rest @ ..] = field
        && first & 0x80 != 0
    {
        let add = |value: u64, byte: &u8| value.checked_mul(256)?.checked_add(u64::from(*byte));
        return rest
            .iter()
            .try_fold(0, add)
            .ok_or_else(|| malformed("a number that is too large"));
    }
    // Tools fill the field with zeros or spaces, and end it with a NUL byte, a space or both.
    let digits = String::from_utf8_lossy(text(field)).trim().to_owned();
    if digits.is_empty() {
        return Ok(0);
    }
    u64::from_str_radix(&digits, 8).map_err(|_| malformed("a header without numbers"))
}

/// Checks a header against its checksum, for which the checksum field itself counts as spaces.
fn check_sum(header: &[u8; BLOCK]) -> io::Result<()> {
    let is_own = |at: usize| (148..156).contains(&at);
    let sum = header
        .iter()
        .enumerate()
        .map(|(at, byte)| if is_own(at) { 32 } else { u64::from(*byte) })
        .sum::<u64>();
    if number(&header[148..156])? == sum {
        Ok(())
    } else {
        Err(malformed("a header with a wrong checksum"))
    }
}

/// Reads records `LENGTH KEY=VALUE\n`.
fn read_records(mut records: &[u8], extended: &mut ExtendedHeader) -> io::Result<()> {
    let wrong = || malformed("an extended header that cannot be read");
    while !records.is_empty() {
        let space = records
            .iter()
            .position(|byte| *byte == b' ')
            .ok_or_else(wrong)?;
        let length = std::str::from_utf8(&records[..space])
            .ok()
            .and_then(|digits| digits.parse::<usize>().ok());
        // The length includes its own digits and the space after them, so it is counted from the
        // first digit of the record.
        let record = length
            .and_then(|length| records.get(space + 1..length))
            .ok_or_else(wrong)?;
        let equals = record
            .iter()
            .position(|byte| *byte == b'=')
            .ok_or_else(wrong)?;
        let (key, value) = (
            &record[..equals],
            record[equals + 1..].strip_suffix(b"\n").ok_or_else(wrong)?,
        );
        match key {
            b"path" => extended.name = Some(value.to_vec()),
            b"linkpath" => extended.target = Some(value.to_vec()),
            b"size" => {
                let size = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok());
                extended.size = Some(size.ok_or_else(wrong)?);
            }
            // The contents are a map of holes and the data between them, not the file itself.
            _ if key.starts_with(b"GNU.sparse.") => {
                return Err(malformed("a file with holes; pack it without `--sparse`"));
            }
            _ => {}
        }
        records = &records[space + 1 + record.len()..];
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a header with its checksum, and contents in whole blocks. For a link, `contents` is
    /// its target.
    pub(in super::super) fn entry(name: &str, kind: u8, contents: &[u8]) -> Vec<u8> {
        let mut header = vec![0; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        let is_link = matches!(kind, b'1' | b'2');
        if is_link {
            header[157..157 + contents.len()].copy_from_slice(contents);
        }
        let contents = if is_link { b"" } else { contents };
        header[100..107].copy_from_slice(b"0000755");
        header[124..135].copy_from_slice(format!("{:011o}", contents.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = kind;
        header[257..263].copy_from_slice(b"ustar\0");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        header.extend(contents);
        header.resize(header.len().next_multiple_of(BLOCK), 0);
        header
    }

    /// The name, kind and contents of an entry.
    type EntryParts = (String, Result<Kind, String>, Vec<u8>);

    fn read(archive: &[u8]) -> io::Result<Vec<EntryParts>> {
        let mut reader = TarReader::new(archive);
        let mut found = Vec::new();
        while let Some(entry) = reader.next_entry()? {
            let mut contents = Vec::new();
            reader.read_to_end(&mut contents)?;
            found.push((
                String::from_utf8_lossy(&entry.name).into_owned(),
                entry.kind,
                contents,
            ));
        }
        Ok(found)
    }

    #[test]
    fn names_of_every_length_are_read() {
        let (long, end) = ("d/".repeat(99) + "1.in", vec![0; 2 * BLOCK]);
        let record = format!("{} path={long}\n", long.len() + 10);
        let archive = [
            entry("pax_global_header", b'g', b"19 comment=abcdefg\n"),
            entry("d/", b'5', b""),
            entry("d/1.in", b'0', b"1\n"),
            entry("././@LongLink", b'L', format!("{long}\0").as_bytes()),
            entry("d/d", b'0', b"2\n"),
            entry("PaxHeaders/x", b'x', record.as_bytes()),
            entry("d/d", b'0', &[7; BLOCK]),
            entry("pipe", b'6', b""),
            end,
        ];
        let file = Ok(Kind::File { executable: true });
        let expected = [
            ("d/", Ok(Kind::Directory), b"".to_vec()),
            ("d/1.in", file.clone(), b"1\n".to_vec()),
            (&long, file.clone(), b"2\n".to_vec()),
            (&long, file, vec![7; BLOCK]),
            ("pipe", Err(OTHER_KIND.to_owned()), b"".to_vec()),
        ];
        assert_eq!(
            read(&archive.concat()).unwrap(),
            expected.map(|(name, kind, text)| (name.to_owned(), kind, text))
        );
    }

    #[test]
    fn invalid_headers_are_errors() {
        let error = |archive: &[u8]| read(archive).unwrap_err().to_string();
        let mut wrong = entry("a", b'0', b"");
        wrong[0] = b'b';
        assert!(error(&wrong).contains("a wrong checksum"));
        assert!(error(&entry("a", b'L', &vec![b'x'; 65 << 10])).contains("longer than any name"));
        assert!(error(&entry("a", b'x', b"999 path=x\n")).contains("cannot be read"));
        assert!(error(&entry("a", b'x', b"22 GNU.sparse.major=1\n")).contains("a file with holes"));
        assert!(read(&entry("a", b'0', b"1")).is_err(), "the end is missing");
        let mut huge = entry("a", b'0', b"");
        huge[124] = 0x80;
        huge[125..136].fill(0xff);
        assert!(read(&huge).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2000), kind in "[0-9xgLK]", contents in "[0-9a-z =\n]{0,60}") {
            let _ = read(&bytes);
            let _ = read(&entry("a", kind.as_bytes()[0], contents.as_bytes()));
        }
    }
}
