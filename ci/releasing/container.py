"""Container images, made offline by buildah: the program alone, and a whole system with the compilers of all languages.

Not part of what a release makes by itself: images are pushed by who runs a registry.
"""

import contextlib
import shutil
import subprocess
import tempfile

from releasing.program import DIST, version

# The languages that a fresh host is asked for most, by the names of their packages in Debian.
COMPILERS = ("g++", "python3", "pypy3", "default-jdk-headless", "nodejs", "golang-go", "rustc", "git", "ca-certificates")
# Who it runs as, and where.
CONFIGURATION = ["--entrypoint", '["/usr/bin/judge"]', "--workingdir", "/work", "--user", "1000:1000", "--env", "HOME=/home/judge"]


@contextlib.contextmanager
def places():
    """The directories that belong to the user in an image: for work, and for what the program keeps."""
    with tempfile.TemporaryDirectory() as empty:
        yield [(empty, place, "1000:1000") for place in ("/work", "/home/judge")]


def buildah(*words):
    command = ["buildah", *(str(word) for word in words)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def commit(name, content, configuration):
    """Makes an image of directories and files, each with its place and its owner in it."""
    container = buildah("from", "scratch")
    try:
        for source, place, owner in content:
            buildah("copy", "--quiet", f"--chown={owner}", container, source, place)
        buildah("config", "--label", "org.opencontainers.image.title=judge", *configuration, container)
        buildah("commit", "--quiet", container, name)
    finally:
        buildah("rm", container)
    return name


def minimal():
    """`judge:VERSION`: the program and nothing else."""
    with places() as own:
        return commit(f"localhost/judge:{version()}", [(DIST / "judge", "/usr/bin/judge", "0:0"), *own], CONFIGURATION)


def full(root):
    """`judge:VERSION-full`, of the root file system of a Debian with `COMPILERS`, such as mmdebstrap makes it."""
    # Nobody in it needs to become anybody else.
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_mode & 0o6000:
            path.chmod(path.stat().st_mode & 0o1777)
    shutil.copy(DIST / "judge", root / "usr/bin/judge")
    with places() as own:
        return commit(f"localhost/judge:{version()}-full", [(root, "/", "0:0"), *own], CONFIGURATION)
