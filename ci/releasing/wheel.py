"""What pip installs: wheels with nothing in them but the program, and sources that build one. Builds the program too.

The program is built once, by maturin, and every other format has it from the wheel. It is linked statically, so it needs
nothing of the system that it runs on. No path of the host that builds it is in it: the same commit makes the same bytes
wherever it lies.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from releasing import tools
from releasing.program import DIST, PLATFORM, ROOT, TARGET, read

# The program needs no C library, so it runs where there is another one too; maturin does not say so by itself.
MUSL = "musllinux_1_1_x86_64"


class Built(NamedTuple):
    """What one build gives."""

    # The program, and files for pip in the order of their names.
    program: Path
    files: list
    # The crates that the program is linked from, as CycloneDX.
    bill_of_materials: bytes


def environment(time):
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    hidden = {cargo_home: "/cargo", read("rustc", "--print", "sysroot"): "/rust", str(ROOT): "/judge"}
    # What build scripts write lies there, also where that is not below the sources.
    hidden[str(TARGET)] = "/judge/target"
    flags = ["-Ctarget-feature=+crt-static", *(f"--remap-path-prefix={path}={name}" for path, name in hidden.items())]
    # Libraries in C name their files where they check themselves.
    for_c = [f"-ffile-prefix-map={path}={name}" for path, name in hidden.items()]
    return os.environ | {
        "CFLAGS": shlex.join(for_c),
        "CC_SHELL_ESCAPED_FLAGS": "1",
        # With a platform named, the flags are not those of build scripts and macros, which must stay as they are.
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_TARGET_DIR": str(TARGET),
        "CARGO": str(tools.auditable_cargo()),
        "SOURCE_DATE_EPOCH": str(time),
    }


def hide(wheel, program, variables):
    """Takes the directory of the sources out of the bill of materials, whose references are addresses of packages."""
    with tempfile.TemporaryDirectory() as place:
        def call(*words):
            subprocess.run([program, *words], env=variables, stdout=subprocess.DEVNULL, check=True)

        call("unpack", "--dest", place, wheel)
        (unpacked,) = Path(place).iterdir()
        (bill,) = unpacked.glob("*.dist-info/sboms/*")
        bill.write_text(bill.read_text(encoding="utf-8").replace(ROOT.as_uri(), "file:///judge"), encoding="utf-8")
        wheel.unlink()
        call("pack", "--dest-dir", wheel.parent, unpacked)


def build(time):
    """Builds the program and what pip takes; `time` is that of the files, in seconds since 1970."""
    programs, place = tools.python("making", tools.MAKING), TARGET / "release-wheels"
    shutil.rmtree(place, ignore_errors=True)
    command = [programs / "maturin", "build", "--profile", "dist", "--locked", "--target", PLATFORM, "--out", place]
    subprocess.run(command, cwd=ROOT, env=environment(time), check=True)
    subprocess.run([programs / "maturin", "sdist", "--out", place], cwd=ROOT, env=environment(time), check=True)
    (wheel,) = place.glob("*.whl")
    hide(wheel, programs / "wheel", environment(time))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (program,) = (name for name in names if name.endswith(".data/scripts/judge"))
        (bill,) = (name for name in names if ".dist-info/sboms/" in name)
        content, bill_of_materials = archive.read(program), archive.read(bill)
    command = [programs / "wheel", "tags", f"--platform-tag={MUSL}", wheel]
    subprocess.run(command, env=environment(time), stdout=subprocess.DEVNULL, check=True)
    DIST.mkdir(parents=True, exist_ok=True)
    (DIST / "judge").write_bytes(content)
    (DIST / "judge").chmod(0o755)
    return Built(DIST / "judge", sorted(place.iterdir()), bill_of_materials)
