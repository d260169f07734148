"""Creates images for container engines, without an engine: archives for `docker load`, with a layer for each part.

The small image has only the program, for static checks and as a source of the program for other images. The other one begins with Debian and
the compilers of the common languages. Every user can run both: the home directory is `/tmp`, where each user has a separate cache.
"""

import datetime
import gzip
import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

from releasing import make

PACKAGES = ["ca-certificates", "g++", "git", "jq", "python3", "default-jdk-headless"]
DEBIAN = ["bookworm", "http://deb.debian.org/debian"]
# Files that differ each time Debian is unpacked, or that an image does not need.
UNWANTED = ["var/cache/apt", "var/lib/apt/lists", "var/log", "usr/share/doc", "usr/share/man", "usr/share/locale", "etc/machine-id"]


def small(program):
    return {f"judge-{make.version()}-image.tar.gz": archive("", [program_layer(program)])}


def with_compilers(program):
    """Raises CalledProcessError or OSError if debootstrap fails."""
    return {f"judge-{make.version()}-compilers-image.tar.gz": archive("-compilers", [debian_layer(), program_layer(program)])}


def program_layer(program):
    """Returns a tar archive of the program and of the directories that it needs."""
    return make.tar({"usr": (None, 0o755), "usr/bin": (None, 0o755), "tmp": (None, 0o1777), "w": (None, 0o755),
                     "usr/bin/judge": (program, 0o755)})


def debian_layer():
    """Returns a tar archive of Debian with compilers."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory, "root")
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", DEBIAN[0], place, DEBIAN[1]],
                       check=True, stdout=subprocess.DEVNULL)
        excluded = [f"--exclude=./{name}/*" for name in UNWANTED]
        return subprocess.run(["tar", "-C", place, "--sort=name", "--numeric-owner", *excluded, "-c", "."], check=True, stdout=subprocess.PIPE).stdout


def archive(variant, layers):
    """Returns the compressed archive of an image with these layers, the lowest first. The same layers make the same bytes."""
    digests = [hashlib.sha256(layer).hexdigest() for layer in layers]
    # The workspace at /w belongs to the user who mounts it.
    time = datetime.datetime.fromtimestamp(make.seconds(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp", "JUDGE_SAFE_DIRECTORY=/w"]
    config = {"architecture": "amd64", "os": "linux", "created": time, "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in digests]},
              "config": {"Entrypoint": ["/usr/bin/judge"], "Env": environment, "WorkingDir": "/w"}}
    config = json.dumps(config, sort_keys=True).encode()
    image = f"{hashlib.sha256(config).hexdigest()}.json"
    manifest = json.dumps([{"Config": image, "RepoTags": [f"judge:{make.version()}{variant}"], "Layers": [f"{digest}/layer.tar" for digest in digests]}]).encode()
    files = {image: config, "manifest.json": manifest} | {f"{digest}/layer.tar": layer for digest, layer in zip(digests, layers)}
    return gzip.compress(make.tar({path: (content, 0o644) for path, content in files.items()}), compresslevel=6, mtime=0)
