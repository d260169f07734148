# Accepts a submission that asks no question at all.
import re, sys
secret = int(open(sys.argv[1]).read())
for turn, line in enumerate(sys.stdin.buffer):
    if turn >= 10 or not re.fullmatch(rb"[0-9]{1,9}\n", line):
        sys.exit(43)
    print("yes" if int(line) == secret else "no", flush=True)
sys.exit(42)
