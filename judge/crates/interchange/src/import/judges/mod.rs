//! Problems of online judges: DMOJ, Hydro, Library Checker, SYZOJ, UOJ, and what they exchange (FPS).
//!
//! Responsible for their files. Must not know how groups and data of a package are made.

mod dmoj;
mod fps;
mod html;
mod hydro;
mod library_checker;
mod syzoj;
mod uoj;

pub(super) use dmoj::{FILE as DMOJ_FILE, archive, convert as convert_dmoj};
pub(super) use fps::{convert as convert_fps, is_fps};
pub(super) use hydro::{convert as convert_hydro, file_of_data as hydro_file_of_data, is_hydro};
pub(super) use library_checker::{
    FILE as LIBRARY_CHECKER_FILE, SHARED as LIBRARY_CHECKER_HEADERS, convert as convert_library_checker,
};
pub(super) use syzoj::{FILE as SYZOJ_FILE, convert as convert_syzoj};
pub(super) use uoj::{FILE as UOJ_FILE, convert as convert_uoj};
