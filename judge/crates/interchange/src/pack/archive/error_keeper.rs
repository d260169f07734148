//! A writer that keeps its first error and never reports one.
//!
//! Responsible for keeping the first error. Must not know what is written.
//!
//! `ZipWriter` finishes its archive even if it is dropped after an error: it continues to write and
//! seek in a broken file, and prints errors to standard error. This writer hides the error from it.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use crate::IsStopped;

/// The first error of a writer, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstError(Rc<RefCell<Option<io::Error>>>);

impl FirstError {
    /// True if an error occurred.
    pub(super) fn has_occurred(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Returns the first error and removes it.
    ///
    /// # Errors
    /// The first error, if one occurred.
    pub(super) fn take(&self) -> io::Result<()> {
        self.0.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Keeps the error of a result, if it is the first.
    fn keep<T>(&self, result: io::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.0.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// A writer whose errors are kept.
pub(super) struct ErrorKeeper<'a, W> {
    inner: W,
    /// Once the work is stopped, writes fail.
    is_stopped: IsStopped<'a>,
    first_error: FirstError,
    /// The position of the next byte, as if all writes had succeeded.
    position: u64,
    end: u64,
}

impl<'a, W: Write + Seek> ErrorKeeper<'a, W> {
    pub(super) fn new(inner: W, is_stopped: IsStopped<'a>, first_error: FirstError) -> Self {
        Self {
            inner,
            is_stopped,
            first_error,
            position: 0,
            end: 0,
        }
    }

    fn at(&mut self, position: u64) -> u64 {
        self.position = position;
        self.end = self.end.max(position);
        position
    }
}

impl<W: Write + Seek> Write for ErrorKeeper<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.first_error.has_occurred() {
            self.first_error.keep(if (self.is_stopped)() {
                Err(io::Error::other("the work is stopped"))
            } else {
                self.inner.write_all(bytes)
            });
        }
        self.at(self.position + bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.first_error.has_occurred() {
            self.first_error.keep(self.inner.flush());
        }
        Ok(())
    }
}

impl<W: Write + Seek> Seek for ErrorKeeper<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if !self.first_error.has_occurred()
            && let Some(position) = self.first_error.keep(self.inner.seek(to))
        {
            return Ok(self.at(position));
        }
        // After an error, positions are only computed, so that the archive's writer notices
        // nothing.
        let position = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
            SeekFrom::End(by) => self.end.saturating_add_signed(by),
        };
        Ok(self.at(position))
    }
}

/// A reader that ends as soon as the writer of its data has failed.
pub(super) struct ReadFor<R> {
    pub(super) inner: R,
    pub(super) first_error: FirstError,
}

impl<R: Read> Read for ReadFor<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.first_error.has_occurred() {
            Ok(0)
        } else {
            self.inner.read(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A writer with a limited capacity.
    struct Small(Cursor<Vec<u8>>, usize);

    impl Write for Small {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.position() as usize + bytes.len() > self.1 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Small {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn the_first_error_is_kept_and_positions_continue() {
        let first_error = FirstError::default();
        let mut writer =
            ErrorKeeper::new(Small(Cursor::default(), 4), &|| false, first_error.clone());
        writer.write_all(b"1234").unwrap();
        first_error.take().unwrap();
        writer.write_all(b"567").unwrap();
        assert!(first_error.has_occurred());
        assert_eq!(writer.stream_position().unwrap(), 7);
        assert_eq!(writer.seek(SeekFrom::Start(2)).unwrap(), 2);
        assert_eq!(writer.seek(SeekFrom::End(-1)).unwrap(), 6);
        assert_eq!(
            ReadFor {
                inner: &b"x"[..],
                first_error: first_error.clone()
            }
            .read(&mut [0])
            .unwrap(),
            0
        );
        assert_eq!(
            first_error.take().unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
        assert_eq!(writer.inner.0.into_inner(), b"1234");
    }
}
