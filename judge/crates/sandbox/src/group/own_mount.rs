//! Control groups through private mounts.
//!
//! Container engines show the hierarchies read-only. With `CAP_SYS_ADMIN` a hierarchy can be
//! mounted once more, writable. Groups are still created below this process's group, so the limits
//! of the container hold. The mount is attached nowhere (fsmount(2)): no other process sees it, and
//! it ends with this process.
//!
//! Must not know what the groups are used for.

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_flag, fsmount, fsopen,
};

use super::hierarchy::{Hierarchy, is_writable};

/// The controllers of v1 that limit or count something.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuacct"];

/// Makes a hierarchy writable through a private mount, if possible. The paths are valid as long as
/// the returned descriptor is open.
pub(super) fn make_writable(hierarchy: &mut Hierarchy) -> Option<OwnedFd> {
    // v1 has a hierarchy for each controller. Those that limit nothing are left unchanged: each
    // mount costs a file descriptor.
    let limits = |names: &Vec<String>| {
        names
            .iter()
            .any(|name| CONTROLLERS.contains(&name.as_str()))
    };
    if !hierarchy.controllers.as_ref().is_none_or(limits) {
        return None;
    }
    let mount = mount(hierarchy.controllers.as_deref()).ok()?;
    let top = PathBuf::from(format!("/proc/self/fd/{}", mount.as_raw_fd()));
    let own = top.join(hierarchy.path.trim_start_matches('/'));
    if !is_writable(&own) {
        return None;
    }
    // The visible mount may show only a part of the hierarchy, and nothing above that part may be
    // changed.
    let below = hierarchy
        .own
        .strip_prefix(&hierarchy.mount)
        .map_or(0, |below| below.components().count());
    hierarchy.mount = own.ancestors().nth(below)?.to_owned();
    hierarchy.own = own;
    Some(mount)
}

fn mount(controllers: Option<&[String]>) -> Result<OwnedFd, Errno> {
    let kind = if controllers.is_some() {
        "cgroup"
    } else {
        "cgroup2"
    };
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    // A hierarchy of v1 is identified by its set of controllers. With exactly this set, the mount
    // shows the existing hierarchy; a different set would be refused or make a new one.
    for controller in controllers.unwrap_or_default() {
        fsconfig_set_flag(&context, controller.as_str())?;
    }
    fsconfig_create(&context)?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    fsmount(
        &context,
        FsMountFlags::FSMOUNT_CLOEXEC,
        attributes | MountAttrFlags::MOUNT_ATTR_NOEXEC,
    )
}
