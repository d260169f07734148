"""Places that have nothing but what is put to the test. Must not know what that is.

An empty root holds a program and an interpreter of Python with what it needs; entered, it has /proc, /dev and /tmp, and
nothing else of this host.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

# Makes a directory the root of its own mount namespace, and runs a program there. It runs before that as a program of its
# own, since only Python is sure to be there for the system calls. 155 is pivot_root on x86-64.
ENTER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        sys.exit(f"{name} {arguments}: {os.strerror(ctypes.get_errno())}")
bind, recursive, private, detach = 1 << 12, 1 << 14, 1 << 18, 2
root, *command = sys.argv[1:]
call("mount", b"none", b"/", None, recursive | private, None)
call("mount", root.encode(), root.encode(), None, bind, None)
os.chdir(root)
call("mount", b"proc", b"proc", b"proc", 0, None)
call("mount", b"/dev", b"dev", None, bind | recursive, None)
call("mount", b"tmpfs", b"tmp", b"tmpfs", 0, None)
call("syscall", 155, b".", b".")
call("umount2", b".", detach)
os.chdir("/work")
os.execv(command[0], command)
"""


def run(command, expected=0, **options):
    """Runs a command without an environment but a PATH; gives what it wrote, and the seconds it took."""
    options.setdefault("env", {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    began = time.monotonic()
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        stdin=subprocess.DEVNULL, check=False, **options)
    took = time.monotonic() - began
    told = " ".join(str(word) for word in command).splitlines()[-1][-200:]
    assert done.returncode == expected, f"exit code {done.returncode}, expected {expected}, of `{told}`:\n{done.stdout}"
    return done.stdout, took


class EmptyRoot:
    """A root of its own, with what is put into it."""

    def __init__(self, directory):
        self.root = Path(directory)
        for name in ("proc", "dev", "tmp", "work", "usr/bin"):
            (self.root / name).mkdir(parents=True)

    def put(self, file, place):
        target = self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(os.path.realpath(file), target)

    def put_python(self):
        """The interpreter of this host, with its libraries, as `python3`."""
        interpreter = os.path.realpath(sys.executable)
        self.put(interpreter, "usr/bin/python3")
        libraries = Path(sysconfig.get_path("stdlib"))
        extensions = (libraries / "lib-dynload").glob("*.so")
        needed = {interpreter, *map(str, extensions)}
        for file in needed:
            listed = subprocess.run(["ldd", file], stdout=subprocess.PIPE, text=True, check=False).stdout
            for library in re.findall(r"(?:=> |^\s*)(/\S+)", listed, re.MULTILINE):
                # Where the loader looks by itself, whatever directory the interpreter was built for.
                place = library[1:] if "/ld-" in library else f"usr/lib/{Path(library).name}"
                if not (self.root / place).exists():
                    self.put(library, place)
        unneeded = shutil.ignore_patterns("test", "site-packages", "dist-packages", "__pycache__", "config-*", "*.a")
        # Found by its place beside the interpreter, whatever prefix that was built for.
        shutil.copytree(libraries, self.root / "usr/lib" / libraries.name, ignore=unneeded)

    def run(self, *command, expected=0):
        """Runs a program in it, below /work; as an ordinary user in a user namespace that keeps who one is."""
        who = [] if os.geteuid() == 0 else ["--map-current-user", "--keep-caps"]
        enter = ["unshare", *who, "--mount", "--pid", "--fork", sys.executable, "-c", ENTER, str(self.root)]
        return run([*enter, *command], expected)


def first_verdict(run_judge):
    """Begins a problem and judges it; gives the seconds that took. `run_judge` runs the program in the place."""
    _, began = run_judge("new", "total", "--language", "python")
    told, judged = run_judge("run", "total")
    assert "1 problem, 4 submissions as expected" in told, told
    # What judges must also be able to say no.
    run_judge("run", "total/accepted", "--time-limit", "0.0001", expected=1)
    return began + judged
