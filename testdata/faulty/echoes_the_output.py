# Repeats the whole output in its message, which is limited.
import sys
answer, output = open(sys.argv[2], "rb").read(), sys.stdin.buffer.read()
if output.split() == answer.split():
    sys.exit(42)
with open(sys.argv[3] + "/judgemessage.txt", "wb") as message:
    message.write(b"expected " + answer + b"found " + output)
sys.exit(43)
