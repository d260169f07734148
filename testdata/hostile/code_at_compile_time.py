import errno
import os
import shlex
import socket
import sys


def outcome(action, *arguments):
    try:
        action(*arguments).close()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "ok"


lines = []
for shown, name in (("the judge's own file", "@SECRET@"), ("/etc/shadow", "/etc/shadow"), ("/judge/answer", "/judge/answer")):
    lines.append(f"read {shown}: {outcome(open, name)}")
lines.append(f"connect: {outcome(socket.create_connection, ('1.1.1.1', 80), 1)}")
for shown, name in (("the source", sys.path[0]), ("/usr", "/usr"), ("/etc", "/etc")):
    lines.append(f"write next to {shown}: {outcome(open, name + '/hostile', 'w')}")
with os.fdopen(os.open("main", os.O_WRONLY | os.O_CREAT, 0o755), "w") as program:
    program.write("#!/bin/sh\n" + "".join(f"echo {shlex.quote(line)}\n" for line in lines))
