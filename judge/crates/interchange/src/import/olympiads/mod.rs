//! Tasks of olympiads: TPS (IOI), CMS and task-maker, sinol (Poland).
//!
//! Responsible for their files, with what their taggings of solutions have in common. Must not know how groups and data of a
//! package are made.

mod cms;
mod expectations;
mod graders;
mod sinol;
mod tps;

pub(super) use cms::{FILES as CMS_FILES, convert as convert_cms};
pub(super) use sinol::{FILE as SINOL_FILE, convert as convert_sinol};
pub(super) use tps::{DESCRIPTION as TPS_DESCRIPTION, FILE as TPS_FILE, convert as convert_tps};
