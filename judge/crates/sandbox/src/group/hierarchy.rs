//! The control group hierarchies of this host, and the group of this process in each.
//!
//! Responsible for reading `/proc`. Must not change anything.

use std::path::{Path, PathBuf};

/// One mounted hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    /// The v1 controllers; `None` for v2.
    pub(super) controllers: Option<Vec<String>>,
    /// The path at which it is mounted.
    pub(super) mount: PathBuf,
    /// The directory of this process's group.
    pub(super) own: PathBuf,
    /// The path of this process's group from the root of the hierarchy, or of the part that a
    /// control group namespace shows.
    pub(super) path: String,
}

impl Hierarchy {
    /// True if this hierarchy can have the controller: v2 can have every one.
    fn has(&self, controller: &str) -> bool {
        let controllers = self.controllers.as_ref();
        controllers.is_none_or(|controllers| controllers.iter().any(|name| name == controller))
    }
}

/// All hierarchies whose files can be reached.
pub(super) fn hierarchies() -> Vec<Hierarchy> {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    parse(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
}

/// The number of processes and threads that the control groups of this process permit in addition
/// to the existing ones; `None` if no visible group limits it. A container sees only its own groups.
pub(crate) fn permitted_processes() -> Option<u64> {
    let limiting = hierarchies();
    let limiting = limiting.iter().filter(|hierarchy| hierarchy.has("pids"));
    limiting
        .flat_map(|hierarchy| {
            let groups = hierarchy.own.ancestors();
            let visible = groups.take_while(|group| group.starts_with(&hierarchy.mount));
            visible.filter_map(permitted_in).collect::<Vec<_>>()
        })
        .min()
}

/// The file of this process's group that counts events of a controller, by its names in v1 and v2.
pub(crate) fn own_events(controller: &str, [v1, v2]: [&str; 2]) -> Option<PathBuf> {
    let having = hierarchies()
        .into_iter()
        .filter(|found| found.has(controller));
    having
        .map(|found| {
            found
                .own
                .join(if found.controllers.is_some() { v1 } else { v2 })
        })
        .find(|file| file.is_file())
}

/// The number of further processes that a group permits; `None` without a limit, which the file
/// `pids.max` states as `max`.
fn permitted_in(group: &Path) -> Option<u64> {
    let read = |name| {
        let text = std::fs::read_to_string(group.join(name)).ok()?;
        text.trim().parse::<u64>().ok()
    };
    Some(read("pids.max")?.saturating_sub(read("pids.current").unwrap_or(0)))
}

/// True if groups can be created below this one.
pub(super) fn is_writable(group: &Path) -> bool {
    rustix::fs::access(group, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Decodes the path of a mount point in mountinfo, which has octal escapes (proc_pid_mountinfo(5)).
fn unescape(text: &str) -> String {
    text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\")
}

fn parse(mountinfo: &str, cgroup: &str) -> Vec<Hierarchy> {
    let memberships: Vec<(&str, &str)> = cgroup
        .lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            Some((fields.next()?, fields.next()?))
        })
        .collect();
    let mut found: Vec<Hierarchy> = Vec::new();
    for line in mountinfo.lines() {
        let Some((left, right)) = line.split_once(" - ") else {
            continue;
        };
        let (left, right): (Vec<_>, Vec<_>) =
            (left.split(' ').collect(), right.split(' ').collect());
        let (&[_, _, _, root, mount, ..], &[kind, _, options, ..]) =
            (left.as_slice(), right.as_slice())
        else {
            continue;
        };
        let options: Vec<&str> = options.split(',').collect();
        // A v1 line of /proc/self/cgroup lists its controllers, which are among the mount options
        // of its hierarchy; the line of v2 lists none.
        let membership = match kind {
            "cgroup2" => memberships
                .iter()
                .find(|(controllers, _)| controllers.is_empty()),
            "cgroup" => memberships.iter().find(|(controllers, _)| {
                !controllers.is_empty()
                    && controllers
                        .split(',')
                        .all(|controller| options.contains(&controller))
            }),
            _ => None,
        };
        let Some((controllers, path)) = membership else {
            continue;
        };
        // In a container the mount shows a part of the hierarchy only, and the membership
        // names the group from the real root.
        let Some(below) = below(path, &unescape(root)) else {
            continue;
        };
        let controllers =
            (kind == "cgroup").then(|| controllers.split(',').map(str::to_owned).collect());
        let mount = PathBuf::from(unescape(mount));
        let own = mount.join(below);
        // The same hierarchy may be mounted in several places, which show the same groups: the
        // first place is used.
        if !found
            .iter()
            .any(|hierarchy| hierarchy.controllers == controllers)
        {
            found.push(Hierarchy {
                controllers,
                mount,
                own,
                path: (*path).to_owned(),
            });
        }
    }
    found
}

/// The path of this process's group below the mounted part of the hierarchy; `None` if it is
/// outside.
fn below(path: &str, root: &str) -> Option<PathBuf> {
    let relative = Path::new(path).strip_prefix(root).ok()?;
    (!relative
        .components()
        .any(|part| part == std::path::Component::ParentDir))
    .then(|| relative.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hybrid_hierarchies_are_parsed() {
        let mountinfo = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
            33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:3 - cgroup cgroup rw,cpu,cpuacct\n\
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
        let cgroup = "9:name=systemd:/\n4:memory:/a/b\n2:cpu,cpuacct:/\n0::/x\n";
        let found = parse(mountinfo, cgroup);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].own, Path::new("/sys/fs/cgroup/memory/a/b"));
        assert_eq!(
            found[1].controllers,
            Some(vec!["cpu".to_owned(), "cpuacct".to_owned()])
        );
        assert_eq!(
            (found[2].controllers.as_ref(), found[2].own.as_path()),
            (None, Path::new("/sys/fs/cgroup/unified/x"))
        );
    }

    #[test]
    fn a_group_permits_what_its_limit_leaves() {
        let group = tempfile::tempdir().unwrap();
        let permitted = |limit: &str, existing: &str| {
            std::fs::write(group.path().join("pids.max"), limit).unwrap();
            std::fs::write(group.path().join("pids.current"), existing).unwrap();
            permitted_in(group.path())
        };
        assert_eq!(permitted("100\n", "3\n"), Some(97));
        // The limit may have been lowered since.
        assert_eq!(permitted("100\n", "120\n"), Some(0));
        assert_eq!(permitted("max\n", "3\n"), None);
        assert_eq!(permitted_in(Path::new("/nonexistent")), None);
    }

    #[test]
    fn containers_see_part_of_the_hierarchy() {
        let mountinfo = "35 31 0:32 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw,nsdelegate\n";
        let found = parse(mountinfo, "0::/docker/abc/x\n");
        assert_eq!(
            (found[0].own.as_path(), &*found[0].path),
            (Path::new("/sys/fs/cgroup/x"), "/docker/abc/x")
        );
        assert_eq!(parse(mountinfo, "0::/elsewhere\n"), []);
        let namespaced = "35 31 0:32 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(parse(namespaced, "0::/../outside\n"), []);
    }
}
