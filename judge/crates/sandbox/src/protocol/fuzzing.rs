//! Access for the fuzz targets to the messages between the harness and its zygotes.
//!
//! Compiled for them alone (feature `fuzzing`). Must not read anything itself: it only hands bytes
//! to the readers.

use crate::protocol::messages::{Report, Run, Setup, WarmRun, kind, read_group};
use crate::protocol::wire::{Reader, Writer};

/// Reads a message according to its kind. True if it was well-formed to its last field.
///
/// # Panics
/// When a report differs after it was written and read again.
#[must_use]
pub fn read_message(bytes: &[u8]) -> bool {
    let Ok((kind, mut reader)) = Reader::new(bytes) else {
        return false;
    };
    match kind {
        kind::SETUP => Setup::read(&mut reader).is_ok(),
        kind::GROUP => read_group(&mut reader).is_ok(),
        kind::RUN | kind::WARM => Run::read(&mut reader).is_ok(),
        kind::RUN_WARM => WarmRun::read(&mut reader).is_ok(),
        kind::FINISHED => Report::read(&mut reader).is_ok_and(|report| {
            let mut writer = Writer::default();
            report.write(&mut writer);
            let again =
                Reader::new(writer.bytes()).and_then(|(_, mut reader)| Report::read(&mut reader));
            assert_eq!(again, Ok(report));
            true
        }),
        _ => reader.string().is_ok(),
    }
}

/// The head of a message of this kind, which random input would not have.
#[must_use]
pub fn message_head(kind: u32) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.start(kind);
    writer.bytes().to_vec()
}
