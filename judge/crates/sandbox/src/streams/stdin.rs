//! Standard input of a run.
//!
//! Responsible for a source that programs cannot change and whose name they cannot find out. Must
//! not know who reads it.

use std::ffi::CString;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;

use judge_files::regular_file;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use crate::{Input, SandboxError, SlotSpec};

/// Standard input, ready to be handed over.
pub(crate) enum Source {
    Empty,
    Descriptor(OwnedFd),
    Depot(u32, CString),
    /// Standard input and standard output.
    Duplex([OwnedFd; 2]),
}

/// Makes a file in memory that cannot be changed any more, although the program holds it open for
/// writing too.
pub(crate) fn sealed_file(
    fill: impl FnOnce(&mut std::fs::File) -> io::Result<()>,
) -> Result<OwnedFd, SandboxError> {
    let failed = || SandboxError::host::<io::Error>("prepare standard input");
    let file = memfd_create("stdin", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
        .map_err(io::Error::from);
    let mut file = std::fs::File::from(file.map_err(failed())?);
    // A descriptor that is handed over shares the position of the open file, so without rewinding
    // the program would read from the end.
    fill(&mut file)
        .and_then(|()| io::Seek::rewind(&mut file))
        .map_err(failed())?;
    // With SEAL, no seal can be added or removed afterwards (F_ADD_SEALS in fcntl(2)): the file
    // cannot change.
    fcntl_add_seals(
        &file,
        SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL,
    )
    .map_err(|error| failed()(error.into()))?;
    Ok(file.into())
}

/// Opens standard input. `has_proc` is true where there is `/proc`, by which a program can find out
/// the name of a file that it has open, and the files next to it. In that case every file is
/// copied, so that any user may also open it again.
pub(crate) fn source(
    spec: &SlotSpec,
    input: &Input,
    has_proc: bool,
) -> Result<Source, SandboxError> {
    match input {
        Input::Empty => Ok(Source::Empty),
        Input::Bytes(bytes) if bytes.is_empty() => Ok(Source::Empty),
        Input::Bytes(bytes) => sealed_file(|file| file.write_all(bytes)).map(Source::Descriptor),
        Input::Duplex(line) => {
            let taken = || {
                SandboxError::invalid(
                    "expected a line of its own for each run, found one that was used",
                )
            };
            line.take_ends().map(Source::Duplex).ok_or_else(taken)
        }
        Input::File(path) => {
            if let Some((depot, below)) = spec.in_depot(path).filter(|_| !has_proc) {
                return Ok(Source::Depot(depot, below));
            }
            // With the original file, a program that runs as its owner could change its mode
            // through the descriptor, and with /proc its contents.
            let failed = || {
                SandboxError::host::<io::Error>(format!("open standard input `{}`", path.display()))
            };
            let mut original = regular_file::open(path).map_err(failed())?;
            sealed_file(|file| io::copy(&mut original, file).map(drop)).map(Source::Descriptor)
        }
    }
}
