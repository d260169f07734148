import sys

# A multiple of 2.
number = int(sys.stdin.read())
open(sys.argv[3] + "judgemessage.txt", "w").write("two heard")
sys.exit(42 if number % 2 == 0 else 43)
