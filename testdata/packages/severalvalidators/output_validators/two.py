import sys

# A multiple of 2.
number = int(sys.stdin.read())
open(sys.argv[3] + "judgemessage.txt", "w").write(" ".join(["two heard", *sys.argv[4:]]))
sys.exit(42 if number % 2 == 0 else 43)
