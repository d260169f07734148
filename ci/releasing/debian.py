"""The package for Debian and what comes from it: the program, manual pages, completions. Built by dpkg-deb.

It depends on nothing. It recommends the compilers that most problems need, and suggests those of other languages.
"""

import email.utils
import gzip
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from releasing.program import ROOT

COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/judge",
    "zsh": "usr/share/zsh/vendor-completions/_judge",
    "fish": "usr/share/fish/vendor_completions.d/judge.fish",
}
CONTROL = """Package: judge
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {kibibytes}
Recommends: g++, python3, default-jdk-headless
Suggests: rustc, pypy3, nodejs, golang-go, git
Section: devel
Priority: optional
Homepage: {homepage}
Description: grader of programming-contest submissions
 Compiles submissions, runs them on the test cases of a problem package in a
 sandbox under exact limits, compares what they wrote, and says the verdict.
 .
 It also checks the package itself, generates its test data, compares solutions,
 looks for inputs that fail them, and reads and writes the formats of others.
 Languages whose compilers are missing are told, and left out.
"""
CHANGES = """judge ({version}) unstable; urgency=medium

  * Release {version}; what changed is told in CHANGELOG.md.gz.

 -- {maintainer}  {date}
"""
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: judge
Source: {homepage}

Files: *
Copyright: the contributors to judge
License: Expat or Apache-2.0
Comment: What the program is linked from has licences of its own, each with its
 text in THIRD-PARTY-LICENCES.gz.

License: Expat
{mit}

License: Apache-2.0
 On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.
"""
# The point of this package is that it fits every release of every such system.
OVERRIDES = "judge: statically-linked-binary [usr/bin/judge]\njudge: embedded-library libyaml [usr/bin/judge]\n"


def homepage():
    return re.search(r'^repository = "(.+)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]


def files(release):
    """Path -> content of what the package has."""

    def packed(content):
        return gzip.compress(content, 9, mtime=0)

    # The host of the sources gives each account an address that nobody is bothered at.
    maintainer = f"judge contributors <{homepage().split('/')[-2]}@users.noreply.github.com>"
    known = {"version": release.version, "homepage": homepage(), "maintainer": maintainer}
    changes = CHANGES.format(date=email.utils.formatdate(release.time), **known)
    licence = "\n".join(f" {line}" if line else " ." for line in release.texts["LICENSE-MIT"].decode().rstrip().split("\n"))
    found = {
        "usr/bin/judge": release.program,
        "usr/share/doc/judge/changelog.gz": packed(changes.encode()),
        "usr/share/doc/judge/CHANGELOG.md.gz": packed(release.texts["CHANGELOG.md"]),
        "usr/share/doc/judge/copyright": COPYRIGHT.format(mit=licence, **known).encode(),
        "usr/share/doc/judge/THIRD-PARTY-LICENCES.gz": packed(release.texts["THIRD-PARTY-LICENCES"]),
        "usr/share/doc/judge/judge.cdx.json.gz": packed(release.bill_of_materials),
        "usr/share/lintian/overrides/judge": OVERRIDES.encode(),
    }
    found |= {path: release.completions[shell] for shell, path in COMPLETIONS.items()}
    found |= {f"usr/share/man/man1/{page}.gz": packed(content) for page, content in release.pages.items()}
    kibibytes = sum(-(-len(content) // 1024) for content in found.values())
    return found | {"DEBIAN/control": CONTROL.format(kibibytes=kibibytes, **known).encode()}


def make(release):
    """The name of the package, and its bytes; None where there is no dpkg-deb."""
    if not shutil.which("dpkg-deb"):
        return None
    name = f"judge_{release.version}_amd64.deb"
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory) / "judge"
        for path, content in files(release).items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            file.chmod(0o755 if path.startswith("usr/bin/") else 0o644)
        for place in [root, *(path for path in root.rglob("*") if path.is_dir())]:
            place.chmod(0o755)
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", root, Path(directory) / name]
        # Files that are newer than this, as all are, get this time.
        clamped = os.environ | {"SOURCE_DATE_EPOCH": str(release.time)}
        subprocess.run(command, env=clamped, stdout=subprocess.DEVNULL, check=True)
        return name, (Path(directory) / name).read_bytes()
