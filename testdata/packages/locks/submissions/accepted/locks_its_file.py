"""Locks a temporary file of its own, as a Java virtual machine does, and reports a failure on standard output."""

import fcntl
import tempfile

with tempfile.TemporaryFile() as own:
    try:
        fcntl.flock(own, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(own, fcntl.LOCK_UN)
    except OSError as error:
        print(f"warning: no locks: {error}")
print(input())
