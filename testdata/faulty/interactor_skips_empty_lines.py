# Waits for a line that is not empty, also after the end of its input.
import re, sys
secret = int(open(sys.argv[1]).read())
for _ in range(10):
    line = b""
    while not line.strip():
        line = sys.stdin.buffer.readline()
    if not re.fullmatch(rb"\s*[0-9]{1,9}\s*", line):
        sys.exit(43)
    guess = int(line)
    print("higher" if guess < secret else "lower" if guess > secret else "correct", flush=True)
    if guess == secret:
        sys.exit(42)
sys.exit(43)
