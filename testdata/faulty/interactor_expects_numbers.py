# Crashes on a line that is not a number.
import sys
secret = int(open(sys.argv[1]).read())
for _ in range(10):
    line = sys.stdin.buffer.readline()
    if not line.strip():
        sys.exit(43)
    guess = int(line)
    print("higher" if guess < secret else "lower" if guess > secret else "correct", flush=True)
    if guess == secret:
        sys.exit(42)
sys.exit(43)
