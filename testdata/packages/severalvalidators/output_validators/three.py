import sys

# A multiple of 3.
number = int(sys.stdin.read())
open(sys.argv[3] + "judgemessage.txt", "w").write(" ".join(["three heard", *sys.argv[4:]]))
sys.exit(42 if number % 3 == 0 else 43)
