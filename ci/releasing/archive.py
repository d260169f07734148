"""The archive of a release: one directory with the program, its manual pages, completions and texts.

Also writes archives in general, as bytes that depend on nothing but the files and one time.
"""

import gzip
import io
import tarfile

from releasing.program import PLATFORM, File

COMPLETIONS = {"bash": "judge.bash", "zsh": "_judge", "fish": "judge.fish", "elvish": "judge.elv", "powershell": "_judge.ps1"}


def name(release):
    return f"judge-{release.version}-{PLATFORM}"


def files(release):
    yield File("judge", True, release.program)
    yield File("judge.cdx.json", False, release.bill_of_materials)
    yield from (File(text, False, content) for text, content in release.texts.items())
    yield from (File(f"man/{page}", False, content) for page, content in release.pages.items())
    for shell, content in release.completions.items():
        yield File(f"completions/{COMPLETIONS[shell]}", False, content)


def packed(prefix, entries, time):
    """The bytes of a compressed tar archive of files below a prefix, all root's."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for file in sorted(entries):
            path = f"{prefix}/{file.path}"
            tar.addfile(entry(path, 0o755 if file.executable else 0o644, len(file.content), time), io.BytesIO(file.content))
    return gzip.compress(buffer.getvalue(), mtime=0)


def entry(path, mode, size, time):
    info = tarfile.TarInfo(path)
    info.mode, info.size, info.mtime = mode, size, time
    info.uname = info.gname = "root"
    return info


def make(release):
    """The name of the archive, and its bytes."""
    return f"{name(release)}.tar.gz", packed(name(release), files(release), release.time)
