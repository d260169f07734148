//! Files that are handed to a command, by name or as a stream.
//!
//! Responsible for reading no more of them than test data may have, and not into memory. Must not know what they are for.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use judge_package::{MOST_DATA_BYTES, open_within};

use crate::config::Config;
use crate::failure::Failure;

/// The file that is given; what cannot be opened again, as standard input, is kept in the `spool`. No test data is larger
/// than what is judged.
pub(crate) fn given(config: &Config, file: &Path, spool: &Path) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| Failure::Usage(format!("cannot read `{}`: {error}", file.display()));
    let keep = |stream: &mut dyn Read| {
        let mut kept = File::create(spool)?;
        std::io::copy(&mut stream.take(MOST_DATA_BYTES + 1), &mut kept)?;
        open_within(spool, MOST_DATA_BYTES)?;
        Ok(spool.to_owned())
    };
    if file == Path::new("-") {
        return keep(&mut std::io::stdin().lock()).map_err(failed);
    }
    let path = config.directory.join(file);
    let is_file = std::fs::metadata(&path).map_err(failed)?.is_file();
    if is_file {
        return open_within(&path, MOST_DATA_BYTES).map(|_| path).map_err(failed);
    }
    File::open(&path).and_then(|mut stream| keep(&mut stream)).map_err(failed)
}
