# Allows eleven questions where the statement allows ten.
import re, sys
secret = int(open(sys.argv[1]).read())
for turn, line in enumerate(sys.stdin.buffer):
    if turn > 10 or not re.fullmatch(rb"[0-9]{1,9}\n", line):
        sys.exit(43)
    guess = int(line)
    print("higher" if guess < secret else "lower" if guess > secret else "correct", flush=True)
    if guess == secret:
        sys.exit(42)
sys.exit(43)
