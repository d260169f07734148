# Does not flush its messages, so that both sides wait for each other.
import re, sys
secret = int(open(sys.argv[1]).read())
for line in sys.stdin.buffer:
    if not re.fullmatch(rb"[0-9]{1,9}\n", line):
        sys.exit(43)
    guess = int(line)
    print("higher" if guess < secret else "lower" if guess > secret else "correct")
    if guess == secret:
        sys.exit(42)
sys.exit(43)
